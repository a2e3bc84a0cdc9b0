//! A progress bar for work that may take more than a second.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long work may take before it shows a bar.
const PATIENCE: Duration = Duration::from_secs(1);

const BAR: &str = "{wide_bar} {pos}/{len}";
const TIMES: &str = "{elapsed} + {eta}";

/// A bar on standard error, shown only in a terminal and only after a second.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: OnceLock<()>,
}

impl Progress {
    /// A bar of `len` pieces of work, called `unit`.
    pub fn new(len: usize, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(len as u64), ProgressDrawTarget::hidden());
        Self::with_template(bar, &format!("{BAR} {unit}, {TIMES}"))
    }

    /// The same, with room for a line of text below the bar.
    pub fn with_message(len: usize, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(len as u64), ProgressDrawTarget::hidden());
        Self::with_template(bar, &format!("{BAR} {unit}, {TIMES}\n{{wide_msg}}"))
    }

    fn with_template(bar: ProgressBar, template: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, begun: Instant::now(), shown: OnceLock::new() }
    }

    /// So much is done.
    pub fn set(&self, done: usize) {
        if self.begun.elapsed() >= PATIENCE {
            self.shown.get_or_init(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
        self.bar.set_position(done as u64);
    }

    /// So much of so much is done, where the amount of work shows only as it goes.
    pub fn set_of(&self, done: usize, all: usize) {
        self.bar.set_length(all as u64);
        self.set(done);
    }

    /// Changes the text below the bar.
    pub fn set_message(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Runs `write` with the bar out of the way.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
