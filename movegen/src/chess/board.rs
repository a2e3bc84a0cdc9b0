use std::marker::PhantomData;

use super::counting::{self, Count, Event};
use super::generate::{self, wanted};
use super::keys;
use super::men::Men;
use super::side::{Black, White};
use super::{Bitboard, Move, PieceType, Rules, Square};
use crate::{ChessRules, Color, MoveList};

/// A position of Makruk or ASEAN Chess: a plain value of about 150 bytes with everything that the
/// rules need except the history of earlier positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<R: Rules> {
    pub(super) men: Men,
    pub(super) keys: Keys,
    /// Men that attack the king of the side to move.
    pub(super) checkers: Bitboard,
    pub(super) rules: ChessRules,
    /// Plies since White's first move of move 1; its parity is the side to move.
    pub(super) game_ply: u32,
    /// Plies since the last capture or pawn move.
    pub(super) halfmove: u16,
    /// See [`Board::count`] for what the rules make of it.
    pub(super) stored_count: Count,
    marker: PhantomData<R>,
}

/// Hashes kept up to date with every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Keys {
    /// All men and the side to move.
    pub(super) full: u64,
    pub(super) pawns: u64,
    /// Everything but pawns, by color; kings included.
    pub(super) officers: [u64; 2],
}

impl<R: Rules> Board<R> {
    /// A board whose men are legal; keys and checkers are worked out here.
    pub(super) fn assemble(
        men: Men,
        rules: ChessRules,
        game_ply: u32,
        halfmove: u16,
        count: Count,
    ) -> Self {
        let mut board = Self {
            men,
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            rules,
            game_ply,
            halfmove,
            stored_count: count,
            marker: PhantomData,
        };
        board.keys = board.keys_from_scratch();
        board.checkers = board.find_checkers();
        board
    }

    /// The board with these men, `turn` to move and no count begun; `None` if they are no position
    /// (a square taken twice, not one king a side, a pawn on its last rank, more than 16 a side).
    pub fn with_men(
        men: &[(Color, PieceType, Square)],
        turn: Color,
        rules: ChessRules,
    ) -> Option<Self> {
        super::fen::set_up(men, turn, rules)
    }

    pub(super) fn keys_from_scratch(&self) -> Keys {
        let mut out = Keys::default();
        for color in Color::ALL {
            for piece in PieceType::ALL {
                for square in self.of(color, piece).squares() {
                    let key = keys::man(color, piece, square);
                    out.full ^= key;
                    if piece == PieceType::Pawn {
                        out.pawns ^= key;
                    } else {
                        out.officers[color.index()] ^= key;
                    }
                }
            }
        }
        if self.turn() == Color::Black {
            out.full ^= keys::SIDE;
        }
        out
    }

    #[inline(always)]
    fn find_checkers(&self) -> Bitboard {
        let us = self.turn();
        self.men.checkers::<R>(self.men.king(us), us.opposite())
    }

    /// Who moves.
    #[inline(always)]
    pub(super) fn turn(&self) -> Color {
        if self.game_ply & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The position with the colors exchanged and the board turned upside down. A count that was
    /// begun by hand belongs to the player of a ply, so that ply moves along.
    pub(super) fn turned(&self) -> Self {
        let start = self.rules.board_count_start;
        let back = self.game_ply & 1 == 1 && start != 1;
        let shift = if back { -1 } else { 1 };
        let mut rules = self.rules;
        if start > 0 {
            rules.board_count_start = start.saturating_add(shift);
        }
        let game_ply = self.game_ply.saturating_add_signed(shift);
        let counting = self.stored_count.counting.map(Color::opposite);
        let count = Count { counting, ..self.stored_count };
        Self::assemble(self.men.turned(), rules, game_ply, self.halfmove, count)
    }

    /// All men of a kind, both colors.
    #[inline(always)]
    pub fn of_type(&self, piece: PieceType) -> Bitboard {
        self.men.pieces[piece.index()]
    }

    /// All men of a color.
    #[inline(always)]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.men.colors[color.index()]
    }

    /// All men of a kind and color.
    #[inline(always)]
    pub fn of(&self, color: Color, piece: PieceType) -> Bitboard {
        self.men.of(color, piece)
    }

    /// All men.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.men.occupied()
    }

    /// The man on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<(Color, PieceType)> {
        self.men.color_at(square).zip(self.men.piece_type_at(square))
    }

    /// The kind of the man on a square, of either color.
    #[inline(always)]
    pub fn piece_type_at(&self, square: Square) -> Option<PieceType> {
        self.men.piece_type_at(square)
    }

    /// Where a king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.men.king(color)
    }

    /// Whether a side has nothing but its king.
    #[inline(always)]
    pub fn is_bare(&self, color: Color) -> bool {
        !self.of_color(color).several()
    }

    /// Men that attack the king of the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Hash of the pawns of both sides.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// Hash of everything but the pawns of one side, its king included.
    #[inline(always)]
    pub fn officer_key(&self, color: Color) -> u64 {
        self.keys.officers[color.index()]
    }

    /// Plies since the last capture or pawn move (since the FEN, if that showed a count).
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove)
    }

    /// The state of the count.
    #[inline(always)]
    pub fn count(&self) -> Count {
        counting::in_force(&self.stored_count, &self.rules, self.game_ply)
    }

    /// Whether the rules count with men like these, but no count has begun: it will with one of the
    /// next moves, so that nobody can say yet how many moves are left.
    pub fn awaits_count(&self) -> bool {
        counting::awaited::<R>(&self.stored_count, &self.men, &self.rules)
    }

    /// Squares that a pawn on `square` attacks under this board's rules.
    #[inline(always)]
    pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
        Men::pawn_attacks::<R>(color, square)
    }

    /// Squares that a man attacks when the board is `occupied`. Only rooks and, for their steps
    /// ahead, pawns care; a pawn's step to an empty square is no attack.
    #[inline(always)]
    pub fn attacks_of(
        color: Color,
        piece: PieceType,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        Men::attacks_of::<R>(color, piece, square, occupied)
    }

    /// Men of both colors that attack `square` when the board is `occupied`. Men that are not in
    /// `occupied` are still among them, if they stand that near: mask the result.
    #[inline(always)]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.men.attackers_to::<R>(square, occupied)
    }

    /// Whether the (legal) move captures.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        self.occupied().has(m.to())
    }

    /// What the (legal) move captures.
    #[inline(always)]
    pub fn captured(&self, m: Move) -> Option<PieceType> {
        self.men.piece_type_at(m.to())
    }

    /// Whether the (legal) move attacks the opponent's king, directly or by clearing a rook's way.
    #[inline]
    pub fn gives_check(&self, m: Move) -> bool {
        let us = self.turn();
        let king = self.men.king(us.opposite());
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let occupied = (self.occupied() & !from) | to;
        let placed = m.placed();
        if placed != PieceType::King && Men::attacks_of::<R>(us, placed, m.to(), occupied).has(king)
        {
            return true;
        }
        let rooks = self.of(us, PieceType::Rook) & !from;
        let lines = super::attacks::rook_lines(king);
        !(lines & from).is_empty()
            && !(lines & rooks).is_empty()
            && !(super::attacks::rook_attacks(king, occupied) & rooks).is_empty()
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub(super) fn after(&self, m: Move) -> Self {
        let us = self.turn();
        let them = us.opposite();
        let mut next = *self;
        let captured = self.men.piece_type_at(m.to());
        let piece = m.piece();
        next.men.play(us, m);

        let removed = keys::man(us, piece, m.from());
        let placed = keys::man(us, m.placed(), m.to());
        next.keys.full ^= removed ^ placed ^ keys::SIDE;
        if piece == PieceType::Pawn {
            next.keys.pawns ^= removed;
            if m.is_promotion() {
                next.keys.officers[us.index()] ^= placed;
            } else {
                next.keys.pawns ^= placed;
            }
        } else {
            next.keys.officers[us.index()] ^= removed ^ placed;
        }
        next.halfmove = self.halfmove.saturating_add(1);
        if piece == PieceType::Pawn {
            next.halfmove = 0;
        }
        if let Some(prey) = captured {
            let key = keys::man(them, prey, m.to());
            next.keys.full ^= key;
            if prey == PieceType::Pawn {
                next.keys.pawns ^= key;
            } else {
                next.keys.officers[them.index()] ^= key;
            }
            next.halfmove = 0;
        }
        next.game_ply = self.game_ply.wrapping_add(1);
        next.checkers = next.find_checkers();
        let event = Event { mover: us, captured, promoted: m.is_promotion() };
        counting::advance::<R>(&mut next.stored_count, &next.men, &next.rules, event);
        next
    }

    /// The position after passing.
    #[inline]
    #[must_use]
    pub(super) fn after_null(&self) -> Self {
        let mut next = *self;
        next.keys.full ^= keys::SIDE;
        next.halfmove = self.halfmove.saturating_add(1);
        next.game_ply = self.game_ply.wrapping_add(1);
        next.checkers = next.find_checkers();
        counting::pass(&mut next.stored_count, &next.rules, self.turn());
        next
    }

    /// Whether pawns may become more than a met.
    #[inline(always)]
    pub fn all_promotions(&self) -> bool {
        R::PROMOTES_TO_ALL && self.rules.asean_promotion == crate::AseanPromotion::All
    }

    #[inline(always)]
    pub(super) fn list<const WANTED: u8>(&self, moves: &mut MoveList<Move>) {
        let all = self.all_promotions();
        match self.turn() {
            Color::White => generate::generate::<R, White, WANTED>(&self.men, all, moves),
            Color::Black => generate::generate::<R, Black, WANTED>(&self.men, all, moves),
        }
    }

    #[inline]
    pub(super) fn list_all(&self, moves: &mut MoveList<Move>) {
        self.list::<{ wanted::ALL }>(moves);
    }

    pub(super) fn count_legal(&self) -> u32 {
        let all = self.all_promotions();
        match self.turn() {
            Color::White => generate::count::<R, White>(&self.men, all),
            Color::Black => generate::count::<R, Black>(&self.men, all),
        }
    }

    /// Whether any 16-bit value is a legal move here.
    pub(super) fn allows(&self, m: Move) -> bool {
        let us = self.turn();
        let (from, to) = (m.from(), m.to());
        let piece = m.piece();
        if !m.is_well_formed()
            || !self.of(us, piece).has(from)
            || (self.of_color(us) | self.of_type(PieceType::King)).has(to)
            || !self.reaches(m)
        {
            return false;
        }
        let them = us.opposite();
        let target = Bitboard::of(to);
        let occupied = (self.occupied() & !Bitboard::of(from)) | target;
        let king = if piece == PieceType::King { to } else { self.king(us) };
        // What attacks the king afterwards, other than the man just captured.
        let enemies = self.of_color(them) & !target;
        if piece == PieceType::King {
            return (self.attackers_to(king, occupied) & enemies).is_empty();
        }
        let rooks = self.of(them, PieceType::Rook) & !target;
        (super::attacks::rook_attacks(king, occupied) & rooks).is_empty()
            && (self.checkers & !target & !self.of_type(PieceType::Rook)).is_empty()
    }

    /// Whether the man moves like this, own men and checks aside.
    fn reaches(&self, m: Move) -> bool {
        let us = self.turn();
        let (from, to) = (m.from(), m.to());
        if m.piece() != PieceType::Pawn {
            return Men::attacks_of::<R>(us, m.piece(), from, self.occupied()).has(to);
        }
        let promotes = to.relative(us).rank() >= R::PROMOTION_RANK;
        let kind_fits = match m.promotion() {
            None => !promotes,
            Some(PieceType::Met) => promotes,
            Some(_) => promotes && self.all_promotions(),
        };
        let step = super::attacks::forward_step(us, from) & !self.occupied();
        let capture = Self::pawn_attacks(us, from) & self.of_color(us.opposite());
        kind_fits && (step | capture).has(to)
    }
}
