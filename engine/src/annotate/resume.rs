//! What an interrupted run has written already.

use std::fs;
use std::io;
use std::path::Path;

use super::output::{JSON_LINE, LINE_TAG};

/// The line in the source of the last game that was written whole to `path`; 0 if there is none. What
/// comes after it, a half-written game, is cut off.
///
/// # Errors
/// If the file cannot be read or cut.
pub(super) fn last_line(path: &Path, json: bool) -> io::Result<usize> {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let (whole, line) = if json { last_of_json(&text) } else { last_of_games(&text) };
    if whole < text.len() {
        fs::OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(line)
}

/// Bytes of whole objects, and the line of the last one.
fn last_of_json(text: &str) -> (usize, usize) {
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let last = text[..whole].lines().next_back().unwrap_or_default();
    let object: serde_json::Value = serde_json::from_str(last).unwrap_or_default();
    (whole, object[JSON_LINE].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0))
}

/// Bytes of whole games, and the line of the last one. A game ends with an empty line after its moves.
fn last_of_games(text: &str) -> (usize, usize) {
    let (mut whole, mut line) = (0, 0);
    let (mut at, mut found, mut in_moves) = (0, 0, false);
    for row in text.split_inclusive('\n') {
        at += row.len();
        let content = row.trim();
        let tag = content.strip_prefix('[').and_then(|rest| rest.strip_prefix(LINE_TAG));
        if let Some(value) = tag.filter(|_| !in_moves) {
            found = value.trim_matches([' ', '"', ']']).parse().unwrap_or(0);
        }
        in_moves |= !content.is_empty() && !content.starts_with('[');
        if in_moves && content.is_empty() && row.ends_with('\n') {
            (whole, line, in_moves) = (at, found, false);
        }
    }
    (whole, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_game_is_cut_off() {
        let whole = "[Event \"x\"]\n[SourceLine \"7\"]\n\n1. e4 {[%eval 1]\n[x]} *\n\n";
        assert_eq!(last_of_games(whole), (whole.len(), 7));
        let torn = format!("{whole}[Event \"y\"]\n[SourceLine \"20\"]\n\n1. e4 e5");
        assert_eq!(last_of_games(&torn), (whole.len(), 7));
        assert_eq!(last_of_games(&format!("{torn}\n")), (whole.len(), 7));
        assert_eq!(last_of_games(&format!("{torn}\n\n")).1, 20);
        assert_eq!(last_of_games(""), (0, 0));
        assert_eq!(last_of_json("{\"line\":3}\n{\"line\":9"), (11, 3));
        assert_eq!(last_of_json(""), (0, 0));
    }
}
