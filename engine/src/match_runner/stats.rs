//! What the results of a match say about the strength of its players.
//!
//! Games are judged in pairs (the same opening, colors reversed), which removes the advantage that
//! an opening gives to a color. A pair scores 0, 1/2, 1, 3/2 or 2 points: the *pentanomial* model.
//! With `m` the mean of the pair scores divided by 2 (so 0 <= m <= 1), `V` their variance on the
//! same scale and `N` the number of pairs:
//!
//! - standard error of `m`: `sqrt(V / N)`;
//! - Elo: `-400 log10(1/m - 1)`; the error is half the Elo distance between `m - 1.96 se` and
//!   `m + 1.96 se`;
//! - normalized Elo: `(m - 1/2) / sqrt(2V) * 800/ln 10`, error `1.96 * 800/ln 10 / sqrt(2N)`.
//!   `2V` is the variance of one game; the measure does not depend on the share of draws
//!   (M. Van den Bergh, "Normalized Elo");
//! - likelihood of superiority: `Phi((m - 1/2) / se)`.
//!
//! Without a complete pair, single games (0, 1/2, 1) take the place of pairs.

/// Two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;
/// Elo per standard deviation of one game, for normalized Elo.
const NORMALIZED_ELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Points of one player in one game, in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameScore {
    /// 0.
    Loss,
    /// 1/2.
    Draw,
    /// 1.
    Win,
}

impl GameScore {
    /// 0, 1 or 2.
    pub(crate) const fn half_points(self) -> usize {
        self as usize
    }
}

/// Counted results from the first engine's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Games lost, drawn and won: those of pairs and single ones.
    pub(crate) games: [u64; 3],
    /// Pairs with 0, 1/2, 1, 3/2, 2 points.
    pub(crate) pairs: [u64; 5],
}

impl Tally {
    /// Counts a pair of games.
    pub(crate) fn add_pair(&mut self, first: GameScore, second: GameScore) {
        self.add_game(first);
        self.add_game(second);
        if let Some(n) = self.pairs.get_mut(first.half_points() + second.half_points()) {
            *n += 1;
        }
    }

    /// Counts a game without a partner.
    pub(crate) fn add_game(&mut self, score: GameScore) {
        if let Some(n) = self.games.get_mut(score.half_points()) {
            *n += 1;
        }
    }

    /// Games counted.
    pub(crate) fn game_count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Pairs counted.
    pub(crate) fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Share of the points, 0 to 1; 1/2 without games.
    pub(crate) fn score(&self) -> f64 {
        let games = self.game_count();
        if games == 0 {
            return 0.5;
        }
        let half_points = self.games[1] + 2 * self.games[2];
        half_points as f64 / (2 * games) as f64
    }

    /// Share of drawn games, 0 to 1.
    pub(crate) fn draw_ratio(&self) -> f64 {
        let games = self.game_count();
        if games == 0 { 0.0 } else { self.games[1] as f64 / games as f64 }
    }

    /// Everything that follows from the counts; `None` without games.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let pairs = Moments::of(&self.pairs);
        let sample = match pairs {
            Some(moments) => moments,
            None => Moments::of(&self.games)?,
        };
        // A pair's mean has half the variance of a game.
        let games_per_sample = if pairs.is_some() { 2.0 } else { 1.0 };
        let error = sample.standard_error();
        let game_deviation = (sample.variance * games_per_sample).sqrt();
        let games = sample.count * games_per_sample;
        Some(Estimate {
            elo: elo_of_score(sample.mean),
            elo_error: error.and_then(|se| elo_error(sample.mean, se)),
            normalized: (game_deviation > 0.0)
                .then(|| (sample.mean - 0.5) / game_deviation * NORMALIZED_ELO_SCALE),
            normalized_error: Z95 * NORMALIZED_ELO_SCALE / games.sqrt(),
            superiority: match error {
                Some(se) => normal_cdf((sample.mean - 0.5) / se),
                None => self.superiority_without_draws(),
            },
        })
    }

    /// Likelihood of superiority from decided games alone: `Phi((W - L) / sqrt(W + L))`. For samples
    /// without any spread, where the other form divides by zero.
    fn superiority_without_draws(&self) -> f64 {
        let [lost, _, won] = self.games.map(|n| n as f64);
        if lost + won > 0.0 { normal_cdf((won - lost) / (won + lost).sqrt()) } else { 0.5 }
    }
}

/// What a [`Tally`] says. Elo is infinite if one side has won everything.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Estimate {
    /// Logistic Elo difference.
    pub(crate) elo: f64,
    /// Half width of its 95 % interval; `None` if the sample has no spread or reaches 0 or 1.
    pub(crate) elo_error: Option<f64>,
    /// Normalized Elo; `None` if the sample has no spread.
    pub(crate) normalized: Option<f64>,
    /// Half width of its 95 % interval.
    pub(crate) normalized_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub(crate) superiority: f64,
}

/// Mean and variance of scores that are spread evenly over 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Moments {
    count: f64,
    mean: f64,
    /// Of one observation, divided by the count and not by one less, as the field does.
    variance: f64,
}

impl Moments {
    fn of(counts: &[u64]) -> Option<Self> {
        let count = counts.iter().sum::<u64>() as f64;
        if count == 0.0 {
            return None;
        }
        let scores = || evenly_spread(counts.len()).zip(counts.iter().map(|&n| n as f64));
        let mean = scores().map(|(score, n)| score * n).sum::<f64>() / count;
        let variance = scores().map(|(score, n)| (score - mean).powi(2) * n).sum::<f64>() / count;
        Some(Self { count, mean, variance })
    }

    /// Of the mean; `None` if all observations are equal.
    fn standard_error(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| (self.variance / self.count).sqrt())
    }
}

/// The scores 0, ..., 1 of `n` equally spaced outcomes.
pub(super) fn evenly_spread(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| i as f64 / (n.max(2) - 1) as f64)
}

/// Logistic Elo of an expected score.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Expected score of a logistic Elo difference.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn elo_error(mean: f64, standard_error: f64) -> Option<f64> {
    let (low, high) = (mean - Z95 * standard_error, mean + Z95 * standard_error);
    (low > 0.0 && high < 1.0).then(|| (elo_of_score(high) - elo_of_score(low)) / 2.0)
}

/// Distribution function of the normal distribution, to about 1e-7: Abramowitz and Stegun 7.1.26
/// for the error function.
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let polynomial = series.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let tail = polynomial * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5], games: [u64; 3]) -> Tally {
        Tally { games, pairs }
    }

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn known_values() {
        // Worked out independently in Python from the formulas above.
        let e = tally([10, 25, 60, 35, 20], [0, 0, 0]).estimate().unwrap();
        close(e.elo, 34.860_070_288, 1e-8);
        close(e.elo_error.unwrap(), 30.323_161_956, 1e-8);
        close(e.normalized.unwrap(), 45.620_527_384, 1e-8);
        close(e.normalized_error, 39.315_315_209, 1e-8);
        close(e.superiority, 0.988_525_846, 2e-7);
        let e = tally([3, 11, 70, 22, 6], [0, 0, 0]).estimate().unwrap();
        close(e.elo, 26.418_678_847, 1e-8);
        close(e.elo_error.unwrap(), 24.962_646_374, 1e-8);
        close(e.normalized.unwrap(), 48.422_916_405, 1e-8);
        close(e.superiority, 0.981_507_718, 2e-7);
    }

    #[test]
    fn single_games_without_a_pair() {
        let e = tally([0; 5], [12, 30, 18]).estimate().unwrap();
        close(e.elo, 34.860_070_288, 1e-8);
        close(e.elo_error.unwrap(), 62.857_300_073, 1e-8);
        close(e.normalized.unwrap(), 49.633_655_074, 1e-8);
        close(e.normalized_error, 87.911_717_364, 1e-8);
        close(e.superiority, 0.865_759_338, 2e-7);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -30.0, 0.0, 1.5, 123.4, 400.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
    }

    #[test]
    fn normal_distribution() {
        for (x, p) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (-1.96, 0.024_997_895), (4.0, 0.999_968_329)]
        {
            close(normal_cdf(x), p, 2e-7);
        }
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn samples_without_spread() {
        assert_eq!(Tally::default().estimate(), None);
        let mut won = Tally::default();
        won.add_pair(GameScore::Win, GameScore::Win);
        let e = won.estimate().unwrap();
        assert_eq!(e.elo, f64::INFINITY);
        assert_eq!((e.elo_error, e.normalized), (None, None));
        assert!(e.superiority > 0.9 && e.superiority < 1.0);

        let mut lost = Tally::default();
        lost.add_pair(GameScore::Loss, GameScore::Loss);
        assert_eq!(lost.estimate().unwrap().elo, f64::NEG_INFINITY);

        // One win each is a pair of 1 point like two draws, but not the same tally.
        let mut even = Tally::default();
        even.add_pair(GameScore::Win, GameScore::Loss);
        let e = even.estimate().unwrap();
        assert_eq!((e.elo, e.elo_error), (0.0, None));
        close(e.superiority, 0.5, 1e-7);
        assert_eq!(even.draw_ratio(), 0.0);
    }

    #[test]
    fn odd_game_counts_in_the_score_but_not_in_the_pairs() {
        let mut t = Tally::default();
        t.add_pair(GameScore::Win, GameScore::Draw);
        t.add_pair(GameScore::Loss, GameScore::Draw);
        t.add_game(GameScore::Win);
        assert_eq!(t.games, [1, 2, 2]);
        assert_eq!(t.pairs, [0, 1, 0, 1, 0]);
        assert_eq!((t.game_count(), t.pair_count()), (5, 2));
        close(t.score(), 0.6, 1e-12);
        close(t.estimate().unwrap().elo, 0.0, 1e-9);
    }
}
