//! How a search begins and ends: limits, signals, finished games, single moves, threads.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/searching.rs"]
mod searching;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use movegen::{GameRecord, Position};
use search::{
    BestMove, Bound, Clock, Game, Limits, MakhosGame, MakrukGame, MoveOf, Score, ScoreKind,
    SearchOptions, Searcher, Signals,
};
use searching::{
    MAKHOS, MAKRUK, Watcher, check_answer, record, run, score, searcher, small, to_depth, to_nodes,
};

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
const MATE_IN_ONE: &str = "k7/8/K7/8/8/8/8/1R5R w - - 0 1";
const ONE_MOVE: &str = "k7/2R5/1K6/8/8/8/8/7R b - - 0 1";
/// Far more than any answer takes, far less than a search that does not end.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a search on another thread, gives `signal` after a while and returns the answer with the
/// time it took from the signal. Fails if the search answers before.
fn interrupted<G: Game>(
    fen: &str,
    rules: <G::Pos as Position>::Rules,
    limits: &Limits<MoveOf<G>>,
    options: SearchOptions,
    signal: impl FnOnce(&Signals),
) -> (BestMove<MoveOf<G>>, Duration) {
    let record = record::<G>(fen, rules);
    let signals = Signals::new();
    let answered = AtomicBool::new(false);
    thread::scope(|scope| {
        let search = scope.spawn(|| {
            let mut watcher = Watcher::new(record.position());
            let answer =
                Searcher::<G>::new(options).search(&record, limits, &signals, &mut watcher);
            answered.store(true, Ordering::SeqCst);
            check_answer(record.position(), &answer, &watcher.infos);
            (answer, Instant::now())
        });
        thread::sleep(Duration::from_millis(300));
        assert!(!answered.load(Ordering::SeqCst), "answered before the signal");
        let signalled = Instant::now();
        signal(&signals);
        let (answer, at) = search.join().unwrap();
        (answer, at.saturating_duration_since(signalled))
    })
}

fn infinite<M>() -> Limits<M> {
    Limits { infinite: true, ..Limits::default() }
}

#[test]
fn infinite_waits_for_stop_and_stop_is_quick() {
    for threads in [1, 3] {
        for fen in [START, MATE_IN_ONE, ONE_MOVE, "8/8/8/4k3/8/8/R7/K7 w - 32 8 1"] {
            let options = SearchOptions { threads, ..small() };
            let (answer, latency) =
                interrupted::<MakrukGame>(fen, MAKRUK, &infinite(), options, Signals::stop);
            assert!(answer.best.is_some());
            assert!(latency < Duration::from_secs(2), "{fen}: {latency:?}");
        }
    }
    let (answer, _) =
        interrupted::<MakhosGame>("W:WK29,K30:BK4", MAKHOS, &infinite(), small(), Signals::stop);
    assert!(answer.best.is_some());
}

#[test]
fn a_finished_game_is_reported_and_waits_when_told_to() {
    for (fen, kind) in [
        ("k6R/1R6/K7/8/8/8/8/8 b - - 0 1", ScoreKind::Mate(0)),
        ("k7/1R6/2K5/8/8/8/8/8 b - - 0 1", ScoreKind::Centipawns(0)),
    ] {
        let (answer, infos) =
            run(&mut searcher::<MakrukGame>(), &record::<MakrukGame>(fen, MAKRUK), &to_depth(5));
        assert_eq!((answer.best, answer.ponder), (None, None));
        assert_eq!((infos.len(), infos[0].depth, score(&answer)), (1, 0, kind));
        let (answer, _) =
            interrupted::<MakrukGame>(fen, MAKRUK, &infinite(), small(), Signals::stop);
        assert_eq!(answer.best, None);
    }
    // Blocked is lost in Makhos.
    let blocked = record::<MakhosGame>("W:W29:B22,25", MAKHOS);
    let (answer, _) = run(&mut searcher::<MakhosGame>(), &blocked, &to_depth(5));
    assert_eq!((answer.best, score(&answer)), (None, ScoreKind::Mate(0)));
}

#[test]
fn pondering_holds_the_answer_back() {
    let clock = Clock { remaining_ms: [Some(100), Some(100)], ..Clock::default() };
    let limits = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    for (fen, signal) in [
        (MATE_IN_ONE, Signals::ponder_hit as fn(&Signals)),
        (MATE_IN_ONE, Signals::stop),
        (START, Signals::ponder_hit),
        (ONE_MOVE, Signals::ponder_hit),
    ] {
        let (answer, latency) = interrupted::<MakrukGame>(fen, MAKRUK, &limits, small(), signal);
        assert!(answer.best.is_some(), "{fen}");
        assert!(latency < Duration::from_secs(2), "{fen}: {latency:?}");
    }
    // A depth that is reached long before the hit.
    let limits = Limits { ponder: true, depth: Some(2), ..Limits::default() };
    interrupted::<MakrukGame>(START, MAKRUK, &limits, small(), Signals::ponder_hit);
}

#[test]
fn every_clock_gets_an_answer_in_time() {
    let answer_within = |limits: &Limits<_>, at_most: Duration| {
        let started = Instant::now();
        let game = record::<MakrukGame>(START, MAKRUK);
        let (answer, infos) = run(&mut searcher::<MakrukGame>(), &game, limits);
        assert!(started.elapsed() < at_most, "{limits:?}: {:?}", started.elapsed());
        assert!(answer.info.depth >= 1 && answer.info.bound == Bound::Exact || infos.len() > 1);
    };
    for time in [i64::MIN, -37, 0, 1, 10, 50, 200, 1_000] {
        for moves_to_go in [None, Some(0), Some(1), Some(40)] {
            let clock =
                Clock { remaining_ms: [Some(time), Some(time)], increment_ms: [0, 0], moves_to_go };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            answer_within(&limits, PATIENCE);
        }
    }
    let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
    answer_within(&limits, PATIENCE);
    // Only the opponent's clock is known.
    let clock = Clock { remaining_ms: [None, Some(500)], ..Clock::default() };
    answer_within(&Limits { clock: Some(clock), ..Limits::default() }, PATIENCE);
}

#[test]
fn time_counted_in_nodes_repeats_itself() {
    let clock = Clock { remaining_ms: [Some(2_000), Some(2_000)], ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let nodes = || {
        let options = SearchOptions { nodes_time: 100, ..small() };
        let game = record::<MakrukGame>(START, MAKRUK);
        run(&mut Searcher::<MakrukGame>::new(options), &game, &limits).0.info.nodes
    };
    let first = nodes();
    assert!((100..200_000).contains(&first), "{first}");
    assert_eq!(nodes(), first);
}

#[test]
fn node_limits_are_kept() {
    for limit in [500, 1_000, 3_333, 20_000] {
        let game = record::<MakrukGame>(START, MAKRUK);
        let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &to_nodes(limit));
        assert!(answer.info.nodes <= limit + 1, "{limit}: {}", answer.info.nodes);
    }
    // The first iteration is always finished.
    let game = record::<MakrukGame>(START, MAKRUK);
    let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &to_nodes(1));
    assert!(answer.info.nodes < 300, "{}", answer.info.nodes);
}

#[test]
fn depth_and_mate_limits_end_the_search() {
    let game = record::<MakrukGame>(START, MAKRUK);
    let (answer, infos) = run(&mut searcher::<MakrukGame>(), &game, &to_depth(5));
    assert_eq!(answer.info.depth, 5);
    assert_eq!(infos.iter().map(|i| i.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);

    let mate = Limits { mate: Some(2), ..Limits::default() };
    let game = record::<MakrukGame>("7k/8/5K2/8/8/8/8/R7 w - 32 9 60", MAKRUK);
    let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &mate);
    assert_eq!(score(&answer), ScoreKind::Mate(2));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let game = record::<MakrukGame>(START, MAKRUK);
    let wanted = game.position().parse_move("a3a4").unwrap();
    let foreign = record::<MakrukGame>(ONE_MOVE, MAKRUK).position().legal_moves()[0];
    let limits = Limits { search_moves: vec![wanted, foreign], ..to_depth(4) };
    let (answer, infos) = run(&mut searcher::<MakrukGame>(), &game, &limits);
    assert_eq!(answer.best, Some(wanted));
    assert!(infos.iter().all(|i| i.pv.first() == Some(&wanted)));
    // Nothing but nonsense: all moves.
    let limits = Limits { search_moves: vec![foreign], ..to_depth(2) };
    assert!(run(&mut searcher::<MakrukGame>(), &game, &limits).0.best.is_some());
}

#[test]
fn several_lines_are_sorted_and_different() {
    let options = SearchOptions { multi_pv: 4, ..small() };
    let game = record::<MakrukGame>(START, MAKRUK);
    let (answer, infos) = run(&mut Searcher::<MakrukGame>::new(options), &game, &to_depth(6));
    let last: Vec<_> = infos.iter().filter(|i| i.depth == 6).collect();
    assert_eq!(last.iter().map(|i| i.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|w| w[0].score >= w[1].score));
    for i in 0..4 {
        for j in 0..i {
            assert_ne!(last[i].pv[0], last[j].pv[0]);
        }
    }
    assert_eq!(answer.best, Some(last[0].pv[0]));
}

#[test]
fn a_lone_move_is_played_at_once_on_a_clock() {
    let clock = Clock { remaining_ms: [Some(3_600_000); 2], ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let (answer, _) =
        run(&mut searcher::<MakrukGame>(), &record::<MakrukGame>(ONE_MOVE, MAKRUK), &limits);
    assert_eq!(answer.info.depth, 1);
}

#[test]
fn many_threads_and_short_searches() {
    let options = SearchOptions { threads: 8, hash_mib: 1, ..SearchOptions::default() };
    let mut searcher = Searcher::<MakrukGame>::new(options);
    let mut game = record::<MakrukGame>(START, MAKRUK);
    for i in 0..60 {
        let (answer, _) = run(&mut searcher, &game, &to_nodes(1 + 97 * i));
        match answer.best {
            Some(m) if game.outcome().is_none() => game.play(m),
            _ => game = record::<MakrukGame>(START, MAKRUK),
        }
    }
}

#[test]
fn weak_players_play_legal_moves_and_not_always_the_same() {
    for (skill_level, limit_elo) in [(-20, None), (0, None), (20, Some(800)), (20, Some(2000))] {
        let options = SearchOptions { skill_level, limit_elo, ..small() };
        let mut searcher = Searcher::<MakrukGame>::new(options);
        let game = record::<MakrukGame>(START, MAKRUK);
        let moves: std::collections::HashSet<_> =
            (0..20).map(|_| run(&mut searcher, &game, &to_depth(6)).0.best.unwrap()).collect();
        if skill_level < 0 {
            assert!(moves.len() > 1);
        }
    }
}

#[test]
fn weak_players_show_no_more_lines_than_asked_for_and_the_move_they_play() {
    for multi_pv in [1, 3] {
        for skill_level in [-20, -5, 10] {
            let options = SearchOptions { skill_level, multi_pv, ..small() };
            let mut searcher = Searcher::<MakrukGame>::new(options);
            let game = record::<MakrukGame>(START, MAKRUK);
            for _ in 0..10 {
                let (answer, infos) = run(&mut searcher, &game, &to_depth(6));
                assert!(infos.iter().all(|info| (1..=multi_pv).contains(&info.multi_pv)));
                let shown = infos.iter().rev().find(|info| info.multi_pv == 1).unwrap();
                assert_eq!(answer.best, shown.pv.first().copied());
            }
        }
    }
}

#[test]
fn impossible_memory_is_survived() {
    let options = SearchOptions { hash_mib: usize::MAX, ..SearchOptions::default() };
    let mut searcher = Searcher::<MakrukGame>::new(options);
    assert!(searcher.options().hash_mib < 1 << 20);
    searcher.set_options(SearchOptions { hash_mib: 8, ..SearchOptions::default() });
    assert_eq!(searcher.options().hash_mib, 8);
    searcher.set_options(SearchOptions { hash_mib: 1 << 40, ..SearchOptions::default() });
    assert_eq!(searcher.options().hash_mib, 8);
    searcher.set_options(SearchOptions { hash_mib: 0, threads: 0, multi_pv: 0, ..small() });
    let game = record::<MakrukGame>(START, MAKRUK);
    assert!(run(&mut searcher, &game, &to_depth(3)).0.best.is_some());
}

#[test]
fn evaluations_are_bounded() {
    let game: GameRecord<_> = record::<MakrukGame>(START, MAKRUK);
    let value = searcher::<MakrukGame>().evaluate(game.position());
    assert!(value.0.abs() < 100 && !value.is_decisive() && value.0 <= Score::EVAL_LIMIT.0);
}

/// The deepest paths fit in the stack of an ordinary thread, and iterations end.
#[test]
fn the_greatest_depth_is_reached_and_survived() {
    for fen in ["4k3/8/8/p7/P7/8/8/4K3 w - - 0 1", "8/8/8/4k3/8/8/R7/K7 w - 32 29 1"] {
        let game = record::<MakrukGame>(fen, MAKRUK);
        let limits = Limits { nodes: Some(3_000_000), ..to_depth(100_000) };
        let (answer, _) = run(&mut searcher::<MakrukGame>(), &game, &limits);
        assert!(answer.info.depth > 20, "{fen}: {:?}", answer.info);
    }
}
