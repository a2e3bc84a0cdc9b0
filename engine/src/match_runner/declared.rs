//! What an engine declares about itself in answer to `uci`, and what it reports while it thinks.

/// An option that an engine offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DeclaredOption {
    /// Its name as the engine writes it.
    pub(crate) name: String,
    /// `check`, `spin`, `combo`, `button`, `string`.
    kind: String,
    /// Smallest and greatest value of a spin.
    range: [Option<i64>; 2],
    /// Values of a combo.
    pub(crate) values: Vec<String>,
}

impl DeclaredOption {
    /// Reads the text after `option`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut option =
            Self { name: String::new(), kind: String::new(), range: [None; 2], values: Vec::new() };
        let mut field = "";
        let mut value = String::new();
        for word in text.split_whitespace() {
            // The name may consist of any words; only `type` ends it.
            let begins = if field == "name" || field.is_empty() {
                matches!(word, "name" | "type")
            } else {
                matches!(word, "default" | "min" | "max" | "var")
            };
            if begins {
                option.set(field, std::mem::take(&mut value));
                field = word;
            } else {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
        option.set(field, value);
        (!option.name.is_empty()).then_some(option)
    }

    fn set(&mut self, field: &str, value: String) {
        match field {
            "name" => self.name = value,
            "type" => self.kind = value,
            "min" => self.range[0] = value.parse().ok(),
            "max" => self.range[1] = value.parse().ok(),
            "var" => self.values.push(value),
            _ => {}
        }
    }

    /// Whether it is pressed and has no value.
    pub(crate) fn is_button(&self) -> bool {
        self.kind == "button"
    }

    /// What the engine would refuse about a value.
    pub(crate) fn check(&self, value: &str) -> Result<(), String> {
        let fault = match self.kind.as_str() {
            "check" if !matches!(value, "true" | "false") => "true or false".to_owned(),
            "combo" if !self.values.iter().any(|v| v.eq_ignore_ascii_case(value)) => {
                format!("one of {}", self.values.join(", "))
            }
            "spin" => {
                let [min, max] = self.range;
                let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                if value.parse::<i64>().is_ok_and(|n| (min..=max).contains(&n)) {
                    return Ok(());
                }
                format!("a number from {min} to {max}")
            }
            _ => return Ok(()),
        };
        Err(format!("option {} must be {fault}, not '{value}'", self.name))
    }
}

/// A score as an engine reports it, from its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EngineScore {
    /// Centipawns.
    Centipawns(i64),
    /// Moves to mate; 0 or negative if the engine is mated.
    Mate(i64),
}

impl EngineScore {
    /// Beyond every score in centipawns that makes sense.
    const MATE: i64 = 1_000_000;

    /// The score on one scale, for adjudication.
    pub(crate) fn centipawns(self) -> i64 {
        match self {
            Self::Centipawns(cp) => cp.clamp(-Self::MATE, Self::MATE),
            Self::Mate(moves) if moves > 0 => Self::MATE,
            Self::Mate(_) => -Self::MATE,
        }
    }

    /// As cutechess writes it in game files: pawns with sign, or `+M` and plies to mate.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Centipawns(0) => "0.00".to_owned(),
            Self::Centipawns(cp) => format!("{:+.2}", cp as f64 / 100.0),
            Self::Mate(moves) if moves > 0 => {
                format!("+M{}", moves.saturating_mul(2).saturating_sub(1))
            }
            Self::Mate(moves) => format!("-M{}", moves.unsigned_abs().saturating_mul(2)),
        }
    }
}

/// The part of an `info` line that an arbiter cares about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Evaluation {
    /// From the engine's side.
    pub(crate) score: EngineScore,
    /// Whether `score` is only a bound.
    pub(crate) bound: bool,
    /// Depth in plies.
    pub(crate) depth: u32,
    /// The main line in UCI text.
    pub(crate) line: Vec<String>,
}

impl Evaluation {
    /// Reads the text after `info`; `None` if it has no score of the best line.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let (mut score, mut bound, mut depth, mut line) = (None, false, 0, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next()?.parse().ok()?,
                "multipv" if words.next()? != "1" => return None,
                "score" => {
                    let kind = words.next()?;
                    let value = words.next()?.parse().ok()?;
                    score = match kind {
                        "cp" => Some(EngineScore::Centipawns(value)),
                        "mate" => Some(EngineScore::Mate(value)),
                        _ => return None,
                    };
                }
                "lowerbound" | "upperbound" => bound = true,
                "pv" => {
                    line = words.by_ref().map(str::to_owned).collect();
                }
                "string" => break,
                _ => {}
            }
        }
        Some(Self { score: score?, bound, depth, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options() {
        let option = |text| DeclaredOption::parse(text).unwrap();
        let hash = option("name Hash type spin default 16 min 1 max 1024");
        assert_eq!(hash.name, "Hash");
        assert!(hash.check("64").is_ok());
        for bad in ["0", "1025", "x", ""] {
            assert!(hash.check(bad).is_err(), "{bad}");
        }
        let variant = option("name UCI_Variant type combo default makruk var makruk var two words");
        assert_eq!(variant.values, ["makruk", "two words"]);
        assert!(variant.check("Makruk").is_ok() && variant.check("chess").is_err());
        let log = option("name Debug Log File type string default <empty>");
        assert_eq!(log.name, "Debug Log File");
        assert!(log.check("").is_ok());
        let odd = option("name min max default type check default false");
        assert_eq!(odd.name, "min max default");
        assert!(odd.check("true").is_ok() && odd.check("1").is_err());
        assert_eq!(DeclaredOption::parse("type spin"), None);
        assert_eq!(DeclaredOption::parse(""), None);
    }

    #[test]
    fn evaluations() {
        let parse = Evaluation::parse;
        let e = parse("depth 12 seldepth 20 multipv 1 score cp 34 nodes 5 pv a3a4 b6b5").unwrap();
        assert_eq!((e.score, e.depth, e.bound), (EngineScore::Centipawns(34), 12, false));
        assert_eq!(e.line, ["a3a4", "b6b5"]);
        assert!(parse("depth 3 score mate -2 upperbound nodes 1").unwrap().bound);
        for none in [
            "depth 5 currmove a3a4",
            "depth 3 multipv 2 score cp 1",
            "string score cp 5",
            "score",
            "score cp",
            "score cp x",
            "depth -1 score cp 3",
            "score cp 99999999999999999999",
            "",
        ] {
            assert_eq!(parse(none), None, "{none}");
        }
    }

    #[test]
    fn score_texts() {
        let text = |score: EngineScore| score.text();
        assert_eq!(text(EngineScore::Centipawns(34)), "+0.34");
        assert_eq!(text(EngineScore::Centipawns(-1205)), "-12.05");
        assert_eq!(text(EngineScore::Centipawns(0)), "0.00");
        assert_eq!(text(EngineScore::Mate(1)), "+M1");
        assert_eq!(text(EngineScore::Mate(3)), "+M5");
        assert_eq!(text(EngineScore::Mate(-2)), "-M4");
        for extreme in [i64::MIN, i64::MAX] {
            let _ = text(EngineScore::Mate(extreme));
            assert!(EngineScore::Centipawns(extreme).centipawns().abs() <= 1_000_000);
        }
        assert_eq!(EngineScore::Mate(0).centipawns(), -1_000_000);
    }
}
