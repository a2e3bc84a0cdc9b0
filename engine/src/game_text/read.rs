//! Reading games.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _};

use thiserror::Error;

use super::{Game, Move, RESULTS};

/// Longest game in bytes; what is longer is none.
const MAX_GAME: usize = 4 << 20;
/// Variations inside variations beyond this are not read.
const MAX_NESTING: usize = 100;

/// What is wrong with the form of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct Fault {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads the games of a file one after another.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// Number of the line that comes next, from 1.
    next: usize,
    /// A line that was read too early: the first one of the next game.
    held: Option<String>,
    /// Games that stood together and have been read.
    ready: VecDeque<Result<Game, Fault>>,
}

/// Lines that belong together, and the number of the first one.
type Block = Result<(usize, Vec<String>), Fault>;

impl<R: BufRead> Reader<R> {
    /// The games of `source`.
    pub fn new(source: R) -> Self {
        Self { source, next: 1, held: None, ready: VecDeque::new() }
    }

    /// A line without its end. Bytes that are no UTF-8 are replaced.
    fn line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.held.take() {
            self.next += 1;
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let mut source = io::Read::by_ref(&mut self.source).take(MAX_GAME as u64);
        if source.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = if self.next == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        self.next += 1;
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// The lines up to the next tag after moves, and the number of the first one; or what is wrong
    /// with them.
    fn lines(&mut self) -> io::Result<Option<Block>> {
        let mut lines = Vec::new();
        let (mut first, mut bytes) = (self.next, 0);
        // A tag after moves begins another game; inside a comment it is none.
        let (mut moves, mut braces) = (false, false);
        while let Some(line) = self.line()? {
            let trimmed = line.trim();
            // Escapes are for other programs, and remarks before a game are about none.
            if !braces && (line.starts_with('%') || !moves && trimmed.starts_with(';')) {
                lines.push(String::new());
                continue;
            }
            if lines.iter().all(String::is_empty) && trimmed.is_empty() {
                lines.clear();
                first = self.next;
                continue;
            }
            if trimmed.starts_with('[') && moves && !braces {
                self.next -= 1;
                self.held = Some(line);
                break;
            }
            if !trimmed.is_empty() && (!trimmed.starts_with('[') || braces) {
                moves = true;
                braces = open_brace(&line, braces);
            }
            bytes += line.len();
            // The rest is read, but not kept.
            if bytes <= MAX_GAME {
                lines.push(line);
            }
        }
        if bytes > MAX_GAME {
            let what = format!("a game of more than {MAX_GAME} bytes");
            return Ok(Some(Err(Fault { line: first, what })));
        }
        let any = lines.iter().any(|line| !line.is_empty());
        Ok(any.then_some(Ok((first, lines))))
    }
}

/// Whether a comment in braces is open after a line.
fn open_brace(line: &str, mut open: bool) -> bool {
    for c in line.chars() {
        match c {
            '{' => open = true,
            '}' => open = false,
            ';' if !open => break,
            _ => {}
        }
    }
    open
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Result<Game, Fault>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(game) = self.ready.pop_front() {
            return Some(Ok(game));
        }
        match self.lines() {
            Ok(Some(Ok((first, lines)))) => {
                self.ready = parse(first, &lines);
                self.ready.pop_front().map(Ok)
            }
            Ok(Some(Err(fault))) => Some(Ok(Err(fault))),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// A mark of the movetext.
enum Token {
    Comment(String),
    /// The words between brackets.
    Variation(String),
    Word(String),
}

/// The games of these lines: one, or more if they have no tags. A fault ends them.
fn parse(first: usize, lines: &[String]) -> VecDeque<Result<Game, Fault>> {
    let mut games = VecDeque::new();
    if let Err(fault) = parse_into(first, lines, &mut games) {
        games.push_back(Err(fault));
    }
    games
}

fn parse_into(
    first: usize,
    lines: &[String],
    games: &mut VecDeque<Result<Game, Fault>>,
) -> Result<(), Fault> {
    let mut reading = Reading::at(first);
    let tags = lines.iter().take_while(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with('[')
    });
    let tag_lines = tags.count();
    for (i, line) in lines.iter().take(tag_lines).enumerate() {
        if !line.trim().is_empty() {
            let what = || Fault { line: first + i, what: format!("no tag: {}", cut(line)) };
            read_tags(line, &mut reading.game.tags).ok_or_else(what)?;
        }
    }
    for (line, token) in tokens(first + tag_lines, &lines[tag_lines..])? {
        match token {
            Token::Comment(text) => {
                let game = &mut reading.game;
                let place = game.moves.last_mut().map_or(&mut game.comment, |m| &mut m.comment);
                if !place.is_empty() {
                    place.push(' ');
                }
                place.push_str(&text);
            }
            Token::Variation(text) => match reading.game.moves.last_mut() {
                Some(m) => m.variations.push(text),
                None => return Err(Fault { line, what: "a variation before any move".to_owned() }),
            },
            Token::Word(word) => {
                // After the result only another game can follow.
                if !reading.game.result.is_empty() {
                    let done = std::mem::replace(&mut reading, Reading::at(line));
                    games.push_back(Ok(done.finish()));
                }
                reading
                    .word(&word)
                    .ok_or_else(|| Fault { line, what: format!("'{}' is no move", cut(&word)) })?;
            }
        }
    }
    games.push_back(Ok(reading.finish()));
    Ok(())
}

/// Tags of a line: usually one.
fn read_tags(line: &str, tags: &mut Vec<(String, String)>) -> Option<()> {
    let mut rest = line.trim();
    while !rest.is_empty() {
        rest = rest.strip_prefix('[')?.trim_start();
        let end = rest.find(|c: char| c.is_whitespace() || c == '"')?;
        let (name, after) = rest.split_at(end);
        let mut letters = after.trim_start().strip_prefix('"')?.char_indices();
        let text = after.trim_start().strip_prefix('"')?;
        let mut value = String::new();
        let close = loop {
            match letters.next()? {
                (at, '"') => break at,
                (_, '\\') => value.push(letters.next()?.1),
                (_, c) => value.push(c),
            }
        };
        rest = text[close + 1..].trim_start().strip_prefix(']')?.trim_start();
        if name.is_empty() {
            return None;
        }
        tags.push((name.to_owned(), value));
    }
    Some(())
}

/// Splits the movetext, with the number of the line of each token.
fn tokens(first: usize, lines: &[String]) -> Result<Vec<(usize, Token)>, Fault> {
    let mut tokens = Vec::new();
    let mut comment: Option<(usize, String)> = None;
    let mut variation: Option<(usize, usize, String)> = None;
    for (line, number) in lines.iter().zip(first..) {
        // An escape for other programs.
        if line.starts_with('%') && comment.is_none() {
            continue;
        }
        let mut rest = line.as_str();
        if let Some((_, text)) = &mut comment {
            text.push(' ');
        }
        if let Some((_, _, text)) = &mut variation {
            text.push(' ');
        }
        while let Some(c) = rest.chars().next() {
            let after = &rest[c.len_utf8()..];
            if let Some((_, text)) = &mut comment {
                if c == '}' {
                    let text = std::mem::take(text).trim().to_owned();
                    comment = None;
                    match &mut variation {
                        Some((_, _, into)) => into.push_str(&format!("{{{text}}}")),
                        None => tokens.push((number, Token::Comment(text))),
                    }
                } else {
                    text.push(c);
                }
                rest = after;
                continue;
            }
            match (c, &mut variation) {
                ('{', _) => comment = Some((number, String::new())),
                (';', into) => {
                    let text = after.trim().to_owned();
                    match into {
                        // A brace would end it.
                        Some((_, _, into)) => {
                            into.push_str(&format!("{{{}}}", text.replace(['{', '}'], "|")));
                        }
                        None => tokens.push((number, Token::Comment(text))),
                    }
                    break;
                }
                ('(', Some((_, depth, text))) => {
                    *depth += 1;
                    if *depth > MAX_NESTING {
                        let what = "too many variations inside each other".to_owned();
                        return Err(Fault { line: number, what });
                    }
                    text.push('(');
                }
                ('(', None) => variation = Some((number, 1, String::new())),
                (')', Some((_, depth, text))) => {
                    *depth -= 1;
                    if *depth == 0 {
                        let words: Vec<&str> = text.split_whitespace().collect();
                        tokens.push((number, Token::Variation(words.join(" "))));
                        variation = None;
                    } else {
                        text.push(')');
                    }
                }
                (')', None) => {
                    return Err(Fault { line: number, what: "a bracket too many".to_owned() });
                }
                (c, Some((_, _, text))) => text.push(c),
                (c, None) if c.is_whitespace() => {}
                (_, None) => {
                    let ends = |c: char| c.is_whitespace() || "{}();".contains(c);
                    let end = rest.find(ends).unwrap_or(rest.len()).max(c.len_utf8());
                    tokens.push((number, Token::Word(rest[..end].to_owned())));
                    rest = &rest[end..];
                    continue;
                }
            }
            rest = after;
        }
    }
    if let Some((line, _)) = comment {
        return Err(Fault { line, what: "a comment without an end".to_owned() });
    }
    if let Some((line, ..)) = variation {
        return Err(Fault { line, what: "a variation without an end".to_owned() });
    }
    Ok(tokens)
}

/// A game as far as it has been read.
struct Reading {
    game: Game,
    /// The number of the first move has been read.
    numbered: bool,
}

impl Reading {
    fn at(line: usize) -> Self {
        Self { game: Game { line, first_number: 1, ..Game::default() }, numbered: false }
    }

    /// A game without a result has the one of its tag; the first number of one without numbers is
    /// that of its start position.
    fn finish(self) -> Game {
        let Self { mut game, numbered } = self;
        if game.result.is_empty() {
            let told = game.tag("Result").and_then(result_of);
            game.result = told.unwrap_or("*").to_owned();
        }
        if !numbered && let Some(fen) = game.tag("FEN") {
            let mut fields = fen.split_whitespace();
            let second = fields.clone().nth(1) == Some("b");
            let number = fields.next_back().and_then(|text| text.parse().ok());
            (game.second_begins, game.first_number) = (second, number.unwrap_or(1).max(1));
        }
        game
    }

    /// Takes a number before the first move: `12`, and how many points follow.
    fn number(&mut self, digits: &str, points: usize) -> Option<()> {
        if !self.game.moves.is_empty() {
            return Some(());
        }
        if !digits.is_empty() {
            self.game.first_number = digits.parse().ok()?;
            self.numbered = true;
        }
        self.game.second_begins |= points > 1;
        Some(())
    }

    /// A move number, a move, a mark or the result. `None` if it is none of these.
    fn word(&mut self, word: &str) -> Option<()> {
        if let Some(result) = result_of(word) {
            result.clone_into(&mut self.game.result);
            return Some(());
        }
        if let Some(digits) = word.strip_prefix('$') {
            let nag = digits.parse().ok()?;
            self.game.moves.last_mut()?.nags.push(nag);
            return Some(());
        }
        // `12.`, `12...`, `12.e4`, `12` or `...`
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = word.split_at(digits);
        let rest = after.trim_start_matches('.');
        let points = after.len() - rest.len();
        let rest = if points > 0 || after.is_empty() {
            self.number(number, points)?;
            rest
        } else {
            word
        };
        if rest.is_empty() {
            return Some(());
        }
        let text = rest.trim_end_matches(['!', '?']);
        if let Some(result) = result_of(text) {
            result.clone_into(&mut self.game.result);
            return Some(());
        }
        let nag = match &rest[text.len()..] {
            "" => None,
            "!" => Some(1),
            "?" => Some(2),
            "!!" => Some(3),
            "??" => Some(4),
            "!?" => Some(5),
            "?!" => Some(6),
            _ => return None,
        };
        if text.is_empty() {
            self.game.moves.last_mut()?.nags.extend(nag);
            return Some(());
        }
        // Judgements such as `+-` and `=`, which mean nothing to anyone else.
        if !text.contains(char::is_alphanumeric) && text.chars().all(|c| "+-=/~".contains(c)) {
            return Some(());
        }
        // A bare number would be read as that of a move once it is written.
        let digits_alone = text.bytes().all(|byte| byte.is_ascii_digit());
        let in_moves = |c: char| c.is_alphanumeric() || "-:=+#~".contains(c);
        if digits_alone || !text.starts_with(char::is_alphanumeric) || !text.chars().all(in_moves) {
            return None;
        }
        let text = text.to_owned();
        let nags = nag.into_iter().collect();
        self.game.moves.push(Move { text, nags, ..Move::default() });
        Some(())
    }
}

fn result_of(word: &str) -> Option<&'static str> {
    RESULTS.iter().find(|(text, _)| *text == word).map(|&(_, result)| result)
}

fn cut(text: &str) -> String {
    crate::report::one_line(text, 40)
}
