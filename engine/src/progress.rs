//! A progress bar for work that may take more than a second.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// How long work may take before it shows a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the times are brought up to date.
const TICK: Duration = Duration::from_millis(500);

const BAR: &str = "{wide_bar} {pos}/{len}";
const TIMES: &str = "{elapsed} so far, {left} left";

/// A bar on standard error, shown only in a terminal and only after a second, whether or not
/// anything was done by then.
pub struct Progress {
    bar: ProgressBar,
    /// Shows the bar in time; the end of the channel calls it off.
    opener: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// A bar of `len` pieces of work, called `unit`.
    pub fn new(len: usize, unit: &str) -> Self {
        Self::with_template(len, &format!("{BAR} {unit}, {TIMES}"))
    }

    /// The same, with room for a line of text below the bar.
    pub fn with_message(len: usize, unit: &str) -> Self {
        Self::with_template(len, &format!("{BAR} {unit}, {TIMES}\n{{wide_msg}}"))
    }

    fn with_template(len: usize, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(len as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("left", time_left));
        }
        let opener = if stderr().is_terminal() { open_later(bar.clone()) } else { None };
        Self { bar, opener }
    }

    /// So much was done before; the time left is reckoned without it.
    pub fn begin_at(&self, done: usize) {
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
    }

    /// So much is done.
    pub fn set(&self, done: usize) {
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
    pub fn finish(self) {
        if let Some((call_off, thread)) = self.opener {
            drop(call_off);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// Shows `bar` after [`PATIENCE`] unless the sender is dropped before.
fn open_later(bar: ProgressBar) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (sender, called_off) = mpsc::channel();
    let open = move || {
        if called_off.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    };
    thread::Builder::new().name("progress".into()).spawn(open).ok().map(|thread| (sender, thread))
}

/// The time that the rest will take; nothing is known before the first piece is done.
fn time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let _ = if state.pos() == 0 {
        write!(out, "?")
    } else {
        write!(out, "{:#}", HumanDuration(state.eta()))
    };
}
