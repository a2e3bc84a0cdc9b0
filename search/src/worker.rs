//! One search thread: its memory, its path from the root, its counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use movegen::{Countdown, GameMove, Outcome, Position};
use tables::Tables;

use crate::control::Control;
use crate::count::{stored_remaining, tt_key, usable};
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::game::{Game, MoveOf};
use crate::iterate::{Line, RootMove};
use crate::ordering::{Context, Histories, Lists, NO_ROW, Past};
use crate::policy::SearchPolicy;
use crate::pv::PvTable;
use crate::score::{NONE, mate_in, mated_in};
use crate::tt::{Entry, TranspositionTable, from_table, to_table};
use crate::{Bound, Score};

/// Plies of the path that are kept: a little more than can be reached.
pub(crate) const STACK: usize = Score::MAX_PLY as usize + 2;
/// Nodes between two looks at the clock and the signals.
const POLL: u64 = 1024;
/// Nodes after which even the first iteration may be broken off.
const FIRST_ITERATION_CAP: u64 = 20_000;
/// Depths and move numbers that the table of reductions tells apart.
const REDUCTIONS: usize = 64;

/// The counters of one thread, alone on their cache lines, so that threads do not slow each other
/// down.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Counter {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

/// What all threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    /// The search is over.
    pub(crate) stop: AtomicBool,
    /// Nodes and table hits of each thread, up to its last poll.
    pub(crate) counters: Vec<Counter>,
    /// Endgame tables that are asked in the tree.
    pub(crate) tables: Option<&'a Tables>,
    /// The root is known to be a draw, whatever the search believes.
    pub(crate) drawn: bool,
    /// Table hits at the root.
    pub(crate) root_hits: u64,
    /// The search was asked for a mate.
    pub(crate) mate_wanted: bool,
    /// No pruning, reductions, extensions, quiescence or table: plain alpha-beta, for tests.
    pub(crate) plain: bool,
}

/// Search data of one ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<M> {
    /// Continuation row of the move made here, [`NO_ROW`] for a null move.
    pub(crate) row: usize,
    /// Plies by which the search of the move made here is reduced.
    pub(crate) reduced_by: i32,
    /// Static evaluation with the count, `NONE` where the mover is forced.
    pub(crate) eval: i32,
    /// A quiet move that cut off at this ply.
    pub(crate) killer: Option<M>,
    /// A move left out by a singular search.
    pub(crate) excluded: Option<M>,
    /// This node is searched as a proof for its own ProbCut.
    pub(crate) probing: bool,
    /// Index into the keys of the first position that can still be repeated here.
    reversible_from: usize,
}

impl<M> Default for Frame<M> {
    fn default() -> Self {
        Self {
            row: NO_ROW,
            reduced_by: 0,
            eval: NONE,
            killer: None,
            excluded: None,
            probing: false,
            reversible_from: 0,
        }
    }
}

/// What a thread keeps from search to search. Alone on its cache lines: its list headers change at
/// every node.
#[repr(align(128))]
pub(crate) struct Memory<G: Game> {
    pub(crate) eval: G::Eval,
    pub(crate) histories: Histories,
    /// Lists of nodes that are done, for reuse.
    pool: Vec<Box<Lists<MoveOf<G>>>>,
    pub(crate) pv: PvTable<MoveOf<G>>,
    stack: Box<[Frame<MoveOf<G>>]>,
    /// Keys of the game and of the path, the present position last.
    keys: Vec<u64>,
    /// Base reductions by depth and move number.
    reductions: Box<[i32]>,
}

impl<G: Game> Memory<G> {
    pub(crate) fn new(network: Option<Arc<Network>>) -> Self {
        let mut eval = G::Eval::default();
        // The searcher has made sure that the network plays its game.
        let _ = eval.set_network(network);
        Self {
            eval,
            histories: Histories::new(G::Pos::PIECE_KINDS),
            pool: Vec::new(),
            pv: PvTable::new(),
            stack: vec![Frame::default(); STACK].into_boxed_slice(),
            keys: Vec::new(),
            reductions: base_reductions::<G>(),
        }
    }

    pub(crate) fn clear(&mut self) {
        if cfg!(feature = "tune") {
            self.reductions = base_reductions::<G>();
        }
        self.histories.clear();
    }
}

fn base_reductions<G: Game>() -> Box<[i32]> {
    let params = G::Policy::params();
    (0..REDUCTIONS * REDUCTIONS)
        .map(|i| G::Policy::reduction(&params, (i / REDUCTIONS) as i32, i % REDUCTIONS))
        .collect()
}

/// One thread in one search.
pub(crate) struct Worker<'a, G: Game> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory<G>,
    /// The clock, the signals and the observer; only the main thread has them.
    pub(crate) control: Option<Control<'a, MoveOf<G>>>,
    index: usize,
    pub(crate) nodes: u64,
    /// Positions that endgame tables have decided.
    pub(crate) table_hits: u64,
    poll_at: u64,
    pub(crate) sel_depth: usize,
    pub(crate) root_depth: i32,
    /// Iterations finished.
    pub(crate) completed: i32,
    /// The search was broken off: scores on the way up mean nothing.
    pub(crate) aborted: bool,
    /// Null moves are off below this ply (verification).
    pub(crate) null_from_ply: usize,
    /// Index of the root in `keys`.
    root_key: usize,
    pub(crate) root_moves: Vec<RootMove<MoveOf<G>>>,
    /// The best line so far.
    pub(crate) line: Option<Line<MoveOf<G>>>,
    /// The best line of the unfinished iteration.
    pub(crate) candidate: Option<Line<MoveOf<G>>>,
}

impl<'a, G: Game> Worker<'a, G> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<G>,
        index: usize,
        control: Option<Control<'a, MoveOf<G>>>,
        reversible_keys: &[u64],
        root_moves: Vec<RootMove<MoveOf<G>>>,
    ) -> Self {
        memory.keys.clear();
        memory.keys.extend_from_slice(reversible_keys);
        memory.keys.reserve(STACK);
        memory.stack.fill(Frame::default());
        let root_key = memory.keys.len().saturating_sub(1);
        Self {
            shared,
            memory,
            control,
            index,
            nodes: 0,
            table_hits: 0,
            poll_at: 0,
            sel_depth: 0,
            root_depth: 0,
            completed: 0,
            aborted: false,
            null_from_ply: 0,
            root_key,
            root_moves,
            line: None,
            candidate: None,
        }
    }

    /// Whether this thread talks to the outside.
    pub(crate) fn is_main(&self) -> bool {
        self.control.is_some()
    }

    #[inline(always)]
    pub(crate) fn frame(&mut self, ply: usize) -> &mut Frame<MoveOf<G>> {
        // Never out of range; the clamp lets a wrong ply cost accuracy rather than a panic.
        &mut self.memory.stack[ply.min(STACK - 1)]
    }

    #[inline(always)]
    pub(crate) fn frame_at(&self, ply: usize) -> &Frame<MoveOf<G>> {
        &self.memory.stack[ply.min(STACK - 1)]
    }

    /// What the scores of quiet moves at `ply` depend on.
    #[inline]
    pub(crate) fn past(&self, position: &G::Pos, ply: usize) -> Past {
        let row = |back: usize| ply.checked_sub(back).map_or(NO_ROW, |p| self.frame_at(p).row);
        let told_apart = G::Policy::params().threat_history;
        Past {
            rows: [row(1), row(2)],
            attacked: if told_apart { G::Policy::attacked(position) } else { 0 },
        }
    }

    /// What move scores depend on.
    #[inline(always)]
    pub(crate) fn context<'c>(&'c self, past: &'c Past) -> Context<'c> {
        Context { histories: &self.memory.histories, past }
    }

    pub(crate) fn take_lists(&mut self) -> Box<Lists<MoveOf<G>>> {
        self.memory.pool.pop().unwrap_or_default()
    }

    pub(crate) fn give_lists(&mut self, lists: Box<Lists<MoveOf<G>>>) {
        self.memory.pool.push(lists);
    }

    /// The base reduction, in 1024ths of a ply.
    #[inline(always)]
    pub(crate) fn base_reduction(&self, depth: i32, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(REDUCTIONS - 1);
        self.memory.reductions[depth * REDUCTIONS + number.min(REDUCTIONS - 1)]
    }

    /// Makes a move on the path and returns the new position.
    #[inline]
    pub(crate) fn play(&mut self, position: &G::Pos, m: MoveOf<G>, ply: usize) -> G::Pos {
        let child = position.play_unchecked(m);
        self.shared.table.prefetch(tt_key(child.key(), child.countdown()));
        let row = self.memory.histories.row(position, m);
        let here = self.memory.keys.len();
        let irreversible = position.is_irreversible(m);
        let frame = self.frame(ply);
        frame.row = row;
        let from = if irreversible { here } else { frame.reversible_from };
        self.frame(ply + 1).reversible_from = from;
        self.memory.keys.push(child.key());
        self.memory.eval.push(position, Some(m), &child);
        child
    }

    /// Passes.
    pub(crate) fn play_null(&mut self, position: &G::Pos, ply: usize) -> G::Pos {
        let child = position.play_null();
        self.shared.table.prefetch(tt_key(child.key(), child.countdown()));
        // Nothing is repeated across a null move.
        let here = self.memory.keys.len();
        self.frame(ply).row = NO_ROW;
        self.frame(ply + 1).reversible_from = here;
        self.memory.keys.push(child.key());
        self.memory.eval.push(position, None, &child);
        child
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn undo(&mut self) {
        self.memory.keys.pop();
        self.memory.eval.pop();
    }

    /// Whether the present position repeats one of the path, or is on the board for the third
    /// time in the game.
    ///
    /// A first repetition inside the tree is a draw already: whoever could do better would not
    /// have repeated. Positions up to the root are facts, so they need two.
    #[inline]
    fn repeats(&self, ply: usize) -> bool {
        let keys = &self.memory.keys;
        let Some(here) = keys.len().checked_sub(1) else { return false };
        let from = self.frame_at(ply).reversible_from;
        if here < from + 4 {
            return false;
        }
        let key = keys[here];
        let mut seen_before_root = false;
        let mut i = here - 4;
        loop {
            if keys[i] == key {
                if i > self.root_key || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
            if i < from + 2 {
                return false;
            }
            i -= 2;
        }
    }

    /// The score of a position that the rules decide, `None` if the game goes on. Mate comes
    /// before every draw.
    #[inline]
    pub(crate) fn rule_score(
        &self,
        position: &G::Pos,
        ply: usize,
        clock: Countdown,
    ) -> Option<i32> {
        let drawn = clock.remaining == 0 || self.repeats(ply) || position.draw_reason(1).is_some();
        if !drawn {
            None
        } else if position.has_legal_move() {
            Some(Score::DRAW.0)
        } else {
            Some(no_moves_score(position, ply))
        }
    }

    /// Counts a node; true if the search is over.
    #[inline]
    pub(crate) fn enter_node(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        if ply > self.sel_depth {
            self.sel_depth = ply;
        }
        if self.nodes >= self.poll_at {
            self.poll();
        }
        self.aborted
    }

    #[cold]
    fn poll(&mut self) {
        if let Some(counter) = self.shared.counters.get(self.index) {
            counter.nodes.store(self.nodes, Ordering::Relaxed);
            counter.table_hits.store(self.table_hits, Ordering::Relaxed);
        }
        self.poll_at = self.nodes + POLL;
        let may_abort = self.completed >= 1 || self.nodes >= FIRST_ITERATION_CAP;
        let total = self.total_nodes();
        if let Some(control) = &mut self.control {
            if let Some(limit) = control.node_limit {
                let left = limit.saturating_sub(total);
                let share = left / self.shared.counters.len().max(1) as u64;
                self.poll_at = self.poll_at.min(self.nodes + share.max(1));
            }
            if may_abort && control.must_stop(total) {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
        }
        if may_abort && self.shared.stop.load(Ordering::Relaxed) {
            self.aborted = true;
        }
    }

    /// Nodes of all threads: exact for this one, up to the last poll for the others.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes + self.others().map(|c| c.nodes.load(Ordering::Relaxed)).sum::<u64>()
    }

    /// Table hits of all threads, as [`Worker::total_nodes`].
    pub(crate) fn total_table_hits(&self) -> u64 {
        self.table_hits + self.others().map(|c| c.table_hits.load(Ordering::Relaxed)).sum::<u64>()
    }

    fn others(&self) -> impl Iterator<Item = &Counter> {
        self.shared.counters.iter().enumerate().filter(|&(i, _)| i != self.index).map(|(_, c)| c)
    }

    /// The evaluation of a position: raw, and with the count.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &G::Pos, known: Option<&Entry>) -> (i32, i32) {
        let raw = match known {
            Some(entry) if entry.raw_eval != NONE => entry.raw_eval,
            _ => self.memory.eval.evaluate_raw(position),
        };
        let limit = Score::EVAL_LIMIT.0;
        let eval = self.memory.eval.apply_count(position, raw).clamp(-limit, limit);
        (raw, eval)
    }

    /// What the table knows about a position: the entry with its score counted from the root and
    /// its bound cut down to what holds under the present clock.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize, clock: Countdown) -> Option<Entry> {
        if self.shared.plain {
            return None;
        }
        let mut entry = self.shared.table.probe(key)?;
        entry.bound = entry.bound.and_then(|bound| {
            let now = stored_remaining(clock);
            let loose = G::Policy::params().loose_above;
            usable(bound, entry.score, entry.remaining, now, loose)
        });
        entry.score = from_table(entry.score, ply);
        Some(entry)
    }

    /// Remembers a result. Never after the search was broken off.
    #[expect(clippy::too_many_arguments, reason = "the fields of one entry")]
    #[inline]
    pub(crate) fn store(
        &self,
        key: u64,
        ply: usize,
        clock: Countdown,
        m: Option<MoveOf<G>>,
        score: i32,
        raw_eval: i32,
        depth: i32,
        bound: Option<Bound>,
        pv: bool,
    ) {
        if self.shared.plain {
            return;
        }
        let entry = Entry {
            tag: m.map_or(0, GameMove::tag),
            score: to_table(score, ply),
            raw_eval,
            depth,
            bound,
            pv,
            remaining: stored_remaining(clock),
        };
        self.shared.table.store(key, entry);
    }

    /// A move for the opponent to expect after `m`, from the table.
    pub(crate) fn expected_reply(&self, position: &G::Pos, m: MoveOf<G>) -> Option<MoveOf<G>> {
        let child = position.play_unchecked(m);
        let entry = self.shared.table.probe(tt_key(child.key(), child.countdown()))?;
        child.move_from_tag(entry.tag)
    }
}

/// The score of a position without legal moves.
pub(crate) fn no_moves_score<P: Position>(position: &P, ply: usize) -> i32 {
    match position.no_moves_outcome() {
        Outcome::Win(winner, _) if winner == position.side_to_move() => mate_in(ply),
        Outcome::Win(..) => mated_in(ply),
        Outcome::Draw(_) => Score::DRAW.0,
    }
}
