//! Any text as a session of the protocol that the name of the target says.

#[path = "../../../tests/common/tame.rs"]
mod tame;

use engine::protocol::Name;

/// Longest session, in lines.
const LINES: usize = 50;

/// Runs a text as a session.
pub fn session(name: Name, text: &str) {
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let counts = tame::run(name.open(), &lines.join("\n"), std::io::sink());
    let number = |count: &std::sync::atomic::AtomicUsize| {
        count.load(std::sync::atomic::Ordering::SeqCst)
    };
    assert_eq!(number(&counts.asked), number(&counts.answered));
}
