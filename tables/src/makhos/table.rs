//! An open database of a class.

use std::path::Path;

use movegen::makhos::Board;
use movegen::{LoneKings, MakhosRules, Position as _, QuietReset, Removal};

use super::class::{Class, Slice};
use super::library::{CODEC, captures_value, sets_of};
use super::numbering::{Numbering, Sets};
use crate::blocks::{BlockFile, Blocks};
use crate::file::TableFile;
use crate::{FileFault, TableError, Value};

pub(super) const GAME: &str = "makhos";
/// What the bytes mean: one a position, by slice.
pub(super) const ENCODING: &str = "plies, quiet positions";

/// The name that files give to their rules.
pub(super) const fn rules_name(removal: Removal) -> &'static str {
    match removal {
        Removal::Immediate => "standard",
        Removal::After => "removal after the move",
    }
}

/// The name of the file of a class, without its folder.
pub fn file_name(class: Class, removal: Removal) -> String {
    let rules = match removal {
        Removal::Immediate => "",
        Removal::After => "-after",
    };
    format!("{GAME}{rules}-{class}.{}", crate::EXTENSION)
}

/// The class and the rules of a file, if it is what its name says.
pub(super) fn check(file: &TableFile) -> Result<(Class, Removal), TableError> {
    let header = file.header();
    let misnamed = || TableError::Fault {
        path: file.path().to_path_buf(),
        fault: FileFault::Misnamed { found: format!("{} of {}", header.class, header.game) },
    };
    let class = Class::parse(&header.class).map_err(|_| misnamed())?;
    let removal = [Removal::Immediate, Removal::After]
        .into_iter()
        .find(|&removal| rules_name(removal) == header.rules)
        .ok_or_else(misnamed)?;
    let name = file_name(class, removal);
    let len: usize = class.slices().map(|slice| Numbering::new(slice).len()).sum();
    let fits = header.game == GAME
        && header.encoding == ENCODING
        && header.bytes == len as u64
        && file.path().file_name() == Path::new(&name).file_name();
    if fits { Ok((class, removal)) } else { Err(misnamed()) }
}

/// An open database.
#[derive(Debug)]
pub(crate) struct MakhosTable {
    pub(crate) file: BlockFile,
    class: Class,
    removal: Removal,
    /// The numbers of each slice and where they begin in the file.
    slices: Vec<(Numbering, u64)>,
}

impl MakhosTable {
    /// The database in a file.
    pub(crate) fn new(file: TableFile, blocks: &Blocks) -> Result<Self, TableError> {
        let (class, removal) = check(&file)?;
        let mut start = 0;
        let slices = class
            .slices()
            .map(|slice| {
                let numbering = Numbering::new(slice);
                let begin = start;
                start += numbering.len() as u64;
                (numbering, begin)
            })
            .collect();
        Ok(Self { file: blocks.add(file), class, removal, slices })
    }

    pub(crate) fn class(&self) -> Class {
        self.class
    }

    pub(crate) fn removal(&self) -> Removal {
        self.removal
    }

    /// The position at a place of the file.
    pub(crate) fn board(&self, at: u64) -> Option<Board> {
        let rules = MakhosRules { removal: self.removal, ..MakhosRules::STANDARD };
        let (numbering, start) = self.slices.iter().rev().find(|(_, start)| *start <= at)?;
        let sets = numbering.sets(usize::try_from(at - start).ok()?)?;
        super::library::board_of(&sets, rules)
    }

    /// The value of a position in which the mover need not capture.
    fn quiet_value(&self, blocks: &Blocks, side: usize, sets: &Sets) -> Option<Value> {
        let (numbering, start) = self.slices.get(side)?;
        let code = blocks.byte(&self.file, start + numbering.index(sets) as u64)?;
        CODEC.decode(code)
    }
}

/// Whether the results hold under these rules; those for when captured pieces leave are asked for
/// apart.
pub(super) fn hold_under(rules: &MakhosRules) -> bool {
    let quiet = rules.quiet_plies == 0 || u32::from(rules.quiet_plies) >= super::QUIET_PLIES;
    quiet
        && (rules.reverse || rules.removal == Removal::After)
        && (rules.quiet_plies == 0 || rules.quiet_reset == QuietReset::CaptureOrMan)
        && rules.lone_kings != LoneKings::Draw
}

/// Looks a position up; where the mover must capture, the positions after his captures.
pub(super) fn value<'a>(
    find: &impl Fn(Slice) -> Option<(&'a MakhosTable, usize)>,
    blocks: &Blocks,
    board: &Board,
) -> Option<Value> {
    let us = board.side_to_move();
    if board.pieces(us) == 0 {
        return Some(Value::Loss(0));
    }
    if board.can_capture(us) {
        return captures_value(board, |sets| {
            let next = super::library::board_of(sets, *board.rules())?;
            value(find, blocks, &next)
        });
    }
    let sets = sets_of(board);
    let (table, side) = find(sets.slice())?;
    table.quiet_value(blocks, side, &sets)
}
