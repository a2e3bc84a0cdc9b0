//! Files that games are appended to.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that games are appended to.
#[derive(Debug)]
pub struct GameFile(File);

impl GameFile {
    /// Opens a file without touching what it holds; a last line without an end gets one, so that
    /// an interrupted writer spoils no more than its own game.
    ///
    /// # Errors
    /// If it cannot be opened, read or written.
    pub fn append(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        if length > 0 {
            file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            let missing: &[u8] = match tail.as_slice() {
                b"\n\n" => b"",
                [.., b'\n'] => b"\n",
                _ => b"\n\n",
            };
            file.write_all(missing)?;
        }
        Ok(Self(file))
    }

    /// Appends one game in a single write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())?;
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appending_to_a_torn_file() {
        let path = std::env::temp_dir().join(format!("hanuman-append-{}.pgn", std::process::id()));
        std::fs::write(&path, "[Event \"x\"]\n1. d4").unwrap();
        GameFile::append(&path).unwrap().write("second\n\n").unwrap();
        GameFile::append(&path).unwrap().write("third\n\n").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text, "[Event \"x\"]\n1. d4\n\nsecond\n\nthird\n\n");
    }
}
