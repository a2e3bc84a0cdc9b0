//! Iterative deepening.

use movegen::Position;

use crate::control::Control;
use crate::game::{Game, MoveOf};
use crate::policy::SearchPolicy;
use crate::score::{INFINITE, is_decisive, plies_to_mate};
use crate::time::Progress;
use crate::wdl::wdl;
use crate::worker::Worker;
use crate::{Bound, Score, SearchInfo};

/// No iteration goes deeper.
pub(crate) const MAX_DEPTH: i32 = Score::MAX_PLY - 10;
/// First depth with an aspiration window.
const ASPIRATION_DEPTH: i32 = 5;
/// Beyond this score the window is not worth narrowing.
const ASPIRATION_LIMIT: i32 = 500;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) m: M,
    /// Score in this pass, `-INFINITE` if not known.
    pub(crate) score: i32,
    pub(crate) bound: Bound,
    /// Score when this iteration began.
    pub(crate) previous: i32,
    /// Score of the last finished iteration, `-INFINITE` if it was none of the best lines.
    pub(crate) settled: i32,
    pub(crate) pv: Vec<M>,
    pub(crate) sel_depth: usize,
    /// Nodes spent on it in this search.
    pub(crate) nodes: u64,
}

impl<M: Copy> RootMove<M> {
    pub(crate) fn new(m: M) -> Self {
        Self {
            m,
            score: -INFINITE,
            bound: Bound::Upper,
            previous: -INFINITE,
            settled: -INFINITE,
            pv: vec![m],
            sel_depth: 0,
            nodes: 0,
        }
    }
}

/// A line that a search stands by.
#[derive(Clone, Debug)]
pub(crate) struct Line<M> {
    pub(crate) pv: Vec<M>,
    pub(crate) score: i32,
    pub(crate) bound: Bound,
    pub(crate) depth: i32,
    pub(crate) sel_depth: usize,
}

/// When iterative deepening ends by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goals {
    /// After this depth.
    pub(crate) depth: i32,
    /// After a mate in this many moves, if any.
    pub(crate) mate: Option<u32>,
    /// Lines to search.
    pub(crate) lines: usize,
    /// Lines to show, at most as many: weak play searches more of them than anybody asked for.
    pub(crate) shown: usize,
}

impl<G: Game> Worker<'_, G> {
    /// Searches deeper and deeper until a goal is reached or the search is stopped. There must be
    /// at least one root move.
    pub(crate) fn iterate(&mut self, root: &G::Pos, goals: &Goals) {
        let lines = goals.lines.clamp(1, self.root_moves.len().max(1));
        let shown = goals.shown.clamp(1, lines);
        let mut stability = 0;
        let mut scores: Vec<i32> = Vec::new();
        for depth in 1..=goals.depth.clamp(1, MAX_DEPTH) {
            self.root_depth = depth;
            self.candidate = None;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            let best_before = self.root_moves.first().map(|r| r.m);
            let mut fail_lows = 0;
            for line in 0..lines {
                self.sel_depth = 0;
                fail_lows += self.search_line(root, depth, line);
                if self.aborted {
                    break;
                }
                self.root_moves[..=line].sort_by_key(|r| std::cmp::Reverse(r.score));
            }
            if self.aborted {
                self.adopt_candidate(shown);
                break;
            }
            self.completed = depth;
            self.extend_lines(root, lines);
            for (i, root_move) in self.root_moves.iter_mut().enumerate() {
                root_move.settled = if i < lines { root_move.score } else { -INFINITE };
            }
            let Some(best) = self.root_moves.first() else { break };
            let score = best.score;
            let share = best.nodes as f64 / self.nodes.max(1) as f64;
            stability = if Some(best.m) == best_before { stability + 1 } else { 0 };
            self.line = Some(Line {
                pv: best.pv.clone(),
                score,
                bound: Bound::Exact,
                depth,
                sel_depth: best.sel_depth,
            });
            self.report_lines(shown, depth);
            let recent = &scores[scores.len().saturating_sub(4)..];
            let average = recent.iter().sum::<i32>() / (recent.len().max(1) as i32);
            let drop = if recent.is_empty() || is_decisive(score) { 0 } else { average - score };
            scores.push(score);
            let progress = Progress { depth, stability, best_share: share, drop, fail_lows };
            if self.goal_reached(goals, score, depth, &progress) {
                break;
            }
        }
    }

    /// Whether the search is over after a finished iteration (main thread only).
    fn goal_reached(&mut self, goals: &Goals, score: i32, depth: i32, progress: &Progress) -> bool {
        let nodes = self.total_nodes();
        let lone_move = self.root_moves.len() == 1;
        let Some(control) = &mut self.control else { return false };
        let mate = plies_to_mate(score);
        if let (Some(wanted), Some(plies)) = (goals.mate, mate)
            && (plies + 1) / 2 <= i32::try_from(wanted).unwrap_or(i32::MAX)
        {
            return true;
        }
        // A mate that was searched to its end cannot be improved, a lone move not chosen.
        if control.saves_time(nodes) && (lone_move || mate.is_some_and(|plies| plies <= depth)) {
            return true;
        }
        control.must_stop(nodes) || control.should_stop(nodes, progress)
    }

    /// One line of one iteration, with aspiration windows. Returns how often it failed low.
    fn search_line(&mut self, root: &G::Pos, depth: i32, line: usize) -> u32 {
        let previous = self.root_moves.get(line).map_or(-INFINITE, |r| r.previous);
        let mut alpha = -INFINITE;
        let mut beta = INFINITE;
        let mut delta = 14 + previous.saturating_mul(previous) / 16_000;
        let narrow =
            depth >= ASPIRATION_DEPTH && !self.shared.plain && previous.abs() <= ASPIRATION_LIMIT;
        if narrow {
            alpha = previous - delta;
            beta = previous + delta;
        }
        let mut fail_lows = 0;
        let mut fail_highs = 0;
        loop {
            let searched = (depth - fail_highs).max(1);
            let score = self.search_root(root, searched, alpha, beta, line);
            if self.aborted {
                return fail_lows;
            }
            self.root_moves[line..].sort_by_key(|r| std::cmp::Reverse(r.score));
            if score <= alpha && alpha > -INFINITE {
                self.report_bound(line, depth, Bound::Upper, score);
                self.candidate = None;
                beta = i32::midpoint(alpha, beta);
                alpha = (score - delta).max(-INFINITE);
                fail_lows += 1;
                fail_highs = 0;
            } else if score >= beta && beta < INFINITE {
                self.report_bound(line, depth, Bound::Lower, score);
                beta = (score + delta).min(INFINITE);
                fail_highs = if is_decisive(score) { 0 } else { (fail_highs + 1).min(3) };
            } else {
                return fail_lows;
            }
            delta += delta / 3;
            if score.abs() > ASPIRATION_LIMIT || delta > ASPIRATION_LIMIT {
                alpha = -INFINITE;
                beta = INFINITE;
            }
        }
    }

    /// Searches the root moves from `line` on.
    fn search_root(
        &mut self,
        root: &G::Pos,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        line: usize,
    ) -> i32 {
        let mut best = -INFINITE;
        for root_move in &mut self.root_moves[line..] {
            root_move.score = -INFINITE;
            root_move.bound = Bound::Upper;
        }
        // The root is a node like any other, except that it always has a move to play.
        self.memory.pv.clear(0);
        let eval = if root.is_forced() { crate::score::NONE } else { self.evaluate(root, None).1 };
        self.frame(0).eval = eval;
        if self.enter_node(0) {
            return 0;
        }
        for i in line..self.root_moves.len() {
            let m = self.root_moves[i].m;
            let number = i - line + 1;
            if let Some(control) = &mut self.control {
                control.report_move(self.root_depth, m, number);
            }
            let nodes_before = self.nodes;
            let reduction = self.root_reduction(root, m, depth, number);
            let child = self.play(root, m, 0);
            let mut score = -INFINITE;
            if self.shared.plain {
                score = -self.search::<true>(&child, 1, depth - 1, -beta, -alpha, false);
            } else {
                if number > 1 {
                    let reduced = depth - 1 - reduction;
                    score = -self.search::<false>(&child, 1, reduced, -alpha - 1, -alpha, true);
                    if score > alpha && reduction > 0 && !self.aborted {
                        score =
                            -self.search::<false>(&child, 1, depth - 1, -alpha - 1, -alpha, true);
                    }
                }
                if !self.aborted && (number == 1 || score > alpha) {
                    score = -self.search::<true>(&child, 1, depth - 1, -beta, -alpha, false);
                }
            }
            self.undo();
            if self.aborted {
                return 0;
            }
            let sel_depth = self.sel_depth;
            let spent = self.nodes - nodes_before;
            let tail = self.memory.pv.line(1);
            let root_move = &mut self.root_moves[i];
            root_move.nodes += spent;
            if score > best {
                best = score;
            }
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.sel_depth = sel_depth;
                root_move.bound = Bound::of(score, alpha, beta);
                if score > alpha {
                    root_move.pv.truncate(1);
                    root_move.pv.extend_from_slice(tail);
                    alpha = score;
                    if line == 0 {
                        self.candidate = Some(Line {
                            pv: root_move.pv.clone(),
                            score,
                            bound: root_move.bound,
                            depth: self.root_depth,
                            sel_depth,
                        });
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Plies by which a late root move is reduced at first.
    fn root_reduction(&self, root: &G::Pos, m: MoveOf<G>, depth: i32, number: usize) -> i32 {
        let params = &G::Policy::params();
        if depth < params.lmr_depth.max(3)
            || number <= params.lmr_from[1]
            || root.is_forced()
            || root.is_tactical(m)
            || G::Policy::is_critical(root, m)
        {
            return 0;
        }
        (self.base_reduction(depth, number) / 1024 - 1).clamp(0, depth - 2)
    }

    /// After an interruption: the unfinished iteration counts if it found something.
    fn adopt_candidate(&mut self, lines: usize) {
        let Some(candidate) = self.candidate.take() else { return };
        let changed = self.line.as_ref().is_none_or(|line| {
            line.pv.first() != candidate.pv.first() || candidate.bound == Bound::Exact
        });
        if changed {
            let best = candidate.pv.first().copied();
            self.line = Some(candidate);
            self.report_line();
            self.report_others(best, lines);
        }
    }

    /// Shows the lines of the last finished iteration behind a new best one: otherwise its move
    /// would stand twice, and one of theirs not at all.
    fn report_others(&mut self, best: Option<MoveOf<G>>, lines: usize) {
        let mut others: Vec<Line<MoveOf<G>>> = self
            .root_moves
            .iter()
            .filter(|r| r.settled > -INFINITE && Some(r.m) != best)
            .map(|r| Line {
                pv: r.pv.clone(),
                score: r.settled,
                bound: Bound::Exact,
                depth: self.completed,
                sel_depth: r.sel_depth,
            })
            .collect();
        others.sort_by_key(|line| std::cmp::Reverse(line.score));
        for (line, number) in others.iter().zip(2..=lines) {
            self.report(line, number);
        }
    }

    fn info(&self, line: &Line<MoveOf<G>>, multi_pv: usize) -> Option<SearchInfo<MoveOf<G>>> {
        let control = self.control.as_ref()?;
        let score = Score(if self.shared.drawn { Score::DRAW.0 } else { line.score });
        Some(SearchInfo {
            depth: line.depth.unsigned_abs(),
            sel_depth: line.sel_depth.max(line.pv.len()) as u32,
            multi_pv,
            score,
            bound: line.bound,
            wdl: wdl(score, G::Policy::params().wdl),
            nodes: self.total_nodes(),
            time: control.elapsed(),
            hash_full: self.shared.table.hash_full(),
            table_hits: self.shared.root_hits + self.total_table_hits(),
            pv: line.pv.clone(),
        })
    }

    fn report(&mut self, line: &Line<MoveOf<G>>, multi_pv: usize) {
        let info = self.info(line, multi_pv);
        if let (Some(control), Some(info)) = (&mut self.control, info) {
            control.report(&info);
        }
    }

    /// Shows the best line.
    pub(crate) fn report_line(&mut self) {
        if let Some(line) = self.line.clone() {
            self.report(&line, 1);
        }
    }

    /// The last report on the best line.
    pub(crate) fn last_info(&self) -> Option<SearchInfo<MoveOf<G>>> {
        self.line.as_ref().and_then(|line| self.info(line, 1))
    }

    /// Shows the best lines of a finished iteration.
    fn report_lines(&mut self, lines: usize, depth: i32) {
        if !self.is_main() {
            return;
        }
        for i in 0..lines {
            let Some(line) = self.root_line(i, depth, Bound::Exact) else { return };
            self.report(&line, i + 1);
        }
    }

    /// Shows a bound, in long searches.
    fn report_bound(&mut self, line: usize, depth: i32, bound: Bound, score: i32) {
        if self.control.as_ref().is_some_and(Control::is_long)
            && let Some(mut shown) = self.root_line(line, depth, bound)
        {
            shown.score = score;
            self.report(&shown, line + 1);
        }
    }

    fn root_line(&self, index: usize, depth: i32, bound: Bound) -> Option<Line<MoveOf<G>>> {
        self.root_moves.get(index).map(|r| Line {
            pv: r.pv.clone(),
            score: r.score,
            bound,
            depth,
            sel_depth: r.sel_depth,
        })
    }
}
