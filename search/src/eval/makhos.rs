//! Hand-written evaluation of Makhos.
//!
//! Weights are round numbers after published ones for related draughts games; no match has tuned
//! them yet.

use movegen::makhos::{Board, Direction, FILE_A, FILE_H, RANK_1, RANK_8, king_reach, squares};
use movegen::{Color, Countdown, Position};

use super::{Evaluator, Guide, bounded};

const MAN: i32 = 100;
/// The first king decides whether the long diagonals are held; further ones add a little less.
const FIRST_KING: i32 = 270;
const FURTHER_KING: i32 = 250;
/// By ranks a man has gone from its own first rank, in a position of few men; halved with all
/// men on the board, where men that stay behind guard the back rank.
const ADVANCE: [i32; 7] = [0, 3, 6, 10, 16, 26, 42];
/// Per man on one of the two inner squares of its own first rank.
const BACK_GUARD: i32 = 8;
const EDGE_MAN: i32 = -2;
const CENTRE_MAN: i32 = 4;
const SUPPORTED_MAN: i32 = 3;
const MOVABLE_MAN: i32 = 2;
/// Per man more on one half of the board than on the other.
const SKEW: i32 = -2;
/// A man that nothing can stop: this, and more for each step that it does not need any more.
const RUNAWAY: i32 = 40;
const RUNAWAY_STEP: i32 = 14;
/// Per square that a king sees.
const KING_SQUARE: i32 = 3;
const TRAPPED_KING: i32 = -60;
/// A king on the diagonal a1-h8, and what it is worth more to a lone king that defends.
const LONG_DIAGONAL: i32 = 12;
const HELD_DIAGONAL: i32 = 28;
const TEMPO: i32 = 3;
/// Plies before the quiet-move draw from which on an advantage counts less.
const QUIET_WINDOW: i32 = 36;

/// c1 and e1.
const INNER_BACK: u32 = 0x6000_0000;
/// c3, e3, d4, f4, c5, e5, d6 and f6.
const CENTRE: u32 = 0x0066_6600;
/// Files a to d.
const LEFT: u32 = 0x3333_3333;
/// a1 b2 c3 d4 e5 f6 g7 h8.
const LONG: u32 = 0x1122_4488;

/// Hand-written evaluation of Makhos. It keeps no state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MakhosEval;

impl Evaluator<Board> for MakhosEval {
    fn evaluate_raw(&mut self, position: &Board) -> i32 {
        let mover = position.side_to_move();
        let own = View::of(position, mover);
        let other = View::of(position, !mover);
        let value = own.value(&other) - other.value(&own) + TEMPO;
        bounded(value * drawishness(&own, &other) / 4)
    }

    fn apply_count(&self, position: &Board, raw: i32) -> i32 {
        raw * share(position.countdown().remaining) / 256
    }
}

impl Guide<Board> for MakhosEval {
    fn known(&self, _: &Board) -> Option<i32> {
        None
    }

    #[inline]
    fn tempered(&self, position: &Board, value: i32) -> i32 {
        let mover = position.side_to_move();
        let (own, other) = (View::of(position, mover), View::of(position, !mover));
        value * drawishness(&own, &other) / 4
    }
}

/// Share, in 256ths, of an advantage that is left `plies` before the quiet-move draw.
fn share(plies: u16) -> i32 {
    match plies {
        Countdown::UNLIMITED => 256,
        _ => (i32::from(plies) * 256 / QUIET_WINDOW).min(256),
    }
}

/// Quarters of the value to keep: few men and equal kings seldom give a winner. (Two kings against
/// one do: that ending is decided in 87 % of its positions.)
fn drawishness(a: &View, b: &View) -> i32 {
    let kings = a.kings.count_ones();
    let equal_kings = kings > 0 && kings == b.kings.count_ones();
    let even_men = a.men.count_ones().abs_diff(b.men.count_ones()) <= 1;
    if equal_kings && even_men && a.pieces() + b.pieces() <= 6 { 1 } else { 4 }
}

/// The board as one side sees it: its men move towards bit 0.
#[derive(Clone, Copy)]
struct View {
    men: u32,
    kings: u32,
    empty: u32,
}

impl View {
    fn of(board: &Board, color: Color) -> Self {
        let seen = |set: u32| match color {
            Color::White => set,
            Color::Black => set.reverse_bits(),
        };
        Self {
            men: seen(board.men(color)),
            kings: seen(board.kings(color)),
            empty: seen(board.empty()),
        }
    }

    fn pieces(&self) -> u32 {
        self.men.count_ones() + self.kings.count_ones()
    }

    /// What this side has, without regard to the other side's merits.
    fn value(&self, other: &Self) -> i32 {
        self.men_value(other) + self.kings_value(other)
    }

    fn men_value(&self, other: &Self) -> i32 {
        let men = self.men;
        let count = |set: u32| set.count_ones().cast_signed();
        let total = (self.pieces() + other.pieces()).cast_signed();
        let mut advance = 0;
        for (rank, weight) in (0u32..).zip(ADVANCE) {
            advance += weight * count(men & (RANK_1 >> (4 * rank)));
        }
        let mut sum = MAN * count(men) + advance * (24 - total).max(0) / 16;
        if other.men != 0 {
            sum += BACK_GUARD * count(men & INNER_BACK);
        }
        sum += EDGE_MAN * count(men & (FILE_A | FILE_H)) + CENTRE_MAN * count(men & CENTRE);
        let from_behind = forward(men | self.kings);
        sum += SUPPORTED_MAN * count(men & from_behind);
        let can_step =
            Direction::SouthWest.step(self.empty) | Direction::SouthEast.step(self.empty);
        sum += MOVABLE_MAN * count(men & can_step);
        sum += SKEW * (count(men & LEFT) - count(men & !LEFT)).abs();
        sum + self.runaways(other)
    }

    /// Men with an open way to the far rank and no enemy in front of them.
    fn runaways(&self, other: &Self) -> i32 {
        if other.kings != 0 {
            return 0;
        }
        let enemies = other.men.reverse_bits();
        let mut sum = 0;
        for square in squares(self.men) {
            let (mut front, mut open) = (square.bit(), square.bit());
            let mut steps_left = 0;
            while front & RANK_8 == 0 && front != 0 {
                front = forward(front);
                open = forward(open) & self.empty;
                steps_left += 1;
                if front & enemies != 0 || open == 0 {
                    open = 0;
                    break;
                }
            }
            if open != 0 {
                sum += RUNAWAY + RUNAWAY_STEP * (6 - steps_left);
            }
        }
        sum
    }

    fn kings_value(&self, other: &Self) -> i32 {
        let count = self.kings.count_ones().cast_signed();
        if count == 0 {
            return 0;
        }
        let mut sum = FIRST_KING + FURTHER_KING * (count - 1);
        let occupied = !self.empty;
        // Next to an enemy man or king a king may be taken; those squares do not count.
        let enemies = (other.men | other.kings).reverse_bits();
        let safe = !Direction::ALL.iter().fold(0, |set, d| set | d.step(enemies));
        for square in squares(self.kings) {
            let reach = king_reach(square, occupied);
            sum += KING_SQUARE * (reach & safe).count_ones().cast_signed();
            if reach == 0 {
                sum += TRAPPED_KING;
            }
        }
        if self.kings & LONG != 0 {
            sum += LONG_DIAGONAL;
            if self.pieces() == 1 && other.pieces() > 1 {
                sum += HELD_DIAGONAL;
            }
        }
        sum
    }
}

/// One step forward in both directions.
fn forward(set: u32) -> u32 {
    Direction::NorthWest.step(set) | Direction::NorthEast.step(set)
}

#[cfg(test)]
mod tests {
    use movegen::MakhosRules;

    use super::*;

    #[test]
    fn named_squares_are_what_they_say() {
        let set = |names: &[&str]| {
            names.iter().fold(0, |set, name| {
                let b = name.as_bytes();
                let square = movegen::makhos::Square::at(b[0] - b'a', b[1] - b'1').unwrap();
                set | square.bit()
            })
        };
        assert_eq!(INNER_BACK, set(&["c1", "e1"]));
        assert_eq!(CENTRE, set(&["c3", "e3", "d4", "f4", "c5", "e5", "d6", "f6"]));
        assert_eq!(LONG, set(&["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]));
        let left = squares(u32::MAX).filter(|s| s.file() < 4).fold(0, |set, s| set | s.bit());
        assert_eq!(LEFT, left);
    }

    #[test]
    fn the_share_rises_with_the_plies() {
        assert_eq!(share(0), 0);
        for plies in 1..=u16::MAX {
            assert!(share(plies - 1) <= share(plies) && share(plies) <= 256);
        }
        assert_eq!(share(Countdown::UNLIMITED), 256);
    }

    #[test]
    fn a_man_that_runs_is_worth_more() {
        let value = |fen: &str| {
            let board = Board::from_fen(fen, MakhosRules::STANDARD).unwrap();
            MakhosEval.evaluate_raw(&board)
        };
        assert!(value("W:W14,30:B12,8") > value("W:W14,30:B1,8") + 30);
    }
}
