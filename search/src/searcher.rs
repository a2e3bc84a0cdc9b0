use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use movegen::{GameRecord, Position};
use tables::{Tables, Value};

use crate::control::Control;
use crate::endgame::choose_root_moves;
use crate::eval::Evaluator as _;
use crate::eval::nnue::{self, Network, NetworkError};
use crate::game::{Game, MoveOf};
use crate::handicap::Handicap;
use crate::iterate::{Goals, Line, MAX_DEPTH, RootMove};
use crate::policy::SearchPolicy;
use crate::threads::{Vote, elect};
use crate::tt::TranspositionTable;
use crate::wdl::wdl;
use crate::worker::{Counter, Memory, Shared, Worker, no_moves_score};
use crate::{BestMove, Bound, Limits, Observer, Score, SearchInfo, SearchOptions, Signals};

/// Stack of a helper thread: the deepest path with room to spare.
const STACK_BYTES: usize = 16 << 20;

/// A search with its memory: transposition table, histories, threads.
pub struct Searcher<G: Game> {
    options: SearchOptions,
    table: TranspositionTable,
    /// One for each thread.
    memories: Vec<Memory<G>>,
    network: Option<Arc<Network>>,
    tables: Arc<Tables>,
    plain: bool,
}

impl<G: Game> fmt::Debug for Searcher<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Searcher<G> {
    /// A searcher with empty memory, the game's built-in network, if there is one, and the built-in
    /// endgame tables.
    pub fn new(options: SearchOptions) -> Self {
        let table = TranspositionTable::new(options.hash_mib.max(1));
        let network = nnue::built_in(G::Pos::VARIANT);
        let tables = tables::built_in();
        let memories = Vec::new();
        let mut searcher = Self { options, table, memories, network, tables, plain: false };
        searcher.apply_options();
        searcher
    }

    /// The options in force. `hash_mib` is the size really in use.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Changes the options; the memory is kept unless its size changes. If that much memory cannot
    /// be had, the old size stays: see [`Searcher::options`].
    pub fn set_options(&mut self, options: SearchOptions) {
        self.options = options;
        self.table.resize(self.options.hash_mib.max(1));
        self.apply_options();
    }

    fn apply_options(&mut self) {
        self.options.hash_mib = self.table.mib();
        self.options.threads = self.options.threads.max(1);
        let network = &self.network;
        self.memories.resize_with(self.options.threads, || Memory::new(network.clone()));
    }

    /// The network in use; `None` is hand-written evaluation.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// Uses this network from now on, or with `None` the hand-written evaluation. The memory is
    /// emptied, because it holds the values of the former evaluation, unless that was the same.
    ///
    /// # Errors
    /// If the network plays another game; nothing is changed then.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkError> {
        if let Some(network) = &network {
            network.expect_game(G::Pos::VARIANT)?;
        }
        if self.network == network {
            return Ok(());
        }
        for memory in &mut self.memories {
            memory.eval.set_network(network.clone())?;
        }
        self.network = network;
        self.clear();
        Ok(())
    }

    /// The endgame tables in use.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Asks these endgame tables from now on. The memory is emptied, because results without tables
    /// are less certain.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        if !Arc::ptr_eq(&self.tables, &tables) {
            self.tables = tables;
            self.clear();
        }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table.clear(self.options.threads);
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// Switches to plain alpha-beta without pruning, reductions, extensions, quiescence or table,
    /// whose results can be compared with those of a few lines of negamax. For tests.
    #[doc(hidden)]
    pub fn set_plain(&mut self, plain: bool) {
        self.plain = plain;
    }

    /// The static evaluation in centipawns from the mover's side, with the count applied.
    pub fn evaluate(&mut self, position: &G::Pos) -> Score {
        let mut eval = G::Eval::default();
        // The network's game was checked when it was set.
        let _ = eval.set_network(self.network.clone());
        eval.reset(position);
        let limit = Score::EVAL_LIMIT.0;
        Score(eval.evaluate(position).clamp(-limit, limit))
    }

    /// Searches the current position of `record` and returns when a limit is reached or a signal
    /// arrives. Reports at least one exact [`SearchInfo`] unless the game is over. An infinite or
    /// pondering search returns only after its signal.
    ///
    /// The first iteration is always finished (unless it is absurdly big), so very small limits
    /// are overrun by a few nodes.
    ///
    /// A search for a mate uses the hand-written evaluation, which drives kings to where they are
    /// mated; networks are trained on undecided positions. That empties the memory before and
    /// after.
    pub fn search(
        &mut self,
        record: &GameRecord<G::Pos>,
        limits: &Limits<MoveOf<G>>,
        signals: &Signals,
        observer: &mut dyn Observer<MoveOf<G>>,
    ) -> BestMove<MoveOf<G>> {
        if limits.mate.is_none() || self.network.is_none() {
            return self.search_as_it_is(record, limits, signals, observer);
        }
        // The network fitted the game before, so it does again.
        let network = self.network.clone();
        let _ = self.set_network(None);
        let answer = self.search_as_it_is(record, limits, signals, observer);
        let _ = self.set_network(network);
        answer
    }

    fn search_as_it_is(
        &mut self,
        record: &GameRecord<G::Pos>,
        limits: &Limits<MoveOf<G>>,
        signals: &Signals,
        observer: &mut dyn Observer<MoveOf<G>>,
    ) -> BestMove<MoveOf<G>> {
        let started = Instant::now();
        let root = record.position();
        let handicap = Handicap::from_options(&self.options, G::Policy::params().ladder);
        let mut control = Control::new(
            limits,
            &self.options,
            root.side_to_move(),
            G::Policy::params().horizon,
            signals,
            observer,
            started,
        );
        let legal = root.legal_moves();
        if legal.is_empty() {
            let info = game_over_info::<G>(root);
            control.report(&info);
            control.wait_for_release(0);
            return BestMove { best: None, ponder: None, info };
        }
        let mut moves: Vec<_> =
            legal.iter().copied().filter(|m| limits.search_moves.contains(m)).collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        let mut goals = Goals {
            depth: limits.depth.and_then(|d| i32::try_from(d).ok()).unwrap_or(MAX_DEPTH),
            mate: limits.mate,
            lines: self.options.multi_pv.max(1),
            shown: self.options.multi_pv.max(1),
        };
        if let Some(handicap) = handicap {
            goals.lines = handicap.lines(goals.lines);
            let nodes = handicap.nodes();
            control.node_limit = Some(control.node_limit.map_or(nodes, |limit| limit.min(nodes)));
        }

        let unaided = self.plain || handicap.is_some() || self.tables.is_empty();
        let tables = (!unaided).then_some(&*self.tables);
        let mut known = None;
        let mut root_hits = 0;
        if let Some(tables) = tables {
            let choice = choose_root_moves(tables, record, &moves);
            (known, root_hits) = (choice.value, choice.hits);
            // Whoever wants several lines wants the lesser ones too.
            if goals.lines == 1 {
                moves = choice.moves;
                // Nothing is left to find.
                if known.is_some_and(|value| value != Value::Draw) {
                    goals.depth = 1;
                }
            }
        }
        // In a drawn position any move may do, and the evaluation knows which ones set problems.
        let drawn = known == Some(Value::Draw) && goals.lines == 1;

        self.table.new_search();
        let helpers = if handicap.is_some() || self.plain { 0 } else { self.memories.len() - 1 };
        let shared = Shared {
            table: &self.table,
            stop: AtomicBool::new(false),
            counters: (0..=helpers).map(|_| Counter::default()).collect(),
            tables: tables.filter(|_| !drawn),
            drawn,
            root_hits,
            mate_wanted: limits.mate.is_some(),
            plain: self.plain,
        };
        let keys = record.reversible_keys();
        let root_moves: Vec<_> = moves.into_iter().map(RootMove::new).collect();
        let Some((main_memory, helper_memories)) = self.memories.split_first_mut() else {
            // There is always one.
            let info = game_over_info::<G>(root);
            return BestMove { best: legal.first().copied(), ponder: None, info };
        };

        thread::scope(|scope| {
            let (shared, goals, root_moves) = (&shared, &goals, &root_moves);
            let mut jobs = Vec::new();
            for (i, memory) in helper_memories.iter_mut().take(helpers).enumerate() {
                let job =
                    thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                        memory.eval.reset(root);
                        let moves = root_moves.clone();
                        let mut worker: Worker<'_, G> =
                            Worker::new(shared, memory, i + 1, None, keys, moves);
                        let goals = Goals { lines: 1, ..*goals };
                        worker.iterate(root, &goals);
                        worker.line
                    });
                // Fewer threads are better than none.
                jobs.extend(job);
            }
            main_memory.eval.reset(root);
            let moves = root_moves.clone();
            let mut main: Worker<'_, G> =
                Worker::new(shared, main_memory, 0, Some(control), keys, moves);
            main.iterate(root, goals);
            let nodes = main.total_nodes();
            if let Some(control) = &mut main.control {
                control.wait_for_release(nodes);
            }
            shared.stop.store(true, Ordering::Relaxed);
            let helper_lines: Vec<_> =
                jobs.into_iter().filter_map(|job| job.join().ok().flatten()).collect();
            conclude(main, root, helper_lines, goals, handicap)
        })
    }
}

/// Chooses the answer.
fn conclude<G: Game>(
    mut main: Worker<'_, G>,
    root: &G::Pos,
    helper_lines: Vec<Line<MoveOf<G>>>,
    goals: &Goals,
    handicap: Option<Handicap>,
) -> BestMove<MoveOf<G>> {
    if main.line.is_none() {
        // Broken off inside a huge first iteration: the best root move so far, judged as it was.
        let eval = main.evaluate(root, None).1;
        let first = main.root_moves.first().map(|r| r.m);
        main.line = Some(Line {
            pv: first.into_iter().collect(),
            score: eval,
            bound: Bound::Exact,
            depth: 1,
            sel_depth: 1,
        });
        main.report_line();
    }
    if let Some(handicap) = handicap {
        let choice = handicap.choose(&main.root_moves, root.side_to_move());
        if let Some(chosen) = choice.and_then(|i| main.root_moves.get(i))
            && let Some(line) = &mut main.line
            && line.pv.first() != Some(&chosen.m)
        {
            line.pv.clone_from(&chosen.pv);
            line.score = chosen.settled;
            main.report_line();
        }
    } else if goals.lines == 1
        && let Some(line) = &main.line
    {
        let votes: Vec<_> = std::iter::once(line)
            .chain(&helper_lines)
            .map(|l| Vote { m: l.pv.first(), depth: l.depth, score: l.score, bound: l.bound })
            .collect();
        let winner = elect(&votes);
        if winner > 0
            && let Some(line) = helper_lines.into_iter().nth(winner - 1)
        {
            main.line = Some(line);
            main.report_line();
        }
    }
    let info = main.last_info().unwrap_or_else(|| game_over_info::<G>(root));
    let best = info.pv.first().copied().or_else(|| root.legal_moves().first().copied());
    let ponder = match (best, info.pv.get(1)) {
        (_, Some(&reply)) => Some(reply),
        (Some(m), None) => main.expected_reply(root, m),
        _ => None,
    };
    BestMove { best, ponder, info }
}

/// What there is to say about a position without legal moves.
fn game_over_info<G: Game>(root: &G::Pos) -> SearchInfo<MoveOf<G>> {
    let score = Score(no_moves_score(root, 0));
    SearchInfo {
        depth: 0,
        sel_depth: 0,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        wdl: wdl(score, G::Policy::params().wdl),
        nodes: 0,
        time: Duration::ZERO,
        hash_full: 0,
        table_hits: 0,
        pv: Vec::new(),
    }
}
