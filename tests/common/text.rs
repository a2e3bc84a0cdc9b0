//! What must hold for any text that claims to be a position or a move.

use movegen::{GameRecord, Position};

/// A message must say something and must not repeat the input at length.
fn assert_useful(message: &str, input: &str) {
    let start: String = input.chars().take(200).collect();
    assert!(!message.trim().is_empty(), "an empty message for {start:?}");
    assert!(message.len() < 20_000, "{} bytes of message for {start:?}", message.len());
}

/// Whatever `fen` is: a position that is sound and comes back from its own FEN, or an error.
pub(crate) fn read_fen<P: Position>(fen: &str, rules: P::Rules) {
    let position = match P::from_fen(fen, rules) {
        Ok(position) => position,
        Err(error) => {
            assert!(!error.faults.is_empty(), "no fault for {fen:?}");
            return assert_useful(&error.to_string(), fen);
        }
    };
    assert_eq!(position.key(), position.key_from_scratch(), "{fen:?}");
    let written = position.fen();
    let again = P::from_fen(&written, rules).unwrap_or_else(|e| panic!("{fen:?}: {written}: {e}"));
    assert_eq!(again.fen(), written, "{fen:?}");
    let moves = position.legal_moves();
    assert_eq!(position.count_moves(), moves.len() as u64, "{fen:?}");
    let _ = (position.clocks(), position.countdown(), GameRecord::new(position.clone()).outcome());
    for &m in &moves {
        let text = position.move_text(m);
        assert_eq!(position.parse_move(&text), Ok(m), "{text} in {fen:?}");
        let notation = position.notation(m);
        assert_eq!(position.parse_notation(&notation), Ok(m), "{notation} in {fen:?}");
        let next = position.play_unchecked(m);
        assert_eq!(next.key(), next.key_from_scratch(), "{text} in {fen:?}");
        let _ = (next.fen(), next.clocks(), next.countdown(), next.has_legal_move());
    }
}

/// Whatever `text` is: a legal move or an error.
pub(crate) fn read_move<P: Position>(position: &P, text: &str) {
    let moves = position.legal_moves();
    for read in [position.parse_move(text), position.parse_notation(text)] {
        match read {
            Ok(m) => assert!(moves.contains(&m), "{text:?} in {}", position.fen()),
            Err(error) => assert_useful(&error.to_string(), text),
        }
    }
}
