use super::generate::Side;
use super::pieces::Pieces;
use super::square::{king_reach, man_steps, squares};
use super::{Move, Square, keys, lone_kings};
use crate::{Color, Countdown, DrawReason, LoneKings, MakhosRules, QuietReset};

/// A position of Makhos.
///
/// Sets of squares are `u32`s: bit `n` is the square with PDN number `n + 1` (b8 = 0, g1 = 31); see
/// [`Square`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) pieces: Pieces,
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
    pub(super) fn new(pieces: Pieces, side: Color, rules: MakhosRules) -> Self {
        let mut board = Self { pieces, key: 0, game_ply: 0, quiet_plies: 0, side, rules };
        board.key = board.hash();
        board
    }

    /// The position with these men and kings, each White's and Black's, and no quiet plies; `None`
    /// if squares are taken twice or a man stands where it would be a king.
    #[inline]
    pub fn with_pieces(
        men: [u32; 2],
        kings: [u32; 2],
        side: Color,
        rules: MakhosRules,
    ) -> Option<Self> {
        let pieces = Pieces { men, kings };
        let sets = [men[0], men[1], kings[0], kings[1]];
        let squares: u32 = sets.iter().map(|set| set.count_ones()).sum();
        let crowned = Color::ALL.into_iter().any(|c| men[c.index()] & Pieces::crown_rank(c) != 0);
        (squares == pieces.occupied().count_ones() && !crowned)
            .then(|| Self::new(pieces, side, rules))
    }

    /// The position with the colors exchanged and the board turned by 180 degrees: square `n`
    /// becomes `33 - n`.
    pub(super) fn turned(&self) -> Self {
        let turn = |[white, black]: [u32; 2]| [black.reverse_bits(), white.reverse_bits()];
        let pieces = Pieces { men: turn(self.pieces.men), kings: turn(self.pieces.kings) };
        let turned = Self::new(pieces, !self.side, self.rules);
        // The parity of the ply goes with the side to move.
        Self { game_ply: self.game_ply ^ 1, quiet_plies: self.quiet_plies, ..turned }
    }

    pub(super) fn start_position(rules: MakhosRules) -> Self {
        let pieces = Pieces { men: [Self::START_WHITE, Self::START_BLACK], kings: [0, 0] };
        Self::new(pieces, rules.first, rules)
    }

    /// Men of a color.
    #[inline(always)]
    pub const fn men(&self, color: Color) -> u32 {
        self.pieces.men[color.index()]
    }

    /// Kings of a color.
    #[inline(always)]
    pub const fn kings(&self, color: Color) -> u32 {
        self.pieces.kings[color.index()]
    }

    /// Men and kings of a color.
    #[inline(always)]
    pub const fn pieces(&self, color: Color) -> u32 {
        self.pieces.of(color)
    }

    /// All occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> u32 {
        self.pieces.occupied()
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
        self.men(color) & man_steps(color.opposite(), self.empty())
    }

    /// The squares in front of the men of a color, occupied or not.
    #[inline(always)]
    pub const fn man_steps(&self, color: Color) -> u32 {
        man_steps(color, self.men(color))
    }

    /// The empty squares that a king on `from` sees along its diagonals.
    #[inline(always)]
    pub const fn king_reach(&self, from: Square) -> u32 {
        king_reach(from, self.occupied())
    }

    /// The rank on which men of a color become kings.
    #[inline(always)]
    pub const fn crown_rank(color: Color) -> u32 {
        Pieces::crown_rank(color)
    }

    pub(super) fn hash(&self) -> u64 {
        let mut key = if self.side == Color::Black { keys::BLACK_TO_MOVE } else { 0 };
        for color in Color::ALL {
            for (set, is_king) in [(self.men(color), false), (self.kings(color), true)] {
                for square in squares(set) {
                    key ^= keys::piece(color, is_king, square);
                }
            }
        }
        key
    }

    /// The position after a move.
    #[inline(always)]
    pub(super) fn after(&self, m: Move) -> Self {
        let us = self.side;
        let was_man = self.pieces.is_man_move(us, m);
        let mut next = *self;
        next.pieces.play(us, m);
        next.key ^= keys::BLACK_TO_MOVE
            ^ keys::piece(us, !was_man, m.from())
            ^ keys::piece(us, !was_man || self.pieces.crowns(us, m), m.to());
        if m.captured() != 0 {
            next.key ^= self.capture_keys(m.captured());
        }
        let restarts = m.captured() != 0
            || was_man && matches!(self.rules.quiet_reset, QuietReset::CaptureOrMan);
        next.quiet_plies = if restarts { 0 } else { self.quiet_plies.saturating_add(1) };
        next.game_ply = self.game_ply.saturating_add(1);
        next.side = us.opposite();
        next
    }

    #[inline]
    fn capture_keys(&self, captured: u32) -> u64 {
        let them = self.side.opposite();
        let (men, kings) = (self.men(them) & captured, self.kings(them) & captured);
        let men = squares(men).map(|square| keys::piece(them, false, square));
        let kings = squares(kings).map(|square| keys::piece(them, true, square));
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
        if self.pieces.men != [0, 0] || self.rules.lone_kings == LoneKings::Play {
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
