//! From a game chosen at run time to the code compiled for it.
//!
//! Every tool (session, perft, bench, analysis, arbiter) is written once as a [`GameVisitor`] and
//! entered through [`with_game`].

use movegen::{ChessRules, MakhosRules, Position, RuleSet, Variant};
use search::Game;

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
