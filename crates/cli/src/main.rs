//! The klast program: scenes in, results and pictures out.

use std::process::ExitCode;

fn main() -> ExitCode {
    klast_cli::program::main(std::env::args_os()).into()
}
