//! What the search must do in every game: equal plain negamax where it does the same, find mates,
//! repeat itself, and report only what is true.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "common/searching.rs"]
mod searching;

use common::{GameUnderTest, asean_games, makhos_games, makruk_games, play_one, straight_games};
use movegen::{GameRecord, Position, RuleSet, Variant};
use search::eval::Evaluator;
use search::{
    AseanGame, Bound, Game, Limits, MakhosGame, MakrukGame, MakrukStraightGame, MoveOf, Score,
    ScoreKind, SearchOptions, Searcher,
};
use searching::{MAKHOS, MAKRUK, chess_rules, record, run, searcher, small, to_depth, to_nodes};
use serde::Deserialize;

/// Random games for each start position.
const GAMES: u64 = 2;

/// Calls `check` for some positions of random games under every rule set.
fn on_positions<P: Position>(
    games: &[GameUnderTest<P>],
    seed: u64,
    one_in: usize,
    mut check: impl FnMut(&GameRecord<P>, &str),
) {
    for (number, game) in (0..).zip(games) {
        for start in &game.starts {
            for i in 0..GAMES {
                let seed = seed + 100 * number + i;
                play_one(game, start, seed, |record, random, place| {
                    if random.below(one_in) == 0 {
                        check(record, place);
                    }
                });
            }
        }
    }
}

/// Negamax without any window, on the path from the root.
struct Reference<'a, P: Position, E> {
    eval: E,
    /// Keys before the root, the root's last.
    before: &'a [u64],
    path: Vec<(u64, bool)>,
    position: std::marker::PhantomData<P>,
}

impl<P: Position, E: Evaluator<P>> Reference<'_, P, E> {
    /// Whether the present position, the last of the path, repeats one below the root, or two of
    /// the game.
    fn repeats(&self) -> bool {
        let Some(&(key, _)) = self.path.last() else { return false };
        let mut earlier_in_game = 0;
        let mut i = self.path.len() - 1;
        loop {
            // The move into position `i` cannot be taken back.
            if self.path[i].1 {
                return false;
            }
            if i == 0 {
                break;
            }
            i -= 1;
            if self.path[i].0 == key {
                return true;
            }
        }
        earlier_in_game += self.before.iter().filter(|&&k| k == key).count();
        earlier_in_game >= 2
    }

    fn value(&mut self, position: &P, ply: i32, depth: u32) -> i32 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return match position.no_moves_outcome().winner() {
                None => 0,
                Some(winner) if winner == position.side_to_move() => Score::mate_in(ply).0,
                Some(_) => Score::mated_in(ply).0,
            };
        }
        let over = position.countdown().remaining == 0 || position.draw_reason(1).is_some();
        if ply > 0 && (over || self.repeats()) {
            return 0;
        }
        if depth == 0 {
            // From scratch: nothing was pushed on the way.
            self.eval.reset(position);
            return self.eval.evaluate(position);
        }
        let mut best = i32::MIN;
        for m in moves {
            let child = position.play_unchecked(m);
            self.path.push((child.key(), position.is_irreversible(m)));
            best = best.max(-self.value(&child, ply + 1, depth - 1));
            self.path.pop();
        }
        best
    }
}

/// The value of the current position of `record` by plain negamax, evaluated as `searcher` does.
fn negamax<G: Game>(searcher: &Searcher<G>, record: &GameRecord<G::Pos>, depth: u32) -> i32 {
    let mut eval = G::Eval::default();
    eval.set_network(searcher.network().cloned()).unwrap();
    let mut reference = Reference::<G::Pos, G::Eval> {
        eval,
        before: record.reversible_keys(),
        path: Vec::new(),
        position: std::marker::PhantomData,
    };
    reference.value(record.position(), 0, depth)
}

fn equals_negamax<G: Game>(games: &[GameUnderTest<G::Pos>], depth: u32, one_in: usize) {
    let mut searcher = searcher::<G>();
    searcher.set_plain(true);
    let mut checked = 0;
    on_positions(games, 41, one_in, |record, place| {
        if !record.position().has_legal_move() {
            return;
        }
        let expected = negamax(&searcher, record, depth);
        let (answer, _) = run(&mut searcher, record, &to_depth(depth));
        assert_eq!(answer.info.score.0, expected, "{place}");
        // The same from the other side of the board.
        let flipped = GameRecord::new(record.position().flipped());
        let same_clock =
            flipped.position().countdown().remaining == record.position().countdown().remaining;
        if same_clock && record.reversible_keys().len() < 3 {
            let (answer, _) = run(&mut searcher, &flipped, &to_depth(depth));
            assert_eq!(answer.info.score.0, expected, "flipped: {place}");
        }
        checked += 1;
    });
    assert!(checked > 100, "only {checked}");
}

#[test]
fn makruk_without_pruning_equals_negamax() {
    equals_negamax::<MakrukGame>(&makruk_games(), 3, 80);
    equals_negamax::<MakrukStraightGame>(&straight_games(), 2, 20);
}

#[test]
fn asean_without_pruning_equals_negamax() {
    equals_negamax::<AseanGame>(&asean_games(), 3, 30);
}

#[test]
fn makhos_without_pruning_equals_negamax() {
    equals_negamax::<MakhosGame>(&makhos_games(), 4, 5);
}

/// In a game full of repetitions: what has been on the board once is no draw yet, what has been
/// there twice is one wherever in the tree it comes back.
#[test]
fn repeated_positions_of_the_game_count_as_in_negamax() {
    let mut searcher = searcher::<MakrukGame>();
    searcher.set_plain(true);
    let mut game = record::<MakrukGame>("4k3/8/3p4/8/8/3P4/8/R3K3 w - - 0 1", MAKRUK);
    let cycle = ["a1a2", "e8e7", "a2a1", "e7e8"];
    let mut draws = 0;
    for m in cycle.iter().cycle().take(7) {
        game.play_text(m).unwrap();
        for depth in 1..=3 {
            let expected = negamax(&searcher, &game, depth);
            let (answer, _) = run(&mut searcher, &game, &to_depth(depth));
            assert_eq!(answer.info.score.0, expected, "{} to depth {depth}", game.position().fen());
            draws += i32::from(expected == 0);
        }
    }
    assert!(draws > 0, "the side behind never reached a draw");
}

/// Full strength on positions of every kind: [`run`] checks lines, scores and answers.
fn everything_reported_is_sound<G: Game>(games: &[GameUnderTest<G::Pos>], one_in: usize) {
    let mut searcher = Searcher::<G>::new(SearchOptions { multi_pv: 3, ..small() });
    on_positions(games, 977, one_in, |record, place| {
        let (answer, infos) = run(&mut searcher, record, &to_nodes(3_000));
        let lines = record.position().legal_moves().len().min(3);
        for line in 1..=lines {
            assert!(infos.iter().any(|i| i.multi_pv == line), "{place}: line {line}");
        }
        // Even if the search was stopped within an iteration no move stands twice.
        let exact = |line: usize| {
            infos.iter().rfind(|i| i.multi_pv == line && i.bound == Bound::Exact && i.depth > 0)
        };
        let firsts: Vec<_> = (1..=lines).filter_map(|line| exact(line)?.pv.first()).collect();
        for (i, first) in firsts.iter().enumerate() {
            assert!(!firsts[..i].contains(first), "{place}: {first:?} stands twice");
        }
        let remaining = record.position().countdown().remaining;
        if remaining == 0 && record.position().has_legal_move() {
            assert_eq!(answer.info.score, Score::DRAW, "{place}");
        }
    });
}

#[test]
fn every_report_of_every_game_is_sound() {
    everything_reported_is_sound::<MakrukGame>(&makruk_games(), 40);
    everything_reported_is_sound::<MakrukStraightGame>(&straight_games(), 40);
    everything_reported_is_sound::<AseanGame>(&asean_games(), 40);
    everything_reported_is_sound::<MakhosGame>(&makhos_games(), 20);
}

#[derive(Deserialize)]
struct MateCase {
    variant: String,
    fen: String,
    mate_at_most: i32,
}

const MATES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/mates.json"));
/// Nodes within which a mate must be found.
const MATE_NODES: u64 = 5_000_000;

/// Whether the position was solved by a mate that is short enough and fits in the count.
fn solves<G: Game>(case: &MateCase, rules: <G::Pos as Position>::Rules) -> bool {
    let record = record::<G>(&case.fen, rules);
    let limits = Limits { mate: Some(case.mate_at_most.unsigned_abs()), ..to_nodes(MATE_NODES) };
    let (answer, _) = run(&mut searcher::<G>(), &record, &limits);
    let flipped = GameRecord::new(record.position().flipped());
    let (mirrored, _) = run(&mut searcher::<G>(), &flipped, &limits);
    [answer, mirrored].iter().all(|answer| match answer.info.score.kind() {
        ScoreKind::Mate(moves) if moves > 0 => {
            let plies = answer.info.score.plies_to_mate().unwrap();
            assert!(plies <= i32::from(record.position().countdown().remaining), "{}", case.fen);
            moves <= case.mate_at_most
        }
        _ => false,
    })
}

#[test]
fn mates_from_games_are_found() {
    let cases: Vec<MateCase> = serde_json::from_str(MATES).unwrap();
    assert!(cases.len() > 100);
    let asean = chess_rules(Variant::Asean, RuleSet::Standard);
    let missed: Vec<_> = cases
        .iter()
        .filter(|case| match case.variant.as_str() {
            "makruk" => !solves::<MakrukGame>(case, MAKRUK),
            "asean" => !solves::<AseanGame>(case, asean),
            other => panic!("unknown variant {other}"),
        })
        .map(|case| format!("{} {} mate {}", case.variant, case.fen, case.mate_at_most))
        .collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

/// The nodes of every iteration of some searches from an empty memory.
fn signature<G: Game>(
    searcher: &mut Searcher<G>,
    rules: <G::Pos as Position>::Rules,
    fens: &[&str],
) -> Vec<(u64, i32, MoveOf<G>)> {
    searcher.clear();
    let mut out = Vec::new();
    for fen in fens {
        let (_, infos) = run(searcher, &record::<G>(fen, rules), &to_depth(8));
        out.extend(infos.iter().map(|i| (i.nodes, i.score.0, i.pv[0])));
    }
    out
}

#[test]
fn one_thread_repeats_itself() {
    let fens = [
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "8/5n1k/5rm1/PP6/1NM5/1K6/8/6R1 w - - 0 1",
        "8/8/8/4k3/8/8/R7/K7 w - 32 7 2",
    ];
    let mut makruk = searcher::<MakrukGame>();
    let first = signature(&mut makruk, MAKRUK, &fens);
    assert_eq!(signature(&mut makruk, MAKRUK, &fens), first);
    assert_eq!(signature(&mut searcher::<MakrukGame>(), MAKRUK, &fens), first);
    // Memory that was changed and changed back, other threads that came and went.
    makruk.set_options(SearchOptions { hash_mib: 9, threads: 3, ..small() });
    run(&mut makruk, &record::<MakrukGame>(fens[0], MAKRUK), &to_depth(6));
    makruk.set_options(small());
    assert_eq!(signature(&mut makruk, MAKRUK, &fens), first);

    let fens = ["W:W25-32:B1-8", "W:WK25:B5,7,8,K9,15,17", "W:W10,11,K30:BK3,20,21"];
    let mut makhos = searcher::<MakhosGame>();
    let first = signature(&mut makhos, MAKHOS, &fens);
    assert_eq!(signature(&mut makhos, MAKHOS, &fens), first);
}

#[test]
fn repetition_is_seen_in_the_tree_and_in_the_game() {
    // Twice on the board already: going back a third time is a draw, whatever it looks like.
    let mut game = record::<MakrukGame>("4k3/8/3p4/8/8/3P4/8/R3K3 w - - 0 1", MAKRUK);
    for m in ["a1a2", "e8e7", "a2a1", "e7e8", "a1a2", "e8e7", "a2a1"] {
        game.play_text(m).unwrap();
    }
    let back = game.position().parse_move("e7e8").unwrap();
    let limits = Limits { search_moves: vec![back], ..to_depth(6) };
    let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &limits);
    assert_eq!(answer.info.score, Score::DRAW);
    let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &to_depth(8));
    assert_eq!(answer.best, Some(back), "a rook down, the draw must be taken");
}

/// A move back to a position that was on the board once only is worth what the position is worth.
#[test]
fn a_first_return_is_no_draw() {
    let mut game = record::<MakrukGame>("4k3/8/3p4/8/8/3P4/8/R3K3 w - - 0 1", MAKRUK);
    for m in ["a1a2", "e8e7", "a2a1"] {
        game.play_text(m).unwrap();
    }
    let back = game.position().parse_move("e7e8").unwrap();
    let limits = Limits { search_moves: vec![back], ..to_depth(8) };
    let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &limits);
    assert!(answer.info.score < Score(-300), "{:?}", answer.info);
}

/// Late moves used to be left out although every move before them lost a piece, and then a shallow
/// search took a rook ahead for a draw.
#[test]
fn a_piece_under_attack_is_saved_by_a_late_move_at_any_depth() {
    for fen in ["4k3/8/8/3R4/8/P7/8/3K4 b - - 0 1", "3k4/8/p7/8/3r4/8/8/4K3 w - - 0 1"] {
        for depth in 1..=9 {
            let game = record::<MakrukGame>(fen, MAKRUK);
            let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &to_depth(depth));
            assert!(answer.info.score < Score(-1000), "{fen} depth {depth}: {:?}", answer.info);
        }
    }
}

/// Who has little left but a rook gives it away again and again until it is taken, which leaves him
/// without a move. The exchange loses a rook and the moves are quiet, so they used to be left out.
#[test]
fn a_last_piece_that_is_given_away_for_a_stalemate_is_seen() {
    fn check<G: Game>(fen: &str, rules: <G::Pos as Position>::Rules) {
        let position = G::Pos::from_fen(fen, rules).unwrap();
        for position in [position.flipped(), position] {
            let game = record::<G>(&position.fen(), rules);
            let (answer, _) = run(&mut searcher::<G>(), &game, &to_nodes(60_000));
            let score = answer.info.score;
            assert!((-60..=60).contains(&score.0), "{}: {:?}", position.fen(), answer.info);
        }
    }
    for fen in [
        "6k1/6MR/6M1/4Mp1p/5S1P/Kr4P1/8/8 w - - 25 71",
        "3k4/7R/1M1N4/8/1P6/1r6/2K5/8 b - - 8 66",
        "5k2/R7/K3MN1M/1r6/Pp6/1P6/8/8 b - - 2 56",
    ] {
        check::<MakrukGame>(fen, MAKRUK);
    }
    let asean = chess_rules(Variant::Asean, RuleSet::Standard);
    check::<AseanGame>("6k1/6QR/6Q1/4Qp1p/5B1P/Kr4P1/8/8 w - - 0 71", asean);
}

/// A man given away with check is how mates begin. Checks that lose a rook used to be left out at
/// reduced depths up to eight: these moves of games were played at depth 10 to 12 with a mate in two
/// on the board, and seen to lose after 20,000 to 110,000 nodes.
#[test]
fn a_mate_that_begins_with_a_sacrifice_is_seen() {
    for (fen, blunder) in [
        ("1r3nr1/5k2/p1nm4/1spN1p1p/5NsP/1P1PR1P1/2S2S2/2K1R3 b - - 3 29", "c6d4"),
        ("r2mk3/1sr5/4s2p/1PK5/4P1PN/P2mP3/5S2/1RS1M2R w - - 1 20", "c5d6"),
        ("4n2r/R1ks4/8/6mp/2KNP1n1/6P1/4Sr2/1R1S4 b - - 2 38", "c7d8"),
    ] {
        let game = record::<MakrukGame>(fen, MAKRUK);
        let m = game.position().parse_move(blunder).unwrap();
        let limits = Limits { search_moves: vec![m], ..to_nodes(10_000) };
        let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &limits);
        assert_eq!(answer.info.score.kind(), ScoreKind::Mate(-2), "{fen}: {:?}", answer.info);
    }
}
