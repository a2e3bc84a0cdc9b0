//! Which positions of a game are worth training on.

use movegen::{Position, Variant};

/// Nothing is kept of the first plies of a game: they are few and come again and again.
const FIRST_PLY: usize = 12;
/// Positions that are decided teach nothing about the others.
const MAX_SCORE: i32 = 2000;

/// Whether a position whose best move and score are known is kept for training: it is quiet, it
/// is not decided, and no clock is so far gone that the score says more about the clock than
/// about the board. Scores are centipawns from the mover's side; `ply` counts from the start of
/// the game.
pub fn keeps<P: Position>(position: &P, best: P::Move, score: i32, ply: usize) -> bool {
    ply >= FIRST_PLY
        && score.abs() < MAX_SCORE
        && !position.is_tactical(best)
        && !position.is_forced()
        && !clock_matters(position)
        && !has_bare_side(position)
}

/// Whether a running clock shrinks the evaluation noticeably.
fn clock_matters<P: Position>(position: &P) -> bool {
    let needed = match P::VARIANT {
        Variant::Makruk => 96,
        Variant::Asean => 48,
        Variant::Makhos => 30,
    };
    position.countdown().remaining < needed
}

/// Whether a king stands alone (chess games), which the evaluation judges by other means.
fn has_bare_side<P: Position>(position: &P) -> bool {
    if P::VARIANT == Variant::Makhos {
        return false;
    }
    let letters = || (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)));
    let men = letters().filter_map(|(file, rank)| position.letter_at(file, rank));
    let (white, black) = men.fold((0, 0), |(white, black), letter| {
        if letter.is_ascii_uppercase() { (white + 1, black) } else { (white, black + 1) }
    });
    white <= 1 || black <= 1
}

#[cfg(test)]
mod tests {
    use movegen::chess::MakrukBoard;
    use movegen::{ChessRules, MakhosRules, makhos};

    use super::*;

    fn kept(fen: &str, best: &str, score: i32, ply: usize) -> bool {
        let position = MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap();
        keeps(&position, position.parse_move(best).unwrap(), score, ply)
    }

    #[test]
    fn quiet_undecided_positions_are_kept() {
        const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
        assert!(kept(START, "e3e4", 30, 20));
        assert!(!kept(START, "e3e4", 30, 3));
        assert!(!kept(START, "e3e4", 2500, 20));
        assert!(!kept(START, "e3e4", -31_990, 20));
        // A capture, a check, a bare king, a count far gone and one just begun.
        assert!(!kept("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 30, 20));
        assert!(!kept("4k3/8/8/4R3/8/8/3p4/4K3 b - - 0 1", "e8d8", 30, 20));
        assert!(!kept("4k3/8/8/8/8/4P3/8/R3K3 w - - 0 1", "a1a2", 30, 20));
        assert!(!kept("3nk3/8/8/8/8/8/8/R3K3 w - 128 70 40", "a1a2", 30, 20));
        assert!(kept("3nk3/8/8/8/8/8/8/R3K3 w - 128 4 40", "a1a2", 30, 20));
    }

    #[test]
    fn compulsory_captures_are_not_kept() {
        let position = makhos::Board::start(MakhosRules::STANDARD);
        assert!(keeps(&position, position.legal_moves()[0], 0, 20));
    }
}
