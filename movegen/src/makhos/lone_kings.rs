//! One king each: who wins, worked out by the compiler.
//!
//! Only the squares matter: kings move alike for both colors, and a side has one victim at most, so
//! that neither the timing of removal nor reversal makes a difference.

use super::Square;
use super::square::{Direction, king_reach};

/// Value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Draw,
    Win,
    Loss,
}

/// Whether neither side can force a win; `other` is the set with the other side's king.
#[inline(always)]
pub(super) fn is_drawn(mover: Square, other: u32) -> bool {
    DRAWN[mover.index()] & other != 0
}

/// `DRAWN[mover]` is the set of squares of the other king for which the position is a draw.
static DRAWN: [u32; Square::COUNT] = {
    let values = solve();
    let mut drawn = [0; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT * Square::COUNT {
        if i / 32 != i % 32 && matches!(values[i / 32][i % 32], Value::Draw) {
            drawn[i / 32] |= 1 << (i % 32);
        }
        i += 1;
    }
    drawn
};

const fn captures(mover: Square, other: u32) -> bool {
    let mut d = 0;
    while d < 4 {
        let direction = Direction::ALL[d];
        if direction.ray(mover) & other != 0 && direction.step(other) != 0 {
            return true;
        }
        d += 1;
    }
    false
}

/// Values by mover and other king; what no sweep decides is a draw.
const fn solve() -> [[Value; Square::COUNT]; Square::COUNT] {
    let mut values = [[Value::Draw; Square::COUNT]; Square::COUNT];
    let mut changed = true;
    while changed {
        changed = false;
        let mut i = 0;
        while i < Square::COUNT * Square::COUNT {
            let (mover, other) = (i / Square::COUNT, i % Square::COUNT);
            if mover != other && matches!(values[mover][other], Value::Draw) {
                let value = judge(&values, mover, other);
                if !matches!(value, Value::Draw) {
                    values[mover][other] = value;
                    changed = true;
                }
            }
            i += 1;
        }
    }
    values
}

/// The value as far as those of the positions after each move tell.
const fn judge(
    values: &[[Value; Square::COUNT]; Square::COUNT],
    mover: usize,
    other: usize,
) -> Value {
    let from = Square::wrap(mover as u32);
    if captures(from, 1 << other) {
        return Value::Win;
    }
    let mut targets = king_reach(from, 1 << other);
    let mut all_lose = true;
    while targets != 0 {
        let to = targets.trailing_zeros() as usize;
        match values[other][to] {
            Value::Loss => return Value::Win,
            Value::Draw => all_lose = false,
            Value::Win => {}
        }
        targets &= targets - 1;
    }
    // Without a move the mover has lost too.
    if all_lose { Value::Loss } else { Value::Draw }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makhos::square::squares;

    /// The counts of the specification, section 4 (which counts both sides to move).
    #[test]
    fn counts_are_those_of_the_specification() {
        let values = solve();
        let (mut drawn, mut at_once, mut quietly, mut lost) = (0, 0, 0, Vec::new());
        for mover in squares(u32::MAX) {
            for other in squares(!mover.bit()) {
                let value = values[mover.index()][other.index()];
                assert_eq!(is_drawn(mover, other.bit()), value == Value::Draw);
                match value {
                    Value::Draw => drawn += 2,
                    Value::Win if captures(mover, other.bit()) => at_once += 2,
                    Value::Win => quietly += 2,
                    Value::Loss => lost.push(format!("{mover} {other}")),
                }
            }
        }
        assert_eq!((drawn, at_once, quietly), (1592, 364, 24));
        assert_eq!(lost, ["h8 a1", "a1 h8"]);
    }
}
