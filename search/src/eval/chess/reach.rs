//! Squares that whole sets of men attack, by shifts.

use movegen::Color;
use movegen::chess::attacks::{king_attacks, knight_attacks, rook_attacks};
use movegen::chess::{Bitboard, Board, PieceType, Rules, Square};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// One step towards the h-file.
#[inline(always)]
pub(super) const fn east(set: Bitboard) -> Bitboard {
    Bitboard(set.0 << 1 & NOT_A)
}

/// One step towards the a-file.
#[inline(always)]
pub(super) const fn west(set: Bitboard) -> Bitboard {
    Bitboard(set.0 >> 1 & NOT_H)
}

/// One step straight forward.
#[inline(always)]
pub(super) const fn forward(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// The two neighbours on the rank.
#[inline(always)]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    east(set) | west(set)
}

/// The set and everything straight in front of it.
#[inline(always)]
pub(super) const fn forward_fill(color: Color, set: Bitboard) -> Bitboard {
    let mut b = set.0;
    match color {
        Color::White => {
            b |= b << 8;
            b |= b << 16;
            b |= b << 32;
        }
        Color::Black => {
            b |= b >> 8;
            b |= b >> 16;
            b |= b >> 32;
        }
    }
    Bitboard(b)
}

/// Squares on which pawns capture.
#[inline(always)]
pub(super) fn pawns<R: Rules>(color: Color, set: Bitboard) -> Bitboard {
    let ahead = forward(color, set);
    if R::STRAIGHT_CAPTURES { ahead } else { beside(ahead) }
}

/// Squares that mets attack.
#[inline(always)]
pub(super) fn mets(set: Bitboard) -> Bitboard {
    let sides = beside(set);
    forward(Color::White, sides) | forward(Color::Black, sides)
}

/// Squares that khons attack.
#[inline(always)]
pub(super) fn khons(color: Color, set: Bitboard) -> Bitboard {
    mets(set) | forward(color, set)
}

/// Squares that a side attacks, its own men's squares included.
#[inline]
pub(crate) fn attacked<R: Rules>(board: &Board<R>, color: Color) -> Bitboard {
    let occupied = board.occupied();
    let mut set = king_attacks(board.king(color))
        | pawns::<R>(color, board.of(color, PieceType::Pawn))
        | mets(board.of(color, PieceType::Met))
        | khons(color, board.of(color, PieceType::Khon));
    for square in board.of(color, PieceType::Knight).squares() {
        set |= knight_attacks(square);
    }
    for square in board.of(color, PieceType::Rook).squares() {
        set |= rook_attacks(square, occupied);
    }
    set
}

/// Squares of the color of a1.
pub(super) const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);

/// Every square on a rank farther forward than `square`.
#[inline(always)]
pub(super) const fn ahead(color: Color, square: Square) -> Bitboard {
    let rank = square.rank() as u32;
    match color {
        Color::White => Bitboard(!0xFF << (8 * rank)),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}
