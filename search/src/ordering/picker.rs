//! Hands out the moves of a node one by one, the promising first, and generates no more of them
//! than are asked for.

use arrayvec::ArrayVec;
use movegen::{MAX_MOVES, MoveList, Position};

use super::{Histories, Past};
use crate::policy::SearchPolicy;

/// In a list of all moves, tactical ones are raised by this above quiet ones.
const TACTICAL_FIRST: i32 = 1 << 20;

/// The lists of one node. They are big, so they live in a pool instead of on the stack.
#[derive(Clone, Debug)]
pub(crate) struct Lists<M: Copy> {
    moves: MoveList<M>,
    scores: ArrayVec<i32, MAX_MOVES>,
    /// Quiet moves that were searched.
    pub(crate) quiets_tried: ArrayVec<M, 64>,
    /// Tactical moves that were searched.
    pub(crate) tacticals_tried: ArrayVec<M, 32>,
}

impl<M: Copy> Default for Lists<M> {
    fn default() -> Self {
        Self {
            moves: ArrayVec::new(),
            scores: ArrayVec::new(),
            quiets_tried: ArrayVec::new(),
            tacticals_tried: ArrayVec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    GenerateTactical,
    GoodTactical,
    Killer,
    GenerateQuiet,
    Quiet,
    BadTactical,
    /// One list of all moves.
    All,
    Done,
}

/// What the scores of a node's moves depend on beside the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) histories: &'a Histories,
    pub(crate) past: &'a Past,
}

/// The picker of one node.
#[derive(Debug)]
pub(crate) struct Picker<M: Copy> {
    /// The node's lists.
    pub(crate) lists: Box<Lists<M>>,
    stage: Stage,
    table_move: Option<M>,
    killer: Option<M>,
    /// Exchange result below which a tactical move is bad.
    see_threshold: i32,
    /// Next move to look at.
    index: usize,
    /// Bad tactical moves are collected at the front of the list: this many.
    bad: usize,
    tactical_only: bool,
    /// No more quiet moves are wanted.
    pub(crate) skip_quiets: bool,
    /// The move just handed out is a tactical one that loses material.
    pub(crate) is_bad_tactical: bool,
}

impl<M: movegen::GameMove> Picker<M> {
    /// All moves, in stages.
    pub(crate) fn staged(
        mut lists: Box<Lists<M>>,
        table_move: Option<M>,
        killer: Option<M>,
    ) -> Self {
        lists.moves.clear();
        lists.scores.clear();
        lists.quiets_tried.clear();
        lists.tacticals_tried.clear();
        Self {
            lists,
            stage: Stage::TableMove,
            table_move,
            killer,
            see_threshold: 0,
            index: 0,
            bad: 0,
            tactical_only: false,
            skip_quiets: false,
            is_bad_tactical: false,
        }
    }

    /// Tactical moves that win at least `see_threshold` by exchanges.
    pub(crate) fn tactical<P: Position<Move = M>>(
        lists: Box<Lists<M>>,
        position: &P,
        table_move: Option<M>,
        see_threshold: i32,
    ) -> Self {
        let table_move = table_move.filter(|&m| position.is_tactical(m));
        let mut picker = Self::staged(lists, table_move, None);
        picker.tactical_only = true;
        picker.see_threshold = see_threshold;
        picker
    }

    /// All moves in one list, generated at once.
    pub(crate) fn all<P: Position<Move = M>, S: SearchPolicy<P>>(
        lists: Box<Lists<M>>,
        position: &P,
        table_move: Option<M>,
        context: Context<'_>,
    ) -> Self {
        let mut picker = Self::staged(lists, table_move, None);
        position.generate(&mut picker.lists.moves);
        for i in 0..picker.lists.moves.len() {
            let m = picker.lists.moves[i];
            let score = if Some(m) == table_move {
                i32::MAX
            } else if position.is_tactical(m) {
                TACTICAL_FIRST + tactical_score::<P, S>(position, m, context)
            } else {
                quiet_score::<P, S>(position, m, context)
            };
            picker.lists.scores.push(score);
        }
        picker.stage = Stage::All;
        picker
    }

    /// Number of moves, if they were generated at once.
    pub(crate) fn count_if_known(&self) -> Option<usize> {
        (self.stage == Stage::All).then(|| self.lists.moves.len())
    }

    /// The next move.
    pub(crate) fn next<P: Position<Move = M>, S: SearchPolicy<P>>(
        &mut self,
        position: &P,
        context: Context<'_>,
    ) -> Option<M> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateTactical;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateTactical => {
                    position.generate_tactical(&mut self.lists.moves);
                    for i in 0..self.lists.moves.len() {
                        let m = self.lists.moves[i];
                        self.lists.scores.push(tactical_score::<P, S>(position, m, context));
                    }
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => {
                    while let Some(m) = self.select() {
                        if Some(m) == self.table_move {
                            continue;
                        }
                        if S::see_ge(position, m, self.see_threshold) {
                            return Some(m);
                        }
                        self.lists.moves[self.bad] = m;
                        self.bad += 1;
                    }
                    self.stage = if self.tactical_only { Stage::Done } else { Stage::Killer };
                }
                Stage::Killer => {
                    self.stage = Stage::GenerateQuiet;
                    let killer = self.killer.filter(|&m| {
                        Some(m) != self.table_move
                            && position.is_legal(m)
                            && !position.is_tactical(m)
                    });
                    self.killer = killer;
                    if killer.is_some() && !self.skip_quiets {
                        return killer;
                    }
                }
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        position.generate_quiet(&mut self.lists.moves);
                        for i in self.index..self.lists.moves.len() {
                            let m = self.lists.moves[i];
                            self.lists.scores.push(quiet_score::<P, S>(position, m, context));
                        }
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while !self.skip_quiets
                        && let Some(m) = self.select()
                    {
                        if Some(m) != self.table_move && Some(m) != self.killer {
                            return Some(m);
                        }
                    }
                    self.index = 0;
                    self.stage = Stage::BadTactical;
                }
                Stage::BadTactical => {
                    if self.index < self.bad {
                        self.index += 1;
                        self.is_bad_tactical = true;
                        return Some(self.lists.moves[self.index - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::All => {
                    let m = self.select();
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of the moves not yet looked at.
    #[inline]
    fn select(&mut self) -> Option<M> {
        let Lists { moves, scores, .. } = &mut *self.lists;
        let start = self.index;
        let mut best = start;
        let mut best_score = *scores.get(start)?;
        for (i, &score) in scores.iter().enumerate().skip(start + 1) {
            if score > best_score {
                best = i;
                best_score = score;
            }
        }
        moves.swap(start, best);
        scores.swap(start, best);
        self.index += 1;
        Some(moves[start])
    }
}

#[inline]
fn tactical_score<P: Position, S: SearchPolicy<P>>(
    position: &P,
    m: P::Move,
    context: Context<'_>,
) -> i32 {
    16 * S::tactical_score(position, m) + context.histories.tactical::<P, S>(position, m)
}

#[inline]
fn quiet_score<P: Position, S: SearchPolicy<P>>(
    position: &P,
    m: P::Move,
    context: Context<'_>,
) -> i32 {
    let place = context.histories.place(position, m, context.past);
    context.histories.quiet(place, context.past) + S::quiet_bonus(position, m)
}
