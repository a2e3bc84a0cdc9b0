//! The arguments of `hanuman match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::adjudication::{Adjudication, DrawRule, ResignRule};
use super::client::Patience;
use super::error::MatchError;
use super::openings::OpeningOrder;
use super::spec::{EngineSpec, SearchLimits};
use super::sprt::Sprt;
use crate::game_args::GameArgs;
use crate::settings::Settings;

/// Play engine against engine
///
/// Every opening is played twice with colors reversed (unless --no-swap). An
/// engine that plays an illegal move, oversteps its time, crashes or hangs loses
/// that game, is restarted where needed, and the match goes on. The last line of
/// the output has wins, draws and losses of the first engine, Elo with its 95 %
/// error, normalized Elo, likelihood of superiority, pairs by points (0, 1/2, 1,
/// 3/2, 2) and every engine's offences.
///
/// Example:
///   hanuman match --engine name=New --engine cmd=./old,name=Old --tc 2+0.02
///     --variant makruk --games 400 --concurrency 2 --openings makruk.epd
///     --sprt elo0=0,elo1=10
#[derive(Args, Clone, Debug)]
#[command(verbatim_doc_comment, mut_arg("options", |arg| arg.help(
    "Single rule that differs from the rule set, such as CountingRule=none;\n\
     may be repeated. Engines that have such options are told the rules"
)))]
pub struct MatchArgs {
    /// An engine, given twice: `cmd=PROGRAM ARGS` (`self` or nothing for
    /// this program), `name=TEXT`, `option.NAME=VALUE`, `dir=FOLDER`,
    /// `arg=TEXT` (one more argument), and `tc=`, `movetime=`, `nodes=`,
    /// `depth=` for limits of its own (`tc=inf`: no clock; `proto=uci` may
    /// stand there too). Quotes group text with commas or blanks:
    /// `'cmd="/my engines/x" -u,name="A, B"'`
    #[arg(long = "engine", value_name = "KEY=VALUE,...", required = true, verbatim_doc_comment)]
    pub engines: Vec<String>,

    /// The rules that the arbiter applies. They are also told to engines that have such options;
    /// only rules can be set by --option here.
    #[command(flatten)]
    pub game: GameArgs,

    /// Time control `[MOVES/]SECONDS[+INCREMENT]`, as 2+0.02 or 40/60+0.5.
    #[arg(long, value_name = "TC", help_heading = "Limits")]
    pub tc: Option<String>,

    /// Milliseconds for each move, instead of a clock.
    #[arg(long, value_name = "MS", conflicts_with = "tc", help_heading = "Limits")]
    pub movetime: Option<String>,

    /// Nodes for each move.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub nodes: Option<String>,

    /// Depth for each move.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub depth: Option<String>,

    /// Games to play; with --sprt, at most so many.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        help_heading = "When the match and games end"
    )]
    pub games: u32,

    /// Games at once. More than half the cores with clocks makes time losses.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub concurrency: u16,

    /// File of openings, one FEN or EPD a line.
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub openings: Option<PathBuf>,

    /// Without a file: begin at every position that can stand on the board
    /// after so many plies [default: 2 in the chess games, 4 in Makhos]
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "openings",
        help_heading = "Openings",
        verbatim_doc_comment
    )]
    pub opening_plies: Option<u32>,

    /// Play every opening once, the first engine with White: for positions
    /// that are won for one side. Not with --sprt
    #[arg(long, conflicts_with = "sprt", help_heading = "Openings", verbatim_doc_comment)]
    pub no_swap: bool,

    /// Order of the openings. [default: sequential for files, random without]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Openings")]
    pub opening_order: Option<OpeningOrder>,

    /// Seed of the random order.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub seed: u64,

    /// End the match when one of two hypotheses about the first engine is
    /// accepted (pentanomial model, logistic Elo):
    /// `elo0=0,elo1=5[,alpha=0.05][,beta=0.05]`
    #[arg(
        long,
        value_name = "BOUNDS",
        help_heading = "When the match and games end",
        verbatim_doc_comment
    )]
    pub sprt: Option<String>,

    /// Give up lost games: `moves=N,score=CENTIPAWNS[,twosided=true]`.
    /// With `twosided`, the winning engine must agree
    #[arg(
        long,
        value_name = "RULE",
        help_heading = "When the match and games end",
        verbatim_doc_comment
    )]
    pub resign: Option<String>,

    /// Agree draws: `number=FULL MOVE,count=MOVES,score=CENTIPAWNS`.
    #[arg(long, value_name = "RULE", help_heading = "When the match and games end")]
    pub draw: Option<String>,

    /// Draw after so many full moves; 0 = never.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 500,
        help_heading = "When the match and games end"
    )]
    pub max_moves: u32,

    /// Milliseconds that a move may come too late. Use it on busy machines;
    /// what it saves is told
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 0,
        help_heading = "Limits",
        verbatim_doc_comment
    )]
    pub time_margin: u64,

    /// Milliseconds until an engine that does not answer counts as hung: at
    /// the start, after `isready`, and after `stop` when its time is up
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 15_000,
        help_heading = "Limits",
        verbatim_doc_comment
    )]
    pub answer_timeout: u64,

    /// Seconds until a search without a clock counts as hung.
    #[arg(long, value_name = "S", default_value_t = 600, help_heading = "Limits")]
    pub search_timeout: u64,

    /// Hash of every engine that has the option, in MiB.
    #[arg(long, value_name = "MIB")]
    pub hash: Option<u32>,

    /// Threads of every engine that has the option.
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,

    /// Append the games to a file: PGN, for Makhos PDN.
    #[arg(long, alias = "pdn", value_name = "FILE", help_heading = "Files and reports")]
    pub pgn: Option<PathBuf>,

    /// Text of the tag `Event` in that file.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "Engine match",
        help_heading = "Files and reports"
    )]
    pub event: String,

    /// Write everything that engines hear and say to a file.
    #[arg(long, value_name = "FILE", help_heading = "Files and reports")]
    pub log: Option<PathBuf>,

    /// Without a terminal: tell the standing after every so many games.
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Files and reports")]
    pub report_every: usize,
}

/// [`MatchArgs`], read and checked.
#[derive(Debug)]
pub(crate) struct MatchPlan {
    /// Game and rules.
    pub(crate) settings: Settings,
    /// Rule options as engines are told.
    pub(crate) rule_options: Vec<(String, String)>,
    /// The engines.
    pub(crate) engines: [EngineSpec; 2],
    /// Their limits.
    pub(crate) limits: [SearchLimits; 2],
    /// When to end games early.
    pub(crate) adjudication: Adjudication,
    /// The sequential test.
    pub(crate) sprt: Option<Sprt>,
    /// How long to wait for engines.
    pub(crate) patience: Patience,
}

fn fault(argument: &'static str) -> impl Fn(String) -> MatchError {
    move |fault| MatchError::Argument { argument, fault }
}

impl MatchArgs {
    /// Reads what clap has left as text.
    pub(crate) fn plan(&self) -> Result<MatchPlan, MatchError> {
        let settings = self.game.settings().map_err(fault("option"))?;
        let rule_options = self.game.rule_options().map_err(fault("option"))?;
        let mut common = SearchLimits::default();
        let limits = [
            ("tc", &self.tc),
            ("movetime", &self.movetime),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ];
        for (key, value) in limits {
            if let Some(value) = value {
                common.set(key, value).map_err(fault(key))?;
            }
        }
        let engines: [EngineSpec; 2] = self
            .engines
            .iter()
            .map(|text| EngineSpec::parse(text).map_err(fault("engine")))
            .collect::<Result<Vec<_>, _>>()?
            .try_into()
            .map_err(|_| fault("engine")("give it exactly twice".into()))?;
        let limits = [&engines[0], &engines[1]].map(|engine| engine.limits.or(common));
        if !limits.iter().all(SearchLimits::is_limited) {
            return Err(fault("tc")(
                "every engine needs a limit: --tc, --movetime, --nodes or --depth".into(),
            ));
        }
        if self.games == 0 {
            return Err(fault("games")("must not be 0".into()));
        }
        if self.concurrency == 0 {
            return Err(fault("concurrency")("must not be 0".into()));
        }
        let resign = self.resign.as_deref().map(ResignRule::parse);
        let draw = self.draw.as_deref().map(DrawRule::parse);
        let sprt = self.sprt.as_deref().map(Sprt::parse);
        Ok(MatchPlan {
            settings,
            rule_options,
            engines,
            limits,
            adjudication: Adjudication {
                resign: resign.transpose().map_err(fault("resign"))?,
                draw: draw.transpose().map_err(fault("draw"))?,
                max_moves: self.max_moves,
            },
            sprt: sprt.transpose().map_err(fault("sprt"))?,
            patience: Patience {
                answer: Duration::from_millis(self.answer_timeout),
                search: Duration::from_secs(self.search_timeout),
            },
        })
    }
}
