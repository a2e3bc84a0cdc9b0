//! Every perft line of the two chess games, along each way that leads to moves.

#![allow(clippy::unwrap_used)]

use movegen::chess::{AseanBoard, MakrukBoard, MakrukStraightBoard};
use movegen::perft::{walk, walk_listing};
use movegen::{
    ChessRules, MoveList, PawnCapture, Position, RuleSet, Variant, divide, perft, perft_listing,
};
use serde_json::Value;

const PERFT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/perft.json"));

/// Lines that would visit more leaves than this stop at the depth before.
const MAX_LEAVES: u64 = if cfg!(debug_assertions) { 20_000_000 } else { u64::MAX };
/// The same for the slower ways.
const MAX_SLOW_LEAVES: u64 = if cfg!(debug_assertions) { 300_000 } else { 10_000_000 };

/// As perft, through the two partial generators.
fn walk_in_parts<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    position.generate_tactical(&mut moves);
    let tactical = moves.len();
    position.generate_quiet(&mut moves);
    assert!(moves[..tactical].iter().all(|&m| position.is_tactical(m)));
    assert!(moves[tactical..].iter().all(|&m| !position.is_tactical(m)));
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&m| walk_in_parts(&position.play_unchecked(m), depth - 1)).sum()
}

fn check<P: Position<Rules = ChessRules>>(line: &Value, rules: ChessRules) -> usize {
    let fen = line["fen"].as_str().unwrap();
    let position = P::from_fen(fen, rules).unwrap();
    let mut checked = 0;
    for (depth, count) in (1..).zip(line["counts"].as_array().unwrap()) {
        let count = count.as_u64().unwrap();
        if count > MAX_LEAVES {
            break;
        }
        let place = format!("{} {fen} depth {depth}", line["variant"]);
        assert_eq!(perft(&position, depth), count, "{place}");
        checked += 1;
        if count <= MAX_SLOW_LEAVES {
            assert_eq!(perft_listing(&position, depth), count, "{place}, listing");
            assert_eq!(walk(&position, depth), count, "{place}, through boards");
            assert_eq!(walk_listing(&position, depth), count, "{place}, through boards, listing");
            assert_eq!(walk_in_parts(&position, depth), count, "{place}, tactical and quiet");
            let parts = divide(&position, depth);
            assert_eq!(
                parts.iter().map(|(_, leaves)| leaves).sum::<u64>(),
                count,
                "{place}, divide"
            );
        }
    }
    checked
}

#[test]
fn perft_equals_every_chess_line() {
    let lines: Vec<Value> = serde_json::from_str(PERFT).unwrap();
    let mut checked = [0; 3];
    for line in &lines {
        let straight = line["pawn_capture"] == "straight";
        let variant = Variant::parse(line["variant"].as_str().unwrap()).unwrap();
        let rules = |set| ChessRules::preset(variant, set).unwrap();
        match (variant, straight) {
            (Variant::Makruk, false) => {
                checked[0] += check::<MakrukBoard>(line, rules(RuleSet::Standard));
            }
            (Variant::Makruk, true) => {
                let rules =
                    ChessRules { pawn_capture: PawnCapture::Straight, ..rules(RuleSet::Standard) };
                checked[1] += check::<MakrukStraightBoard>(line, rules);
            }
            (Variant::Asean, _) => {
                checked[2] += check::<AseanBoard>(line, rules(RuleSet::Standard));
            }
            (Variant::Makhos, _) => {}
        }
    }
    assert!(checked[0] > 100 && checked[1] > 50 && checked[2] > 100, "only {checked:?}");
}
