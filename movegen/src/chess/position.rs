//! The rules of the chess games behind the common contract.

use super::{Board, Count, Move, PieceType, Rules, Square, fen, keys};
use crate::chess::generate::wanted;
use crate::chess::men::Men;
use crate::{
    ChessRules, Clock, Color, Countdown, DrawReason, FenError, MoveError, MoveList, Outcome,
    Position, Variant,
};

impl<R: Rules> Position for Board<R> {
    type Move = Move;
    type Rules = ChessRules;

    const VARIANT: Variant = R::VARIANT;
    const PIECE_KINDS: usize = PieceType::COUNT;
    const SIDE_KEY: u64 = keys::SIDE;

    fn start(rules: ChessRules) -> Self {
        let Ok(mut board) = fen::read(R::START, rules) else {
            // Never: the start position is a valid constant, as the tests show.
            return Self::assemble(Men::EMPTY, rules, 0, 0, Count::NONE);
        };
        // Only a FEN that somebody gives can turn cutechess's counting off.
        board.stored_count = Count::NONE;
        board
    }

    fn from_fen(fen: &str, rules: ChessRules) -> Result<Self, FenError> {
        fen::read(fen, rules)
    }

    fn fen(&self) -> String {
        self.write_fen()
    }

    #[inline]
    fn rules(&self) -> &ChessRules {
        &self.rules
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.turn()
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.keys.full
    }

    fn key_from_scratch(&self) -> u64 {
        self.keys_from_scratch().full
    }

    #[inline]
    fn game_ply(&self) -> u32 {
        self.game_ply
    }

    fn letter_at(&self, file: u8, rank: u8) -> Option<char> {
        self.piece_at(Square::new(file, rank))
            .map(|(color, piece)| fen::letter_of::<R>(color, piece))
    }

    #[inline]
    fn generate(&self, moves: &mut MoveList<Move>) {
        self.list_all(moves);
    }

    #[inline]
    fn generate_tactical(&self, moves: &mut MoveList<Move>) {
        self.list::<{ wanted::TACTICAL }>(moves);
    }

    #[inline]
    fn generate_quiet(&self, moves: &mut MoveList<Move>) {
        self.list::<{ wanted::QUIET }>(moves);
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        u64::from(self.count_legal())
    }

    #[inline]
    fn has_legal_move(&self) -> bool {
        self.count_legal() != 0
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        self.allows(m)
    }

    #[inline]
    fn move_from_tag(&self, tag: u16) -> Option<Move> {
        Some(Move::from_bits(tag)).filter(|&m| self.allows(m))
    }

    #[inline(always)]
    fn is_tactical(&self, m: Move) -> bool {
        m.is_promotion() || self.is_capture(m)
    }

    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        m.piece() == PieceType::Pawn || self.is_capture(m)
    }

    #[inline]
    fn can_return_to(&self, earlier: u64) -> bool {
        self.returns_to(earlier)
    }

    #[inline(always)]
    fn moved_piece(&self, m: Move) -> usize {
        m.piece().index()
    }

    #[inline]
    fn play_unchecked(&self, m: Move) -> Self {
        self.after(m)
    }

    #[inline]
    fn play_null(&self) -> Self {
        self.after_null()
    }

    fn flipped(&self) -> Self {
        self.turned()
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.in_check()
    }

    fn no_moves_outcome(&self) -> Outcome {
        self.end_without_moves()
    }

    fn draw_reason(&self, occurrences: u32) -> Option<DrawReason> {
        self.find_draw(occurrences)
    }

    #[inline]
    fn countdown(&self) -> Countdown {
        self.first_clock()
    }

    fn clocks(&self) -> Vec<Clock> {
        self.all_clocks()
    }

    fn move_text(&self, m: Move) -> String {
        self.write_move(m)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.read_move(text)
    }

    fn notation(&self, m: Move) -> String {
        self.write_san(m)
    }

    fn parse_notation(&self, text: &str) -> Result<Move, MoveError> {
        self.read_san(text)
    }

    fn perft(&self, depth: u32) -> u64 {
        self.walk(depth, false)
    }

    fn perft_listing(&self, depth: u32) -> u64 {
        self.walk(depth, true)
    }
}

impl<R: Rules> Board<R> {
    fn walk(&self, depth: u32, listing: bool) -> u64 {
        let walk = super::tree::Walk { all_promotions: self.all_promotions(), listing };
        super::tree::leaves::<R>(&self.men, self.turn(), depth, walk)
    }
}
