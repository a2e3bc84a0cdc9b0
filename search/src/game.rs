use movegen::Position;
use tables::Tabulated;

use crate::eval::Evaluator;
use crate::policy::SearchPolicy;

/// One game as the search sees it: its rules, its evaluation, its search policy.
///
/// The search is compiled once per game; nothing is decided at run time.
pub trait Game: Send + Sync + 'static {
    /// The rules.
    type Pos: Position + Tabulated;
    /// The static evaluation.
    type Eval: Evaluator<Self::Pos>;
    /// What is searched differently.
    type Policy: SearchPolicy<Self::Pos>;
}

/// A move of a game.
pub type MoveOf<G> = <<G as Game>::Pos as Position>::Move;

/// Makruk.
#[derive(Clone, Copy, Debug)]
pub enum MakrukGame {}
/// Makruk with straight pawn captures.
#[derive(Clone, Copy, Debug)]
pub enum MakrukStraightGame {}
/// ASEAN Chess.
#[derive(Clone, Copy, Debug)]
pub enum AseanGame {}
/// Makhos.
#[derive(Clone, Copy, Debug)]
pub enum MakhosGame {}
