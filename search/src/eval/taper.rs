use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns, in one integer so that a term costs one
/// addition. Each half must stay within 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Taper(i32);

/// Shorthand for tables of weights.
pub(super) const fn taper(middlegame: i32, endgame: i32) -> Taper {
    Taper((endgame << 16) + middlegame)
}

impl Taper {
    pub(super) const ZERO: Self = Self(0);

    /// The middlegame half.
    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half; the rounding undoes the borrow of a negative middlegame half.
    pub(super) const fn endgame(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// For constant tables, where operators are not available.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Add for Taper {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Taper {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Taper {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Taper {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Taper {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let values = [-15_000, -301, -1, 0, 1, 77, 15_000];
        for mg in values {
            for eg in values {
                let both = taper(mg, eg);
                assert_eq!((both.middlegame(), both.endgame()), (mg, eg));
                let doubled = both + both;
                assert_eq!((doubled.middlegame(), doubled.endgame()), (2 * mg, 2 * eg));
                let negated = -(both * 2);
                assert_eq!((negated.middlegame(), negated.endgame()), (-2 * mg, -2 * eg));
            }
        }
    }
}
