//! Counts and the transposition table: no score may survive into a count that makes it wrong.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "common/searching.rs"]
mod searching;

use std::collections::HashMap;

use common::Random;
use movegen::chess::MakrukBoard;
use movegen::{Color, Position};
use search::{MakhosGame, MakrukGame, Score, ScoreKind, SearchOptions, Searcher};
use searching::{MAKHOS, MAKRUK, record, run, score, small, to_depth, to_nodes, unaided};

/// What a position near its limit is worth.
#[derive(Clone, Copy, Debug)]
enum Truth {
    Draw,
    /// Shortest mate in moves.
    Mate(i32),
    /// The count ends the game before any mate, but a search this short need not see it.
    NoMate,
    /// The shortest mate, far too long for the search to have to find it.
    MateNotBelow(i32),
}

/// The field's known failures: each wrong in an engine whose table does not know the count.
const BOUNDARY: [(&str, Truth); 7] = [
    ("7k/8/5K2/8/8/8/8/R7 w - 32 31 60", Truth::Draw),
    ("7k/8/5K2/8/8/8/8/R7 w - 32 29 60", Truth::Mate(2)),
    ("8/8/8/4k3/8/8/R7/K7 w - 32 8 1", Truth::NoMate),
    ("8/8/8/4k3/8/8/R7/K7 w - 32 0 1", Truth::MateNotBelow(15)),
    ("8/8/8/4k3/8/8/R7/K7 w - 32 14 1", Truth::NoMate),
    ("8/8/8/4k3/8/8/R7/K7 w - 32 7 2", Truth::NoMate),
    ("8/8/8/4k3/8/8/R7/K7 w - 32 23 1", Truth::NoMate),
];

fn check_boundary(searcher: &mut Searcher<MakrukGame>, index: usize, order: &[usize]) {
    let (fen, truth) = BOUNDARY[index];
    let record = record::<MakrukGame>(fen, MAKRUK);
    let (answer, infos) = run(searcher, &record, &to_nodes(60_000));
    let place = format!("{fen} in order {order:?}: {:?}", answer.info);
    let remaining = i32::from(record.position().countdown().remaining);
    for info in &infos {
        if let Some(plies) = info.score.plies_to_mate() {
            assert!(info.score.0 > 0 && plies <= remaining, "{place}");
            match truth {
                Truth::Mate(moves) | Truth::MateNotBelow(moves) => {
                    assert!(plies >= 2 * moves - 1, "{place}");
                }
                Truth::Draw | Truth::NoMate => panic!("false mate: {place}"),
            }
        }
    }
    match truth {
        Truth::Draw => assert_eq!(score(&answer), ScoreKind::Centipawns(0), "{place}"),
        Truth::Mate(moves) => assert_eq!(score(&answer), ScoreKind::Mate(moves), "{place}"),
        Truth::NoMate | Truth::MateNotBelow(_) => {}
    }
}

/// All orders of `items`.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &first) in items.iter().enumerate() {
        let rest: Vec<_> = items.iter().copied().enumerate().filter(|&(j, _)| j != i).collect();
        let rest: Vec<_> = rest.into_iter().map(|(_, item)| item).collect();
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

#[test]
fn known_failures_of_the_field_are_right_in_any_order() {
    for hash_mib in [1, 16] {
        let mut searcher = unaided::<MakrukGame>(SearchOptions { hash_mib, ..small() });
        // The two pairs that one search spoils for the next, in all orders.
        for order in permutations(&[0, 1, 2, 4]) {
            searcher.clear();
            for &index in &order {
                check_boundary(&mut searcher, index, &order);
            }
        }
        // Everything after everything, never cleared.
        let mut random = Random::new(5);
        for _ in 0..40 {
            let index = random.below(BOUNDARY.len());
            check_boundary(&mut searcher, index, &[index]);
        }
    }
}

/// Whether the mover (`attacker` true) can force, or the defender must suffer, mate within the
/// count: an independent solver without windows, tables or heuristics.
fn is_won(position: &MakrukBoard, attacker: Color, known: &mut HashMap<(u64, u16), bool>) -> bool {
    let remaining = position.countdown().remaining;
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.no_moves_outcome().winner() == Some(attacker);
    }
    if remaining == 0 || position.draw_reason(1).is_some() {
        return false;
    }
    if let Some(&won) = known.get(&(position.key(), remaining)) {
        return won;
    }
    let attacking = position.side_to_move() == attacker;
    let wins = |m| is_won(&position.play_unchecked(m), attacker, known);
    let won = if attacking { moves.into_iter().any(wins) } else { moves.into_iter().all(wins) };
    known.insert((position.key(), remaining), won);
    won
}

/// Rook against a bare king near the edge of its count, hundreds of searches on one table,
/// compared with an exhaustive solver: no false win, and the true ones found.
#[test]
fn rook_endings_near_the_limit_agree_with_a_solver() {
    let mut random = Random::new(2024);
    let mut searcher = unaided::<MakrukGame>(small());
    let mut known = HashMap::new();
    let (mut wins, mut draws) = (0, 0);
    while wins + draws < 300 {
        // The defender near a corner, the attacker close, few plies left: about half are won.
        let square = |file: usize, rank: usize| (rank * 8 + file).min(63);
        let king = square(random.below(3), 7 - random.below(2));
        let attacker = square(random.below(5), 7 - random.below(4));
        let rook = random.below(64);
        let mut cells = ['.'; 64];
        cells[rook] = 'R';
        cells[attacker] = 'K';
        cells[king] = 'k';
        let ranks: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let text: String = cells[8 * rank..8 * rank + 8].iter().collect();
                text.replace('.', "1")
            })
            .collect();
        let counted = 32 - random.below(8);
        let side = if random.below(4) == 0 { 'b' } else { 'w' };
        let fen = format!("{} {side} - 32 {counted} 60", ranks.join("/"));
        let Ok(position) = MakrukBoard::from_fen(&fen, MAKRUK) else { continue };
        if !position.has_legal_move() || random.below(3) > 0 && position.countdown().remaining < 3 {
            continue;
        }
        let won = is_won(&position, Color::White, &mut known);
        if !won && draws > 180 {
            continue;
        }
        let (answer, _) = run(&mut searcher, &record::<MakrukGame>(&fen, MAKRUK), &to_depth(14));
        let score = answer.info.score;
        if won {
            wins += 1;
            assert!(score.is_mate(), "{fen}: missed, {score:?}");
            assert_eq!(score.0 > 0, side == 'w', "{fen}: {score:?}");
            let plies = score.plies_to_mate().unwrap();
            assert!(plies <= i32::from(position.countdown().remaining), "{fen}: {score:?}");
        } else {
            draws += 1;
            assert!(!score.is_mate(), "{fen}: false, {score:?}");
            assert_eq!(score, Score::DRAW, "{fen}");
        }
    }
    assert!(wins > 60 && draws > 60, "{wins} wins, {draws} draws");
}

#[test]
fn a_drawn_root_still_gets_a_move() {
    for fen in [
        "7k/8/5K2/8/8/8/8/R7 w - 32 32 60",
        "7k/8/5K2/8/8/8/8/R7 w - 32 33 60",
        "8/8/4k3/8/2RMK3/8/8/8 b - 32 33 60",
        "8/2m1k3/8/8/4S3/3KM3/8/8 w - 128 129 90",
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    ] {
        let record = record::<MakrukGame>(fen, MAKRUK);
        let (answer, _) = run(&mut unaided::<MakrukGame>(small()), &record, &to_depth(6));
        assert!(answer.best.is_some(), "{fen}");
        assert_eq!(score(&answer), ScoreKind::Centipawns(0), "{fen}");
    }
    for fen in ["W:WK29:BK4:H50:F80", "B:WK29,K30:BK4:H49:F80"] {
        let record = record::<MakhosGame>(fen, MAKHOS);
        let (answer, _) = run(&mut unaided::<MakhosGame>(small()), &record, &to_depth(6));
        assert!(answer.best.is_some(), "{fen}");
    }
}

#[test]
fn the_last_counted_ply_still_mates() {
    // Mate on the last ply that counts, one ply before the draw.
    let (answer, _) = run(
        &mut unaided::<MakrukGame>(small()),
        &record::<MakrukGame>("7k/8/6K1/8/8/8/8/R7 w - 32 31 60", MAKRUK),
        &to_depth(6),
    );
    assert_eq!(score(&answer), ScoreKind::Mate(1));
    // A side without moves loses in Makhos even when the quiet plies are used up, at the root and
    // in the tree.
    let blocked = record::<MakhosGame>("W:W29:B22,25:H50:F80", MAKHOS);
    let (answer, _) = run(&mut unaided::<MakhosGame>(small()), &blocked, &to_depth(6));
    assert_eq!((answer.best, score(&answer)), (None, ScoreKind::Mate(0)));
    let about_to = record::<MakhosGame>("B:W29:BK18,25:H49:F80", MAKHOS);
    let (answer, _) = run(&mut unaided::<MakhosGame>(small()), &about_to, &to_depth(6));
    assert_eq!(score(&answer), ScoreKind::Mate(1));
}

#[test]
fn a_board_count_is_not_trusted_to_its_last_ply() {
    // Runners disagree about ply 129: a mate there is a draw to some, so it must not be relied on.
    for (ply, expected) in [(126, ScoreKind::Centipawns(0)), (125, ScoreKind::Mate(2))] {
        let fen = format!("7k/2m5/5K2/8/8/8/8/R7 w - 128 {ply} 90");
        let (answer, _) = run(
            &mut unaided::<MakrukGame>(small()),
            &record::<MakrukGame>(&fen, MAKRUK),
            &to_depth(6),
        );
        assert_eq!(score(&answer), expected, "{fen}");
    }
}
