//! Sessions of every protocol from any text, made quick and harmless.

use std::io::{Cursor, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::command::{Command, GoRequest};
use engine::controller;
use engine::protocol::{Parsed, Protocol, Rendered};
use engine::report::Report;

/// How many searches a session has asked for, and how many have answered.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) asked: AtomicUsize,
    pub(crate) answered: AtomicUsize,
}

/// A protocol in which nothing takes long, ends the session or touches the machine. What the lines
/// say is parsed all the same.
struct Tame {
    protocol: Box<dyn Protocol>,
    counts: Arc<Counts>,
}

impl Tame {
    fn tame(&self, commands: Vec<Command>) -> Vec<Command> {
        let mut tamed = Vec::new();
        for command in commands {
            tamed.push(match command {
                Command::Go(GoRequest { infinite, ponder, search_moves, .. }) => {
                    self.counts.asked.fetch_add(1, Ordering::SeqCst);
                    let nodes = Some(50);
                    Command::Go(GoRequest {
                        nodes,
                        infinite,
                        ponder,
                        search_moves,
                        ..GoRequest::default()
                    })
                }
                Command::Perft(_) => Command::Perft(1),
                Command::Bench(_) | Command::Quit => continue,
                Command::SetOption { name, .. }
                    if [
                        "hash",
                        "threads",
                        "debug log file",
                        "evalfile",
                        "tablepath",
                        "bookfile",
                    ]
                    .contains(&name.to_ascii_lowercase().trim()) =>
                {
                    continue;
                }
                other => other,
            });
        }
        tamed
    }
}

impl Protocol for Tame {
    fn parse(&mut self, line: &str) -> Parsed {
        let mut parsed = self.protocol.parse(line);
        parsed.commands = self.tame(parsed.commands);
        parsed
    }

    fn render(&mut self, report: &Report) -> Rendered {
        if matches!(report, Report::BestMove { .. }) {
            self.counts.answered.fetch_add(1, Ordering::SeqCst);
        }
        let mut rendered = self.protocol.render(report);
        rendered.commands = self.tame(rendered.commands);
        rendered
    }
}

/// Runs the text as one session, with a table so small that making it costs no time.
pub(crate) fn run(
    protocol: Box<dyn Protocol>,
    text: &str,
    sink: impl Write + Send + 'static,
) -> Arc<Counts> {
    let counts = Arc::new(Counts::default());
    let small = Small { inner: Tame { protocol, counts: Arc::clone(&counts) }, begun: false };
    let ended = controller::run(Box::new(small), Cursor::new(text.to_owned()), Box::new(sink));
    assert!(ended.is_ok(), "{ended:?}");
    counts
}

/// Makes the table small before the first line.
struct Small {
    inner: Tame,
    begun: bool,
}

impl Protocol for Small {
    fn parse(&mut self, line: &str) -> Parsed {
        let mut parsed = self.inner.parse(line);
        if !std::mem::replace(&mut self.begun, true) {
            let (name, value) = ("Hash".to_owned(), Some("1".to_owned()));
            parsed.commands.insert(0, Command::SetOption { name, value });
        }
        parsed
    }

    fn render(&mut self, report: &Report) -> Rendered {
        self.inner.render(report)
    }
}
