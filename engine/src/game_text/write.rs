//! Writing games.

use std::fmt::{self, Write as _};

use super::Game;

/// Longest line of move text.
const LINE: usize = 80;

impl fmt::Display for Game {
    /// The game, with an empty line at its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "[{name} \"{}\"]", escape(value))?;
        }
        writeln!(f)?;
        let mut words = Words::default();
        words.push_comment(&self.comment);
        let mut number_due = true;
        for (i, m) in self.moves.iter().enumerate() {
            let ply = i + usize::from(self.second_begins);
            let number = u64::from(self.first_number) + ply as u64 / 2;
            if ply.is_multiple_of(2) {
                words.push(&format!("{number}."));
            } else if number_due {
                words.push(&format!("{number}..."));
            }
            words.push(&m.text);
            for nag in &m.nags {
                words.push(&format!("${nag}"));
            }
            words.push_comment(&m.comment);
            for variation in &m.variations {
                words.push_all(&format!("({})", plain(variation)));
            }
            number_due = !m.variations.is_empty();
        }
        words.push(&self.result);
        writeln!(f, "{}", words.text)?;
        writeln!(f)
    }
}

/// Words in lines of limited length.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
}

impl Words {
    fn push(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            // At the beginning of a line these would be a tag and an escape.
            let bound = word.starts_with(['[', '%']);
            if self.column + 1 + length > LINE && !bound {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn push_all(&mut self, text: &str) {
        text.split(' ').filter(|word| !word.is_empty()).for_each(|word| self.push(word));
    }

    /// A comment must not contain the brace that ends it.
    fn push_comment(&mut self, comment: &str) {
        let comment = plain(comment).replace(['{', '}'], "|");
        if !comment.trim().is_empty() {
            self.push_all(&format!("{{{}}}", comment.trim()));
        }
    }
}

/// A tag value: no control characters, quotes and backslashes marked.
fn escape(value: &str) -> String {
    plain(value).replace('\\', "\\\\").replace('"', "\\\"")
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A comment as engines and cutechess write it: `+0.34/12 0.11s`.
pub(crate) fn thought(score: Option<(&str, u32)>, seconds: f64) -> String {
    let time = if seconds < 1.0 { format!("{seconds:.3}s") } else { format!("{seconds:.2}s") };
    let mut text = String::new();
    if let Some((score, depth)) = score {
        let _ = write!(text, "{score}/{depth} ");
    }
    text + &time
}
