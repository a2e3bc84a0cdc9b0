//! Records from files: of self-play games, or of records made before.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use engine::datagen::games::{GameFile, GamesError, NO_SCORE, StoredGame};
use engine::datagen::{ReplayError, keeps, replay};
use engine::dispatch::GameRules;
use engine::game_args::GameArgs;
use movegen::chess::{AseanBoard, MakrukBoard, MakrukStraightBoard};
use movegen::{PawnCapture, RuleSet, Variant, makhos};
use search::eval::nnue::Features;

use crate::checkpoint::replace_file;
use crate::dataset::{Builder, Dataset};
use crate::error::TrainerError;
use crate::features::Decoder;
use crate::record::{Label, Record};

/// Adds the games of files to a dataset. Returns warnings: files that end in the middle of a game,
/// because they are still being written or were cut off.
///
/// # Errors
/// If a file cannot be read, is of another game, or its games contradict its rules.
pub fn add_files(
    builder: &mut Builder,
    variant: Variant,
    files: &[PathBuf],
) -> Result<Vec<String>, TrainerError> {
    let mut warnings = Vec::new();
    for path in files {
        warnings.extend(add_file(builder, variant, path)?);
    }
    Ok(warnings)
}

fn add_file(
    builder: &mut Builder,
    variant: Variant,
    path: &Path,
) -> Result<Option<String>, TrainerError> {
    let fault = |error| TrainerError::Games { path: path.to_owned(), error };
    let input = File::open(path).map_err(TrainerError::file(path))?;
    let mut file = GameFile::open(BufReader::new(input)).map_err(fault)?;
    let rules = rules_of(&file, path)?;
    if rules.variant() != variant {
        return Err(TrainerError::WrongGame {
            path: path.to_owned(),
            found: rules.variant().name().to_owned(),
            wanted: variant.name(),
        });
    }
    loop {
        let game = match file.next_game() {
            Ok(Some(game)) => game,
            Ok(None) => return Ok(None),
            Err(error @ GamesError::Record { .. }) => {
                let warning = format!("{}: {error}; the games before it are used", path.display());
                return Ok(Some(warning));
            }
            Err(error) => return Err(fault(error)),
        };
        match rules {
            GameRules::Makruk(rules) if rules.pawn_capture == PawnCapture::Straight => {
                add_game::<MakrukStraightBoard>(builder, &game, rules)
            }
            GameRules::Makruk(rules) => add_game::<MakrukBoard>(builder, &game, rules),
            GameRules::Asean(rules) => add_game::<AseanBoard>(builder, &game, rules),
            GameRules::Makhos(rules) => add_game::<makhos::Board>(builder, &game, rules),
        }
        .map_err(|error| TrainerError::Replay { path: path.to_owned(), error })?;
    }
}

/// The rules that the games of a file were played by.
fn rules_of<R: Read>(file: &GameFile<R>, path: &Path) -> Result<GameRules, TrainerError> {
    let origin = file.origin();
    let unknown = |fault: String| TrainerError::Rules { path: path.to_owned(), fault };
    let variant = Variant::parse(&origin.variant)
        .ok_or_else(|| unknown(format!("there is no game '{}'", origin.variant)))?;
    let rule_set = RuleSet::parse(&origin.rule_set)
        .ok_or_else(|| unknown(format!("there is no rule set '{}'", origin.rule_set)))?;
    let args = GameArgs { variant, rule_set: Some(rule_set), options: origin.options.clone() };
    Ok(args.settings().map_err(unknown)?.game_rules())
}

/// Adds a game's quiet positions.
fn add_game<P: Features>(
    builder: &mut Builder,
    game: &StoredGame,
    rules: P::Rules,
) -> Result<(), ReplayError> {
    let mut kept = Vec::new();
    replay::<P>(game, rules, |position, m, score, ply| {
        if score == NO_SCORE || !keeps(position, m, score.into(), ply) {
            return;
        }
        let mover = position.side_to_move();
        let label = Label {
            mover,
            score,
            result: if mover == movegen::Color::White { game.result } else { -game.result },
            remaining: position.countdown().remaining,
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
        };
        if let Some(record) = Record::new(position.planes().as_ref(), label) {
            kept.push((record, position.key()));
        }
    })?;
    builder.add_game(identity(game), game.plies.len(), &kept);
    Ok(())
}

/// A number that stands for the moves of a game.
fn identity(game: &StoredGame) -> u64 {
    game.plies.iter().fold(0xCBF2_9CE4_8422_2325, |hash, ply| {
        (hash ^ u64::from(ply.tag)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

const MAGIC: &[u8; 8] = b"HNRECS01";
/// Bytes of a record file before its records.
const HEADER: usize = MAGIC.len() + 8 + 16;

/// Whether a file begins like a file of records.
///
/// # Errors
/// If it cannot be read.
pub fn is_record_file(path: &Path) -> Result<bool, TrainerError> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(TrainerError::file(path))?;
    file.take(MAGIC.len() as u64).read_to_end(&mut start).map_err(TrainerError::file(path))?;
    Ok(start == MAGIC)
}

/// Writes a dataset: the magic, the game's name in 8 bytes, the numbers of records to train on and
/// held out in 8 bytes each, the records, and the dataset's [fingerprint](Dataset::fingerprint) in 4
/// bytes. All numbers are little-endian.
///
/// # Errors
/// If the file cannot be written.
pub fn write_records(path: &Path, dataset: &Dataset) -> Result<(), TrainerError> {
    let Dataset { variant, training, held_out } = dataset;
    let size = HEADER + Record::BYTES * (training.len() + held_out.len()) + 4;
    let mut bytes = Vec::with_capacity(size);
    bytes.extend(MAGIC);
    bytes.extend(padded_name(*variant));
    bytes.extend((training.len() as u64).to_le_bytes());
    bytes.extend((held_out.len() as u64).to_le_bytes());
    for record in training.iter().chain(held_out) {
        bytes.extend(record.to_bytes());
    }
    bytes.extend(dataset.fingerprint().to_le_bytes());
    replace_file(path, &bytes)
}

fn padded_name(variant: Variant) -> [u8; 8] {
    let mut name = [0; 8];
    for (slot, letter) in name.iter_mut().zip(variant.name().bytes()) {
        *slot = letter;
    }
    name
}

/// Reads a dataset.
///
/// # Errors
/// If the file cannot be read, is damaged, or of another game.
pub fn read_records(path: &Path, variant: Variant) -> Result<Dataset, TrainerError> {
    let bytes = fs::read(path).map_err(TrainerError::file(path))?;
    let damaged = |fault| TrainerError::Damaged { path: path.to_owned(), fault };
    const CUT: &str = "the file of records is cut off";
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("this is no file of records"))?;
    let (name, rest) = rest.split_first_chunk().ok_or_else(|| damaged(CUT))?;
    if *name != padded_name(variant) {
        return Err(TrainerError::WrongGame {
            path: path.to_owned(),
            found: String::from_utf8_lossy(name).trim_end_matches('\0').to_owned(),
            wanted: variant.name(),
        });
    }
    let (training, rest) = rest.split_first_chunk().ok_or_else(|| damaged(CUT))?;
    let (held_out, rest) = rest.split_first_chunk().ok_or_else(|| damaged(CUT))?;
    let (records, checksum) = rest.split_last_chunk().ok_or_else(|| damaged(CUT))?;
    let (records, cut) = records.as_chunks();
    let counts = [*training, *held_out].map(u64::from_le_bytes);
    if !cut.is_empty() || u64::checked_add(counts[0], counts[1]) != Some(records.len() as u64) {
        return Err(damaged("the file of records has another length than it says"));
    }
    let shape = Decoder::of(variant).shape();
    let parse = |bytes: &[u8; Record::BYTES]| {
        Record::from_bytes(bytes, 2 * shape.kinds, shape.squares)
            .filter(|record| record.men_count() <= shape.max_men)
            .ok_or_else(|| damaged("a record is no position of the game"))
    };
    let (training, held_out) = records.split_at(records.len() - counts[1] as usize);
    let dataset = Dataset {
        variant,
        training: training.iter().map(parse).collect::<Result<_, _>>()?,
        held_out: held_out.iter().map(parse).collect::<Result<_, _>>()?,
    };
    if dataset.fingerprint().to_le_bytes() != *checksum {
        return Err(damaged("the checksum of the records is wrong"));
    }
    Ok(dataset)
}
