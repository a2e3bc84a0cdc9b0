//! Time controls and the clocks that run by them.

use std::fmt;
use std::time::Duration;

/// `[MOVES/]TIME[+INCREMENT]` in seconds (or `minutes:seconds`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeControl {
    /// Moves until the base time is given again; `None` for the whole game.
    pub(crate) moves: Option<u32>,
    /// Time for these moves.
    pub(crate) base: Duration,
    /// Added after every move.
    pub(crate) increment: Duration,
}

/// More than anybody waits for one game; keeps all arithmetic far from overflow.
const LONGEST: Duration = Duration::from_secs(100 * 24 * 3600);

impl TimeControl {
    /// Reads `2+0.02`, `40/60+0.5`, `40/1:30`, `5`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let bad = || {
            format!("'{text}' is no time control ([MOVES/]TIME[+INCREMENT], seconds or MIN:SEC)")
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.trim().parse().map_err(|_| bad())?;
                if moves == 0 {
                    return Err(bad());
                }
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => {
                (parse_time(base).ok_or_else(bad)?, parse_seconds(increment).ok_or_else(bad)?)
            }
            None => (parse_time(rest).ok_or_else(bad)?, Duration::ZERO),
        };
        if base.is_zero() && increment.is_zero() {
            return Err(bad());
        }
        Ok(Self { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

fn parse_time(text: &str) -> Option<Duration> {
    match text.split_once(':') {
        Some((minutes, seconds)) => {
            let minutes: u64 = minutes.trim().parse().ok()?;
            let seconds = parse_seconds(seconds)?;
            Duration::from_secs(minutes.checked_mul(60)?)
                .checked_add(seconds)
                .filter(|t| *t <= LONGEST)
        }
        None => parse_seconds(text),
    }
}

fn parse_seconds(text: &str) -> Option<Duration> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok().filter(|t| *t <= LONGEST)
}

/// One player's clock in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameClock {
    control: TimeControl,
    /// Microseconds; below zero when the time margin was used.
    remaining_us: i64,
    moves_to_go: Option<u32>,
}

/// Whether a move came in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Punctuality {
    /// Within the player's own time.
    InTime,
    /// Only thanks to the margin.
    WithinMargin,
    /// Later than time and margin allow.
    Late,
}

impl GameClock {
    /// A clock before the first move.
    pub(crate) fn new(control: TimeControl) -> Self {
        Self { control, remaining_us: micros(control.base), moves_to_go: control.moves }
    }

    /// Time left, as engines are told: whole milliseconds, at least 1, since many engines cannot
    /// read a negative clock.
    pub(crate) fn shown_ms(&self) -> i64 {
        (self.remaining_us / 1000).max(1)
    }

    /// Increment in whole milliseconds.
    pub(crate) fn increment_ms(&self) -> i64 {
        micros(self.control.increment) / 1000
    }

    /// Moves to the next time control.
    pub(crate) fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// How long the player may think about this move, margin included.
    pub(crate) fn allowance(&self, margin: Duration) -> Duration {
        let us = self.remaining_us.saturating_add(micros(margin)).max(0);
        Duration::from_micros(us.unsigned_abs())
    }

    /// Takes the time of a move off the clock and gives increment and new time.
    pub(crate) fn spend(&mut self, used: Duration, margin: Duration) -> Punctuality {
        let after = self.remaining_us.saturating_sub(micros(used));
        self.remaining_us = after.saturating_add(micros(self.control.increment));
        if let Some(left) = self.moves_to_go {
            let left = left.saturating_sub(1);
            if left == 0 {
                self.remaining_us = self.remaining_us.saturating_add(micros(self.control.base));
                self.moves_to_go = self.control.moves;
            } else {
                self.moves_to_go = Some(left);
            }
        }
        if after >= 0 {
            Punctuality::InTime
        } else if after >= -micros(margin) {
            Punctuality::WithinMargin
        } else {
            Punctuality::Late
        }
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn reading_time_controls() {
        let cases = [
            ("2+0.02", None, ms(2000), ms(20)),
            ("40/60+0.5", Some(40), ms(60_000), ms(500)),
            ("40/1:30", Some(40), ms(90_000), ms(0)),
            ("5", None, ms(5000), ms(0)),
            ("0.1", None, ms(100), ms(0)),
            ("0+1", None, ms(0), ms(1000)),
            ("0:02.5+.25", None, ms(2500), ms(250)),
        ];
        for (text, moves, base, increment) in cases {
            let control = TimeControl::parse(text).unwrap();
            assert_eq!(control, TimeControl { moves, base, increment }, "{text}");
            assert_eq!(TimeControl::parse(&control.to_string()), Ok(control), "{text}");
        }
        let bad = [
            "",
            "x",
            "0",
            "0/60",
            "-1",
            "1+-1",
            "nan",
            "inf",
            "1e400",
            "40/",
            "1+",
            "/5",
            "1:2:3",
            "99999999999999999999:0",
            "1e300",
            "+1",
        ];
        for text in bad {
            assert!(TimeControl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_run() {
        let mut clock = GameClock::new(TimeControl::parse("1+0.01").unwrap());
        assert_eq!((clock.shown_ms(), clock.increment_ms(), clock.moves_to_go()), (1000, 10, None));
        assert_eq!(clock.allowance(ms(5)), ms(1005));
        assert_eq!(clock.spend(ms(400), ms(0)), Punctuality::InTime);
        assert_eq!(clock.shown_ms(), 610);
        assert_eq!(clock.spend(ms(610), ms(0)), Punctuality::InTime);
        assert_eq!(clock.shown_ms(), 10);
        assert_eq!(clock.spend(ms(30), ms(20)), Punctuality::WithinMargin);
        // 10 ms overdrawn, 10 ms gained; never told as less than 1 ms.
        assert_eq!(clock.shown_ms(), 1);
        assert_eq!(clock.allowance(ms(20)), ms(10));
        assert_eq!(clock.spend(ms(21), ms(20)), Punctuality::Late);
    }

    #[test]
    fn new_time_after_the_last_move_of_a_control() {
        let mut clock = GameClock::new(TimeControl::parse("2/10").unwrap());
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(ms(4000), ms(0));
        assert_eq!((clock.moves_to_go(), clock.shown_ms()), (Some(1), 6000));
        clock.spend(ms(5000), ms(0));
        assert_eq!((clock.moves_to_go(), clock.shown_ms()), (Some(2), 11_000));
        // The new time does not save a move that came too late for the old.
        clock.spend(ms(1000), ms(0));
        assert_eq!(clock.spend(ms(10_001), ms(0)), Punctuality::Late);
    }

    #[test]
    fn absurd_times_do_not_overflow() {
        let mut clock = GameClock::new(TimeControl::parse("1").unwrap());
        assert_eq!(clock.spend(Duration::MAX, Duration::MAX), Punctuality::WithinMargin);
        assert_eq!(clock.spend(Duration::MAX, ms(0)), Punctuality::Late);
        assert_eq!(clock.allowance(ms(0)), ms(0));
    }
}
