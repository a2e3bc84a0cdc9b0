//! The search with endgame tables: it plays decided endings perfectly, however little it may search.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "common/searching.rs"]
mod searching;

use std::sync::Arc;

use common::Random;
use movegen::chess::attacks::king_attacks;
use movegen::chess::{Asean, AseanBoard, Makruk, MakrukBoard, PieceType};
use movegen::{
    ChessRules, GameRecord, MakhosRules, Position, RuleSet, Variant, makhos as draughts,
};
use search::{AseanGame, Game, MakhosGame, MakrukGame, MoveOf, ScoreKind, SearchOptions, Searcher};
use searching::{run, searcher, small, to_depth, to_nodes};
use tables::{Tables, Tabulated, Value, best_moves, built_in, chess, value_of_move};

/// How the side without tables plays.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    /// As well as possible.
    Best,
    /// At random.
    Random,
}

fn opponents_move<P: Tabulated>(position: &P, how: Opponent, random: &mut Random) -> P::Move {
    let tables = built_in();
    let moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|m| (m, value_of_move(&tables, position, m, 1)))
        .collect();
    let choice = match how {
        Opponent::Best => best_moves(&moves),
        Opponent::Random => moves.iter().map(|&(m, _)| m).collect(),
    };
    choice[random.below(choice.len())]
}

/// Plays a position to its end, the search with one node a move for the side to move if it is to win,
/// else for the other side.
fn play_out<G: Game>(
    searcher: &mut Searcher<G>,
    start: &G::Pos,
    how: Opponent,
    random: &mut Random,
) -> GameRecord<G::Pos> {
    let mut record = GameRecord::new(start.clone());
    let searching = match start.table_result(&built_in()).unwrap() {
        Value::Win(_) => start.side_to_move(),
        _ => start.side_to_move().opposite(),
    };
    while record.outcome().is_none() && record.moves().len() < 600 {
        let position = record.position();
        let m = if position.side_to_move() == searching {
            run(searcher, &record, &to_nodes(1)).0.best.unwrap()
        } else {
            opponents_move(position, how, random)
        };
        record.play(m);
    }
    record
}

fn kind_of(value: Value) -> usize {
    match value {
        Value::Win(_) => 0,
        Value::Draw => 1,
        Value::Loss(_) => 2,
    }
}

/// Won positions are won and drawn ones at least held, against any opponent.
fn plays_perfectly<G: Game>(start: &G::Pos, random: &mut Random, seen: &mut [u32; 3]) {
    let value = start.table_result(&built_in()).unwrap();
    let mover = start.side_to_move();
    let mut searcher = searcher::<G>();
    for how in [Opponent::Best, Opponent::Random] {
        let record = play_out(&mut searcher, start, how, random);
        let winner = record.outcome().and_then(movegen::Outcome::winner);
        let place = format!("{} {value} {how:?}: {:?}", start.fen(), record.outcome());
        match value {
            Value::Win(_) => assert_eq!(winner, Some(mover), "{place}"),
            Value::Draw => assert_ne!(winner, Some(mover), "{place}"),
            Value::Loss(_) => assert_eq!(winner, Some(mover.opposite()), "{place}"),
        }
        seen[kind_of(value)] += 1;
    }
}

/// One in a hundred positions of knight and met against a king alone is lost. Without its table that
/// is seen too late: at depth 13 this king went to f7, where it is mated in 29, and lost a game.
#[test]
fn a_king_alone_holds_against_knight_and_met() {
    let start = "4K3/8/1n1k4/8/8/6m1/8/8 w - 128 26 109";
    let record = searching::record::<MakrukGame>(start, ChessRules::STANDARD);
    let position = record.position();
    assert_eq!(position.table_result(&built_in()), Some(Value::Draw));
    let (answer, _) = run(&mut searcher::<MakrukGame>(), &record, &to_depth(13));
    let next = position.play_unchecked(answer.best.unwrap());
    assert_eq!(next.table_result(&built_in()), Some(Value::Draw), "{:?}", answer.best);
}

/// Plays on from a draw that only a clock makes, the search with one node a move for the side that
/// could win without it, against random moves. Whether it wins after all; `None` if the position is
/// no such draw.
fn attacks_on<G: Game>(start: G::Pos, random: &mut Random) -> Option<bool> {
    let tables = built_in();
    let attacker = start.side_to_move();
    let drawn_by_clock = start.table_result(&tables) == Some(Value::Draw)
        && matches!(start.table_distance(&tables), Some(Value::Win(_)));
    if !drawn_by_clock || start.draw_reason(1).is_some() {
        return None;
    }
    let place = start.fen();
    let mut record = GameRecord::new(start);
    let mut before = u16::MAX;
    let mut searcher = searcher::<G>();
    while record.outcome().is_none() {
        let position = record.position();
        if position.side_to_move() != attacker {
            record.play(opponents_move(position, Opponent::Random, random));
            continue;
        }
        let Some(Value::Win(left)) = position.table_distance(&tables) else {
            panic!("{place}: nothing is left in {}", position.fen());
        };
        // A win that is there is played out, event by event.
        let won = matches!(position.table_result(&tables), Some(Value::Win(_)));
        assert!(won || left < before, "{place}: no nearer in {}", position.fen());
        before = left;
        record.play(run(&mut searcher, &record, &to_nodes(1)).0.best.unwrap());
    }
    Some(record.outcome().and_then(movegen::Outcome::winner) == Some(attacker))
}

/// Puts men on squares taken at random and gives them in the order of a FEN's board, `1` for an
/// empty square.
fn scattered(men: &str, random: &mut Random) -> [char; 64] {
    let mut cells = ['1'; 64];
    let mut empty: Vec<usize> = (0..64).collect();
    for man in men.chars() {
        cells[empty.swap_remove(random.below(empty.len()))] = man;
    }
    cells
}

fn chess_attacks_on<R, G>(endings: &[(&str, usize)])
where
    R: movegen::chess::Rules,
    G: Game<Pos = movegen::chess::Board<R>>,
    movegen::chess::Board<R>: Position<Rules = ChessRules>,
{
    let mut random = Random::new(11);
    let mut ends = Vec::new();
    for (men, limit) in endings.repeat(60) {
        let cells = scattered(men, &mut random);
        let ranks: Vec<String> = cells.chunks(8).map(|rank| rank.iter().collect()).collect();
        let count = limit - 4 - 2 * random.below(8);
        let fen = format!("{} w - {limit} {count} 60", ranks.join("/"));
        let start = movegen::chess::Board::<R>::from_fen(&fen, ChessRules::STANDARD).unwrap();
        let [white, black] = movegen::Color::ALL.map(|color| start.king(color));
        if !king_attacks(white).has(black) {
            ends.extend(attacks_on::<G>(start, &mut random));
        }
    }
    both_ends_occur(&ends);
}

/// Some of the attacks, but not all, must have won.
fn both_ends_occur(ends: &[bool]) {
    let won = ends.iter().filter(|&&won| won).count();
    assert!(won > 0 && ends.len() - won > 10, "{won} of {}", ends.len());
}

/// Where a clock alone makes a draw, who could win without it goes on towards mate: he gives no man
/// away, and whoever strays is beaten after all.
#[test]
fn a_clock_that_comes_too_soon_does_not_stop_the_attack() {
    chess_attacks_on::<Makruk, MakrukGame>(&[("KRk", 32), ("KRMk", 32), ("KNMk", 128)]);
    chess_attacks_on::<Asean, AseanGame>(&[("KRk", 32), ("KBQk", 88), ("KNQk", 128)]);
    let mut random = Random::new(12);
    let mut ends = Vec::new();
    for _ in 0..4000 {
        let mut squares: Vec<usize> = (1..=32).collect();
        let mut square = || squares.swap_remove(random.below(squares.len()));
        let fen =
            format!("W:WK{},K{}:BK{}:H{}", square(), square(), square(), 48 - 2 * random.below(4));
        let start = draughts::Board::from_fen(&fen, MakhosRules::STANDARD).unwrap();
        ends.extend(attacks_on::<MakhosGame>(start, &mut random));
    }
    both_ends_occur(&ends);
}

/// Whether everything that comes after a class is inside the program too, so that an ending can be
/// played out.
fn leads_to_tables(class: &chess::Class, variant: Variant) -> bool {
    let promotions: &[PieceType] = if variant == Variant::Makruk {
        &[PieceType::Met]
    } else {
        &[PieceType::Met, PieceType::Khon, PieceType::Knight, PieceType::Rook]
    };
    let Some(family) = chess::Family::of(class, variant) else { return false };
    let name = chess::file_name(family, class);
    built_in().files().any(|file| file.path().as_os_str() == name.as_str())
        && class.successors(promotions).iter().all(|next| leads_to_tables(next, variant))
}

fn chess_plays_perfectly<R, G>(variant: Variant, set: RuleSet, each: u32)
where
    R: movegen::chess::Rules,
    G: Game<Pos = movegen::chess::Board<R>>,
    movegen::chess::Board<R>: Position<Rules = ChessRules>,
{
    let rules = ChessRules::preset(variant, set).unwrap();
    let tables = built_in();
    let mut random = Random::new(7);
    let mut seen = [0; 3];
    for (number, file) in tables.files().enumerate() {
        let Ok(class) = chess::Class::parse(&file.header().class) else { continue };
        let serves = chess::Family::of(&class, variant)
            .is_some_and(|family| file.header().game == family.name());
        if !serves {
            continue;
        }
        assert!(leads_to_tables(&class, variant), "{class} leads out of the program");
        let places = tables.positions(number) as usize;
        // As many of each result as are wanted, if there are as many.
        let mut found = [0; 3];
        for _ in 0..400 * each {
            let at = random.below(places) as u64;
            let Some(board) = tables.chess_board::<R>(number, at, rules) else { continue };
            if !board.has_legal_move() || board.draw_reason(1).is_some() {
                continue;
            }
            let Some(value) = board.table_result(&tables) else { continue };
            let kind = kind_of(value);
            if found[kind] < each {
                found[kind] += 1;
                plays_perfectly::<G>(&board, &mut random, &mut seen);
            }
        }
    }
    // Where a count is still to begin, nobody knows yet that a bare king is lost.
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn makruk_endings_are_played_perfectly_with_one_node() {
    for set in [RuleSet::Standard, RuleSet::Cutechess, RuleSet::Federation] {
        chess_plays_perfectly::<Makruk, MakrukGame>(Variant::Makruk, set, 4);
    }
}

#[test]
fn asean_endings_are_played_perfectly_with_one_node() {
    for &set in RuleSet::of(Variant::Asean) {
        chess_plays_perfectly::<Asean, AseanGame>(Variant::Asean, set, 4);
    }
}

#[test]
fn makhos_endings_are_played_perfectly_with_one_node() {
    let tables = built_in();
    let mut random = Random::new(9);
    let mut seen = [0; 3];
    for number in 0..tables.files().count() {
        let places = tables.positions(number) as usize;
        for _ in 0..8 {
            let at = random.below(places) as u64;
            let Some(board) = tables.makhos_board(number, at) else { continue };
            if board.has_legal_move() && board.draw_reason(1).is_none() {
                plays_perfectly::<MakhosGame>(&board, &mut random, &mut seen);
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
}

/// Lines show a mate to its end; a draw is called one, whatever the evaluation thinks.
#[test]
fn results_are_shown_as_they_are() {
    let mut searcher = searcher::<MakrukGame>();
    let record =
        searching::record::<MakrukGame>("8/3k4/8/3K4/8/8/R7/8 w - 32 8 50", searching::MAKRUK);
    let distance = record.position().table_distance(&built_in()).unwrap().distance().unwrap();
    let (answer, _) = run(&mut searcher, &record, &to_depth(1));
    assert_eq!(answer.info.score.plies_to_mate(), Some(i32::from(distance)));
    assert_eq!(answer.info.pv.len(), usize::from(distance));
    assert!(answer.info.table_hits > 0);
    // Too late: no mate fits.
    let late =
        searching::record::<MakrukGame>("8/3k4/8/3K4/8/8/R7/8 w - 32 31 50", searching::MAKRUK);
    for limits in [to_nodes(1), to_nodes(20_000)] {
        let (answer, infos) = run(&mut searcher, &late, &limits);
        assert_eq!(answer.info.score.kind(), ScoreKind::Centipawns(0));
        assert!(infos.iter().all(|info| info.score.0 == 0));
    }
}

/// Several lines show lesser moves too; a weakened level does not look anything up.
#[test]
fn other_uses_of_the_search_are_left_alone() {
    let fen = "8/3k4/8/3K4/8/8/R7/8 w - 32 8 50";
    let record = searching::record::<MakrukGame>(fen, searching::MAKRUK);
    let many = SearchOptions { multi_pv: 40, ..small() };
    let (_, infos) = run(&mut Searcher::<MakrukGame>::new(many), &record, &to_depth(1));
    let lines = infos.iter().map(|info| info.multi_pv).max();
    assert_eq!(lines, Some(record.position().legal_moves().len()));
    let weak = SearchOptions { skill_level: 0, ..small() };
    let (answer, _) = run(&mut Searcher::<MakrukGame>::new(weak), &record, &to_depth(4));
    assert_eq!(answer.info.table_hits, 0);
    let mut unaided = searcher::<MakrukGame>();
    unaided.set_tables(Arc::new(Tables::empty()));
    let (answer, _) = run(&mut unaided, &record, &to_depth(4));
    assert_eq!(answer.info.table_hits, 0);
    let _: Option<MoveOf<MakrukGame>> = answer.best;
}

/// Random play from the start: where no table is near, none knows a position after a move.
fn far_means_unknown<P: Tabulated>(start: &P, games: u64) {
    let tables = built_in();
    let (mut far, mut near) = (0, 0);
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut position = start.clone();
        for _ in 0..400 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let known = moves.iter().any(|&m| {
                let next = position.play_unchecked(m);
                next.has_legal_move() && next.table_result(&tables).is_some()
            });
            assert!(!known || position.is_near(&tables), "{}", position.fen());
            near += u32::from(known);
            far += u32::from(!position.is_near(&tables));
            // Captures and promotions lead to endings.
            let tactical: Vec<_> =
                moves.iter().copied().filter(|&m| position.is_tactical(m)).collect();
            let from = if tactical.is_empty() { moves.to_vec() } else { tactical };
            position = position.play_unchecked(from[random.below(from.len())]);
        }
    }
    assert!(far > 100 && near > 40, "{far} {near}");
}

#[test]
fn no_table_is_missed_at_the_root() {
    far_means_unknown(&MakrukBoard::start(ChessRules::STANDARD), 60);
    far_means_unknown(&AseanBoard::start(ChessRules::STANDARD), 60);
    far_means_unknown(&draughts::Board::start(MakhosRules::STANDARD), 60);
}

/// A repetition that the game has already made twice is no way to win.
#[test]
fn repetitions_of_the_game_count() {
    let fen = "W:WK2,K9:BK30";
    let rules = MakhosRules::STANDARD;
    let start = searching::record::<MakhosGame>(fen, rules);
    let tables = built_in();
    let winning: Vec<_> = {
        let position = start.position();
        let moves = position.legal_moves();
        moves
            .into_iter()
            .filter(|&m| matches!(value_of_move(&tables, position, m, 1), Some(Value::Win(_))))
            .collect()
    };
    assert!(winning.len() > 1);
    for m in winning {
        assert!(matches!(value_of_move(&tables, start.position(), m, 2), Some(Value::Win(_))));
        assert_eq!(value_of_move(&tables, start.position(), m, 3), Some(Value::Draw));
    }
}
