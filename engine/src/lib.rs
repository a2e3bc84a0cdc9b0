//! The program `hanuman`: text protocols and the command line around the `search` crate.
//!
//! This crate turns text into commands and reports into text. It knows no rules of any game and
//! makes no decision about a move.

pub mod dispatch;
