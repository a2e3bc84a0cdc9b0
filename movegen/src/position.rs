//! The contract between the rules of a game and everything written over them.

use std::fmt::Debug;
use std::hash::Hash;

use arrayvec::ArrayVec;

use crate::{Color, FenError, MoveError, Variant};

/// No position that [`Position::from_fen`] accepts has more legal moves than this: at most 16 men a
/// side in the chess games (15 rooks make 15 * 14 + 8 = 218), and the Makhos module proves its own
/// bound.
pub const MAX_MOVES: usize = 256;

/// The legal moves of one position, kept on the stack.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// A move of some game. Only the position that it belongs to gives it full meaning.
pub trait GameMove: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// A 16-bit tag by which a transposition table remembers the move; never 0. Two legal moves of
    /// one position may share a tag only if the game says so (Makhos, very rarely).
    fn tag(self) -> u16;
    /// Index of the square it leaves, below 64.
    #[expect(clippy::wrong_self_convention, reason = "the index of `from`, not a conversion")]
    fn from_index(self) -> usize;
    /// Index of the square it ends on, below 64.
    fn to_index(self) -> usize;
}

/// Why a side has won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// The loser's king is attacked and cannot escape.
    Checkmate,
    /// The loser has no legal move (Makhos).
    NoMoves,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// No legal move and no check (chess games).
    Stalemate,
    /// The counting rule ran out, or (federation rules) the counting side gave mate.
    Counting,
    /// The same position for the third time.
    Repetition,
    /// Too many plies without progress: ASEAN's 50-move rule, the Makhos quiet-move rule.
    NMoveRule,
    /// Neither side can ever mate.
    DeadPosition,
    /// Makhos: one king each and no forced win.
    LoneKings,
    /// The game is longer than the rule set allows.
    GameLength,
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Color, WinReason),
    /// Nobody has won.
    Draw(DrawReason),
}

impl Outcome {
    /// The side that has won, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color, _) => Some(color),
            Self::Draw(_) => None,
        }
    }

    /// The words that the `Result:` line of `d` uses: `checkmate`, `stalemate`, `no moves`,
    /// `draw: counting`, `draw: repetition`, ...
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Win(_, WinReason::Checkmate) => "checkmate",
            Self::Win(_, WinReason::NoMoves) => "no moves",
            Self::Draw(DrawReason::Stalemate) => "stalemate",
            Self::Draw(DrawReason::Counting) => "draw: counting",
            Self::Draw(DrawReason::Repetition) => "draw: repetition",
            Self::Draw(DrawReason::NMoveRule) => "draw: n-move rule",
            Self::Draw(DrawReason::DeadPosition) => "draw: dead position",
            Self::Draw(DrawReason::LoneKings) => "draw: lone kings",
            Self::Draw(DrawReason::GameLength) => "draw: game length",
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn score_text(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// What a clock that can end the game as a draw means to a search.
///
/// `remaining` is the number of further plies after which a mate can still be given: if it is 0
/// and the side to move has a legal move, the position is a draw. It falls by one with every move
/// (null moves included) unless the move restarts the clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Countdown {
    /// Which rule runs; scores of different regimes must never be mixed. 0 when none runs.
    pub regime: u8,
    /// Plies left, [`Countdown::UNLIMITED`] when no clock runs.
    pub remaining: u16,
}

impl Countdown {
    /// More plies than any rule counts.
    pub const UNLIMITED: u16 = u16::MAX;
    /// No clock runs.
    pub const NONE: Self = Self { regime: 0, remaining: Self::UNLIMITED };
}

/// The rule behind a [`Clock`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockKind {
    /// Makruk: no pawns left, both sides still have pieces.
    BoardHonour,
    /// Makruk: no pawns left and a bare king.
    PiecesHonour,
    /// ASEAN: no pawns left and a bare king.
    AseanCount,
    /// ASEAN: moves without a capture or pawn move.
    FiftyMoves,
    /// Makhos: moves without a capture or man move.
    QuietMoves,
    /// The longest game that the rule set allows.
    GameLength,
}

/// A running clock of the rules, for people: the `count` command, game review, a GUI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// Which rule.
    pub kind: ClockKind,
    /// The side that the count protects (or that counts), where the rule names one.
    pub counting: Option<Color>,
    /// Plies counted so far, as the FEN shows them.
    pub counted: u32,
    /// The limit in plies, as the FEN shows it.
    pub limit: u32,
    /// What is counted when the draw comes: the limit, or by some rule sets a ply more or less.
    pub drawn_at: u32,
    /// Further plies up to and including the one that makes the draw; `u32::MAX`: none ever does.
    pub remaining: u32,
}

/// A position of some game, with every piece of state that its rules need except the history of
/// earlier positions (see [`GameRecord`](crate::GameRecord)).
///
/// Positions are plain values: `play_unchecked` returns the next one and leaves the old one alone.
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move of this game.
    type Move: GameMove;
    /// The options of its rule set.
    type Rules: Copy + Eq + Debug + Send + Sync + 'static;

    /// Which game.
    const VARIANT: Variant;
    /// [`Position::moved_piece`] is below this.
    const PIECE_KINDS: usize;
    /// What changes in [`Position::key`] with the side to move.
    const SIDE_KEY: u64;

    /// The start position.
    fn start(rules: Self::Rules) -> Self;
    /// Reads a FEN in any form that the game knows.
    ///
    /// # Errors
    /// Every fault that was found, if the text is not a position of the game.
    fn from_fen(fen: &str, rules: Self::Rules) -> Result<Self, FenError>;
    /// The canonical FEN with its counting fields.
    fn fen(&self) -> String;
    /// The rule options in force.
    fn rules(&self) -> &Self::Rules;

    /// Who moves.
    fn side_to_move(&self) -> Color;
    /// Zobrist hash of what repetition compares: the board and the side to move.
    fn key(&self) -> u64;
    /// The key worked out from nothing; always equal to [`Position::key`]. For tests.
    fn key_from_scratch(&self) -> u64;
    /// Plies since the first move of move 1.
    fn game_ply(&self) -> u32;
    /// Letter of the man on a square (file and rank 0-7), as in a FEN that draws the board: capital
    /// for White in the chess games, for kings in Makhos. For display.
    fn letter_at(&self, file: u8, rank: u8) -> Option<char>;

    /// Appends all legal moves.
    fn generate(&self, moves: &mut MoveList<Self::Move>);
    /// Appends the legal captures and promotions.
    fn generate_tactical(&self, moves: &mut MoveList<Self::Move>);
    /// Appends the legal moves that are neither captures nor promotions.
    fn generate_quiet(&self, moves: &mut MoveList<Self::Move>);
    /// Number of legal moves, without listing them where that is faster.
    fn count_moves(&self) -> u64;
    /// Whether there is any legal move.
    fn has_legal_move(&self) -> bool;
    /// Whether `m`, which may be any value, is legal here.
    fn is_legal(&self, m: Self::Move) -> bool;
    /// The legal move with this [`GameMove::tag`], if there is one.
    fn move_from_tag(&self, tag: u16) -> Option<Self::Move>;
    /// Whether the (legal) move captures or promotes.
    fn is_tactical(&self, m: Self::Move) -> bool;
    /// Whether no earlier position can come back after the (legal) move.
    fn is_irreversible(&self, m: Self::Move) -> bool;
    /// Whether a legal move of a man that can come back (no capture, no pawn or man move) leads from
    /// here to an earlier position of the same game with this key.
    fn can_return_to(&self, earlier: u64) -> bool;
    /// Index of the kind of man that the (legal) move moves, below [`Position::PIECE_KINDS`].
    fn moved_piece(&self, m: Self::Move) -> usize;

    /// The position after a legal move. An illegal move gives a meaningless position, but neither
    /// a panic nor undefined behaviour.
    #[must_use]
    fn play_unchecked(&self, m: Self::Move) -> Self;
    /// The position after passing. Clocks run on.
    #[must_use]
    fn play_null(&self) -> Self;

    /// The same position with the colors exchanged and the board turned (chess games: top and bottom
    /// exchanged; Makhos: half a turn), clocks included: whatever holds for the mover here holds for
    /// the mover there. Only the length of the game changes, by the one ply that makes the other
    /// side the mover.
    #[must_use]
    fn flipped(&self) -> Self;

    /// Whether the side to move has no free choice, so that its position must not be judged
    /// without moving: in check, or a capture is compulsory.
    fn is_forced(&self) -> bool;
    /// How the game ends if the side to move has no legal move; only meaningful then.
    fn no_moves_outcome(&self) -> Outcome;
    /// The draw rule that ends the game here, given that the side to move has a legal move and
    /// that this position has now occurred `occurrences` times (1 = for the first time). Rules are
    /// tested in the order of the specification: counting, repetition, n-move rule, dead position,
    /// game length.
    fn draw_reason(&self, occurrences: u32) -> Option<DrawReason>;
    /// The clock that a search must respect: the one that can end the game first.
    fn countdown(&self) -> Countdown;
    /// All running clocks, for people.
    fn clocks(&self) -> Vec<Clock>;

    /// UCI text of a legal move.
    fn move_text(&self, m: Self::Move) -> String;
    /// Reads UCI text.
    ///
    /// # Errors
    /// If the text is no move, no legal move, or fits several.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;
    /// The move as game files write it: SAN in the chess games, PDN numbers in Makhos.
    fn notation(&self, m: Self::Move) -> String;
    /// Reads what [`Position::notation`] writes, generously (checks, `x`, annotations optional).
    ///
    /// # Errors
    /// If the text is no move, no legal move, or fits several.
    fn parse_notation(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Number of leaves of the move tree at `depth` plies; the last ply is counted, not listed.
    /// Games override it where they know a faster way to the same number.
    fn perft(&self, depth: u32) -> u64 {
        crate::perft::walk(self, depth)
    }

    /// As [`Position::perft`], but every leaf's move is listed, as a search does.
    fn perft_listing(&self, depth: u32) -> u64 {
        crate::perft::walk_listing(self, depth)
    }

    /// All legal moves as a list.
    #[inline]
    fn legal_moves(&self) -> MoveList<Self::Move> {
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChessRules, MakhosRules, chess, makhos};

    fn plays_alike_when_flipped<P: Position>(start: P) {
        let mut position = start;
        let mut state = 1_u64;
        for _ in 0..200 {
            let flipped = position.flipped();
            assert_eq!(flipped.flipped(), position);
            assert_eq!(flipped.key(), flipped.key_from_scratch());
            assert_eq!(flipped.side_to_move(), position.side_to_move().opposite());
            assert_eq!(flipped.perft(2), position.perft(2), "{}", position.fen());
            assert_eq!(flipped.is_forced(), position.is_forced());
            assert_eq!(flipped.draw_reason(1), position.draw_reason(1), "{}", position.fen());
            assert_eq!(flipped.countdown().remaining, position.countdown().remaining);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = position.play_unchecked(moves[(state >> 33) as usize % moves.len()]);
        }
    }

    /// Random play that prefers moves which can be taken back, compared with looking for the move.
    fn finds_ways_back<P: Position>(start: P, seed: u64) -> u32 {
        let mut position = start;
        let mut state = seed;
        let mut keys = Vec::new();
        let mut found = 0;
        for _ in 0..400 {
            let moves = position.legal_moves();
            for &earlier in keys.iter().rev().skip(2).step_by(2) {
                let leads_back = |m: &P::Move| position.play_unchecked(*m).key() == earlier;
                let expected = moves.iter().any(leads_back);
                assert_eq!(position.can_return_to(earlier), expected, "{}", position.fen());
                found += u32::from(expected);
            }
            let quiet: Vec<_> =
                moves.iter().copied().filter(|&m| !position.is_irreversible(m)).collect();
            let choice = if quiet.is_empty() { moves.to_vec() } else { quiet };
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let Some(&m) = choice.get((state >> 33) as usize % choice.len().max(1)) else { break };
            assert_eq!(position.play_null().key() ^ position.key(), P::SIDE_KEY);
            if position.is_irreversible(m) {
                keys.clear();
            } else {
                keys.push(position.key());
            }
            position = position.play_unchecked(m);
        }
        found
    }

    #[test]
    fn ways_back_are_found() {
        let mut found = [0; 3];
        for seed in 1..20 {
            for fen in ["8/2k5/8/3S4/2SM4/3K4/8/8 w - - 0 1", "8/2k5/8/3s4/2n5/3KR3/8/8 b - - 0 1"]
            {
                let position = chess::MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap();
                found[0] += finds_ways_back(position, seed);
            }
            let asean = chess::AseanBoard::start(ChessRules::STANDARD);
            found[1] += finds_ways_back(asean, seed);
            let kings = makhos::Board::from_fen("W:WK2,K9,17:BK30,K22", MakhosRules::STANDARD);
            found[2] += finds_ways_back(kings.unwrap(), seed);
        }
        assert!(found.iter().all(|&n| n > 10), "{found:?}");
    }

    #[test]
    fn flipping_changes_nothing_but_the_colors() {
        plays_alike_when_flipped(chess::MakrukBoard::start(ChessRules::STANDARD));
        plays_alike_when_flipped(chess::AseanBoard::start(ChessRules::STANDARD));
        plays_alike_when_flipped(makhos::Board::start(MakhosRules::STANDARD));
        for fen in
            ["3s4/8/7k/4r3/S7/4M3/8/7K w - 128 35 56", "8/2k5/8/3S4/2SM4/3K4/8/8 b - 44 10 60"]
        {
            let position = chess::MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap();
            plays_alike_when_flipped(position);
        }
    }
}
