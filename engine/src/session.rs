//! One game at the table: the record of its moves and the searcher that thinks about it.
//!
//! [`AnySession`] is the one place of the program where the game is chosen at run time; everything
//! below it is compiled per game.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use movegen::{Color, GameRecord, Position, Variant};
use search::eval::nnue::{Network, NetworkError};
use search::{
    Bound, Game, Limits, Observer, Score, ScoreKind, SearchInfo, SearchOptions, Searcher, Signals,
};
use tables::Tables;

use crate::command::GoRequest;
use crate::count;
use crate::dispatch::{GameRules, GameVisitor, MoveOf, PosOf, RulesOf, with_game};
use crate::perft::{self, PerftRequest, Watch};
use crate::referee::{AnyGame, Referee};
use crate::report::{Report, Reporter, SearchReport};

/// Work that runs on a thread of its own, reports as it goes and returns its last report: a
/// [`Report::BestMove`] if it is a search.
pub type Job = Box<dyn FnOnce(&dyn Reporter) -> Report + Send>;

/// What a search without a readable limit gets.
const FALLBACK_TIME_MS: u64 = 1000;
/// Thirty years: no longer time is told to the search, so that no sum of times overflows.
const MAX_TIME_MS: u64 = 1_000_000_000_000;
/// Faults of one list that are worth a note each.
pub(crate) const MAX_FAULTS: usize = 5;

/// A session of whichever game was chosen.
pub trait AnySession: Send {
    /// The game at the table.
    fn game(&self) -> &dyn AnyGame;
    /// The game at the table, to be changed.
    fn game_mut(&mut self) -> &mut dyn AnyGame;
    /// Begins a new game: the search forgets what it knew; the position stays.
    fn new_game(&mut self);
    /// Gives the search its options and returns those in force.
    fn set_options(&mut self, options: SearchOptions) -> SearchOptions;
    /// Evaluates with this network of the game, or with `None` by hand. The search forgets what it
    /// knew, unless it is the network in use.
    ///
    /// # Errors
    /// If the network plays another game; nothing is changed then.
    fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkError>;
    /// Asks these endgame tables from now on.
    fn set_tables(&mut self, tables: Arc<Tables>);
    /// A search of the current position. `signals` reaches it while it runs.
    fn search(&self, request: &GoRequest, show_wdl: bool, signals: Arc<Signals>) -> Job;
    /// A perft of the current position.
    fn perft(&self, request: PerftRequest, signals: Arc<Signals>) -> Job;
    /// The static evaluation from the mover's side.
    fn evaluate(&self) -> Score;
}

/// A session of a game under these rules, at its start position.
pub fn new_session(rules: GameRules, options: SearchOptions) -> Box<dyn AnySession> {
    struct Open(GameRules, SearchOptions);
    impl GameVisitor for Open {
        type Output = Box<dyn AnySession>;
        fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
            Box::new(Session::<G>::new(self.0, rules, self.1))
        }
    }
    with_game(rules, Open(rules, options))
}

/// A session of the game `G`.
pub struct Session<G: Game> {
    game: Referee<PosOf<G>>,
    searcher: Arc<Mutex<Searcher<G>>>,
    /// The searcher's, for use while that is busy.
    network: Option<Arc<Network>>,
}

/// Locks even if a search died while it held the lock: its tables hold hints, not truths.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Session<G> {
    /// A session at the start position. `game_rules` and `rules` say the same.
    pub fn new(game_rules: GameRules, rules: RulesOf<G>, options: SearchOptions) -> Self {
        let game = Referee::new(game_rules, rules);
        let searcher = Searcher::new(options);
        let network = searcher.network().cloned();
        Self { game, searcher: Arc::new(Mutex::new(searcher)), network }
    }

    fn limits(&self, request: &GoRequest) -> (Limits<MoveOf<G>>, Vec<String>) {
        let position = self.game.position();
        let mut faults = Vec::new();
        let mut search_moves = Vec::new();
        for text in &request.search_moves {
            match position.parse_move(text) {
                Ok(m) if search_moves.contains(&m) => {}
                Ok(m) => search_moves.push(m),
                Err(error) if faults.len() < MAX_FAULTS => {
                    faults.push(format!("searchmoves: {error}"));
                }
                Err(_) => {}
            }
        }
        if search_moves.is_empty() && !request.search_moves.is_empty() {
            faults.push("searchmoves names no legal move; all moves are searched".to_owned());
        }
        let bounded_by_fault = request.unreadable_limit
            && GoRequest { unreadable_limit: false, ..request.clone() }.is_endless();
        let limits = Limits {
            depth: request.depth.map(|depth| depth.min(Score::MAX_PLY.unsigned_abs())),
            nodes: request.nodes,
            mate: request.mate,
            move_time: request
                .move_time_ms
                .or(bounded_by_fault.then_some(FALLBACK_TIME_MS))
                .map(|ms| Duration::from_millis(ms.min(MAX_TIME_MS))),
            clock: request.on_the_clock().then(|| clock(request, position.side_to_move())),
            // A bare `go` is a request for analysis: it runs until it is stopped.
            infinite: request.infinite || request.is_endless(),
            ponder: request.ponder,
            search_moves,
        };
        (limits, faults)
    }
}

/// The clocks for the search. The mover's time is never left open: an arbiter that names only the
/// other clock plays with equal times, one that names none but an increment has nothing left.
fn clock(request: &GoRequest, mover: Color) -> search::Clock {
    let limit = MAX_TIME_MS.cast_signed();
    let bounded = |ms: i64| ms.clamp(-limit, limit);
    let mut remaining_ms = request.remaining_ms.map(|ms| ms.map(bounded));
    if remaining_ms[mover.index()].is_none() {
        remaining_ms[mover.index()] = remaining_ms[mover.opposite().index()].or(Some(0));
    }
    search::Clock {
        remaining_ms,
        increment_ms: request.increment_ms.map(|ms| ms.map_or(0, bounded)),
        moves_to_go: request.moves_to_go.filter(|&moves| moves > 0),
    }
}

impl<G: Game> AnySession for Session<G> {
    fn game(&self) -> &dyn AnyGame {
        &self.game
    }

    fn game_mut(&mut self) -> &mut dyn AnyGame {
        &mut self.game
    }

    fn new_game(&mut self) {
        lock(&self.searcher).clear();
    }

    fn set_options(&mut self, options: SearchOptions) -> SearchOptions {
        let mut searcher = lock(&self.searcher);
        searcher.set_options(options);
        searcher.options().clone()
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkError> {
        lock(&self.searcher).set_network(network.clone())?;
        self.network = network;
        Ok(())
    }

    fn set_tables(&mut self, tables: Arc<Tables>) {
        lock(&self.searcher).set_tables(tables);
    }

    fn search(&self, request: &GoRequest, show_wdl: bool, signals: Arc<Signals>) -> Job {
        let (limits, faults) = self.limits(request);
        let record = self.game.record().clone();
        let searcher = Arc::clone(&self.searcher);
        Box::new(move |reporter| {
            for fault in faults {
                reporter.note(fault);
            }
            run_search::<G>(&mut lock(&searcher), &record, &limits, show_wdl, &signals, reporter)
        })
    }

    fn perft(&self, request: PerftRequest, signals: Arc<Signals>) -> Job {
        let position = self.game.position().clone();
        Box::new(move |reporter| {
            let each = |text: &str, leaves| {
                reporter.report(&Report::PerftMove { text: text.to_owned(), leaves });
            };
            let stopped = || signals.stopped();
            match perft::divide(&position, request, &Watch::until(&stopped), &each) {
                Some(leaves) => Report::PerftTotal(leaves),
                None => Report::Note("perft was stopped".to_owned()),
            }
        })
    }

    fn evaluate(&self) -> Score {
        let position = self.game.position();
        match self.searcher.try_lock() {
            Ok(mut searcher) => searcher.evaluate(position),
            Err(TryLockError::Poisoned(error)) => error.into_inner().evaluate(position),
            // A search is running: ask a small twin instead of waiting.
            Err(TryLockError::WouldBlock) => {
                let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
                let mut twin = Searcher::<G>::new(options);
                // It plays the same game.
                let _ = twin.set_network(self.network.clone());
                twin.evaluate(position)
            }
        }
    }
}

/// Turns the search's reports into protocol-neutral ones as they come.
struct Relay<'a, P: Position> {
    root: &'a P,
    show_wdl: bool,
    reporter: &'a dyn Reporter,
    /// There is no legal move, so an exact score needs no line.
    game_over: bool,
    exact_seen: bool,
}

impl<P: Position> Observer<P::Move> for Relay<'_, P> {
    fn on_info(&mut self, info: &SearchInfo<P::Move>) {
        let line = !info.pv.is_empty() || self.game_over;
        self.exact_seen |= info.bound == Bound::Exact && info.multi_pv == 1 && line;
        self.reporter.report(&Report::Search(search_report(self.root, info, self.show_wdl)));
    }

    fn on_current_move(&mut self, depth: u32, m: P::Move, number: usize) {
        let text = self.root.move_text(m);
        self.reporter.report(&Report::CurrentMove { depth, text, number });
    }
}

/// The report of one search line, its moves as text. A line is cut before a move that is not legal
/// (its tail may come from the transposition table).
pub fn search_report<P: Position>(
    root: &P,
    info: &SearchInfo<P::Move>,
    show_wdl: bool,
) -> SearchReport {
    let mut position = root.clone();
    let mut pv = Vec::with_capacity(info.pv.len());
    for &m in &info.pv {
        if !position.is_legal(m) {
            break;
        }
        pv.push(position.move_text(m));
        position = position.play_unchecked(m);
    }
    SearchReport {
        depth: info.depth,
        sel_depth: info.sel_depth,
        multi_pv: info.multi_pv,
        score: info.score.kind(),
        bound: info.bound,
        wdl: show_wdl.then_some(info.wdl),
        nodes: info.nodes,
        nps: info.nps(),
        hash_full: info.hash_full,
        table_hits: info.table_hits,
        time: info.time,
        pv,
    }
}

fn run_search<G: Game>(
    searcher: &mut Searcher<G>,
    record: &GameRecord<PosOf<G>>,
    limits: &Limits<MoveOf<G>>,
    show_wdl: bool,
    signals: &Signals,
    reporter: &dyn Reporter,
) -> Report {
    let root = record.position();
    if let Some(note) = count::note(&root.clocks()) {
        reporter.note(note);
    }
    let game_over = !root.has_legal_move();
    let mut relay = Relay { root, show_wdl, reporter, game_over, exact_seen: false };
    let answer = searcher.search(record, limits, signals, &mut relay);
    for fault in searcher.tables().take_faults() {
        reporter.note(format!("endgame table left alone: {fault}"));
    }
    if !relay.exact_seen {
        reporter.report(&Report::Search(search_report(root, &answer.info, show_wdl)));
    }
    // An open search answers only when it is told to, even if there is nothing left to find.
    while !signals.stopped() && (limits.infinite || (limits.ponder && !signals.ponder_was_hit())) {
        signals.wait(Duration::from_secs(1));
    }
    let best = answer.best.filter(|&m| root.is_legal(m));
    let after = best.map(|m| root.play_unchecked(m));
    if let (Some(m), Some(after)) = (best, &after) {
        let mates = matches!(answer.info.score.kind(), ScoreKind::Mate(1..));
        if let Some(note) = count::start_note(&root.clocks(), &after.clocks(), mates) {
            reporter.note(format!("{} {note}", root.move_text(m)));
        }
    }
    let ponder = answer.ponder.zip(after).filter(|(m, after)| after.is_legal(*m));
    Report::BestMove {
        best: best.map(|m| root.move_text(m)),
        ponder: ponder.map(|(m, after)| after.move_text(m)),
    }
}

/// The game's name, for messages.
pub fn game_name(variant: Variant) -> &'static str {
    match variant {
        Variant::Makruk => "Makruk",
        Variant::Asean => "ASEAN Chess",
        Variant::Makhos => "Makhos",
    }
}
