//! Where reports go: standard output, line by line and flushed, and the log if one is kept.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::command::Command;
use crate::protocol::Protocol;
use crate::report::{Report, Reporter};

/// The conversation: takes lines, gives commands, renders reports and writes them. Shared by the
/// command loop and the search thread; a report is always written as a whole.
pub struct Output {
    talk: Mutex<Talk>,
    /// Called when commands have come up that no line asked for.
    wake: Box<dyn Fn() + Send + Sync>,
}

struct Talk {
    protocol: Box<dyn Protocol>,
    /// Commands that have not been taken yet, in the order in which the protocol came to them.
    commands: VecDeque<Command>,
    writer: Box<dyn Write + Send>,
    log: Option<(String, File)>,
    /// Nobody reads any more (a broken pipe).
    gone: bool,
}

impl Output {
    /// A conversation in `protocol`, with output to `writer`.
    pub fn new(
        protocol: Box<dyn Protocol>,
        writer: Box<dyn Write + Send>,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let commands = VecDeque::new();
        let talk = Talk { protocol, commands, writer, log: None, gone: false };
        Self { talk: Mutex::new(talk), wake: Box::new(wake) }
    }

    /// Takes a line of input. What it asks for is there to be taken then.
    pub fn take_line(&self, line: &str) {
        let mut talk = self.talk();
        talk.write_log(">>", line);
        let parsed = talk.protocol.parse(line);
        talk.write(parsed.answer);
        if let Some(fault) = parsed.fault {
            talk.report(&Report::Fault(fault));
        }
        talk.commands.extend(parsed.commands);
    }

    /// The next command.
    pub fn next_command(&self) -> Option<Command> {
        self.talk().commands.pop_front()
    }

    /// Whether writing has failed, so that nothing said from now on will be heard.
    pub fn is_gone(&self) -> bool {
        self.talk().gone
    }

    /// Keeps a log in the file `path` (appended to), or none if `path` is empty.
    ///
    /// # Errors
    /// If the file cannot be opened; no log is kept then.
    pub fn set_log(&self, path: &str) -> io::Result<()> {
        let mut talk = self.talk();
        if talk.log.as_ref().is_some_and(|(open, _)| open == path) {
            return Ok(());
        }
        talk.log = None;
        if !path.is_empty() {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            talk.log = Some((path.to_owned(), file));
        }
        Ok(())
    }

    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Talk {
    /// Says a report; whether that has led to commands.
    fn report(&mut self, report: &Report) -> bool {
        let rendered = self.protocol.render(report);
        self.write(rendered.text);
        let more = !rendered.commands.is_empty();
        self.commands.extend(rendered.commands);
        more
    }

    fn write(&mut self, mut text: String) {
        if text.is_empty() {
            return;
        }
        self.write_log("<<", &text);
        text.push('\n');
        let written = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush());
        self.gone |= written.is_err();
    }

    fn write_log(&mut self, mark: &str, text: &str) {
        if let Some((_, file)) = &mut self.log {
            // A full disk must not stop a game.
            let _ = text.lines().try_for_each(|line| writeln!(file, "{mark} {line}"));
        }
    }
}

impl Reporter for Output {
    fn report(&self, report: &Report) {
        let more = self.talk().report(report);
        if more {
            (self.wake)();
        }
    }
}
