//! One game between two engines: the arbiter keeps the board, the rules and the clocks.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use movegen::{Color, DrawReason, GameRecord, Outcome, Position, WinReason};

use super::adjudication::{Adjudication, Adjudicator, Ruling};
use super::client::{Answer, Client, Fault, Setting};
use super::clock::{GameClock, Punctuality};
use super::declared::{EngineScore, Evaluation};
use super::spec::{EngineSpec, SearchLimits, TimeLimit};

/// After so many vain attempts in a row to start an engine, the match is impossible.
const MOST_FAILED_STARTS: u32 = 3;

/// An engine that is started when needed and restarted after a fault.
#[derive(Debug)]
pub(crate) struct Player {
    /// What to start.
    pub(crate) spec: Arc<EngineSpec>,
    /// How to set it up.
    pub(crate) setting: Arc<Setting>,
    /// Its name in the log.
    pub(crate) label: String,
    /// What ends its searches.
    pub(crate) limits: SearchLimits,
    /// The running process, if there is one.
    pub(crate) client: Option<Client>,
    /// Attempts to start it since the last one that succeeded.
    pub(crate) failed_starts: u32,
}

impl Player {
    /// A running engine that knows that a new game begins.
    fn begin(&mut self) -> Result<(), Fault> {
        if self.client.is_none() {
            match Client::start(&self.spec, &self.setting, &self.label) {
                Ok(client) => {
                    self.failed_starts = 0;
                    self.client = Some(client);
                }
                Err(fault) => {
                    self.failed_starts = self.failed_starts.saturating_add(1);
                    return Err(fault);
                }
            }
        }
        match &mut self.client {
            Some(client) => client.new_game(),
            None => Err(Fault::NotStarted("no process".into())),
        }
    }

    fn think(
        &mut self,
        position: &str,
        go: &str,
        allowance: Option<Duration>,
    ) -> Result<Answer, Fault> {
        match &mut self.client {
            Some(client) => client.think(position, go, allowance),
            None => Err(Fault::NotStarted("no process".into())),
        }
    }
}

/// What all games of a match have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameSettings {
    /// When to end games early.
    pub(crate) adjudication: Adjudication,
    /// How much later than its time a move may come.
    pub(crate) time_margin: Duration,
}

/// How an engine has lost a game outside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offence {
    /// Its move is none, or not legal.
    IllegalMove,
    /// Its move came too late.
    TimeLoss,
    /// Its process ended or could not be started.
    Crash,
    /// It did not answer.
    Hang,
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// By the rules of the game.
    Rules(Outcome),
    /// By adjudication.
    Adjudicated(Ruling),
    /// An engine has offended; details in words.
    Forfeit(Color, Offence, String),
}

impl Ending {
    /// Who has won.
    pub(crate) fn winner(&self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::Adjudicated(Ruling::Resigns(loser)) | Self::Forfeit(loser, ..) => Some(!*loser),
            Self::Adjudicated(Ruling::Draw | Ruling::MaxMoves) => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) fn result(&self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The kind of end, for counting: no names, no colors.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Rules(outcome) => outcome.describe(),
            Self::Adjudicated(Ruling::Resigns(_)) => "adjudication: resigned",
            Self::Adjudicated(Ruling::Draw) => "adjudication: draw",
            Self::Adjudicated(Ruling::MaxMoves) => "adjudication: move limit",
            Self::Forfeit(_, Offence::IllegalMove, _) => "illegal move",
            Self::Forfeit(_, Offence::TimeLoss, _) => "time loss",
            Self::Forfeit(_, Offence::Crash, _) => "crash",
            Self::Forfeit(_, Offence::Hang, _) => "hang",
        }
    }

    /// The end in words, for the last comment of a game file.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Rules(Outcome::Win(winner, WinReason::Checkmate)) => format!("{winner} mates"),
            Self::Rules(Outcome::Win(winner, WinReason::NoMoves)) => {
                format!("{} has no legal move", !*winner)
            }
            Self::Rules(Outcome::Draw(reason)) => format!("draw by {}", draw_name(*reason)),
            Self::Adjudicated(Ruling::Resigns(loser)) => {
                format!("{loser} resigns by adjudication")
            }
            Self::Adjudicated(Ruling::Draw) => "draw by adjudication".to_owned(),
            Self::Adjudicated(Ruling::MaxMoves) => "draw by adjudication: move limit".to_owned(),
            Self::Forfeit(loser, offence, detail) => {
                let what = match offence {
                    Offence::IllegalMove => "makes an illegal move",
                    Offence::TimeLoss => "loses on time",
                    Offence::Crash => "crashes",
                    Offence::Hang => "hangs",
                };
                format!("{loser} {what}: {detail}")
            }
        }
    }

    /// The `Termination` tag, in the words that cutechess uses.
    pub(crate) fn termination(&self) -> &'static str {
        match self {
            Self::Rules(_) => "normal",
            Self::Adjudicated(_) => "adjudication",
            Self::Forfeit(_, Offence::IllegalMove, _) => "illegal move",
            Self::Forfeit(_, Offence::TimeLoss, _) => "time forfeit",
            Self::Forfeit(_, Offence::Crash, _) => "abandoned",
            Self::Forfeit(_, Offence::Hang, _) => "stalled connection",
        }
    }
}

const fn draw_name(reason: DrawReason) -> &'static str {
    match reason {
        DrawReason::Stalemate => "stalemate",
        DrawReason::Counting => "counting",
        DrawReason::Repetition => "repetition",
        DrawReason::NMoveRule => "the n-move rule",
        DrawReason::DeadPosition => "dead position",
        DrawReason::LoneKings => "lone kings",
        DrawReason::GameLength => "game length",
    }
}

/// One move of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlayedMove {
    /// SAN, or PDN numbers.
    pub(crate) notation: String,
    /// The engine's score and depth.
    pub(crate) score: Option<(EngineScore, u32)>,
    /// Time used.
    pub(crate) used: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlayedGame {
    /// Where it began.
    pub(crate) start_fen: String,
    /// Whether that is the start position of the game.
    pub(crate) from_start: bool,
    /// Who made the first move.
    pub(crate) first: Color,
    /// Number of the first full move.
    pub(crate) first_number: u32,
    /// The moves.
    pub(crate) moves: Vec<PlayedMove>,
    /// Why it is over.
    pub(crate) ending: Ending,
    /// By color: moves that came in time only thanks to the margin.
    pub(crate) margin_used: [u32; 2],
    /// By color: searches whose main line had an illegal move.
    pub(crate) bad_lines: [u32; 2],
    /// When it began.
    pub(crate) began: SystemTime,
}

/// Why there is no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoGame {
    /// The match was interrupted.
    Aborted,
    /// The engine of this color cannot be started any more.
    Impossible(Color, String),
}

/// Plays one game; `players` are White and Black.
pub(crate) fn play<P: Position>(
    opening: &P,
    players: [&mut Player; 2],
    settings: &GameSettings,
) -> Result<PlayedGame, NoGame> {
    let standard = P::start(*opening.rules());
    let from_start = *opening == standard && opening.side_to_move() == Color::White;
    let mut table = Table {
        record: GameRecord::new(opening.clone()),
        clocks: [&players[0].limits, &players[1].limits].map(|limits| match limits.time {
            TimeLimit::Clock(control) => Some(GameClock::new(control)),
            _ => None,
        }),
        players,
        settings,
        position: if from_start {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", opening.fen())
        },
        moves: Vec::new(),
        margin_used: [0; 2],
        bad_lines: [0; 2],
    };
    let began = SystemTime::now();
    let ending = table.play()?;
    Ok(PlayedGame {
        start_fen: opening.fen(),
        from_start: *opening == standard,
        first: opening.side_to_move(),
        first_number: opening.game_ply() / 2 + 1,
        moves: table.moves,
        ending,
        margin_used: table.margin_used,
        bad_lines: table.bad_lines,
        began,
    })
}

/// A game in progress.
struct Table<'a, P: Position> {
    record: GameRecord<P>,
    players: [&'a mut Player; 2],
    clocks: [Option<GameClock>; 2],
    settings: &'a GameSettings,
    /// The `position` command so far.
    position: String,
    moves: Vec<PlayedMove>,
    margin_used: [u32; 2],
    bad_lines: [u32; 2],
}

impl<P: Position> Table<'_, P> {
    fn play(&mut self) -> Result<Ending, NoGame> {
        for color in Color::ALL {
            if let Err(fault) = self.players[color.index()].begin() {
                return self.forfeit(color, fault);
            }
        }
        let mut adjudicator = Adjudicator::new(self.settings.adjudication);
        loop {
            if let Some(outcome) = self.record.outcome() {
                return Ok(Ending::Rules(outcome));
            }
            let mover = self.record.position().side_to_move();
            let full_move = self.record.position().game_ply() / 2 + 1;
            let score = match self.one_move(mover) {
                Ok(score) => score,
                Err(Stop::Ending(ending)) => return Ok(ending),
                Err(Stop::Fault(fault)) => return self.forfeit(mover, fault),
            };
            if self.record.outcome().is_none()
                && let Some(ruling) = adjudicator.judge(mover, score, full_move)
            {
                return Ok(Ending::Adjudicated(ruling));
            }
        }
    }

    /// Lets the side to move think and plays its move.
    fn one_move(&mut self, mover: Color) -> Result<Option<EngineScore>, Stop> {
        let side = mover.index();
        let limits = self.players[side].limits;
        let margin = self.settings.time_margin;
        let allowance = match (&self.clocks[side], limits.time) {
            (Some(clock), _) => Some(clock.allowance(margin)),
            (None, TimeLimit::PerMove(time)) => Some(time.saturating_add(margin)),
            (None, _) => None,
        };
        let go = go_command(&limits, &self.clocks, mover);
        let answer =
            self.players[side].think(&self.position, &go, allowance).map_err(Stop::Fault)?;
        let punctuality = match (&mut self.clocks[side], limits.time) {
            (Some(clock), _) => clock.spend(answer.used, margin),
            (None, TimeLimit::PerMove(time)) if answer.used > time => {
                if answer.used <= time.saturating_add(margin) {
                    Punctuality::WithinMargin
                } else {
                    Punctuality::Late
                }
            }
            (None, _) => Punctuality::InTime,
        };
        match punctuality {
            Punctuality::InTime => {}
            Punctuality::WithinMargin => {
                self.margin_used[side] = self.margin_used[side].saturating_add(1);
            }
            Punctuality::Late => {
                let detail = format!(
                    "{:.3} s used, {:.3} s allowed",
                    answer.used.as_secs_f64(),
                    allowance.unwrap_or_default().as_secs_f64()
                );
                return Err(Stop::Ending(Ending::Forfeit(mover, Offence::TimeLoss, detail)));
            }
        }
        let position = self.record.position();
        let m = match position.parse_move(&answer.text) {
            Ok(m) => m,
            Err(error) => {
                let detail = error.to_string();
                return Err(Stop::Ending(Ending::Forfeit(mover, Offence::IllegalMove, detail)));
            }
        };
        if !answer.evaluation.as_ref().is_none_or(|e| is_playable(position, e)) {
            self.bad_lines[side] = self.bad_lines[side].saturating_add(1);
        }
        let first_word = if self.moves.is_empty() { " moves" } else { "" };
        let _ = write!(self.position, "{first_word} {}", position.move_text(m));
        let score = answer.evaluation.map(|e| (e.score, e.depth));
        self.moves.push(PlayedMove { notation: position.notation(m), score, used: answer.used });
        self.record.play(m);
        Ok(score.map(|(score, _)| score))
    }

    /// The end of a game in which an engine has failed. The process is given up.
    fn forfeit(&mut self, color: Color, fault: Fault) -> Result<Ending, NoGame> {
        let player = &mut *self.players[color.index()];
        player.client = None;
        let detail = fault.to_string();
        let offence = match fault {
            Fault::Aborted => return Err(NoGame::Aborted),
            _ if player.failed_starts >= MOST_FAILED_STARTS => {
                return Err(NoGame::Impossible(color, detail));
            }
            Fault::Hung(_) => Offence::Hang,
            Fault::NotStarted(_) | Fault::Disconnected(_) | Fault::Unfit(_) => Offence::Crash,
        };
        Ok(Ending::Forfeit(color, offence, detail))
    }
}

/// Why no move was played.
enum Stop {
    Ending(Ending),
    Fault(Fault),
}

/// Whether the main line that an engine reported can be played.
fn is_playable<P: Position>(position: &P, evaluation: &Evaluation) -> bool {
    let mut position = position.clone();
    evaluation.line.iter().all(|text| match position.parse_move(text) {
        Ok(m) => {
            position = position.play_unchecked(m);
            true
        }
        Err(_) => false,
    })
}

fn go_command(limits: &SearchLimits, clocks: &[Option<GameClock>; 2], mover: Color) -> String {
    let mut go = "go".to_owned();
    if let TimeLimit::PerMove(time) = limits.time {
        let _ = write!(go, " movetime {}", time.as_millis());
    }
    if let Some(own) = &clocks[mover.index()] {
        // An opponent without a clock is shown with the same one.
        let [white, black] = Color::ALL.map(|c| clocks[c.index()].as_ref().unwrap_or(own));
        let _ = write!(go, " wtime {} btime {}", white.shown_ms(), black.shown_ms());
        if white.increment_ms() > 0 || black.increment_ms() > 0 {
            let _ = write!(go, " winc {} binc {}", white.increment_ms(), black.increment_ms());
        }
        if let Some(moves) = own.moves_to_go() {
            let _ = write!(go, " movestogo {moves}");
        }
    }
    if let Some(depth) = limits.depth {
        let _ = write!(go, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(go, " nodes {nodes}");
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(own: &str, other: &str, mover: Color) -> String {
        let limits = |text: &str| EngineSpec::parse(text).unwrap().limits;
        let mut both = [limits(own), limits(other)];
        if mover == Color::Black {
            both.reverse();
        }
        let clocks = both.map(|limits| match limits.time {
            TimeLimit::Clock(control) => Some(GameClock::new(control)),
            _ => None,
        });
        go_command(&both[mover.index()], &clocks, mover)
    }

    #[test]
    fn go_commands() {
        use Color::{Black, White};
        assert_eq!(go("tc=2+0.02", "tc=1", White), "go wtime 2000 btime 1000 winc 20 binc 0");
        assert_eq!(go("tc=40/60", "tc=1", Black), "go wtime 1000 btime 60000 movestogo 40");
        assert_eq!(go("movetime=100", "tc=1", White), "go movetime 100");
        assert_eq!(go("tc=1,depth=4", "nodes=5", Black), "go wtime 1000 btime 1000 depth 4");
        assert_eq!(go("nodes=1000", "tc=1", Black), "go nodes 1000");
    }

    #[test]
    fn endings() {
        let forfeit = Ending::Forfeit(Color::White, Offence::Crash, "gone".into());
        assert_eq!((forfeit.result(), forfeit.termination()), ("0-1", "abandoned"));
        assert_eq!(forfeit.describe(), "White crashes: gone");
        let mate = Ending::Rules(Outcome::Win(Color::Black, WinReason::Checkmate));
        assert_eq!((mate.result(), mate.kind()), ("0-1", "checkmate"));
        let draw = Ending::Adjudicated(Ruling::Draw);
        assert_eq!((draw.result(), draw.winner()), ("1/2-1/2", None));
        assert_eq!(Ending::Adjudicated(Ruling::Resigns(Color::Black)).result(), "1-0");
    }
}
