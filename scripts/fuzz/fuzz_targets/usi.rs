//! Any text as a session of USI.

#![no_main]

mod protocol;

use engine::protocol::Name;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| protocol::session(Name::Usi, text));
