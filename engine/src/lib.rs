//! The program `hanuman`: text protocols and the command line around the `search` crate.
//!
//! This crate turns text into commands and reports into text. It knows no rules of any game and
//! makes no decision about a move.

pub mod analyse;
pub mod annotate;
pub mod bench;
pub mod book;
pub mod cli;
pub mod command;
pub mod controller;
pub mod count;
pub mod datagen;
pub mod dispatch;
pub mod display;
pub mod doctor;
pub mod endgame;
pub mod epd;
pub mod game_args;
pub mod game_text;
pub mod input;
mod lines;
pub mod match_runner;
pub mod networks;
pub mod options;
mod ordered;
pub mod output;
pub mod perft;
pub mod play;
pub mod progress;
pub mod protocol;
pub mod random;
pub mod referee;
pub mod report;
pub mod session;
pub mod settings;
#[cfg(feature = "tune")]
mod tuning;
mod workers;
