//! Which game a text is of, by which rules, and its moves on the board.

use movegen::{Color, GameRecord, MakhosRules, Numbering, Position, RuleSet, Variant};

use super::Game;
use crate::dispatch::GameRules;
use crate::options::{self, Effect};
use crate::report::one_line;
use crate::settings::Settings;

/// The settings for a game: what its tags say over what the command line says.
pub(crate) fn settings_of(game: &Game, defaults: &Settings) -> Result<Settings, String> {
    let mut settings = defaults.clone();
    if let Some(variant) = variant_of(game)?
        && variant != settings.variant
    {
        settings.choose_game(variant);
    }
    if let Some(rules) = game.tag("RuleSet") {
        // A name, and single options that differ from it.
        let mut words = rules.split_whitespace();
        let name = words.next().unwrap_or_default();
        let set = RuleSet::parse(name)
            .ok_or_else(|| format!("there is no rule set '{}'", one_line(name, 30)))?;
        settings.choose_rule_set(set)?;
        for word in words {
            let applied = word
                .split_once('=')
                .map(|(name, value)| options::set(&mut settings, name, Some(value)));
            // A game may choose its rules, and nothing else.
            if !applied.is_some_and(|a| a.effect == Effect::Rules && a.note.is_none()) {
                return Err(format!("RuleSet: '{}' is no rule of the game", one_line(word, 40)));
            }
        }
    }
    if let Some(Notes { first, .. }) = game.tag("GameType").and_then(Notes::read) {
        settings.overrides.makhos_first = Some(first);
    }
    Ok(settings)
}

fn variant_of(game: &Game) -> Result<Option<Variant>, String> {
    if let Some(kind) = game.tag("GameType") {
        // A number, and perhaps more.
        return match kind.split(',').next().map(str::trim) {
            Some("31") => Ok(Some(Variant::Makhos)),
            _ => Err(format!("GameType '{}' is not 31, Makhos", one_line(kind, 30))),
        };
    }
    match game.tag("Variant") {
        Some(name) => match Variant::parse(name) {
            Some(variant) => Ok(Some(variant)),
            None => Err(format!("variant '{}' is none of ours", one_line(name, 30))),
        },
        None => Ok(None),
    }
}

/// What the tag GameType says of Makhos: who begins, and how squares are numbered.
struct Notes {
    first: Color,
    squares: Squares,
}

impl Notes {
    /// Reads `31,W,8,8,N2,0`: the type, who begins, the board, and the corner of square 1 as the
    /// beginner sees it (0 to 3: lower left, lower right, upper left, upper right).
    fn read(text: &str) -> Option<Self> {
        let mut fields = text.split(',').map(str::trim);
        let first = match fields.nth(1)? {
            "W" => Color::White,
            "B" => Color::Black,
            _ => return None,
        };
        let corner = fields.nth(2).and_then(|field| field.strip_prefix('N')).unwrap_or("2");
        let (numbering, rotated) = match (first, corner) {
            (Color::White, "2") | (Color::Black, "2") => (Numbering::Pdn, first == Color::Black),
            (Color::White, "1") | (Color::Black, "1") => (Numbering::Pdn, first == Color::White),
            (Color::White, "3") | (Color::Black, "3") => (Numbering::MakHos, first == Color::Black),
            (Color::White, "0") | (Color::Black, "0") => (Numbering::MakHos, first == Color::White),
            _ => return None,
        };
        Some(Self { first, squares: Squares { numbering, rotated } })
    }
}

/// A numbering of the 32 squares of Makhos.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Squares {
    numbering: Numbering,
    /// Counted from the other end of the board.
    rotated: bool,
}

impl Squares {
    /// That of this project's FEN.
    pub(crate) const PDN: Self = Self { numbering: Numbering::Pdn, rotated: false };

    const ALL: [Self; 4] = [
        Self::PDN,
        Self { numbering: Numbering::MakHos, rotated: false },
        Self { numbering: Numbering::Pdn, rotated: true },
        Self { numbering: Numbering::MakHos, rotated: true },
    ];

    /// The number that this project's FEN has for a square.
    fn to_pdn(self, number: u32) -> u32 {
        let number = if self.rotated { 33_u32.wrapping_sub(number) } else { number };
        match self.numbering {
            Numbering::MakHos if (1..=32).contains(&number) => {
                // Each row the other way round.
                4 * ((number - 1) / 4) + 4 - (number - 1) % 4
            }
            _ => number,
        }
    }

    /// The squares of a game that is written with this numbering.
    pub(crate) const fn of(numbering: Numbering) -> Self {
        Self { numbering, rotated: false }
    }

    /// A text with its numbers changed to those of this project, or back: a numbering is its own
    /// inverse.
    pub(crate) fn translate(self, text: &str) -> String {
        let mut translated = String::with_capacity(text.len());
        let mut letters = text.chars().peekable();
        let mut before = ' ';
        while let Some(letter) = letters.next() {
            // The digit of `c3` is no number of a square.
            if letter.is_ascii_digit() && !before.is_ascii_lowercase() {
                let mut digits = String::from(letter);
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                match digits.parse() {
                    Ok(number) => translated += &self.to_pdn(number).to_string(),
                    Err(_) => translated += &digits,
                }
            } else {
                translated.push(letter);
            }
            // `x` stands between squares.
            before = if letter == 'x' { ' ' } else { letter };
        }
        translated
    }
}

/// A game on the board.
pub(crate) struct Replayed<P: Position> {
    /// The position that it begins at.
    pub(crate) start: P,
    pub(crate) moves: Vec<P::Move>,
    /// How its moves number the squares; in the chess games without a meaning.
    pub(crate) squares: Squares,
}

/// The rules of a game by which its moves are read: whatever numbers a rule set has, they are
/// changed to this project's first.
pub(crate) fn rules_of(settings: &Settings) -> GameRules {
    match settings.game_rules() {
        GameRules::Makhos(rules) => {
            GameRules::Makhos(MakhosRules { numbering: Numbering::Pdn, ..rules })
        }
        rules => rules,
    }
}

/// Plays the moves of a game; `rules` come from [`rules_of`].
pub(crate) fn replay<P: Position>(game: &Game, rules: P::Rules) -> Result<Replayed<P>, String> {
    if P::VARIANT != Variant::Makhos {
        let (start, moves) = replay_with(game, rules, str::to_owned, str::to_owned)?;
        return Ok(Replayed { start, moves, squares: Squares::PDN });
    }
    // What the tag says comes first, but programs disagree about it: of the others the one by which
    // all moves are legal will do.
    let told = game.tag("GameType").and_then(Notes::read).map(|notes| notes.squares);
    let mut tried = Vec::new();
    let mut first_fault = None;
    for squares in told.into_iter().chain(Squares::ALL) {
        if tried.contains(&squares) {
            continue;
        }
        tried.push(squares);
        // The numbers of the FEN may be those of the moves, or this project's.
        for fen_squares in [squares, Squares::PDN] {
            let fen = |fen: &str| translate_fen(fen, fen_squares);
            match replay_with(game, rules, fen, |text| squares.translate(text)) {
                Ok((start, moves)) => return Ok(Replayed { start, moves, squares }),
                Err(fault) => {
                    first_fault.get_or_insert(fault);
                }
            }
        }
    }
    Err(first_fault.unwrap_or_default())
}

/// Numbers of the pieces alone, not those of the clocks (`:H0:F1`).
pub(crate) fn translate_fen(fen: &str, squares: Squares) -> String {
    let parts = fen.split(':').map(|part| {
        if part.starts_with(['H', 'F']) { part.to_owned() } else { squares.translate(part) }
    });
    parts.collect::<Vec<_>>().join(":")
}

fn replay_with<P: Position>(
    game: &Game,
    rules: P::Rules,
    fen: impl Fn(&str) -> String,
    text: impl Fn(&str) -> String,
) -> Result<(P, Vec<P::Move>), String> {
    let start = match game.tag("FEN") {
        Some(given) => P::from_fen(&fen(given), rules).map_err(|e| format!("bad FEN: {e}"))?,
        None => P::start(rules),
    };
    let mut record = GameRecord::new(start.clone());
    for (i, m) in game.moves.iter().enumerate() {
        let position = record.position();
        let found = position
            .parse_notation(&text(&m.text))
            .or_else(|error| position.parse_move(&m.text).map_err(|_| error))
            .map_err(|error| {
                let ply = i + usize::from(game.second_begins);
                let dots = if ply.is_multiple_of(2) { "." } else { "..." };
                let number = u64::from(game.first_number) + ply as u64 / 2;
                format!("move {number}{dots}{}: {error}", one_line(&m.text, 20))
            })?;
        record.play(found);
    }
    Ok((start, record.moves().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_says_where_square_1_is() {
        let to_pdn = |tag: &str, number| Notes::read(tag).unwrap().squares.to_pdn(number);
        // b8 is 1, and a1 is 29.
        for (tag, b8, a1) in [
            ("31,W,8,8,N2,0", 1, 29),
            ("31,B,8,8,N1,0", 1, 29),
            ("31,W,8,8,N3,0", 4, 32),
            ("31,B,8,8,N0,0", 4, 32),
            ("31,B,8,8,N2,0", 32, 4),
            ("31,W,8,8,N0,0", 29, 1),
        ] {
            assert_eq!((to_pdn(tag, b8), to_pdn(tag, a1)), (1, 29), "{tag}");
        }
        assert_eq!(Notes::read("31,B,8,8,N2,0").map(|n| n.first), Some(Color::Black));
        assert!(Notes::read("31").is_none() && Notes::read("31,X").is_none());
    }

    #[test]
    fn numbers_are_translated_and_names_are_not() {
        let rotated = Squares { numbering: Numbering::Pdn, rotated: true };
        assert_eq!(rotated.translate("22-18"), "11-15");
        assert_eq!(rotated.translate("18x11x20"), "15x22x13");
        assert_eq!(rotated.translate("c3xe5"), "c3xe5");
        assert_eq!(rotated.translate("K1,a3,32"), "K32,a3,1");
        assert_eq!(translate_fen("W:W32:BK1:H12:F7", rotated), "W:W1:BK32:H12:F7");
        for squares in Squares::ALL {
            for number in 1..=32 {
                assert_eq!(squares.to_pdn(squares.to_pdn(number)), number);
            }
        }
    }

    #[test]
    fn a_game_chooses_its_rules_and_nothing_else() {
        let settings = |rules: &str| {
            let mut game = Game::default();
            game.set_tag("RuleSet", rules);
            settings_of(&game, &Settings::default())
        };
        assert_eq!(settings("yeeqia CountingRule=none").unwrap().rule_set, RuleSet::Yeeqia);
        for wrong in [
            "nonsense",
            "standard Hash=33554432",
            "standard UCI_Variant=makhos",
            "standard CountingRul=none",
            "standard CountingRule=nine",
            "standard CountingRule",
        ] {
            assert!(settings(wrong).is_err(), "{wrong}");
        }
    }
}
