//! Whole runs, small enough for tests: from games to networks.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use engine::datagen::games::{NO_SCORE, Origin, StoredGame, StoredPly, write_game, write_header};
use engine::random::Random;
use movegen::chess::MakrukBoard;
use movegen::{ChessRules, Color, GameMove, GameRecord, Position, Variant};
use search::eval::nnue::{Features, Network};
use trainer::checkpoint;
use trainer::dataset::{Builder, Dataset};
use trainer::error::TrainerError;
use trainer::games::{add_files, is_record_file, read_records, write_records};
use trainer::run::{Folder, Run, Settings};
use trainer::synthetic::random_records;

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn dataset(variant: Variant) -> Dataset {
    let mut training = random_records(variant, 8000, 1);
    Random::new(1).shuffle(&mut training);
    Dataset { variant, training, held_out: random_records(variant, 500, 2) }
}

fn settings(seed: u64) -> Settings {
    Settings {
        hidden: 32,
        epochs: 8.0,
        superbatches: 4,
        batch: 500,
        rate: 5e-3,
        final_rate: 1e-4,
        decay: 0.01,
        lambda: 0.0,
        final_lambda: 0.1,
        seed,
    }
}

/// Trains to the end, or so many superbatches, and returns the bytes of all networks.
fn train(
    dataset: &Dataset,
    settings: Settings,
    folder: &Folder,
    threads: usize,
    superbatches: usize,
) -> Vec<Vec<u8>> {
    let mut run = Run::begin(dataset, settings, None, "made up".into(), threads).unwrap();
    let path = folder.checkpoint();
    if path.exists() {
        run = run.resume(&path, checkpoint::read(&path).unwrap(), threads).unwrap();
    }
    for _ in 0..superbatches {
        let Some(superbatch) = run.superbatch(|_| ()).unwrap() else { break };
        run.save(folder, superbatch.best).unwrap();
    }
    let files = [folder.best(), folder.last(), folder.checkpoint(), folder.curve()];
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn training_lowers_the_loss_of_held_out_positions() {
    for variant in Variant::ALL {
        let dataset = dataset(variant);
        let mut run = Run::begin(&dataset, settings(1), None, String::new(), 2).unwrap();
        let mut held_out = Vec::new();
        while let Some(superbatch) = run.superbatch(|_| ()).unwrap() {
            held_out.push(superbatch.row.held_out);
            assert!(superbatch.number == held_out.len() as u64 && superbatch.of == 4);
        }
        assert!(held_out.is_sorted_by(|a, b| a > b), "{}: {held_out:?}", variant.name());
        assert_eq!(run.done(), run.steps());
        assert_eq!(run.steps(), 128);
    }
}

#[test]
fn a_seed_gives_the_same_bytes_for_any_number_of_threads_and_after_a_kill() {
    let dataset = dataset(Variant::Makhos);
    let folder = |name| Folder::make(&scratch(name)).unwrap();
    let one = train(&dataset, settings(5), &folder("one"), 1, 99);
    let three = train(&dataset, settings(5), &folder("three"), 3, 99);
    assert!(one == three);
    let killed = folder("killed");
    train(&dataset, settings(5), &killed, 2, 1);
    train(&dataset, settings(5), &killed, 1, 2);
    assert!(train(&dataset, settings(5), &killed, 2, 99) == one);
    let other = train(&dataset, settings(6), &folder("other"), 1, 99);
    assert!(one[0] != other[0]);
    let network = Network::from_bytes(&one[0]).unwrap();
    assert_eq!((network.variant(), network.hidden()), (Variant::Makhos, 32));
    assert!(network.description().contains("data: made up"));
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let data = dataset(Variant::Makhos);
    let folder = Folder::make(&scratch("refused")).unwrap();
    train(&data, settings(5), &folder, 1, 1);
    let path = folder.checkpoint();
    let refused = |dataset: &Dataset, settings| {
        let run = Run::begin(dataset, settings, None, String::new(), 1).unwrap();
        match run.resume(&path, checkpoint::read(&path).unwrap(), 1) {
            Err(TrainerError::OtherRun { what, .. }) => what,
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(refused(&data, settings(6)), "settings");
    let mut less = data.clone();
    less.training.pop();
    assert_eq!(refused(&less, settings(5)), "data");
    let mut bytes = fs::read(&path).unwrap();
    for place in [0, 20, bytes.len() / 2, bytes.len() - 1] {
        bytes[place] ^= 4;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(checkpoint::read(&path), Err(TrainerError::Damaged { .. })));
        bytes[place] ^= 4;
    }
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(checkpoint::read(&path), Err(TrainerError::Damaged { .. })));
}

#[test]
fn a_run_may_begin_with_a_network() {
    let makruk = dataset(Variant::Makruk);
    let mut run = Run::begin(&makruk, settings(1), None, String::new(), 2).unwrap();
    while run.superbatch(|_| ()).unwrap().is_some() {}
    let network = run.network().unwrap();
    let path = Path::new("makruk.nnue");
    let asean = Dataset { variant: Variant::Asean, ..makruk.clone() };
    let begin = |init| Run::begin(&asean, settings(1), init, String::new(), 2).unwrap();
    let first = |mut run: Run| run.superbatch(|_| ()).unwrap().unwrap().row.held_out;
    let (from_network, from_nothing) = (first(begin(Some((path, &network)))), first(begin(None)));
    assert!(from_network < from_nothing, "{from_network} {from_nothing}");
    let makhos = dataset(Variant::Makhos);
    let init = Some((path, &network));
    let error = Run::begin(&makhos, settings(1), init, String::new(), 2).unwrap_err();
    assert_eq!(error.to_string(), "makruk.nnue: it is of makruk, not of makhos");
}

/// A game played at random, with its positions and scores.
fn random_game(number: u32) -> StoredGame {
    let mut record = GameRecord::new(MakrukBoard::start(ChessRules::STANDARD));
    let mut random = Random::new(number.into());
    let mut plies = Vec::new();
    while record.outcome().is_none() && plies.len() < 100 {
        let moves = record.position().legal_moves();
        let m = moves[random.below(moves.len())];
        let score = if plies.len() < 8 { NO_SCORE } else { 40 + plies.len() as i16 };
        plies.push(StoredPly { tag: m.tag(), score });
        record.play(m);
    }
    let last_key = record.position().key() as u32;
    StoredGame { number, last_key, random_plies: 8, result: 1, plies }
}

fn write_games(path: &Path, games: &[StoredGame]) {
    let origin = Origin {
        variant: "makruk".into(),
        rule_set: "standard".into(),
        options: Vec::new(),
        nodes: 1,
        random_plies: 8,
        seed: 1,
    };
    let mut bytes = Vec::new();
    write_header(&mut bytes, &origin).unwrap();
    games.iter().for_each(|game| write_game(&mut bytes, game).unwrap());
    fs::write(path, bytes).unwrap();
}

#[test]
fn games_become_records() {
    let folder = scratch("games");
    let path = folder.join("a.games");
    let games: Vec<StoredGame> = (0..20).map(random_game).collect();
    write_games(&path, &games);
    let build = |files: &[PathBuf]| {
        let mut builder = Builder::new(Variant::Makruk, 0.2, 3);
        let warnings = add_files(&mut builder, Variant::Makruk, files).unwrap();
        (builder.finish(), warnings)
    };
    let ((dataset, report), warnings) = build(std::slice::from_ref(&path));
    assert!(warnings.is_empty());
    assert_eq!(report.games, 20);
    assert_eq!(report.positions, games.iter().map(|game| game.plies.len() as u64).sum::<u64>());
    assert!((1..20).contains(&report.games_held_out));
    assert!(report.records[0] > 200 && report.records[1] > 20);
    for record in dataset.training.iter().chain(&dataset.held_out) {
        // White won every game; the score tells the ply, and the ply who moves.
        assert_eq!(record.result(), if record.mover() == Color::White { 1 } else { -1 });
        assert_eq!(record.score(), 40 + record.ply() as i16);
        assert_eq!(record.mover() == Color::White, record.ply() % 2 == 0);
        let planes = record.planes::<<MakrukBoard as Features>::Planes>();
        assert!(planes[5].count_ones() == 1 && planes[11].count_ones() == 1);
    }
    // The same games once more are all duplicates; a game cut off costs itself alone.
    let whole = fs::read(&path).unwrap();
    let cut = folder.join("cut.games");
    fs::write(&cut, &whole[..whole.len() - 5]).unwrap();
    let ((again, report), warnings) = build(&[path.clone(), cut.clone()]);
    assert_eq!(again, dataset);
    assert_eq!(report.games, 39);
    assert_eq!(
        warnings,
        [format!(
            "{}: game 19 at byte {} is cut off; the games before it are used",
            cut.display(),
            whole.len() - 8 - 10 - 4 * games[19].plies.len()
        )]
    );
    // Records survive a file, and a file that was changed is refused.
    let records = folder.join("a.records");
    write_records(&records, &dataset).unwrap();
    assert!(is_record_file(&records).unwrap() && !is_record_file(&path).unwrap());
    assert_eq!(read_records(&records, Variant::Makruk).unwrap(), dataset);
    let error = read_records(&records, Variant::Makhos).unwrap_err();
    assert!(matches!(error, TrainerError::WrongGame { .. }), "{error}");
    let mut bytes = fs::read(&records).unwrap();
    let length = bytes.len();
    for place in [3, 12, 17, 40, 32 + 27, length - 1] {
        bytes[place] ^= 1;
        fs::write(&records, &bytes).unwrap();
        assert!(read_records(&records, Variant::Makruk).is_err(), "{place}");
        bytes[place] ^= 1;
    }
    fs::write(&records, &bytes[..length - 1]).unwrap();
    assert!(read_records(&records, Variant::Makruk).is_err());
}

#[test]
fn games_of_another_game_or_with_wrong_moves_are_refused() {
    let folder = scratch("wrong");
    let path = folder.join("a.games");
    let mut game = random_game(0);
    write_games(&path, std::slice::from_ref(&game));
    let add = |variant| {
        let mut builder = Builder::new(variant, 0.0, 1);
        add_files(&mut builder, variant, std::slice::from_ref(&path))
    };
    assert!(add(Variant::Makruk).is_ok());
    assert!(matches!(add(Variant::Asean), Err(TrainerError::WrongGame { .. })));
    game.plies[20].tag ^= 0x0fff;
    write_games(&path, std::slice::from_ref(&game));
    assert!(matches!(add(Variant::Makruk), Err(TrainerError::Replay { .. })));
}
