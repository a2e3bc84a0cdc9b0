//! Counting clocks and the transposition table.
//!
//! A score found with `r` plies left on a clock may be wrong with another `r`. Three measures keep
//! that out:
//!
//! 1. the table key is mixed with the regime and a bucket of `r` (exact near the limit);
//! 2. entries store `r`, and [`usable`] says which half of a stored claim holds at another `r`;
//! 3. a proven mate in `d` plies is used only where it holds: `d <= r`, or at least as much time
//!    left as when it was proven.
//!
//! Why a one-sided rule is sound: a win forced within `r` plies is also one within `r + 1`, because
//! what restarts a clock never depends on it. So for both sides the set of decided positions only
//! grows with `r`; evaluations keep the same shape (see
//! [`Evaluator::apply_count`](crate::eval::Evaluator::apply_count)).

use movegen::Countdown;

use crate::Bound;
use crate::score::{is_decisive, plies_to_mate};

/// Below this many plies left, every count has its own table key.
const EXACT_BELOW: u16 = 32;
/// From here on all counts share one bucket.
const SHARED_FROM: u16 = 96;

/// The key of a position for the transposition table.
#[inline(always)]
pub(crate) fn tt_key(key: u64, clock: Countdown) -> u64 {
    if clock.regime == 0 {
        return key;
    }
    let r = clock.remaining.min(SHARED_FROM);
    let bucket = if r <= EXACT_BELOW { r } else { EXACT_BELOW + (r - EXACT_BELOW) / 8 };
    key ^ mix(u64::from(clock.regime) << 8 | u64::from(bucket))
}

/// Spreads a small number over 64 bits (the finaliser of splitmix64).
#[inline(always)]
const fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The remaining plies as an entry stores them.
#[inline(always)]
pub(crate) fn stored_remaining(clock: Countdown) -> u8 {
    if clock.regime == 0 { u8::MAX } else { clock.remaining.min(u16::from(u8::MAX)) as u8 }
}

/// Which part of a stored claim `bound` on `score` (mates counted from the node) holds at a node
/// with `now` plies left, if it was stored with `then`; `None` if nothing does.
///
/// With `loose_above` or more plies left at both ends, counts are taken to be out of reach of the
/// subtree (mates excepted).
#[inline]
pub(crate) fn usable(
    bound: Bound,
    score: i32,
    then: u8,
    now: u8,
    loose_above: u8,
) -> Option<Bound> {
    let loose = then.min(now) >= loose_above;
    if then == now && then == u8::MAX {
        return Some(bound);
    }
    // "Good for the winner": holds with as much time or more, and for a proven mate that fits.
    let win_holds = match plies_to_mate(score) {
        Some(plies) => now >= then || plies <= i32::from(now),
        None => now >= then || (loose && !is_decisive(score)),
    };
    // "No better than": holds with as much time or less.
    let cap_holds = now <= then || loose;
    let lower_holds = if score > 0 { win_holds } else { cap_holds };
    let upper_holds = if score < 0 { win_holds } else { cap_holds };
    match bound {
        Bound::Exact if lower_holds && upper_holds => Some(Bound::Exact),
        Bound::Exact | Bound::Lower if lower_holds => Some(Bound::Lower),
        Bound::Exact | Bound::Upper if upper_holds => Some(Bound::Upper),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    const STRICT: u8 = u8::MAX;

    #[test]
    fn keys_differ_near_the_limit_and_between_regimes() {
        let key = |regime, remaining| tt_key(77, Countdown { regime, remaining });
        assert_eq!(tt_key(77, Countdown::NONE), 77);
        for r in 0..32 {
            assert_ne!(key(1, r), key(1, r + 1), "{r}");
            assert_ne!(key(1, r), key(2, r), "{r}");
        }
        assert_eq!(key(1, 40), key(1, 47));
        assert_ne!(key(1, 47), key(1, 48));
        assert_eq!(key(1, 96), key(1, 500));
    }

    #[test]
    fn entries_remember_the_plies_left() {
        let stored = |regime, remaining| stored_remaining(Countdown { regime, remaining });
        assert_eq!((stored(1, 0), stored(1, 40), stored(2, 47)), (0, 40, 47));
        // Out of any search's reach, as without a clock.
        assert_eq!((stored(1, 900), stored_remaining(Countdown::NONE)), (u8::MAX, u8::MAX));
    }

    #[test]
    fn claims_hold_on_one_side_only() {
        // A good score needs as much time as it was found with.
        assert_eq!(usable(Bound::Lower, 50, 20, 21, STRICT), Some(Bound::Lower));
        assert_eq!(usable(Bound::Lower, 50, 20, 19, STRICT), None);
        // A ceiling holds with less time.
        assert_eq!(usable(Bound::Upper, 50, 20, 19, STRICT), Some(Bound::Upper));
        assert_eq!(usable(Bound::Upper, 50, 20, 21, STRICT), None);
        // Mirrored for the losing side.
        assert_eq!(usable(Bound::Upper, -50, 20, 21, STRICT), Some(Bound::Upper));
        assert_eq!(usable(Bound::Lower, -50, 20, 21, STRICT), None);
        // A draw is a ceiling for both.
        assert_eq!(usable(Bound::Exact, 0, 20, 19, STRICT), Some(Bound::Exact));
        assert_eq!(usable(Bound::Exact, 0, 20, 21, STRICT), None);
        // Exact scores split.
        assert_eq!(usable(Bound::Exact, 50, 20, 20, STRICT), Some(Bound::Exact));
        assert_eq!(usable(Bound::Exact, 50, 20, 22, STRICT), Some(Bound::Lower));
        assert_eq!(usable(Bound::Exact, 50, 20, 18, STRICT), Some(Bound::Upper));
    }

    #[test]
    fn mates_must_fit() {
        let mate = Score::mate_in(9).0;
        assert_eq!(usable(Bound::Lower, mate, 20, 9, STRICT), Some(Bound::Lower));
        assert_eq!(usable(Bound::Lower, mate, 20, 8, STRICT), None);
        assert_eq!(usable(Bound::Exact, mate, 20, 8, STRICT), Some(Bound::Upper));
        assert_eq!(usable(Bound::Upper, -mate, 20, 8, 4), None);
        assert_eq!(usable(Bound::Upper, -mate, 20, 9, STRICT), Some(Bound::Upper));
    }

    #[test]
    fn no_clock_means_no_restriction() {
        for score in [-31_990, -5, 0, 5, 31_990] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                assert_eq!(usable(bound, score, u8::MAX, u8::MAX, STRICT), Some(bound));
            }
        }
    }
}
