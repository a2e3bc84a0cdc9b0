//! Random damage to texts that were right.

use proptest::prelude::*;

/// One change of a text: what, where, and with which character.
pub(crate) type Edit = (u8, u16, char);

/// Characters that mean something in one of the formats, and some that never do.
const CHARACTERS: &str =
    "pmsnrkqbPMSNRKQBwWhHfF12345678900abcdefgh/ :,.-~+#=x!?\0\t\u{e9}\u{1f600}9";

/// A few changes.
pub(crate) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let character = prop_oneof![
        4 => proptest::sample::select(CHARACTERS.chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    proptest::collection::vec((0u8..7, any::<u16>(), character), 1..6)
}

/// `text` with the edits made, whatever comes out.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(kind, place, character) in edits {
        let at = usize::from(place) % (chars.len() + 1);
        match kind {
            0 => chars.insert(at, character),
            1 => chars.truncate(at),
            2 => chars.splice(at..at, [character; 40]).for_each(drop),
            3 => {
                let tail = chars[at..].to_vec();
                chars.extend(tail);
            }
            4 => {
                let mut fields: Vec<String> =
                    chars.iter().collect::<String>().split(' ').map(str::to_owned).collect();
                let n = fields.len();
                fields.swap(at % n, usize::from(place >> 8) % n);
                chars = fields.join(" ").chars().collect();
            }
            5 if at < chars.len() => drop(chars.remove(at)),
            _ if at < chars.len() => chars[at] = character,
            _ => {}
        }
    }
    chars.into_iter().collect()
}
