//! Files of self-play games: whole games, so that what is kept for training can be decided later.
//!
//! A file is a header and then one record a game, in the order of the games' numbers from 0 on.
//! All numbers are little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `HNGAMES1` |
//! | 4 | length of the text |
//! | n | the [`Origin`] of the games as JSON |
//!
//! | bytes | game |
//! |---|---|
//! | 4 | length of what follows the checksum |
//! | 4 | CRC-32 of what follows |
//! | 4 | number of the game |
//! | 4 | lower half of the key of the last position |
//! | 1 | plies played at random |
//! | 1 | result: 1 White won, 0 draw, -1 Black won |
//! | 4 each | plies: the move's [tag](movegen::GameMove::tag), the score |
//!
//! A record that is cut off or damaged ends the readable part: whoever appends truncates the file
//! there first, so that a kill costs one game.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HNGAMES1";
/// Longer headers are not ours.
const MAX_HEADER: usize = 1 << 16;
/// Longer records are not ours: no rule set lets a game last so long.
const MAX_RECORD: usize = 1 << 20;
/// Bytes of a record before its plies, after the checksum.
const FIXED: usize = 10;

/// Score of a ply that was played at random and not searched.
pub const NO_SCORE: i16 = i16::MIN;

/// What games were made with. Games may be appended to a file only with the same settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// Name of the game.
    pub variant: String,
    /// Name of the rule set.
    pub rule_set: String,
    /// Single options that differ from it, as `NAME=VALUE`.
    pub options: Vec<String>,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Random plies before the first searched move.
    pub random_plies: u32,
    /// Seed of the openings.
    pub seed: u64,
}

/// One ply of a stored game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredPly {
    /// Tag of the move.
    pub tag: u16,
    /// Score of the search in centipawns from the mover's side, [`NO_SCORE`] for a random ply.
    /// Proven results are as far from 0 as in [`search::Score`].
    pub score: i16,
}

/// One stored game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// Its number in the file.
    pub number: u32,
    /// Lower half of the key of the last position: proof that the moves were read as they were
    /// played.
    pub last_key: u32,
    /// Plies played at random.
    pub random_plies: u8,
    /// 1 White won, 0 draw, -1 Black won.
    pub result: i8,
    /// All plies from the start position on.
    pub plies: Vec<StoredPly>,
}

/// Why a file of games cannot be read, or not to its end.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The file cannot be read at all.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin as a file of games does.
    #[error("this is no file of games")]
    Foreign,
    /// The header says something impossible.
    #[error("bad header: {0}")]
    Header(serde_json::Error),
    /// A record is cut off or damaged.
    #[error("game {number} at byte {offset} is {}", if *.cut { "cut off" } else { "damaged" })]
    Record {
        /// Games before it.
        number: u32,
        /// Where it begins.
        offset: u64,
        /// It ends too early, rather than being wrong.
        cut: bool,
    },
}

/// Reads a file of games.
#[derive(Debug)]
pub struct GameFile<R> {
    input: R,
    origin: Origin,
    /// Where the next record begins.
    offset: u64,
    number: u32,
}

impl<R: Read> GameFile<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it cannot be read or is none.
    pub fn open(mut input: R) -> Result<Self, GamesError> {
        let mut start = [0; 12];
        if read_up_to(&mut input, &mut start)? < start.len() || &start[..8] != MAGIC {
            return Err(GamesError::Foreign);
        }
        let length = u32_at(&start, 8) as usize;
        if length > MAX_HEADER {
            return Err(GamesError::Foreign);
        }
        let mut text = vec![0; length];
        if read_up_to(&mut input, &mut text)? < length {
            return Err(GamesError::Foreign);
        }
        let origin = serde_json::from_slice(&text).map_err(GamesError::Header)?;
        Ok(Self { input, origin, offset: (start.len() + length) as u64, number: 0 })
    }

    /// What the games were made with.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Bytes of the file that have been read and are sound.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game, `None` at the end of the file.
    ///
    /// # Errors
    /// If the record is cut off or damaged; nothing after it can be read.
    pub fn next_game(&mut self) -> Result<Option<StoredGame>, GamesError> {
        let fault = |cut| GamesError::Record { number: self.number, offset: self.offset, cut };
        let mut head = [0; 8];
        match read_up_to(&mut self.input, &mut head)? {
            0 => return Ok(None),
            8 => {}
            _ => return Err(fault(true)),
        }
        let length = u32_at(&head, 0) as usize;
        if !(FIXED..=MAX_RECORD).contains(&length) || !(length - FIXED).is_multiple_of(4) {
            return Err(fault(false));
        }
        let mut body = vec![0; length];
        if read_up_to(&mut self.input, &mut body)? < length {
            return Err(fault(true));
        }
        let game = decode(&body);
        if crc32fast::hash(&body) != u32_at(&head, 4) || game.number != self.number {
            return Err(fault(false));
        }
        self.offset += (head.len() + length) as u64;
        self.number += 1;
        Ok(Some(game))
    }
}

/// Writes the header of a new file.
///
/// # Errors
/// If the output does.
pub fn write_header(out: &mut impl Write, origin: &Origin) -> io::Result<()> {
    let text = serde_json::to_vec(origin)?;
    out.write_all(MAGIC)?;
    out.write_all(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes())?;
    out.write_all(&text)
}

/// Appends a game.
///
/// # Errors
/// If the output does.
pub fn write_game(out: &mut impl Write, game: &StoredGame) -> io::Result<()> {
    let mut body = Vec::with_capacity(FIXED + 4 * game.plies.len());
    body.extend(game.number.to_le_bytes());
    body.extend(game.last_key.to_le_bytes());
    body.push(game.random_plies);
    body.extend(game.result.to_le_bytes());
    for ply in &game.plies {
        body.extend(ply.tag.to_le_bytes());
        body.extend(ply.score.to_le_bytes());
    }
    // One write for the whole record: an interrupted one is seen by its length.
    let mut record = Vec::with_capacity(body.len() + 8);
    record.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    record.extend(crc32fast::hash(&body).to_le_bytes());
    record.extend(body);
    out.write_all(&record)
}

/// Reads a body whose length was checked.
fn decode(body: &[u8]) -> StoredGame {
    let (fixed, plies) = body.split_at(FIXED);
    StoredGame {
        number: u32_at(fixed, 0),
        last_key: u32_at(fixed, 4),
        random_plies: fixed[8],
        result: i8::from_le_bytes([fixed[9]]),
        plies: plies
            .chunks_exact(4)
            .map(|ply| StoredPly {
                tag: u16::from_le_bytes([ply[0], ply[1]]),
                score: i16::from_le_bytes([ply[2], ply[3]]),
            })
            .collect(),
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.iter().skip(at).take(4).rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

/// Fills the buffer as far as the input goes.
fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Origin, Vec<StoredGame>, Vec<u8>) {
        let origin = Origin {
            variant: "makruk".into(),
            rule_set: "standard".into(),
            options: vec!["Repetition=off".into()],
            nodes: 500,
            random_plies: 8,
            seed: 7,
        };
        let games: Vec<_> = (0..3_u32)
            .map(|number| StoredGame {
                number,
                last_key: 0xdead_beef ^ number,
                random_plies: 8,
                result: i8::try_from(number).unwrap() - 1,
                plies: (0..number * 2)
                    .map(|i| StoredPly { tag: 0xff00 | i as u16, score: NO_SCORE + i as i16 })
                    .collect(),
            })
            .collect();
        let mut file = Vec::new();
        write_header(&mut file, &origin).unwrap();
        for game in &games {
            write_game(&mut file, game).unwrap();
        }
        (origin, games, file)
    }

    fn read_all(bytes: &[u8]) -> (Vec<StoredGame>, u64, Option<GamesError>) {
        let mut file = match GameFile::open(bytes) {
            Ok(file) => file,
            Err(error) => return (Vec::new(), 0, Some(error)),
        };
        let mut games = Vec::new();
        loop {
            match file.next_game() {
                Ok(Some(game)) => games.push(game),
                Ok(None) => return (games, file.offset(), None),
                Err(error) => return (games, file.offset(), Some(error)),
            }
        }
    }

    #[test]
    fn games_come_back() {
        let (origin, games, bytes) = sample();
        assert_eq!(GameFile::open(&bytes[..]).unwrap().origin(), &origin);
        let (read, offset, error) = read_all(&bytes);
        assert_eq!((read, offset), (games, bytes.len() as u64));
        assert!(error.is_none());
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let (_, games, bytes) = sample();
        let sound: Vec<u64> = {
            let mut file = GameFile::open(&bytes[..]).unwrap();
            let mut ends = vec![file.offset()];
            while file.next_game().unwrap().is_some() {
                ends.push(file.offset());
            }
            ends
        };
        for cut in 0..bytes.len() {
            let (read, offset, error) = read_all(&bytes[..cut]);
            assert_eq!(read, games[..read.len()]);
            assert_eq!(error.is_none(), sound.contains(&(cut as u64)), "{cut}");
            assert!(offset == 0 || sound.contains(&offset));
        }
        for bit in sound[0] as usize * 8..bytes.len() * 8 {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let (read, offset, error) = read_all(&bad);
            assert!(error.is_some(), "{bit}");
            assert_eq!(read, games[..read.len()]);
            assert_eq!(offset, sound[read.len()]);
        }
    }
}
