//! Any text as a game of moves, separated by blanks, in every game under every rule set; moves in
//! the middle that cannot be played are passed over.

#![no_main]

#[path = "../../../tests/common/mod.rs"]
mod common;

use common::text::read_move;
use common::{ForEachGame, GameUnderTest, games_under_test};
use libfuzzer_sys::fuzz_target;
use movegen::{GameRecord, Position};

struct Moves<'a>(&'a str);

impl ForEachGame for Moves<'_> {
    fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
        // The first byte chooses where to begin, so that endings are reached as well.
        let choice = usize::from(self.0.bytes().next().unwrap_or(0));
        let Some(fen) = game.starts.get(choice % game.starts.len().max(1)) else { return };
        let Ok(start) = P::from_fen(fen, game.rules) else { return };
        let mut record = GameRecord::new(start);
        for word in self.0.split(' ').take(64) {
            read_move(record.position(), word);
            if record.play_text(word).is_err()
                && let Ok(m) = record.position().parse_notation(word)
            {
                record.play(m);
            }
            let _ = record.outcome();
        }
    }
}

fuzz_target!(|text: &str| games_under_test(&mut Moves(text)));
