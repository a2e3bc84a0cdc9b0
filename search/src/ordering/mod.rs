//! Which move to try first.

mod history;
mod picker;
pub(crate) mod see;

pub(crate) use history::{Histories, NO_ROW, Past, bonus, malus};
pub(crate) use picker::{Context, Lists, Picker};
