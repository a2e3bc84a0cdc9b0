//! What a match has come to: points, ways of ending, offences; and the lines that say so.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use movegen::Color;

use super::game::{Ending, Offence, PlayedGame};
use super::game_file::Place;
use super::sprt::{Sprt, Verdict};
use super::stats::{GameScore, Tally};

/// One engine's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SideRecord {
    /// By color: games lost, drawn and won.
    pub(crate) by_color: [[u64; 3]; 2],
    /// Games lost by offence.
    pub(crate) offences: Offences,
    /// Moves that were in time only thanks to the margin.
    pub(crate) margin_used: u64,
    /// Searches that reported a main line with an illegal move.
    pub(crate) bad_lines: u64,
}

/// Games lost outside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offences {
    illegal_moves: u64,
    time_losses: u64,
    crashes: u64,
    hangs: u64,
}

impl Offences {
    fn add(&mut self, offence: Offence) {
        match offence {
            Offence::IllegalMove => self.illegal_moves += 1,
            Offence::TimeLoss => self.time_losses += 1,
            Offence::Crash => self.crashes += 1,
            Offence::Hang => self.hangs += 1,
        }
    }

    fn describe(&self) -> String {
        format!(
            "{} illegal moves, {} time losses, {} crashes, {} hangs",
            self.illegal_moves, self.time_losses, self.crashes, self.hangs
        )
    }
}

/// The state of a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Scoreboard {
    /// Names of the two engines.
    names: [String; 2],
    /// The test that may end the match.
    sprt: Option<Sprt>,
    /// Points of the first engine.
    pub(crate) tally: Tally,
    sides: [SideRecord; 2],
    endings: BTreeMap<&'static str, u64>,
    plies: u64,
}

impl Scoreboard {
    /// Before the first game.
    pub(crate) fn new(names: [String; 2], sprt: Option<Sprt>) -> Self {
        Self {
            names,
            sprt,
            tally: Tally::default(),
            sides: [SideRecord::default(); 2],
            endings: BTreeMap::new(),
            plies: 0,
        }
    }

    /// Counts the games of one pair, of which the second may be missing.
    pub(crate) fn add(&mut self, games: &[(Place, PlayedGame)]) {
        let scores: Vec<GameScore> =
            games.iter().map(|(place, game)| first_score(*place, game)).collect();
        match *scores.as_slice() {
            [first, second] => self.tally.add_pair(first, second),
            _ => scores.iter().for_each(|&score| self.tally.add_game(score)),
        }
        for (place, game) in games {
            self.add_details(*place, game);
        }
    }

    fn add_details(&mut self, place: Place, game: &PlayedGame) {
        *self.endings.entry(game.ending.kind()).or_default() += 1;
        self.plies = self.plies.saturating_add(game.moves.len() as u64);
        for color in Color::ALL {
            let side = &mut self.sides[place.engine(color)];
            let score = score_of(color, &game.ending);
            side.by_color[color.index()][score.half_points()] += 1;
            side.margin_used += u64::from(game.margin_used[color.index()]);
            side.bad_lines += u64::from(game.bad_lines[color.index()]);
        }
        if let Ending::Forfeit(loser, offence, _) = &game.ending {
            self.sides[place.engine(*loser)].offences.add(*offence);
        }
    }

    /// Whether the sequential test is over.
    pub(crate) fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(&self.tally))
    }

    /// Points and what they say.
    pub(crate) fn score_line(&self) -> String {
        let [lost, drawn, won] = self.tally.games;
        let mut line = format!(
            "{} v {}: W {won} D {drawn} L {lost} ({:.1} %)",
            self.names[0],
            self.names[1],
            100.0 * self.tally.score()
        );
        if let Some(e) = self.tally.estimate() {
            let _ = write!(
                line,
                ", Elo {} +- {}, nElo {} +- {:.1}, LOS {:.1} %",
                signed(Some(e.elo)),
                e.elo_error.map_or_else(|| "?".into(), |error| format!("{error:.1}")),
                signed(e.normalized),
                e.normalized_error,
                100.0 * e.superiority
            );
        }
        let [a, b, c, d, e] = self.tally.pairs;
        let draws = 100.0 * self.tally.draw_ratio();
        let _ = write!(line, ", draws {draws:.1} %, pairs {a}-{b}-{c}-{d}-{e}");
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&self.tally);
            let _ = write!(line, ", LLR {llr:.2} ({lower:.2}, {upper:.2})");
        }
        line
    }

    /// How the games ended, the frequent ways first.
    pub(crate) fn endings_line(&self) -> String {
        let mut endings: Vec<_> = self.endings.iter().collect();
        endings.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
        let list: Vec<String> =
            endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let games = self.tally.game_count().max(1);
        format!(
            "Endings: {}; {:.1} plies a game",
            list.join(", "),
            self.plies as f64 / games as f64
        )
    }

    /// Each engine's results by color.
    pub(crate) fn color_lines(&self) -> Vec<String> {
        let line = |name: &str, side: &SideRecord| {
            let [[wl, wd, ww], [bl, bd, bw]] = side.by_color;
            format!("{name}: as White W {ww} D {wd} L {wl}, as Black W {bw} D {bd} L {bl}")
        };
        self.names.iter().zip(&self.sides).map(|(name, side)| line(name, side)).collect()
    }

    /// Things that cast doubt on the result or on an engine.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (name, side) in self.names.iter().zip(&self.sides) {
            if side.margin_used > 0 {
                warnings.push(format!(
                    "{name} overstepped its time {} times and was saved by the time margin; if that \
                     happens to both engines, the machine is too busy for this time control",
                    side.margin_used
                ));
            }
            if side.bad_lines > 0 {
                warnings.push(format!(
                    "{name} reported {} main lines with an illegal move",
                    side.bad_lines
                ));
            }
        }
        warnings
    }

    /// The verdict of the sequential test in words.
    pub(crate) fn sprt_line(&self) -> Option<String> {
        let sprt = self.sprt?;
        let verdict = match self.verdict() {
            Verdict::Open => "no decision",
            Verdict::AcceptH0 => "H0 accepted",
            Verdict::AcceptH1 => "H1 accepted",
        };
        let (Sprt { elo0, elo1, alpha, beta }, llr) = (sprt, sprt.llr(&self.tally));
        Some(format!(
            "SPRT elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}: LLR {llr:.2}, {verdict}"
        ))
    }

    /// Everything that counts, in one line.
    pub(crate) fn last_line(&self) -> String {
        let mut line = self.score_line();
        for (name, side) in self.names.iter().zip(&self.sides) {
            let _ = write!(line, "; {name}: {}", side.offences.describe());
        }
        line
    }
}

fn first_score(place: Place, game: &PlayedGame) -> GameScore {
    let color = if place.engine(Color::White) == 0 { Color::White } else { Color::Black };
    score_of(color, &game.ending)
}

fn score_of(color: Color, ending: &Ending) -> GameScore {
    match ending.winner() {
        Some(winner) if winner == color => GameScore::Win,
        Some(_) => GameScore::Loss,
        None => GameScore::Draw,
    }
}

fn signed(value: Option<f64>) -> String {
    match value {
        // No "-0.0".
        Some(value) if value.abs() < 0.05 => "0.0".into(),
        Some(value) => format!("{value:+.1}"),
        None => "?".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::adjudication::Ruling;
    use super::*;
    use std::time::SystemTime;

    fn game(ending: Ending) -> PlayedGame {
        PlayedGame {
            start_fen: String::new(),
            from_start: true,
            first: Color::White,
            first_number: 1,
            moves: Vec::new(),
            ending,
            margin_used: [2, 0],
            bad_lines: [0, 1],
            began: SystemTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn points_and_offences_go_to_the_right_engine() {
        let mut board = Scoreboard::new(["A".into(), "B".into()], None);
        let crash = |loser| Ending::Forfeit(loser, Offence::Crash, String::new());
        // White crashes twice: first A, then B.
        board.add(&[
            (Place { pair: 0, half: 0 }, game(crash(Color::White))),
            (Place { pair: 0, half: 1 }, game(crash(Color::White))),
        ]);
        // B as Black makes an illegal move.
        let illegal = Ending::Forfeit(Color::Black, Offence::IllegalMove, String::new());
        board.add(&[(Place { pair: 1, half: 0 }, game(illegal))]);
        assert_eq!(board.tally.games, [1, 0, 2]);
        assert_eq!(board.tally.pairs, [0, 0, 1, 0, 0]);
        assert_eq!(
            board.last_line(),
            "A v B: W 2 D 0 L 1 (66.7 %), Elo 0.0 +- ?, nElo ? +- 481.5, LOS 71.8 %, draws 0.0 %, \
             pairs 0-0-1-0-0; A: 0 illegal moves, 0 time losses, 1 crashes, 0 hangs; \
             B: 1 illegal moves, 0 time losses, 1 crashes, 0 hangs"
        );
        assert_eq!(board.endings_line(), "Endings: crash 2, illegal move 1; 0.0 plies a game");
        assert_eq!(
            board.color_lines(),
            [
                "A: as White W 1 D 0 L 1, as Black W 1 D 0 L 0",
                "B: as White W 0 D 0 L 1, as Black W 1 D 0 L 1"
            ]
        );
        assert_eq!(board.warnings().len(), 4);
    }

    #[test]
    fn nothing_played() {
        let sprt = Sprt::parse("elo0=0,elo1=5").ok();
        let board = Scoreboard::new(["A".into(), "B".into()], sprt);
        let line = board.last_line();
        assert!(line.starts_with("A v B: W 0 D 0 L 0 (50.0 %), draws 0.0 %, pairs "), "{line}");
        assert_eq!(board.verdict(), Verdict::Open);
        assert!(board.sprt_line().unwrap().ends_with("LLR 0.00, no decision"));
    }

    #[test]
    fn draws_by_ruling() {
        let mut board = Scoreboard::new(["A".into(), "B".into()], None);
        let draw = || game(Ending::Adjudicated(Ruling::MaxMoves));
        board.add(&[(Place { pair: 0, half: 0 }, draw()), (Place { pair: 0, half: 1 }, draw())]);
        assert_eq!(board.tally.pairs, [0, 0, 1, 0, 0]);
        assert!(board.endings_line().contains("adjudication: move limit 2"));
    }
}
