//! Any text as a file of games: read, written and read again.

#![no_main]

use engine::game_text::{Game, Reader};
use libfuzzer_sys::fuzz_target;

fn games(text: &str) -> Vec<Game> {
    Reader::new(text.as_bytes()).filter_map(|game| game.ok()?.ok()).collect()
}

fuzz_target!(|text: &str| {
    for game in games(text) {
        let again = games(&game.to_string());
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].moves.len(), game.moves.len());
        assert_eq!(again[0].result, game.result);
    }
});
