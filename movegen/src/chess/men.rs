//! The men on the board, without any other state of the game.

use super::attacks::{
    diagonal_pawn_attacks, forward_step, khon_attacks, king_attacks, knight_attacks, met_attacks,
    rook_attacks,
};
use super::{Bitboard, Move, PieceType, Rules, Square};
use crate::Color;

/// One set per kind of man and one per color: 64 bytes, and no board of letters to keep in step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Men {
    pub(super) pieces: [Bitboard; PieceType::COUNT],
    pub(super) colors: [Bitboard; 2],
}

impl Men {
    pub(super) const EMPTY: Self =
        Self { pieces: [Bitboard::EMPTY; PieceType::COUNT], colors: [Bitboard::EMPTY; 2] };

    #[inline(always)]
    pub(super) fn of(&self, color: Color, piece: PieceType) -> Bitboard {
        self.pieces[piece.index()] & self.colors[color.index()]
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The king's square. (Every board has both kings; the fallback is never seen.)
    #[inline(always)]
    pub(super) fn king(&self, color: Color) -> Square {
        Square::from_index(self.of(color, PieceType::King).0.trailing_zeros() as usize)
    }

    pub(super) fn put(&mut self, color: Color, piece: PieceType, square: Square) {
        self.pieces[piece.index()] |= Bitboard::of(square);
        self.colors[color.index()] |= Bitboard::of(square);
    }

    #[inline(always)]
    pub(super) fn piece_type_at(&self, square: Square) -> Option<PieceType> {
        if !self.occupied().has(square) {
            return None;
        }
        PieceType::ALL.into_iter().find(|p| self.pieces[p.index()].has(square))
    }

    #[inline(always)]
    pub(super) fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|c| self.colors[c.index()].has(square))
    }

    /// Top and bottom exchanged, and the colors.
    pub(super) fn turned(&self) -> Self {
        let turn = |set: Bitboard| Bitboard(set.0.swap_bytes());
        let [white, black] = self.colors;
        Self { pieces: self.pieces.map(turn), colors: [turn(black), turn(white)] }
    }

    /// Moves `mover`'s man, removing what stands on the square it moves to.
    #[inline(always)]
    pub(super) fn play(&mut self, mover: Color, m: Move) {
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        for set in &mut self.pieces {
            *set &= !to;
        }
        self.pieces[m.piece().index()] &= !from;
        self.pieces[m.placed().index()] |= to;
        self.colors[mover.index()] = (self.colors[mover.index()] & !from) | to;
        self.colors[mover.opposite().index()] &= !to;
    }

    /// Squares that a pawn on `square` attacks.
    #[inline(always)]
    pub(super) fn pawn_attacks<R: Rules>(color: Color, square: Square) -> Bitboard {
        if R::STRAIGHT_CAPTURES {
            forward_step(color, square)
        } else {
            diagonal_pawn_attacks(color, square)
        }
    }

    /// Men of both colors that attack `square` when the board is `occupied`. (Men that are not in
    /// `occupied` still count as attackers; mask the result.)
    #[inline(always)]
    pub(super) fn attackers_to<R: Rules>(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let by_color = |color: Color| {
            // A man attacks the square if the same man of the other color would attack it from
            // there.
            let back = color.opposite();
            let attackers = (Self::pawn_attacks::<R>(back, square)
                & self.pieces[PieceType::Pawn.index()])
                | (khon_attacks(back, square) & self.pieces[PieceType::Khon.index()]);
            attackers & self.colors[color.index()]
        };
        by_color(Color::White)
            | by_color(Color::Black)
            | (met_attacks(square) & self.pieces[PieceType::Met.index()])
            | (knight_attacks(square) & self.pieces[PieceType::Knight.index()])
            | (king_attacks(square) & self.pieces[PieceType::King.index()])
            | (rook_attacks(square, occupied) & self.pieces[PieceType::Rook.index()])
    }

    /// Men of `by` that attack `square`, kings left out: the checkers, if the other side's king
    /// stands there.
    #[inline(always)]
    pub(super) fn checkers<R: Rules>(&self, square: Square, by: Color) -> Bitboard {
        let back = by.opposite();
        let attackers = (Self::pawn_attacks::<R>(back, square)
            & self.pieces[PieceType::Pawn.index()])
            | (met_attacks(square) & self.pieces[PieceType::Met.index()])
            | (khon_attacks(back, square) & self.pieces[PieceType::Khon.index()])
            | (knight_attacks(square) & self.pieces[PieceType::Knight.index()])
            | (rook_attacks(square, self.occupied()) & self.pieces[PieceType::Rook.index()]);
        attackers & self.colors[by.index()]
    }

    /// Where the man on a square moves to or captures, without regard to its own side's men or to
    /// checks: what is pseudo-legal once own men (and for pawns the rest) are taken away.
    #[inline(always)]
    pub(super) fn attacks_of<R: Rules>(
        color: Color,
        piece: PieceType,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        match piece {
            PieceType::Pawn => Self::pawn_attacks::<R>(color, square),
            PieceType::Met => met_attacks(square),
            PieceType::Khon => khon_attacks(color, square),
            PieceType::Knight => knight_attacks(square),
            PieceType::Rook => rook_attacks(square, occupied),
            PieceType::King => king_attacks(square),
        }
    }
}
