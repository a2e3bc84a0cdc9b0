//! Any lines at all make a session that goes on: every search is answered, nothing hangs or panics.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/edits.rs"]
mod edits;
#[path = "common/uci.rs"]
mod uci;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use edits::{edited, edits};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Lines that are right, to be damaged.
const LINES: [&str; 28] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "position startpos",
    "position startpos moves e3e4 e6e5 d1e2",
    "position startpos moves b2c3 g7f6",
    "position fen 8/8/4k3/8/2RMK3/8/8/8 b - 32 20 60 moves e6d6 c4c5",
    "position fen W:WK1,25,26:B5,K32 moves b8c7",
    "setoption name UCI_Variant value asean",
    "setoption name UCI_Variant value makhos",
    "setoption name RuleSet value cutechess",
    "setoption name RuleSet value federation",
    "setoption name BoardCountStart value 12",
    "setoption name MultiPV value 3",
    "setoption name UCI_ShowWDL value true",
    "setoption name Clear Hash",
    "go depth 3 searchmoves e3e4 e4e5",
    "go wtime 1000 btime 1000 winc -10 binc 10 movestogo 1",
    "go ponder infinite mate 3",
    "go perft 2",
    "ponderhit",
    "stop",
    "d",
    "eval",
    "count",
    "moves",
    "flip",
];

/// A sink that can be read afterwards.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn check_session(text: &str) {
    let mut lines: Vec<&str> = text.lines().map(uci::harmless).collect();
    lines.push("isready");
    let heard = Heard::default();
    uci::run(&lines, heard.clone());
    let said = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    let answers = said.lines().filter(|line| line.starts_with("bestmove ")).count();
    let searches = lines.iter().filter(|&&line| line == uci::SHORT_SEARCH).count();
    assert_eq!(answers, searches, "{text:?}");
    assert!(said.lines().any(|line| line == "readyok"), "{text:?}");
    assert!(said.len() < 1_000_000, "{} bytes for {text:?}", said.len());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(debug_assertions) { 200 } else { 600 },
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_a_session(text in any::<String>()) {
        check_session(&text);
    }

    #[test]
    fn damaged_lines_are_a_session(
        chosen in proptest::collection::vec((0..LINES.len(), edits(), any::<bool>()), 1..20)
    ) {
        let lines: Vec<String> = chosen
            .iter()
            .map(|(line, edits, damaged)| {
                if *damaged { edited(LINES[*line], edits) } else { LINES[*line].to_owned() }
            })
            .collect();
        check_session(&lines.join("\n"));
    }
}
