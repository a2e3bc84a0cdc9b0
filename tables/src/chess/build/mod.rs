//! Making tables: retrograde analysis, class by class.

mod grid;
mod survey;

use std::path::Path;

use movegen::chess::{Asean, Makruk, PieceType};
use movegen::{ChessRules, Variant};

use self::grid::Grid;
use super::class::Class;
use super::table::{self, Family, file_name};
use crate::file::{self, Header, TableFile};
use crate::{TableError, Tables, Watch};

/// Bytes of a block: small enough to be unpacked in passing, large enough to be packed well.
const BLOCK: u32 = 1 << 15;

/// A table to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Which games it serves.
    pub family: Family,
    /// The class.
    pub class: Class,
}

impl Plan {
    /// The table of a class in a game.
    ///
    /// # Errors
    /// If no such table can be made.
    pub fn new(class: Class, variant: Variant) -> Result<Self, TableError> {
        let not_made = |reason| TableError::NotMade { name: class.to_string(), reason };
        let family = Family::of(&class, variant)
            .ok_or_else(|| not_made("Makhos has no classes of this kind"))?;
        Ok(Self { family, class })
    }

    /// The tables that this one is made from.
    fn needs(&self) -> Vec<Self> {
        let variant = if self.family == Family::Asean { Variant::Asean } else { Variant::Makruk };
        let promotions: &[PieceType] = self.family.promotions();
        let classes = self.class.successors(promotions).into_iter();
        classes
            .filter_map(|class| Family::of(&class, variant).map(|family| Self { family, class }))
            .collect()
    }

    /// These tables and all that they are made from, in an order in which they can be made.
    pub fn with_needs(wanted: &[Self]) -> Vec<Self> {
        fn add(plan: &Plan, order: &mut Vec<Plan>) {
            if !order.contains(plan) {
                for needed in plan.needs() {
                    add(&needed, order);
                }
                order.push(plan.clone());
            }
        }
        let mut order = Vec::new();
        for plan in wanted {
            add(plan, &mut order);
        }
        order
    }

    /// Name of the file.
    pub fn file_name(&self) -> String {
        file_name(self.family, &self.class)
    }

    /// Places for positions, both sides to move.
    pub fn positions(&self) -> u64 {
        2 * self.family.layout(&self.class).len() as u64
    }

    /// Bytes of memory that making it takes, its file apart.
    pub fn memory(&self) -> u64 {
        let positions = self.family.layout(&self.class).len() as u64;
        // A value for each side to move, and the moves left of the sides that can lose.
        positions * if self.class.is_bare() { 3 } else { 4 }
    }
}

/// Makes a table and puts its file into `folder`. `tables` holds those that it is made from (see
/// [`Plan::with_needs`]).
///
/// # Errors
/// If a table is missing, the work is stopped, or the file cannot be written.
pub fn build(
    plan: &Plan,
    tables: &Tables,
    folder: &Path,
    watch: &Watch<'_>,
) -> Result<TableFile, TableError> {
    match plan.family {
        Family::Chess | Family::Makruk => build_in::<Makruk>(plan, tables, folder, watch),
        Family::Asean => build_in::<Asean>(plan, tables, folder, watch),
    }
}

fn build_in<R: movegen::chess::Rules>(
    plan: &Plan,
    tables: &Tables,
    folder: &Path,
    watch: &Watch<'_>,
) -> Result<TableFile, TableError> {
    let mut grid = Grid::<R>::new(plan, tables, ChessRules::STANDARD);
    grid.solve(watch)?;
    let header = Header {
        game: plan.family.name().to_owned(),
        rules: plan.family.rules().to_owned(),
        class: plan.class.to_string(),
        encoding: table::ENCODING.to_owned(),
        bytes: 2 * grid.len() as u64,
        block: BLOCK,
        summary: grid.summary(),
    };
    let path = folder.join(plan.file_name());
    file::write(&path, &header, |block, len| grid.bytes(block * u64::from(BLOCK), len))?;
    TableFile::open(&path)
}
