//! Threads that search.

use std::io;
use std::thread;

/// Stack of a thread that searches: the search recurses up to its ply limit.
pub(crate) const STACK: usize = 64 << 20;

/// Threads that this machine runs at once.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on so many threads at once, and waits for all.
///
/// # Errors
/// If no thread can be started.
pub(crate) fn on_threads(number: usize, work: impl Fn() + Sync) -> io::Result<()> {
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..number.max(1) {
            let thread = thread::Builder::new().name("search".into()).stack_size(STACK);
            match thread.spawn_scoped(scope, &work) {
                Ok(_) => started += 1,
                // Fewer do as well.
                Err(error) if started == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_thread_works() {
        let done = AtomicUsize::new(0);
        on_threads(3, || {
            done.fetch_add(1, Ordering::SeqCst);
        })
        .unwrap();
        assert_eq!(done.into_inner(), 3);
    }
}
