//! Moves of a handful of men, forwards and backwards, on the squares of a [`Layout`].

use movegen::Color;
use movegen::chess::attacks::{forward_step, king_attacks};
use movegen::chess::{Bitboard, Board, Move, PieceType, Rules, Square};

use super::layout::{Layout, Man, Squares};

/// A position of a class without its side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) squares: Squares,
    pub(super) colors: [u64; 2],
}

/// Where a legal move leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// To a position of the same class with the pawns where they are.
    Within,
    /// A pawn steps on, unpromoted.
    Advance(Squares),
    /// Out of the class: a capture or a promotion.
    Out(Move),
}

#[inline(always)]
fn at(square: u8) -> Square {
    Square::from_index(usize::from(square))
}

impl Placement {
    /// The men on these squares; `None` if two stand on one square or the kings touch.
    #[inline]
    pub(super) fn new(layout: &Layout, squares: Squares) -> Option<Self> {
        let mut colors = [0_u64; 2];
        for (man, square) in layout.men().iter().zip(squares) {
            let set = 1 << square;
            if (colors[0] | colors[1]) & set != 0 {
                return None;
            }
            colors[man.color.index()] |= set;
        }
        let kings = Color::ALL.map(|color| at(squares[layout.king(color)]));
        (!king_attacks(kings[0]).has(kings[1])).then_some(Self { squares, colors })
    }

    fn occupied(&self) -> u64 {
        self.colors[0] | self.colors[1]
    }

    /// Whether `by` attacks a square when the board is `occupied`; a man on `without` is no more.
    #[inline]
    fn attacks<R: Rules>(
        &self,
        layout: &Layout,
        by: Color,
        square: Square,
        occupied: u64,
        without: u64,
    ) -> bool {
        layout.men().iter().zip(self.squares).any(|(man, from)| {
            man.color == by
                && 1_u64 << from & without == 0
                && Board::<R>::attacks_of(by, man.piece, at(from), Bitboard(occupied)).has(square)
        })
    }

    /// Whether the king of `color` is attacked.
    #[inline]
    pub(super) fn in_check<R: Rules>(&self, layout: &Layout, color: Color) -> bool {
        let king = at(self.squares[layout.king(color)]);
        self.attacks::<R>(layout, color.opposite(), king, self.occupied(), 0)
    }

    /// Calls `each` with every legal move of `us`.
    #[inline]
    pub(super) fn each_move<R: Rules>(
        &self,
        layout: &Layout,
        us: Color,
        promotions: &[PieceType],
        mut each: impl FnMut(Step),
    ) {
        let them = us.opposite();
        let (own, enemy) = (self.colors[us.index()], self.colors[them.index()]);
        let enemy_king = 1_u64 << self.squares[layout.king(them)];
        let king_index = layout.king(us);
        for (i, &man) in layout.men().iter().enumerate() {
            if man.color != us {
                continue;
            }
            let from = at(self.squares[i]);
            let mut targets = targets::<R>(man, from, own, enemy) & !enemy_king;
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                let target = 1_u64 << to;
                let captures = enemy & target != 0;
                let occupied = self.occupied() & !(1 << self.squares[i]) | target;
                let king = if i == king_index { at(to) } else { at(self.squares[king_index]) };
                if self.attacks::<R>(layout, them, king, occupied, target) {
                    continue;
                }
                let mut squares = self.squares;
                squares[i] = to;
                if man.piece != PieceType::Pawn {
                    each(if captures {
                        Step::Out(Move::new(from, at(to), man.piece))
                    } else {
                        Step::Within
                    });
                } else if at(to).relative(us).rank() >= R::PROMOTION_RANK {
                    for &piece in promotions {
                        each(Step::Out(Move::promote(from, at(to), piece)));
                    }
                } else if captures {
                    each(Step::Out(Move::new(from, at(to), PieceType::Pawn)));
                } else {
                    each(Step::Advance(squares));
                }
            }
        }
    }

    /// Calls `each` with the squares of every position that a move of `mover`, neither a capture nor
    /// a pawn's, may have come from. Whether that position is legal is left open.
    #[inline]
    pub(super) fn each_origin<R: Rules>(
        &self,
        layout: &Layout,
        mover: Color,
        mut each: impl FnMut(Squares),
    ) {
        let occupied = self.occupied();
        for (i, man) in layout.men().iter().enumerate() {
            if man.color != mover || man.piece == PieceType::Pawn {
                continue;
            }
            // Only khons care for the direction: they step back where the other side's step forward.
            let here = at(self.squares[i]);
            let back = mover.opposite();
            let from = Board::<R>::attacks_of(back, man.piece, here, Bitboard(occupied));
            let mut origins = from.0 & !occupied;
            while origins != 0 {
                let mut squares = self.squares;
                squares[i] = origins.trailing_zeros() as u8;
                origins &= origins - 1;
                each(squares);
            }
        }
    }

    /// The position as a board with no count begun.
    pub(super) fn board<R: Rules>(
        &self,
        layout: &Layout,
        turn: Color,
        rules: movegen::ChessRules,
    ) -> Option<Board<R>> {
        let men: arrayvec::ArrayVec<_, { super::class::MAX_MEN }> = layout
            .men()
            .iter()
            .zip(self.squares)
            .map(|(man, square)| (man.color, man.piece, at(square)))
            .collect();
        Board::with_men(&men, turn, rules)
    }
}

/// Where a man may go if nothing is said about checks.
#[inline]
fn targets<R: Rules>(man: Man, from: Square, own: u64, enemy: u64) -> u64 {
    let occupied = own | enemy;
    let attacked = Board::<R>::attacks_of(man.color, man.piece, from, Bitboard(occupied)).0;
    if man.piece == PieceType::Pawn {
        attacked & enemy | forward_step(man.color, from).0 & !occupied
    } else {
        attacked & !own
    }
}
