//! Runs the verification tables against the product: `klast-verify [FILTER]`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use klast_verification::command::{Arguments, verify};

#[derive(Parser)]
#[command(
    version,
    about = "Runs the verification tables; exit code 0 only if every cell holds"
)]
struct Program {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> Result<ExitCode> {
    Ok(if verify(&Program::parse().arguments)? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
