//! Which tables are open: the option `TablePath`.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use tables::{TableError, Tables, built_in};

/// The value of `TablePath` for the tables inside the program alone.
pub const BUILT_IN: &str = "<built-in>";
/// The value of `TablePath` for no table at all.
pub const NONE: &str = "none";

/// As [`open`], with what could not be read named on standard error.
///
/// # Errors
/// If nothing can be written there.
pub fn open_aloud(value: &str) -> io::Result<Arc<Tables>> {
    let (tables, faults) = open(value);
    for fault in faults {
        writeln!(io::stderr(), "hanuman: {fault}")?;
    }
    Ok(tables)
}

/// The tables that a value of `TablePath` stands for (one folder or several, parted as in the
/// system's search paths; those inside the program come on top), and what could not be read.
pub fn open(value: &str) -> (Arc<Tables>, Vec<TableError>) {
    if value.is_empty() || value.eq_ignore_ascii_case(BUILT_IN) {
        return (built_in(), Vec::new());
    }
    if value.eq_ignore_ascii_case(NONE) {
        return (Arc::new(Tables::empty()), Vec::new());
    }
    let folders: Vec<PathBuf> =
        env::split_paths(value).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let (tables, faults) = Tables::open(&folders);
    (Arc::new(tables), faults)
}
