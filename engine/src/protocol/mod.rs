//! Text protocols: each turns lines into [`Command`]s and [`Report`]s into lines, nothing else. Some
//! keep the game that is played, because their lines change it step by step.

mod detect;
mod hub;
mod uci;
mod usi;
mod xboard;

pub use detect::{Detect, Name};
pub use hub::Hub;
pub use uci::Uci;
pub use usi::Usi;
pub use xboard::XBoard;

use crate::command::Command;
use crate::options::{OPTIONS, OptionKind};
use crate::report::Report;

/// A text protocol.
pub trait Protocol: Send {
    /// Reads one line. Never fails: what cannot be understood becomes a fault.
    fn parse(&mut self, line: &str) -> Parsed;
    /// Says one report in its words.
    fn render(&mut self, report: &Report) -> Rendered;
}

/// One line, understood.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parsed {
    /// What is asked for, in order.
    pub commands: Vec<Command>,
    /// What was wrong with the line, in one sentence.
    pub fault: Option<String>,
    /// What the protocol itself answers; any number of lines, without the last line end.
    pub answer: String,
}

impl From<Command> for Parsed {
    fn from(command: Command) -> Self {
        Self { commands: vec![command], ..Self::default() }
    }
}

impl Parsed {
    fn nothing_but(fault: impl Into<String>) -> Self {
        Self { fault: Some(fault.into()), ..Self::default() }
    }

    fn answer(text: impl Into<String>) -> Self {
        Self { answer: text.into(), ..Self::default() }
    }
}

/// A report in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rendered {
    /// Any number of lines, without the last line end. Empty if the protocol has no words for it.
    pub text: String,
    /// What the protocol wants done now, such as thinking on the opponent's time.
    pub commands: Vec<Command>,
}

impl From<String> for Rendered {
    fn from(text: String) -> Self {
        Self { text, commands: Vec::new() }
    }
}

/// `name version`, as engines introduce themselves.
fn engine_name() -> String {
    format!("Hanuman {}", env!("CARGO_PKG_VERSION"))
}

/// What an option is at start-up, as text; `None` for buttons.
fn default_text(kind: &OptionKind) -> Option<String> {
    match *kind {
        OptionKind::Check { default, .. } => Some(default.to_string()),
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::Combo { default, .. } | OptionKind::Text { default, .. } => {
            Some(default.to_owned())
        }
        OptionKind::Button { .. } => None,
    }
}

/// The options that protocols with words of their own for some of them still have to declare.
fn options_except(
    hidden: &'static [&'static str],
) -> impl Iterator<Item = &'static crate::options::OptionSpec> {
    OPTIONS.iter().filter(|option| !hidden.contains(&option.name))
}

/// Plies of a mate in so many moves, as the mover sees it: negative if he is mated.
const fn plies_to_end(moves: i32) -> i32 {
    if moves > 0 { 2 * moves - 1 } else { 2 * moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_become_plies() {
        assert_eq!([1, 2, 0, -1, -2].map(plies_to_end), [1, 3, 0, -2, -4]);
    }
}
