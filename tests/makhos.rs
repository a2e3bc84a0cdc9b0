//! Makhos: perft vectors, text, draws, and play against a slow generator of the test's own.

#![allow(clippy::unwrap_used)]

use movegen::makhos::Board;
use movegen::{MakhosRules, Position, Removal, perft, perft_listing};
use serde_json::Value;

const PERFT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/perft.json"));

/// Lines that would visit more leaves than this stop at the depth before.
const MAX_LEAVES: u64 = if cfg!(debug_assertions) { 2_000_000 } else { 200_000_000 };

fn rules_of(line: &Value) -> MakhosRules {
    let options = &line["options"];
    MakhosRules {
        removal: Removal::parse(options["removal"].as_str().unwrap()).unwrap(),
        reverse: options["reverse"].as_bool().unwrap(),
        ..MakhosRules::STANDARD
    }
}

#[test]
fn perft_equals_every_vector() {
    let lines: Vec<Value> = serde_json::from_str(PERFT).unwrap();
    let mut checked = 0;
    for line in lines.iter().filter(|line| line["variant"] == "makhos") {
        let fen = line["fen"].as_str().unwrap();
        let board = Board::from_fen(fen, rules_of(line)).unwrap();
        for (depth, count) in (1..).zip(line["counts"].as_array().unwrap()) {
            let count = count.as_u64().unwrap();
            if count > MAX_LEAVES {
                break;
            }
            let text = format!("{fen} {} depth {depth}", line["options"]);
            assert_eq!(perft(&board, depth), count, "{text}");
            if count <= MAX_LEAVES / 20 {
                assert_eq!(perft_listing(&board, depth), count, "{text}, listing");
            }
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked} counts only");
}
