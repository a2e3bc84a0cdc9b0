//! Files of tables: a header in words, then the values in compressed blocks that are read one by one.
//!
//! All numbers are little-endian.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `HNTABLE1` |
//! | 4 | format, 1 |
//! | 4 | length of the header |
//! | 4 | CRC-32 of the header |
//! | n | the [`Header`] as JSON |
//! | 8 each | blocks: compressed length, CRC-32 of the compressed bytes |
//! | 4 | CRC-32 of these lengths and sums |
//! | rest | the blocks, each a deflate stream |

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{FileFault, TableError, Value};

const MAGIC: &[u8; 8] = b"HNTABLE1";
const FORMAT: u32 = 1;
/// Bytes before the header.
const PREFIX: usize = 20;
/// Longer headers are not ours.
const MAX_HEADER: usize = 1 << 16;
/// Bytes of the largest block that is read.
const MAX_BLOCK: u32 = 1 << 24;
/// Most blocks of a file: more than any table that this program makes has.
const MAX_BLOCKS: u64 = 1 << 28;

/// What a file says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// `makruk`, `asean` or `makhos`; `chess` for what both chess games share.
    pub game: String,
    /// The rules that the results hold under: the name of a rule set, or `any`.
    pub rules: String,
    /// The class.
    pub class: String,
    /// What the bytes mean: a name that only the code that made them understands.
    pub encoding: String,
    /// Bytes of all blocks before compression.
    pub bytes: u64,
    /// Bytes of a block before compression; the last one may be shorter.
    pub block: u32,
    /// What is in it, for people.
    pub summary: Summary,
}

/// Numbers about a table. Positions that are mirror images count once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// White to move, and Black to move.
    pub sides: [SideSummary; 2],
}

/// Numbers about the positions of a table with one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SideSummary {
    /// Legal positions.
    pub positions: u64,
    /// Of these, won for the mover.
    pub wins: u64,
    /// Of these, lost for the mover.
    pub losses: u64,
    /// Plies of the longest win.
    pub longest_win: u16,
    /// Plies of the longest loss.
    pub longest_loss: u16,
}

impl SideSummary {
    /// Adds so many positions of a value.
    pub(crate) fn add(&mut self, value: Value, number: u64) {
        if number == 0 {
            return;
        }
        self.positions += number;
        match value {
            Value::Win(plies) => {
                self.wins += number;
                self.longest_win = self.longest_win.max(plies);
            }
            Value::Loss(plies) => {
                self.losses += number;
                self.longest_loss = self.longest_loss.max(plies);
            }
            Value::Draw => {}
        }
    }
}

impl Header {
    fn blocks(&self) -> u64 {
        self.bytes.div_ceil(u64::from(self.block.max(1)))
    }

    /// Bytes of a block before compression.
    fn block_len(&self, block: u64) -> usize {
        let block_len = u64::from(self.block);
        usize::try_from(self.bytes.saturating_sub(block * block_len).min(block_len)).unwrap_or(0)
    }
}

/// An open file, or one that is part of the program.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    header: Header,
    source: Source,
    /// Where each block begins, and where the last one ends.
    offsets: Vec<u64>,
    sums: Vec<u32>,
}

#[derive(Debug)]
enum Source {
    File(File),
    Memory(&'static [u8]),
}

impl Source {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File(file) => read_exact_at(file, bytes, offset),
            Self::Memory(memory) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let part = memory.get(start..).and_then(|rest| rest.get(..bytes.len()));
                bytes.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

impl TableFile {
    /// Opens a file and reads all but its blocks.
    ///
    /// # Errors
    /// If it cannot be read, or is no sound table.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let error = |error| TableError::File { path: path.to_path_buf(), error };
        let file = File::open(path).map_err(error)?;
        let len = file.metadata().map_err(error)?.len();
        Self::read(path, Source::File(file), len)
    }

    /// A table that is part of the program, under the name of the file that it would be.
    ///
    /// # Errors
    /// If it is no sound table.
    pub fn embedded(name: &str, bytes: &'static [u8]) -> Result<Self, TableError> {
        Self::read(Path::new(name), Source::Memory(bytes), bytes.len() as u64)
    }

    fn read(path: &Path, source: Source, len: u64) -> Result<Self, TableError> {
        let fault = |fault| TableError::Fault { path: path.to_path_buf(), fault };
        let read = |offset: u64, bytes: &mut [u8]| {
            source.read_at(offset, bytes).map_err(|error| {
                if error.kind() == io::ErrorKind::UnexpectedEof {
                    fault(FileFault::Truncated)
                } else {
                    TableError::File { path: path.to_path_buf(), error }
                }
            })
        };
        let mut prefix = [0; PREFIX];
        // A short file of other contents is foreign rather than cut off.
        let known = prefix.len().min(usize::try_from(len).unwrap_or(PREFIX));
        read(0, &mut prefix[..known])?;
        if !prefix.starts_with(MAGIC) {
            return Err(fault(FileFault::Foreign));
        }
        if known < PREFIX {
            return Err(fault(FileFault::Truncated));
        }
        let number = |at: usize| {
            let bytes = [prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]];
            u32::from_le_bytes(bytes)
        };
        if number(8) != FORMAT {
            return Err(fault(FileFault::Format { found: number(8), known: FORMAT }));
        }
        let damaged = |what: &str| fault(FileFault::Damaged { what: what.to_owned() });
        let header_len = number(12) as usize;
        if header_len > MAX_HEADER {
            return Err(damaged("header"));
        }
        let mut text = vec![0; header_len];
        read(PREFIX as u64, &mut text)?;
        if crc32fast::hash(&text) != number(16) {
            return Err(damaged("header"));
        }
        let header: Header = serde_json::from_slice(&text).map_err(|_| damaged("header"))?;
        if header.block == 0 || header.block > MAX_BLOCK {
            return Err(damaged("header"));
        }
        let blocks = header.blocks();
        if blocks > MAX_BLOCKS || blocks * 8 > len {
            return Err(fault(FileFault::Truncated));
        }
        let mut table = vec![0; usize::try_from(blocks * 8 + 4).unwrap_or(0)];
        let table_at = (PREFIX + header_len) as u64;
        read(table_at, &mut table)?;
        let (entries, sum) = table.split_at(table.len().saturating_sub(4));
        if sum != crc32fast::hash(entries).to_le_bytes() {
            return Err(damaged("list of blocks"));
        }
        let mut offset = table_at + table.len() as u64;
        let mut offsets = vec![offset];
        let mut sums = Vec::new();
        for entry in entries.chunks_exact(8) {
            let half =
                |i: usize| u32::from_le_bytes([entry[i], entry[i + 1], entry[i + 2], entry[i + 3]]);
            offset += u64::from(half(0));
            offsets.push(offset);
            sums.push(half(4));
        }
        if offset > len {
            return Err(fault(FileFault::Truncated));
        }
        Ok(Self { path: path.to_path_buf(), header, source, offsets, sums })
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the whole file.
    pub fn size(&self) -> u64 {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> u64 {
        self.sums.len() as u64
    }

    /// Reads a block and unpacks it.
    ///
    /// # Errors
    /// If it cannot be read, or has changed since it was written.
    pub fn read_block(&self, block: u64) -> Result<Vec<u8>, TableError> {
        let damaged = || TableError::Fault {
            path: self.path.clone(),
            fault: FileFault::Damaged { what: format!("block {block}") },
        };
        let i = usize::try_from(block).map_err(|_| damaged())?;
        let (Some(&[start, end]), Some(&sum)) =
            (self.offsets.get(i..).and_then(|rest| rest.first_chunk()), self.sums.get(i))
        else {
            return Err(damaged());
        };
        let mut packed = vec![0; usize::try_from(end - start).map_err(|_| damaged())?];
        self.source
            .read_at(start, &mut packed)
            .map_err(|error| TableError::File { path: self.path.clone(), error })?;
        if crc32fast::hash(&packed) != sum {
            return Err(damaged());
        }
        let len = self.header.block_len(block);
        let mut bytes = Vec::with_capacity(len);
        // One byte more than wanted shows a block that is too long.
        let read =
            DeflateDecoder::new(packed.as_slice()).take(len as u64 + 1).read_to_end(&mut bytes);
        if read.is_err() || bytes.len() != len {
            return Err(damaged());
        }
        Ok(bytes)
    }
}

/// Writes a table: first beside its place, then into it, so that a half-written file never bears the
/// name of a whole one. `block` gives the bytes of a block by its number.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    path: &Path,
    header: &Header,
    block: impl Fn(u64, usize) -> Vec<u8> + Sync,
) -> Result<(), TableError> {
    let partial = path.with_extension("partial");
    let result = write_partial(&partial, header, block)
        .and_then(|()| fs::rename(&partial, path))
        .map_err(|error| TableError::File { path: path.to_path_buf(), error });
    if result.is_err() {
        let _ = fs::remove_file(&partial);
    }
    result
}

fn write_partial(
    path: &Path,
    header: &Header,
    block: impl Fn(u64, usize) -> Vec<u8> + Sync,
) -> io::Result<()> {
    let packed: Vec<Vec<u8>> = (0..header.blocks())
        .into_par_iter()
        .map(|number| {
            let bytes = block(number, header.block_len(number));
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
            encoder.write_all(&bytes)?;
            encoder.finish()
        })
        .collect::<io::Result<_>>()?;
    let text = serde_json::to_vec(header)?;
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(MAGIC)?;
    out.write_all(&FORMAT.to_le_bytes())?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&crc32fast::hash(&text).to_le_bytes())?;
    out.write_all(&text)?;
    let mut entries = Vec::with_capacity(packed.len() * 8);
    for bytes in &packed {
        entries.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        entries.extend_from_slice(&crc32fast::hash(bytes).to_le_bytes());
    }
    out.write_all(&entries)?;
    out.write_all(&crc32fast::hash(&entries).to_le_bytes())?;
    for bytes in &packed {
        out.write_all(bytes)?;
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// How hard blocks are packed.
const LEVEL: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn header(bytes: u64) -> Header {
        Header {
            game: "makruk".to_owned(),
            rules: "standard".to_owned(),
            class: "KRvKP".to_owned(),
            encoding: "test".to_owned(),
            bytes,
            block: 1000,
            summary: Summary::default(),
        }
    }

    fn content(number: u64, len: usize) -> Vec<u8> {
        (0..len).map(|i| (i as u64 / 7 + number) as u8).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let dir = std::env::temp_dir().join(format!("hanuman-table-file-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let path = dir.join("t.table");
        write(&path, &header(2500), content).unwrap();
        let file = TableFile::open(&path).unwrap();
        assert_eq!(file.header(), &header(2500));
        assert_eq!(file.blocks(), 3);
        for block in 0..3 {
            let len = if block == 2 { 500 } else { 1000 };
            assert_eq!(file.read_block(block).unwrap(), content(block, len));
        }
        assert!(file.read_block(3).is_err());

        // Every byte matters, and so does every missing one.
        let whole = fs::read(&path).unwrap();
        assert_eq!(file.size(), whole.len() as u64);
        let sound = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            TableFile::open(&path)
                .is_ok_and(|file| (0..file.blocks()).all(|block| file.read_block(block).is_ok()))
        };
        assert!(sound(&whole));
        for i in 0..whole.len() {
            let mut changed = whole.clone();
            changed[i] ^= 0x10;
            assert!(!sound(&changed), "byte {i}");
            assert!(!sound(&whole[..i]), "cut at {i}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
