//! The command loop: one thread that takes input and never waits for a search.
//!
//! Searches, perfts and benchmarks are jobs on a thread of their own, one at a time. While a job
//! runs, `isready`, `stop`, `ponderhit`, `quit`, `uci` and questions about the position are answered
//! at once. Everything else waits, in order, until the job has ended, so a script may send one `go`
//! after another. A job that would not end by itself (`go infinite`, `go ponder`) is stopped by the
//! next command that starts a job or a new game. `stop` means every `go` sent before it. `quit` ends
//! a search at once; only a `quit` right behind `go perft` or `bench`, as scripts write it, lets
//! those finish.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::HumanBytes;
use search::{ScoreKind, Signals};
use tables::Tables;
use tables::file::TableFile;

use crate::bench;
use crate::book::{Books, choose};
use crate::command::{Command, GoRequest, PositionRequest, StartPosition, Topic};
use crate::input::{self, Input};
use crate::networks::Networks;
use crate::options::{self, Effect};
use crate::output::Output;
use crate::perft::PerftRequest;
use crate::protocol::Protocol;
use crate::random::Random;
use crate::referee::PositionFault;
use crate::report::{Report, Reporter, SearchReport, one_line};
use crate::session::{AnySession, Job, MAX_FAULTS, game_name, new_session};
use crate::settings::Settings;
use crate::{count, display, endgame, workers};

/// At the end of the input, a search for a mate that may not exist gets this long.
const MATE_GRACE: Duration = Duration::from_secs(60);
/// Lines that follow each other faster than this come from a script.
const SCRIPT_PAUSE: Duration = Duration::from_millis(100);
/// After the end of the input, how often to look whether anybody still reads the output.
const TICK: Duration = Duration::from_millis(250);

/// What the command loop waits for.
enum Event {
    Input(Input),
    /// The protocol wants something done.
    Wish,
    JobEnded,
}

/// The job that runs now.
struct Running {
    signals: Arc<Signals>,
    thread: JoinHandle<()>,
    /// Set before the last report is written: whoever has read that report finds the job ended.
    ended: Arc<AtomicBool>,
    end: JobEnd,
    pondering: bool,
    begun: Instant,
}

/// Whether a job ends without being told to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JobEnd {
    /// It reaches a limit.
    Bounded,
    /// It ends if there is what it looks for.
    PerhapsNever,
    /// It goes on until it is stopped.
    Never,
    /// It is no search but counting: it ends sooner or later.
    Tally,
}

/// A command that waits for the running job, and what has been said about it since.
struct Queued {
    command: Command,
    stopped: bool,
    ponder_hit: bool,
}

/// The state of the program.
pub struct Controller {
    settings: Settings,
    networks: Networks,
    tables: Arc<Tables>,
    books: Books,
    random: Random,
    /// Which evaluation is used has been said since it last changed.
    evaluation_said: bool,
    session: Box<dyn AnySession>,
    /// The position as it was last set, to be set again when the rules change.
    position: PositionRequest,
    output: Arc<Output>,
    events: Sender<Event>,
    running: Option<Running>,
    queue: VecDeque<Queued>,
    debug: bool,
    quitting: bool,
    /// When the input ended.
    closing: Option<Instant>,
}

/// Speaks `protocol` over `source` and `sink` until `quit` or the end of the input.
///
/// # Errors
/// If no thread can be started.
pub fn run(
    protocol: Box<dyn Protocol>,
    source: impl Read + Send + 'static,
    sink: Box<dyn Write + Send>,
) -> io::Result<ExitCode> {
    let (events, receiver) = mpsc::channel();
    let lines = events.clone();
    input::read_lines(source, move |input| lines.send(Event::Input(input)).is_ok())?;
    let wishes = events.clone();
    // Nobody listens any more once the loop has ended.
    let wake = move || drop(wishes.send(Event::Wish));
    let output = Arc::new(Output::new(protocol, sink, wake));
    let mut controller = Controller::new(output, events);
    controller.work(&receiver);
    Ok(ExitCode::SUCCESS)
}

impl Controller {
    fn new(output: Arc<Output>, events: Sender<Event>) -> Self {
        let settings = Settings::default();
        let session = new_session(settings.game_rules(), settings.search_options());
        Self {
            settings,
            networks: Networks::default(),
            tables: tables::built_in(),
            books: Books::default(),
            // The hasher's keys are random: games should differ.
            random: Random::new(RandomState::new().hash_one(0)),
            evaluation_said: false,
            session,
            position: PositionRequest::default(),
            output,
            events,
            running: None,
            queue: VecDeque::new(),
            debug: false,
            quitting: false,
            closing: None,
        }
    }

    fn work(&mut self, events: &Receiver<Event>) {
        while !self.is_finished() {
            let event = match self.closing {
                Some(_) => events.recv_timeout(TICK),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Input(input)) => self.take_input(input),
                Ok(Event::Wish) => {}
                Ok(Event::JobEnded) => self.reap(),
                Err(RecvTimeoutError::Timeout) => self.lose_patience(),
                Err(RecvTimeoutError::Disconnected) => self.quitting = true,
            }
            while !self.quitting
                && let Some(command) = self.output.next_command()
            {
                self.take_command(command);
            }
        }
        self.stop_running();
        if let Some(running) = self.running.take() {
            let _ = running.thread.join();
        }
    }

    fn is_finished(&self) -> bool {
        let idle = self.running.is_none() && self.queue.is_empty();
        self.quitting || self.output.is_gone() || (self.closing.is_some() && idle)
    }

    /// Stops, some time after the end of the input, what may never end by itself.
    fn lose_patience(&self) {
        let late = self.closing.is_some_and(|since| since.elapsed() > MATE_GRACE);
        if late && self.running.as_ref().is_some_and(|r| r.end == JobEnd::PerhapsNever) {
            self.stop_running();
        }
    }

    fn take_input(&mut self, input: Input) {
        match input {
            Input::Line(line) => self.output.take_line(&line),
            Input::TooLong => {
                self.output
                    .note(format!("a line of more than {} bytes was dropped", input::MAX_LINE));
            }
            Input::End => self.input_ended(),
        }
    }

    /// Answers at once what can be answered at once, and lets the rest wait for the running job.
    fn take_command(&mut self, command: Command) {
        self.reap();
        match command {
            Command::Handshake => self.output.report(&Report::Handshake),
            Command::Ping => self.output.report(&Report::Ready),
            Command::Debug(on) => self.debug = on,
            Command::Quit if !self.in_a_script() => self.quitting = true,
            Command::Stop => self.stop_all(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show(topic) if self.queue.is_empty() => self.show(topic),
            command if self.running.is_none() => {
                let stopped = self.closing.is_some() && is_endless(&command);
                self.execute(command, stopped, false);
            }
            command => {
                let starts_anew = matches!(
                    command,
                    Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::NewGame
                );
                if self.debug {
                    self.output.note("this waits until the search has ended".to_owned());
                }
                if starts_anew {
                    self.stop_endless();
                }
                // Nobody will stop it any more once the input has ended.
                let stopped = self.closing.is_some() && is_endless(&command);
                self.queue.push_back(Queued { command, stopped, ponder_hit: false });
            }
        }
    }

    /// Whether a `quit` that comes now was written right behind `go perft` or `bench`, which only
    /// scripts do: other engines are deaf while they count, and scripts rely on it.
    fn in_a_script(&self) -> bool {
        self.queue.is_empty()
            && self
                .running
                .as_ref()
                .is_some_and(|job| job.end == JobEnd::Tally && job.begun.elapsed() < SCRIPT_PAUSE)
    }

    /// Runs a command that needs the session for itself.
    fn execute(&mut self, command: Command, stopped: bool, ponder_hit: bool) {
        match command {
            Command::NewGame => self.session.new_game(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(request) => self.set_position(request),
            Command::Flip => {
                let start = StartPosition::Fen(self.session.game().flipped_fen());
                self.set_position(PositionRequest { start, moves: Vec::new() });
            }
            Command::Go(request) => self.go(&request, stopped, ponder_hit),
            Command::Perft(depth) => {
                let threads = self.settings.search.threads;
                let request = PerftRequest { depth, threads, listing: false };
                let signals = Arc::new(Signals::new());
                let job = self.session.perft(request, Arc::clone(&signals));
                self.start(job, signals, JobEnd::Tally, stopped, None);
            }
            Command::Bench(request) => {
                let signals = Arc::new(Signals::new());
                let stop = Arc::clone(&signals);
                let job: Job = Box::new(move |reporter| {
                    let line = |line| reporter.report(&Report::Text(line));
                    Report::Text(bench::run(request, &stop, &line, &|_, _| {}))
                });
                self.start(job, signals, JobEnd::Tally, stopped, None);
            }
            Command::Show(topic) => self.show(topic),
            Command::Echo(text) => self.output.report(&Report::Text(text)),
            Command::Quit => self.quitting = true,
            // The others never come here: they are answered at once.
            Command::Handshake
            | Command::Ping
            | Command::Stop
            | Command::PonderHit
            | Command::Debug(_) => {}
        }
    }

    fn go(&mut self, request: &GoRequest, stopped: bool, ponder_hit: bool) {
        let signals = Arc::new(Signals::new());
        if let Some(text) = self.book_move(request) {
            let emergency = Report::BestMove { best: Some(text.clone()), ponder: None };
            let job: Job = Box::new(move |reporter| {
                reporter.note("a move of the book".to_owned());
                reporter.report(&Report::Search(SearchReport::of_move(text.clone())));
                Report::BestMove { best: Some(text), ponder: None }
            });
            self.start(job, signals, JobEnd::Bounded, stopped, Some(emergency));
            return;
        }
        if ponder_hit {
            signals.ponder_hit();
        }
        if !self.evaluation_said {
            self.evaluation_said = true;
            self.output.note(self.networks.describe(self.settings.variant));
        }
        let job = self.session.search(request, self.settings.show_wdl, Arc::clone(&signals));
        let end =
            match request {
                request if !request.is_bounded() => JobEnd::Never,
                GoRequest {
                    mate: Some(_), depth: None, nodes: None, move_time_ms: None, ..
                } if !request.on_the_clock() => JobEnd::PerhapsNever,
                _ => JobEnd::Bounded,
            };
        let emergency = Report::BestMove {
            best: self.session.game().legal_moves().into_iter().next(),
            ponder: None,
        };
        self.start(job, signals, end, stopped, Some(emergency));
        if let Some(running) = &mut self.running {
            running.pondering = request.ponder && !ponder_hit;
        }
    }

    /// A move of the book for a search that would play one.
    fn book_move(&mut self, request: &GoRequest) -> Option<String> {
        let settings = &self.settings;
        let game = self.session.game();
        let wanted = settings.own_book
            && !settings.search.analyse
            && request.is_bounded()
            && !request.ponder
            && request.mate.is_none()
            && request.search_moves.is_empty()
            && game.moves().len() / 2 < settings.book_depth as usize;
        if !wanted {
            return None;
        }
        let moves = game.book_moves(self.books.of(settings.variant)?);
        choose(&moves, &mut self.random)
    }

    /// Starts a job. If it dies, which only a fault of ours can bring about, `emergency` is
    /// reported in its place, so that no front end waits for ever.
    fn start(
        &mut self,
        job: Job,
        signals: Arc<Signals>,
        end: JobEnd,
        stopped: bool,
        emergency: Option<Report>,
    ) {
        if stopped {
            signals.stop();
        }
        let output = Arc::clone(&self.output);
        let events = self.events.clone();
        let ended = Arc::new(AtomicBool::new(false));
        let set_ended = Arc::clone(&ended);
        let if_it_dies = emergency.clone();
        let work = move || {
            let last = catch_unwind(AssertUnwindSafe(|| job(&*output))).ok().or_else(|| {
                output.note("internal error: the search died".to_owned());
                if_it_dies
            });
            set_ended.store(true, Ordering::SeqCst);
            if let Some(last) = last {
                output.report(&last);
            }
            // Nobody listens any more once the loop has ended.
            let _ = events.send(Event::JobEnded);
        };
        match thread::Builder::new().name("job".into()).stack_size(workers::STACK).spawn(work) {
            Ok(thread) => {
                let begun = Instant::now();
                self.running =
                    Some(Running { signals, thread, ended, end, pondering: false, begun });
            }
            Err(error) => {
                self.output.note(format!("no thread can be started: {error}"));
                if let Some(report) = emergency {
                    self.output.report(&report);
                }
            }
        }
    }

    /// Clears a job away that has ended, and goes on with what waited for it.
    fn reap(&mut self) {
        while let Some(ended) = self.running.take_if(|job| job.ended.load(Ordering::SeqCst)) {
            let _ = ended.thread.join();
            while self.running.is_none() && !self.quitting {
                let Some(next) = self.queue.pop_front() else { break };
                self.execute(next.command, next.stopped, next.ponder_hit);
            }
        }
    }

    fn stop_running(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
    }

    /// Stops the running job and every one that waits.
    fn stop_all(&mut self) {
        self.stop_running();
        for queued in &mut self.queue {
            queued.stopped = true;
        }
    }

    /// Stops the jobs, running or waiting, that would not end by themselves.
    fn stop_endless(&mut self) {
        if let Some(running) = &self.running
            && (running.end == JobEnd::Never || running.pondering)
        {
            running.signals.stop();
        }
        for queued in &mut self.queue {
            queued.stopped |= is_endless(&queued.command) && !queued.ponder_hit
                || matches!(&queued.command, Command::Go(request) if !request.is_bounded());
        }
    }

    /// The hit belongs to the search that was asked for last.
    fn ponder_hit(&mut self) {
        let waiting =
            self.queue.iter_mut().rev().find(|queued| matches!(queued.command, Command::Go(_)));
        if let Some(queued) = waiting {
            queued.ponder_hit = true;
        } else if let Some(running) = &mut self.running {
            running.pondering = false;
            running.signals.ponder_hit();
        }
    }

    /// Lets what is bounded finish and stops the rest.
    fn input_ended(&mut self) {
        self.closing = Some(Instant::now());
        self.stop_endless();
    }

    fn set_position(&mut self, request: PositionRequest) {
        match self.session.game_mut().set_position(&request) {
            Ok(()) => self.position = request,
            Err(fault) => {
                self.output.note(fault.to_string());
                if matches!(fault, PositionFault::Move { .. }) {
                    self.position = request;
                }
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.settings.clone();
        let applied = options::set(&mut self.settings, name, value);
        if let Some(note) = applied.note {
            self.output.note(note);
        }
        match applied.effect {
            Effect::None => {}
            Effect::Search => {
                let asked = self.settings.search_options();
                let hash_mib = asked.hash_mib;
                let used = self.session.set_options(asked).hash_mib;
                // Said once, when the option is set; the wish itself is kept for other games.
                if self.settings.search.hash_mib != before.search.hash_mib && used != hash_mib {
                    self.output.note(format!("Hash is {used} MiB; {hash_mib} MiB cannot be had"));
                }
            }
            Effect::Rules => self.rules_changed(&before),
            Effect::Game => {
                self.rules_changed(&before);
                let (variant, start) =
                    (self.settings.variant, self.session.game().standard_start());
                self.output.report(&Report::GameChosen { variant, start });
            }
            Effect::ClearHash => self.session.new_game(),
            Effect::LogFile => {
                if let Err(error) = self.output.set_log(&self.settings.log_file) {
                    let path = &self.settings.log_file;
                    self.output.note(format!("no log is kept in '{path}': {error}"));
                }
            }
            Effect::EvalFile => self.choose_networks(&before),
            Effect::TablePath => self.open_tables(),
            Effect::BookFile => match Books::open(&self.settings.book_file) {
                Ok(books) => {
                    self.books = books;
                    if let Some(variant) =
                        self.books.replaced().filter(|&v| v != self.settings.variant)
                    {
                        let name = game_name(variant);
                        self.output.note(format!("BookFile is a book of {name} and kept for it"));
                    }
                }
                Err(error) => {
                    self.settings.book_file.clone_from(&before.book_file);
                    self.output.note(format!("the book stays as it is: {error}"));
                }
            },
        }
    }

    /// Reads the network file that was asked for. One that cannot be used changes nothing.
    fn choose_networks(&mut self, before: &Settings) {
        let path = one_line(&self.settings.eval_file, 200);
        match self.networks.choose(&self.settings.eval_file) {
            Ok(Some(variant)) if variant != self.settings.variant => {
                let (its, present) = (game_name(variant), game_name(self.settings.variant));
                self.output.note(format!(
                    "EvalFile '{path}' is a network for {its} and kept for it; the evaluation of \
                     {present} stays as it is"
                ));
            }
            Ok(_) => self.use_network(),
            Err(error) => {
                self.settings.eval_file.clone_from(&before.eval_file);
                self.output
                    .note(format!("EvalFile '{path}' {error}; the evaluation stays as it is"));
            }
        }
    }

    /// Opens the tables that were asked for, and names those that cannot be used.
    fn open_tables(&mut self) {
        let (tables, faults) = endgame::open(&self.settings.table_path);
        for fault in faults.iter().take(MAX_FAULTS) {
            self.output.note(format!("endgame table left alone: {fault}"));
        }
        if faults.len() > MAX_FAULTS {
            self.output.note(format!("... and {} more", faults.len() - MAX_FAULTS));
        }
        self.tables = tables;
        self.session.set_tables(Arc::clone(&self.tables));
        // What is there anyhow is not worth a word.
        if Arc::ptr_eq(&self.tables, &tables::built_in()) {
            return;
        }
        let files: Vec<u64> = self.tables.files().map(TableFile::size).collect();
        let (number, size) = (files.len(), HumanBytes(files.iter().sum()));
        self.output.note(format!("{number} endgame tables are open, {size}"));
    }

    /// Gives the session the network of its game.
    fn use_network(&mut self) {
        let network = self.networks.network(self.settings.variant);
        if let Err(error) = self.session.set_network(network) {
            self.output.note(error.to_string());
        }
        self.evaluation_said = false;
    }

    /// Opens a new session if the rules are others than before. A game that goes on under new
    /// rules keeps its position, another game begins at its start.
    fn rules_changed(&mut self, before: &Settings) {
        let rules = self.settings.game_rules();
        if rules == self.session.game().rules() {
            return;
        }
        self.session = new_session(rules, self.settings.search_options());
        self.session.set_tables(Arc::clone(&self.tables));
        let said = self.evaluation_said && before.variant == self.settings.variant;
        self.use_network();
        self.evaluation_said = said;
        if before.variant == self.settings.variant {
            let request = std::mem::take(&mut self.position);
            self.set_position(request);
        } else {
            self.position = PositionRequest::default();
            if before.rule_set != self.settings.rule_set {
                let old = before.rule_set.name();
                self.output.note(format!("rule set 'standard' instead of '{old}': another game"));
            }
        }
    }

    fn show(&self, topic: Topic) {
        let text = match topic {
            Topic::Board => display::board(&self.session.game().board()),
            Topic::Moves => {
                let moves = self.session.game().legal_moves();
                if moves.is_empty() { "(none)".to_owned() } else { moves.join(" ") }
            }
            Topic::Count => {
                let game = self.session.game();
                let over = game.outcome().is_some();
                count::describe(&game.clocks(), game.rules(), game.side_to_move(), over)
            }
            Topic::Evaluation => {
                let side = self.session.game().side_to_move();
                match (self.session.game().outcome(), self.session.evaluate().kind()) {
                    (Some(outcome), _) => {
                        let (result, why) = (outcome.score_text(), outcome.describe());
                        format!("Evaluation: none, the game is over: {result}, {why}")
                    }
                    (None, ScoreKind::Centipawns(cp)) => {
                        format!("Evaluation: {cp} centipawns for {side}, who is to move")
                    }
                    (None, ScoreKind::Mate(moves)) => {
                        format!("Evaluation: mate in {moves} for {side}")
                    }
                }
            }
            Topic::Help => display::HELP.to_owned(),
        };
        self.output.report(&Report::Text(text));
    }
}

/// Whether a command begins a search that goes on until it is told to end.
fn is_endless(command: &Command) -> bool {
    matches!(command, Command::Go(request) if request.ponder || !request.is_bounded())
}
