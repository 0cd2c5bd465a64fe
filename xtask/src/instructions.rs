//! `cargo xtask instructions`: how many instructions the pinned kernels take, since times vary and counts do not.
//!
//! Pins keep their history: date, commit, counts, and the reason of each rise. The counts belong to one compiler: with
//! another they are shown and not judged. Where valgrind is absent the check is skipped with a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::page;
use crate::run::{build_program, program, root};

/// A kernel may take this much more than its last pinned count; a greater rise needs a reason.
const ALLOWED: f64 = 0.03;
/// The file of the pins.
const FILE: &str = "xtask/instructions.json";

type Counts = BTreeMap<String, u64>;

/// The pins of all kernels, the oldest first.
#[derive(Debug, Serialize, Deserialize)]
struct History {
    /// The compiler that the counts belong to.
    rustc: String,
    /// The commit of the pins that the next release is compared with.
    reference: String,
    pins: Vec<Pins>,
}

/// What was pinned at one time: the kernels whose counts changed.
#[derive(Debug, Serialize, Deserialize)]
struct Pins {
    commit: String,
    date: String,
    kernels: BTreeMap<String, Pin>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Pin {
    /// Instructions of one repetition.
    count: u64,
    /// The reason of a rise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// A rise of a pinned count above what is allowed.
struct Rise<'a> {
    pins: &'a Pins,
    kernel: &'a str,
    ratio: f64,
    why: Option<&'a str>,
}

impl History {
    fn read() -> Result<Self> {
        let text = std::fs::read_to_string(root().join(FILE)).context(FILE)?;
        serde_json::from_str(&text).context(FILE)
    }

    fn counts<'a>(&'a self, kernel: &'a str) -> impl Iterator<Item = (&'a Pins, &'a Pin)> {
        let of = move |pins: &'a Pins| Some((pins, pins.kernels.get(kernel)?));
        self.pins.iter().filter_map(of)
    }

    /// The last count of a kernel.
    fn last(&self, kernel: &str) -> Option<u64> {
        self.counts(kernel).last().map(|(_, pin)| pin.count)
    }

    /// Its count at the pins that a release is compared with.
    fn reference(&self, kernel: &str) -> Option<u64> {
        let at = self.pins.iter().position(|p| p.commit == self.reference)?;
        let pins = self.pins[..=at].iter().rev();
        pins.filter_map(|p| p.kernels.get(kernel))
            .next()
            .map(|p| p.count)
    }

    /// Its least count.
    fn best(&self, kernel: &str) -> Option<u64> {
        self.counts(kernel).map(|(_, pin)| pin.count).min()
    }

    fn kernels(&self) -> Vec<&str> {
        let names = self.pins.iter().flat_map(|p| p.kernels.keys());
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn rises(&self) -> Vec<Rise<'_>> {
        let mut rises = Vec::new();
        for kernel in self.kernels() {
            let mut before: Option<u64> = None;
            for (pins, pin) in self.counts(kernel) {
                let ratio = before.map_or(1.0, |b| pin.count as f64 / b as f64);
                if ratio > 1.0 + ALLOWED {
                    let why = pin.why.as_deref();
                    rises.push(Rise {
                        pins,
                        kernel,
                        ratio,
                        why,
                    });
                }
                before = Some(pin.count);
            }
        }
        rises.sort_by(|a, b| a.pins.date.cmp(&b.pins.date));
        rises
    }

    /// Adds the counts that changed. A rise above what is allowed takes the reason.
    fn pin(&mut self, now: &Counts, why: Option<&str>) -> Result<()> {
        let mut kernels = BTreeMap::new();
        for (name, &count) in now {
            let before = self.last(name);
            if before == Some(count) {
                continue;
            }
            let rises = before.is_some_and(|b| count as f64 > (1.0 + ALLOWED) * b as f64);
            let why = why.filter(|_| rises).map(str::to_owned);
            if rises && why.is_none() {
                bail!(
                    "{name} takes {count} instructions, {} were pinned: a rise over {:.0} % needs its reason (--why TEXT)",
                    before.unwrap_or_default(),
                    100.0 * ALLOWED
                );
            }
            kernels.insert(name.clone(), Pin { count, why });
        }
        if !kernels.is_empty() {
            self.pins.push(Pins {
                commit: said("git", &["rev-parse", "--short=8", "HEAD"])?,
                date: said("git", &["log", "-1", "--format=%cs"])?,
                kernels,
            });
        }
        Ok(())
    }

    /// The tables of the book.
    fn tables(&self) -> String {
        let mut text = String::from(
            "| kernel | instructions of one repetition | against the reference | against the best |\n|---|---|---|---|\n",
        );
        for kernel in self.kernels() {
            let last = self.last(kernel).unwrap_or_default();
            let _ = writeln!(
                text,
                "| {kernel} | {last} | {} | {} |",
                ratio(last, self.reference(kernel)),
                ratio(last, self.best(kernel))
            );
        }
        text.push_str(
            "\n| rise over 3 % | commit | kernel | factor | reason |\n|---|---|---|---|---|\n",
        );
        for Rise {
            pins,
            kernel,
            ratio,
            why,
        } in self.rises()
        {
            let (date, commit, why) = (&pins.date, &pins.commit, why.unwrap_or_default());
            let _ = writeln!(
                text,
                "| {date} | {commit} | {kernel} | {ratio:.2} | {why} |"
            );
        }
        text
    }
}

/// Counts, prints, and pins or compares.
pub fn instructions(pin: bool, why: Option<&str>) -> Result<ExitCode> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed, so no instructions are counted");
        return Ok(ExitCode::SUCCESS);
    }
    if !build_program("klast-performance")? {
        return Ok(ExitCode::FAILURE);
    }
    let mut history = History::read()?;
    let (rustc, now) = (said("rustc", &["--version"])?, count()?);
    let same = rustc == history.rustc;
    if !same {
        println!(
            "not judged: pinned with {}, built with {rustc}",
            history.rustc
        );
    }
    let holds = compare(&history, &now);
    if !pin {
        return Ok(match holds || !same {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        });
    }
    ensure!(
        same,
        "counts of another compiler begin a history of their own"
    );
    history.pin(&now, why)?;
    let text = serde_json::to_string_pretty(&history)? + "\n";
    std::fs::write(root().join(FILE), text)?;
    page::insert("instructions", &history.tables())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints each count beside the last pinned one, that of the reference and the best; whether none is too large.
fn compare(history: &History, now: &Counts) -> bool {
    println!(
        "{:<18} {:>14} {:>8} {:>10} {:>8}",
        "kernel", "instructions", "pinned", "reference", "best"
    );
    let mut holds = history.kernels().iter().all(|name| now.contains_key(*name));
    for (name, &found) in now {
        let last = history.last(name);
        let slower = last.is_none_or(|p| found as f64 > (1.0 + ALLOWED) * p as f64);
        let columns = [last, history.reference(name), history.best(name)];
        let [last, reference, best] = columns.map(|c| ratio(found, c));
        let word = if slower { " SLOWER" } else { "" };
        println!("{name:<18} {found:>14} {last:>8} {reference:>10} {best:>8}{word}");
        holds &= !slower;
    }
    holds
}

fn ratio(found: u64, before: Option<u64>) -> String {
    before.map_or("none".to_owned(), |b| {
        format!("x{:.3}", found as f64 / b as f64)
    })
}

/// What a program prints, without space around it.
fn said(program: &str, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(root()).output();
    let output = output.with_context(|| format!("{program} cannot be started"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Instructions of one repetition of each kernel: those of two, less those of one, so that start-up and the making of
/// the inputs do not count.
fn count() -> Result<Counts> {
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

#[cfg(test)]
mod tests {
    use super::{Counts, History};

    fn counts(count: u64) -> Counts {
        [("a".to_owned(), count)].into()
    }

    #[test]
    fn every_pinned_rise_has_its_reason_and_the_book_has_the_table() {
        let history = History::read().unwrap();
        for rise in history.rises() {
            assert!(rise.why.is_some_and(|w| !w.is_empty()), "{}", rise.kernel);
        }
        assert!(history.pins.iter().any(|p| p.commit == history.reference));
        let page = crate::run::root().join("docs/src/performance.md");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(
            page.contains(&history.tables()),
            "cargo xtask instructions --pin"
        );
    }

    #[test]
    fn a_rise_needs_a_reason_and_the_best_is_kept() {
        let mut history = History {
            rustc: String::new(),
            reference: String::new(),
            pins: Vec::new(),
        };
        for (count, why, accepted) in [
            (1000, None, true),
            (900, None, true),
            // Three per cent in whole numbers.
            (927, None, true),
            (956, None, false),
            (956, Some("another law"), true),
            (956, None, true),
        ] {
            assert_eq!(
                history.pin(&counts(count), why).is_ok(),
                accepted,
                "{count}"
            );
        }
        assert_eq!(
            (history.last("a"), history.best("a")),
            (Some(956), Some(900))
        );
        assert_eq!(history.pins.len(), 4);
        let rises = history.rises();
        assert_eq!(rises.len(), 1);
        assert_eq!(rises[0].why, Some("another law"));
    }
}
