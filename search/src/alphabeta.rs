//! Principal variation search.

use movegen::Position;

use crate::count::tt_key;
use crate::eval::Evaluator as _;
use crate::game::{Game, MoveOf};
use crate::ordering::{Past, Picker, bonus, malus};
use crate::policy::SearchPolicy;
use crate::pruning::{Node, Singular};
use crate::quiescence::{cutoff, refine};
use crate::score::{DECISIVE, INFINITE, NONE, mate_in, mated_in};
use crate::worker::{Worker, no_moves_score};
use crate::{Bound, Score};

/// One ply in the units of reductions.
const PLY: i32 = 1024;
impl<G: Game> Worker<'_, G> {
    /// The value of `position`, `ply` plies from the root, searched `depth` plies deep with the
    /// window `(alpha, beta)`; fail-soft. `cut_node`: a fail high is expected. Meaningless once
    /// `aborted` is set.
    pub(crate) fn search<const PV: bool>(
        &mut self,
        position: &G::Pos,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 && !self.shared.plain {
            return self.quiescence::<PV>(position, ply, alpha, beta, 0);
        }
        self.memory.pv.clear(ply);
        if self.enter_node(ply) {
            return 0;
        }
        let clock = position.countdown();
        if let Some(score) = self.rule_score(position, ply, clock) {
            return score;
        }
        if self.shared.plain {
            return self.search_plain(position, ply, depth, alpha, beta);
        }
        if let Some(score) = self.table_score(position, ply) {
            return score;
        }
        if ply >= Score::MAX_PLY as usize {
            return self.evaluate(position, None).1;
        }

        // No result can be better than mate on the next ply or worse than mate here, and a side
        // that cannot win gets at most a draw.
        let mut floor = mated_in(ply);
        let mut ceiling = mate_in(ply + 1);
        let us = position.side_to_move();
        let hopeless = G::Policy::cannot_win(position, us);
        let safe = G::Policy::cannot_win(position, us.opposite());
        if hopeless {
            ceiling = Score::DRAW.0;
        }
        if safe {
            floor = Score::DRAW.0;
        }
        let (alpha, beta) = (alpha.max(floor), beta.min(ceiling));
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.frame_at(ply).excluded;
        let key = tt_key(position.key(), clock);
        let entry = if excluded.is_some() { None } else { self.probe(key, ply, clock) };
        let deep_enough = entry.as_ref().filter(|e| e.depth >= depth);
        if !PV && let Some(score) = cutoff(deep_enough, alpha, beta) {
            return score;
        }

        let forced = position.is_forced();
        let (raw, eval) = if forced {
            (NONE, NONE)
        } else if excluded.is_some() {
            (NONE, self.frame_at(ply).eval)
        } else {
            self.evaluate(position, entry.as_ref())
        };
        self.frame(ply).eval = eval;
        if let Some(next) = ply.checked_add(2) {
            self.frame(next).killer = None;
        }
        let depth =
            if excluded.is_some() { depth } else { depth + self.hindsight(ply, depth, eval) };
        let node = Node {
            key,
            clock,
            entry,
            raw,
            eval,
            guess: if forced { NONE } else { refine(eval, entry.as_ref()) },
            forced,
            threatened: !forced && G::Policy::threatened(position),
            improving: !forced && self.improving(ply, eval),
            mate_decides: hopeless || safe || self.shared.mate_wanted,
            cut_node,
        };
        if !PV
            && !forced
            && excluded.is_none()
            && let Some(score) = self.prune_node(position, &node, ply, depth, alpha, beta)
        {
            return score;
        }
        if self.aborted {
            return 0;
        }
        let score = self.search_moves::<PV>(position, &node, ply, depth, alpha, beta);
        score.clamp(floor, ceiling.max(floor))
    }

    /// Plies to add because the move that led here was reduced too much or too little, as far as
    /// the static evaluations of both sides tell.
    fn hindsight(&self, ply: usize, depth: i32, eval: i32) -> i32 {
        let Some(before) = ply.checked_sub(1).map(|before| self.frame_at(before)) else { return 0 };
        if !G::Policy::params().hindsight || eval == NONE || before.eval == NONE {
            return 0;
        }
        // Both sides together think that they stand so much better than equal.
        let surplus = before.eval + eval;
        match before.reduced_by {
            3.. if surplus <= 0 => 1,
            2.. if surplus > 150 && depth >= 2 => -1,
            _ => 0,
        }
    }

    /// Whether the static evaluation has risen since the mover's last turn (or the one before).
    fn improving(&self, ply: usize, eval: i32) -> bool {
        [2, 4]
            .into_iter()
            .filter_map(|back| ply.checked_sub(back))
            .map(|earlier| self.frame_at(earlier).eval)
            .find(|&earlier| earlier != NONE)
            .is_some_and(|earlier| eval > earlier)
    }

    /// Searches the moves of a node.
    fn search_moves<const PV: bool>(
        &mut self,
        position: &G::Pos,
        node: &Node,
        ply: usize,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let params = &G::Policy::params();
        let excluded = self.frame_at(ply).excluded;
        let table_move = node.entry.and_then(|e| position.move_from_tag(e.tag));
        let table_tactical = table_move.is_some_and(|m| position.is_tactical(m));
        let was_pv = PV || node.entry.is_some_and(|e| e.pv);
        // Without a move to begin with, a shallower search is the better investment.
        if depth >= 4 && table_move.is_none() && excluded.is_none() && (PV || node.cut_node) {
            depth -= 1;
        }

        let past = &self.past(position, ply);
        let killer = self.frame_at(ply).killer;
        let lists = self.take_lists();
        let mut picker = if node.forced || !params.staged {
            let context = self.context(past);
            Picker::all::<G::Pos, G::Policy>(lists, position, table_move, context)
        } else {
            Picker::staged(lists, table_move, killer)
        };
        let lone_reply = params.single_reply_extension
            && excluded.is_none()
            && picker.count_if_known() == Some(1)
            && self.may_extend(ply);

        let alpha_before = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut desperado = None;
        while let Some(m) = picker.next::<G::Pos, G::Policy>(position, self.context(past)) {
            if Some(m) == excluded {
                continue;
            }
            number += 1;
            let tactical = position.is_tactical(m);
            let history = if tactical {
                self.memory.histories.tactical::<G::Pos, G::Policy>(position, m)
            } else {
                let histories = &self.memory.histories;
                histories.quiet(histories.place(position, m, past), past)
            };
            let mut reduction = self.base_reduction(depth, number);

            // Moves that are not worth a search, once one move is known to survive.
            if best > -DECISIVE && !node.forced && !node.threatened && node.may_prune(depth) {
                let reduced = (depth - reduction / PLY).max(0);
                if self.skip_move(position, node, m, number, depth, reduced, alpha, best) {
                    // Whoever is losing may want to lose his last piece.
                    let saving = alpha < Score::DRAW.0
                        && *desperado.get_or_insert_with(|| G::Policy::has_desperado(position))
                        && G::Policy::offers_stalemate(position, m);
                    if !saving {
                        continue;
                    }
                }
            }

            let mut extension = i32::from(lone_reply);
            if Some(m) == table_move && excluded.is_none() && self.may_extend(ply) {
                match self.singular::<PV>(position, node, ply, depth, beta, m) {
                    Singular::Extend(plies) => extension = extension.max(plies),
                    Singular::Cut(score) => {
                        self.give_lists(picker.lists);
                        return score;
                    }
                }
            }
            if self.aborted {
                self.give_lists(picker.lists);
                return 0;
            }

            let child = self.play(position, m, ply);
            let mut new_depth = depth - 1 + extension;
            let from = params.lmr_from[usize::from(PV)];
            let mut score;
            if depth >= params.lmr_depth
                && number >= from
                && (!tactical || picker.is_bad_tactical)
                && (params.reduce_forced || !(node.forced || child.is_forced()))
            {
                reduction += if node.cut_node { params.lmr_cut_node } else { 0 };
                reduction += if node.improving { 0 } else { params.lmr_not_improving };
                reduction -= if was_pv { params.lmr_pv } else { 0 };
                reduction -= if child.is_forced() { params.lmr_forcing } else { 0 };
                reduction -= if Some(m) == killer { params.lmr_killer } else { 0 };
                reduction += if table_tactical { params.lmr_table_tactical } else { 0 };
                reduction -= history * PLY / params.lmr_history;
                if G::Policy::is_critical(position, m) {
                    reduction = reduction.min(PLY);
                }
                let reduced =
                    (new_depth - reduction.max(0) / PLY).clamp(1.min(new_depth), new_depth);
                self.frame(ply).reduced_by = new_depth - reduced;
                score = -self.search::<false>(&child, ply + 1, reduced, -alpha - 1, -alpha, true);
                self.frame(ply).reduced_by = 0;
                if score > alpha && reduced < new_depth && !self.aborted {
                    new_depth += i32::from(score > best + params.lmr_deeper + 2 * new_depth);
                    new_depth -= i32::from(score < best + 8);
                    if reduced < new_depth {
                        score = -self.search::<false>(
                            &child,
                            ply + 1,
                            new_depth,
                            -alpha - 1,
                            -alpha,
                            !node.cut_node,
                        );
                    }
                }
            } else if !PV || number > 1 {
                let cut = !node.cut_node;
                score = -self.search::<false>(&child, ply + 1, new_depth, -alpha - 1, -alpha, cut);
            } else {
                score = -INFINITE;
            }
            if PV && !self.aborted && (number == 1 || score > alpha) {
                score = -self.search::<true>(&child, ply + 1, new_depth, -beta, -alpha, false);
            }
            self.undo();
            if self.aborted {
                self.give_lists(picker.lists);
                return 0;
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.memory.pv.update(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(m) != best_move {
                let lists = &mut picker.lists;
                let _ = if tactical {
                    lists.tacticals_tried.try_push(m).is_ok()
                } else {
                    lists.quiets_tried.try_push(m).is_ok()
                };
            }
        }

        if number == 0 {
            self.give_lists(picker.lists);
            // Everything but the excluded move: nothing else is as good.
            return if excluded.is_some() { alpha } else { no_moves_score(position, ply) };
        }
        if best >= beta
            && let Some(m) = best_move
        {
            self.reward(position, past, ply, depth, m, &picker);
        }
        self.give_lists(picker.lists);
        if excluded.is_none() {
            let bound = Bound::of(best, alpha_before, beta);
            let (key, clock, raw) = (node.key, node.clock, node.raw);
            self.store(key, ply, clock, best_move, best, raw, depth, Some(bound), was_pv);
        }
        best
    }

    /// Whether there is room for an extension: none may run away.
    fn may_extend(&self, ply: usize) -> bool {
        ply < 2 * self.root_depth.max(0) as usize
    }

    /// Remembers a cutoff in the histories.
    fn reward(
        &mut self,
        position: &G::Pos,
        past: &Past,
        ply: usize,
        depth: i32,
        m: MoveOf<G>,
        picker: &Picker<MoveOf<G>>,
    ) {
        let histories = &mut self.memory.histories;
        if position.is_tactical(m) {
            histories.update_tactical::<G::Pos, G::Policy>(position, m, bonus(depth));
        } else {
            histories.update_quiet(histories.place(position, m, past), past, bonus(depth));
            for &tried in &picker.lists.quiets_tried {
                let place = histories.place(position, tried, past);
                histories.update_quiet(place, past, -malus(depth));
            }
            self.frame(ply).killer = Some(m);
        }
        let histories = &mut self.memory.histories;
        for &tried in &picker.lists.tacticals_tried {
            histories.update_tactical::<G::Pos, G::Policy>(position, tried, -malus(depth));
        }
    }

    /// Alpha-beta and nothing else, down to static evaluations: what tests compare with.
    fn search_plain(
        &mut self,
        position: &G::Pos,
        ply: usize,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return no_moves_score(position, ply);
        }
        if depth <= 0 || ply >= Score::MAX_PLY as usize {
            return self.memory.eval.evaluate(position);
        }
        let mut best = -INFINITE;
        for m in moves {
            let child = self.play(position, m, ply);
            let score = -self.search::<true>(&child, ply + 1, depth - 1, -beta, -alpha, false);
            self.undo();
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.memory.pv.update(ply, m);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }
}
