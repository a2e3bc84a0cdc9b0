//! Text protocols: each turns lines into [`Command`]s and [`Report`]s into lines, nothing else.

mod uci;

pub use uci::Uci;

use crate::command::Command;
use crate::report::Report;

/// A text protocol.
pub trait Protocol: Send + Sync {
    /// Reads one line. Never fails: what cannot be understood becomes a note.
    fn parse(&self, line: &str) -> Parsed;
    /// Writes one report, without the last line end. Empty if the protocol has no words for it.
    fn render(&self, report: &Report) -> String;
}

/// One line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// What is asked for.
    pub command: Command,
    /// What was wrong with the line, in one sentence.
    pub fault: Option<String>,
}

impl From<Command> for Parsed {
    fn from(command: Command) -> Self {
        Self { command, fault: None }
    }
}

impl Parsed {
    fn nothing_but(fault: impl Into<String>) -> Self {
        Self { command: Command::Nothing, fault: Some(fault.into()) }
    }
}
