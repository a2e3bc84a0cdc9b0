use std::fmt;

use thiserror::Error;

use crate::Color;

/// A FEN that is not a position of the game, with **every** fault that was found.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct FenError {
    /// What is wrong, in reading order; never empty.
    pub faults: Vec<FenFault>,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

/// One fault of a FEN. Texts are shortened to a few characters so that an error never repeats a
/// megabyte of input.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FenFault {
    /// Nothing but blanks.
    #[error("empty FEN")]
    Empty,
    /// The board does not have eight ranks.
    #[error("the board has {found} ranks, not 8")]
    RankCount {
        /// Ranks separated by `/`.
        found: usize,
    },
    /// A rank does not describe eight squares.
    #[error("rank {rank} describes {found} squares, not 8")]
    RankLength {
        /// Rank number, 1-8.
        rank: u8,
        /// Squares described.
        found: usize,
    },
    /// A letter that names no piece of this game.
    #[error("'{letter}' is no piece of this game (rank {rank})")]
    UnknownPiece {
        /// The offending character.
        letter: char,
        /// Rank number, 1-8.
        rank: u8,
    },
    /// A side has no king, or several.
    #[error("{color} has {found} kings, not 1")]
    KingCount {
        /// Whose kings.
        color: Color,
        /// How many.
        found: usize,
    },
    /// More men than a side can have.
    #[error("{color} has {found} men, more than {max}")]
    TooManyMen {
        /// Whose men.
        color: Color,
        /// How many.
        found: usize,
        /// How many are allowed.
        max: usize,
    },
    /// A pawn or man on a rank where it cannot stand.
    #[error("a {color} {piece} cannot stand on {square}")]
    ImpossibleSquare {
        /// Whose.
        color: Color,
        /// `"pawn"` or `"man"`.
        piece: &'static str,
        /// Algebraic square.
        square: String,
    },
    /// A field is missing.
    #[error("no {field}")]
    Missing {
        /// Name of the field.
        field: &'static str,
    },
    /// A field does not say what it must.
    #[error("bad {field} '{text}'")]
    BadField {
        /// Name of the field.
        field: &'static str,
        /// What stands there, shortened.
        text: String,
    },
    /// A square named twice.
    #[error("square {square} is occupied twice")]
    SquareTwice {
        /// Algebraic square.
        square: String,
    },
    /// Draughts pieces on squares of both colors.
    #[error("pieces stand on squares of both colors")]
    MixedParity,
    /// Text after the last field.
    #[error("unexpected '{text}' at the end")]
    TrailingText {
        /// What stands there, shortened.
        text: String,
    },
}

/// Move text that names no legal move of the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text has not the form of a move.
    #[error("'{text}' is not a move")]
    Syntax {
        /// The text, shortened.
        text: String,
    },
    /// A move in form, but not legal here.
    #[error("'{text}' is not legal here")]
    Illegal {
        /// The text, shortened.
        text: String,
    },
    /// Several legal moves fit the text.
    #[error("'{text}' fits several moves: {candidates}")]
    Ambiguous {
        /// The text, shortened.
        text: String,
        /// The full texts of the moves that fit, separated by blanks.
        candidates: String,
    },
    /// A pawn reaches its promotion rank and the text does not say what it becomes.
    #[error("'{text}' does not say what the pawn becomes")]
    MissingPromotion {
        /// The text, shortened.
        text: String,
    },
}

/// `text` cut to at most 24 characters for an error message, without control characters.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String =
        text.chars().take(24).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(24).is_some() {
        short.push_str("...");
    }
    short
}
