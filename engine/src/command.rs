//! What a protocol can ask for, free of any protocol's spelling.

use movegen::Variant;

/// One request to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Who are you, and which options do you have?
    Handshake,
    /// Answer as soon as you can listen, search or no search.
    Ping,
    /// Say this once everything that was asked for before is done.
    Echo(String),
    /// Forget the game that was played.
    NewGame,
    /// Change an option; `None` where no value was given (buttons).
    SetOption {
        /// Name as sent.
        name: String,
        /// Value as sent, possibly empty.
        value: Option<String>,
    },
    /// Set up a position.
    Position(PositionRequest),
    /// Begin to think.
    Go(GoRequest),
    /// Count the move tree below each move, to this depth.
    Perft(u32),
    /// Run the fixed benchmark.
    Bench(BenchRequest),
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// End the program.
    Quit,
    /// Show something about the current position.
    Show(Topic),
    /// Exchange the colors and turn the board.
    Flip,
    /// Say more, or less, about what is going on.
    Debug(bool),
}

/// What [`Command::Show`] shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The board, its FEN, key and result.
    Board,
    /// The static evaluation.
    Evaluation,
    /// The legal moves.
    Moves,
    /// The running count, in words.
    Count,
    /// The commands.
    Help,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    /// The game's own start position.
    Standard,
    /// A FEN.
    Fen(String),
}

/// A start position and the moves played from it, in text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionRequest {
    /// Where the game begins.
    pub start: StartPosition,
    /// The moves, oldest first.
    pub moves: Vec<String>,
}

impl Default for PositionRequest {
    fn default() -> Self {
        Self { start: StartPosition::Standard, moves: Vec::new() }
    }
}

/// The limits of one search, as they were sent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoRequest {
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Stop after about this many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Use exactly this many milliseconds.
    pub move_time_ms: Option<u64>,
    /// Milliseconds left for White and Black; negative if an arbiter let a player overrun.
    pub remaining_ms: [Option<i64>; 2],
    /// Milliseconds added per move.
    pub increment_ms: [Option<i64>; 2],
    /// Moves to the next time control; `Some(0)` is sudden death.
    pub moves_to_go: Option<u32>,
    /// Answer only after `stop`.
    pub infinite: bool,
    /// Answer only after `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these moves; empty for all.
    pub search_moves: Vec<String>,
    /// A limit was meant but could not be read, so the search must not run for ever.
    pub unreadable_limit: bool,
}

impl GoRequest {
    /// Whether the search ends by itself once it is not pondering.
    pub fn is_bounded(&self) -> bool {
        !self.infinite
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.mate.is_some()
                || self.move_time_ms.is_some()
                || self.on_the_clock()
                || self.unreadable_limit)
    }

    /// Whether nothing at all bounds the search, not even a request to go on for ever.
    pub fn is_endless(&self) -> bool {
        !self.infinite && !self.is_bounded()
    }

    /// Whether the search plays on the game clock.
    pub fn on_the_clock(&self) -> bool {
        self.remaining_ms.iter().chain(&self.increment_ms).any(Option::is_some)
            || self.moves_to_go.is_some()
    }
}

/// What a benchmark runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BenchRequest {
    /// Depth of every search; `None` for the standard depths.
    pub depth: Option<u32>,
    /// Only this game.
    pub variant: Option<Variant>,
}
