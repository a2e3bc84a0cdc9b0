//! The program `hanuman`.

fn main() {}
