//! `cargo xtask instructions`: how many instructions the pinned kernels take, since times vary and counts do not.
//!
//! The counts belong to one compiler: with another they are shown and not judged. Where valgrind is absent the check is
//! skipped with a line.

use std::collections::BTreeMap;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::run::{build_program, program, root};

/// A kernel may take this much more than its pinned count.
const ALLOWED: f64 = 0.05;

#[derive(Debug, Serialize, Deserialize)]
struct Pinned {
    /// The compiler that the counts belong to.
    rustc: String,
    /// Instructions of one repetition of each kernel.
    kernels: BTreeMap<String, u64>,
}

/// Counts, prints, and pins or compares.
pub fn instructions(pin: bool) -> Result<ExitCode> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed, so no instructions are counted");
        return Ok(ExitCode::SUCCESS);
    }
    if !build_program("klast-performance")? {
        return Ok(ExitCode::FAILURE);
    }
    let now = Pinned {
        rustc: rustc()?,
        kernels: count()?,
    };
    let file = root().join("xtask/instructions.json");
    if pin {
        std::fs::write(&file, serde_json::to_string_pretty(&now)? + "\n")?;
        now.kernels
            .iter()
            .for_each(|(name, n)| println!("{name:<18} {n:>14} pinned"));
        return Ok(ExitCode::SUCCESS);
    }
    let text =
        std::fs::read_to_string(&file).context("xtask/instructions.json: nothing is pinned")?;
    let pinned: Pinned = serde_json::from_str(&text).context("xtask/instructions.json")?;
    Ok(compare(&pinned, &now))
}

fn compare(pinned: &Pinned, now: &Pinned) -> ExitCode {
    let judged = pinned.rustc == now.rustc;
    if !judged {
        println!(
            "not judged: pinned with {}, built with {}",
            pinned.rustc, now.rustc
        );
    }
    let mut holds = pinned
        .kernels
        .keys()
        .all(|name| now.kernels.contains_key(name));
    for (name, &found) in &now.kernels {
        let ratio = pinned.kernels.get(name).map(|&p| found as f64 / p as f64);
        let slower = ratio.is_none_or(|r| r > 1.0 + ALLOWED);
        let word = match ratio {
            None => "not pinned".to_owned(),
            Some(r) => format!("x{r:.3}{}", if slower { " SLOWER" } else { "" }),
        };
        println!("{name:<18} {found:>14} {word}");
        holds &= !slower;
    }
    if holds || !judged {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn rustc() -> Result<String> {
    let output = Command::new("rustc")
        .arg("--version")
        .output()
        .context("rustc cannot be started")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Instructions of one repetition of each kernel: those of two, less those of one, so that start-up and the making of
/// the inputs do not count.
fn count() -> Result<BTreeMap<String, u64>> {
    let list = program("klast-kernels")?
        .arg("list")
        .output()
        .context("the kernels cannot be started")?;
    let names = String::from_utf8(list.stdout)?;
    let repetition = |name: &str| -> Result<u64> {
        Ok(instructions_of(name, 2)?.saturating_sub(instructions_of(name, 1)?))
    };
    names
        .lines()
        .map(|name| Ok((name.to_owned(), repetition(name)?)))
        .collect()
}

fn instructions_of(name: &str, times: u32) -> Result<u64> {
    let kernels = program("klast-kernels")?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(kernels.get_program())
        .args(["run", name, "--times", &times.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "kernel {name}: {said}");
    let line = said
        .lines()
        .find_map(|l| l.split_once("Collected :"))
        .context("no count")?;
    line.1.trim().parse().context("no count")
}
