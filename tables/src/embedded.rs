//! The tables inside the program: all with three men, and of the others those that take little room.

use std::sync::{Arc, OnceLock};

use crate::Tables;
use crate::file::TableFile;

macro_rules! embedded {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../embedded/", $name)))),*]
    };
}

/// Names and contents, as `scripts/embed_tables.sh` has put them there.
static FILES: &[(&str, &[u8])] = include!("../embedded/list.rs");

/// The tables inside the program. All callers share one set.
pub fn built_in() -> Arc<Tables> {
    static TABLES: OnceLock<Arc<Tables>> = OnceLock::new();
    Arc::clone(TABLES.get_or_init(|| {
        let mut tables = Tables::empty();
        add_built_in(&mut tables);
        Arc::new(tables)
    }))
}

/// Adds the tables inside the program, where there is none of their class yet.
pub(crate) fn add_built_in(tables: &mut Tables) {
    for &(name, bytes) in FILES {
        // Each of them is sound: see the test.
        let _ = TableFile::embedded(name, bytes).and_then(|file| tables.add(file));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_table_is_sound_and_in_use() {
        let tables = built_in();
        assert_eq!(tables.files().count(), FILES.len());
        for file in tables.files() {
            for block in 0..file.blocks() {
                assert!(file.read_block(block).is_ok(), "{} {block}", file.path().display());
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/embedded");
        let names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "list.rs")
            .collect();
        assert_eq!(names.len(), FILES.len());
        for name in names {
            assert!(FILES.iter().any(|&(listed, _)| listed == name), "{name}");
        }
    }
}
