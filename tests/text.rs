//! Any text at all is either read or refused with an error that says why; nothing panics.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "common/edits.rs"]
mod edits;

use common::text::{read_fen, read_move};
use common::{ForEachGame, GameUnderTest, games_under_test};
use edits::{Edit, edited, edits};
use movegen::Position;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

struct AnyText<'a>(&'a str);

impl ForEachGame for AnyText<'_> {
    fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
        read_fen::<P>(self.0, game.rules);
        read_move(&P::start(game.rules), self.0);
    }
}

struct EditedFens<'a>(&'a [Edit]);

impl ForEachGame for EditedFens<'_> {
    fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
        for fen in &game.starts {
            read_fen::<P>(&edited(fen, self.0), game.rules);
        }
    }
}

struct EditedMoves<'a>(&'a [Edit]);

impl ForEachGame for EditedMoves<'_> {
    fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
        for fen in &game.starts {
            let position = P::from_fen(fen, game.rules).unwrap();
            for &m in position.legal_moves().iter().take(6) {
                read_move(&position, &edited(&position.move_text(m), self.0));
                read_move(&position, &edited(&position.notation(m), self.0));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(debug_assertions) { 250 } else { 1000 },
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        games_under_test(&mut AnyText(&text));
    }

    #[test]
    fn text_of_our_characters_is_read_or_refused(
        text in "[pmsnrkqbPMSNRKQBwWhHfF1-8a-h/ :,.x~+#=-]{0,80}"
    ) {
        games_under_test(&mut AnyText(&text));
    }

    #[test]
    fn edited_fens_are_read_or_refused(edits in edits()) {
        games_under_test(&mut EditedFens(&edits));
    }

    #[test]
    fn edited_moves_are_read_or_refused(edits in edits()) {
        games_under_test(&mut EditedMoves(&edits));
    }
}

#[test]
fn long_texts_get_short_answers() {
    let long = ["/".repeat(100_000), "W:W".to_owned() + &"K1,".repeat(50_000), "9".repeat(1 << 20)];
    for text in &long {
        games_under_test(&mut AnyText(text));
    }
}
