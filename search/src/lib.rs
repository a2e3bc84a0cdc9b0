//! One alpha-beta search for Makruk, ASEAN Chess and Makhos.
//!
//! A library: it never prints, never reads standard input and knows no protocol. Hand a
//! [`Searcher`] a game record and [`Limits`], watch it through an [`Observer`], interrupt it
//! through [`Signals`].
//!
//! The games share everything but their rules ([`movegen::Position`]), their evaluation
//! ([`eval::Evaluator`]) and a [`SearchPolicy`] of constants and hooks; a [`Game`] ties the three
//! together.

pub mod eval;
pub mod games;

mod alphabeta;
mod control;
mod count;
mod endgame;
mod game;
mod handicap;
mod iterate;
mod limits;
mod ordering;
mod params;
mod policy;
mod pruning;
mod pv;
mod quiescence;
mod report;
mod score;
mod searcher;
mod signals;
mod threads;
mod time;
mod tt;
#[cfg(feature = "tune")]
pub mod tune;
mod wdl;
mod worker;

pub use game::{AseanGame, Game, MakhosGame, MakrukGame, MakrukStraightGame, MoveOf};
pub use limits::{Clock, Limits, SearchOptions};
pub use params::{Params, ProbCut};
pub use policy::{SearchPolicy, TACTICAL_CLASSES};
pub use report::{BestMove, Bound, NoObserver, Observer, SearchInfo};
pub use score::{Score, ScoreKind};
pub use searcher::Searcher;
pub use signals::Signals;

/// Parts that benchmarks reach into. No promise is made about them.
#[doc(hidden)]
pub mod internals {
    pub use crate::eval::nnue::random::{random_network, random_parts};
    pub use crate::tt::{Entry, TranspositionTable};
}
