//! Any text as a FEN of every game under every rule set.

#![no_main]

#[path = "../../../tests/common/mod.rs"]
mod common;

use common::text::read_fen;
use common::{ForEachGame, GameUnderTest, games_under_test};
use libfuzzer_sys::fuzz_target;
use movegen::Position;

struct Fen<'a>(&'a str);

impl ForEachGame for Fen<'_> {
    fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
        read_fen::<P>(self.0, game.rules);
    }
}

fuzz_target!(|text: &str| games_under_test(&mut Fen(text)));
