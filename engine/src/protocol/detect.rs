//! Which protocol the other side speaks: its first line tells.

use clap::ValueEnum;

use super::{Hub, Parsed, Protocol, Rendered, Uci, Usi, XBoard};
use crate::report::Report;

/// A protocol by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Name {
    /// As the first line says.
    Auto,
    /// The Universal Chess Interface.
    Uci,
    /// Its relative for shogi.
    Usi,
    /// The Chess Engine Communication Protocol.
    Xboard,
    /// The protocol of draughts engines.
    Hub,
}

impl Name {
    /// The protocol.
    pub fn open(self) -> Box<dyn Protocol> {
        match self {
            Self::Auto => Box::new(Detect::default()),
            Self::Uci => Box::new(Uci),
            Self::Usi => Box::new(Usi::default()),
            Self::Xboard => Box::new(XBoard::default()),
            Self::Hub => Box::new(Hub::default()),
        }
    }
}

/// The protocol of which the first line with a word in it is a greeting; otherwise UCI.
#[derive(Default)]
pub struct Detect {
    found: Option<Box<dyn Protocol>>,
}

impl Protocol for Detect {
    fn parse(&mut self, line: &str) -> Parsed {
        if self.found.is_none() {
            let Some(first) = line.split_whitespace().next() else { return Parsed::default() };
            let name = match first {
                "xboard" | "protover" => Name::Xboard,
                "usi" => Name::Usi,
                "hub" => Name::Hub,
                _ => Name::Uci,
            };
            self.found = Some(name.open());
        }
        self.found.as_mut().map_or_else(Parsed::default, |protocol| protocol.parse(line))
    }

    fn render(&mut self, report: &Report) -> Rendered {
        match &mut self.found {
            Some(protocol) => protocol.render(report),
            None => Uci.render(report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    #[test]
    fn the_first_line_chooses() {
        let first_answer = |lines: &[&str]| {
            let mut protocol = Detect::default();
            lines.iter().fold(Parsed::default(), |_, line| protocol.parse(line))
        };
        assert_eq!(first_answer(&["", "uci"]), Command::Handshake.into());
        assert_eq!(first_answer(&["usi"]), Command::Handshake.into());
        assert_eq!(first_answer(&["position startpos", "usi"]).commands, []);
        assert!(first_answer(&["  ", "xboard", "protover 2"]).answer.contains("feature "));
        assert!(first_answer(&["hub"]).answer.ends_with("wait"));
        // It stays with what it chose.
        assert!(first_answer(&["uci", "xboard"]).fault.is_some());
    }
}
