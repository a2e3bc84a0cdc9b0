//! Any text as a UCI session. Lines that would take long or touch the machine are replaced: what
//! they say is parsed all the same.

#![no_main]

use std::io::{Cursor, sink};

use engine::command::Command;
use engine::controller;
use engine::protocol::{Protocol, Uci};
use libfuzzer_sys::fuzz_target;

/// What is run in place of a line.
fn harmless(line: &str) -> &str {
    match Uci.parse(line).command {
        Command::Go(_) | Command::Bench(_) => "go nodes 50",
        Command::Perft(_) => "go perft 1",
        Command::SetOption { name, .. }
            if ["hash", "threads", "debug log file", "evalfile"]
                .contains(&name.to_ascii_lowercase().trim()) =>
        {
            "isready"
        }
        _ => line,
    }
}

fuzz_target!(|text: &str| {
    let session: Vec<&str> = text.lines().map(harmless).take(50).collect();
    let source = Cursor::new(session.join("\n"));
    assert!(controller::run(Box::new(Uci), source, Box::new(sink())).is_ok());
});
