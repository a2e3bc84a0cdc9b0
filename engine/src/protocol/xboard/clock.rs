//! The limits of a game as XBoard sets them.

use std::time::Duration;

use movegen::Color;

use crate::command::GoRequest;

/// Kept back of a fixed time for a move, in milliseconds: the front end measures it too.
const RESERVE_MS: u64 = 30;
/// No clock shows more seconds.
const MAX_SECONDS: f64 = 1e9;

/// Clocks and limits.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct GameClock {
    /// `level`: moves of a session (0: all), and the time and the increment of each side in
    /// milliseconds.
    level: Option<Level>,
    /// `st`: milliseconds for each move.
    move_ms: Option<u64>,
    /// `sd`: deepest search.
    depth: Option<u32>,
    /// Milliseconds on the engine's clock and on the opponent's.
    own_ms: Option<i64>,
    other_ms: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    moves: u32,
    base_ms: i64,
    increment_ms: i64,
}

impl GameClock {
    /// Reads one of `level`, `st`, `sd`, `time` and `otim`; `None` if a number cannot be read.
    pub(super) fn take(&mut self, word: &str, rest: &str) -> Option<()> {
        match word {
            "level" => {
                let mut words = rest.split_whitespace();
                let moves = words.next()?.parse().ok()?;
                let base_ms = minutes(words.next()?)?;
                let increment_ms = milliseconds(words.next()?)?;
                self.level = Some(Level { moves, base_ms, increment_ms });
                (self.own_ms, self.other_ms) = (Some(base_ms), Some(base_ms));
                self.move_ms = None;
            }
            "st" => {
                self.move_ms = Some(milliseconds(rest)?.unsigned_abs());
                self.level = None;
                (self.own_ms, self.other_ms) = (None, None);
            }
            "sd" => self.depth = Some(rest.parse::<u32>().ok()?).filter(|&depth| depth > 0),
            // Centiseconds.
            "time" => self.own_ms = Some(rest.parse::<i64>().ok()?.checked_mul(10)?),
            "otim" => self.other_ms = Some(rest.parse::<i64>().ok()?.checked_mul(10)?),
            _ => return None,
        }
        Some(())
    }

    /// Limits of depth end with a game; clocks are full again.
    pub(super) fn new_game(&mut self) {
        self.depth = None;
        let base = self.level.map(|level| level.base_ms);
        (self.own_ms, self.other_ms) = (base, base);
    }

    /// The engine has thought so long about a move.
    pub(super) fn used(&mut self, time: Duration) {
        let used = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let increment = self.level.map_or(0, |level| level.increment_ms);
        self.own_ms = self.own_ms.map(|ms| ms.saturating_sub(used).saturating_add(increment));
    }

    /// The limits for a move of the engine, who plays `side`, after so many plies.
    pub(super) fn limits(&self, side: Color, plies: usize) -> GoRequest {
        let mut request = GoRequest { depth: self.depth, ..GoRequest::default() };
        if let Some(ms) = self.move_ms {
            request.move_time_ms = Some(ms.saturating_sub(RESERVE_MS).max(1));
            return request;
        }
        let (Some(own), other) = (self.own_ms, self.other_ms) else {
            // Nobody has said how long: a time that nobody minds.
            if self.depth.is_none() {
                request.move_time_ms = Some(1000);
            }
            return request;
        };
        request.remaining_ms[side.index()] = Some(own);
        request.remaining_ms[side.opposite().index()] = other;
        if let Some(level) = self.level {
            request.increment_ms = [Some(level.increment_ms); 2];
            if level.moves > 0 {
                let played = u32::try_from(plies / 2).unwrap_or(0);
                request.moves_to_go = Some(level.moves - played % level.moves);
            }
        }
        request
    }
}

/// Milliseconds of `5` or `5:30`, minutes and seconds.
fn minutes(text: &str) -> Option<i64> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    let minutes: f64 = minutes.parse().ok()?;
    milliseconds(seconds)?.checked_add(milliseconds(&(minutes * 60.0).to_string())?)
}

/// Milliseconds of seconds, with a fraction or without.
fn milliseconds(text: &str) -> Option<i64> {
    let seconds: f64 = text.trim().parse().ok()?;
    (0.0..=MAX_SECONDS).contains(&seconds).then_some((seconds * 1000.0) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(lines: &[&str]) -> GameClock {
        let mut clock = GameClock::default();
        for line in lines {
            let (word, rest) = line.split_once(' ').unwrap();
            assert_eq!(clock.take(word, rest), Some(()), "{line}");
        }
        clock
    }

    #[test]
    fn levels_of_every_kind_are_read() {
        let limits = clock(&["level 40 5:30 0.5"]).limits(Color::White, 81);
        assert_eq!(limits.remaining_ms, [Some(330_000); 2]);
        assert_eq!(limits.increment_ms, [Some(500); 2]);
        assert_eq!(limits.moves_to_go, Some(40));
        let limits = clock(&["level 40 5 0", "time 598", "otim 30000"]).limits(Color::Black, 7);
        assert_eq!(limits.remaining_ms, [Some(300_000), Some(5_980)]);
        assert_eq!(limits.moves_to_go, Some(37));
        // No moves per session are all moves.
        assert_eq!(clock(&["level 0 5 0"]).limits(Color::White, 7).moves_to_go, None);
        assert_eq!(clock(&["st 2"]).limits(Color::White, 0).move_time_ms, Some(1970));
        let limits = clock(&["st 2", "level 0 1 0", "sd 7"]).limits(Color::White, 0);
        assert_eq!((limits.move_time_ms, limits.depth), (None, Some(7)));
        assert!(GameClock::default().limits(Color::White, 0).is_bounded());
    }

    #[test]
    fn nonsense_is_refused() {
        let mut clock = GameClock::default();
        for (word, rest) in [
            ("level", ""),
            ("level", "40 5"),
            ("level", "-1 5 0"),
            ("level", "0 x 0"),
            ("level", "0 1e300 0"),
            ("level", "0 nan 0"),
            ("st", "soon"),
            ("sd", "1.5"),
            ("time", "99999999999999999999"),
            ("time", "9223372036854775807"),
        ] {
            assert_eq!(clock.take(word, rest), None, "{word} {rest}");
        }
        assert_eq!(clock, GameClock::default());
    }

    #[test]
    fn thinking_takes_time_off_the_clock() {
        let mut clock = clock(&["level 0 1 2"]);
        clock.used(Duration::from_secs(10));
        assert_eq!(clock.own_ms, Some(52_000));
        clock.new_game();
        assert_eq!(clock.own_ms, Some(60_000));
    }
}
