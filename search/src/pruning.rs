//! Ways to do without a search: settling a node by its evaluation or a shallow proof, leaving
//! moves out, telling how much better than the others a move is.

use movegen::{Countdown, Position};

use crate::game::{Game, MoveOf};
use crate::ordering::{NO_ROW, Past, Picker};
use crate::params::ProbCut;
use crate::policy::SearchPolicy;
use crate::score::{DECISIVE, is_decisive};
use crate::tt::Entry;
use crate::worker::Worker;
use crate::{Bound, Score};

/// With this many plies left on a clock or fewer, static pruning is off.
const PRUNING_STOPS_AT: u16 = 12;
/// ... and null moves.
const NULL_STOPS_AT: u16 = 16;

/// What is known about a node before its moves are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) key: u64,
    pub(crate) clock: Countdown,
    pub(crate) entry: Option<Entry>,
    pub(crate) raw: i32,
    /// Static evaluation with the count; `NONE` if the mover is forced.
    pub(crate) eval: i32,
    /// `eval`, or a better guess from the table.
    pub(crate) guess: i32,
    pub(crate) forced: bool,
    /// Free to choose, but not quiet: see [`SearchPolicy::threatened`].
    pub(crate) threatened: bool,
    pub(crate) improving: bool,
    /// One side has no hope of winning, or a mate was asked for: only a mate helps, and
    /// evaluations prove nothing.
    pub(crate) mate_decides: bool,
    pub(crate) cut_node: bool,
}

impl Node {
    /// Whether moves may be left out unseen: not close to a count.
    pub(crate) fn may_prune(&self, depth: i32) -> bool {
        self.clock.remaining > PRUNING_STOPS_AT
            && !(self.mate_decides && i32::from(self.clock.remaining) < 2 * depth)
    }

    /// Whether a null move says anything: not close to a count, where a tempo decides.
    fn may_pass(&self) -> bool {
        self.clock.remaining > NULL_STOPS_AT
    }
}

impl<G: Game> Worker<'_, G> {
    /// Tries to settle a node without looking at all its moves.
    pub(crate) fn prune_node(
        &mut self,
        position: &G::Pos,
        node: &Node,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let params = &G::Policy::params();
        if is_decisive(beta)
            || self.frame_at(ply).probing
            || !node.may_prune(depth)
            || node.mate_decides
            || node.threatened
        {
            return None;
        }
        let (eval, guess) = (node.eval, node.guess);

        // Razoring: so bad that only a capture could help.
        if depth <= params.razor_depth
            && eval + params.razor_base + params.razor_per_ply * depth * depth < alpha
            && !(alpha < Score::DRAW.0 && G::Policy::has_desperado(position))
        {
            let score = self.quiescence::<false>(position, ply, alpha, alpha + 1, 0);
            if self.aborted || (score <= alpha && !is_decisive(score)) {
                return Some(score);
            }
        }

        // Reverse futility: so good that a margin per ply may be given away.
        if depth <= params.rfp_depth
            && guess - params.rfp_per_ply * (depth - i32::from(node.improving)) >= beta
            && !is_decisive(guess)
        {
            return Some((guess + beta) / 2);
        }

        if let Some(score) = self.try_null_move(position, node, ply, depth, beta) {
            return Some(score);
        }

        match params.prob_cut {
            ProbCut::Tactical { from_depth, margin } if depth >= from_depth => {
                self.prob_cut_tactical(position, node, ply, depth, beta + margin)
            }
            ProbCut::SamePosition { from_depth, per_ply } if depth >= from_depth => {
                let margin = per_ply * depth;
                let target = beta + margin;
                if target >= DECISIVE || guess < beta {
                    return None;
                }
                self.frame(ply).probing = true;
                let shallow = depth * 2 / 5;
                let score =
                    self.search::<false>(position, ply, shallow, target - 1, target, node.cut_node);
                self.frame(ply).probing = false;
                if self.aborted {
                    return Some(0);
                }
                (score >= target && !is_decisive(score)).then_some(score - margin)
            }
            _ => None,
        }
    }

    /// If passing is good enough, a move will be too (unless in zugzwang).
    fn try_null_move(
        &mut self,
        position: &G::Pos,
        node: &Node,
        ply: usize,
        depth: i32,
        beta: i32,
    ) -> Option<i32> {
        let params = &G::Policy::params();
        let after_null = ply.checked_sub(1).is_some_and(|p| self.frame_at(p).row == NO_ROW);
        if !params.null_move
            || depth < 2
            || after_null
            || !(node.cut_node || params.null_at_all_nodes)
            || ply < self.null_from_ply
            || !node.may_pass()
            || node.guess < beta
            || node.eval < beta + params.null_margin - params.null_per_ply * depth
            || !G::Policy::may_pass(position)
        {
            return None;
        }
        let surplus = ((node.guess - beta) / params.null_surplus).clamp(0, 3);
        let reduction = params.null_base + depth / params.null_depth + surplus;
        let child = self.play_null(position, ply);
        let score = -self.search::<false>(
            &child,
            ply + 1,
            depth - reduction,
            -beta,
            1 - beta,
            !node.cut_node,
        );
        self.undo();
        if self.aborted {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        // A mate threat found by passing is no proof.
        let score = if is_decisive(score) { beta } else { score };
        if depth < 12 || self.null_from_ply > 0 {
            return Some(score);
        }
        // At high depth a wrong cutoff is dear: see whether it holds without null moves.
        let verified = depth - reduction;
        self.null_from_ply = ply + (3 * verified.max(0) / 4) as usize;
        let check = self.search::<false>(position, ply, verified, beta - 1, beta, false);
        self.null_from_ply = 0;
        if self.aborted {
            return Some(0);
        }
        (check >= beta).then_some(score)
    }

    /// A tactical move that beats `target` in a shallow search will beat beta in a deep one.
    fn prob_cut_tactical(
        &mut self,
        position: &G::Pos,
        node: &Node,
        ply: usize,
        depth: i32,
        target: i32,
    ) -> Option<i32> {
        if target >= DECISIVE
            || node.entry.is_some_and(|e| {
                e.depth >= depth - 3
                    && e.score < target
                    && matches!(e.bound, Some(Bound::Upper | Bound::Exact))
            })
        {
            return None;
        }
        let table_move = node.entry.and_then(|e| position.move_from_tag(e.tag));
        let lists = self.take_lists();
        let mut picker = Picker::tactical(lists, position, table_move, target - node.eval);
        let mut found = None;
        while let Some(m) = picker.next::<G::Pos, G::Policy>(position, self.context(&Past::NONE)) {
            let child = self.play(position, m, ply);
            let mut score = -self.quiescence::<false>(&child, ply + 1, -target, 1 - target, 0);
            if score >= target && !self.aborted {
                let shallow = depth - 4;
                score = -self.search::<false>(
                    &child,
                    ply + 1,
                    shallow,
                    -target,
                    1 - target,
                    !node.cut_node,
                );
            }
            self.undo();
            if self.aborted {
                found = Some(0);
                break;
            }
            if score >= target && !is_decisive(score) {
                let bound = Some(Bound::Lower);
                self.store(
                    node.key,
                    ply,
                    node.clock,
                    Some(m),
                    score,
                    node.raw,
                    depth - 3,
                    bound,
                    false,
                );
                found = Some(score);
                break;
            }
        }
        self.give_lists(picker.lists);
        found
    }

    /// Whether a move may be left out although nothing is known about it but its looks.
    #[expect(clippy::too_many_arguments, reason = "one step of the move loop")]
    #[inline]
    pub(crate) fn skip_move(
        &self,
        position: &G::Pos,
        node: &Node,
        m: MoveOf<G>,
        number: usize,
        depth: i32,
        reduced: i32,
        alpha: i32,
        best: i32,
    ) -> bool {
        let params = &G::Policy::params();
        if position.is_tactical(m) {
            return params.see_tactical > 0
                && depth <= 6
                && !G::Policy::see_ge(position, m, -params.see_tactical * depth * depth);
        }
        if G::Policy::is_critical(position, m) {
            return false;
        }
        // Late moves, unless all so far have lost something: the one that does not may come last.
        let late = depth <= params.lmp_depth
            && best + params.lmp_loss > node.eval
            && number as i32 > (params.lmp_base + depth * depth) / (2 - i32::from(node.improving));
        // Futility: the evaluation is too far below alpha for a quiet move.
        let futile = !node.mate_decides
            && reduced <= params.futility_depth
            && !is_decisive(alpha)
            && node.eval + params.futility_base + params.futility_per_ply * reduced <= alpha;
        if (late || futile) && !G::Policy::is_forcing(position, m) {
            return true;
        }
        // Moves that give a man away; but a mate may begin with that, if it leaves no choice.
        params.see_quiet > 0
            && reduced <= 8
            && !G::Policy::see_ge(position, m, -params.see_quiet * reduced)
            && !G::Policy::corners(position, m, params.check_replies)
    }

    /// Looks whether the table move is much better than all others.
    pub(crate) fn singular<const PV: bool>(
        &mut self,
        position: &G::Pos,
        node: &Node,
        ply: usize,
        depth: i32,
        beta: i32,
        m: MoveOf<G>,
    ) -> Singular {
        let params = &G::Policy::params();
        let Some(entry) = node.entry else { return Singular::Extend(0) };
        if params.singular_depth == 0
            || depth < params.singular_depth
            || entry.depth < depth - 3
            || !matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            || is_decisive(entry.score)
        {
            return Singular::Extend(0);
        }
        let target = entry.score - params.singular_per_ply * depth;
        self.frame(ply).excluded = Some(m);
        let score =
            self.search::<false>(position, ply, (depth - 1) / 2, target - 1, target, node.cut_node);
        self.frame(ply).excluded = None;
        if self.aborted {
            return Singular::Extend(0);
        }
        if score < target {
            return Singular::Extend(1 + i32::from(!PV && score < target - params.singular_double));
        }
        if !PV && target >= beta && !is_decisive(score) {
            // Even without its best move the node beats beta.
            return Singular::Cut(target);
        }
        Singular::Extend(if entry.score >= beta {
            -params.negative_extension
        } else {
            -i32::from(node.cut_node)
        })
    }
}

/// What the singular search says.
pub(crate) enum Singular {
    /// Extend the table move by this many plies.
    Extend(i32),
    /// The node fails high anyway.
    Cut(i32),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(remaining: u16, mate_decides: bool) -> Node {
        Node {
            key: 0,
            clock: Countdown { regime: 1, remaining },
            entry: None,
            raw: 0,
            eval: 0,
            guess: 0,
            forced: false,
            threatened: false,
            improving: false,
            mate_decides,
            cut_node: true,
        }
    }

    #[test]
    fn nothing_is_left_out_near_a_count() {
        for depth in 1..40 {
            assert!(!node(PRUNING_STOPS_AT, false).may_prune(depth));
            assert!(node(PRUNING_STOPS_AT + 1, false).may_prune(depth));
        }
        // Where only a mate helps, the whole count must be within reach.
        assert!(!node(19, true).may_prune(10));
        assert!(node(20, true).may_prune(10));
        assert!(node(Countdown::UNLIMITED, true).may_prune(100));
    }

    #[test]
    fn nobody_passes_near_a_count() {
        assert!(!node(NULL_STOPS_AT, false).may_pass());
        assert!(node(NULL_STOPS_AT + 1, false).may_pass());
    }
}
