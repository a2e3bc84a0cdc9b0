use super::Square;
use crate::GameMove;

/// A move: where it starts and ends, and the **set** of squares it captures on.
///
/// Chains that differ only in the order of their captures lead to the same position and are one
/// move. The landing squares between are not kept; [`Board::path`](super::Board::path) finds them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    captured: u32,
    from: Square,
    to: Square,
}

impl Move {
    /// Any combination; only some are moves of a given position.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, captured: u32) -> Self {
        Self { captured, from, to }
    }

    /// The square it leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        self.from
    }

    /// The square it ends on; equal to [`Move::from`] if a capturing king comes home.
    #[inline(always)]
    pub const fn to(self) -> Square {
        self.to
    }

    /// The squares of the captured pieces.
    #[inline(always)]
    pub const fn captured(self) -> u32 {
        self.captured
    }
}

/// Layout of a tag: bits 0-4 `from`, 5-9 `to`, 10-15 a digest of the captured set, 0 only for the
/// empty set. Quiet moves never share a tag, and no tag is 0 because a quiet move has `from != to`.
/// Two captures share one only if they have equal ends and, one time in 63, equal digests.
pub(super) mod tag {
    use super::{Move, Square};

    pub(in crate::makhos) const fn from(tag: u16) -> Square {
        Square::wrap(tag as u32)
    }

    pub(in crate::makhos) const fn to(tag: u16) -> Square {
        Square::wrap(tag as u32 >> 5)
    }

    pub(in crate::makhos) const fn is_capture(tag: u16) -> bool {
        tag >> 10 != 0
    }

    pub(super) const fn of(m: Move) -> u16 {
        let digest = match m.captured {
            0 => 0,
            // Fibonacci hashing, scaled to 1..=63.
            set => ((set.wrapping_mul(0x9E37_79B1) as u64 * 63) >> 32) as u16 + 1,
        };
        let tag = m.from.index() as u16 | (m.to.index() as u16) << 5 | digest << 10;
        // Only b8 to b8 without a capture, which is no move, would give 0.
        if tag == 0 { 1 } else { tag }
    }
}

impl GameMove for Move {
    #[inline(always)]
    fn tag(self) -> u16 {
        tag::of(self)
    }

    #[inline(always)]
    fn from_index(self) -> usize {
        self.from.index()
    }

    #[inline(always)]
    fn to_index(self) -> usize {
        self.to.index()
    }
}

const _: () = assert!(size_of::<Move>() == 8);
