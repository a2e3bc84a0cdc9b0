use movegen::Position;

/// One game as the search sees it: its rules, its evaluation, its search policy.
///
/// The search is compiled once per game; nothing is decided at run time.
pub trait Game: 'static {
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
