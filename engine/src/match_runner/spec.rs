//! What the user says about one engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::clock::TimeControl;
use super::syntax::{key_values, unquote, words};

/// One `--engine` argument.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EngineSpec {
    /// Program to start; `None` for this program itself.
    pub(crate) program: Option<PathBuf>,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// Its working directory.
    pub(crate) directory: Option<PathBuf>,
    /// Name in reports and game files; `None` for what the engine calls itself.
    pub(crate) name: Option<String>,
    /// UCI options, in order.
    pub(crate) options: Vec<(String, String)>,
    /// Limits of its own.
    pub(crate) limits: SearchLimits,
}

/// What ends a search. Everything unset is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SearchLimits {
    /// Clock, or a fixed time for each move.
    pub(crate) time: TimeLimit,
    /// Nodes for each move.
    pub(crate) nodes: Option<u64>,
    /// Depth of each search.
    pub(crate) depth: Option<u32>,
}

/// The part of [`SearchLimits`] that concerns time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum TimeLimit {
    /// Nothing was said.
    #[default]
    Unset,
    /// `tc=inf`: said to be unlimited.
    Unlimited,
    /// A clock.
    Clock(TimeControl),
    /// So long for each move.
    PerMove(Duration),
}

impl EngineSpec {
    /// Reads `cmd=...,name=...,option.X=Y,...`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut spec = Self::default();
        for (key, value) in key_values(text)? {
            let plain = unquote(value);
            match key {
                "cmd" => spec.set_command(value)?,
                "arg" => spec.arguments.push(plain),
                "dir" => spec.directory = Some(PathBuf::from(plain)),
                "name" => spec.name = Some(plain),
                "proto" if plain == "uci" => {}
                "proto" => return Err(format!("protocol '{plain}' is not spoken here, only uci")),
                _ => match key.strip_prefix("option.") {
                    Some(option) if !option.is_empty() => {
                        spec.options.push((option.to_owned(), plain));
                    }
                    _ => {
                        if !spec.limits.set(key, &plain)? {
                            return Err(format!(
                                "unknown key '{key}' (cmd, arg, dir, name, proto, option.NAME, \
                                 tc, movetime, nodes, depth)"
                            ));
                        }
                    }
                },
            }
        }
        Ok(spec)
    }

    /// The value of `cmd`: a program and its arguments, or the path of an existing file as a whole.
    fn set_command(&mut self, value: &str) -> Result<(), String> {
        let whole = unquote(value);
        let mut parts = if Path::new(&whole).is_file() { vec![whole] } else { words(value)? };
        if parts.is_empty() {
            return Err("cmd is empty".into());
        }
        let program = parts.remove(0);
        self.program = (program != "self").then(|| PathBuf::from(program));
        self.arguments.extend(parts);
        Ok(())
    }
}

impl SearchLimits {
    /// Sets the limit called `key`; `false` if there is none of this name.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "tc" if value == "inf" => self.set_time(TimeLimit::Unlimited)?,
            "tc" => self.set_time(TimeLimit::Clock(TimeControl::parse(value)?))?,
            "movetime" => {
                let ms = positive(key, value)?;
                self.set_time(TimeLimit::PerMove(Duration::from_millis(ms)))?;
            }
            "nodes" => self.nodes = Some(positive(key, value)?),
            "depth" => {
                let depth = positive(key, value)?;
                self.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn set_time(&mut self, time: TimeLimit) -> Result<(), String> {
        if self.time != TimeLimit::Unset {
            return Err("tc and movetime exclude each other and are given once".into());
        }
        self.time = time;
        Ok(())
    }

    /// These limits, completed by `common` ones where nothing was said.
    pub(crate) fn or(self, common: Self) -> Self {
        Self {
            time: if self.time == TimeLimit::Unset { common.time } else { self.time },
            nodes: self.nodes.or(common.nodes),
            depth: self.depth.or(common.depth),
        }
    }

    /// Whether some limit ends every search.
    pub(crate) fn is_limited(&self) -> bool {
        matches!(self.time, TimeLimit::Clock(_) | TimeLimit::PerMove(_))
            || self.nodes.is_some()
            || self.depth.is_some()
    }

    /// As the `TimeControl` tag of game files: `1+0.01`, `0.1/move`, `- nodes 1000`.
    pub(crate) fn describe(&self) -> String {
        let mut text = match self.time {
            TimeLimit::Clock(control) => control.to_string(),
            TimeLimit::PerMove(time) => format!("{}/move", time.as_secs_f64()),
            TimeLimit::Unset | TimeLimit::Unlimited => "-".to_owned(),
        };
        if let Some(nodes) = self.nodes {
            text.push_str(&format!(" nodes {nodes}"));
        }
        if let Some(depth) = self.depth {
            text.push_str(&format!(" depth {depth}"));
        }
        text
    }
}

fn positive(key: &str, value: &str) -> Result<u64, String> {
    value
        .parse()
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| format!("{key}: '{value}' is no positive whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_engines() {
        let spec = EngineSpec::parse(
            "cmd=\"/opt/my engines/x y\" --uci 'a b',name=\"A, the first\",option.Hash=64,\
             option.Debug Log File=,tc=40/60+0.5,nodes=1000,depth=9,dir=/tmp,proto=uci",
        )
        .unwrap();
        assert_eq!(spec.program, Some(PathBuf::from("/opt/my engines/x y")));
        assert_eq!(spec.arguments, ["--uci", "a b"]);
        assert_eq!(spec.name.as_deref(), Some("A, the first"));
        assert_eq!(spec.directory, Some(PathBuf::from("/tmp")));
        let options = [("Hash", "64"), ("Debug Log File", "")].map(|(n, v)| (n.into(), v.into()));
        assert_eq!(spec.options, options);
        assert_eq!(spec.limits.describe(), "40/60+0.5 nodes 1000 depth 9");
    }

    #[test]
    fn this_program_itself() {
        for text in ["cmd=self", "name=X", "cmd=self,movetime=100"] {
            let spec = EngineSpec::parse(text).unwrap();
            assert_eq!((spec.program, spec.arguments.len()), (None, 0), "{text}");
        }
        assert_eq!(EngineSpec::parse("cmd=self --flag").unwrap().arguments, ["--flag"]);
    }

    #[test]
    fn an_existing_file_needs_no_quotes() {
        let path = std::env::temp_dir().join(format!("hanuman a b {}", std::process::id()));
        std::fs::write(&path, "").unwrap();
        let spec = EngineSpec::parse(&format!("cmd={}", path.display())).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(spec.program, Some(path));
        assert!(spec.arguments.is_empty());
    }

    #[test]
    fn faults() {
        let bad = [
            "",
            "cmd=",
            "cmd='x",
            "foo=1",
            "option.=1",
            "tc=x",
            "tc=1,movetime=5",
            "nodes=0",
            "depth=x",
            "movetime=-1",
            "proto=xboard",
            "tc=1,tc=2",
        ];
        for text in bad {
            assert!(EngineSpec::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn own_limits_come_first() {
        let limits = |text: &str| EngineSpec::parse(text).unwrap().limits;
        let common = limits("tc=2+0.02,depth=5");
        assert_eq!(limits("movetime=50").or(common).describe(), "0.05/move depth 5");
        assert_eq!(limits("tc=inf,nodes=9").or(common).describe(), "- nodes 9 depth 5");
        assert_eq!(limits("name=x").or(common), common);
        assert!(!limits("tc=inf").is_limited() && common.is_limited());
    }
}
