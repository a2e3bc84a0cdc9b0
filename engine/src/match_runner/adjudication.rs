//! Ending games whose result both engines foresee.

use movegen::Color;

use super::declared::EngineScore;
use super::syntax::key_values;

/// When games are ended before the rules do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Adjudication {
    /// A lost position is given up.
    pub(crate) resign: Option<ResignRule>,
    /// A level position is agreed drawn.
    pub(crate) draw: Option<DrawRule>,
    /// Draw after so many full moves of the game; 0 = never.
    pub(crate) max_moves: u32,
}

/// `moves=N,score=S[,twosided=true]`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResignRule {
    /// Successive moves of the losing engine.
    moves: u32,
    /// Its score is at most minus this, in centipawns.
    score: i64,
    /// The winning engine must agree.
    two_sided: bool,
}

/// `number=N,count=M,score=S`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DrawRule {
    /// Not before this full move of the game.
    number: u32,
    /// Successive moves of each engine.
    count: u32,
    /// Their scores are at most this far from 0, in centipawns.
    score: i64,
}

/// An adjudicated end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ruling {
    /// This side has given up.
    Resigns(Color),
    /// Both engines see a draw.
    Draw,
    /// The game is too long.
    MaxMoves,
}

impl ResignRule {
    /// Reads the argument of `--resign`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut moves, mut score, mut two_sided) = (None, None, false);
        for (key, value) in key_values(text)? {
            match key {
                "moves" => moves = Some(positive(key, value)?),
                "score" => score = Some(i64::from(positive(key, value)?)),
                "twosided" => {
                    two_sided =
                        value.parse().map_err(|_| "twosided is true or false".to_owned())?;
                }
                _ => return Err(format!("unknown key '{key}' (moves, score, twosided)")),
            }
        }
        match (moves, score) {
            (Some(moves), Some(score)) => Ok(Self { moves, score, two_sided }),
            _ => Err("moves and score are needed".into()),
        }
    }
}

impl DrawRule {
    /// Reads the argument of `--draw`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut number, mut count, mut score) = (0, None, None);
        for (key, value) in key_values(text)? {
            match key {
                "number" => number = whole(key, value)?,
                "count" => count = Some(positive(key, value)?),
                "score" => score = Some(i64::from(whole(key, value)?)),
                _ => return Err(format!("unknown key '{key}' (number, count, score)")),
            }
        }
        match (count, score) {
            (Some(count), Some(score)) => Ok(Self { number, count, score }),
            _ => Err("count and score are needed".into()),
        }
    }
}

fn whole(key: &str, value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("{key}: '{value}' is no whole number"))
}

fn positive(key: &str, value: &str) -> Result<u32, String> {
    match whole(key, value)? {
        0 => Err(format!("{key} must not be 0")),
        n => Ok(n),
    }
}

/// Watches one game.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    /// By color: successive own scores that mean "lost", and "won".
    lost: [u32; 2],
    won: [u32; 2],
    /// Successive plies with a level score.
    level: u32,
}

impl Adjudicator {
    /// For a new game.
    pub(crate) fn new(rules: Adjudication) -> Self {
        Self { rules, lost: [0; 2], won: [0; 2], level: 0 }
    }

    /// Takes note of the score with which `mover` has just made a move (in the game's full move
    /// number `full_move`) and says whether that ends the game. Without a score, every series ends.
    pub(crate) fn judge(
        &mut self,
        mover: Color,
        score: Option<EngineScore>,
        full_move: u32,
    ) -> Option<Ruling> {
        let score = score.map(EngineScore::centipawns);
        if let Some(rule) = self.rules.resign {
            count(self.lost.get_mut(mover.index()), score.is_some_and(|s| s <= -rule.score));
            count(self.won.get_mut(mover.index()), score.is_some_and(|s| s >= rule.score));
            for loser in Color::ALL {
                let lost = self.lost[loser.index()] >= rule.moves;
                let agreed = self.won[loser.opposite().index()] >= rule.moves;
                if lost && (agreed || !rule.two_sided) {
                    return Some(Ruling::Resigns(loser));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            count(Some(&mut self.level), score.is_some_and(|s| s.abs() <= rule.score));
            if full_move >= rule.number && self.level >= rule.count.saturating_mul(2) {
                return Some(Ruling::Draw);
            }
        }
        // After Black's move, so that both have had the same number.
        let full = mover == Color::Black && full_move >= self.rules.max_moves;
        (self.rules.max_moves > 0 && full).then_some(Ruling::MaxMoves)
    }
}

fn count(series: Option<&mut u32>, goes_on: bool) {
    if let Some(series) = series {
        *series = if goes_on { series.saturating_add(1) } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn cp(score: i64) -> Option<EngineScore> {
        Some(EngineScore::Centipawns(score))
    }

    #[test]
    fn resigning() {
        let rule = ResignRule::parse("moves=2,score=500").unwrap();
        let rules = Adjudication { resign: Some(rule), ..Default::default() };
        let mut a = Adjudicator::new(rules);
        assert_eq!(a.judge(White, cp(-600), 1), None);
        assert_eq!(a.judge(Black, cp(0), 1), None);
        assert_eq!(a.judge(White, cp(-499), 2), None);
        assert_eq!(a.judge(White, Some(EngineScore::Mate(-3)), 3), None);
        assert_eq!(a.judge(White, None, 4), None);
        assert_eq!(a.judge(White, cp(-500), 5), None);
        assert_eq!(a.judge(White, cp(-500), 6), Some(Ruling::Resigns(White)));
    }

    #[test]
    fn resigning_by_agreement() {
        let rule = ResignRule::parse("moves=2,score=500,twosided=true").unwrap();
        let rules = Adjudication { resign: Some(rule), ..Default::default() };
        let mut a = Adjudicator::new(rules);
        for n in 1..5 {
            assert_eq!(a.judge(White, cp(-900), n), None);
            assert_eq!(a.judge(Black, cp(100), n), None);
        }
        assert_eq!(a.judge(Black, cp(700), 5), None);
        assert_eq!(a.judge(Black, cp(700), 6), Some(Ruling::Resigns(White)));
    }

    #[test]
    fn draws() {
        let rule = DrawRule::parse("number=3,count=2,score=10").unwrap();
        let rules = Adjudication { draw: Some(rule), ..Default::default() };
        let mut a = Adjudicator::new(rules);
        for (mover, score, n, ruling) in [
            (White, cp(0), 1, None),
            (Black, cp(5), 1, None),
            (White, cp(-10), 2, None),
            (Black, cp(10), 2, None),
            (White, cp(11), 3, None),
            (Black, cp(0), 3, None),
            (White, cp(0), 4, None),
            (Black, cp(0), 4, None),
            (White, cp(0), 5, Some(Ruling::Draw)),
        ] {
            assert_eq!(a.judge(mover, score, n), ruling, "move {n} of {mover}");
        }
    }

    #[test]
    fn long_games() {
        let rules = Adjudication { max_moves: 2, ..Default::default() };
        let mut a = Adjudicator::new(rules);
        assert_eq!(a.judge(Black, None, 1), None);
        assert_eq!(a.judge(White, None, 2), None);
        assert_eq!(a.judge(Black, None, 2), Some(Ruling::MaxMoves));
        // An opening that is already longer.
        assert_eq!(Adjudicator::new(rules).judge(White, None, 40), None);
        assert_eq!(Adjudicator::new(rules).judge(Black, None, 40), Some(Ruling::MaxMoves));
    }

    #[test]
    fn faults() {
        for bad in ["", "moves=3", "moves=0,score=5", "moves=1,score=-5", "moves=1,score=5,x=1"] {
            assert!(ResignRule::parse(bad).is_err(), "{bad}");
        }
        for bad in ["", "count=3", "count=0,score=5", "count=1,score=-5", "score=5"] {
            assert!(DrawRule::parse(bad).is_err(), "{bad}");
        }
    }
}
