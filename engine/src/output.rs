//! Where reports go: standard output, line by line and flushed, and the log if one is kept.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::protocol::Protocol;
use crate::report::{Report, Reporter};

/// Renders reports and writes them. Shared by the command loop and the search thread; a report is
/// always written as a whole.
pub struct Output {
    protocol: Box<dyn Protocol>,
    sink: Mutex<Sink>,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    log: Option<(String, File)>,
    /// Nobody reads any more (a broken pipe).
    gone: bool,
}

impl Output {
    /// Output in the words of `protocol` to `writer`.
    pub fn new(protocol: Box<dyn Protocol>, writer: Box<dyn Write + Send>) -> Self {
        Self { protocol, sink: Mutex::new(Sink { writer, log: None, gone: false }) }
    }

    /// The protocol in use.
    pub fn protocol(&self) -> &dyn Protocol {
        &*self.protocol
    }

    /// Whether writing has failed, so that nothing said from now on will be heard.
    pub fn is_gone(&self) -> bool {
        self.sink().gone
    }

    /// Keeps a log in the file `path` (appended to), or none if `path` is empty.
    ///
    /// # Errors
    /// If the file cannot be opened; no log is kept then.
    pub fn set_log(&self, path: &str) -> io::Result<()> {
        let mut sink = self.sink();
        if sink.log.as_ref().is_some_and(|(open, _)| open == path) {
            return Ok(());
        }
        sink.log = None;
        if !path.is_empty() {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            sink.log = Some((path.to_owned(), file));
        }
        Ok(())
    }

    /// Writes a line of input to the log.
    pub fn log_input(&self, line: &str) {
        self.sink().write_log(">>", line);
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    fn write_log(&mut self, mark: &str, text: &str) {
        if let Some((_, file)) = &mut self.log {
            // A full disk must not stop a game.
            let _ = text.lines().try_for_each(|line| writeln!(file, "{mark} {line}"));
        }
    }
}

impl Reporter for Output {
    fn report(&self, report: &Report) {
        let mut text = self.protocol.render(report);
        if text.is_empty() {
            return;
        }
        let mut sink = self.sink();
        sink.write_log("<<", &text);
        text.push('\n');
        let written = sink.writer.write_all(text.as_bytes()).and_then(|()| sink.writer.flush());
        sink.gone |= written.is_err();
    }
}
