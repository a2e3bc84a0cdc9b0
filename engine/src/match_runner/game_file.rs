//! Finished games as text: PGN for the chess games, PDN for Makhos.

use movegen::{Color, Numbering, Variant};

use super::game::{PlayedGame, PlayedMove};
use crate::game_text::{Game, Move, date, thought};

/// What the tags of all games of a match say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchTags {
    /// Name of the event.
    pub(crate) event: String,
    /// The game.
    pub(crate) variant: Variant,
    /// Rule set and single options that differ from it.
    pub(crate) rules: String,
    /// Makhos: who makes the first move of the start position.
    pub(crate) first: Color,
    /// Names of the two engines.
    pub(crate) names: [String; 2],
    /// Their limits, as `TimeControl` shows them.
    pub(crate) time_controls: [String; 2],
}

/// Where a game stands in its match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// Number of the pair, from 0.
    pub(crate) pair: usize,
    /// 0 or 1: the second game of the pair has the colors reversed.
    pub(crate) half: usize,
}

impl Place {
    /// Index of the engine that has this color: the first engine begins a pair with White.
    pub(crate) fn engine(self, color: Color) -> usize {
        (color.index() + self.half) & 1
    }
}

/// A game as text, with an empty line at its end.
pub(crate) fn game_text(game: &PlayedGame, tags: &MatchTags, place: Place) -> String {
    let mut text = Game {
        result: game.ending.result().to_owned(),
        first_number: game.first_number,
        // In draughts the beginner's move comes first in every full move, whatever his color.
        second_begins: tags.variant != Variant::Makhos && game.first == Color::Black,
        ..Game::default()
    };
    let name = |color: Color| tags.names[place.engine(color)].as_str();
    let time = |color: Color| tags.time_controls[place.engine(color)].as_str();
    text.set_tag("Event", &*tags.event);
    text.set_tag("Site", "?");
    text.set_tag("Date", date(game.began));
    text.set_tag("Round", format!("{}.{}", place.pair + 1, place.half + 1));
    text.set_tag("White", name(Color::White));
    text.set_tag("Black", name(Color::Black));
    text.set_tag("Result", game.ending.result());
    text.set_game(tags.variant, tags.first, Numbering::Pdn);
    text.set_tag("RuleSet", &*tags.rules);
    match (tags.variant, game.from_start) {
        (Variant::Makhos, _) => text.set_tag("FEN", &*game.start_fen),
        (_, true) => {}
        (_, false) => {
            text.set_tag("SetUp", "1");
            text.set_tag("FEN", &*game.start_fen);
        }
    }
    if time(Color::White) == time(Color::Black) {
        text.set_tag("TimeControl", time(Color::White));
    } else {
        text.set_tag("WhiteTimeControl", time(Color::White));
        text.set_tag("BlackTimeControl", time(Color::Black));
    }
    text.set_tag("PlyCount", game.moves.len().to_string());
    text.set_tag("Termination", game.ending.termination());
    text.moves.extend(game.moves.iter().map(|m| Move {
        text: m.notation.clone(),
        comment: comment(m),
        ..Move::default()
    }));
    let end = game.ending.describe();
    match text.moves.last_mut() {
        Some(last) => last.comment = format!("{}, {end}", last.comment),
        None => text.comment = end,
    }
    text.to_string()
}

/// `+0.34/12 0.11s`, as cutechess writes it.
fn comment(m: &PlayedMove) -> String {
    let score = m.score.map(|(score, depth)| (score.text(), depth));
    thought(score.as_ref().map(|(text, depth)| (text.as_str(), *depth)), m.used.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::super::declared::EngineScore;
    use super::super::game::{Ending, Offence};
    use super::*;
    use movegen::{DrawReason, Outcome};
    use std::time::{Duration, UNIX_EPOCH};

    fn tags(variant: Variant) -> MatchTags {
        MatchTags {
            event: "A \"quoted\" \\ event".into(),
            variant,
            rules: "standard".into(),
            first: Color::White,
            names: ["One".into(), "Two".into()],
            time_controls: ["1+0.01".into(), "1+0.01".into()],
        }
    }

    fn game(notations: &[&str], first: Color) -> PlayedGame {
        PlayedGame {
            start_fen: "FEN".into(),
            from_start: false,
            first,
            first_number: 7,
            moves: notations
                .iter()
                .map(|&n| PlayedMove {
                    notation: n.into(),
                    score: Some((EngineScore::Centipawns(34), 12)),
                    used: Duration::from_millis(110),
                })
                .collect(),
            ending: Ending::Rules(Outcome::Draw(DrawReason::Counting)),
            margin_used: [0; 2],
            bad_lines: [0; 2],
            began: UNIX_EPOCH + Duration::from_secs(1_709_164_800),
        }
    }

    #[test]
    fn a_chess_game() {
        let game = game(&["Nd2", "d5", "Se2"], Color::Black);
        let text = game_text(&game, &tags(Variant::Makruk), Place { pair: 4, half: 1 });
        let expected = "\
[Event \"A \\\"quoted\\\" \\\\ event\"]
[Site \"?\"]
[Date \"2024.02.29\"]
[Round \"5.2\"]
[White \"Two\"]
[Black \"One\"]
[Result \"1/2-1/2\"]
[Variant \"Makruk\"]
[RuleSet \"standard\"]
[SetUp \"1\"]
[FEN \"FEN\"]
[TimeControl \"1+0.01\"]
[PlyCount \"3\"]
[Termination \"normal\"]

7... Nd2 {+0.34/12 0.110s} 8. d5 {+0.34/12 0.110s} Se2 {+0.34/12 0.110s, draw by
counting} 1/2-1/2

";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_draughts_game_without_moves() {
        let mut game = game(&[], Color::White);
        game.ending = Ending::Forfeit(Color::White, Offence::Crash, "a}b\n".into());
        let mut tags = tags(Variant::Makhos);
        tags.time_controls[1] = "- nodes 5".into();
        let text = game_text(&game, &tags, Place { pair: 0, half: 0 });
        assert!(text.contains("[GameType \"31,W,8,8,N2,0\"]\n"), "{text}");
        assert!(text.contains("[FEN \"FEN\"]\n") && !text.contains("SetUp"), "{text}");
        assert!(text.contains("[WhiteTimeControl \"1+0.01\"]\n[BlackTimeControl \"- nodes 5\"]\n"));
        assert!(text.ends_with("\n\n{White crashes: a|b} 0-1\n\n"), "{text}");
    }
}
