//! One alpha-beta search for Makruk, ASEAN Chess and Makhos.
//!
//! A library: it never prints, never reads standard input and knows no protocol. Hand a
//! [`Searcher`] a game record and [`Limits`], watch it through an [`Observer`], interrupt it
//! through [`Signals`].

pub mod eval;

mod game;
mod limits;
mod report;
mod score;
mod searcher;
mod signals;

pub use game::{AseanGame, Game, MakhosGame, MakrukGame, MakrukStraightGame};
pub use limits::{Clock, Limits, SearchOptions};
pub use report::{BestMove, Bound, NoObserver, Observer, SearchInfo};
pub use score::{Score, ScoreKind};
pub use searcher::Searcher;
pub use signals::Signals;
