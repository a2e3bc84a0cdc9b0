//! Where the games begin.

use std::collections::HashSet;
use std::path::Path;

use movegen::{GameRecord, Position};

use super::error::MatchError;
use crate::epd;
use crate::random::Random;

/// Openings that are made by playing all moves; more would only waste memory.
const MOST_GENERATED: usize = 500_000;
/// Faulty lines of a file that are told.
const FAULTS_TOLD: usize = 5;

/// In which order the openings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum OpeningOrder {
    /// As in the file.
    Sequential,
    /// In an order that only the seed decides.
    Random,
}

impl OpeningOrder {
    /// Brings openings into this order.
    pub(crate) fn arrange<T>(self, items: &mut [T], seed: u64) {
        if self == Self::Random {
            Random::new(seed).shuffle(items);
        }
    }
}

/// The positions of a file: one FEN or EPD a line, blank lines and lines that begin with `#` left
/// out.
pub(crate) fn read<P: Position>(path: &Path, rules: P::Rules) -> Result<Vec<P>, MatchError> {
    let bytes = std::fs::read(path)
        .map_err(|error| MatchError::Openings { path: path.to_owned(), error })?;
    parse(&String::from_utf8_lossy(&bytes), rules)
        .map_err(|faults| MatchError::OpeningLines { path: path.to_owned(), faults })
}

fn parse<P: Position>(text: &str, rules: P::Rules) -> Result<Vec<P>, String> {
    let mut positions = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(line) = epd::parse_line(line, Some(number)) else { continue };
        let position = P::from_fen(&line.fen, rules).map_err(|e| e.to_string());
        match position.and_then(playable) {
            Ok(position) => positions.push(position),
            Err(fault) => faults.push(format!("line {number}: {fault}")),
        }
    }
    if let Some(more) = faults.len().checked_sub(FAULTS_TOLD).filter(|&n| n > 0) {
        faults.truncate(FAULTS_TOLD);
        faults.push(format!("and {more} more"));
    }
    match (faults.is_empty(), positions.is_empty()) {
        (false, _) => Err(faults.join("\n  ")),
        (true, true) => Err("no position in it".into()),
        (true, false) => Ok(positions),
    }
}

fn playable<P: Position>(position: P) -> Result<P, String> {
    match GameRecord::new(position.clone()).outcome() {
        Some(outcome) => Err(format!("the game is already over ({})", outcome.describe())),
        None => Ok(position),
    }
}

/// All different positions that can stand on the board after `plies` plies from the start position
/// and from which the game goes on; in the order in which they are first met.
pub(crate) fn after_plies<P: Position>(rules: P::Rules, plies: u32) -> Result<Vec<P>, MatchError> {
    let mut level = vec![P::start(rules)];
    for ply in 1..=plies {
        let mut met = HashSet::new();
        let mut next = Vec::new();
        for position in &level {
            for m in position.legal_moves() {
                let after = position.play_unchecked(m);
                if met.insert(after.key()) && playable(after.clone()).is_ok() {
                    if next.len() == MOST_GENERATED {
                        return Err(MatchError::TooManyOpenings { plies: ply });
                    }
                    next.push(after);
                }
            }
        }
        level = next;
    }
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{ChessRules, MakhosRules, chess, makhos};

    #[test]
    fn makhos_files() {
        let text = "# two\n\nW:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8\r\n\
                    B:W21,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8\n";
        let positions = parse::<makhos::Board>(text, MakhosRules::STANDARD).unwrap();
        assert_eq!(positions.len(), 2);
        let faults = parse::<makhos::Board>("B:W25:B\nX\nW:W1:B2\n", MakhosRules::STANDARD);
        let faults = faults.unwrap_err();
        assert!(faults.contains("line 1: the game is already over"), "{faults}");
        assert!(faults.contains("line 2: ") && faults.contains("line 3: "), "{faults}");
        assert!(parse::<makhos::Board>("# none\n", MakhosRules::STANDARD).is_err());
        assert!(
            parse::<makhos::Board>(&"x\n".repeat(99), MakhosRules::STANDARD)
                .unwrap_err()
                .ends_with("and 94 more")
        );
    }

    #[test]
    fn makhos_positions_after_some_plies() {
        let after = |n| after_plies::<makhos::Board>(MakhosRules::STANDARD, n).unwrap();
        assert_eq!(after(0).len(), 1);
        assert_eq!(after(1).len(), 7);
        assert_eq!(after(2).len(), 49);
        let keys: HashSet<u64> = after(3).iter().map(Position::key).collect();
        assert_eq!(keys.len(), after(3).len());
    }

    #[test]
    fn chess_files_and_positions() {
        let text = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1\n\
                    rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - -\n";
        let positions = parse::<chess::MakrukBoard>(text, ChessRules::STANDARD).unwrap();
        assert_eq!(positions[0], positions[1]);
        let after = after_plies::<chess::MakrukBoard>(ChessRules::STANDARD, 2).unwrap();
        assert_eq!(after.len(), 529);
    }
}
