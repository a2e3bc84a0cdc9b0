//! Lines of input from a thread of their own, so that the command loop can wait for several
//! things at once.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;

/// Longest line in bytes: a game of three million moves. What is longer is dropped, not kept.
pub const MAX_LINE: usize = 16 << 20;

/// What came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line without its end. Bytes that are no UTF-8 are replaced.
    Line(String),
    /// A line longer than [`MAX_LINE`].
    TooLong,
    /// The end of the input.
    End,
}

/// Reads `source` on a new thread and hands every line, and at last the end, to `deliver`, until
/// `deliver` returns `false`.
///
/// # Errors
/// If no thread can be started.
pub fn read_lines(
    source: impl Read + Send + 'static,
    mut deliver: impl FnMut(Input) -> bool + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new().name("input".into()).spawn(move || {
        let mut reader = BufReader::new(source);
        let mut first = true;
        loop {
            let input = match next_line(&mut reader) {
                Ok(Some(Input::Line(line))) if first => {
                    // Windows editors put a byte order mark at the start of a script.
                    Input::Line(line.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(line))
                }
                Ok(Some(input)) => input,
                Ok(None) | Err(_) => Input::End,
            };
            first = false;
            let at_end = input == Input::End;
            if !deliver(input) || at_end {
                break;
            }
        }
    })?;
    Ok(())
}

/// The next line; `None` at the end.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Input>> {
    let mut bytes = Vec::new();
    let limit = MAX_LINE as u64 + 1;
    if reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    } else if bytes.len() > MAX_LINE {
        skip_line(reader)?;
        return Ok(Some(Input::TooLong));
    }
    Ok(Some(Input::Line(String::from_utf8_lossy(&bytes).into_owned())))
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn lines_of(bytes: Vec<u8>) -> Vec<Input> {
        let (send, receive) = mpsc::channel();
        read_lines(io::Cursor::new(bytes), move |input| send.send(input).is_ok()).unwrap();
        receive.iter().collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn line_ends_of_all_systems_are_understood() {
        assert_eq!(
            lines_of(b"\xEF\xBB\xBFuci\r\n\nquit".to_vec()),
            [line("uci"), line(""), line("quit"), Input::End]
        );
        assert_eq!(lines_of(Vec::new()), [Input::End]);
    }

    #[test]
    fn bytes_that_are_no_text_are_survived() {
        let inputs = lines_of(b"go \xFF\xFE\0\nquit\n".to_vec());
        assert_eq!(inputs[0], line("go \u{fffd}\u{fffd}\0"));
        assert_eq!(inputs[1..], [line("quit"), Input::End]);
    }

    #[test]
    fn a_line_of_any_length_costs_no_more_than_the_limit() {
        let mut bytes = vec![b'x'; MAX_LINE];
        bytes.push(b'\n');
        assert_eq!(lines_of(bytes.clone()).len(), 2);
        bytes.splice(0..0, [b'x'; 100]);
        bytes.extend(b"isready\n");
        assert_eq!(lines_of(bytes), [Input::TooLong, line("isready"), Input::End]);
    }
}
