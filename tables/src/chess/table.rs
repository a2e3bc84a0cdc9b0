//! An open table of a class.

use std::path::Path;

use movegen::chess::{Asean, Board, Makruk, PieceType, Rules};
use movegen::{
    AseanPromotion, ChessRules, Color, CountingRule, DeadPosition, PawnCapture, Position as _,
    Variant,
};

use super::class::Class;
use super::layout::Layout;
use super::moves::Placement;
use crate::blocks::{BlockFile, Blocks};
use crate::file::{Header, TableFile};
use crate::value::Codec;
use crate::{FileFault, TableError, Value};

/// The games that a table serves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Both: a bare king and no pawns.
    Chess,
    /// Makruk under the rule set `standard`.
    Makruk,
    /// ASEAN Chess under the rule set `standard`.
    Asean,
}

impl Family {
    /// The table of a class in a game; `None` for Makhos.
    pub fn of(class: &Class, variant: Variant) -> Option<Self> {
        match variant {
            Variant::Makhos => None,
            _ if class.is_bare() => Some(Self::Chess),
            Variant::Makruk => Some(Self::Makruk),
            Variant::Asean => Some(Self::Asean),
        }
    }

    /// The name that files bear.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Makruk => "makruk",
            Self::Asean => "asean",
        }
    }

    /// The rules that its results hold under.
    pub const fn rules(self) -> &'static str {
        match self {
            Self::Chess => "any",
            Self::Makruk | Self::Asean => "standard",
        }
    }

    /// Whether it serves a game.
    pub const fn serves(self, variant: Variant) -> bool {
        matches!(
            (self, variant),
            (Self::Chess, Variant::Makruk | Variant::Asean)
                | (Self::Makruk, Variant::Makruk)
                | (Self::Asean, Variant::Asean)
        )
    }

    fn parse(name: &str) -> Option<Self> {
        [Self::Chess, Self::Makruk, Self::Asean].into_iter().find(|f| f.name() == name)
    }

    /// What a pawn may become, as the tables have it.
    pub(super) const fn promotions(self) -> &'static [PieceType] {
        match self {
            Self::Chess => &[],
            Self::Makruk => &[PieceType::Met],
            Self::Asean => &[PieceType::Rook, PieceType::Knight, PieceType::Khon, PieceType::Met],
        }
    }

    pub(super) fn layout(self, class: &Class) -> Layout {
        match self {
            Self::Chess | Self::Makruk => Layout::new::<Makruk>(class),
            Self::Asean => Layout::new::<Asean>(class),
        }
    }
}

/// The name of the file of a class, without its folder.
pub fn file_name(family: Family, class: &Class) -> String {
    format!("{}-{class}.{}", family.name(), crate::EXTENSION)
}

/// What the bytes of these tables mean: one a position; White to move, then Black.
pub(super) const ENCODING: &str = "plies, by side";

/// How the two sides' values are written.
pub(super) fn codecs(class: &Class) -> [Codec; 2] {
    if class.is_bare() { [Codec::Wins, Codec::Losses] } else { [Codec::Both, Codec::Both] }
}

/// An open table.
#[derive(Debug)]
pub(crate) struct ChessTable {
    pub(crate) file: BlockFile,
    family: Family,
    class: Class,
    layout: Layout,
}

impl ChessTable {
    /// The table in a file.
    pub(crate) fn new(file: TableFile, blocks: &Blocks) -> Result<Self, TableError> {
        let path = file.path().to_path_buf();
        let fault = |fault| TableError::Fault { path: path.clone(), fault };
        let Header { game, class, encoding, rules, bytes, .. } = file.header();
        let misnamed = || fault(FileFault::Misnamed { found: format!("{class} of {game}") });
        let family = Family::parse(game).ok_or_else(misnamed)?;
        let parsed = Class::parse(class).map_err(|_| misnamed())?;
        let name = file_name(family, &parsed);
        if path.file_name() != Path::new(&name).file_name() {
            return Err(misnamed());
        }
        let layout = family.layout(&parsed);
        let fits = *bytes == 2 * layout.len() as u64
            && encoding == ENCODING
            && rules == family.rules()
            && parsed.is_bare() == (family == Family::Chess);
        if !fits {
            return Err(misnamed());
        }
        Ok(Self { file: blocks.add(file), family, class: parsed, layout })
    }

    pub(crate) fn family(&self) -> Family {
        self.family
    }

    pub(crate) fn class(&self) -> &Class {
        &self.class
    }

    /// The value of a board of this class; `turned`: Black has the pieces named first.
    #[inline]
    pub(crate) fn value<R: Rules>(
        &self,
        blocks: &Blocks,
        board: &Board<R>,
        turned: bool,
    ) -> Option<Value> {
        let squares = self.layout.squares_of(board, turned);
        let turn = board.side_to_move();
        let side = if turned { turn.opposite() } else { turn };
        let index = self.layout.index(&squares)? + side.index() * self.layout.len();
        let code = blocks.byte(&self.file, index as u64)?;
        codecs(&self.class)[side.index()].decode(code)
    }

    /// The position at a place of the file; `None` if there is none.
    pub(crate) fn board<R: Rules>(&self, at: u64, rules: ChessRules) -> Option<Board<R>> {
        let index = usize::try_from(at).ok()?;
        let side = Color::ALL[usize::from(index >= self.layout.len())];
        let squares = self.layout.squares(index - side.index() * self.layout.len());
        let placement = Some(squares)
            .filter(|squares| self.layout.is_sorted(squares))
            .and_then(|squares| Placement::new(&self.layout, squares))
            .filter(|placement| !placement.in_check::<R>(&self.layout, side.opposite()))?;
        placement.board(&self.layout, side, rules)
    }

    /// Whether the results hold under these rules.
    pub(crate) fn holds_under<R: Rules>(&self, rules: &ChessRules) -> bool {
        self.class.is_bare()
            || !R::STRAIGHT_CAPTURES
                && rules.pawn_capture == PawnCapture::Diagonal
                && rules.counting == CountingRule::Standard
                && rules.board_count_start == 0
                && rules.dead_position == DeadPosition::Standard
                && rules.max_game_moves == 0
                && (R::VARIANT == Variant::Makruk
                    || rules.fifty_move_rule && rules.asean_promotion == AseanPromotion::All)
    }

    /// A decided position's value under the clocks of the board; `None` if the tables cannot say.
    pub(crate) fn settle<R: Rules>(&self, board: &Board<R>, value: Value) -> Option<Value> {
        if value == Value::Draw {
            return Some(value);
        }
        // A count that runs where none does in play comes from a FEN and is not in the tables.
        let odd_count = !self.class.is_bare()
            && board.count().runs()
            && (R::VARIANT == Variant::Asean || self.class.has_pawns());
        if odd_count {
            return None;
        }
        let left = if board.awaits_count() {
            self.plies_with_awaited_count(board)?
        } else {
            let Some(left) = board.plies_to_draw() else { return Some(value) };
            left
        };
        let settled = value.within(left);
        // The 50-move rule starts anew when the bare king takes a man, and might let a mate in that
        // is too far away now. Where a rook's or khon's count runs, that one ends first.
        let strong = self.class.pieces(Color::White);
        let by_fifty = self.class.is_bare()
            && R::VARIANT == Variant::Asean
            && strong.len() > 1
            && !strong.iter().any(|p| matches!(p, PieceType::Rook | PieceType::Khon));
        if settled != value && by_fifty { None } else { Some(settled) }
    }

    /// Plies before the draw where the next quiet move begins the count; `None` where it does not,
    /// so that one cannot say.
    fn plies_with_awaited_count<R: Rules>(&self, board: &Board<R>) -> Option<u32> {
        let quiet = board.legal_moves().into_iter().find(|&m| !board.is_irreversible(m))?;
        let next = board.play_unchecked(quiet);
        if next.awaits_count() { None } else { Some(next.plies_to_draw()?.saturating_add(1)) }
    }
}
