//! `hanuman datagen`: the same games whatever happens on the way, and games that are games.

#![allow(clippy::unwrap_used)]

#[path = "common/folder.rs"]
mod folder;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use engine::datagen::games::{GameFile, NO_SCORE};
use engine::datagen::{keeps, replay};
use engine::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};
use movegen::{GameRecord, Position, Variant};
use search::Game;

use folder::Folder;

fn datagen(out: &Path, variant: &str, games: u32, threads: u32, seed: u32) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hanuman"))
        .args(["datagen", "--nodes", "60", "--variant", variant, "--out"])
        .arg(out)
        .args(["--games", &games.to_string(), "--threads", &threads.to_string()])
        .args(["--seed", &seed.to_string()])
        .output()
        .unwrap()
}

fn made(out: &Path, variant: &str, games: u32, threads: u32, seed: u32) -> Vec<u8> {
    let output = datagen(out, variant, games, threads, seed);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(out).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let folder = Folder::new();
    for variant in ["makruk", "asean", "makhos"] {
        let one = made(&folder.file("one"), variant, 6, 1, 3);
        let two = made(&folder.file("two"), variant, 6, 3, 3);
        assert!(one == two, "{variant}");
        let other = made(&folder.file("other"), variant, 6, 1, 4);
        assert!(one != other, "{variant}");
        for name in ["one", "two", "other"] {
            fs::remove_file(folder.file(name)).unwrap();
        }
    }
}

#[test]
fn a_broken_run_goes_on_where_it_stopped() {
    let folder = Folder::new();
    let whole = made(&folder.file("whole"), "makhos", 12, 1, 9);
    let header = GameFile::open(&whole[..]).unwrap().offset() as usize;
    let out = folder.file("part");
    for length in [header, header + 3, header + 100, whole.len() / 2, whole.len() - 1, whole.len()]
    {
        fs::write(&out, &whole[..length]).unwrap();
        assert!(made(&out, "makhos", 12, 2, 9) == whole, "cut to {length}");
    }
    // A damaged game is made again, and so is all that follows.
    let mut damaged = whole.clone();
    damaged[header + 30] ^= 4;
    fs::write(&out, damaged).unwrap();
    assert!(made(&out, "makhos", 12, 1, 9) == whole);
    // Fewer games than there are: nothing is lost.
    assert!(made(&out, "makhos", 5, 1, 9) == whole);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new();
    let out = folder.file("games");
    let before = made(&out, "makhos", 2, 1, 1);
    for (variant, seed) in [("makhos", 2), ("asean", 1)] {
        let output = datagen(&out, variant, 3, 1, seed);
        assert!(!output.status.success());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("other settings") && told.contains("games"), "{told}");
        assert!(fs::read(&out).unwrap() == before);
    }
    for text in [&b"some notes of mine"[..], b"HNGAMES1", b"HNGAMES1\xff\xff\xff\xff"] {
        fs::write(&out, text).unwrap();
        let output = datagen(&out, "makhos", 3, 1, 1);
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("no file of games"));
        assert_eq!(fs::read(&out).unwrap(), text);
    }
    let nowhere = datagen(&folder.file("no/such/folder"), "makhos", 1, 1, 1);
    assert!(!nowhere.status.success());
}

/// Plays every stored game again beside a game record.
struct Check<'a>(&'a [u8]);

impl GameVisitor for Check<'_> {
    type Output = usize;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> usize {
        let mut file = GameFile::open(self.0).unwrap();
        let mut kept = 0;
        while let Some(game) = file.next_game().unwrap() {
            let mut record = GameRecord::new(PosOf::<G>::start(rules));
            replay::<PosOf<G>>(&game, rules, |position, m, score, ply| {
                assert_eq!(position, record.position());
                assert!(position.is_legal(m) && record.outcome().is_none());
                assert_eq!(score == NO_SCORE, ply < usize::from(game.random_plies));
                kept += usize::from(keeps(position, m, score.into(), ply));
                record.play(m);
            })
            .unwrap();
            if let Some(outcome) = record.outcome() {
                let result = match outcome.score_text() {
                    "1-0" => 1,
                    "0-1" => -1,
                    _ => 0,
                };
                assert_eq!(game.result, result);
            }
            let mut other = game.clone();
            other.last_key ^= 1;
            assert!(replay::<PosOf<G>>(&other, rules, |_, _, _, _| {}).is_err());
            if let Some(ply) = other.plies.last_mut() {
                ply.tag = 0;
            }
            assert!(replay::<PosOf<G>>(&other, rules, |_, _, _, _| {}).is_err());
        }
        kept
    }
}

#[test]
fn stored_games_are_games() {
    let folder = Folder::new();
    for variant in [Variant::Makruk, Variant::Asean, Variant::Makhos] {
        let bytes = made(&folder.file(variant.name()), variant.name(), 8, 2, 5);
        let kept = with_game(GameRules::standard(variant), Check(&bytes));
        assert!(kept > 100, "{} keeps {kept} positions", variant.name());
    }
}
