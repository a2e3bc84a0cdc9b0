//! Moves that lead back to an earlier position.

use super::attacks::{khon_attacks, king_attacks, knight_attacks, met_attacks, rook_lines};
use super::men::Men;
use super::{Bitboard, Board, PieceType, Rules, Square, keys};
use crate::Color;
use crate::cuckoo::Cuckoo;

/// Every move between two squares of every man but pawns. Most can be made either way; which way a
/// khon steps ahead is looked at when a move is found.
static MOVES: Cuckoo = {
    let mut table = Cuckoo::EMPTY;
    let mut i = 0;
    while i < 2 * OFFICERS.len() {
        let (color, piece) = (Color::ALL[i % 2], OFFICERS[i / 2]);
        let mut a = 0;
        while a < 64 {
            // Higher squares only: each pair once.
            let mut targets = reach(color, piece, Square::from_index(a)).0 & (!0 << a);
            while targets != 0 {
                let b = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let difference = keys::man(color, piece, Square::from_index(a))
                    ^ keys::man(color, piece, Square::from_index(b))
                    ^ keys::SIDE;
                table.insert(difference, (i << 12 | a << 6 | b) as u16);
            }
            a += 1;
        }
        i += 1;
    }
    table
};

const OFFICERS: [PieceType; 5] =
    [PieceType::Met, PieceType::Khon, PieceType::Knight, PieceType::Rook, PieceType::King];

/// Squares from or to which the man moves on an empty board.
const fn reach(color: Color, piece: PieceType, square: Square) -> Bitboard {
    match piece {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Met => met_attacks(square),
        PieceType::Khon => {
            Bitboard(khon_attacks(color, square).0 | khon_attacks(color.opposite(), square).0)
        }
        PieceType::Knight => knight_attacks(square),
        PieceType::Rook => rook_lines(square),
        PieceType::King => king_attacks(square),
    }
}

impl<R: Rules> Board<R> {
    /// See [`Position::can_return_to`](crate::Position::can_return_to).
    #[inline]
    pub(super) fn returns_to(&self, earlier: u64) -> bool {
        let Some(bits) = MOVES.find(self.keys.full ^ earlier) else { return false };
        let (i, a, b) = (usize::from(bits >> 12), bits >> 6 & 63, bits & 63);
        let color = Color::ALL[i % 2];
        let (a, b) = (Square::from_index(a.into()), Square::from_index(b.into()));
        let piece = OFFICERS[i / 2 % OFFICERS.len()];
        let own = self.of(color, piece);
        let (from, to) = if own.has(a) { (a, b) } else { (b, a) };
        let occupied = self.occupied();
        color == self.turn()
            && own.has(from)
            && !occupied.has(to)
            && Men::attacks_of::<R>(color, piece, from, occupied).has(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_squares_is_there_once() {
        // King, knight, rook, met, khon's diagonals, khon's steps ahead: for both colors.
        let pairs = 210 + 168 + 448 + 98 + 98 + 56;
        assert_eq!(MOVES.len(), 2 * pairs);
    }
}
