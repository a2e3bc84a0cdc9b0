//! What the user sees while a match runs.

use std::io::{IsTerminal, Write, stderr};

use crate::progress::Progress;

/// A bar with the score in a terminal, a line now and then elsewhere. Always on stderr: the result
/// alone goes to stdout.
pub(crate) struct Standing {
    bar: Progress,
    games: usize,
    finished: usize,
    /// Without a terminal: a line every so many games.
    lines: Option<usize>,
}

impl Standing {
    /// For a match of `games` games.
    pub(crate) fn new(games: usize, every: usize) -> Self {
        let lines = (!stderr().is_terminal()).then_some(every.max(1));
        let bar = Progress::with_message(games, "games");
        bar.set_message("no pair of games has ended yet".to_owned());
        Self { bar, games, finished: 0, lines }
    }

    /// A game has ended.
    pub(crate) fn on_game(&mut self) {
        self.finished += 1;
        self.bar.set(self.finished);
    }

    /// The score has changed; `counted` games (one or two more than before) are in it.
    pub(crate) fn on_score(&mut self, counted: u64, score: impl FnOnce() -> String) {
        let counted = usize::try_from(counted).unwrap_or(usize::MAX);
        match self.lines {
            None => self.bar.set_message(score()),
            // The last standing is the result, which is told anyway.
            Some(every) if counted % every < 2 && (every..self.games).contains(&counted) => {
                self.note(&format!("{counted}/{} games: {}", self.games, score()));
            }
            Some(_) => {}
        }
    }

    /// Tells something without spoiling the bar.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| warn(text));
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish();
    }
}

/// Writes a line to stderr, whether or not somebody reads it.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}
