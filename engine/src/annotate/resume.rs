//! What an interrupted run has written already.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::AnnotateError;
use super::output::{JSON_LINE, JSON_SOURCE, LINE_TAG, SOURCE_TAG};

/// The line in `source` of the last of its games that was written whole to `path`; 0 if there is none.
/// If the file ends within a game that such a run was writing, that is cut off.
///
/// # Errors
/// If the file cannot be read or cut, or holds games of the other kind (JSON, game files).
pub(super) fn last_line(path: &Path, source: &str, json: bool) -> Result<usize, AnnotateError> {
    let fault = |error| AnnotateError::File { path: path.to_owned(), error };
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(fault(error)),
    };
    let begins_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let empty = bytes.iter().all(u8::is_ascii_whitespace);
    if !empty && begins_json != json {
        let (there, wanted) = if json { ("no JSON", "JSON") } else { ("JSON", "games") };
        let text = format!("{} holds {there}; {wanted} cannot be added to it", path.display());
        return Err(AnnotateError::Argument(text));
    }
    let Written { whole, line, ours } =
        if json { in_json(&bytes, source) } else { in_games(&bytes, source) };
    if ours && whole < bytes.len() {
        fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut file| file.set_len(whole as u64).and_then(|()| file.flush()))
            .map_err(fault)?;
    }
    Ok(line)
}

/// What a file holds.
#[derive(PartialEq, Eq, Debug)]
struct Written {
    /// Bytes of whole games.
    whole: usize,
    /// Line of the last game of the source.
    line: usize,
    /// What comes after the whole games is half a game of such a run.
    ours: bool,
}

fn in_json(bytes: &[u8], source: &str) -> Written {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let objects = bytes[..whole].split(|&byte| byte == b'\n');
    let objects = objects.filter_map(|row| serde_json::from_slice::<serde_json::Value>(row).ok());
    let lines = objects.filter(|object| object[JSON_SOURCE] == *source);
    let line = lines.filter_map(|object| object[JSON_LINE].as_u64()).max().unwrap_or(0);
    let ours = bytes[whole..].starts_with(b"{\"game\":");
    Written { whole, line: usize::try_from(line).unwrap_or(0), ours }
}

/// A game ends with an empty line after its moves.
fn in_games(bytes: &[u8], source: &str) -> Written {
    let mut written = Written { whole: 0, line: 0, ours: false };
    let (mut at, mut in_moves) = (0, false);
    let (mut its_source, mut its_line) = (String::new(), 0);
    for row in bytes.split_inclusive(|&byte| byte == b'\n') {
        at += row.len();
        let text = String::from_utf8_lossy(row);
        let text = text.trim();
        let value = |tag: &str| {
            let rest = text.strip_prefix('[')?.strip_prefix(tag)?.strip_prefix(" \"")?;
            rest.strip_suffix("\"]").map(str::to_owned)
        };
        if !in_moves && let Some(source) = value(SOURCE_TAG) {
            its_source = source;
        }
        if !in_moves && let Some(line) = value(LINE_TAG) {
            its_line = line.parse().unwrap_or(0);
        }
        in_moves |= !text.is_empty() && !text.starts_with('[');
        if in_moves && text.is_empty() && row.ends_with(b"\n") {
            written.whole = at;
            if its_source == source {
                written.line = written.line.max(its_line);
            }
            (its_source, its_line, in_moves) = (String::new(), 0, false);
        }
    }
    // Only games of such a run have these tags.
    written.ours = its_line > 0;
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_game_of_ours_is_cut_off_and_nothing_else() {
        let games = |text: &str| in_games(text.as_bytes(), "a.pgn");
        let written = |whole, line, ours| Written { whole, line, ours };
        let whole =
            "[Event \"x\"]\n[Source \"a.pgn\"]\n[SourceLine \"7\"]\n\n1. e4 {[%eval 1]\n[x]} *\n\n";
        assert_eq!(games(whole), written(whole.len(), 7, false));
        let torn =
            format!("{whole}[Event \"y\"]\n[Source \"a.pgn\"]\n[SourceLine \"20\"]\n\n1. e4 e5");
        assert_eq!(games(&torn), written(whole.len(), 7, true));
        assert_eq!(games(&format!("{torn}\n\n")).line, 20);
        // Games of another source, and of people.
        let other = whole.replace("a.pgn", "b.pgn");
        assert_eq!(games(&other), written(other.len(), 0, false));
        let people = format!("{whole}[Event \"mine\"]\n\n1. e4 e5 *");
        assert_eq!(games(&people), written(whole.len(), 7, false));
        assert_eq!(games("my shopping list\nmilk"), written(0, 0, false));
        assert_eq!(games(""), written(0, 0, false));
        let json = "{\"game\":1,\"source\":\"a.pgn\",\"line\":3}\n{\"game\":2,\"sour";
        assert_eq!(
            in_json(json.as_bytes(), "a.pgn"),
            written(json.find('\n').unwrap() + 1, 3, true)
        );
        assert_eq!(in_json(json.as_bytes(), "b.pgn").line, 0);
    }
}
