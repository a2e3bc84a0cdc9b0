//! The sequential probability ratio test: when has a match shown enough?
//!
//! Generalized SPRT for a multinomial sample (M. Van den Bergh, "The generalized SPRT for
//! multinomials", the test that fishtest uses). With `p` the observed shares of the outcomes with
//! scores `a`, the log-likelihood ratio is `N * sum p_i ln(p1_i / p0_i)`, where `p0` and `p1` are the
//! maximum-likelihood distributions whose mean is the expected score of `elo0` and of `elo1`. The
//! one with mean `s` is `p_i / (1 + x (a_i - s))`, where `x` solves
//! `sum p_i (a_i - s) / (1 + x (a_i - s)) = 0`. Outcomes that never happened count as 0.001.
//!
//! For small Elo differences and enough games it approaches
//! `N (s1 - s0) (2m - s0 - s1) / (2V)`, but unlike that stays sensible when nearly all pairs have the
//! same score (`V` near 0).

use super::stats::{Tally, evenly_spread, score_of_elo};

/// Stands for an outcome that was never seen.
const UNSEEN: f64 = 1e-3;

/// A test of the hypothesis `elo1` against `elo0` (logistic Elo).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    /// Elo of the null hypothesis.
    pub(crate) elo0: f64,
    /// Elo of the alternative; greater than `elo0`.
    pub(crate) elo1: f64,
    /// Chance to accept `elo1` although `elo0` is true.
    pub(crate) alpha: f64,
    /// Chance to accept `elo0` although `elo1` is true.
    pub(crate) beta: f64,
}

/// What a test has shown so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Not enough games.
    Open,
    /// `elo0`: the change is no improvement.
    AcceptH0,
    /// `elo1`: the change is an improvement.
    AcceptH1,
}

impl Sprt {
    /// Lower and upper bound of the log-likelihood ratio (A. Wald).
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Log-likelihood ratio of the complete pairs; 0 without any.
    pub(crate) fn llr(&self, tally: &Tally) -> f64 {
        if tally.pair_count() == 0 {
            return 0.0;
        }
        let counts = tally.pairs.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / total);
        let p0 = likeliest_with_mean(&shares, score_of_elo(self.elo0));
        let p1 = likeliest_with_mean(&shares, score_of_elo(self.elo1));
        let per_pair: f64 =
            shares.iter().zip(p0.iter().zip(&p1)).map(|(p, (p0, p1))| p * (p1 / p0).ln()).sum();
        total * per_pair
    }

    /// Whether the test is over.
    pub(crate) fn verdict(&self, tally: &Tally) -> Verdict {
        let llr = self.llr(tally);
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Open
        }
    }

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05`; alpha and beta are 0.05 unless given.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
        for (key, value) in super::syntax::key_values(text)? {
            let number: f64 = value
                .parse()
                .ok()
                .filter(|n: &f64| n.is_finite())
                .ok_or_else(|| format!("{key}: '{value}' is not a number"))?;
            match key {
                "elo0" => elo0 = Some(number),
                "elo1" => elo1 = Some(number),
                "alpha" => alpha = number,
                "beta" => beta = number,
                _ => return Err(format!("unknown key '{key}' (elo0, elo1, alpha, beta)")),
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
            return Err("elo0 and elo1 are needed".into());
        };
        if elo0 >= elo1 {
            return Err("elo0 must be smaller than elo1".into());
        }
        if elo0.abs().max(elo1.abs()) > 1000.0 {
            return Err("Elo bounds beyond 1000 have no meaning".into());
        }
        if !(0.0 < alpha && alpha < 0.5 && 0.0 < beta && beta < 0.5) {
            return Err("alpha and beta must lie between 0 and 0.5".into());
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }
}

/// The distribution closest to `shares` whose mean is `mean` (0 < mean < 1). All shares are
/// positive, so the equation for `x` has exactly one root in the open interval where every
/// denominator is positive, and its left side falls there: bisection finds it.
fn likeliest_with_mean(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let scores = || evenly_spread(shares.len());
    let slope = |x: f64| -> f64 {
        shares.iter().zip(scores()).map(|(p, a)| p * (a - mean) / (1.0 + x * (a - mean))).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    let mut result = *shares;
    for (p, a) in result.iter_mut().zip(scores()) {
        *p /= 1.0 + x * (a - mean);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    fn llr(elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
        sprt(elo0, elo1).llr(&Tally { games: [0; 3], pairs })
    }

    #[test]
    fn known_values() {
        // Worked out independently in Python.
        let cases = [
            (0.0, 10.0, [10, 25, 60, 35, 20], 1.239_891_373),
            (0.0, 5.0, [10, 25, 60, 35, 20], 0.670_089_886),
            (0.0, 10.0, [3, 11, 70, 22, 6], 1.274_229_654),
            (0.0, 20.0, [20, 40, 60, 22, 6], -5.391_114_224),
            // No spread at all: one score seen, all pairs won, all lost, a single pair.
            (0.0, 10.0, [0, 0, 50, 0, 0], -1.452_044_952),
            (0.0, 10.0, [0, 0, 0, 0, 30], 0.851_100_700),
            (-10.0, 0.0, [30, 0, 0, 0, 0], -0.851_100_700),
            (0.0, 10.0, [0, 0, 1, 0, 0], -0.025_331_400),
        ];
        for (elo0, elo1, pairs, expected) in cases {
            let found = llr(elo0, elo1, pairs);
            assert!((found - expected).abs() < 1e-6, "{pairs:?}: {found} is not {expected}");
        }
        assert_eq!(llr(0.0, 10.0, [0; 5]), 0.0);
    }

    #[test]
    fn approaches_the_normal_approximation() {
        // N (s1 - s0) (2m - s0 - s1) / (2V) for small bounds and a long match.
        let pairs = [1000, 2500, 6100, 2600, 1050];
        let n: u64 = pairs.iter().sum();
        let n = n as f64;
        let scores = || evenly_spread(5).zip(pairs.iter().map(|&c| c as f64 / n));
        let m: f64 = scores().map(|(a, p)| a * p).sum();
        let v: f64 = scores().map(|(a, p)| (a - m).powi(2) * p).sum();
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(2.0));
        let approximation = n * (s1 - s0) * (2.0 * m - s0 - s1) / (2.0 * v);
        let exact = llr(0.0, 2.0, pairs);
        assert!((exact - approximation).abs() < 0.01, "{exact} v {approximation}");
    }

    #[test]
    fn verdicts_and_symmetry() {
        let test = sprt(0.0, 10.0);
        let (lower, upper) = test.bounds();
        assert!((upper - 2.944_438_979).abs() < 1e-9 && (lower + upper).abs() < 1e-9);
        // Unequal risks: accepting elo0 wrongly (beta) is what the lower bound is for.
        let (lower, upper) = Sprt { alpha: 0.1, beta: 0.2, ..test }.bounds();
        assert!((lower + 1.504_077_397).abs() < 1e-9 && (upper - 2.079_441_542).abs() < 1e-9);
        let verdict = |pairs| test.verdict(&Tally { games: [0; 3], pairs });
        assert_eq!(verdict([10, 25, 60, 35, 20]), Verdict::Open);
        assert_eq!(verdict([50, 125, 300, 175, 100]), Verdict::AcceptH1);
        assert_eq!(verdict([100, 175, 300, 125, 50]), Verdict::AcceptH0);
        // Exchanging the players and the hypotheses changes only the sign.
        let (a, b) = (llr(0.0, 10.0, [3, 11, 70, 22, 6]), llr(-10.0, 0.0, [6, 22, 70, 11, 3]));
        assert!((a + b).abs() < 1e-9);
    }

    #[test]
    fn parsing() {
        let test = Sprt::parse("elo0=-1.5,elo1=3,alpha=0.1,beta=0.2").unwrap();
        assert_eq!(test, Sprt { elo0: -1.5, elo1: 3.0, alpha: 0.1, beta: 0.2 });
        assert_eq!(Sprt::parse("elo0=0,elo1=5").unwrap(), sprt(0.0, 5.0));
        for bad in [
            "",
            "elo0=0",
            "elo1=5",
            "elo0=5,elo1=5",
            "elo0=0,elo1=5,alpha=0",
            "elo0=0,elo1=5,beta=1",
            "elo0=0,elo1=x",
            "elo0=0,elo1=inf",
            "elo0=0,elo1=1e9",
            "elo0=0,elo1=5,gamma=1",
            "elo0",
        ] {
            assert!(Sprt::parse(bad).is_err(), "{bad}");
        }
    }
}
