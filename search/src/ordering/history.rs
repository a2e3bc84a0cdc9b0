//! What earlier searches say about moves.

use movegen::{GameMove, Position};

use crate::policy::{SearchPolicy, TACTICAL_CLASSES};

/// Entries stay within this.
const LIMIT: i32 = 16_384;
/// Row of the continuation table when there is no earlier move.
pub(crate) const NO_ROW: usize = usize::MAX;

/// What the score of a quiet move depends on beside the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// Continuation rows of the moves one and two plies ago.
    pub(crate) rows: [usize; 2],
    /// Squares that the opponent attacks.
    pub(crate) attacked: u64,
}

impl Past {
    /// For nodes where no quiet move is scored.
    pub(crate) const NONE: Self = Self { rows: [NO_ROW; 2], attacked: 0 };
}

/// Where the histories keep a quiet move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    quiet: usize,
    /// Row of the continuation table.
    row: usize,
}

/// Gravity: the nearer an entry is to the limit, the less it moves.
#[inline(always)]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT).clamp(-LIMIT, LIMIT) as i16;
}

/// The reward for a cutoff at `depth`.
pub(crate) fn bonus(depth: i32) -> i32 {
    (300 * depth - 250).clamp(0, 2200)
}

/// The penalty for having been tried in vain before a cutoff at `depth`.
pub(crate) fn malus(depth: i32) -> i32 {
    (350 * depth - 200).clamp(0, 1500)
}

/// The histories of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    kinds: usize,
    /// `[color][from attacked][to attacked][from][to]`.
    quiet: Box<[i16]>,
    /// `[color][kind][to][class]`.
    tactical: Box<[i16]>,
    /// `[color][kind][to]` of the earlier move, then the same of the later one.
    continuation: Box<[i16]>,
}

impl Histories {
    /// Empty histories for a game with this many kinds of men.
    pub(crate) fn new(kinds: usize) -> Self {
        let rows = 2 * kinds * 64;
        let zeros = |n: usize| vec![0; n].into_boxed_slice();
        Self {
            kinds,
            quiet: zeros(2 * 4 * 64 * 64),
            tactical: zeros(rows * TACTICAL_CLASSES),
            continuation: zeros(rows * rows),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.tactical.fill(0);
        self.continuation.fill(0);
    }

    /// The row of a move in the continuation table.
    #[inline(always)]
    pub(crate) fn row<P: Position>(&self, position: &P, m: P::Move) -> usize {
        let color = position.side_to_move().index();
        (color * self.kinds + position.moved_piece(m)) * 64 + (m.to_index() & 63)
    }

    /// Where a quiet move is kept.
    #[inline(always)]
    pub(crate) fn place<P: Position>(&self, position: &P, m: P::Move, past: &Past) -> Place {
        let (from, to) = (m.from_index() & 63, m.to_index() & 63);
        let attacked = (past.attacked >> from & 1) << 1 | past.attacked >> to & 1;
        let color = position.side_to_move().index();
        Place {
            quiet: (color << 2 | attacked as usize) << 12 | from << 6 | to,
            row: self.row(position, m),
        }
    }

    #[inline(always)]
    fn rows(&self) -> usize {
        2 * self.kinds * 64
    }

    #[inline(always)]
    fn read(table: &[i16], index: usize) -> i32 {
        table.get(index).copied().map_or(0, i32::from)
    }

    /// Score of a quiet move.
    #[inline]
    pub(crate) fn quiet(&self, place: Place, past: &Past) -> i32 {
        let [one, two] = past.rows.map(|earlier| match earlier {
            NO_ROW => 0,
            _ => Self::read(&self.continuation, earlier * self.rows() + place.row),
        });
        Self::read(&self.quiet, place.quiet) + one + two
    }

    /// Score of a tactical move.
    #[inline]
    pub(crate) fn tactical<P: Position, S: SearchPolicy<P>>(
        &self,
        position: &P,
        m: P::Move,
    ) -> i32 {
        let class = S::tactical_class(position, m) & (TACTICAL_CLASSES - 1);
        Self::read(&self.tactical, self.row(position, m) * TACTICAL_CLASSES + class)
    }

    /// Rewards (or, with a negative bonus, punishes) a quiet move.
    pub(crate) fn update_quiet(&mut self, place: Place, past: &Past, bonus: i32) {
        if let Some(entry) = self.quiet.get_mut(place.quiet) {
            update(entry, bonus);
        }
        let rows = self.rows();
        for earlier in past.rows.into_iter().filter(|&row| row != NO_ROW) {
            if let Some(entry) = self.continuation.get_mut(earlier * rows + place.row) {
                update(entry, bonus);
            }
        }
    }

    /// Rewards or punishes a tactical move.
    pub(crate) fn update_tactical<P: Position, S: SearchPolicy<P>>(
        &mut self,
        position: &P,
        m: P::Move,
        bonus: i32,
    ) {
        let class = S::tactical_class(position, m) & (TACTICAL_CLASSES - 1);
        let index = self.row(position, m) * TACTICAL_CLASSES + class;
        if let Some(entry) = self.tactical.get_mut(index) {
            update(entry, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_entries_in_range() {
        let mut entry = 0;
        for step in 0..10_000 {
            update(&mut entry, if step < 5_000 { 2200 } else { -1500 });
            assert!(i32::from(entry).abs() <= LIMIT);
        }
        assert!(entry < 0);
    }

    #[test]
    fn rewards_grow_with_depth() {
        for depth in 1..20 {
            assert!(bonus(depth) >= bonus(depth - 1) && bonus(depth) > 0);
            assert!(malus(depth) >= malus(depth - 1) && malus(depth) > 0);
        }
    }
}
