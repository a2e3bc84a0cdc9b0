use super::generate::Side;
use super::square::{Direction, RANK_1, RANK_8, king_reach, squares};
use super::{Move, Square, keys, lone_kings};
use crate::{Color, Countdown, DrawReason, LoneKings, MakhosRules, QuietReset};

/// A position of Makhos.
///
/// Sets of squares are `u32`s: bit `n` is the square with PDN number `n + 1` (b8 = 0, g1 = 31); see
/// [`Square`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) men: [u32; 2],
    pub(super) kings: [u32; 2],
    pub(super) key: u64,
    pub(super) game_ply: u32,
    pub(super) quiet_plies: u16,
    pub(super) side: Color,
    pub(super) rules: MakhosRules,
}

impl Board {
    /// The most pieces that a side may have: the game has 8, its relatives have up to 12.
    ///
    /// It bounds the number of moves ([`MAX_MOVES`](crate::MAX_MOVES)). Without a capture 12 kings
    /// have at most 13 moves each, 156. With captures the most that hill climbing has found, from
    /// many starts and also with 16 a side, is 101 (eight kings round nine victims), reached by 554
    /// jumps; so chains need no protection against exponential growth either.
    pub const MAX_PIECES: usize = 12;

    /// The regime of [`Countdown`] in which quiet plies are counted.
    pub const QUIET_REGIME: u8 = 1;

    const START_WHITE: u32 = 0xFF00_0000;
    const START_BLACK: u32 = 0x0000_00FF;

    /// A board with the given pieces, which must not overlap.
    pub(super) fn new(men: [u32; 2], kings: [u32; 2], side: Color, rules: MakhosRules) -> Self {
        let mut board = Self { men, kings, key: 0, game_ply: 0, quiet_plies: 0, side, rules };
        board.key = board.hash();
        board
    }

    /// The position with the colors exchanged and the board turned by 180 degrees: square `n`
    /// becomes `33 - n`.
    pub(super) fn turned(&self) -> Self {
        let turn = |[white, black]: [u32; 2]| [black.reverse_bits(), white.reverse_bits()];
        let turned = Self::new(turn(self.men), turn(self.kings), !self.side, self.rules);
        // The parity of the ply goes with the side to move.
        Self { game_ply: self.game_ply ^ 1, quiet_plies: self.quiet_plies, ..turned }
    }

    pub(super) fn start_position(rules: MakhosRules) -> Self {
        Self::new([Self::START_WHITE, Self::START_BLACK], [0, 0], rules.first, rules)
    }

    /// Men of a color.
    #[inline(always)]
    pub const fn men(&self, color: Color) -> u32 {
        self.men[color.index()]
    }

    /// Kings of a color.
    #[inline(always)]
    pub const fn kings(&self, color: Color) -> u32 {
        self.kings[color.index()]
    }

    /// Men and kings of a color.
    #[inline(always)]
    pub const fn pieces(&self, color: Color) -> u32 {
        self.men(color) | self.kings(color)
    }

    /// All occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> u32 {
        self.pieces(Color::White) | self.pieces(Color::Black)
    }

    /// All empty squares.
    #[inline(always)]
    pub const fn empty(&self) -> u32 {
        !self.occupied()
    }

    /// Plies since the last capture or man move (or since the last capture, if the rules say so).
    #[inline(always)]
    pub const fn quiet_plies(&self) -> u32 {
        self.quiet_plies as u32
    }

    /// Whether a color could capture something if it were to move.
    #[inline(always)]
    pub fn can_capture(&self, color: Color) -> bool {
        match color {
            Color::White => Side::<true>::of(self).has_capture(),
            Color::Black => Side::<false>::of(self).has_capture(),
        }
    }

    /// Men of a color that have an empty square to step to.
    #[inline(always)]
    pub const fn movable_men(&self, color: Color) -> u32 {
        let empty = self.empty();
        let reachable = match color {
            Color::White => Direction::SouthWest.step(empty) | Direction::SouthEast.step(empty),
            Color::Black => Direction::NorthWest.step(empty) | Direction::NorthEast.step(empty),
        };
        self.men(color) & reachable
    }

    /// The squares in front of the men of a color, occupied or not.
    #[inline(always)]
    pub const fn man_steps(&self, color: Color) -> u32 {
        let men = self.men(color);
        match color {
            Color::White => Direction::NorthWest.step(men) | Direction::NorthEast.step(men),
            Color::Black => Direction::SouthWest.step(men) | Direction::SouthEast.step(men),
        }
    }

    /// The empty squares that a king on `from` sees along its diagonals.
    #[inline(always)]
    pub const fn king_reach(&self, from: Square) -> u32 {
        king_reach(from, self.occupied())
    }

    /// The rank on which men of a color become kings.
    #[inline(always)]
    pub const fn crown_rank(color: Color) -> u32 {
        match color {
            Color::White => RANK_8,
            Color::Black => RANK_1,
        }
    }

    pub(super) fn hash(&self) -> u64 {
        let mut key = if self.side == Color::Black { keys::BLACK_TO_MOVE } else { 0 };
        for color in Color::ALL {
            for square in squares(self.men(color)) {
                key ^= keys::man(color, square);
            }
            for square in squares(self.kings(color)) {
                key ^= keys::king(color, square);
            }
        }
        key
    }

    /// The position after a move.
    #[inline(always)]
    pub(super) fn after(&self, m: Move) -> Self {
        let us = self.side;
        let them = us.opposite();
        let (from, to) = (m.from(), m.to());
        let mut next = *self;
        let was_man = self.men(us) & from.bit() != 0;
        let is_king = !was_man || to.bit() & Self::crown_rank(us) != 0;

        // A king may end on its origin or on the square of a piece that it captured: everything
        // leaves the board before the king is set down.
        next.key ^= keys::BLACK_TO_MOVE;
        if was_man {
            next.men[us.index()] &= !from.bit();
            next.key ^= keys::man(us, from);
        } else {
            next.kings[us.index()] &= !from.bit();
            next.key ^= keys::king(us, from);
        }
        if m.captured() != 0 {
            next.key ^= self.capture_keys(them, m.captured());
            next.men[them.index()] &= !m.captured();
            next.kings[them.index()] &= !m.captured();
        }
        if is_king {
            next.kings[us.index()] |= to.bit();
            next.key ^= keys::king(us, to);
        } else {
            next.men[us.index()] |= to.bit();
            next.key ^= keys::man(us, to);
        }

        let restarts = m.captured() != 0
            || was_man && matches!(self.rules.quiet_reset, QuietReset::CaptureOrMan);
        next.quiet_plies = if restarts { 0 } else { self.quiet_plies.saturating_add(1) };
        next.game_ply = self.game_ply.saturating_add(1);
        next.side = them;
        next
    }

    #[inline]
    fn capture_keys(&self, them: Color, captured: u32) -> u64 {
        let men = squares(self.men(them) & captured).map(|s| keys::man(them, s));
        let kings = squares(self.kings(them) & captured).map(|s| keys::king(them, s));
        men.chain(kings).fold(0, |sum, key| sum ^ key)
    }

    /// The position after passing.
    pub(super) fn after_null(&self) -> Self {
        Self {
            key: self.key ^ keys::BLACK_TO_MOVE,
            game_ply: self.game_ply.saturating_add(1),
            quiet_plies: self.quiet_plies.saturating_add(1),
            side: self.side.opposite(),
            ..*self
        }
    }

    /// Further quiet plies before the draw, if the rules count them.
    #[inline(always)]
    pub(super) fn quiet_remaining(&self) -> Option<u16> {
        match self.rules.quiet_plies {
            0 => None,
            limit => Some(limit.saturating_sub(self.quiet_plies)),
        }
    }

    #[inline(always)]
    pub(super) fn quiet_countdown(&self) -> Countdown {
        match self.quiet_remaining() {
            Some(remaining) => Countdown { regime: Self::QUIET_REGIME, remaining },
            None => Countdown::NONE,
        }
    }

    #[inline(always)]
    pub(super) fn draw(&self, occurrences: u32) -> Option<DrawReason> {
        let repetition = self.rules.repetition;
        if repetition != 0 && occurrences >= u32::from(repetition) {
            return Some(DrawReason::Repetition);
        }
        if self.quiet_remaining() == Some(0) {
            return Some(DrawReason::NMoveRule);
        }
        self.is_lone_kings_draw().then_some(DrawReason::LoneKings)
    }

    #[inline(always)]
    fn is_lone_kings_draw(&self) -> bool {
        if self.men != [0, 0] || self.rules.lone_kings == LoneKings::Play {
            return false;
        }
        let (ours, theirs) = (self.kings(self.side), self.kings(!self.side));
        if !ours.is_power_of_two() || !theirs.is_power_of_two() {
            return false;
        }
        match (self.rules.lone_kings, Square::first_of(ours)) {
            (LoneKings::Table, Some(mover)) => lone_kings::is_drawn(mover, theirs),
            _ => true,
        }
    }
}
