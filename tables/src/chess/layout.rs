//! Where each position of a class stands in its table.

use arrayvec::ArrayVec;
use movegen::Color;
use movegen::chess::{Board, PieceType, Rules, Square};

use super::class::{Class, MAX_MEN};

/// A man of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) piece: PieceType,
}

/// Squares of the men of a class (0-63), in the order of [`Layout::men`]; the rest is 0.
pub(super) type Squares = [u8; MAX_MEN];

/// How a class is numbered: pawns first, then White's king (on files a-d: the board is mirrored),
/// Black's king, the other men; each a digit.
///
/// Not every number is a position: squares may coincide, and men that are alike stand in ascending
/// order in the one number of a position that is used.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    men: ArrayVec<Man, MAX_MEN>,
    /// What a step of each man's digit is worth.
    strides: [usize; MAX_MEN],
    /// First rank on which a pawn is counted, seen from its own side, and the number of ranks.
    pawn_ranks: (u8, u8),
    pawns: usize,
    len: usize,
}

/// Squares of the half of the board that White's king is kept on.
const HALF: usize = 32;

impl Layout {
    /// The numbering of `class` in the game `R`.
    pub(super) fn new<R: Rules>(class: &Class) -> Self {
        let pieces =
            |color: Color| class.pieces(color).iter().map(move |&piece| Man { color, piece });
        let all = || pieces(Color::White).chain(pieces(Color::Black));
        let mut men: ArrayVec<Man, MAX_MEN> = ArrayVec::new();
        men.extend(all().filter(|man| man.piece == PieceType::Pawn));
        let pawns = men.len();
        men.extend(Color::ALL.map(|color| Man { color, piece: PieceType::King }));
        men.extend(all().filter(|man| man.piece != PieceType::Pawn));
        // A pawn begins on the third rank in both games.
        let pawn_ranks = (2, R::PROMOTION_RANK - 2);
        let mut strides = [0; MAX_MEN];
        let mut len = 1;
        for i in (0..men.len()).rev() {
            strides[i] = len;
            len *= match men[i] {
                man if man.piece == PieceType::Pawn => 8 * usize::from(pawn_ranks.1),
                man if man.piece == PieceType::King && man.color == Color::White => HALF,
                _ => 64,
            };
        }
        Self { men, strides, pawn_ranks, pawns, len }
    }

    /// The men, pawns first.
    pub(super) fn men(&self) -> &[Man] {
        &self.men
    }

    /// Numbers in use: positions of each side to move.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Index of a king among the men.
    pub(super) fn king(&self, color: Color) -> usize {
        self.pawns + color.index()
    }

    /// Numbers that share the places of all pawns: how many, all in a row.
    pub(super) fn slice_len(&self) -> usize {
        if self.pawns == 0 { self.len } else { self.strides[self.pawns - 1] }
    }

    /// How many steps the pawns of a slice have left, all together, until the last one is promoted.
    pub(super) fn steps_left(&self, slice: usize) -> usize {
        let digits = 8 * usize::from(self.pawn_ranks.1);
        let mut rest = slice;
        let mut steps = 0;
        for _ in 0..self.pawns {
            steps += usize::from(self.pawn_ranks.1) - (rest % digits) / 8;
            rest /= digits;
        }
        steps
    }

    /// The number of a position; `None` if a pawn stands where the table has none.
    #[inline]
    pub(super) fn index(&self, squares: &Squares) -> Option<usize> {
        let mirror = if squares[self.king(Color::White)] & 4 != 0 { 7 } else { 0 };
        let mut squares = *squares;
        for square in &mut squares {
            *square ^= mirror;
        }
        self.sort(&mut squares);
        let mut index = 0;
        for (i, man) in self.men.iter().enumerate() {
            let square = squares[i];
            let digit = match man.piece {
                PieceType::Pawn => self.pawn_digit(man.color, square)?,
                PieceType::King if man.color == Color::White => {
                    usize::from(square >> 3 << 2 | square & 3)
                }
                _ => usize::from(square),
            };
            index += digit * self.strides[i];
        }
        Some(index)
    }

    fn pawn_digit(&self, color: Color, square: u8) -> Option<usize> {
        let own = Square::from_index(usize::from(square)).relative(color);
        let (first, number) = self.pawn_ranks;
        let rank = own.rank().checked_sub(first).filter(|&rank| rank < number)?;
        Some(usize::from(rank) * 8 + usize::from(own.file()))
    }

    /// The squares that a number stands for.
    #[inline]
    pub(super) fn squares(&self, index: usize) -> Squares {
        let mut squares = [0; MAX_MEN];
        let mut rest = index;
        for (i, man) in self.men.iter().enumerate() {
            let digit = rest / self.strides[i];
            rest %= self.strides[i];
            squares[i] = match man.piece {
                PieceType::Pawn => {
                    let own = Square::from_index(digit + 8 * usize::from(self.pawn_ranks.0));
                    own.relative(man.color).index() as u8
                }
                PieceType::King if man.color == Color::White => (digit >> 2 << 3 | digit & 3) as u8,
                _ => digit as u8,
            };
        }
        squares
    }

    /// Puts men that are alike in the order of their digits.
    fn sort(&self, squares: &mut Squares) {
        for end in (1..self.men.len()).rev() {
            for i in 0..end {
                if self.men[i] == self.men[i + 1]
                    && self.key(i, squares[i]) > self.key(i, squares[i + 1])
                {
                    squares.swap(i, i + 1);
                }
            }
        }
    }

    /// What men that are alike are sorted by.
    fn key(&self, i: usize, square: u8) -> u8 {
        if self.men[i].piece == PieceType::Pawn && self.men[i].color == Color::Black {
            square ^ 56
        } else {
            square
        }
    }

    /// Whether men that are alike stand in order.
    #[inline]
    pub(super) fn is_sorted(&self, squares: &Squares) -> bool {
        (1..self.men.len()).all(|i| {
            self.men[i - 1] != self.men[i] || self.key(i, squares[i - 1]) < self.key(i, squares[i])
        })
    }

    /// The squares of a board's men; with `turned` its colors are exchanged and it is turned upside
    /// down. The board must be of this class.
    #[inline]
    pub(super) fn squares_of<R: Rules>(&self, board: &Board<R>, turned: bool) -> Squares {
        let mut squares = [0; MAX_MEN];
        let mut i = 0;
        while i < self.men.len() {
            let man = self.men[i];
            let color = if turned { man.color.opposite() } else { man.color };
            let mut set = board.of(color, man.piece).0;
            while set != 0 && i < self.men.len() {
                let square = set.trailing_zeros() as u8;
                squares[i] = if turned { square ^ 56 } else { square };
                set &= set - 1;
                i += 1;
            }
            if board.of(color, man.piece).is_empty() {
                i += 1;
            }
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use movegen::chess::{Asean, Makruk};

    use super::*;

    #[test]
    fn numbers_and_squares_agree() {
        for name in ["KRvK", "KSSvK", "KPPvK", "KPvKP", "KRvKP", "KRMvK"] {
            let class = Class::parse(name).unwrap();
            for layout in [Layout::new::<Makruk>(&class), Layout::new::<Asean>(&class)] {
                let mut used = 0;
                for index in (0..layout.len()).step_by(97) {
                    let squares = layout.squares(index);
                    if layout.is_sorted(&squares) {
                        assert_eq!(layout.index(&squares), Some(index), "{name} {squares:?}");
                        let mirrored = squares.map(|square| square ^ 7);
                        assert_eq!(layout.index(&mirrored), Some(index), "{name} {squares:?}");
                        used += 1;
                    }
                }
                assert!(used > layout.len() / 97 / 3);
            }
        }
    }

    #[test]
    fn sizes_are_as_expected() {
        let len = |name: &str| Layout::new::<Makruk>(&Class::parse(name).unwrap()).len();
        assert_eq!(len("KRvK"), 32 * 64 * 64);
        assert_eq!(len("KPvK"), 24 * 32 * 64);
        assert_eq!(len("KPvKP"), 24 * 24 * 32 * 64);
        let asean = Layout::new::<Asean>(&Class::parse("KPvK").unwrap());
        assert_eq!(asean.len(), 40 * 32 * 64);
        assert_eq!(asean.slice_len(), 32 * 64);
        assert_eq!((asean.steps_left(0), asean.steps_left(39)), (5, 1));
    }

    #[test]
    fn pawns_off_their_ranks_have_no_number() {
        let layout = Layout::new::<Makruk>(&Class::parse("KPvK").unwrap());
        let at = |pawn: u8| layout.index(&[pawn, 4, 60, 0, 0]);
        assert!(at(16).is_some() && at(39).is_some());
        assert_eq!((at(15), at(40)), (None, None));
    }
}
