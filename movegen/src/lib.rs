//! Rules of the board games of Thailand and its neighbours: **Makruk** (Thai chess), **ASEAN
//! Chess** and **Makhos** (Thai draughts).
//!
//! This crate knows rules and nothing else: positions, legal moves, counting, draws, FEN, move
//! text and game notation. It does no I/O, keeps no clock, starts no thread and has no notion of
//! how good a move is; that is the `search` crate's business.
//!
//! The contract between the rules and everything above them is [`Position`]: each game implements
//! it once ([`chess::Board`] for the two chess games, [`makhos::Board`] for Makhos) and every tool
//! (perft, the search, the arbiter, the protocols) is written once over it. [`GameRecord`] adds
//! the history that repetition needs.

pub mod chess;
pub mod cpu;
pub mod makhos;
pub mod perft;

mod color;
mod cuckoo;
mod error;
mod position;
mod record;
mod rules;
mod zobrist;

pub use color::Color;
pub use cpu::prefetch;
pub use error::{FenError, FenFault, MoveError};
pub use perft::{divide, perft, perft_listing};
pub use position::{
    Clock, ClockKind, Countdown, DrawReason, GameMove, MAX_MOVES, MoveList, Outcome, Position,
    WinReason,
};
pub use record::GameRecord;
pub use rules::{
    AseanPromotion, ChessRules, CountingRule, DeadPosition, LoneKings, MakhosRules, Numbering,
    PawnCapture, QuietReset, Removal, RuleSet, Variant,
};
