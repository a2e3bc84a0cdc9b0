//! A child process that is talked to line by line and can neither block nor flood its owner.

use std::fs::File;
use std::io::{BufRead, BufReader, LineWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that wait to be looked at. A process that writes more while nobody listens is held up.
const QUEUED_LINES: usize = 4096;
/// Bytes of one line that are kept.
const LINE_BYTES: usize = 1 << 16;

/// Where everything that engines say and hear is written, if anywhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Option<Arc<Mutex<LineWriter<File>>>>);

impl Log {
    /// A log that replaces the file.
    pub(crate) fn create(path: &Path) -> std::io::Result<Self> {
        let file = LineWriter::new(File::create(path)?);
        Ok(Self(Some(Arc::new(Mutex::new(file)))))
    }

    fn write(&self, since: Instant, who: &str, direction: char, line: &str) {
        if let Some(file) = &self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let ms = since.elapsed().as_secs_f64() * 1000.0;
            // A full disk must not end a match.
            let _ = writeln!(file, "{ms:.1} {who} {direction} {line}");
        }
    }
}

/// A line and when it came.
#[derive(Debug)]
struct Arrival {
    line: String,
    at: Instant,
}

/// Something to write, and whom to tell when it is about to be written.
struct Message {
    line: String,
    sent: Option<SyncSender<Instant>>,
}

/// Why no line could be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoLine {
    /// The time is up.
    Timeout,
    /// The process has closed its output.
    Closed,
}

/// The process.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// `None` once the input was closed.
    input: Option<Sender<Message>>,
    output: Receiver<Arrival>,
}

impl Process {
    /// Starts a program. `label` names it in the log.
    pub(crate) fn start(
        program: &Path,
        arguments: &[String],
        directory: Option<&Path>,
        label: &str,
        log: &Log,
    ) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        let mut child = command.spawn()?;
        let started = Instant::now();
        let (input, messages) = channel();
        let (lines, output) = sync_channel(QUEUED_LINES);
        if let Some(stdin) = child.stdin.take() {
            let (log, label) = (log.clone(), label.to_owned());
            thread::spawn(move || write_lines(stdin, &messages, &log, &label, started));
        }
        if let Some(stdout) = child.stdout.take() {
            let (log, label) = (log.clone(), label.to_owned());
            thread::spawn(move || {
                read_lines(stdout, |line, at| {
                    log.write(started, &label, '<', &line);
                    lines.send(Arrival { line, at }).is_ok()
                });
            });
        }
        if let Some(stderr) = child.stderr.take() {
            // Read to the end in any case: a full pipe would stop the process.
            let (log, label) = (log.clone(), label.to_owned());
            thread::spawn(move || {
                read_lines(stderr, |line, _| {
                    log.write(started, &label, '!', &line);
                    true
                });
            });
        }
        Ok(Self { child, input: Some(input), output })
    }

    /// Sends a line. Never waits: if the process does not read, that shows when it does not answer.
    pub(crate) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(Message { line: line.to_owned(), sent: None });
        }
    }

    /// Sends a line and says when it went out.
    pub(crate) fn send_timed(&self, line: &str) -> Instant {
        let (sent, stamp) = sync_channel(1);
        if let Some(input) = &self.input {
            let _ = input.send(Message { line: line.to_owned(), sent: Some(sent) });
        }
        // The writer is held up only if the process does not read. Then its clock runs from here.
        let asked = Instant::now();
        stamp.recv_timeout(Duration::from_millis(500)).unwrap_or(asked)
    }

    /// The next line and when it came, at most until `deadline`.
    pub(crate) fn receive(&self, deadline: Instant) -> Result<(String, Instant), NoLine> {
        // An arrived line counts even if this thread was late.
        let arrival = match self.output.try_recv() {
            Ok(arrival) => arrival,
            Err(TryRecvError::Disconnected) => return Err(NoLine::Closed),
            Err(TryRecvError::Empty) => {
                let patience = deadline.saturating_duration_since(Instant::now());
                match self.output.recv_timeout(patience) {
                    Ok(arrival) => arrival,
                    Err(RecvTimeoutError::Timeout) => return Err(NoLine::Timeout),
                    Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                }
            }
        };
        Ok((arrival.line, arrival.at))
    }

    /// How the process ended, in words, if it has (waits a moment for it).
    pub(crate) fn exit_text(&mut self) -> String {
        match self.wait(Duration::from_millis(200)) {
            Some(status) => status.to_string(),
            None => "it closed its output".to_owned(),
        }
    }

    /// Closes the input and gives the process `patience` to end before it is killed.
    pub(crate) fn finish(mut self, patience: Duration) {
        self.send("quit");
        self.input = None;
        let _ = self.wait(patience);
        // Dropping kills what is left.
    }

    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(
    mut stdin: ChildStdin,
    messages: &Receiver<Message>,
    log: &Log,
    label: &str,
    started: Instant,
) {
    for mut message in messages {
        log.write(started, label, '>', &message.line);
        message.line.push('\n');
        // Before writing: an answer can then never seem older than the question.
        let now = Instant::now();
        let written = stdin.write_all(message.line.as_bytes()).and_then(|()| stdin.flush());
        if let Some(sent) = message.sent {
            let _ = sent.send(now);
        }
        if written.is_err() {
            return;
        }
    }
}

/// Calls `take` for each line until it says `false` or the stream ends. Overlong lines are cut.
fn read_lines(stream: impl Read, mut take: impl FnMut(String, Instant) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        let (used, complete) = match reader.fill_buf() {
            Ok([]) | Err(_) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&b| b == b'\n');
                let text = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
                let room = LINE_BYTES.saturating_sub(line.len()).min(text.len());
                line.extend_from_slice(text.get(..room).unwrap_or_default());
                (text.len() + usize::from(end.is_some()), end.is_some())
            }
        };
        let now = Instant::now();
        reader.consume(used);
        if complete {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
            line.clear();
            if !take(text, now) {
                return;
            }
        }
    }
    if !line.is_empty() {
        take(String::from_utf8_lossy(&line).into_owned(), Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        read_lines(bytes, |line, _| {
            found.push(line);
            true
        });
        found
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b"a\r\n\nb c\nlast"), ["a", "", "b c", "last"]);
        assert_eq!(lines(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn overlong_lines_are_cut_and_the_next_one_survives() {
        let mut bytes = vec![b'x'; 3 * LINE_BYTES];
        bytes.extend_from_slice(b"\nbestmove a1a2\n");
        let found = lines(&bytes);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].len(), LINE_BYTES);
        assert_eq!(found[1], "bestmove a1a2");
    }
}
