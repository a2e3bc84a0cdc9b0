//! Results that come in any order and go out in the order of the input.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crate::progress::Progress;

/// Writes texts in order as soon as they are due.
pub(crate) struct Ordered<'a> {
    inner: Mutex<Inner<'a>>,
}

struct Inner<'a> {
    out: &'a mut (dyn Write + Send),
    /// Those that are not due yet, by their number.
    waiting: HashMap<usize, String>,
    written: usize,
    progress: Progress,
    error: Option<io::Error>,
}

impl<'a> Ordered<'a> {
    /// Texts that are called `unit` in the plural.
    pub(crate) fn new(out: &'a mut (dyn Write + Send), unit: &str) -> Self {
        let (waiting, progress) = (HashMap::new(), Progress::new(0, unit));
        Self { inner: Mutex::new(Inner { out, waiting, written: 0, progress, error: None }) }
    }

    /// So many texts are to come, for the progress bar.
    pub(crate) fn expect(self, len: usize) -> Self {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.progress.set_of(0, len);
        drop(inner);
        self
    }

    /// Takes a text and writes all that are due. `false` if nobody reads any more.
    pub(crate) fn put(&self, index: usize, text: String) -> bool {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { out, waiting, written, progress, error } = &mut *inner;
        waiting.insert(index, text);
        while let Some(due) = waiting.remove(written) {
            *written += 1;
            progress.suspend(|| {
                let put = out.write_all(due.as_bytes()).and_then(|()| out.flush());
                *error = error.take().or(put.err());
            });
        }
        progress.set(*written);
        error.is_none()
    }

    /// Ends the progress bar.
    ///
    /// # Errors
    /// What went wrong in writing.
    pub(crate) fn finish(self) -> io::Result<()> {
        let inner = self.inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        inner.progress.finish();
        inner.error.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_go_out_in_order() {
        let mut out = Vec::new();
        let ordered = Ordered::new(&mut out, "texts").expect(3);
        for (index, text) in [(2, "c"), (0, "a"), (1, "b"), (7, "x")] {
            assert!(ordered.put(index, text.to_owned()));
        }
        ordered.finish().unwrap();
        assert_eq!(out, b"abc");
    }
}
