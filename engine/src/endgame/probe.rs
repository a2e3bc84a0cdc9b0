//! `hanuman tables probe`.

use std::io::{self, Write};

use movegen::{Clock, Color, Outcome, Position};
use search::Game;
use serde::Serialize;
use tables::{Tables, Tabulated as _, Value, result_of, value_of_move};

use super::EndgameError;
use super::args::ProbeArgs;
use crate::dispatch::{GameVisitor, MoveOf, PosOf, RulesOf, with_game};

pub(super) fn run(args: &ProbeArgs) -> Result<(), EndgameError> {
    let settings = args.game.settings().map_err(EndgameError::Argument)?;
    let tables = args.path.open()?;
    with_game(settings.game_rules(), ProbeOf { args, tables: &tables })
}

struct ProbeOf<'a> {
    args: &'a ProbeArgs,
    tables: &'a Tables,
}

/// What the tables know about a position or a move.
#[derive(Serialize)]
struct Known {
    /// `win`, `draw` or `loss` for the mover; `null` if the tables do not say.
    result: Option<&'static str>,
    /// Plies to mate, or to the event that settles the result.
    plies: Option<u16>,
}

impl Known {
    fn of(value: Option<Value>) -> Self {
        let result = value.map(|value| match value {
            Value::Win(_) => "win",
            Value::Draw => "draw",
            Value::Loss(_) => "loss",
        });
        Self { result, plies: value.and_then(Value::distance) }
    }
}

#[derive(Serialize)]
struct KnownMove {
    #[serde(rename = "move")]
    text: String,
    notation: String,
    #[serde(flatten)]
    known: Known,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    /// Why the game is over here; `null` while it goes on.
    game_over: Option<String>,
    /// The result under the clocks that run.
    #[serde(flatten)]
    known: Known,
    /// Whether distances lead to mate.
    to_mate: bool,
    /// The result if no clock ran.
    unlimited: Known,
    /// Plies before a clock makes the game a draw.
    plies_left: Option<u32>,
    moves: Vec<KnownMove>,
}

impl GameVisitor for ProbeOf<'_> {
    type Output = Result<(), EndgameError>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let position = PosOf::<G>::from_fen(&self.args.fen, rules)?;
        let unlimited = position.table_distance(self.tables);
        let result = result_of(self.tables, &position);
        let clocks = position.clocks();
        let left = clocks.iter().map(|clock| clock.remaining).filter(|&n| n < u32::MAX).min();
        let mut moves: Vec<(MoveOf<G>, Option<Value>)> = position
            .legal_moves()
            .into_iter()
            .map(|m| (m, value_of_move(self.tables, &position, m, 1)))
            .collect();
        moves.sort_by_key(|&(_, value)| order(value));
        let to_mate = position.leads_to_mate();
        let over = if moves.is_empty() {
            Some(position.no_moves_outcome().describe())
        } else {
            position.draw_reason(1).map(|reason| Outcome::Draw(reason).describe())
        };
        let mut out = io::stdout();
        if self.args.json {
            let answer = Answer {
                fen: position.fen(),
                game_over: over.map(str::to_owned),
                known: Known::of(result),
                to_mate,
                unlimited: Known::of(unlimited),
                plies_left: left,
                moves: moves
                    .iter()
                    .map(|&(m, value)| KnownMove {
                        text: position.move_text(m),
                        notation: position.notation(m),
                        known: Known::of(value),
                    })
                    .collect(),
            };
            let text = serde_json::to_string(&answer).map_err(io::Error::from)?;
            return Ok(writeln!(out, "{text}")?);
        }
        let side = position.side_to_move();
        writeln!(out, "{}", position.fen())?;
        if let Some(over) = over {
            return Ok(writeln!(out, "The game is over: {over}.")?);
        }
        match unlimited {
            Some(value) => {
                writeln!(out, "{}", sentence(side, to_mate, value, result, &clocks, left))?;
            }
            None if moves.iter().any(|(_, value)| value.is_some()) => {
                let text = "no table of this position holds under these rules";
                writeln!(out, "{side} to move: {text}.")?;
            }
            None => {
                let text = "no table knows this position, nor one after a move";
                return Ok(writeln!(out, "{side} to move: {text}.")?);
            }
        }
        for (m, value) in moves {
            let next = position.play_unchecked(m);
            // The distance is that of the position before the move, unless the move ends the game.
            let to_mate = position.leads_to_mate() || !next.has_legal_move();
            let known = value.map_or_else(|| "not known".to_owned(), |v| outcome(v, to_mate));
            writeln!(out, "  {:<8} {known}", position.notation(m))?;
        }
        Ok(())
    }
}

/// Best first: sooner wins, draws, later losses, what is not known.
fn order(value: Option<Value>) -> (u8, i32) {
    match value {
        Some(Value::Win(plies)) => (0, i32::from(plies)),
        Some(Value::Draw) => (1, 0),
        None => (2, 0),
        Some(Value::Loss(plies)) => (3, -i32::from(plies)),
    }
}

fn moves_of(plies: u16) -> String {
    let moves = plies.div_ceil(2).max(1);
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// The outcome of a move for whoever makes it.
fn outcome(value: Value, to_mate: bool) -> String {
    match value {
        Value::Win(1) if !to_mate => "wins at once".to_owned(),
        Value::Win(plies) if to_mate => format!("wins, mate in {}", plies.div_ceil(2)),
        Value::Win(plies) => format!("wins, settled in {}", moves_of(plies)),
        Value::Draw => "draws".to_owned(),
        Value::Loss(plies) if to_mate => format!("loses, mated in {}", plies / 2),
        Value::Loss(plies) => format!("loses, settled in {}", moves_of(plies)),
    }
}

/// The position in words: who forces what, and whether the clocks allow it.
fn sentence(
    side: Color,
    to_mate: bool,
    unlimited: Value,
    result: Option<Value>,
    clocks: &[Clock],
    left: Option<u32>,
) -> String {
    let (winner, plies) = match unlimited {
        Value::Draw => return format!("{side} to move: nobody can force a win, a draw."),
        Value::Win(plies) => (side, plies),
        Value::Loss(plies) => (side.opposite(), plies),
    };
    let moves = if winner == side { plies.div_ceil(2) } else { plies / 2 };
    let force = match (to_mate, moves) {
        (true, 0) => format!("{} is mated", winner.opposite()),
        (true, _) => format!("{winner} mates in {moves}"),
        (false, _) => format!("{winner} wins, settled in {}", moves_of(plies)),
    };
    let Some(left) = left else {
        let verdict = match result {
            None => " if no count gets in the way",
            Some(Value::Draw) => ", but the count that begins leaves too few moves: draw",
            Some(_) => "",
        };
        return format!("{side} to move: {force}{verdict}.");
    };
    let own = if winner == side { left.div_ceil(2) } else { left / 2 };
    let clock = clocks.iter().filter(|clock| clock.remaining == left).map(|c| c.kind).next();
    let clock = clock.map_or("clock", crate::count::name);
    let verdict = match result {
        Some(Value::Draw) => "draw",
        Some(_) => "in time",
        None => "not known",
    };
    let unit = if own == 1 { "move" } else { "moves" };
    format!("{side} to move: {force}; {own} {unit} left on the {clock}: {verdict}.")
}
