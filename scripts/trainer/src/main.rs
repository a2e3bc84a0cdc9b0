//! The program `trainer`.

use std::process::ExitCode;

fn main() -> ExitCode {
    trainer::cli::main()
}
