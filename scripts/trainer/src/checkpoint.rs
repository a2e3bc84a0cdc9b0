//! The state of a run on disk, so that it can go on after a kill.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `HNTRAIN1` |
//! | 4 | length of the text |
//! | n | [`State`] as JSON |
//! | 4 x 3p | parameters, first moments, second moments |
//! | 4 | CRC-32 of everything before it |
//!
//! All numbers are little-endian.

use std::fs;
use std::path::Path;

use movegen::Variant;
use serde::{Deserialize, Serialize};

use crate::error::TrainerError;
use crate::model::{Layout, Model};
use crate::optimizer::AdamW;
use crate::run::{Row, Settings};

const MAGIC: &[u8; 8] = b"HNTRAIN1";

/// What a checkpoint says beside the numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// Name of the game.
    pub variant: String,
    /// Settings of the run.
    pub settings: Settings,
    /// Checksum of its dataset.
    pub dataset: u32,
    /// Checksum of the network that it began with, if it did not begin with random weights.
    pub init: Option<u32>,
    /// Description of the data, for people.
    pub data: String,
    /// Steps done.
    pub steps: u64,
    /// Records visited.
    pub visited: u64,
    /// Losses of the superbatches done.
    pub rows: Vec<Row>,
}

/// A checkpoint that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// What it says beside the numbers.
    pub state: State,
    /// The model.
    pub model: Model,
    /// The optimiser.
    pub optimizer: AdamW,
}

/// Writes a file in such a way that a kill leaves either the old or the new one.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), TrainerError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    fs::write(&new, bytes).map_err(TrainerError::file(&new))?;
    fs::rename(&new, path).map_err(TrainerError::file(path))
}

/// Writes a checkpoint.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    path: &Path,
    state: &State,
    model: &Model,
    optimizer: &AdamW,
) -> Result<(), TrainerError> {
    let text = serde_json::to_vec(state)
        .map_err(|error| TrainerError::File { path: path.to_owned(), error: error.into() })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(text);
    let (first, second) = optimizer.moments();
    for numbers in [model.values(), first, second] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    replace_file(path, &bytes)
}

/// Reads a checkpoint.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Checkpoint, TrainerError> {
    let bytes = fs::read(path).map_err(TrainerError::file(path))?;
    let damaged = |fault| TrainerError::Damaged { path: path.to_owned(), fault };
    parse(&bytes).map_err(damaged)
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, &'static str> {
    const CUT: &str = "the checkpoint is cut off";
    let rest = bytes.strip_prefix(MAGIC).ok_or("this is no checkpoint")?;
    let (_, checksum) = bytes.split_last_chunk().ok_or(CUT)?;
    if crc32fast::hash(&bytes[..bytes.len() - checksum.len()]) != u32::from_le_bytes(*checksum) {
        return Err("the checksum of the checkpoint is wrong");
    }
    let (length, rest) = rest.split_first_chunk().ok_or(CUT)?;
    let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(CUT)?;
    let state: State = serde_json::from_slice(text).map_err(|_| "its settings are unknown")?;
    let variant = Variant::parse(&state.variant).ok_or("its game is unknown")?;
    let layout = Layout::new(variant, state.settings.hidden);
    let (numbers, _) = rest.as_chunks();
    let mut lists = numbers.chunks_exact(layout.parameters().max(1));
    let mut list = || {
        lists.next().map(|list| list.iter().copied().map(f32::from_le_bytes).collect()).ok_or(CUT)
    };
    let (values, first, second) = (list()?, list()?, list()?);
    let model = Model::from_values(layout, values).ok_or(CUT)?;
    let optimizer = AdamW::from_state(state.settings.decay, state.steps, first, second);
    Ok(Checkpoint { model, optimizer: optimizer.ok_or(CUT)?, state })
}
