//! Quiescence: only moves that change the material, until the evaluation can be trusted.

use movegen::Position;

use crate::count::tt_key;
use crate::game::Game;
use crate::ordering::{Past, Picker};
use crate::policy::SearchPolicy;
use crate::score::{INFINITE, NONE, is_decisive};
use crate::tt::Entry;
use crate::worker::{Worker, no_moves_score};
use crate::{Bound, Score};

/// Depth under which entries of quiescence are stored.
const TT_DEPTH: i32 = 0;

impl<G: Game> Worker<'_, G> {
    /// The value of `position` once exchanges are over. `depth` is 0 at the horizon and falls.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        position: &G::Pos,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        let params = &G::Policy::params();
        self.memory.pv.clear(ply);
        if self.enter_node(ply) {
            return 0;
        }
        let clock = position.countdown();
        if ply > 0
            && let Some(score) = self.rule_score(position, ply, clock)
        {
            return score;
        }
        if ply > 0
            && let Some(score) = self.table_score(position, ply)
        {
            return score;
        }
        if ply >= Score::MAX_PLY as usize {
            return self.evaluate(position, None).1;
        }

        let key = tt_key(position.key(), clock);
        let entry = self.probe(key, ply, clock);
        if !PV && let Some(score) = cutoff(entry.as_ref(), alpha, beta) {
            return score;
        }
        let table_move = entry.and_then(|e| position.move_from_tag(e.tag));
        let was_pv = PV || entry.is_some_and(|e| e.pv);

        let forced = position.is_forced();
        let (raw, eval) =
            if forced { (NONE, NONE) } else { self.evaluate(position, entry.as_ref()) };
        // A threatened side with a free choice is given one full ply at the horizon.
        let full = forced || (depth == 0 && G::Policy::threatened(position));
        let mut best = -INFINITE;
        if !full {
            if G::Policy::may_be_blocked(position) && !position.has_legal_move() {
                return no_moves_score(position, ply);
            }
            best = refine(eval, entry.as_ref());
            if best >= beta {
                if entry.is_none() {
                    let bound = Some(Bound::Lower);
                    self.store(key, ply, clock, None, best, raw, TT_DEPTH, bound, was_pv);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let past = &if full { self.past(position, ply) } else { Past::NONE };
        let lists = self.take_lists();
        let mut picker = if full {
            let context = self.context(past);
            Picker::all::<G::Pos, G::Policy>(lists, position, table_move, context)
        } else {
            Picker::tactical(lists, position, table_move, 0)
        };
        let mut best_move = None;
        let mut searched = 0;
        let alpha_before = alpha;
        while let Some(m) = picker.next::<G::Pos, G::Policy>(position, self.context(past)) {
            if best > -crate::score::DECISIVE {
                // A forced side needs one move that does not lose at once, not all of them.
                if full && searched > 0 && params.staged && !position.is_tactical(m) {
                    break;
                }
                if !full && params.delta > 0 {
                    let most = eval + params.delta + G::Policy::tactical_gain(position, m);
                    if most <= alpha && !is_decisive(alpha) {
                        best = best.max(most);
                        continue;
                    }
                }
            }
            let child = self.play(position, m, ply);
            searched += 1;
            let score = -self.quiescence::<PV>(&child, ply + 1, -beta, -alpha, depth - 1);
            self.undo();
            if self.aborted {
                self.give_lists(picker.lists);
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if PV {
                        self.memory.pv.update(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.give_lists(picker.lists);
        if full && searched == 0 {
            return no_moves_score(position, ply);
        }
        let bound = Bound::of(best, alpha_before, beta);
        self.store(key, ply, clock, best_move, best, raw, TT_DEPTH, Some(bound), was_pv);
        best
    }
}

/// The score of an entry if it decides the window.
#[inline]
pub(crate) fn cutoff(entry: Option<&Entry>, alpha: i32, beta: i32) -> Option<i32> {
    let entry = entry?;
    let decides = match entry.bound? {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    decides.then_some(entry.score)
}

/// The evaluation, replaced by the score of an entry where that says more.
#[inline]
pub(crate) fn refine(eval: i32, entry: Option<&Entry>) -> i32 {
    let Some(Entry { bound: Some(bound), score, .. }) = entry else { return eval };
    let better = match bound {
        Bound::Exact => true,
        Bound::Lower => *score > eval,
        Bound::Upper => *score < eval,
    };
    if better && !is_decisive(*score) { *score } else { eval }
}
