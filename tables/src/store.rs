//! A set of open tables.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use movegen::Variant;

use crate::blocks::Blocks;
use crate::chess::ChessTable;
use crate::chess::signatures;
use crate::embedded::add_built_in;
use crate::file::TableFile;
use crate::makhos::{Key, MakhosTable};
use crate::{EXTENSION, TableError};

/// Bytes of unpacked blocks that are kept.
const CACHE_BYTES: usize = 64 << 20;

/// Which table a signature belongs to, and whether the board must be turned for it.
type ChessIndex = HashMap<u32, (usize, bool)>;

/// A set of open tables. Looking positions up needs no more than a shared reference, so threads
/// can share a set.
#[derive(Debug)]
pub struct Tables {
    pub(crate) blocks: Blocks,
    pub(crate) chess: Vec<ChessTable>,
    pub(crate) makruk: ChessIndex,
    pub(crate) asean: ChessIndex,
    /// Most men of any chess table.
    pub(crate) chess_men: usize,
    pub(crate) makhos: Vec<MakhosTable>,
    pub(crate) makhos_index: HashMap<Key, usize>,
    /// Most pieces of any Makhos database.
    pub(crate) makhos_pieces: usize,
}

impl Default for Tables {
    fn default() -> Self {
        Self::empty()
    }
}

impl Tables {
    /// No table.
    pub fn empty() -> Self {
        Self {
            blocks: Blocks::new(CACHE_BYTES),
            chess: Vec::new(),
            makruk: ChessIndex::new(),
            asean: ChessIndex::new(),
            chess_men: 0,
            makhos: Vec::new(),
            makhos_index: HashMap::new(),
            makhos_pieces: 0,
        }
    }

    /// Opens all tables in these folders, and those inside the program; a class that is found twice
    /// is taken from the first. What could not be read is named and left out.
    pub fn open(folders: &[PathBuf]) -> (Self, Vec<TableError>) {
        let (mut tables, faults) = Self::open_files(folders);
        add_built_in(&mut tables);
        (tables, faults)
    }

    /// As [`Tables::open`], without those inside the program.
    pub fn open_files(folders: &[PathBuf]) -> (Self, Vec<TableError>) {
        let mut tables = Self::empty();
        let mut faults = Vec::new();
        for folder in folders {
            match table_files(folder) {
                Ok(files) => {
                    for path in files {
                        faults.extend(TableFile::open(&path).and_then(|f| tables.add(f)).err());
                    }
                }
                Err(error) => faults.push(TableError::File { path: folder.clone(), error }),
            }
        }
        (tables, faults)
    }

    /// Adds a table; one of a class that is there already is not added.
    ///
    /// # Errors
    /// If the file is no table of a known class, or not the one that its name says.
    pub fn add(&mut self, file: TableFile) -> Result<(), TableError> {
        if file.header().game == Variant::Makhos.name() {
            return self.add_makhos(file);
        }
        let table = ChessTable::new(file, &self.blocks)?;
        let number = self.chess.len();
        let [as_it_is, exchanged] = signatures(table.class());
        let mut added = false;
        for (variant, index) in
            [(Variant::Makruk, &mut self.makruk), (Variant::Asean, &mut self.asean)]
        {
            if table.family().serves(variant) && !index.contains_key(&as_it_is) {
                index.insert(exchanged, (number, true));
                index.insert(as_it_is, (number, false));
                added = true;
            }
        }
        if added {
            self.chess_men = self.chess_men.max(table.class().men());
            self.chess.push(table);
        }
        Ok(())
    }

    fn add_makhos(&mut self, file: TableFile) -> Result<(), TableError> {
        let table = MakhosTable::new(file, &self.blocks)?;
        if let Entry::Vacant(place) = self.makhos_index.entry((table.class(), table.removal())) {
            place.insert(self.makhos.len());
            self.makhos_pieces = self.makhos_pieces.max(table.class().pieces());
            self.makhos.push(table);
        }
        Ok(())
    }

    /// The files that are open.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        let chess = self.chess.iter().map(|table| table.file.file());
        chess.chain(self.makhos.iter().map(|table| table.file.file()))
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.chess.is_empty() && self.makhos.is_empty()
    }

    /// Faults that have come up while positions were looked up, since the last call.
    pub fn take_faults(&self) -> Vec<TableError> {
        self.blocks.take_faults()
    }
}

/// The table files of a folder, by name.
fn table_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
