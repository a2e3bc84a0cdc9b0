//! Games as text: PGN for the chess games, PDN for Makhos. In a [`Game`] moves are words; whether they
//! are legal is asked when it is replayed.
//!
//! [`Reader`] takes what programs and people write: comments of all kinds, variations, NAGs
//! and `!?` marks, results of either game. The same structure is written back by
//! its `Display`.

mod date;
mod file;
mod read;
mod replay;
mod write;

pub use date::date;
pub use file::GameFile;
pub use read::{Fault, Reader};
pub(crate) use replay::{Replayed, Squares, replay, rules_of, settings_of};
pub(crate) use write::thought;

use movegen::{Color, Numbering, Variant};

use crate::dispatch::GameRules;
use crate::referee::AnyGame;

/// One game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// A comment before the first move.
    pub comment: String,
    /// The moves.
    pub moves: Vec<Move>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Number of the first move.
    pub first_number: u32,
    /// Whether the first move is the second one of its number.
    pub second_begins: bool,
    /// Number of the line in the file on which the game begins, from 1.
    pub line: usize,
}

/// One move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Move {
    /// As it was written, without marks such as `!?`.
    pub text: String,
    /// Numeric annotation glyphs; 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`.
    pub nags: Vec<u8>,
    /// What is said about it.
    pub comment: String,
    /// Lines that could have been played instead, without their brackets.
    pub variations: Vec<String>,
}

impl Game {
    /// The value of a tag, whatever the case of its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, in its place if it is there, at the end otherwise.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Says which game it is, in the tag that its kind of file has for that. In Makhos `first` makes
    /// the first move of the start position, and the moves have these numbers.
    pub fn set_game(&mut self, variant: Variant, first: Color, numbering: Numbering) {
        match variant {
            Variant::Makruk => self.set_tag("Variant", "Makruk"),
            Variant::Asean => self.set_tag("Variant", "Asean"),
            // 31 is Thai draughts; then who begins, the board, and where square 1 lies as the
            // beginner sees it: lower left, lower right, upper left, upper right (N0 to N3).
            Variant::Makhos => self.set_tag(
                "GameType",
                match (first, numbering) {
                    (Color::White, Numbering::Pdn) => "31,W,8,8,N2,0",
                    (Color::White, Numbering::MakHos) => "31,W,8,8,N3,0",
                    (Color::Black, Numbering::Pdn) => "31,B,8,8,N1,0",
                    (Color::Black, Numbering::MakHos) => "31,B,8,8,N0,0",
                },
            ),
        }
    }
}

/// What a game's rules and start position add to its tags.
impl Game {
    /// Tells the game, its rules, where it begins and who begins.
    pub fn set_position(&mut self, game: &dyn AnyGame, rule_set: &str) {
        let rules = game.rules();
        let (first, numbering) = match rules {
            GameRules::Makhos(rules) => (rules.first, rules.numbering),
            _ => (Color::White, Numbering::Pdn),
        };
        self.set_game(rules.variant(), first, numbering);
        self.set_tag("RuleSet", rule_set);
        let start = game.start_fen();
        if rules.variant() == Variant::Makhos {
            // The numbers of a file are all of one kind.
            self.set_tag("FEN", replay::translate_fen(&start, Squares::of(numbering)));
            return;
        }
        let mut words = start.split(' ');
        self.second_begins = words.clone().nth(1) == Some("b");
        self.first_number = words.next_back().and_then(|n| n.parse().ok()).unwrap_or(1);
        if start != game.standard_start() {
            self.set_tag("SetUp", "1");
            self.set_tag("FEN", start);
        }
    }
}

/// Results as both kinds of file write them: chess, then draughts with points.
const RESULTS: [(&str, &str); 8] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("*", "*"),
    ("2-0", "1-0"),
    ("0-2", "0-1"),
    ("1-1", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
];

#[cfg(test)]
mod tests;
