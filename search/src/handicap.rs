//! Playing below full strength, in a way that looks human: less depth, and now and then a move
//! that is not quite the best.

use std::hash::{BuildHasher, Hasher, RandomState};

use movegen::Color;

use crate::iterate::RootMove;
use crate::score::INFINITE;
use crate::{SearchOptions, score::is_decisive};

/// Skill levels run from here ...
const WEAKEST: i32 = -20;
/// ... to here, which is full strength.
const FULL: i32 = 20;
/// Nodes per move at the weakest level, and how many times as many at the strongest.
const NODES: (f64, f64) = (20.0, 12_500.0);
/// The weakest player gives away up to this much per move, in centipawns. Levels halfway to full
/// strength give away an eighth of it.
const GENEROSITY: f64 = 1500.0;
/// Lines that the weakest player chooses from, and all others at least.
const LINES: (f64, f64) = (40.0, 4.0);

/// The Elo of weakened players of a game, by what has been measured: pairs of the skill, in
/// thousandths, and the Elo. The first is the weakest player (skill 0), the last plays at full
/// strength (skill 1000); both numbers rise.
pub(crate) type Ladder = &'static [(i32, i32)];

/// How much weaker than possible to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Handicap {
    /// 0 to 1 (full strength).
    skill: f64,
}

impl Handicap {
    /// What the options ask for in a game with these Elo figures; `None` for full strength. Skill
    /// levels are steps of equal Elo.
    pub(crate) fn from_options(options: &SearchOptions, ladder: Ladder) -> Option<Self> {
        let elo = match (options.limit_elo, ladder) {
            (Some(elo), _) => f64::from(elo),
            (None, [(_, weakest), .., (_, strongest)]) => {
                let part = f64::from(options.skill_level - WEAKEST) / f64::from(FULL - WEAKEST);
                f64::from(*weakest) + part * f64::from(strongest - weakest)
            }
            (None, _) => return None,
        };
        let skill = skill_of(elo, ladder);
        (skill < 1.0).then_some(Self { skill: skill.max(0.0) })
    }

    /// The most nodes that a move may cost.
    pub(crate) fn nodes(&self) -> u64 {
        (NODES.0 * NODES.1.powf(self.skill)) as u64
    }

    /// Centipawns that may be given away.
    fn margin(&self) -> i32 {
        (GENEROSITY * (1.0 - self.skill).powi(3)) as i32
    }

    /// Lines that must be searched for a choice.
    pub(crate) fn lines(&self, asked: usize) -> usize {
        let wanted = LINES.1 + (LINES.0 - LINES.1) * (1.0 - self.skill).powi(2);
        asked.max(wanted as usize)
    }

    /// Chooses among the best lines of the last finished iteration. Mates that were seen are
    /// neither missed nor walked into on purpose.
    pub(crate) fn choose<M: Copy>(&self, moves: &[RootMove<M>], mover: Color) -> Option<usize> {
        let (first, best) = moves.iter().map(|r| r.settled).enumerate().max_by_key(
            // The first of equals.
            |&(i, score)| (score, std::cmp::Reverse(i)),
        )?;
        if is_decisive(best) {
            return Some(first);
        }
        let margin = self.margin();
        let mut random = Random::new(mover.index() as u64);
        moves
            .iter()
            .enumerate()
            .filter(|(_, r)| r.settled > -INFINITE && r.settled >= best - margin)
            .max_by_key(|(_, r)| r.settled + random.below(margin + 1))
            .map(|(i, _)| i)
    }
}

/// The skill at which a player has this Elo, by straight lines between the rungs.
fn skill_of(elo: f64, ladder: Ladder) -> f64 {
    for pair in ladder.windows(2) {
        if let &[(skill, below), (next, above)] = pair
            && elo < f64::from(above)
        {
            let part = (elo - f64::from(below)) / f64::from(above - below);
            return (f64::from(skill) + part.max(0.0) * f64::from(next - skill)) / 1000.0;
        }
    }
    1.0
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

    const LADDER: Ladder = &[(0, 600), (300, 900), (500, 1800), (700, 2700), (1000, 3000)];

    fn handicap(skill_level: i32) -> Option<Handicap> {
        let options = SearchOptions { skill_level, ..SearchOptions::default() };
        Handicap::from_options(&options, LADDER)
    }

    fn with_elo(elo: u32) -> Option<Handicap> {
        let options = SearchOptions { limit_elo: Some(elo), ..SearchOptions::default() };
        Handicap::from_options(&options, LADDER)
    }

    #[test]
    fn levels_are_graded() {
        assert_eq!(handicap(20), None);
        for level in -20..19 {
            let (weaker, stronger) = (handicap(level).unwrap(), handicap(level + 1).unwrap());
            assert!(weaker.nodes() < stronger.nodes());
            // In whole centipawns the strongest levels give nothing away.
            assert!(weaker.margin() > stronger.margin() || weaker.margin() == 0);
            assert!(weaker.lines(1) >= stronger.lines(1));
        }
        assert!(handicap(-20).unwrap().nodes() >= 20);
        assert_eq!(handicap(-20).unwrap().lines(1), 40);
        assert_eq!(handicap(19).unwrap().lines(7), 7);
    }

    #[test]
    fn elo_covers_the_same_range() {
        assert_eq!(with_elo(3000), None);
        assert_eq!(with_elo(9999), None);
        assert_eq!(with_elo(0), handicap(-20));
        assert_eq!(with_elo(600), handicap(-20));
        assert_eq!(with_elo(1800), handicap(0));
        assert_eq!(with_elo(2400), handicap(10));
        assert_eq!(with_elo(900), Some(Handicap { skill: 0.3 }));
        assert!(with_elo(1900).unwrap().nodes() > handicap(0).unwrap().nodes());
        for elo in 600..2999 {
            assert!(with_elo(elo).unwrap().margin() >= with_elo(elo + 1).map_or(0, |h| h.margin()));
        }
    }

    #[test]
    fn ladders_rise_from_the_weakest_to_full_strength() {
        use crate::{AseanGame, Game, MakhosGame, MakrukGame, SearchPolicy};
        fn ladder<G: Game>() -> Ladder {
            G::Policy::params().ladder
        }
        for ladder in [ladder::<MakrukGame>(), ladder::<AseanGame>(), ladder::<MakhosGame>()] {
            assert_eq!((ladder[0].0, ladder[ladder.len() - 1].0), (0, 1000));
            assert!(ladder.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1));
        }
    }

    #[test]
    fn choices_stay_within_the_margin() {
        let moves: Vec<_> = [50, 40, -1400, -1500, -INFINITE]
            .into_iter()
            .enumerate()
            .map(|(i, score)| RootMove { settled: score, ..RootMove::new(i) })
            .collect();
        let strong = handicap(19).unwrap();
        let weak = handicap(-20).unwrap();
        let mut seen = [false; 5];
        for _ in 0..2000 {
            assert_eq!(strong.choose(&moves, Color::White), Some(0));
            seen[weak.choose(&moves, Color::White).unwrap()] = true;
        }
        assert_eq!((seen[0], seen[1], seen[3], seen[4]), (true, true, false, false));
        let mate = [RootMove { settled: 31_999, ..RootMove::new(0) }, RootMove::new(1)];
        assert_eq!(weak.choose(&mate, Color::White), Some(0));
    }
}
