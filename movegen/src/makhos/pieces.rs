use super::Move;
use super::square::{RANK_1, RANK_8};
use crate::Color;

/// What stands where: all that moves depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    /// Men by color.
    pub(super) men: [u32; 2],
    /// Kings by color.
    pub(super) kings: [u32; 2],
}

impl Pieces {
    #[inline(always)]
    pub(super) const fn of(&self, color: Color) -> u32 {
        self.men[color.index()] | self.kings[color.index()]
    }

    #[inline(always)]
    pub(super) const fn occupied(&self) -> u32 {
        self.of(Color::White) | self.of(Color::Black)
    }

    /// The rank on which men of a color become kings.
    #[inline(always)]
    pub(super) const fn crown_rank(color: Color) -> u32 {
        match color {
            Color::White => RANK_8,
            Color::Black => RANK_1,
        }
    }

    /// Whether a move of `us` is made by a man.
    #[inline(always)]
    pub(super) const fn is_man_move(&self, us: Color, m: Move) -> bool {
        self.men[us.index()] & m.from().bit() != 0
    }

    /// Whether a move of `us` makes a king of a man. Men only go forward, so that one that reaches
    /// either edge rank has reached its last.
    #[inline(always)]
    pub(super) const fn crowns(&self, us: Color, m: Move) -> bool {
        self.is_man_move(us, m) && m.to().bit() & (RANK_8 | RANK_1) != 0
    }

    /// Makes a move of `us`. In place, because a small struct that is built field by field and then
    /// copied as a whole stalls the processor: the wide load waits for the narrow stores.
    #[inline(always)]
    pub(super) const fn play(&mut self, us: Color, m: Move) {
        let crowns = self.crowns(us, m);
        let (us, them) = (us.index(), us.opposite().index());
        // A king may end on its origin or on the square of a piece that it captured: everything
        // leaves the board before it is set down.
        if m.captured() != 0 {
            self.men[them] &= !m.captured();
            self.kings[them] &= !m.captured();
        }
        if self.men[us] & m.from().bit() == 0 {
            self.kings[us] = self.kings[us] & !m.from().bit() | m.to().bit();
        } else if crowns {
            self.men[us] &= !m.from().bit();
            self.kings[us] |= m.to().bit();
        } else {
            self.men[us] = self.men[us] & !m.from().bit() | m.to().bit();
        }
    }
}
