//! The program `hanuman`.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::cli::main()
}
