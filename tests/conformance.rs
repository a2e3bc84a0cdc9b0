//! One suite for every game and rule set: what [`Position`] promises, checked on random games.
//!
//! A failure names the rule set, the seed and the FEN, so that it can be replayed.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::HashSet;

use common::{GameUnderTest, Random, games_under_test, play_one};
use movegen::{
    Clock, ClockKind, Color, Countdown, DrawReason, GameMove, GameRecord, MAX_MOVES, MoveList,
    Outcome, Position, RuleSet, Variant, WinReason,
};

/// Games per start position and rule set.
const GAMES: u64 = if cfg!(debug_assertions) { 8 } else { 30 };

/// Runs a check on every position of random games under every rule set of every game.
macro_rules! on_random_games {
    ($($name:ident => $check:ident,)+) => {$(
        #[test]
        fn $name() {
            struct Check;
            impl common::ForEachGame for Check {
                fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
                    for (number, start) in (0..).zip(&game.starts) {
                        for seed in 0..GAMES {
                            play_one(game, start, 1000 * number + seed, $check::<P>);
                        }
                    }
                }
            }
            games_under_test(&mut Check);
        }
    )+};
}

on_random_games! {
    generators_agree => check_generators,
    keys_and_fens_agree => check_keys_and_fens,
    flipping_changes_nothing_but_colors => check_flip,
    texts_and_tags_come_back => check_texts_and_tags,
    moves_lead_where_they_should => check_moves,
    games_end_as_the_position_says => check_outcome,
}

fn check_generators<P: Position>(record: &GameRecord<P>, _: &mut Random, place: &str) {
    let position = record.position();
    let all = position.legal_moves();
    let as_set = |list: &MoveList<P::Move>| -> HashSet<P::Move> {
        let set: HashSet<_> = list.iter().copied().collect();
        assert_eq!(set.len(), list.len(), "a move twice: {place}");
        set
    };
    let mut tactical = MoveList::new();
    position.generate_tactical(&mut tactical);
    let mut quiet = MoveList::new();
    position.generate_quiet(&mut quiet);
    let (all_set, tactical_set, quiet_set) = (as_set(&all), as_set(&tactical), as_set(&quiet));
    assert!(tactical_set.is_disjoint(&quiet_set), "{place}");
    assert_eq!(&tactical_set | &quiet_set, all_set, "{place}");
    assert_eq!(position.count_moves(), all.len() as u64, "{place}");
    assert_eq!(position.has_legal_move(), !all.is_empty(), "{place}");
    for &m in &all {
        assert!(position.is_legal(m), "{m:?}: {place}");
        assert_eq!(position.is_tactical(m), tactical_set.contains(&m), "{m:?}: {place}");
        assert!(position.moved_piece(m) < P::PIECE_KINDS, "{m:?}: {place}");
        assert!(m.from_index() < 64 && m.to_index() < 64, "{m:?}: {place}");
    }
    // Generators append: what is in the list stays.
    if let Some(&first) = all.first()
        && all.len() < MAX_MOVES
    {
        let mut list = MoveList::new();
        list.push(first);
        position.generate(&mut list);
        assert_eq!(list[0], first, "{place}");
        assert_eq!(&list[1..], &all[..], "{place}");
    }
    // Moves of other positions of the game, the opponent's among them, are legal exactly if listed.
    let mut earlier = record.start().clone();
    for &m in record.moves() {
        for strange in earlier.legal_moves().iter().take(8) {
            let legal = all_set.contains(strange);
            assert_eq!(position.is_legal(*strange), legal, "{strange:?}: {place}");
        }
        earlier = earlier.play_unchecked(m);
    }
}

fn check_keys_and_fens<P: Position>(record: &GameRecord<P>, _: &mut Random, place: &str) {
    let position = record.position();
    assert_eq!(position.key(), position.key_from_scratch(), "{place}");
    let fen = position.fen();
    let again = P::from_fen(&fen, *position.rules()).unwrap_or_else(|e| panic!("{e}: {place}"));
    assert_eq!(again.fen(), fen, "{place}");
    assert_eq!(again.key(), position.key(), "{place}");
    assert_eq!(again.side_to_move(), position.side_to_move(), "{place}");
    assert_eq!(again.legal_moves()[..], position.legal_moves()[..], "{place}");
    assert_eq!(again.game_ply(), position.game_ply(), "{place}");
    // The FEN of the chess games has no room for the halfmove clock while a count runs.
    let counted = |clock: &Clock| {
        use ClockKind::{AseanCount, BoardHonour, PiecesHonour};
        matches!(clock.kind, AseanCount | BoardHonour | PiecesHonour)
    };
    let clocks = position.clocks();
    if !clocks.iter().any(counted) {
        assert_eq!(&again, position, "{place}");
    }
    if P::VARIANT != Variant::Asean || !clocks.iter().any(counted) {
        assert_eq!(again.countdown(), position.countdown(), "{place}");
        assert_eq!(again.clocks(), clocks, "{place}");
    }
    // No earlier position of the game comes back after an irreversible move.
    let reversible = record.reversible_keys().len();
    let mut earlier = record.start().clone();
    let forgotten = record.moves().len() + 1 - reversible;
    for &m in &record.moves()[..forgotten] {
        assert_ne!(earlier.key(), position.key(), "{place}");
        earlier = earlier.play_unchecked(m);
    }
}

fn check_flip<P: Position>(record: &GameRecord<P>, _: &mut Random, place: &str) {
    let position = record.position();
    let flipped = position.flipped();
    assert_eq!(&flipped.flipped(), position, "{place}");
    assert_eq!(flipped.side_to_move(), !position.side_to_move(), "{place}");
    assert_eq!(flipped.key(), flipped.key_from_scratch(), "{place}");
    assert_eq!(flipped.is_forced(), position.is_forced(), "{place}");
    let (mut kinds, mut flipped_kinds) = (vec![0; P::PIECE_KINDS], vec![0; P::PIECE_KINDS]);
    position.legal_moves().iter().for_each(|&m| kinds[position.moved_piece(m)] += 1);
    flipped.legal_moves().iter().for_each(|&m| flipped_kinds[flipped.moved_piece(m)] += 1);
    assert_eq!(kinds, flipped_kinds, "{place}");
    // The length of the game changes by a ply, so a limit on it does.
    if position.clocks().iter().all(|clock| clock.kind != ClockKind::GameLength) {
        assert_eq!(flipped.countdown().remaining, position.countdown().remaining, "{place}");
        for occurrences in 1..=3 {
            let reason = position.draw_reason(occurrences);
            assert_eq!(flipped.draw_reason(occurrences), reason, "{place}");
        }
    }
    if !position.has_legal_move() {
        let winner = position.no_moves_outcome().winner();
        assert_eq!(flipped.no_moves_outcome().winner(), winner.map(|color| !color), "{place}");
    }
}

fn check_texts_and_tags<P: Position>(record: &GameRecord<P>, random: &mut Random, place: &str) {
    let position = record.position();
    let moves = position.legal_moves();
    let mut texts = HashSet::new();
    let mut notations = HashSet::new();
    for &m in &moves {
        let text = position.move_text(m);
        assert_eq!(position.parse_move(&text), Ok(m), "{text}: {place}");
        // A runner relays the promotion letter as the opponent wrote it.
        let (squares, suffix) = text.split_at(4);
        let relayed = format!("{squares}{}", suffix.to_ascii_uppercase());
        assert_eq!(position.parse_move(&relayed), Ok(m), "{relayed}: {place}");
        let notation = position.notation(m);
        assert_eq!(position.parse_notation(&notation), Ok(m), "{notation}: {place}");
        assert!(texts.insert(text), "a text twice: {place}");
        assert!(notations.insert(notation), "a notation twice: {place}");
        assert_ne!(m.tag(), 0, "{m:?}: {place}");
        let found = position.move_from_tag(m.tag());
        if P::VARIANT == Variant::Makhos {
            assert_eq!(found.map(GameMove::tag), Some(m.tag()), "{m:?}: {place}");
        } else {
            assert_eq!(found, Some(m), "{m:?}: {place}");
        }
    }
    for _ in 0..40 {
        let tag = (random.next() & 0xFFFF) as u16;
        if let Some(m) = position.move_from_tag(tag) {
            assert!(moves.contains(&m) && m.tag() == tag, "tag {tag}: {place}");
        }
    }
}

fn check_moves<P: Position>(record: &GameRecord<P>, _: &mut Random, place: &str) {
    let position = record.position();
    let before = position.countdown();
    let passed = position.play_null();
    assert_eq!(passed.side_to_move(), !position.side_to_move(), "{place}");
    assert_eq!(passed.key(), passed.key_from_scratch(), "{place}");
    assert_ne!(passed.key(), position.key(), "{place}");
    for rank in 0..8 {
        for file in 0..8 {
            assert_eq!(passed.letter_at(file, rank), position.letter_at(file, rank), "{place}");
        }
    }
    assert_falls_by_one(before, passed.countdown(), place);
    for &m in &position.legal_moves() {
        let next = position.play_unchecked(m);
        let text = format!("{}: {place}", position.move_text(m));
        assert_eq!(next.side_to_move(), !position.side_to_move(), "{text}");
        assert_eq!(next.game_ply(), position.game_ply() + 1, "{text}");
        assert_eq!(next.key(), next.key_from_scratch(), "{text}");
        assert_eq!(next.rules(), position.rules(), "{text}");
        if !position.is_irreversible(m) {
            assert!(!position.is_tactical(m), "{text}");
            assert_falls_by_one(before, next.countdown(), &text);
        }
        let mates = !next.has_legal_move()
            && matches!(next.no_moves_outcome(), Outcome::Win(_, WinReason::Checkmate));
        // Unless the game was over already. (Where runners disagree about the last ply of a board
        // count, the countdown takes the stricter reading.)
        let disputed = |c: &Clock| c.kind == ClockKind::BoardHonour && c.remaining <= 1;
        assert!(
            !mates
                || before.remaining > 0
                || position.draw_reason(1).is_some()
                || position.clocks().iter().any(disputed),
            "a mate with no ply left: {text}"
        );
        // A null move after any move, and a second one, must not disturb anything either.
        let twice = next.play_null().play_null();
        assert_eq!(twice.key(), next.key(), "{text}");
        let _ = (next.clocks(), next.draw_reason(1), twice.countdown());
    }
}

/// A clock that goes on running has one ply less. It may also give way to another that ends sooner.
fn assert_falls_by_one(before: Countdown, after: Countdown, place: &str) {
    if before.regime == 0 {
        assert_eq!(before.remaining, Countdown::UNLIMITED, "{place}");
    }
    if after.regime == before.regime && before.regime != 0 {
        assert_eq!(after.remaining, before.remaining.saturating_sub(1), "{before:?}: {place}");
    } else if before.regime != 0 {
        let at_most = before.remaining.saturating_sub(1);
        assert!(after.remaining <= at_most, "{before:?}, {after:?}: {place}");
    }
}

fn check_outcome<P: Position>(record: &GameRecord<P>, _: &mut Random, place: &str) {
    let position = record.position();
    // Occurrences by walking the whole game again.
    let mut walk = record.start().clone();
    let mut occurrences = u32::from(walk.key() == position.key());
    for &m in record.moves() {
        walk = walk.play_unchecked(m);
        occurrences += u32::from(walk.key() == position.key());
    }
    assert_eq!(&walk, position, "{place}");
    assert_eq!(record.occurrences(), occurrences, "{place}");
    let outcome = record.outcome();
    if !position.has_legal_move() {
        assert_eq!(outcome, Some(position.no_moves_outcome()), "{place}");
        if let Outcome::Win(winner, _) = position.no_moves_outcome() {
            assert_eq!(winner, !position.side_to_move(), "{place}");
        }
        return;
    }
    let expected = position.draw_reason(occurrences).map(Outcome::Draw);
    assert_eq!(outcome, expected, "{place}");
    // A draw of the board alone stays one when the position comes back. (cutechess has one that a
    // third occurrence hides.)
    assert_eq!(position.draw_reason(2), position.draw_reason(1), "{place}");
    for clock in position.clocks() {
        assert!(clock.limit > 0, "{clock:?}: {place}");
    }
    if position.countdown().regime != 0 {
        assert!(!position.clocks().is_empty(), "{place}");
    }
}

/// The games above mean little if they never get where the rules differ.
#[test]
fn random_games_reach_every_ending() {
    struct Endings(HashSet<Outcome>, usize);
    impl common::ForEachGame for Endings {
        fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
            for (number, start) in (0..).zip(&game.starts) {
                for seed in 0..GAMES {
                    play_one::<P>(game, start, 1000 * number + seed, |record, _, _| {
                        self.0.extend(record.outcome());
                        self.1 += 1;
                    });
                }
            }
        }
    }
    let mut endings = Endings(HashSet::new(), 0);
    games_under_test(&mut endings);
    println!("{} positions, {:?}", endings.1, endings.0);
    for wanted in [
        Outcome::Draw(DrawReason::Stalemate),
        Outcome::Draw(DrawReason::Counting),
        Outcome::Draw(DrawReason::Repetition),
        Outcome::Draw(DrawReason::NMoveRule),
        Outcome::Draw(DrawReason::DeadPosition),
        Outcome::Draw(DrawReason::LoneKings),
        Outcome::Draw(DrawReason::GameLength),
        Outcome::Win(Color::White, WinReason::Checkmate),
        Outcome::Win(Color::Black, WinReason::NoMoves),
    ] {
        assert!(endings.0.contains(&wanted), "no game ended by {wanted:?}");
    }
}

#[test]
fn every_rule_set_of_every_game_is_tested() {
    struct Names(Vec<(Variant, String)>);
    impl common::ForEachGame for Names {
        fn run<P: Position>(&mut self, game: &GameUnderTest<P>) {
            self.0.push((P::VARIANT, game.name.clone()));
            assert!(!game.starts.is_empty());
        }
    }
    let mut names = Names(Vec::new());
    games_under_test(&mut names);
    for variant in Variant::ALL {
        for set in RuleSet::of(variant) {
            assert!(names.0.iter().any(|(v, name)| *v == variant && name.contains(set.name())));
        }
    }
}
