//! A book from games: what the winners played.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use movegen::{Color, GameMove as _, Position as _};
use search::Game as SearchGame;

use super::{Book, BookError, BookMove};
use crate::dispatch::{GameVisitor, PosOf, RulesOf, with_game};
use crate::game_text::{Game, Reader, Replayed, replay, rules_of, settings_of};
use crate::settings::Settings;

/// Weight of the move that has brought most points in its position.
const WEIGHT: u64 = 1000;

/// Games and points of a move.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u32,
    /// Two for a win, one for a draw.
    points: u32,
}

/// Moves by the position and the tag.
type Tallies = HashMap<(u64, u16), Tally>;

/// A book of the moves that were played in the first `plies` plies of games of this variant, at least
/// `least` times, and brought at least a draw. Games that cannot be read are named and left out. Also how many games there were, and how many of
/// them were left out.
pub(super) fn gather(
    files: &[PathBuf],
    settings: &Settings,
    plies: usize,
    least: u32,
) -> Result<(Book, usize, usize), BookError> {
    let (mut games, mut left_out) = (0, 0);
    let mut tallies = Tallies::new();
    for path in files {
        let fault = |error| BookError::File { path: path.clone(), error };
        for game in Reader::new(BufReader::new(File::open(path).map_err(fault)?)) {
            let added = game.map_err(fault)?.map_err(|fault| fault.to_string()).and_then(|game| {
                let line = game.line;
                add(&game, settings, plies, &mut tallies)
                    .map_err(|what| format!("line {line}: {what}"))
            });
            games += 1;
            if let Err(what) = added {
                left_out += 1;
                writeln!(io::stderr(), "hanuman: {}: {what}", path.display())?;
            }
        }
    }
    let mut most: HashMap<u64, u32> = HashMap::new();
    for (&(key, _), tally) in &tallies {
        let most = most.entry(key).or_default();
        *most = tally.points.max(*most);
    }
    let moves = tallies.into_iter().filter(|(_, tally)| tally.games >= least);
    let moves = moves.map(|((key, tag), tally)| {
        // The best of each position weighs the same, and none is lost by rounding.
        let best = most.get(&key).copied().unwrap_or(1).max(1);
        let weight = u64::from(tally.points) * WEIGHT / u64::from(best);
        let weight = u16::try_from(weight).unwrap_or(u16::MAX).max(u16::from(tally.points > 0));
        BookMove { key, tag, weight }
    });
    Ok((Book::new(settings.variant, moves.collect()), games, left_out))
}

fn add(
    game: &Game,
    settings: &Settings,
    plies: usize,
    tallies: &mut Tallies,
) -> Result<(), String> {
    let its = settings_of(game, settings)?;
    if its.variant != settings.variant {
        return Err(format!("a game of {}", its.variant.name()));
    }
    with_game(rules_of(&its), Add { game, plies, tallies })
}

struct Add<'a> {
    game: &'a Game,
    plies: usize,
    tallies: &'a mut Tallies,
}

impl GameVisitor for Add<'_> {
    type Output = Result<(), String>;

    fn visit<G: SearchGame>(self, rules: RulesOf<G>) -> Self::Output {
        let Replayed { start, moves, .. } = replay::<PosOf<G>>(self.game, rules)?;
        let winner = match self.game.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => return Err("no result".to_owned()),
        };
        let mut position = start;
        for &m in moves.iter().take(self.plies) {
            let tally = self.tallies.entry((position.key(), m.tag())).or_default();
            tally.games += 1;
            tally.points += match winner {
                None => 1,
                Some(color) if color == position.side_to_move() => 2,
                Some(_) => 0,
            };
            position = position.play_unchecked(m);
        }
        Ok(())
    }
}
