//! The 32 playable squares, sets of them, and the geometry of the diagonals.
//!
//! A set of squares is a plain `u32`: bit `n` is the square with PDN number `n + 1`, row by row from
//! b8 (bit 0) to g1 (bit 31) as White sees the board. Rows are counted from the top: row 0 is rank 8.

use std::fmt;

use crate::{Color, Numbering};

/// One of the 32 playable squares; its index is the PDN number less one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 32;

    /// The square with an index below 32.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 32 { Some(Self(index)) } else { None }
    }

    /// The lowest square of a set, if it has any.
    pub const fn first_of(set: u32) -> Option<Self> {
        if set == 0 { None } else { Some(Self(set.trailing_zeros() as u8)) }
    }

    /// As [`Square::new`], for an index that is known to be below 32 (higher bits are ignored).
    #[inline(always)]
    pub(super) const fn wrap(index: u32) -> Self {
        Self((index & 31) as u8)
    }

    /// The square with a number from 1 to 32 in the given numbering.
    pub const fn from_number(number: u32, numbering: Numbering) -> Option<Self> {
        if number < 1 || number > 32 {
            return None;
        }
        let square = Self((number - 1) as u8);
        Some(match numbering {
            Numbering::Pdn => square,
            Numbering::MakHos => square.row_reversed(),
        })
    }

    /// The square at a file and rank (0-7), `None` off the board or on an unplayable square.
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file > 7 || rank > 7 || !(file + rank).is_multiple_of(2) {
            return None;
        }
        Some(Self((7 - rank) * 4 + file / 2))
    }

    /// Index below 32.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The set that holds only this square.
    #[inline(always)]
    pub const fn bit(self) -> u32 {
        1 << (self.0 & 31)
    }

    /// 0 for file a, 7 for file h.
    pub const fn file(self) -> u8 {
        2 * (self.0 & 3) + ((self.0 >> 2 & 1) ^ 1)
    }

    /// 0 for rank 1, 7 for rank 8.
    pub const fn rank(self) -> u8 {
        7 - (self.0 >> 2)
    }

    /// The number from 1 to 32.
    pub const fn number(self, numbering: Numbering) -> u32 {
        let square = match numbering {
            Numbering::Pdn => self,
            Numbering::MakHos => self.row_reversed(),
        };
        square.0 as u32 + 1
    }

    /// The two numberings list the same rows, each in the other's reverse order.
    const fn row_reversed(self) -> Self {
        Self(self.0 ^ 3)
    }
}

impl fmt::Display for Square {
    /// Algebraic: `b8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// The squares of a set, lowest index first.
#[inline(always)]
pub fn squares(set: u32) -> impl Iterator<Item = Square> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let square = Square::first_of(rest)?;
        rest &= rest - 1;
        Some(square)
    })
}

/// Ranks 8, 6, 4, 2, whose playable squares are b d f h.
const EVEN_ROWS: u32 = 0x0F0F_0F0F;
/// Ranks 7, 5, 3, 1, whose playable squares are a c e g.
const ODD_ROWS: u32 = 0xF0F0_F0F0;
/// File a.
pub const FILE_A: u32 = 0x1010_1010;
/// File h.
pub const FILE_H: u32 = 0x0808_0808;
/// Even rows that have a square one file to the right.
pub(super) const EVEN_NOT_H: u32 = EVEN_ROWS & !FILE_H;
/// Odd rows that have a square one file to the left.
pub(super) const ODD_NOT_A: u32 = ODD_ROWS & !FILE_A;
/// Rank 8: White men become kings here.
pub const RANK_8: u32 = 0x0000_000F;
/// Rank 1: Black men become kings here.
pub const RANK_1: u32 = 0xF000_0000;

/// A way along a diagonal, as White sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Up and left.
    NorthWest = 0,
    /// Up and right.
    NorthEast = 1,
    /// Down and left.
    SouthWest = 2,
    /// Down and right.
    SouthEast = 3,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::NorthWest, Self::NorthEast, Self::SouthWest, Self::SouthEast];

    /// The way back.
    #[inline(always)]
    pub const fn opposite(self) -> Self {
        match self {
            Self::NorthWest => Self::SouthEast,
            Self::NorthEast => Self::SouthWest,
            Self::SouthWest => Self::NorthEast,
            Self::SouthEast => Self::NorthWest,
        }
    }

    /// Moves every square of a set one step this way; squares that leave the board vanish.
    #[inline(always)]
    pub const fn step(self, set: u32) -> u32 {
        match self {
            Self::NorthWest => (set & EVEN_ROWS) >> 4 | (set & ODD_NOT_A) >> 5,
            Self::NorthEast => (set & ODD_ROWS) >> 4 | (set & EVEN_NOT_H) >> 3,
            Self::SouthWest => (set & EVEN_ROWS) << 4 | (set & ODD_NOT_A) << 3,
            Self::SouthEast => (set & ODD_ROWS) << 4 | (set & EVEN_NOT_H) << 5,
        }
    }

    /// All squares that lie this way from a square, up to the edge.
    #[inline(always)]
    pub const fn ray(self, from: Square) -> u32 {
        RAYS[from.index()][self as usize]
    }

    /// The squares before the first occupied one on the way from a square to the edge.
    #[inline(always)]
    pub const fn free_ray(self, from: Square, occupied: u32) -> u32 {
        let ray = self.ray(from);
        let blockers = ray & occupied;
        match self {
            // Indices fall on the way up: keep what lies above the highest blocker.
            Self::NorthWest | Self::NorthEast => {
                ray & (u64::MAX << (32 - blockers.leading_zeros())) as u32
            }
            // Without a blocker this keeps everything: 0 - 1 wraps to all bits.
            Self::SouthWest | Self::SouthEast => {
                ray & !blockers & (blockers & blockers.wrapping_neg()).wrapping_sub(1)
            }
        }
    }

    /// The first occupied square on the way from a square, as a set of at most one.
    #[inline(always)]
    pub const fn first_blocker(self, from: Square, occupied: u32) -> u32 {
        let blockers = self.ray(from) & occupied;
        match self {
            Self::NorthWest | Self::NorthEast => {
                (1u64 << (32 - blockers.leading_zeros()) >> 1) as u32
            }
            Self::SouthWest | Self::SouthEast => blockers & blockers.wrapping_neg(),
        }
    }
}

/// `RAYS[square][direction]`.
static RAYS: [[u32; 4]; Square::COUNT] = {
    let mut rays = [[0; 4]; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut d = 0;
        while d < 4 {
            let mut set = Direction::ALL[d].step(1 << i);
            while set != 0 {
                rays[i][d] |= set;
                set = Direction::ALL[d].step(set);
            }
            d += 1;
        }
        i += 1;
    }
    rays
};

/// The squares that a king on `from` can fly to when nothing is captured.
#[inline(always)]
pub const fn king_reach(from: Square, occupied: u32) -> u32 {
    Direction::NorthWest.free_ray(from, occupied)
        | Direction::NorthEast.free_ray(from, occupied)
        | Direction::SouthWest.free_ray(from, occupied)
        | Direction::SouthEast.free_ray(from, occupied)
}

/// The squares one step in front of any square of a set, for men of a color.
#[inline(always)]
pub const fn man_steps(color: Color, set: u32) -> u32 {
    match color {
        Color::White => Direction::NorthWest.step(set) | Direction::NorthEast.step(set),
        Color::Black => Direction::SouthWest.step(set) | Direction::SouthEast.step(set),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step from every square, by coordinates.
    fn step_by_coordinates(square: Square, direction: Direction) -> u32 {
        let (df, dr) = match direction {
            Direction::NorthWest => (-1, 1),
            Direction::NorthEast => (1, 1),
            Direction::SouthWest => (-1, -1),
            Direction::SouthEast => (1, -1),
        };
        let file = u8::try_from(square.file() as i8 + df);
        let rank = u8::try_from(square.rank() as i8 + dr);
        match (file, rank) {
            (Ok(file), Ok(rank)) => Square::at(file, rank).map_or(0, Square::bit),
            _ => 0,
        }
    }

    #[test]
    fn steps_and_rays_follow_the_diagonals() {
        for square in squares(u32::MAX) {
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
            for direction in Direction::ALL {
                let step = direction.step(square.bit());
                assert_eq!(step, step_by_coordinates(square, direction), "{square} {direction:?}");
                let mut ray = 0;
                let mut next = step;
                while let Some(s) = Square::first_of(next) {
                    ray |= next;
                    next = step_by_coordinates(s, direction);
                }
                assert_eq!(direction.ray(square), ray);
            }
        }
    }

    #[test]
    fn free_rays_stop_before_the_first_blocker() {
        let mut state = 7;
        for _ in 0..2000 {
            let (next, word) = crate::zobrist::splitmix64(state);
            state = next;
            let occupied = word as u32 & (word >> 32) as u32;
            for square in squares(u32::MAX) {
                for direction in Direction::ALL {
                    let mut free = 0;
                    let mut at = direction.step(square.bit());
                    while at & !occupied != 0 {
                        free |= at;
                        at = direction.step(at);
                    }
                    assert_eq!(direction.free_ray(square, occupied), free);
                    assert_eq!(direction.first_blocker(square, occupied), at);
                }
            }
        }
    }

    #[test]
    fn numberings_are_those_of_the_specification() {
        let at = |text: &str| {
            let b = text.as_bytes();
            Square::at(b[0] - b'a', b[1] - b'1').unwrap()
        };
        for (text, pdn, mak_hos) in [
            ("b8", 1, 4),
            ("d8", 2, 3),
            ("h8", 4, 1),
            ("a7", 5, 8),
            ("g1", 32, 29),
            ("a1", 29, 32),
            ("f6", 11, 10),
            ("e5", 15, 14),
        ] {
            let square = at(text);
            assert_eq!(square.to_string(), text);
            assert_eq!(square.number(Numbering::Pdn), pdn, "{text}");
            assert_eq!(square.number(Numbering::MakHos), mak_hos, "{text}");
            for numbering in [Numbering::Pdn, Numbering::MakHos] {
                let number = square.number(numbering);
                assert_eq!(Square::from_number(number, numbering), Some(square));
            }
        }
        assert_eq!(Square::from_number(0, Numbering::Pdn), None);
        assert_eq!(Square::from_number(33, Numbering::Pdn), None);
        assert_eq!(Square::at(1, 0), None);
    }
}
