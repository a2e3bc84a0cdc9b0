use super::generate::{Side, by_side};
use super::moves::tag;
use super::square::man_steps;
use super::{Board, Move, Square, fen, keys, tree};
use crate::{
    Clock, ClockKind, Color, Countdown, DrawReason, FenError, MakhosRules, MoveError, MoveList,
    Outcome, Position, Variant, WinReason,
};

impl Board {
    /// Whether a move that captures nothing can be made, if no capture is compulsory.
    fn is_quiet_step(&self, m: Move) -> bool {
        let (from, to) = (m.from().bit(), m.to().bit());
        if self.men(self.side) & from != 0 {
            man_steps(self.side, from) & self.empty() & to != 0
        } else {
            self.kings(self.side) & from != 0 && self.king_reach(m.from()) & to != 0
        }
    }

    /// The complete captures of the piece on `from`.
    fn captures_from(&self, from: Square) -> MoveList<Move> {
        let mut moves = MoveList::new();
        by_side!(self, side => side.captures_from(from, &mut moves));
        moves
    }
}

impl Position for Board {
    type Move = Move;
    type Rules = MakhosRules;

    const VARIANT: Variant = Variant::Makhos;
    /// Men and kings.
    const PIECE_KINDS: usize = 2;
    const SIDE_KEY: u64 = keys::BLACK_TO_MOVE;

    fn start(rules: MakhosRules) -> Self {
        Self::start_position(rules)
    }

    fn from_fen(fen: &str, rules: MakhosRules) -> Result<Self, FenError> {
        fen::read(fen, rules)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn rules(&self) -> &MakhosRules {
        &self.rules
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        self.hash()
    }

    #[inline(always)]
    fn game_ply(&self) -> u32 {
        self.game_ply
    }

    fn letter_at(&self, file: u8, rank: u8) -> Option<char> {
        let bit = Square::at(file, rank)?.bit();
        Color::ALL.into_iter().find_map(|color| match color.letter() {
            man if self.men(color) & bit != 0 => Some(man),
            man if self.kings(color) & bit != 0 => Some(man.to_ascii_uppercase()),
            _ => None,
        })
    }

    #[inline(always)]
    fn generate(&self, moves: &mut MoveList<Move>) {
        by_side!(self, side => side.moves(moves));
    }

    #[inline(always)]
    fn generate_tactical(&self, moves: &mut MoveList<Move>) {
        let before = moves.len();
        by_side!(self, side => {
            side.captures(moves);
            if moves.len() == before {
                side.quiet_promotions(moves);
            }
        });
    }

    #[inline(always)]
    fn generate_quiet(&self, moves: &mut MoveList<Move>) {
        by_side!(self, side => if !side.has_capture() {
            side.plain_quiets(moves);
        });
    }

    #[inline(always)]
    fn count_moves(&self) -> u64 {
        by_side!(self, side => u64::from(side.count()))
    }

    fn perft(&self, depth: u32) -> u64 {
        tree::leaves(self, depth, false)
    }

    fn perft_listing(&self, depth: u32) -> u64 {
        tree::leaves(self, depth, true)
    }

    #[inline(always)]
    fn has_legal_move(&self) -> bool {
        by_side!(self, side => side.has_quiet() || side.has_capture())
    }

    fn is_legal(&self, m: Move) -> bool {
        if m.captured() == 0 {
            self.is_quiet_step(m) && !self.is_forced()
        } else {
            self.captures_from(m.from()).contains(&m)
        }
    }

    fn move_from_tag(&self, tag: u16) -> Option<Move> {
        use crate::GameMove;
        if tag::is_capture(tag) {
            self.captures_from(tag::from(tag)).into_iter().find(|m| m.tag() == tag)
        } else {
            let m = Move::new(tag::from(tag), tag::to(tag), 0);
            self.is_legal(m).then_some(m)
        }
    }

    #[inline(always)]
    fn is_tactical(&self, m: Move) -> bool {
        m.captured() != 0 || self.pieces.crowns(self.side, m)
    }

    #[inline(always)]
    fn is_irreversible(&self, m: Move) -> bool {
        m.captured() != 0 || self.pieces.is_man_move(self.side, m)
    }

    #[inline]
    fn can_return_to(&self, earlier: u64) -> bool {
        self.returns_to(earlier)
    }

    /// 0 for a man, 1 for a king.
    #[inline(always)]
    fn moved_piece(&self, m: Move) -> usize {
        usize::from(!self.pieces.is_man_move(self.side, m))
    }

    #[inline(always)]
    fn play_unchecked(&self, m: Move) -> Self {
        self.after(m)
    }

    fn play_null(&self) -> Self {
        self.after_null()
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.can_capture(self.side)
    }

    /// Whoever cannot move has lost.
    fn no_moves_outcome(&self) -> Outcome {
        Outcome::Win(self.side.opposite(), WinReason::NoMoves)
    }

    #[inline(always)]
    fn draw_reason(&self, occurrences: u32) -> Option<DrawReason> {
        self.draw(occurrences)
    }

    #[inline(always)]
    fn countdown(&self) -> Countdown {
        self.quiet_countdown()
    }

    fn clocks(&self) -> Vec<Clock> {
        let clock = self.quiet_remaining().map(|remaining| Clock {
            kind: ClockKind::QuietMoves,
            counting: None,
            counted: self.quiet_plies(),
            limit: u32::from(self.rules.quiet_plies),
            drawn_at: u32::from(self.rules.quiet_plies),
            remaining: u32::from(remaining),
        });
        clock.into_iter().collect()
    }

    fn move_text(&self, m: Move) -> String {
        self.uci_text(m)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.read_uci(text)
    }

    fn notation(&self, m: Move) -> String {
        self.pdn_text(m)
    }

    fn parse_notation(&self, text: &str) -> Result<Move, MoveError> {
        self.read_pdn(text)
    }

    fn flipped(&self) -> Self {
        self.turned()
    }
}
