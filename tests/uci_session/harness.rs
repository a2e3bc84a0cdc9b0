//! A small harness that talks to the real program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes that ends at all, on the slowest machine that runs the tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A running program and what it has said.
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything said so far.
    pub(crate) transcript: Vec<String>,
}

/// What one `go` brought.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Lines before the best move.
    pub(crate) before: Vec<String>,
    /// The best move.
    pub(crate) best: String,
    /// The expected reply.
    pub(crate) ponder: Option<String>,
}

impl Answer {
    /// The `info string` lines, without these words.
    pub(crate) fn notes(&self) -> Vec<&str> {
        notes(&self.before)
    }

    /// The `info depth` lines with an exact score.
    pub(crate) fn exact_infos(&self) -> Vec<&str> {
        let exact = |line: &&str| {
            line.starts_with("info depth ")
                && line.contains(" score ")
                && !line.contains("lowerbound")
                && !line.contains("upperbound")
        };
        self.before.iter().map(String::as_str).filter(exact).collect()
    }

    /// The last exact line.
    pub(crate) fn last_info(&self) -> &str {
        self.exact_infos().last().copied().unwrap_or_else(|| panic!("no exact info: {self:?}"))
    }

    /// The score of the last exact line, as `cp 31` or `mate 2`.
    pub(crate) fn score(&self) -> String {
        words_after(self.last_info(), "score", 2)
    }
}

/// The `n` words after `keyword`.
pub(crate) fn words_after(line: &str, keyword: &str, n: usize) -> String {
    let words: Vec<&str> = line.split(' ').skip_while(|word| *word != keyword).skip(1).collect();
    words[..n.min(words.len())].join(" ")
}

/// The `info string` lines among these, without these words.
pub(crate) fn notes(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

/// The program, ready to be started with arguments.
pub(crate) fn hanuman() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hanuman"))
}

impl Engine {
    /// The program without arguments, nothing sent yet.
    pub(crate) fn start() -> Self {
        let mut child = hanuman()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if line.is_err() || send.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, transcript: Vec::new() }
    }

    /// The program after the handshake, set to a game.
    pub(crate) fn playing(variant: &str) -> Self {
        let mut engine = Self::start();
        engine.send("uci");
        engine.wait_for("uciok");
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine.sync();
        engine
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends anything.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Ends the input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    fn next_line(&mut self, patience: Duration) -> Result<String, RecvTimeoutError> {
        let line = self.lines.recv_timeout(patience)?;
        self.transcript.push(line.clone());
        Ok(line)
    }

    /// The lines up to the first that begins with `prefix`, that one included.
    pub(crate) fn wait_for(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            match self.next_line(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    seen.push(line);
                    if seen.last().unwrap().starts_with(prefix) {
                        return seen;
                    }
                }
                Err(error) => panic!("no '{prefix}' ({error}) after {:#?}", self.transcript),
            }
        }
    }

    /// Everything said until the program has dealt with all that was sent (no search running).
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.wait_for("readyok");
        lines.pop();
        lines
    }

    /// What is said within this time.
    pub(crate) fn listen(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut seen = Vec::new();
        while let Ok(line) = self.next_line(deadline.saturating_duration_since(Instant::now())) {
            seen.push(line);
        }
        seen
    }

    /// Listens a while and fails if a best move is said.
    pub(crate) fn expect_no_answer(&mut self, time: Duration) {
        let seen = self.listen(time);
        assert!(!seen.iter().any(|line| line.starts_with("bestmove")), "answered: {seen:#?}");
    }

    /// Sends a `go` line and waits for the best move.
    pub(crate) fn go(&mut self, line: &str) -> Answer {
        self.send(line);
        self.answer()
    }

    /// Waits for the best move.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut before = self.wait_for("bestmove ");
        let last = before.pop().unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        let ponder = match words[..] {
            ["bestmove", _] => None,
            ["bestmove", _, "ponder", reply] => Some(reply.to_owned()),
            _ => panic!("malformed: {last}"),
        };
        Answer { before, best: words[1].to_owned(), ponder }
    }

    /// Sends a command that is answered at once and returns its lines.
    pub(crate) fn ask(&mut self, line: &str) -> Vec<String> {
        self.sync();
        self.send(line);
        self.sync()
    }

    /// A line of the answer to `d`, without its name.
    pub(crate) fn shown(&mut self, name: &str) -> String {
        let lines = self.ask("d");
        let line = lines.iter().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no '{name}' in {lines:#?}")).trim().to_owned()
    }

    /// The FEN of the current position.
    pub(crate) fn fen(&mut self) -> String {
        self.shown("Fen:")
    }

    /// The result of the game.
    pub(crate) fn result(&mut self) -> String {
        self.shown("Result:")
    }

    /// The legal moves of the current position, by perft.
    pub(crate) fn legal_moves(&mut self) -> Vec<String> {
        self.sync();
        self.send("go perft 1");
        let mut lines = self.wait_for("Nodes searched: ");
        let total = lines.pop().unwrap();
        assert_eq!(lines.pop().as_deref(), Some(""));
        let moves: Vec<String> =
            lines.iter().map(|line| line.strip_suffix(": 1").unwrap().to_owned()).collect();
        assert_eq!(total, format!("Nodes searched: {}", moves.len()));
        moves
    }

    /// Waits for the program to end and returns how it ended and what it said before.
    pub(crate) fn wait_exit(mut self) -> (ExitStatus, Vec<String>) {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("it does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        let rest = self.listen(Duration::from_secs(5));
        (status, rest)
    }

    /// Ends the input, waits for the end and returns everything said since.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.close_input();
        let (status, lines) = self.wait_exit();
        assert!(status.success(), "{status}");
        lines
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Number of best moves among the lines.
pub(crate) fn answers(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

/// Fails unless the line is one that UCI knows.
pub(crate) fn assert_uci_line(line: &str) {
    let known = ["id ", "option ", "info ", "bestmove "];
    assert!(
        matches!(line, "uciok" | "readyok") || known.iter().any(|start| line.starts_with(start)),
        "'{line}'"
    );
    assert_eq!(line.trim(), line, "blanks at the ends of '{line}'");
    assert!(line.is_ascii(), "'{line}'");
}

/// Fails unless the line is a well-formed `info` line of a search, all numbers whole.
pub(crate) fn assert_search_info(line: &str) {
    let mut words = line.split(' ').peekable();
    assert_eq!(words.next(), Some("info"));
    while let Some(word) = words.next() {
        match word {
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time"
            | "currmovenumber" => {
                let number = words.next().unwrap();
                assert!(number.parse::<u64>().is_ok(), "{word} {number} in '{line}'");
            }
            "score" => {
                assert!(matches!(words.next(), Some("cp" | "mate")), "'{line}'");
                assert!(words.next().unwrap().parse::<i32>().is_ok(), "'{line}'");
            }
            "lowerbound" | "upperbound" => {}
            "wdl" => {
                let sum: u32 = (0..3).map(|_| words.next().unwrap().parse::<u32>().unwrap()).sum();
                assert!((998..=1002).contains(&sum), "'{line}'");
            }
            "currmove" => assert!(words.next().is_some()),
            "pv" => {
                assert!(words.next().is_some(), "'{line}'");
                return;
            }
            _ => panic!("'{word}' in '{line}'"),
        }
    }
}
