//! The movement rules that the move generator is compiled for.

use crate::Variant;

/// Kinds of men, weakest first. ASEAN writes khon as `B` and met as `Q`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    /// Bia.
    Pawn = 0,
    /// Met: one step diagonally.
    Met = 1,
    /// Khon: one step diagonally or straight forward.
    Khon = 2,
    /// Ma: a chess knight.
    Knight = 3,
    /// Ruea: a chess rook.
    Rook = 4,
    /// Khun: one step any way.
    King = 5,
}

impl PieceType {
    /// All kinds, by index.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Met, Self::Khon, Self::Knight, Self::Rook, Self::King];
    /// Number of kinds.
    pub const COUNT: usize = 6;

    /// 0-5.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What differs between the chess games in how men move. Everything else (counting, draws) is run
/// time data, [`ChessRules`](crate::ChessRules).
pub trait Rules: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// Which game.
    const VARIANT: Variant;
    /// Pawns capture straight ahead instead of diagonally.
    const STRAIGHT_CAPTURES: bool;
    /// First rank (0-7, from the pawn's own side) on which a pawn is promoted; all ranks beyond
    /// count too.
    const PROMOTION_RANK: u8;
    /// Pawns may become rook, knight or khon as well as met.
    const PROMOTES_TO_ALL: bool;
    /// Small letters by [`PieceType`].
    const LETTERS: [u8; 6];
    /// The start position.
    const START: &'static str;
}

/// Makruk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Makruk;
/// Makruk with the pawn captures of makruk.yeeqia.com.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakrukStraight;
/// ASEAN Chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asean;

impl Rules for Makruk {
    const VARIANT: Variant = Variant::Makruk;
    const STRAIGHT_CAPTURES: bool = false;
    const PROMOTION_RANK: u8 = 5;
    const PROMOTES_TO_ALL: bool = false;
    const LETTERS: [u8; 6] = *b"pmsnrk";
    const START: &'static str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
}

impl Rules for MakrukStraight {
    const VARIANT: Variant = Makruk::VARIANT;
    const STRAIGHT_CAPTURES: bool = true;
    const PROMOTION_RANK: u8 = Makruk::PROMOTION_RANK;
    const PROMOTES_TO_ALL: bool = Makruk::PROMOTES_TO_ALL;
    const LETTERS: [u8; 6] = Makruk::LETTERS;
    const START: &'static str = Makruk::START;
}

impl Rules for Asean {
    const VARIANT: Variant = Variant::Asean;
    const STRAIGHT_CAPTURES: bool = false;
    const PROMOTION_RANK: u8 = 7;
    const PROMOTES_TO_ALL: bool = true;
    const LETTERS: [u8; 6] = *b"pqbnrk";
    const START: &'static str = "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1";
}
