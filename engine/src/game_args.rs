//! The arguments that choose a game and its rules, shared by the commands.

use clap::Args;
use movegen::{RuleSet, Variant};

use crate::options::{self, Effect};
use crate::settings::Settings;

/// Which game, by which rules.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// makruk, asean or makhos
    #[arg(long, default_value = "makruk", value_parser = parse_variant)]
    pub variant: Variant,
    /// Named rule set, as the UCI option RuleSet takes it
    #[arg(long, value_name = "NAME", value_parser = parse_rule_set)]
    pub rule_set: Option<RuleSet>,
    /// Any UCI option, as CountingRule=none; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
}

impl GameArgs {
    /// The settings that the arguments ask for.
    ///
    /// # Errors
    /// Says which argument is no option, or has a value that the option does not take.
    pub fn settings(&self) -> Result<Settings, String> {
        let mut settings = Settings::default();
        settings.choose_game(self.variant);
        if let Some(set) = self.rule_set {
            settings.choose_rule_set(set)?;
        }
        for option in &self.options {
            let (name, value) = name_and_value(option)?;
            if options::find(name).is_none() {
                return Err(format!("there is no option '{name}'"));
            }
            if let Some(note) = options::set(&mut settings, name, Some(value)).note {
                return Err(note);
            }
        }
        Ok(settings)
    }

    /// The rule set and the single rules that differ from it, as game files tell them. Options that
    /// are no rules are left out.
    pub fn rules_text(&self) -> String {
        let mut words = vec![self.rule_set.unwrap_or(RuleSet::Standard).name().to_owned()];
        for (name, value) in self.options.iter().filter_map(|o| name_and_value(o).ok()) {
            let mut probe = Settings::default();
            probe.choose_game(self.variant);
            if options::set(&mut probe, name, Some(value)).effect == Effect::Rules {
                words.push(format!("{name}={value}"));
            }
        }
        words.join(" ")
    }

    /// The rule set and the single rules as name and value of UCI options, by which another engine
    /// can be told.
    ///
    /// # Errors
    /// If an option is no rule of the game.
    pub fn rule_options(&self) -> Result<Vec<(String, String)>, String> {
        let set = self.rule_set.unwrap_or(RuleSet::Standard);
        let mut told = vec![("RuleSet".to_owned(), set.name().to_owned())];
        for option in &self.options {
            let (name, value) = name_and_value(option)?;
            let mut probe = Settings::default();
            probe.choose_game(self.variant);
            let effect = options::set(&mut probe, name, Some(value)).effect;
            if effect != Effect::Rules || probe.variant != self.variant {
                return Err(format!("'{name}' is no rule of the game"));
            }
            told.push((name.to_owned(), value.to_owned()));
        }
        Ok(told)
    }
}

fn name_and_value(option: &str) -> Result<(&str, &str), String> {
    let (name, value) =
        option.split_once('=').ok_or_else(|| format!("'{option}' is not NAME=VALUE"))?;
    Ok((name.trim(), value.trim()))
}

/// Reads the name of a game.
pub(crate) fn parse_variant(text: &str) -> Result<Variant, String> {
    Variant::parse(text).ok_or_else(|| "the games are makruk, asean and makhos".to_owned())
}

fn parse_rule_set(text: &str) -> Result<RuleSet, String> {
    let names = || RuleSet::ALL.iter().map(|set| set.name()).collect::<Vec<_>>().join(", ");
    RuleSet::parse(text).ok_or_else(|| format!("the rule sets are {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(options: &[&str]) -> GameArgs {
        GameArgs {
            variant: Variant::Makruk,
            rule_set: None,
            options: options.iter().map(|&o| o.to_owned()).collect(),
        }
    }

    #[test]
    fn rules_are_told_as_options() {
        let told = args(&["CountingRule=none", " Repetition = off "]).rule_options().unwrap();
        let expected = [("RuleSet", "standard"), ("CountingRule", "none"), ("Repetition", "off")];
        assert_eq!(told, expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
        for bad in ["Hash=16", "UCI_Variant=asean", "x=1", "CountingRule"] {
            assert!(args(&[bad]).rule_options().is_err(), "{bad}");
        }
        for bad in ["x=1", "Repetition=perhaps", "Hash"] {
            assert!(args(&[bad]).settings().is_err(), "{bad}");
        }
    }
}
