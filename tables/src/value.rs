use std::fmt;

/// What a table says about a position, from the side of its mover.
///
/// Distances are plies. In tables against a bare king they lead to mate; in all others to the next
/// event that settles the result: mate, or a capture, promotion or pawn move after which it is won
/// whatever has been counted so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The mover forces the event within so many plies.
    Win(u16),
    /// Nobody forces anything.
    Draw,
    /// The opponent forces it within so many plies; 0: the mover is mated.
    Loss(u16),
}

impl Value {
    /// Sooner wins before later ones, draws, later losses before sooner ones.
    pub(crate) const fn rank(self) -> i32 {
        match self {
            Self::Win(plies) => 100_000 - plies as i32,
            Self::Draw => 0,
            Self::Loss(plies) => plies as i32 - 100_000,
        }
    }

    /// The value with so many plies left before the game is drawn.
    #[must_use]
    pub fn within(self, plies: u32) -> Self {
        match self {
            Self::Win(distance) | Self::Loss(distance) if u32::from(distance) > plies => Self::Draw,
            value => value,
        }
    }

    /// The value, for whoever has moved, of a position that has this one for the other side. The
    /// distance goes on, or else it was the move itself that has settled it.
    #[must_use]
    pub(crate) fn seen_by_mover(self, goes_on: bool) -> Self {
        let distance = |plies: u16| if goes_on { plies.saturating_add(1) } else { 1 };
        match self {
            Self::Win(plies) => Self::Loss(distance(plies)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(distance(plies)),
        }
    }

    /// The distance of a decided position.
    pub fn distance(self) -> Option<u16> {
        match self {
            Self::Win(distance) | Self::Loss(distance) => Some(distance),
            Self::Draw => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win in {plies} plies"),
            Self::Draw => write!(f, "draw"),
            Self::Loss(plies) => write!(f, "loss in {plies} plies"),
        }
    }
}

/// No value is known: a draw, once a table is finished.
pub(crate) const UNKNOWN: u8 = 0;
/// No such position.
pub(crate) const IMPOSSIBLE: u8 = 255;

/// How values are written in a byte, apart from [`UNKNOWN`] and [`IMPOSSIBLE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Codec {
    /// The mover only wins, after an odd number of plies.
    Wins,
    /// The mover only loses, after an even number of plies.
    Losses,
    /// Anything: losses from 1 on, then wins.
    Both,
}

/// [`Codec::Both`]: the longest loss, and the last code that is one.
const LONGEST_LOSS: u16 = 126;
const LAST_LOSS: u8 = 127;

impl Codec {
    /// The byte of a value, `None` if it has none: too long, or of the wrong kind.
    pub(crate) fn encode(self, value: Value) -> Option<u8> {
        let code = match (self, value) {
            (_, Value::Draw) => return Some(UNKNOWN),
            (Self::Wins, Value::Win(plies)) if plies % 2 == 1 => plies / 2 + 1,
            (Self::Losses, Value::Loss(plies)) if plies % 2 == 0 => plies / 2 + 1,
            (Self::Both, Value::Loss(plies)) if plies <= LONGEST_LOSS => plies + 1,
            (Self::Both, Value::Win(plies)) if plies >= 1 => plies + u16::from(LAST_LOSS),
            _ => return None,
        };
        u8::try_from(code).ok().filter(|&code| code < IMPOSSIBLE)
    }

    /// The value of a byte, `None` for [`IMPOSSIBLE`].
    pub(crate) fn decode(self, code: u8) -> Option<Value> {
        let number = u16::from(code);
        Some(match (self, code) {
            (_, IMPOSSIBLE) => return None,
            (_, UNKNOWN) => Value::Draw,
            (Self::Wins, _) => Value::Win(2 * number - 1),
            (Self::Losses, _) => Value::Loss(2 * number - 2),
            (Self::Both, ..=LAST_LOSS) => Value::Loss(number - 1),
            (Self::Both, _) => Value::Win(number - u16::from(LAST_LOSS)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_stands_for_one_value() {
        for codec in [Codec::Wins, Codec::Losses, Codec::Both] {
            for code in 0..IMPOSSIBLE {
                let value = codec.decode(code).unwrap();
                assert_eq!(codec.encode(value), Some(code), "{codec:?} {value}");
            }
            assert_eq!(codec.decode(IMPOSSIBLE), None);
        }
        assert_eq!(Codec::Wins.encode(Value::Win(507)), Some(254));
        assert_eq!(Codec::Wins.encode(Value::Win(509)), None);
        assert_eq!(Codec::Losses.encode(Value::Win(1)), None);
        assert_eq!(Codec::Both.encode(Value::Loss(127)), None);
        assert_eq!(Codec::Both.encode(Value::Win(127)), Some(254));
        assert_eq!(Codec::Both.encode(Value::Win(128)), None);
    }

    #[test]
    fn time_left_decides() {
        assert_eq!(Value::Win(9).within(9), Value::Win(9));
        assert_eq!(Value::Win(9).within(8), Value::Draw);
        assert_eq!(Value::Loss(8).within(7), Value::Draw);
        assert_eq!(Value::Draw.within(0), Value::Draw);
    }
}
