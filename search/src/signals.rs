use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The way to reach a running search from another thread.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// No signal given.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes all signals back, before a new search.
    pub fn reset(&self) {
        self.stop.store(false, Ordering::SeqCst);
        self.ponder_hit.store(false, Ordering::SeqCst);
    }

    /// Ends the search at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// The opponent has played the expected move: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// Whether [`Signals::stop`] was called.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether [`Signals::ponder_hit`] was called.
    #[inline]
    pub fn ponder_was_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }

    /// Sleeps until a signal arrives or `at_most` has passed.
    pub fn wait(&self, at_most: Duration) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.stopped() && !self.ponder_was_hit() {
            drop(self.changed.wait_timeout(guard, at_most));
        }
    }

    fn wake(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}
