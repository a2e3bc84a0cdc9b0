//! Lines of position files: FENs, or EPDs with their operations.

/// A line of a position file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The position as a FEN; `hmvc` and `fmvn` have become its last two fields.
    pub fen: String,
    /// The `id` operation, without its quotes.
    pub id: Option<String>,
    /// Number of the line in its file, from 1; `None` if the position came from elsewhere.
    pub number: Option<usize>,
}

/// Reads a line, `number` of its file if it stands in one; `None` if it is blank or a comment (`#`).
pub fn parse_line(line: &str, number: Option<usize>) -> Option<Line> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    // Operations begin at the first word after the side to move that starts like a name.
    let starts_operation =
        |word: &&str| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
    // What begins with no board is no position at all and comes back whole, in the complaint.
    let is_position = words.first().is_some_and(|board| board.contains(['/', ':']));
    let fields = words.iter().skip(1).position(starts_operation).filter(|_| is_position);
    let Some(fields) = fields.map(|at| at + 1) else {
        return Some(Line { fen: line.trim_end_matches([';', ' ']).to_owned(), id: None, number });
    };
    let (fields, operations) = words.split_at(fields);
    let operations = operations.join(" ");
    let mut fen = fields.join(" ").trim_end_matches([';', ' ']).to_owned();
    if fields.len() == 4 {
        let count = operand(&operations, "hmvc").unwrap_or("0");
        let number = operand(&operations, "fmvn").unwrap_or("1");
        fen = format!("{fen} {count} {number}");
    }
    let id = operand(&operations, "id").map(|id| id.trim_matches('"').to_owned());
    Some(Line { fen, id, number })
}

/// The operand of an operation. A semicolon inside quotes ends none.
fn operand<'a>(operations: &'a str, name: &str) -> Option<&'a str> {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    operations.split(ends).find_map(|operation| {
        let (word, operand) = operation.trim().split_once(' ')?;
        (word == name).then(|| operand.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_become_fields_or_an_id() {
        for (line, fen, id) in [
            ("8/8/8 w - 0", "8/8/8 w - 0", None),
            ("8/8/8 w - 16 15 60", "8/8/8 w - 16 15 60", None),
            ("8/8/8 w 0 1", "8/8/8 w 0 1", None),
            ("8/8/8 w - 16 hmvc 15; fmvn 60;", "8/8/8 w - 16 15 60", None),
            (r#"8/8/8 w - - id "a; b"; bm e3e4;"#, "8/8/8 w - - 0 1", Some("a; b")),
            ("8/8/8 w - - 0 1; bm e3e4;", "8/8/8 w - - 0 1", None),
            ("8/8/8 w - - 0 1 ;", "8/8/8 w - - 0 1", None),
            ("hello world this is no fen", "hello world this is no fen", None),
            ("W:Wa1:Bb8", "W:Wa1:Bb8", None),
            (r#"W:Wa1:Bb8 id "x";"#, "W:Wa1:Bb8", Some("x")),
        ] {
            let expected = Line { fen: fen.to_owned(), id: id.map(str::to_owned), number: Some(7) };
            assert_eq!(parse_line(line, Some(7)), Some(expected), "{line}");
        }
        for line in ["", "  \t", "# a comment", "\u{feff}"] {
            assert_eq!(parse_line(line, Some(7)), None);
        }
    }
}
