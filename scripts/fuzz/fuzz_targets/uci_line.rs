//! Any text as a UCI session.

#![no_main]

#[path = "../../../tests/common/uci.rs"]
mod uci;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines: Vec<&str> = text.lines().map(uci::harmless).take(50).collect();
    uci::run(&lines, std::io::sink());
});
