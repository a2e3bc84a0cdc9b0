//! From a game chosen at run time to the code compiled for it.
//!
//! Every tool (session, perft, bench, analysis, arbiter) is written once as a [`GameVisitor`] and
//! entered through [`with_game`].

use movegen::{ChessRules, MakhosRules, PawnCapture, Position, RuleSet, Variant};
use search::{AseanGame, Game, MakhosGame, MakrukGame, MakrukStraightGame};

/// The position type of a game.
pub type PosOf<G> = <G as Game>::Pos;
/// The move type of a game.
pub type MoveOf<G> = <PosOf<G> as Position>::Move;
/// The rule options of a game.
pub type RulesOf<G> = <PosOf<G> as Position>::Rules;

/// A game and the rule options it is played by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameRules {
    /// Makruk.
    Makruk(ChessRules),
    /// ASEAN Chess.
    Asean(ChessRules),
    /// Makhos.
    Makhos(MakhosRules),
}

impl GameRules {
    /// The options that a named rule set stands for, or `None` if the game has no such rule set.
    pub fn preset(variant: Variant, set: RuleSet) -> Option<Self> {
        match variant {
            Variant::Makruk => ChessRules::preset(variant, set).map(Self::Makruk),
            Variant::Asean => ChessRules::preset(variant, set).map(Self::Asean),
            Variant::Makhos => MakhosRules::preset(set).map(Self::Makhos),
        }
    }

    /// The standard rules of a game.
    pub const fn standard(variant: Variant) -> Self {
        match variant {
            Variant::Makruk => Self::Makruk(ChessRules::STANDARD),
            Variant::Asean => Self::Asean(ChessRules::STANDARD),
            Variant::Makhos => Self::Makhos(MakhosRules::STANDARD),
        }
    }

    /// Which game.
    pub const fn variant(self) -> Variant {
        match self {
            Self::Makruk(_) => Variant::Makruk,
            Self::Asean(_) => Variant::Asean,
            Self::Makhos(_) => Variant::Makhos,
        }
    }
}

/// Work that is written once and done for whichever game was chosen.
pub trait GameVisitor {
    /// What the work results in.
    type Output;

    /// Does the work for the game `G` under these rules.
    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output;
}

/// Does the visitor's work for the game that these rules belong to.
pub fn with_game<V: GameVisitor>(rules: GameRules, visitor: V) -> V::Output {
    match rules {
        GameRules::Makruk(rules) if rules.pawn_capture == PawnCapture::Straight => {
            visitor.visit::<MakrukStraightGame>(rules)
        }
        GameRules::Makruk(rules) => visitor.visit::<MakrukGame>(rules),
        GameRules::Asean(rules) => visitor.visit::<AseanGame>(rules),
        GameRules::Makhos(rules) => visitor.visit::<MakhosGame>(rules),
    }
}
