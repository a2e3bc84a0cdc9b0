use std::fmt;
use std::ops::Neg;

/// The value of a position in centipawns from the mover's side, or a proven result.
///
/// Layout: `MATE - n` is a mate in `n` plies; `TABLE_WIN - n` a win known from a table, `n` plies
/// from the root; evaluations stay within `EVAL_LIMIT`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

/// A [`Score`] as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// Centipawns.
    Centipawns(i32),
    /// Moves (not plies) to mate: positive if the mover mates, 0 or negative if he is mated.
    Mate(i32),
}

/// No score: an unknown evaluation.
pub(crate) const NONE: i32 = i16::MIN as i32;
/// Scores from here on are proven (mate or table), as the search's plain numbers.
pub(crate) const DECISIVE: i32 = Score::TABLE_WIN.0 - Score::MAX_PLY;
/// Scores from here on are mates.
const MATES: i32 = Score::MATE.0 - Score::MAX_PLY;
/// [`Score::INFINITE`] as a plain number.
pub(crate) const INFINITE: i32 = Score::INFINITE.0;

/// Whether a plain score is proven.
#[inline(always)]
pub(crate) const fn is_decisive(score: i32) -> bool {
    score.abs() >= DECISIVE
}

/// Plies to mate if a plain score is a mate.
#[inline(always)]
pub(crate) const fn plies_to_mate(score: i32) -> Option<i32> {
    if score.abs() >= MATES { Some(Score::MATE.0 - score.abs()) } else { None }
}

/// The mover mates in `plies`, as a plain number.
#[inline(always)]
pub(crate) const fn mate_in(plies: usize) -> i32 {
    Score::MATE.0 - plies as i32
}

/// The mover is mated in `plies`, as a plain number.
#[inline(always)]
pub(crate) const fn mated_in(plies: usize) -> i32 {
    -mate_in(plies)
}

impl Score {
    /// Better than anything.
    pub const INFINITE: Self = Self(32_001);
    /// Mate on the board, as the winner sees it.
    pub const MATE: Self = Self(32_000);
    /// A win proven by a table, on the board.
    pub const TABLE_WIN: Self = Self(30_000);
    /// The largest evaluation.
    pub const EVAL_LIMIT: Self = Self(28_000);
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Most plies from the root that a search reaches.
    pub const MAX_PLY: i32 = 246;

    /// The mover mates in `plies` plies.
    #[inline(always)]
    pub const fn mate_in(plies: i32) -> Self {
        Self(Self::MATE.0 - plies)
    }

    /// The mover is mated in `plies` plies.
    #[inline(always)]
    pub const fn mated_in(plies: i32) -> Self {
        Self(plies - Self::MATE.0)
    }

    /// Whether the score is a mate, for either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE.0 - Self::MAX_PLY
    }

    /// Whether the score is proven: a mate or a table result, for either side.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::TABLE_WIN.0 - Self::MAX_PLY
    }

    /// Plies to mate if it is a mate score.
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.is_mate() { Some(Self::MATE.0 - self.0.abs()) } else { None }
    }

    /// The score as people read it.
    pub const fn kind(self) -> ScoreKind {
        match self.plies_to_mate() {
            Some(plies) if self.0 > 0 => ScoreKind::Mate((plies + 1) / 2),
            Some(plies) => ScoreKind::Mate(-(plies / 2)),
            None => ScoreKind::Centipawns(self.0),
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(cp) => write!(f, "cp {cp}"),
            ScoreKind::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
