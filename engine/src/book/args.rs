//! The command line of `hanuman book`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use movegen::{Position as _, Variant};
use search::{Game, Signals};

use super::choice::{BUILT_IN, Books};
use super::grow::Growth;
use super::{Book, BookError, gather};
use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};
use crate::endgame;
use crate::game_args::{GameArgs, parse_variant};
use crate::networks::Networks;
use crate::report::plural;
use crate::workers::cores;

/// Make and read opening books
#[derive(Args, Debug)]
pub struct BookArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make a book: from games, or by searching
    Build(BuildArgs),
    /// The book moves of a position
    Show(ShowArgs),
}

#[derive(Args, Debug)]
struct BuildArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Games, PGN or PDN; without any the book is
    /// grown by searching
    #[arg(value_name = "FILE", verbatim_doc_comment)]
    games: Vec<PathBuf>,
    /// The book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Length of the book [default: 20 from games,
    /// 7 grown]
    #[arg(long, verbatim_doc_comment, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: Option<u16>,
    /// From games: leave out what was played
    /// more rarely
    #[arg(long, verbatim_doc_comment, default_value_t = 2, value_name = "N")]
    min_games: u32,
    /// Grown: nodes for every position
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Grown: leave out what is worse than the best move
    /// by more centipawns
    #[arg(long, default_value_t = 15, value_name = "CP", verbatim_doc_comment,
        value_parser = clap::value_parser!(u16).range(0..=1000))]
    margin: u16,
    /// Grown: most moves of a position
    #[arg(long, default_value_t = 4, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=50))]
    width: u16,
    /// Grown: positions at a time [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// makruk, asean or makhos
    #[arg(long, default_value = "makruk", value_parser = parse_variant)]
    variant: Variant,
    /// As the option BookFile
    #[arg(long, value_name = "FILE", default_value = BUILT_IN)]
    book: String,
    /// The position; the start position if left out
    #[arg(long)]
    fen: Option<String>,
}

/// Does what the arguments say.
///
/// # Errors
/// What went wrong.
pub fn run(args: &BookArgs) -> Result<(), BookError> {
    match &args.command {
        Command::Build(args) => build(args),
        Command::Show(args) => show(args),
    }
}

fn build(args: &BuildArgs) -> Result<(), BookError> {
    let settings = args.game.settings().map_err(BookError::Argument)?;
    let (mut games, mut left_out) = (0, 0);
    let book = if args.games.is_empty() {
        let signals = Arc::new(Signals::new());
        let stop = Arc::clone(&signals);
        // Without a handler it is only less polite.
        let _ = ctrlc::set_handler(move || stop.stop());
        let mut networks = Networks::default();
        networks
            .choose(&settings.eval_file)
            .map_err(|error| BookError::Argument(format!("EvalFile: {error}")))?;
        let growth = Growth {
            variant: settings.variant,
            networks: &networks,
            tables: &endgame::open_aloud(&settings.table_path)?,
            plies: args.plies.unwrap_or(7).into(),
            nodes: args.nodes,
            margin: args.margin.into(),
            width: args.width.into(),
            threads: args.threads.map_or_else(cores, usize::from),
            signals: &signals,
        };
        with_game(settings.game_rules(), growth)
            .ok_or_else(|| BookError::Argument("interrupted".to_owned()))?
    } else {
        let plies = args.plies.unwrap_or(20).into();
        let book;
        (book, games, left_out) = gather::gather(&args.games, &settings, plies, args.min_games)?;
        book
    };
    if book.all().is_empty() {
        let why = if args.games.is_empty() {
            "no move is good enough for a book".to_owned()
        } else if games == left_out {
            "there is no game to make a book of".to_owned()
        } else {
            format!(
                "no move is good enough for a book: none was played with success in --min-games \
                 {} of {}",
                args.min_games,
                plural(games, "game")
            )
        };
        return Err(BookError::Argument(why));
    }
    let bytes = book.to_bytes();
    fs::write(&args.out, &bytes)
        .map_err(|error| BookError::File { path: args.out.clone(), error })?;
    let positions = book.all().chunk_by(|a, b| a.key == b.key).count();
    let moves = book.all().len();
    let path = args.out.display();
    let (moves, positions) = (plural(moves, "move"), plural(positions, "position"));
    writeln!(io::stdout(), "{path}: {moves} of {positions}")?;
    if left_out > 0 {
        let text = format!("{left_out} of {} were left out", plural(games, "game"));
        return Err(BookError::Argument(text));
    }
    Ok(())
}

fn show(args: &ShowArgs) -> Result<(), BookError> {
    let books = Books::open(&args.book)?;
    let empty = Book::new(args.variant, Vec::new());
    let book = books.of(args.variant).unwrap_or(&empty);
    if let Some(game) = books.replaced()
        && game != args.variant
    {
        let text = format!("{} is a book of {}", args.book, game.name());
        return Err(BookError::Argument(text));
    }
    with_game(GameRules::standard(args.variant), Show { args, book })
}

struct Show<'a> {
    args: &'a ShowArgs,
    book: &'a Book,
}

impl GameVisitor for Show<'_> {
    type Output = Result<(), BookError>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let position = match &self.args.fen {
            Some(fen) => PosOf::<G>::from_fen(fen, rules)?,
            None => PosOf::<G>::start(rules),
        };
        let moves: Vec<_> = self
            .book
            .moves(position.key())
            .iter()
            .filter_map(|m| Some((position.move_from_tag(m.tag)?, m.weight)))
            .collect();
        let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
        let mut out = io::stdout();
        if moves.is_empty() {
            writeln!(out, "The book does not know this position.")?;
        }
        for (m, weight) in moves {
            let percent = 100.0 * f64::from(weight) / f64::from(total.max(1));
            let (text, notation) = (position.move_text(m), position.notation(m));
            writeln!(out, "{text:<8} {notation:<8} {percent:5.1} %")?;
        }
        Ok(())
    }
}
