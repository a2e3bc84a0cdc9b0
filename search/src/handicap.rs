//! Playing below full strength, in a way that looks human: less depth, and now and then a move
//! that is not quite the best.

use std::hash::{BuildHasher, Hasher, RandomState};

use movegen::Color;

use crate::iterate::RootMove;
use crate::score::INFINITE;
use crate::{SearchOptions, score::is_decisive};

/// Skill levels run from here ...
const WEAKEST: f64 = -20.0;
/// ... to here, which is full strength.
const FULL: f64 = 20.0;
/// The Elo that stands for the weakest and for full skill. A rough scale, not a measured one.
const ELO: [f64; 2] = [500.0, 2850.0];
/// Nodes per move at the weakest level, and the factor per level.
const NODES: (f64, f64) = (30.0, 1.26);
/// The weakest player gives away up to this much per move, in centipawns.
const GENEROSITY: f64 = 240.0;

/// How much weaker than possible to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Handicap {
    /// 0 (full strength) to 1.
    weakness: f64,
    level: f64,
}

impl Handicap {
    /// What the options ask for; `None` for full strength.
    pub(crate) fn from_options(options: &SearchOptions) -> Option<Self> {
        let level = match options.limit_elo {
            Some(elo) => {
                let part = (f64::from(elo) - ELO[0]) / (ELO[1] - ELO[0]);
                WEAKEST + part.clamp(0.0, 1.0) * (FULL - WEAKEST)
            }
            None => f64::from(options.skill_level).clamp(WEAKEST, FULL),
        };
        (level < FULL).then(|| Self { weakness: (FULL - level) / (FULL - WEAKEST), level })
    }

    /// The most nodes that a move may cost.
    pub(crate) fn nodes(&self) -> u64 {
        (NODES.0 * NODES.1.powf(self.level - WEAKEST)) as u64
    }

    /// Lines that must be searched for a choice.
    pub(crate) fn lines(&self, asked: usize) -> usize {
        asked.max(4)
    }

    /// Chooses among the best lines of the last finished iteration. Mates that were seen are neither missed nor
    /// walked into on purpose.
    pub(crate) fn choose<M: Copy>(&self, moves: &[RootMove<M>], mover: Color) -> Option<usize> {
        let (first, best) = moves.iter().map(|r| r.settled).enumerate().max_by_key(
            // The first of equals.
            |&(i, score)| (score, std::cmp::Reverse(i)),
        )?;
        if is_decisive(best) {
            return Some(first);
        }
        let margin = (GENEROSITY * self.weakness) as i32;
        let mut random = Random::new(mover.index() as u64);
        moves
            .iter()
            .enumerate()
            .filter(|(_, r)| r.settled > -INFINITE && r.settled >= best - margin)
            .max_by_key(|(_, r)| r.settled + random.below(margin + 1))
            .map(|(i, _)| i)
    }
}

/// A small generator (splitmix64). Games of a weakened player should differ, so its seed does too.
struct Random(u64);

impl Random {
    fn new(salt: u64) -> Self {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(salt);
        Self(hasher.finish())
    }

    fn below(&mut self, limit: i32) -> i32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let z = z ^ (z >> 31);
        (z % u64::from(limit.max(1).unsigned_abs())) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handicap(skill_level: i32) -> Option<Handicap> {
        Handicap::from_options(&SearchOptions { skill_level, ..SearchOptions::default() })
    }

    #[test]
    fn levels_are_graded() {
        assert_eq!(handicap(20), None);
        for level in -20..19 {
            let (weaker, stronger) = (handicap(level).unwrap(), handicap(level + 1).unwrap());
            assert!(weaker.nodes() < stronger.nodes());
            assert!(weaker.weakness > stronger.weakness);
        }
        assert!(handicap(-20).unwrap().nodes() >= 30);
    }

    #[test]
    fn elo_covers_the_same_range() {
        let with_elo = |elo| {
            let options = SearchOptions { limit_elo: Some(elo), ..SearchOptions::default() };
            Handicap::from_options(&options)
        };
        assert_eq!(with_elo(3000), None);
        assert_eq!(with_elo(0), handicap(-20));
        assert!(with_elo(1000).unwrap().nodes() < with_elo(2000).unwrap().nodes());
    }

    #[test]
    fn choices_stay_within_the_margin() {
        let moves: Vec<_> = [50, 40, -100, -500, -INFINITE]
            .into_iter()
            .enumerate()
            .map(|(i, score)| RootMove { settled: score, ..RootMove::new(i) })
            .collect();
        let strong = handicap(19).unwrap();
        let weak = handicap(-20).unwrap();
        let mut seen = [false; 5];
        for _ in 0..300 {
            assert_eq!(strong.choose(&moves, Color::White), Some(0));
            seen[weak.choose(&moves, Color::White).unwrap()] = true;
        }
        assert_eq!(seen, [true, true, true, false, false]);
        let mate = [RootMove { settled: 31_999, ..RootMove::new(0) }, RootMove::new(1)];
        assert_eq!(weak.choose(&mate, Color::White), Some(0));
    }
}
