//! The numbers of the search as options, for tuners. Only in builds with the feature `tune`.

use std::fmt::Write as _;

use search::tune::numbers;

use crate::options::{Applied, Effect, parse_number};

/// The lines in which UCI declares the options.
pub(crate) fn declarations() -> String {
    let mut text = String::new();
    for number in numbers() {
        let (min, max) = (number.range.start(), number.range.end());
        let _ = writeln!(
            text,
            "option name {} type spin default {} min {min} max {max}",
            number.name, number.default
        );
    }
    text
}

/// Sets the number with this name, if there is one.
pub(crate) fn set(name: &str, value: Option<&str>) -> Option<Applied> {
    let number = numbers().into_iter().find(|n| n.name.eq_ignore_ascii_case(name.trim()))?;
    let note = match value.and_then(|text| parse_number(text.trim())) {
        Some(value) => {
            number.set(i32::try_from(value).unwrap_or(number.default));
            None
        }
        None => Some(format!("{} stays as it is: no whole number was given", number.name)),
    };
    Some(Applied { effect: Effect::None, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_declared_and_can_be_set() {
        let text = declarations();
        assert!(text.contains("option name makruk.rfp_per_ply type spin default "));
        assert_eq!(text.lines().count(), numbers().len());
        for number in numbers() {
            let value = number.default.to_string();
            assert_eq!(set(&number.name, Some(&value)).unwrap().note, None);
        }
        assert!(set("makruk.rfp_per_ply", Some("x")).unwrap().note.is_some());
        assert!(set("makruk.horizon", Some("1")).is_none());
    }
}
