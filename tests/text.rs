//! Any text at all is either read or refused with an error that says why; nothing panics.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::text::{read_fen, read_move};
use common::{ForEachGame, GameUnderTest, games_under_test};
use movegen::Position;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// One change of a text: what, where, and with which character.
type Edit = (u8, u16, char);

/// Characters that mean something in one of the formats, and some that never do.
const CHARACTERS: &str =
    "pmsnrkqbPMSNRKQBwWhHfF12345678900abcdefgh/ :,.-~+#=x!?\0\t\u{e9}\u{1f600}9";

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let character = prop_oneof![
        4 => proptest::sample::select(CHARACTERS.chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    proptest::collection::vec((0u8..7, any::<u16>(), character), 1..6)
}

/// `text` with the edits made, whatever comes out.
fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(kind, place, character) in edits {
        let at = usize::from(place) % (chars.len() + 1);
        match kind {
            0 => chars.insert(at, character),
            1 => chars.truncate(at),
            2 => chars.splice(at..at, [character; 40]).for_each(drop),
            3 => {
                let tail = chars[at..].to_vec();
                chars.extend(tail);
            }
            4 => {
                let mut fields: Vec<String> =
                    chars.iter().collect::<String>().split(' ').map(str::to_owned).collect();
                let n = fields.len();
                fields.swap(at % n, usize::from(place >> 8) % n);
                chars = fields.join(" ").chars().collect();
            }
            5 if at < chars.len() => drop(chars.remove(at)),
            _ if at < chars.len() => chars[at] = character,
            _ => {}
        }
    }
    chars.into_iter().collect()
}

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
