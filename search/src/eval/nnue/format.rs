//! The file of a network. All numbers are little-endian.
//!
//! | Bytes | Content |
//! |---|---|
//! | 5 | `HNNUE` |
//! | 1 | version, 1 |
//! | 1 | game: 0 Makruk, 1 ASEAN Chess, 2 Makhos |
//! | 1 | outputs, 8 |
//! | 2 | `H`, size of the hidden layer |
//! | 2 | inputs: 768, Makhos 128 |
//! | 2 | `d`, length of the description |
//! | d | description, UTF-8 |
//! | 2 x inputs x H | feature weights, in the order of [`Parts`] |
//! | 2 x H | feature biases |
//! | 2 x 8 x 2H | output weights |
//! | 4 x 8 | output biases |
//! | 8 | checksum of everything before it: 64-bit FNV-1a |

use movegen::Variant;

use super::{BUCKETS, HIDDEN_UNIT, MAX_HIDDEN, Network, NetworkError, Parts, Shape};

const MAGIC: &[u8; 5] = b"HNNUE";
/// The version of network files that is read and written.
pub const FORMAT_VERSION: u8 = 1;
/// Bytes before the description.
const HEADER: usize = MAGIC.len() + 9;
/// Bytes of the checksum.
const CHECKSUM: usize = 8;

/// Games by their number in files.
const GAMES: [Variant; 3] = [Variant::Makruk, Variant::Asean, Variant::Makhos];

/// Catches every change of a single byte, since each step is a bijection, and nearly all others.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Takes numbers off the front of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// The next `count` bytes; what is missing is noticed by the length check.
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at_checked(count).unwrap_or((self.0, &[]));
        self.0 = rest;
        taken
    }

    fn u8(&mut self) -> u8 {
        self.bytes(1).first().copied().unwrap_or_default()
    }

    fn u16(&mut self) -> u16 {
        self.bytes(2).first_chunk().copied().map_or(0, u16::from_le_bytes)
    }

    fn list_i16(&mut self, count: usize) -> Vec<i16> {
        let (numbers, _) = self.bytes(2 * count).as_chunks();
        numbers.iter().copied().map(i16::from_le_bytes).collect()
    }

    fn list_i32(&mut self, count: usize) -> Vec<i32> {
        let (numbers, _) = self.bytes(4 * count).as_chunks();
        numbers.iter().copied().map(i32::from_le_bytes).collect()
    }
}

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    /// If it is no network file, of an unknown version, truncated, changed or too long, or if its
    /// weights could overflow the arithmetic.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader(bytes);
        if reader.bytes(MAGIC.len()) != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        let too_short = |expected| NetworkError::Length { expected, found: bytes.len() };
        if bytes.len() < HEADER {
            return Err(too_short(HEADER));
        }
        let version = reader.u8();
        if version != FORMAT_VERSION {
            return Err(NetworkError::Version { found: version, known: FORMAT_VERSION });
        }
        let variant = *GAMES
            .get(usize::from(reader.u8()))
            .ok_or(NetworkError::Header("there is no such game"))?;
        let buckets = usize::from(reader.u8());
        let hidden = usize::from(reader.u16());
        let inputs = usize::from(reader.u16());
        let described = usize::from(reader.u16());
        if buckets != BUCKETS {
            return Err(NetworkError::Header("the number of outputs is not 8"));
        }
        if inputs != Shape::of(variant).inputs() {
            return Err(NetworkError::Header("the inputs do not fit the game"));
        }
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(HIDDEN_UNIT) {
            return Err(NetworkError::Hidden(hidden));
        }
        let weights = 2 * (inputs * hidden + hidden + buckets * 2 * hidden) + 4 * buckets;
        let expected = HEADER + described + weights + CHECKSUM;
        if bytes.len() != expected {
            return Err(too_short(expected));
        }
        let (content, stored) = bytes.split_at(expected - CHECKSUM);
        if checksum(content).to_le_bytes() != *stored {
            return Err(NetworkError::Checksum);
        }
        let description = str::from_utf8(reader.bytes(described))
            .map_err(|_| NetworkError::Header("the description is no text"))?
            .to_owned();
        Self::new(Parts {
            variant,
            hidden,
            description,
            feature_weights: reader.list_i16(inputs * hidden),
            feature_bias: reader.list_i16(hidden),
            output_weights: reader.list_i16(buckets * 2 * hidden),
            output_bias: reader.list_i32(buckets),
        })
    }

    /// The network as a file, for [`Network::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = self.parts();
        let game = GAMES.iter().position(|&game| game == parts.variant).unwrap_or_default();
        let small = |n: usize| u16::try_from(n).unwrap_or(u16::MAX).to_le_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([FORMAT_VERSION, game as u8, BUCKETS as u8]);
        bytes.extend(small(parts.hidden));
        bytes.extend(small(Shape::of(parts.variant).inputs()));
        bytes.extend(small(parts.description.len()));
        bytes.extend(parts.description.as_bytes());
        for list in [&parts.feature_weights, &parts.feature_bias, &parts.output_weights] {
            bytes.extend(list.iter().flat_map(|n| n.to_le_bytes()));
        }
        bytes.extend(parts.output_bias.iter().flat_map(|n| n.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::random_network;
    use super::*;

    #[test]
    fn files_come_back() {
        for (number, &game) in GAMES.iter().enumerate() {
            let network = random_network(game, 32 * (number + 1), 7).unwrap();
            let bytes = network.to_bytes();
            assert_eq!(bytes[6], number as u8);
            let read = Network::from_bytes(&bytes).unwrap();
            assert_eq!(read, network);
            assert_eq!(read.to_bytes(), bytes);
        }
    }

    #[test]
    fn the_layout_stays() {
        let bytes = random_network(Variant::Makhos, 32, 1).unwrap().to_bytes();
        assert_eq!(bytes[..14], *b"HNNUE\x01\x02\x08\x20\x00\x80\x00\x16\x00");
        assert_eq!(bytes[14..36], *b"random weights, seed 1");
        assert_eq!(bytes.len(), 36 + 2 * (128 * 32 + 32 + 512) + 32 + 8);
        // The published test value of this hash.
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = random_network(Variant::Makhos, 32, 8).unwrap().to_bytes();
        for length in 0..bytes.len() {
            let error = Network::from_bytes(&bytes[..length]).unwrap_err();
            if length < MAGIC.len() {
                assert_eq!(error, NetworkError::NotANetwork);
            } else {
                let expected = if length < HEADER { HEADER } else { bytes.len() };
                assert_eq!(error, NetworkError::Length { expected, found: length });
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let (expected, found) = (bytes.len(), bytes.len() + 1);
        assert_eq!(Network::from_bytes(&longer), Err(NetworkError::Length { expected, found }));
    }

    #[test]
    fn every_changed_bit_is_refused() {
        let mut bytes = random_network(Variant::Makhos, 32, 9).unwrap().to_bytes();
        for bit in 0..8 * bytes.len() {
            // All bits of the header and the end, a sample of the rest.
            let near_an_end = bit < 8 * 80 || bit >= 8 * (bytes.len() - 80);
            if !near_an_end && !bit.is_multiple_of(37) {
                continue;
            }
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Network::from_bytes(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(Network::from_bytes(&bytes).is_ok());
    }

    #[test]
    fn dangerous_weights_are_refused_even_with_a_good_checksum() {
        let mut bytes = random_network(Variant::Makhos, 32, 10).unwrap().to_bytes();
        let end = bytes.len() - CHECKSUM;
        let last_output_weight = end - 4 * BUCKETS - 2;
        bytes[last_output_weight..last_output_weight + 2].copy_from_slice(&300_i16.to_le_bytes());
        let sum = checksum(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::OutputWeight(300)));
    }
}
