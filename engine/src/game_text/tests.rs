use super::*;

fn games(text: &str) -> Vec<Result<Game, Fault>> {
    Reader::new(text.as_bytes()).map(Result::unwrap).collect()
}

fn game(text: &str) -> Game {
    let mut all = games(text);
    assert_eq!(all.len(), 1, "{text}");
    all.pop().unwrap().unwrap()
}

fn texts(game: &Game) -> Vec<&str> {
    game.moves.iter().map(|m| m.text.as_str()).collect()
}

#[test]
fn everything_that_programs_write_is_read() {
    let text = "\u{feff}[Event \"A \\\"B\\\" \\\\ c\"]\r
[Variant \"makruk\"]\r
[FEN \"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w 0 1\"]\r
\r
{before} 1. e4 e5?! 2.d4 {one
two} $14 ; to the end of the line
(2. c4 {why} c5 (2... b5)) 2... Nd7!! += 3 . Ne2 -+
% an escape
Nb6 1/2-1/2
";
    let game = game(text);
    assert_eq!(game.tag("event"), Some("A \"B\" \\ c"));
    assert_eq!(game.tag("FEN"), Some("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w 0 1"));
    assert_eq!(game.comment, "before");
    assert_eq!(texts(&game), ["e4", "e5", "d4", "Nd7", "Ne2", "Nb6"]);
    assert_eq!(game.moves[1].nags, [6]);
    assert_eq!(game.moves[2].nags, [14]);
    assert_eq!(game.moves[3].nags, [3]);
    assert_eq!(game.moves[2].comment, "one two to the end of the line");
    assert_eq!(game.moves[2].variations, ["2. c4 {why} c5 (2... b5)"]);
    assert_eq!(game.result, "1/2-1/2");
    // Written and read again it is the same.
    let again = game.to_string();
    assert_eq!(Game { line: game.line, ..super::tests::game(&again) }, game, "{again}");
}

#[test]
fn draughts_games_have_moves_of_numbers() {
    let game =
        game("[GameType \"31,W,8,8,N2,0\"]\n[Result \"2-0\"]\n1. 25-22 11-15 2. 22x11x2 2-0");
    assert_eq!(texts(&game), ["25-22", "11-15", "22x11x2"]);
    assert_eq!(game.result, "1-0");
}

#[test]
fn games_follow_each_other_with_or_without_tags() {
    let all = games(
        "1. e4 e5 *\n\n[White \"x\"]\n\n12... e5 {[%eval 1]\n[not a tag]} 13. d4\n\n[White \"y\"]\n1-0\n",
    );
    assert_eq!(all.len(), 3);
    let second = all[1].as_ref().unwrap();
    assert_eq!((second.line, second.first_number, second.second_begins), (3, 12, true));
    assert_eq!((texts(second), second.result.as_str()), (vec!["e5", "d4"], "*"));
    let third = all[2].as_ref().unwrap();
    assert_eq!((third.moves.len(), third.result.as_str()), (0, "1-0"));
    assert!(games("\n \n").is_empty());
}

#[test]
fn games_without_tags_follow_their_results() {
    let all = games("% x { y\n; about the file\n1. e4 e5 1-0 {resigns}\n1. d4 *\n2. Ke9) *");
    let good: Vec<&Game> = all.iter().flatten().collect();
    assert_eq!((all.len(), good.len()), (1, 0), "a bracket spoils them all: {all:?}");
    let all =
        games("% x { y\n; about the file\n\n1. e4 e5 1-0 {resigns}\n1. d4 *\n\n[A \"b\"]\n1. c4 *");
    let good: Vec<&Game> = all.iter().flatten().collect();
    assert_eq!(good.iter().map(|g| g.moves.len()).collect::<Vec<_>>(), [2, 1, 1]);
    assert_eq!(good.iter().map(|g| g.line).collect::<Vec<_>>(), [4, 5, 7]);
    assert_eq!(good[0].moves[1].comment, "resigns");
    assert!(games("; only a remark\n% and an escape\n").is_empty());
}

#[test]
fn the_first_number_is_read_in_every_form() {
    let fen = "[FEN \"8/8/4k3/8/8/4K3/8/R7 b - - 0 12\"]\n\n";
    for text in ["12... Kd6", "12. ... Kd6", "12 ... Kd6", "12...Kd6", "Kd6"] {
        let game = game(&format!("{fen}{text} 13. Ra6 *"));
        assert_eq!((game.first_number, game.second_begins), (12, true), "{text}");
        assert_eq!(texts(&game), ["Kd6", "Ra6"]);
    }
    let white = fen.replace(" b ", " w ");
    let game = game(&format!("{white}Ra6 Kd5 *"));
    assert_eq!((game.first_number, game.second_begins), (12, false));
}

#[test]
fn a_bad_game_is_named_and_the_next_one_read() {
    for (text, what) in [
        ("[Event x]\n\n1. e4 *", "line 1: no tag"),
        ("[A \"b\"]\n\n1. e4 {open", "line 3: a comment without an end"),
        ("[A \"b\"]\n\n1. e4 (1. d4", "line 3: a variation without an end"),
        ("[A \"b\"]\n\n1. e4)", "line 3: a bracket too many"),
        ("[A \"b\"]\n\n1. e4\n$999 *", "line 4: '$999' is no move"),
        ("[A \"b\"]\n\n(1. e4) *", "line 3: a variation before any move"),
        ("[A \"b\"]\n\n1. e4 2.11 *", "line 3: '2.11' is no move"),
        ("[A \"b\"]\n\n1. e4 2.0.\u{1}x *", "line 3: '2.0. x' is no move"),
    ] {
        let all = games(&format!("{text}\n"));
        let fault = all[0].as_ref().unwrap_err().to_string();
        assert!(fault.starts_with(what), "{text}: {fault}");
    }
    let all = games("[A \"b\"]\n\n1. e4) *\n\n[A \"c\"]\n\n1. d4 *\n");
    assert!(all[0].is_err() && all[1].is_ok());
    assert!(games(&"(".repeat(100_000))[0].is_err());
}

#[test]
fn a_result_right_behind_a_number_is_no_move() {
    for text in ["1. e4 e5 2.1-0", "1. e4 e5 1-0!?"] {
        let game = game(text);
        assert_eq!((texts(&game).len(), game.result.as_str()), (2, "1-0"));
    }
}

#[test]
fn lines_are_wrapped_and_comments_cannot_break_out() {
    let mut game = Game {
        tags: vec![("Event".into(), "a \"b\"\n".into())],
        comment: "{x}".into(),
        first_number: 7,
        second_begins: true,
        result: "*".into(),
        ..Game::default()
    };
    for _ in 0..20 {
        let comment = "+0.34/12 0.110s".to_owned();
        game.moves.push(Move { text: "Nd2".into(), comment, ..Move::default() });
    }
    let text = game.to_string();
    assert!(
        text.starts_with("[Event \"a \\\"b\\\" \"]\n\n{|x|} 7... Nd2 {+0.34/12 0.110s} 8. Nd2")
    );
    assert!(text.lines().all(|line| line.len() <= 80));
    assert_eq!(texts(&self::game(&text)).len(), 20);
    // No word can make a line a tag or an escape.
    for word in ["[x]", "%x", "[%clk"] {
        game.moves[0].variations = vec![format!("{word} ").repeat(40)];
        game.moves[1].comment = format!("{word} ").repeat(40);
        assert_eq!(texts(&self::game(&game.to_string())).len(), 20);
    }
}
