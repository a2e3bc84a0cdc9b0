//! Draws, and the clocks that lead to them.

use super::counting::{self, CountKind};
use super::{Bitboard, Board, PieceType, Rules};
use crate::{
    Clock, ClockKind, Color, Countdown, CountingRule, DeadPosition, DrawReason, Outcome, Variant,
    WinReason,
};

/// Plies of the 50-move rule.
const FIFTY_MOVES: u32 = 100;

/// Values of [`Countdown::regime`].
mod regime {
    pub(super) const BOARD: u8 = 1;
    pub(super) const PIECES: u8 = 2;
    pub(super) const FIFTY_MOVES: u8 = 3;
    pub(super) const GAME_LENGTH: u8 = 4;
    /// Added to `BOARD` where it matters who counts: White, Black.
    pub(super) const BY: [u8; 2] = [8, 16];
}

/// The dark squares, a1 among them.
const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);

impl<R: Rules> Board<R> {
    /// Whether one side can never mate by the standard (Fairy-Stockfish's) measure: it has neither
    /// rook nor khon (nor, in ASEAN, a pawn that could become one), no met beside a knight or pawn
    /// or mets on the other square color, and no knight or pawn beside anything else.
    pub fn has_insufficient_material(&self, color: Color) -> bool {
        let own = |piece: PieceType| !self.of(color, piece).is_empty();
        let promotes = R::PROMOTES_TO_ALL && own(PieceType::Pawn) && self.all_promotions();
        if own(PieceType::Rook) || own(PieceType::Khon) || promotes {
            return false;
        }
        let mets = self.of_type(PieceType::Met);
        let both_colors = square_colors(mets) == 2;
        let kings = self.of_type(PieceType::King);
        let unbound = self.occupied() & !kings & !mets;
        if own(PieceType::Met) && (both_colors || !unbound.is_empty()) {
            return false;
        }
        let own_unbound = unbound & self.of_color(color);
        own_unbound.is_empty() || !(self.occupied() & !kings).several()
    }

    /// Whether the rule set declares the position dead.
    fn is_dead(&self, occurrences: u32) -> bool {
        match self.rules.dead_position {
            DeadPosition::Off => false,
            // The Makruk site knows one dead position only: king against king.
            DeadPosition::Standard
                if R::VARIANT == Variant::Makruk && self.rules.counting == CountingRule::Site =>
            {
                Color::ALL.into_iter().all(|color| self.is_bare(color))
            }
            DeadPosition::Standard => {
                Color::ALL.into_iter().all(|color| self.has_insufficient_material(color))
            }
            DeadPosition::Cutechess => {
                self.is_dead_by_weights()
                    || R::VARIANT == Variant::Asean
                        && occurrences < 3
                        && self.is_dead_with_khons_as_bishops()
            }
        }
    }

    /// cutechess's measure: a king, rook, khon or pawn weighs 9, a knight 4, a met 1, and each square
    /// color with mets on it 2 more; below 25 nobody mates.
    fn is_dead_by_weights(&self) -> bool {
        let mets = self.of_type(PieceType::Met);
        let knights = self.of_type(PieceType::Knight).len();
        let heavy = self.occupied().len() - mets.len() - knights;
        9 * heavy + 4 * knights + mets.len() + 2 * square_colors(mets) < 25
    }

    /// The orthodox measure, which cutechess adds in ASEAN (and not at a third occurrence): at most
    /// a knight, or khons on one square color, besides the kings.
    fn is_dead_with_khons_as_bishops(&self) -> bool {
        let knights = self.of_type(PieceType::Knight);
        let khons = self.of_type(PieceType::Khon);
        let rest = self.occupied() & !(knights | khons | self.of_type(PieceType::King));
        rest.is_empty() && knights.len() + square_colors(khons) <= 1
    }

    /// How the game ends for a side to move that has no legal move.
    pub(super) fn end_without_moves(&self) -> Outcome {
        let winner = self.turn().opposite();
        if !self.in_check() {
            Outcome::Draw(DrawReason::Stalemate)
        } else if counting::mate_by_counter(&self.stored_count, &self.rules, winner, self.game_ply)
        {
            Outcome::Draw(DrawReason::Counting)
        } else {
            Outcome::Win(winner, WinReason::Checkmate)
        }
    }

    /// The draw rule that ends the game here; see
    /// [`Position::draw_reason`](crate::Position::draw_reason).
    pub(super) fn find_draw(&self, occurrences: u32) -> Option<DrawReason> {
        if counting::is_drawn::<R>(&self.count(), &self.rules) {
            return Some(DrawReason::Counting);
        }
        if self.rules.repetition && occurrences >= 3 {
            return Some(DrawReason::Repetition);
        }
        // In cutechess's ASEAN a third occurrence hides every draw of the orthodox rules.
        let hidden = self.is_cutechess_asean() && occurrences >= 3;
        if self.has_fifty_move_rule() && u32::from(self.halfmove) >= FIFTY_MOVES && !hidden {
            return Some(DrawReason::NMoveRule);
        }
        if self.is_dead(occurrences) {
            return Some(DrawReason::DeadPosition);
        }
        self.plies_to_longest_game()
            .is_some_and(|plies| plies == 0)
            .then_some(DrawReason::GameLength)
    }

    fn is_cutechess_asean(&self) -> bool {
        R::VARIANT == Variant::Asean && self.rules.counting == CountingRule::Cutechess
    }

    fn has_fifty_move_rule(&self) -> bool {
        match R::VARIANT {
            Variant::Asean => self.rules.fifty_move_rule,
            _ => self.stored_count.kind == CountKind::Western,
        }
    }

    /// Plies until the longest game that the rule set allows is over.
    fn plies_to_longest_game(&self) -> Option<u32> {
        let moves = u32::from(self.rules.max_game_moves);
        (moves > 0).then(|| (2 * moves).saturating_sub(self.game_ply))
    }

    /// The clock that ends the game first.
    #[inline]
    pub(super) fn first_clock(&self) -> Countdown {
        let mut first = Countdown::NONE;
        let mut offer = |regime: u8, plies: u32| {
            let remaining = u16::try_from(plies).unwrap_or(Countdown::UNLIMITED - 1);
            if remaining < first.remaining {
                first = Countdown { regime, remaining };
            }
        };
        if self.stored_count.runs() {
            let count = self.count();
            let horizon = counting::horizon::<R>(&count, &self.men, &self.rules, self.game_ply);
            if let Some(horizon) = horizon {
                let kind = match count.kind {
                    CountKind::Pieces => regime::PIECES,
                    _ => regime::BOARD + count.counting.map_or(0, |c| regime::BY[c.index()]),
                };
                offer(kind, horizon.to_mate);
            }
        }
        if self.has_fifty_move_rule() {
            offer(regime::FIFTY_MOVES, FIFTY_MOVES.saturating_sub(u32::from(self.halfmove)));
        }
        if let Some(plies) = self.plies_to_longest_game() {
            offer(regime::GAME_LENGTH, plies);
        }
        first
    }

    /// Further plies until a clock of the rules makes the game a draw, the first one of those that
    /// run; `None` if none does. The ply that makes the draw may itself still give mate.
    pub fn plies_to_draw(&self) -> Option<u32> {
        let count = self.count();
        let horizon = counting::horizon::<R>(&count, &self.men, &self.rules, self.game_ply);
        let fifty = FIFTY_MOVES.saturating_sub(u32::from(self.halfmove));
        [
            horizon.map(|h| h.to_draw),
            self.has_fifty_move_rule().then_some(fifty),
            self.plies_to_longest_game(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// All running clocks, for people.
    pub(super) fn all_clocks(&self) -> Vec<Clock> {
        let mut clocks = Vec::new();
        let count = self.count();
        if count.runs() {
            let horizon = counting::horizon::<R>(&count, &self.men, &self.rules, self.game_ply);
            let kind = match (R::VARIANT, count.kind) {
                (Variant::Asean, _) => ClockKind::AseanCount,
                (_, CountKind::Pieces) => ClockKind::PiecesHonour,
                _ => ClockKind::BoardHonour,
            };
            clocks.push(Clock {
                kind,
                counting: count.counting.or_else(|| counting::only_bare(&self.men)),
                counted: u32::from(count.ply),
                limit: u32::from(count.limit),
                drawn_at: u32::from(counting::drawn_at::<R>(&count, &self.rules)),
                remaining: horizon.map_or(u32::MAX, |h| h.to_draw),
            });
        }
        if self.has_fifty_move_rule() {
            let counted = u32::from(self.halfmove);
            clocks.push(Clock {
                kind: ClockKind::FiftyMoves,
                counting: None,
                counted,
                limit: FIFTY_MOVES,
                drawn_at: FIFTY_MOVES,
                remaining: FIFTY_MOVES.saturating_sub(counted),
            });
        }
        if let Some(remaining) = self.plies_to_longest_game() {
            let limit = 2 * u32::from(self.rules.max_game_moves);
            clocks.push(Clock {
                kind: ClockKind::GameLength,
                counting: None,
                counted: self.game_ply,
                limit,
                drawn_at: limit,
                remaining,
            });
        }
        clocks
    }
}

/// On how many of the two square colors the set has squares.
fn square_colors(set: Bitboard) -> u32 {
    u32::from(!(set & DARK).is_empty()) + u32::from(!(set & !DARK).is_empty())
}
