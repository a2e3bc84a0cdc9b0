//! Sessions with the real program. The modules follow the kinds of trouble that users of other
//! engines have reported: life cycle, hostile input, clocks, options, rules.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/folder.rs"]
mod folder;

#[path = "uci_session/clocks.rs"]
mod clocks;
#[path = "uci_session/harness.rs"]
mod harness;
#[path = "uci_session/hostile.rs"]
mod hostile;
#[path = "uci_session/life.rs"]
mod life;
#[path = "uci_session/networks.rs"]
mod networks;
#[path = "uci_session/options.rs"]
mod options;
#[path = "uci_session/rules.rs"]
mod rules;
#[path = "uci_session/tables.rs"]
mod tables;
