use movegen::{Position, chess, makhos};

/// One game as the search sees it: its rules, its evaluation, its search policy.
///
/// The search is compiled once per game; nothing is decided at run time.
pub trait Game: Send + Sync + 'static {
    /// The rules.
    type Pos: Position;
}

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

impl Game for MakrukGame {
    type Pos = chess::MakrukBoard;
}

impl Game for MakrukStraightGame {
    type Pos = chess::MakrukStraightBoard;
}

impl Game for AseanGame {
    type Pos = chess::AseanBoard;
}

impl Game for MakhosGame {
    type Pos = makhos::Board;
}
