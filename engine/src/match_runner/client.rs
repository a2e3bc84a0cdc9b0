//! An engine behind the UCI protocol.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use movegen::Variant;

use super::declared::{DeclaredOption, Evaluation};
use super::process::{Log, NoLine, Process};
use super::spec::EngineSpec;

/// How long a thread sleeps at most before it looks whether the match was interrupted.
const NAP: Duration = Duration::from_millis(50);
/// Time that a well-behaved engine needs to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

/// So many remarks of an engine about its options are passed on.
const MAX_NOTES: usize = 5;

/// How patient the arbiter is with engines that do not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Patience {
    /// For `uciok`, `readyok`, and `bestmove` after `stop`.
    pub(crate) answer: Duration,
    /// For `bestmove` in a search without a clock.
    pub(crate) search: Duration,
}

/// What every engine of a match is started with.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The game.
    pub(crate) variant: Variant,
    /// Rule options by name, set on engines that declare them.
    pub(crate) rules: Vec<(String, String)>,
    /// Options set on engines that declare them, such as `Hash`.
    pub(crate) conveniences: Vec<(String, String)>,
    /// How long to wait.
    pub(crate) patience: Patience,
    /// Where everything said is written.
    pub(crate) log: Log,
    /// Raised when the match is interrupted.
    pub(crate) abort: Arc<AtomicBool>,
}

/// Why an engine cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The match was interrupted; nobody is to blame.
    Aborted,
    /// The process could not be started.
    NotStarted(String),
    /// The process ended or closed its output.
    Disconnected(String),
    /// No answer in time.
    Hung(&'static str),
    /// It works, but cannot play this match.
    Unfit(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted => f.write_str("the match was interrupted"),
            Self::NotStarted(why) => write!(f, "cannot be started: {why}"),
            Self::Disconnected(how) => write!(f, "disconnected ({how})"),
            Self::Hung(missing) => write!(f, "no {missing} in time"),
            Self::Unfit(why) => f.write_str(why),
        }
    }
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// Text after `bestmove`, up to the first blank; empty if there was none.
    pub(crate) text: String,
    /// From `go` to the arrival of `bestmove`.
    pub(crate) used: Duration,
    /// The last report on the best line, exact if there was an exact one.
    pub(crate) evaluation: Option<Evaluation>,
}

/// An engine process that has been greeted and configured.
#[derive(Debug)]
pub(crate) struct Client {
    process: Process,
    patience: Patience,
    abort: Arc<AtomicBool>,
    /// What the engine calls itself.
    own_name: String,
    options: Vec<DeclaredOption>,
    /// Conveniences that the engine does not offer, and other things worth telling once.
    warnings: Vec<String>,
}

impl Client {
    /// Starts an engine and configures it: game first (other options may depend on it), then rules,
    /// conveniences and the user's own options.
    pub(crate) fn start(spec: &EngineSpec, setting: &Setting, label: &str) -> Result<Self, Fault> {
        let program = match &spec.program {
            Some(program) => program.clone(),
            None => own_program()?,
        };
        let directory = spec.directory.as_deref();
        let process = Process::start(&program, &spec.arguments, directory, label, &setting.log)
            .map_err(|e| Fault::NotStarted(format!("{}: {e}", program.display())))?;
        let mut client = Self {
            process,
            patience: setting.patience,
            abort: Arc::clone(&setting.abort),
            own_name: String::new(),
            options: Vec::new(),
            warnings: Vec::new(),
        };
        client.greet()?;
        client.choose_variant(setting.variant)?;
        for (name, value) in &setting.rules {
            if client.declares(name) {
                client.set_option(name, value)?;
            }
        }
        for (name, value) in &setting.conveniences {
            if client.declares(name) {
                client.set_option(name, value)?;
            } else {
                client.warnings.push(format!("has no option {name}"));
            }
        }
        client.synchronize()?;
        for (name, value) in &spec.options {
            client.set_option(name, value)?;
        }
        // An engine that cannot do what it was asked for, such as read a file, plays on all the
        // same, and the match would not show what it seems to.
        let notes = client.synchronize()?;
        client.warnings.extend(notes.iter().map(|note| format!("says: {note}")));
        Ok(client)
    }

    /// What the engine calls itself; may be empty.
    pub(crate) fn own_name(&self) -> &str {
        &self.own_name
    }

    /// What the user should know about its configuration.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Announces a new game.
    pub(crate) fn new_game(&mut self) -> Result<(), Fault> {
        self.process.send("ucinewgame");
        self.synchronize()?;
        Ok(())
    }

    /// Lets the engine think. `position` and `go` are complete commands. After `allowance` (for
    /// ever without one, within the patience) the search is stopped, and the answer still read.
    pub(crate) fn think(
        &mut self,
        position: &str,
        go: &str,
        allowance: Option<Duration>,
    ) -> Result<Answer, Fault> {
        self.process.send(position);
        self.synchronize()?;
        let asked = self.process.send_timed(go);
        let mut deadline = after(asked, allowance.unwrap_or(self.patience.search));
        let mut stopped = false;
        let (mut exact, mut bound) = (None, None);
        loop {
            let overdue = match self.next_line(deadline) {
                // Said before the question, so no answer to it.
                Ok((_, at)) if at < asked => false,
                Ok((line, at)) => {
                    match split_command(&line) {
                        ("bestmove", rest) => {
                            let text = rest.split_whitespace().next().unwrap_or_default();
                            return Ok(Answer {
                                text: text.to_owned(),
                                used: at.saturating_duration_since(asked),
                                evaluation: exact.or(bound),
                            });
                        }
                        ("info", rest) => match Evaluation::parse(rest) {
                            Some(report) if report.bound => bound = Some(report),
                            Some(report) => exact = Some(report),
                            None => {}
                        },
                        _ => {}
                    }
                    at > deadline
                }
                Err(Fault::Hung(_)) => true,
                Err(fault) => return Err(fault),
            };
            if overdue {
                if stopped || allowance.is_none() {
                    return Err(Fault::Hung("bestmove"));
                }
                stopped = true;
                self.process.send("stop");
                deadline = after(Instant::now(), self.patience.answer);
            }
        }
    }

    /// Says goodbye.
    pub(crate) fn quit(self) {
        self.process.finish(QUIT_PATIENCE);
    }

    fn greet(&mut self) -> Result<(), Fault> {
        self.process.send("uci");
        let deadline = after(Instant::now(), self.patience.answer);
        loop {
            let line = self.wait_for(deadline, "uciok")?;
            let (command, rest) = split_command(&line);
            match command {
                "uciok" => return Ok(()),
                "id" => {
                    if let Some(name) = rest.strip_prefix("name ") {
                        self.own_name = name.trim().to_owned();
                    }
                }
                "option" => self.options.extend(DeclaredOption::parse(rest)),
                _ => {}
            }
        }
    }

    /// Waits until the engine has done everything it was told. Returns the first few things that
    /// it wanted to be known meanwhile.
    fn synchronize(&mut self) -> Result<Vec<String>, Fault> {
        self.process.send("isready");
        let deadline = after(Instant::now(), self.patience.answer);
        let mut notes = Vec::new();
        loop {
            let line = self.wait_for(deadline, "readyok")?;
            if line.trim() == "readyok" {
                return Ok(notes);
            }
            if let Some(note) = line.trim().strip_prefix("info string ")
                && notes.len() < MAX_NOTES
            {
                notes.push(note.to_owned());
            }
        }
    }

    fn choose_variant(&mut self, variant: Variant) -> Result<(), Fault> {
        let Some(option) = self.find_option("UCI_Variant") else {
            self.warnings
                .push(format!("has no option UCI_Variant; it is taken to play {}", variant.name()));
            return Ok(());
        };
        let value = if option.values.is_empty() {
            variant.name().to_owned()
        } else {
            let offered = option.values.iter().find(|v| Variant::parse(v) == Some(variant));
            let Some(value) = offered else {
                return Err(Fault::Unfit(format!("does not play {}", variant.name())));
            };
            value.clone()
        };
        self.set_option("UCI_Variant", &value)
    }

    fn find_option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|o| o.name.eq_ignore_ascii_case(name))
    }

    fn declares(&self, name: &str) -> bool {
        self.find_option(name).is_some()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Some(option) = self.find_option(name) else {
            return Err(Fault::Unfit(format!("has no option '{name}'")));
        };
        option.check(value).map_err(Fault::Unfit)?;
        let command = if option.is_button() {
            format!("setoption name {}", option.name)
        } else {
            format!("setoption name {} value {value}", option.name)
        };
        // A line break would smuggle in another command.
        self.process.send(&command.replace(['\n', '\r'], " "));
        Ok(())
    }

    /// The next line in time. `missing` is what was waited for.
    fn wait_for(&mut self, deadline: Instant, missing: &'static str) -> Result<String, Fault> {
        match self.next_line(deadline) {
            Ok((line, at)) if at <= deadline => Ok(line),
            Ok(_) | Err(Fault::Hung(_)) => Err(Fault::Hung(missing)),
            Err(fault) => Err(fault),
        }
    }

    /// The next line, even one that came after `deadline` (the caller looks at its time of arrival);
    /// `Hung` if there is none.
    fn next_line(&mut self, deadline: Instant) -> Result<(String, Instant), Fault> {
        loop {
            if self.aborted() {
                return Err(Fault::Aborted);
            }
            let now = Instant::now();
            match self.process.receive(deadline.min(after(now, NAP))) {
                Ok(line) => return Ok(line),
                Err(NoLine::Closed) => {
                    let how = self.process.exit_text();
                    // An interrupt from the terminal reaches the engines too, perhaps earlier.
                    thread::sleep(NAP);
                    return Err(if self.aborted() {
                        Fault::Aborted
                    } else {
                        Fault::Disconnected(how)
                    });
                }
                Err(NoLine::Timeout) if Instant::now() >= deadline => {
                    return Err(Fault::Hung("answer"));
                }
                Err(NoLine::Timeout) => {}
            }
        }
    }

    fn aborted(&self) -> bool {
        self.abort.load(Ordering::Relaxed)
    }
}

fn split_command(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(c, rest)| (c, rest.trim_start()))
}

/// `Instant` arithmetic that cannot overflow; a century is as good as never.
fn after(start: Instant, wait: Duration) -> Instant {
    start
        .checked_add(wait)
        .or_else(|| start.checked_add(Duration::from_secs(1 << 31)))
        .unwrap_or(start)
}

fn own_program() -> Result<PathBuf, Fault> {
    std::env::current_exe().map_err(|e| Fault::NotStarted(format!("own program: {e}")))
}
