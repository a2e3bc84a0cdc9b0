//! Running the search in tests, with everything it reports checked.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use movegen::{ChessRules, GameRecord, MakhosRules, Position, RuleSet, Variant};
use search::{
    BestMove, Bound, Game, Limits, MoveOf, Observer, Score, ScoreKind, SearchInfo, SearchOptions,
    Searcher, Signals,
};
use tables::Tables;

pub(crate) const MAKRUK: ChessRules = ChessRules::STANDARD;
pub(crate) const MAKHOS: MakhosRules = MakhosRules::STANDARD;

pub(crate) fn chess_rules(variant: Variant, set: RuleSet) -> ChessRules {
    ChessRules::preset(variant, set).unwrap()
}

/// One thread, little memory.
pub(crate) fn small() -> SearchOptions {
    SearchOptions { hash_mib: 4, ..SearchOptions::default() }
}

pub(crate) fn searcher<G: Game>() -> Searcher<G> {
    Searcher::new(small())
}

/// Asks no endgame table: what it finds, it has found by itself.
pub(crate) fn unaided<G: Game>(options: SearchOptions) -> Searcher<G> {
    let mut searcher = Searcher::new(options);
    searcher.set_tables(Arc::new(Tables::empty()));
    searcher
}

pub(crate) fn record<G: Game>(fen: &str, rules: <G::Pos as Position>::Rules) -> GameRecord<G::Pos> {
    GameRecord::new(G::Pos::from_fen(fen, rules).unwrap_or_else(|e| panic!("{fen}: {e}")))
}

pub(crate) fn to_depth<M>(depth: u32) -> Limits<M> {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub(crate) fn to_nodes<M>(nodes: u64) -> Limits<M> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Checks every report and keeps it.
pub(crate) struct Watcher<P: Position> {
    root: P,
    pub(crate) infos: Vec<SearchInfo<P::Move>>,
}

impl<P: Position> Watcher<P> {
    pub(crate) fn new(root: &P) -> Self {
        Self { root: root.clone(), infos: Vec::new() }
    }
}

impl<P: Position> Observer<P::Move> for Watcher<P> {
    fn on_info(&mut self, info: &SearchInfo<P::Move>) {
        let place = format!("{}: {info:?}", self.root.fen());
        let mut position = self.root.clone();
        for &m in &info.pv {
            assert!(position.is_legal(m), "{place}");
            position = position.play_unchecked(m);
        }
        assert_eq!(info.pv.is_empty(), info.depth == 0, "{place}");
        assert_eq!(info.wdl.iter().sum::<u16>(), 1000, "{place}");
        assert!(info.score.0.abs() <= Score::MATE.0, "{place}");
        assert!(info.hash_full <= 1000, "{place}");
        assert!(info.multi_pv >= 1, "{place}");
        // A mate that is claimed exactly must be on the board at the end of the line.
        if let (Some(plies), Bound::Exact) = (info.score.plies_to_mate(), info.bound)
            && plies as usize == info.pv.len()
        {
            assert!(!position.has_legal_move(), "{place}");
        }
        self.infos.push(info.clone());
    }
}

/// Runs a search and checks what must hold for every one.
pub(crate) fn run<G: Game>(
    searcher: &mut Searcher<G>,
    record: &GameRecord<G::Pos>,
    limits: &Limits<MoveOf<G>>,
) -> (BestMove<MoveOf<G>>, Vec<SearchInfo<MoveOf<G>>>) {
    let mut watcher = Watcher::new(record.position());
    let answer = searcher.search(record, limits, &Signals::new(), &mut watcher);
    check_answer(record.position(), &answer, &watcher.infos);
    (answer, watcher.infos)
}

/// What must hold for the answer of every search.
pub(crate) fn check_answer<P: Position>(
    root: &P,
    answer: &BestMove<P::Move>,
    infos: &[SearchInfo<P::Move>],
) {
    let place = root.fen();
    assert!(infos.iter().any(|i| i.bound == Bound::Exact), "{place}: no exact report");
    match answer.best {
        Some(m) => {
            assert!(root.is_legal(m), "{place}");
            if let Some(reply) = answer.ponder {
                assert!(root.play_unchecked(m).is_legal(reply), "{place}");
            }
        }
        None => assert!(!root.has_legal_move(), "{place}: no move"),
    }
}

/// The score as people read it.
pub(crate) fn score<M>(answer: &BestMove<M>) -> ScoreKind {
    answer.info.score.kind()
}
