//! `hanuman doctor`: what this installation has, and whether it works.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanBytes;
use movegen::{GameRecord, Position as _, Variant};
use search::eval::nnue;
use search::{Game, Limits, NoObserver, SearchOptions, Searcher, Signals};
use thiserror::Error;

use crate::book::Books;
use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};
use crate::endgame;
use crate::networks::Networks;
use crate::session::game_name;
use crate::workers::cores;

/// Show what this installation has, and check that it works
#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// As the option TablePath
    #[arg(long, value_name = "FOLDERS", default_value = endgame::BUILT_IN)]
    tables: String,
    /// As the option EvalFile
    #[arg(long, value_name = "FILE", default_value = crate::networks::BUILT_IN)]
    network: String,
}

/// What is wrong with an installation.
#[derive(Debug, Error)]
pub enum DoctorError {
    /// Output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something does not work; it has been named.
    #[error("{} found", crate::report::plural(*.0, "fault"))]
    Faults(usize),
}

/// Leaves of the start positions' move trees: depth and number.
const PERFT: [(Variant, u32, u64); 3] =
    [(Variant::Makruk, 4, 273_026), (Variant::Asean, 4, 273_026), (Variant::Makhos, 6, 218_695)];
/// Positions with a mate in three moves, or a win.
const WON: [(Variant, &str); 3] = [
    (Variant::Makruk, "8/7k/5K2/8/8/8/R7/8 w - - 0 1"),
    (Variant::Asean, "8/7k/5K2/8/8/8/R7/8 w - - 0 1"),
    (Variant::Makhos, "W:W18:B15"),
];
/// Scores from here on are won games.
const WINNING: i32 = 20_000;
/// How long each game is searched for its speed.
const SEARCH: Duration = Duration::from_millis(200);

/// Says what there is and checks it.
///
/// # Errors
/// If something does not work.
pub fn run(args: &DoctorArgs) -> Result<(), DoctorError> {
    let mut out = io::stdout();
    let mut faults = 0;
    writeln!(out, "Hanuman {}", env!("CARGO_PKG_VERSION"))?;
    let cores = cores();
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    writeln!(out, "System: {os}, {arch}, {cores} cores; {}", nnue::instruction_set())?;
    let mut networks = Networks::default();
    if let Err(error) = networks.choose(&args.network) {
        faults += 1;
        writeln!(out, "FAULT: EvalFile '{}' {error}", args.network)?;
    }
    for variant in Variant::ALL {
        writeln!(out, "{}: {}", game_name(variant), networks.describe(variant))?;
    }
    let (tables, unread) = endgame::open(&args.tables);
    let bytes: u64 = tables.files().map(tables::file::TableFile::size).sum();
    let number = tables.files().count();
    writeln!(out, "Endgame tables: {number}, {}", HumanBytes(bytes))?;
    for fault in &unread {
        writeln!(out, "FAULT: {fault}")?;
    }
    faults += unread.len();
    let books = Books::default();
    for variant in Variant::ALL {
        let moves = books.of(variant).map_or(0, |book| book.all().len());
        writeln!(out, "Book of {}: {moves} moves", game_name(variant))?;
    }
    let begun = Instant::now();
    for variant in Variant::ALL {
        let check = Check { variant, networks: &networks };
        for line in with_game(GameRules::standard(variant), check) {
            match line {
                Ok(good) => writeln!(out, "{good}")?,
                Err(fault) => {
                    faults += 1;
                    writeln!(out, "FAULT: {fault}")?;
                }
            }
        }
    }
    writeln!(out, "Checked in {:.1} s", begun.elapsed().as_secs_f64())?;
    if faults > 0 {
        return Err(DoctorError::Faults(faults));
    }
    Ok(writeln!(out, "All is well.")?)
}

struct Check<'a> {
    variant: Variant,
    networks: &'a Networks,
}

impl GameVisitor for Check<'_> {
    type Output = Vec<Result<String, String>>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let name = game_name(self.variant);
        let start = PosOf::<G>::start(rules);
        let mut lines = Vec::new();
        for (_, depth, leaves) in PERFT.iter().filter(|(variant, ..)| *variant == self.variant) {
            let found = start.perft(*depth);
            lines.push(if found == *leaves {
                Ok(format!("{name}: perft {depth} is {found}, as it should be"))
            } else {
                Err(format!("{name}: perft {depth} is {found}, not {leaves}"))
            });
        }
        let options = SearchOptions::default();
        let mut searcher = Searcher::<G>::new(options);
        // It plays the same game.
        let _ = searcher.set_network(self.networks.network(self.variant));
        for (_, fen) in WON.iter().filter(|(variant, _)| *variant == self.variant) {
            let won = PosOf::<G>::from_fen(fen, rules).is_ok_and(|position| {
                let limits = Limits { depth: Some(8), ..Limits::default() };
                let record = GameRecord::new(position);
                let answer = searcher.search(&record, &limits, &Signals::new(), &mut NoObserver);
                answer.info.score.0 >= WINNING
            });
            lines.push(if won {
                Ok(format!("{name}: a won ending is won"))
            } else {
                Err(format!("{name}: the search does not win {fen}"))
            });
        }
        let limits = Limits { move_time: Some(SEARCH), ..Limits::default() };
        let record = GameRecord::new(start);
        let info = searcher.search(&record, &limits, &Signals::new(), &mut NoObserver).info;
        lines.push(Ok(format!("{name}: depth {} and {} nodes a second", info.depth, info.nps())));
        lines
    }
}
