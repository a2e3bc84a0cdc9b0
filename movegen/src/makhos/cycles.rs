//! Moves that lead back to an earlier position.

use super::{Board, Square, keys, king_reach};
use crate::Color;
use crate::cuckoo::Cuckoo;

/// Every move of a king between two squares.
static MOVES: Cuckoo = {
    let mut table = Cuckoo::EMPTY;
    let mut i = 0;
    while i < 2 * Square::COUNT {
        let (color, a) = (Color::ALL[i % 2], Square::wrap(i as u32 / 2));
        // Higher squares only: each pair once.
        let mut targets = king_reach(a, 0) & (!0 << a.index());
        while targets != 0 {
            let b = Square::wrap(targets.trailing_zeros());
            targets &= targets - 1;
            let difference =
                keys::piece(color, true, a) ^ keys::piece(color, true, b) ^ keys::BLACK_TO_MOVE;
            table.insert(difference, ((i % 2) << 12 | a.index() << 6 | b.index()) as u16);
        }
        i += 1;
    }
    table
};

impl Board {
    /// See [`Position::can_return_to`](crate::Position::can_return_to).
    #[inline]
    pub(super) fn returns_to(&self, earlier: u64) -> bool {
        let Some(bits) = MOVES.find(self.key ^ earlier) else { return false };
        let color = Color::ALL[usize::from(bits >> 12 & 1)];
        let (a, b) = (Square::wrap(u32::from(bits >> 6)), Square::wrap(u32::from(bits)));
        let kings = self.kings(color);
        let (from, to) = if kings & a.bit() != 0 { (a, b) } else { (b, a) };
        color == self.side
            && kings & from.bit() != 0
            && self.king_reach(from) & to.bit() != 0
            && !self.can_capture(color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_squares_is_there_once() {
        assert_eq!(MOVES.len(), 280);
    }
}
