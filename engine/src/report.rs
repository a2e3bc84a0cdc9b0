//! What the engine has to say, free of any protocol's spelling.

use std::time::Duration;

use movegen::Variant;
use search::{Bound, ScoreKind};

/// One message of the engine. A protocol renders it as text.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// The answer to a handshake: name, author and all options.
    Handshake,
    /// The answer to a ping.
    Ready,
    /// Something that a user may want to know. One line.
    Note(String),
    /// A line of input could not be understood, or not in full. One line.
    Fault(String),
    /// The answer to a question of a person at a terminal: free text, any number of lines.
    Text(String),
    /// The game was changed.
    GameChosen {
        /// The new game.
        variant: Variant,
        /// FEN of its start position.
        start: String,
    },
    /// One line of a running search.
    Search(SearchReport),
    /// The search has begun a root move.
    CurrentMove {
        /// Depth in plies.
        depth: u32,
        /// The move.
        text: String,
        /// Its number, from 1.
        number: usize,
    },
    /// The answer of a search.
    BestMove {
        /// The move; `None` if the side to move has none.
        best: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
    },
    /// Leaves below one move.
    PerftMove {
        /// The move.
        text: String,
        /// Leaves of the move tree below it.
        leaves: u64,
    },
    /// The end of a perft.
    PerftTotal(u64),
}

/// One line of a running search; moves are already text.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchReport {
    /// Nominal depth in plies; 0 if there is no legal move.
    pub depth: u32,
    /// Deepest ply reached.
    pub sel_depth: u32,
    /// 1 for the best line.
    pub multi_pv: usize,
    /// From the mover's side.
    pub score: ScoreKind,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Win, draw and loss in permille, if they are wanted.
    pub wdl: Option<[u16; 3]>,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Fill of the transposition table in permille.
    pub hash_full: u32,
    /// Table probes that answered.
    pub table_hits: u64,
    /// Time so far.
    pub time: Duration,
    /// The line.
    pub pv: Vec<String>,
}

impl SearchReport {
    /// A line of one move that nobody has searched.
    pub fn of_move(text: String) -> Self {
        Self {
            depth: 1,
            sel_depth: 1,
            multi_pv: 1,
            score: ScoreKind::Centipawns(0),
            bound: Bound::Exact,
            wdl: None,
            nodes: 0,
            nps: 0,
            hash_full: 0,
            table_hits: 0,
            time: Duration::ZERO,
            pv: vec![text],
        }
    }
}

/// Whoever takes reports: the protocol's output, a test, a counter.
pub trait Reporter: Sync {
    /// Takes one report.
    fn report(&self, report: &Report);

    /// Reports a [`Report::Note`].
    fn note(&self, text: String) {
        self.report(&Report::Note(text));
    }
}

/// `1 game`, `7 games`.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// A text with a capital at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// `text` made fit for one line of a protocol: control characters become blanks, and what is
/// longer than `max` characters is cut.
pub fn one_line(text: &str, max: usize) -> String {
    let mut line: String =
        text.chars().take(max).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(max).is_some() {
        line.push_str("...");
    }
    line.trim().to_owned()
}
