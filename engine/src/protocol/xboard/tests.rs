use std::time::Duration;

use super::*;
use crate::command::GoRequest;

/// A protocol after these lines, and all that it has said.
fn after(lines: &[&str]) -> (XBoard, String) {
    let mut protocol = XBoard::default();
    let said: Vec<String> = lines.iter().map(|line| protocol.parse(line).answer).collect();
    (protocol, said.join("\n"))
}

fn best(text: &str, ponder: Option<&str>) -> Report {
    Report::BestMove { best: Some(text.to_owned()), ponder: ponder.map(str::to_owned) }
}

fn searches(commands: &[Command]) -> Vec<&GoRequest> {
    commands.iter().filter_map(|c| if let Command::Go(go) = c { Some(go) } else { None }).collect()
}

const START: [&str; 4] = ["xboard", "protover 2", "new", "variant makruk"];

#[test]
fn a_move_is_answered_by_a_search_and_a_move() {
    let (mut protocol, _) = after(&START);
    for line in ["level 0 5 0", "time 598", "otim 30000", "post", "easy"] {
        assert_eq!(protocol.parse(line), Parsed::default(), "{line}");
    }
    let parsed = protocol.parse("usermove e3e4");
    let go = searches(&parsed.commands);
    assert_eq!(go[0].remaining_ms, [Some(300_000), Some(5_980)]);
    assert_eq!(protocol.parse("ping 7").answer, "", "not before the move");
    let rendered = protocol.render(&best("e6e5", Some("d3d4")));
    assert_eq!((rendered.text.as_str(), rendered.commands.len()), ("move e6e5\npong 7", 0));
    assert_eq!(protocol.parse("ping 8").commands, [Command::Echo("pong 8".to_owned())]);
    assert_eq!(protocol.parse("hint").answer, "Hint: d3d4");
}

#[test]
fn thinking_on_the_opponents_time_hits_or_misses() {
    for (reply, hit) in [("d3d4", true), ("c3c4", false)] {
        let (mut protocol, _) = after(&START);
        protocol.parse("hard");
        protocol.parse("usermove e3e4");
        let rendered = protocol.render(&best("e6e5", Some("d3d4")));
        assert!(searches(&rendered.commands)[0].ponder);
        assert_eq!(protocol.parse("ping 1").answer, "pong 1");
        let parsed = protocol.parse(&format!("usermove {reply}"));
        assert_eq!(parsed.commands.contains(&Command::PonderHit), hit);
        assert_eq!(parsed.commands.contains(&Command::Stop), !hit);
        if !hit {
            // The answer of the search that missed is not a move.
            assert_eq!(protocol.render(&best("d6d5", None)).text, "");
        }
        assert_eq!(protocol.render(&best("c6c5", None)).text, "move c6c5");
    }
}

#[test]
fn what_interrupts_a_search_silences_it() {
    for line in
        ["force", "new", "result 1-0 {x}", "undo", "setboard 8/8/4k3/8/8/4K3/8/R7 w - - 0 1"]
    {
        let (mut protocol, _) = after(&START);
        protocol.parse("usermove e3e4");
        let parsed = protocol.parse(line);
        assert!(parsed.commands.contains(&Command::Stop), "{line}");
        assert_eq!(protocol.render(&best("e6e5", None)), Rendered::default(), "{line}");
    }
}

#[test]
fn moves_are_taken_back_after_any_position() {
    let (mut protocol, _) = after(&START);
    for line in ["undo", "remove"] {
        assert!(protocol.parse(line).answer.starts_with("Error (no move to take back)"));
    }
    protocol.parse("setboard 8/8/4k3/8/8/4K3/8/R7 w - - 0 1");
    assert!(protocol.parse("undo").answer.starts_with("Error"));
    protocol.parse("force");
    protocol.parse("usermove a1a2");
    protocol.parse("e6e5");
    assert_eq!(protocol.game.moves(), ["a1a2", "e6e5"]);
    protocol.parse("remove");
    assert!(protocol.game.moves().is_empty());
}

#[test]
fn faults_are_named_in_its_own_words() {
    let (mut protocol, _) = after(&START);
    let mut answer = |line: &str| protocol.parse(line).answer;
    assert_eq!(answer("usermove e3e5"), "Illegal move: e3e5");
    assert_eq!(answer("frobnicate 3"), "Error (unknown command): frobnicate");
    assert_eq!(answer("variant chess"), "Error (unknown variant): chess");
    assert_eq!(answer("option Nothing=3"), "Error (unknown option): Nothing");
    assert_eq!(answer("level 1"), "Error (bad number): level 1");
    assert!(answer("setboard nonsense").starts_with("tellusererror Illegal position"));
    assert_eq!(answer("exit"), "Error (not analysing): exit");
}

#[test]
fn the_end_of_a_game_is_told_once_it_is_there() {
    let (mut protocol, _) = after(&START);
    protocol.parse("setboard 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    assert_eq!(searches(&protocol.parse("go").commands).len(), 1);
    let text = protocol.render(&best("a1a8", None)).text;
    assert_eq!(text, "move a1a8\n1-0 {White wins: checkmate}");
    assert!(protocol.parse("usermove h8g8").answer.starts_with("Illegal move (game is over)"));
    // The opponent mates.
    protocol.parse("setboard 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    protocol.parse("playother");
    let parsed = protocol.parse("usermove a1a8");
    assert_eq!(parsed.answer, "1-0 {White wins: checkmate}");
    assert_eq!(searches(&parsed.commands).len(), 0);
}

#[test]
fn analysis_follows_the_board() {
    let (mut protocol, _) = after(&START);
    let parsed = protocol.parse("analyze");
    assert!(searches(&parsed.commands)[0].infinite);
    protocol.render(&Report::Search(SearchReport {
        depth: 9,
        sel_depth: 11,
        multi_pv: 1,
        score: ScoreKind::Mate(-3),
        bound: Bound::Exact,
        wdl: None,
        nodes: 1234,
        nps: 1,
        hash_full: 0,
        table_hits: 0,
        time: Duration::from_millis(1500),
        pv: vec!["e3e4".to_owned()],
    }));
    assert_eq!(protocol.parse(".").answer, "stat01: 150 1234 9 23 23");
    for line in ["usermove e3e4", "undo", "setboard 8/8/4k3/8/8/4K3/8/R7 w - - 0 1", "memory 32"] {
        let parsed = protocol.parse(line);
        assert_eq!(parsed.commands.first(), Some(&Command::Stop), "{line}");
        assert!(searches(&parsed.commands)[0].infinite, "{line}");
    }
    let parsed = protocol.parse("exit");
    assert_eq!(parsed.commands, [Command::Stop]);
    assert_eq!(protocol.mode, Mode::Force);
}

#[test]
fn thinking_is_shown_if_it_is_wanted() {
    let line = |score| SearchReport {
        depth: 3,
        sel_depth: 3,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        wdl: None,
        nodes: 55,
        nps: 1,
        hash_full: 0,
        table_hits: 0,
        time: Duration::from_millis(20),
        pv: vec!["e6e5".to_owned()],
    };
    let (mut protocol, _) = after(&START);
    protocol.parse("usermove e3e4");
    let mut render = |score| protocol.render(&Report::Search(line(score))).text;
    assert_eq!(render(ScoreKind::Centipawns(5)), "");
    protocol.parse("post");
    let mut render = |score| protocol.render(&Report::Search(line(score))).text;
    assert_eq!(render(ScoreKind::Centipawns(-5)), "3 -5 2 55 e6e5");
    assert_eq!(render(ScoreKind::Mate(4)), "3 100004 2 55 e6e5");
    assert_eq!(render(ScoreKind::Mate(-4)), "3 -100004 2 55 e6e5");
}

#[test]
fn another_game_may_follow_and_new_goes_back() {
    let (mut protocol, said) = after(&["xboard", "protover 2", "new", "variant makhos"]);
    assert!(said.contains("setup ("));
    assert_eq!(protocol.game.rules().variant(), Variant::Makhos);
    let first = protocol.game.legal_moves()[0].clone();
    assert_eq!(searches(&protocol.parse(&format!("usermove {first}")).commands).len(), 1);
    protocol.parse("new");
    assert_eq!(protocol.game.rules().variant(), Variant::Makruk);
    protocol.parse("option RuleSet=cutechess");
    assert_eq!(protocol.game.rules(), protocol.settings.game_rules());
}

#[test]
fn analysis_goes_beyond_the_end_and_stays_with_new() {
    let (mut protocol, _) = after(&START);
    protocol.parse("analyze");
    protocol.parse("setboard 7k/8/5K2/8/8/8/R7/8 w - 32 40 60");
    assert!(protocol.game.outcome().is_some());
    assert_eq!(protocol.parse("usermove a2a1").answer, "");
    let parsed = protocol.parse("new");
    assert!(searches(&parsed.commands)[0].infinite);
    assert_eq!(protocol.mode, Mode::Analysis);
}

#[test]
fn no_move_is_taken_after_a_position_that_is_none() {
    let (mut protocol, _) = after(&START);
    protocol.parse("setboard nonsense");
    assert_eq!(protocol.parse("usermove e3e4").answer, "Illegal move (no legal position): e3e4");
    protocol.parse("new");
    assert_eq!(searches(&protocol.parse("usermove e3e4").commands).len(), 1);
    protocol.parse("variant makhos");
    protocol.parse("setboard 1m1m1m1m/m1m1m1m1/8/8/8/8/1M1M1M1M/M1M1M1M1 w - - 0 1");
    assert_eq!(protocol.parse("usermove b2c3").answer, "");
    assert_eq!(protocol.game.moves(), ["b2c3"]);
}

#[test]
fn other_rules_begin_the_thinking_anew() {
    let (mut protocol, _) = after(&START);
    protocol.parse("usermove e3e4");
    let parsed = protocol.parse("option PawnCapture=straight");
    assert_eq!(parsed.commands[0], Command::Stop);
    assert_eq!(searches(&parsed.commands).len(), 1);
    assert_eq!(protocol.render(&best("e6e5", None)).text, "", "by the old rules");
    assert_eq!(protocol.render(&best("e6e5", None)).text, "move e6e5");
}

#[test]
fn the_book_is_shown() {
    let (mut protocol, _) = after(&START);
    let shown = protocol.parse("bk").answer;
    assert!(shown.lines().count() > 1 && shown.contains('%') && shown.ends_with('\n'), "{shown:?}");
}
