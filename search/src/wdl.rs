//! Scores as chances.

use crate::Score;

/// Win, draw and loss chances in permille (they sum to 1000) for the side whose score it is.
///
/// A logistic curve: a score of `offset` centipawns wins half of the games, `scale` says how fast
/// the chance grows.
pub(crate) fn wdl(score: Score, [offset, scale]: [i32; 2]) -> [u16; 3] {
    if score.is_decisive() {
        return if score.0 > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |score: i32| {
        let x = f64::from(score - offset) / f64::from(scale.max(1));
        (1000.0 / (1.0 + (-x).exp())).round() as u16
    };
    let (win, loss) = (chance(score.0), chance(-score.0));
    [win, 1000_u16.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_mirror() {
        for score in (-3000..=3000).step_by(7) {
            let [win, draw, loss] = wdl(Score(score), [180, 90]);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(Score(-score), [180, 90]), [loss, draw, win]);
        }
        assert_eq!(wdl(Score::mate_in(3), [180, 90]), [1000, 0, 0]);
        assert_eq!(wdl(Score::mated_in(4), [180, 90]), [0, 0, 1000]);
    }
}
