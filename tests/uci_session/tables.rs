//! `TablePath`: endgame tables from folders, and what happens to files that are none.

use std::fs;

use tables::Tables;

use crate::folder::Folder;
use crate::harness::{Engine, notes};

fn put(folder: &Folder, name: &str, content: &[u8]) {
    fs::write(folder.file(name), content).unwrap();
}

/// A won rook ending, and the nodes that are not enough to see it.
const WON: &str = "position fen 8/3k4/8/3K4/8/8/R7/8 w - 32 8 50";

fn score(engine: &mut Engine) -> String {
    engine.send(WON);
    engine.go("go nodes 1").score()
}

#[test]
fn tables_inside_the_program_are_asked_unless_they_are_switched_off() {
    let mut engine = Engine::playing("makruk");
    assert!(score(&mut engine).starts_with("mate "));
    assert_eq!(
        notes(&engine.ask("setoption name TablePath value none")),
        ["0 endgame tables are open, 0 B"]
    );
    assert!(score(&mut engine).starts_with("cp "));
    // The choice outlives a change of rules and a new game.
    engine.ask("setoption name RuleSet value cutechess");
    engine.ask("ucinewgame");
    assert!(score(&mut engine).starts_with("cp "));
    engine.ask("setoption name TablePath value <built-in>");
    assert!(score(&mut engine).starts_with("mate "));
    engine.ask("setoption name TablePath value");
    assert!(score(&mut engine).starts_with("mate "));
}

#[test]
fn hits_are_told() {
    let mut engine = Engine::playing("makruk");
    engine.send(WON);
    let answer = engine.go("go depth 3");
    assert!(!answer.last_info().contains(" tbhits 0"), "{}", answer.last_info());
}

/// The bytes of a table inside the program, as a file would hold them.
fn table_bytes(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/embedded/");
    fs::read(format!("{folder}{name}")).unwrap()
}

#[test]
fn files_that_are_no_tables_are_named_and_left_alone() {
    let whole = table_bytes("chess-KRvK.table");
    let mut changed = whole.clone();
    changed[60] ^= 1;
    let faults: [(&str, &[u8], &str); 6] = [
        ("empty", &[], "not a table"),
        ("foreign", b"something else altogether", "not a table"),
        ("cut", &whole[..whole.len() - 1], "cut off"),
        ("short", &whole[..10], "cut off"),
        ("changed", &changed, "damaged"),
        ("named", &whole, "holds"),
    ];
    for (kind, bytes, said) in faults {
        let folder = Folder::new();
        let name = if kind == "named" { "chess-KSvK.table" } else { "chess-KRvK.table" };
        put(&folder, name, bytes);
        put(&folder, "readme.txt", b"no table, and not asked");
        let mut engine = Engine::playing("makruk");
        let path = format!("setoption name TablePath value {}", folder.name());
        let answer = engine.ask(&path);
        let told = notes(&answer);
        assert_eq!(told.len(), 2, "{kind}: {told:?}");
        assert!(told[0].contains(name) && told[0].contains(said), "{kind}: {told:?}");
        // The one inside the program serves.
        assert!(score(&mut engine).starts_with("mate "), "{kind}");
    }
    let mut engine = Engine::playing("makruk");
    let answer = engine.ask("setoption name TablePath value /no/such/folder");
    assert!(notes(&answer)[0].contains("/no/such/folder"), "{answer:?}");
    assert!(score(&mut engine).starts_with("mate "));
}

/// A block that has changed is found when it is read, said once, and the game goes on.
#[test]
fn a_block_that_has_changed_is_told_once() {
    let folder = Folder::new();
    let mut bytes = table_bytes("chess-KRvK.table");
    let header = bytes.len() / 2;
    for byte in &mut bytes[header..] {
        *byte ^= 0xFF;
    }
    put(&folder, "chess-KRvK.table", &bytes);
    let mut engine = Engine::playing("makruk");
    let path = format!("setoption name TablePath value {}", folder.name());
    assert_eq!(notes(&engine.ask(&path)).len(), 1);
    let mut told = 0;
    for king in ["1K6", "2K5", "3K4", "6K1", "7K"] {
        engine.send(&format!("position fen 8/3k4/8/8/8/8/R7/{king} w - 32 10 50"));
        let answer = engine.go("go depth 4");
        told += answer.notes().iter().filter(|note| note.contains("damaged")).count();
    }
    assert_eq!(told, 1);
}

#[test]
fn several_folders_are_looked_through_in_order() {
    let (first, second) = (Folder::new(), Folder::new());
    put(&first, "chess-KRvK.table", &table_bytes("chess-KRvK.table"));
    put(&second, "chess-KRvK.table", &table_bytes("chess-KRvK.table"));
    put(&second, "makhos-KvK.table", &table_bytes("makhos-KvK.table"));
    let (tables, faults) = Tables::open_files(&[first.path().to_owned(), second.path().to_owned()]);
    assert!(faults.is_empty(), "{faults:?}");
    let folders: Vec<_> = tables.files().map(|f| f.path().parent().unwrap().to_owned()).collect();
    assert_eq!(folders, [first.path().to_owned(), second.path().to_owned()]);
    let both = std::env::join_paths([first.path(), second.path()]).unwrap();
    let mut engine = Engine::playing("makruk");
    let answer = engine.ask(&format!("setoption name TablePath value {}", both.display()));
    assert!(notes(&answer)[0].contains("endgame tables are open"), "{answer:?}");
}
