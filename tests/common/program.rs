//! Running the real program.

#![allow(dead_code)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(crate) fn hanuman() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hanuman"))
}

pub(crate) fn run(args: &[&str], input: &str) -> Output {
    let mut child = hanuman()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
