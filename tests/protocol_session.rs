//! Whole games and other sessions with the real program in every protocol but UCI, which has tests of its
//! own, and in UCI as well-known front ends speak it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers outside test functions may fail loudly too"
)]

#[allow(dead_code)]
#[path = "uci_session/harness.rs"]
mod harness;

use engine::dispatch::GameRules;
use engine::referee::{AnyGame, new_game};
use harness::{Engine, words_after};
use movegen::Variant;

/// Plies after which a game is broken off.
const LONGEST: usize = 120;

fn game(variant: Variant) -> Box<dyn AnyGame> {
    new_game(GameRules::standard(variant))
}

/// Chance that is the same every time.
struct Chance(u64);

impl Chance {
    fn pick<'a>(&mut self, moves: &'a [String]) -> &'a str {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        &moves[(self.0 >> 33) as usize % moves.len()]
    }
}

fn last_word(lines: &[String]) -> String {
    lines.last().unwrap().rsplit(' ').next().unwrap().to_owned()
}

mod xboard {
    use super::*;

    fn start(variant: Variant) -> Engine {
        let mut engine = Engine::start();
        for line in ["xboard", "protover 2"] {
            engine.send(line);
        }
        let features = engine.wait_for("feature done=1");
        assert!(features.iter().any(|line| line.contains("variants=\"makruk,asean,makhos\"")));
        for line in ["accepted setboard", "accepted ping", "new", "easy"] {
            engine.send(line);
        }
        engine.send(&format!("variant {}", variant.name()));
        engine
    }

    /// A move of UCI as it is sent: captures of several pieces leg by leg.
    fn legs(variant: Variant, uci: &str) -> String {
        if variant != Variant::Makhos || uci.len() == 4 {
            return uci.to_owned();
        }
        let legs: Vec<&str> = (0..uci.len() / 2 - 1).map(|i| &uci[2 * i..2 * i + 4]).collect();
        legs.join(",")
    }

    /// The move of this line, as UCI has it.
    fn uci_of(line: &str) -> String {
        let legs: Vec<&str> = line.strip_prefix("move ").unwrap().split(',').collect();
        let mut text = legs[0].to_owned();
        legs[1..].iter().for_each(|leg| text.push_str(&leg[2..]));
        text
    }

    #[test]
    fn games_are_played_to_the_end() {
        for (variant, seed) in Variant::ALL.into_iter().zip(1..) {
            let mut engine = start(variant);
            let mut referee = game(variant);
            let mut chance = Chance(seed);
            for line in ["level 0 5 0", "sd 4", "post", "time 30000", "otim 30000"] {
                engine.send(line);
            }
            loop {
                let theirs = chance.pick(&referee.legal_moves()).to_owned();
                referee.play(&theirs).unwrap();
                engine.send(&format!("usermove {}", legs(variant, &theirs)));
                if referee.outcome().is_some() {
                    break;
                }
                let said = engine.wait_for("move ");
                assert!(said.iter().any(|line| line.starts_with("4 ") || line.starts_with("1 ")));
                referee.play(&uci_of(said.last().unwrap())).unwrap();
                if referee.outcome().is_some() || referee.moves().len() > LONGEST {
                    break;
                }
            }
            engine.send("ping 1");
            let said = engine.wait_for("pong 1");
            let results: Vec<&String> = said.iter().filter(|line| line.contains('{')).collect();
            match referee.outcome() {
                Some(outcome) => {
                    assert_eq!(results.len(), 1, "{said:?}");
                    assert!(results[0].starts_with(outcome.score_text()), "{said:?}");
                }
                None => assert!(results.is_empty(), "{said:?}"),
            }
            engine.send("quit");
            assert!(engine.wait_exit().0.success());
        }
    }

    /// Case S25: no moves per session, and little time left.
    #[test]
    fn a_level_without_sessions_divides_by_nothing() {
        let mut engine = start(Variant::Makruk);
        for line in
            ["new", "variant makruk", "level 0 5 0", "time 598", "otim 30000", "post", "easy"]
        {
            engine.send(line);
        }
        engine.send("usermove e3e4");
        let said = engine.wait_for("move ");
        assert!(!said.iter().any(|line| line.starts_with("Illegal")), "{said:?}");
        engine.send("ping 7");
        engine.wait_for("pong 7");
        // `new` alone is Makruk again.
        engine.send("variant asean");
        engine.send("new");
        engine.send("force");
        engine.send("usermove d1e2");
        engine.send("ping 8");
        let said = engine.wait_for("pong 8");
        assert!(!said.iter().any(|line| line.starts_with("Illegal")), "the king's leap: {said:?}");
    }

    #[test]
    fn it_thinks_on_the_opponents_time_and_claims_nothing_meanwhile() {
        let mut engine = start(Variant::Makruk);
        for line in ["hard", "post", "level 0 1 0", "sd 8", "usermove e3e4"] {
            engine.send(line);
        }
        engine.wait_for("move ");
        let mut hits = 0;
        for _ in 0..4 {
            engine.send("ping 1");
            engine.wait_for("pong 1");
            engine.send("hint");
            engine.send("ping 2");
            let hint = engine.wait_for("pong 2");
            let Some(hint) = hint.iter().find_map(|line| line.strip_prefix("Hint: ")) else {
                break;
            };
            hits += 1;
            let hint = hint.to_owned();
            engine.send(&format!("usermove {hint}"));
            let said = engine.wait_for("move ");
            assert!(!said.iter().any(|line| line.contains('{') || line.starts_with("Illegal")));
        }
        assert!(hits > 0);
        // One move before the mate the engine ponders on it, and says nothing.
        engine.send("force");
        engine.send("setboard 7k/8/5K2/8/8/8/R7/8 b - - 0 1");
        engine.send("usermove h8g8");
        engine.send("go");
        engine.wait_for("move ");
        let said = engine.listen(std::time::Duration::from_millis(300));
        assert!(!said.iter().any(|line| line.contains('{')), "{said:?}");
    }

    #[test]
    fn the_end_of_the_input_ends_what_begins_after_it() {
        for variant in Variant::ALL {
            let mut engine = start(variant);
            engine.send("hard");
            engine.send("sd 6");
            engine.send("go");
            // The engine moves after the end, and would go on to think on the opponent's time.
            engine.close_input();
            let (status, said) = engine.wait_exit();
            assert!(status.success());
            assert!(said.iter().any(|line| line.starts_with("move ")), "{said:?}");
        }
    }

    #[test]
    fn analysis_is_stopped_and_asked() {
        let mut engine = start(Variant::Asean);
        engine.send("analyze");
        engine.wait_for("3 ");
        engine.send(".");
        engine.wait_for("stat01: ");
        engine.send("usermove e3e4");
        engine.wait_for("3 ");
        for line in ["undo", "option MultiPV=2", "memory 2", "exit", "undo"] {
            engine.send(line);
        }
        engine.send("ping 3");
        let said = engine.wait_for("pong 3");
        assert!(
            said.iter().any(|line| line.starts_with("Error (no move to take back)")),
            "{said:?}"
        );
        assert!(!said.iter().any(|line| line.starts_with("move ")), "{said:?}");
        engine.send("frobnicate");
        engine.wait_for("Error (unknown command): frobnicate");
        engine.send("usermove e3e9");
        engine.wait_for("Illegal move: e3e9");
    }
}

mod usi {
    use super::*;

    /// Squares of one protocol in those of the other.
    fn exchange(text: &str) -> String {
        let square = |c: char| match c {
            'a'..='h' => char::from(b'8' - (c as u8 - b'a')),
            '1'..='8' => char::from(b'h' - (c as u8 - b'1')),
            other => other,
        };
        // Promotions keep their letter.
        let (squares, rest) = text.split_at(text.len() / 2 * 2);
        squares.chars().map(square).collect::<String>() + rest
    }

    #[test]
    fn games_are_played_to_the_end() {
        for (variant, seed) in Variant::ALL.into_iter().zip(11..) {
            let mut engine = Engine::start();
            engine.send("usi");
            let said = engine.wait_for("usiok");
            assert!(said.iter().any(|line| line.starts_with("option name UCI_Variant type combo")));
            engine.send(&format!("setoption name USI_Variant value {}", variant.name()));
            engine.send("isready");
            engine.wait_for("readyok");
            engine.send("usinewgame");
            let mut referee = game(variant);
            let mut chance = Chance(seed);
            let mut moves = Vec::new();
            while referee.outcome().is_none() && moves.len() < LONGEST {
                let uci = if moves.len().is_multiple_of(2) {
                    engine.send(&format!("position startpos moves {}", moves.join(" ")));
                    engine.send("go btime 0 wtime 0 byoyomi 10");
                    let said = engine.wait_for("bestmove ");
                    let usi = said.last().unwrap().split(' ').nth(1).unwrap().to_owned();
                    exchange(&usi)
                } else {
                    chance.pick(&referee.legal_moves()).to_owned()
                };
                referee.play(&uci).unwrap_or_else(|error| panic!("{variant:?}: {error}"));
                moves.push(exchange(&uci));
            }
            engine.send("gameover draw");
            engine.send("quit");
            assert!(engine.wait_exit().0.success());
        }
    }

    #[test]
    fn a_lost_game_is_resigned_and_mates_are_plies() {
        let mut engine = Engine::start();
        engine.send("usi");
        engine.send("position sfen 7k/8/5K2/8/8/8/8/R7 b - 1");
        engine.send("go depth 8");
        let said = engine.wait_for("bestmove ");
        assert!(said.iter().any(|line| line.contains("score mate 3 ")), "{said:?}");
        engine.send("position sfen R6k/8/6K1/8/8/8/8/8 w - 1");
        engine.send("go depth 3");
        assert_eq!(last_word(&engine.wait_for("bestmove ")), "resign");
        engine.send("go mate 1000");
        engine.wait_for("checkmate notimplemented");
    }
}

mod hub {
    use super::*;

    const START: &str = "Wbbbbbbbbeeeeeeeeeeeeeeeewwwwwwww";

    /// A move of UCI as Hub writes it.
    fn written(uci: &str, referee: &dyn AnyGame) -> String {
        // Numbers of the squares, row by row from the upper left.
        let number = |square: &[u8]| {
            let (file, rank) = (square[0] - b'a', square[1] - b'1');
            u32::from((7 - rank) * 4 + file / 2 + 1)
        };
        let squares: Vec<&[u8]> = uci.as_bytes().chunks(2).collect();
        let (from, to) = (number(squares[0]), number(squares[squares.len() - 1]));
        let before = referee.board().cells;
        let mut after = game(Variant::Makhos);
        let start = engine::command::StartPosition::Fen(referee.board().fen);
        let moves = vec![uci.to_owned()];
        after.set_position(&engine::command::PositionRequest { start, moves }).unwrap();
        let after = after.board().cells;
        let mut text = String::new();
        for rank in (0..8).rev() {
            for file in 0..8 {
                let gone = before[rank][file].is_some() && after[rank][file].is_none();
                let square = [b'a' + file as u8, b'1' + rank as u8];
                if gone && square != squares[0] {
                    text += &format!("x{}", number(&square));
                }
            }
        }
        if text.is_empty() { format!("{from}-{to}") } else { format!("{from}x{to}{text}") }
    }

    #[test]
    fn a_game_is_played_to_the_end() {
        let mut engine = Engine::start();
        engine.send("hub");
        let said = engine.wait_for("wait");
        assert!(said[0].starts_with("id name=\"Hanuman "), "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("param name=variant value=thai ")));
        for line in ["set-param name=variant value=makhos", "set-param name=Hash value=4", "init"] {
            engine.send(line);
        }
        engine.wait_for("ready");
        engine.send("new-game");
        engine.send("level depth=6");
        let mut referee = game(Variant::Makhos);
        let mut chance = Chance(5);
        let mut moves: Vec<String> = Vec::new();
        while referee.outcome().is_none() && moves.len() < LONGEST {
            let uci = if moves.len().is_multiple_of(2) {
                engine.send(&format!("pos pos={START} moves=\"{}\"", moves.join(" ")));
                engine.send("go think");
                let said = engine.wait_for("done");
                assert!(said.iter().any(|line| line.starts_with("info depth=")), "{said:?}");
                let done = said.last().unwrap();
                let told = done.split("move=").nth(1).unwrap().split(' ').next().unwrap();
                let legal = referee.legal_moves();
                let meant = legal.iter().find(|uci| written(uci, &*referee) == told);
                meant.unwrap_or_else(|| panic!("{done} is none of {legal:?}")).clone()
            } else {
                chance.pick(&referee.legal_moves()).to_owned()
            };
            moves.push(written(&uci, &*referee));
            referee.play(&uci).unwrap();
        }
        engine.send("quit");
        assert!(engine.wait_exit().0.success());
    }

    #[test]
    fn analysis_ponder_and_nonsense() {
        let mut engine = Engine::start();
        for line in ["hub", "init", "level infinite", "go analyze"] {
            engine.send(line);
        }
        engine.wait_for("info depth=4 ");
        engine.send("ping");
        engine.wait_for("pong");
        engine.send("stop");
        engine.wait_for("done move=");
        for line in ["level move-time=0.05", "go ponder"] {
            engine.send(line);
        }
        engine.wait_for("info depth=4 ");
        engine.send("ponder-hit");
        engine.wait_for("done move=");
        for line in ["pos pos=nonsense", "pos moves=\"1-2\"", "level depth=x", "quote \"", "fly"] {
            engine.send(line);
            engine.wait_for("error message=\"");
        }
    }
}

/// The line has everything that front ends read out of it.
fn complete(line: &str) -> bool {
    let number = |word: &str| words_after(line, word, 1).parse::<i64>().is_ok();
    ["depth", "nodes", "nps", "time"].into_iter().all(number)
        && (line.contains(" score cp ") || line.contains(" score mate "))
        && line.contains(" pv ")
}

#[test]
fn fairyfishnet_gets_what_it_reads() {
    let mut engine = Engine::start();
    engine.send("uci");
    let said = engine.wait_for("uciok");
    let variants = said.iter().find(|line| line.contains("option name UCI_Variant type combo"));
    assert!(variants.unwrap().ends_with("var makruk var asean var makhos"));
    for option in [
        "UCI_AnalyseMode value true",
        "UCI_Chess960 value false",
        "Threads value 1",
        "Hash value 16",
        "Use NNUE value true",
        "EvalFile value <built-in>",
        "UCI_Variant value makruk",
    ] {
        engine.send(&format!("setoption name {option}"));
    }
    assert!(!engine.sync().iter().any(|line| line.contains("there is no option")));
    engine.send("ucinewgame");
    // Analysis of every position of a game, from its end.
    let fen = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1";
    let moves = ["e3e4", "e6e5", "d3d4", "d6d5"];
    for played in (0..=moves.len()).rev() {
        engine.send(&format!("position fen {fen} moves {}", moves[..played].join(" ")));
        let answer = engine.go("go nodes 5000 movetime 4000");
        assert!(complete(answer.last_info()), "{answer:?}");
    }
    // A move for a weak level.
    engine.send("setoption name UCI_AnalyseMode value false");
    engine.send("setoption name Skill Level value -9");
    engine.send(&format!("position fen {fen} moves"));
    let answer = engine.go("go movetime 50 depth 1 wtime 60000 btime 60000 winc 0 binc 0");
    assert!(complete(answer.last_info()), "{answer:?}");
}

#[test]
fn pychess_gets_what_it_reads() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.wait_for("uciok");
    for option in [
        "UCI_Variant value asean",
        "UCI_Chess960 value false",
        "MultiPV value 3",
        "Skill Level value 20",
    ] {
        engine.send(&format!("setoption name {option}"));
    }
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("position fen rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1 moves e3e4");
    engine.send("go depth 99");
    engine.wait_for("info depth 5 ");
    engine.send("stop");
    let answer = engine.answer();
    let lines = answer.exact_infos();
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:?}");
    assert!(lines.iter().all(|line| complete(line)), "{lines:?}");
    engine.send("go movetime 90000 depth 4");
    engine.answer();
}

#[test]
fn book_moves_are_played_at_once_and_only_where_they_are_wanted() {
    for variant in Variant::ALL {
        let mut engine = Engine::playing(variant.name());
        engine.send("position startpos");
        let searched = engine.go("go depth 2");
        assert!(!searched.notes().contains(&"a move of the book"));
        engine.send("setoption name OwnBook value true");
        for _ in 0..5 {
            let answer = engine.go("go depth 30");
            assert!(answer.notes().contains(&"a move of the book"), "{answer:?}");
            assert!(complete(answer.last_info()), "{answer:?}");
        }
        engine.send("go infinite");
        engine.expect_no_answer(std::time::Duration::from_millis(50));
        engine.send("stop");
        engine.answer();
        for line in ["setoption name BookFile value /no/such/book", "go depth 30"] {
            engine.send(line);
        }
        let answer = engine.answer();
        assert!(answer.notes().iter().any(|note| note.contains("/no/such/book")), "{answer:?}");
        assert!(answer.notes().contains(&"a move of the book"), "the book stays");
        engine.send("setoption name BookDepth value 1");
        let moves = engine.ask("moves").pop().unwrap();
        let first = moves.split(' ').next().unwrap().to_owned();
        engine.send(&format!("position startpos moves {first}"));
        engine.go("go depth 2");
    }
}
