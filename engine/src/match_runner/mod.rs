//! `hanuman match`: engine against engine under our own arbiter.
//!
//! The arbiter trusts nobody: it keeps the board, the rules and the clocks itself, reads every move
//! through the rules of the game, and survives engines that hang, die or talk nonsense.
//!
//! | part | does |
//! |---|---|
//! | `args`, `spec`, `syntax` | read the command line |
//! | `process`, `client`, `declared` | talk to an engine |
//! | `clock`, `adjudication`, `game` | conduct one game |
//! | `openings`, `schedule` | conduct many |
//! | `stats`, `sprt`, `scoreboard`, `standing` | say what came of them |
//! | `game_file` | write them down |

mod adjudication;
mod args;
mod client;
mod clock;
mod declared;
mod error;
mod game;
mod game_file;
mod openings;
mod process;
mod schedule;
mod scoreboard;
mod spec;
mod sprt;
mod standing;
mod stats;
mod syntax;

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use movegen::{Color, Numbering, Position, Variant};
use search::Game;

pub use args::MatchArgs;
pub use error::MatchError;
pub use openings::OpeningOrder;

use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};
use crate::game_text::GameFile;
use args::MatchPlan;
use client::{Client, Setting};
use game::{GameSettings, PlayedGame};
use game_file::{MatchTags, Place, game_text};
use process::Log;
use schedule::{Entrant, Impossible, Observer, Schedule};
use scoreboard::Scoreboard;
use sprt::Verdict;
use standing::{Standing, warn};

/// Plays a match and prints its result on stdout; progress and warnings go to stderr.
///
/// # Errors
/// If the match is impossible (arguments, openings, files, engines that do not work), or was
/// interrupted; whatever was played by then is still written and summed up.
pub fn run(args: &MatchArgs) -> Result<(), MatchError> {
    let plan = args.plan()?;
    let log = match &args.log {
        Some(path) => Log::create(path).map_err(|error| write_error(path, error))?,
        None => Log::default(),
    };
    let interrupt = Interrupt::install();
    let setting = Arc::new(Setting {
        variant: plan.settings.variant,
        rules: plan.rule_options.clone(),
        conveniences: conveniences(args),
        patience: plan.patience,
        log,
        abort: Arc::clone(&interrupt.abort),
    });
    let entrants = introduce(&plan, &setting)?;
    let mut rules = plan.settings.game_rules();
    if let GameRules::Makhos(rules) = &mut rules {
        // Moves and FENs of a game file must number squares alike, and FENs always do it so.
        rules.numbering = Numbering::Pdn;
    }
    with_game(rules, Match { args, plan: &plan, setting, entrants, interrupt: &interrupt, rules })
}

fn write_error(path: &Path, error: std::io::Error) -> MatchError {
    MatchError::Write { path: path.to_owned(), error }
}

fn conveniences(args: &MatchArgs) -> Vec<(String, String)> {
    [("Hash", args.hash), ("Threads", args.threads)]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())))
        .collect()
}

/// Starts each engine once, to see that it works and what it is called.
fn introduce(plan: &MatchPlan, setting: &Setting) -> Result<[Entrant; 2], MatchError> {
    let mut entrants = [(0, &plan.engines[0]), (1, &plan.engines[1])].map(|(i, spec)| {
        let command = spec.program.as_ref().map_or("self".into(), |p| p.to_string_lossy());
        let label = spec.name.clone().unwrap_or_else(|| command.into_owned());
        let client = Client::start(spec, setting, &label).map_err(|fault| MatchError::Engine {
            name: label.clone(),
            fault: fault.to_string(),
        })?;
        let own_name = client.own_name();
        let name = match &spec.name {
            Some(name) => name.clone(),
            None if own_name.is_empty() => label,
            None => own_name.to_owned(),
        };
        for warning in client.warnings() {
            warn(&format!("warning: {name} {warning}"));
        }
        client.quit();
        Ok(Entrant { spec: Arc::new(spec.clone()), limits: plan.limits[i], name })
    });
    if let [Ok(first), Ok(second)] = &mut entrants
        && first.name == second.name
    {
        first.name.push_str(" (1)");
        second.name.push_str(" (2)");
    }
    let [first, second] = entrants;
    Ok([first?, second?])
}

/// Ctrl-C, and what it means to the match.
struct Interrupt {
    /// Ends all games.
    abort: Arc<AtomicBool>,
    /// Whether that was the user's wish.
    pressed: Arc<AtomicBool>,
}

impl Interrupt {
    fn install() -> Self {
        let interrupt = Self { abort: Arc::default(), pressed: Arc::default() };
        let (abort, pressed) = (Arc::clone(&interrupt.abort), Arc::clone(&interrupt.pressed));
        // Without a handler the match can still be killed, only without a summary.
        let _ = ctrlc::set_handler(move || {
            pressed.store(true, Ordering::Relaxed);
            abort.store(true, Ordering::Relaxed);
        });
        interrupt
    }
}

/// The part of a match that is compiled for its game.
struct Match<'a> {
    args: &'a MatchArgs,
    plan: &'a MatchPlan,
    setting: Arc<Setting>,
    entrants: [Entrant; 2],
    interrupt: &'a Interrupt,
    rules: GameRules,
}

impl GameVisitor for Match<'_> {
    type Output = Result<(), MatchError>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let openings = self.openings::<PosOf<G>>(rules)?;
        let names = self.entrants.each_ref().map(|entrant| entrant.name.clone());
        let game_count = usize::try_from(self.args.games).unwrap_or(usize::MAX);
        let games_each = if self.args.no_swap { 1 } else { 2 };
        let needed = game_count.div_ceil(games_each);
        if needed > openings.len() {
            // Repeated openings are no independent evidence.
            let (only, what) =
                (openings.len(), if self.args.no_swap { "games" } else { "pairs of games" });
            warn(&format!("warning: {needed} {what}, but only {only} openings: they repeat"));
        }
        let mut hall = Hall {
            board: Scoreboard::new(names.clone(), self.plan.sprt),
            standing: Standing::new(game_count, self.args.report_every),
            file: None,
            tags: self.tags(names),
            write_fault: None,
            faults_told: 0,
        };
        if let Some(path) = &self.args.pgn {
            hall.file = Some(GameFile::append(path).map_err(|error| write_error(path, error))?);
        }
        let schedule = Schedule {
            entrants: self.entrants,
            setting: self.setting,
            games: GameSettings {
                adjudication: self.plan.adjudication,
                time_margin: Duration::from_millis(self.args.time_margin),
            },
            openings,
            game_count,
            games_each,
            concurrency: usize::from(self.args.concurrency),
        };
        let result = schedule.run(&mut hall);
        hall.standing.finish();
        print_summary(&hall.board);
        if let (Some(error), Some(path)) = (hall.write_fault, &self.args.pgn) {
            return Err(write_error(path, error));
        }
        if let Err(Impossible(engine, fault)) = result {
            let name = schedule.entrants[engine & 1].name.clone();
            return Err(MatchError::Engine { name, fault });
        }
        if self.interrupt.pressed.load(Ordering::Relaxed) {
            return Err(MatchError::Interrupted { games: hall.board.tally.game_count() });
        }
        Ok(())
    }
}

impl Match<'_> {
    fn openings<P: Position>(&self, rules: P::Rules) -> Result<Vec<P>, MatchError> {
        let (mut openings, natural_order) = match &self.args.openings {
            Some(path) => (openings::read(path, rules)?, OpeningOrder::Sequential),
            None => {
                let default = if P::VARIANT == Variant::Makhos { 4 } else { 2 };
                let plies = self.args.opening_plies.unwrap_or(default);
                (openings::after_plies(rules, plies)?, OpeningOrder::Random)
            }
        };
        self.args.opening_order.unwrap_or(natural_order).arrange(&mut openings, self.args.seed);
        Ok(openings)
    }

    fn tags(&self, names: [String; 2]) -> MatchTags {
        let rules: Vec<String> = self
            .plan
            .rule_options
            .iter()
            .map(|(name, value)| match name.as_str() {
                "RuleSet" => value.clone(),
                _ => format!("{name}={value}"),
            })
            .collect();
        MatchTags {
            event: self.args.event.clone(),
            variant: self.plan.settings.variant,
            rules: rules.join(" "),
            first: match self.rules {
                GameRules::Makhos(rules) => rules.first,
                GameRules::Makruk(_) | GameRules::Asean(_) => Color::White,
            },
            names,
            time_controls: self.plan.limits.each_ref().map(spec::SearchLimits::describe),
        }
    }
}

/// Offences that are told at once; the rest only counts.
const MOST_FAULTS_TOLD: u32 = 20;

/// Where the results go.
struct Hall {
    board: Scoreboard,
    standing: Standing,
    file: Option<GameFile>,
    tags: MatchTags,
    write_fault: Option<std::io::Error>,
    faults_told: u32,
}

impl Observer for Hall {
    fn on_game(&mut self, place: Place, game: &PlayedGame) {
        self.standing.on_game();
        if let game::Ending::Forfeit(loser, ..) = &game.ending
            && self.faults_told < MOST_FAULTS_TOLD
        {
            self.faults_told += 1;
            let name = &self.tags.names[place.engine(*loser)];
            let (pair, half) = (place.pair + 1, place.half + 1);
            self.standing.note(&format!("game {pair}.{half}: {name}: {}", game.ending.describe()));
        }
    }

    fn on_pair(&mut self, games: &[(Place, PlayedGame)]) -> bool {
        self.board.add(games);
        let text: String =
            games.iter().map(|(place, game)| game_text(game, &self.tags, *place)).collect();
        if let Some(file) = &mut self.file
            && let Err(error) = file.write(&text)
        {
            self.write_fault = Some(error);
            return false;
        }
        let board = &self.board;
        self.standing.on_score(board.tally.game_count(), || board.score_line());
        board.verdict() == Verdict::Open
    }
}

fn print_summary(board: &Scoreboard) {
    for warning in board.warnings() {
        warn(&format!("warning: {warning}"));
    }
    let mut lines = vec![board.endings_line()];
    lines.extend(board.color_lines());
    lines.extend(board.sprt_line());
    lines.push(board.last_line());
    let mut out = std::io::stdout().lock();
    // If nobody listens any more, there is nobody to tell.
    let _ = lines.iter().try_for_each(|line| writeln!(out, "{line}"));
}
