//! What each kernel takes, against the least that it could.

use super::list::KERNELS;
use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;

use crate::kernel::{Done, Kernel, Least};
use crate::machine::Machine;
use crate::median::median;

/// Seconds over which a kernel is timed.
const SPAN: f64 = 1.0;

/// Time that this machine cannot go below (ns): arithmetic at its best rate, or memory at its own, whichever takes
/// longer.
#[must_use]
pub fn bound(least: &Least, machine: &Machine) -> f64 {
    let arithmetic = least.flops * machine.flop
        + least.divisions * machine.division
        + least.sines * machine.sine;
    arithmetic.max(least.bytes * machine.byte)
}

/// Median time of a repetition (ns), and what the last one did.
fn timed(kernel: &Kernel) -> Result<(f64, Done)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let mut work = kernel.prepare(kernel.size)?;
        let mut done = work()?;
        let (begin, mut per_unit) = (Instant::now(), Vec::new());
        while begin.elapsed().as_secs_f64() < SPAN || per_unit.len() < 3 {
            let start = Instant::now();
            done = work()?;
            per_unit.push(start.elapsed().as_secs_f64() * 1e9 / done.units as f64);
        }
        Ok((median(per_unit) * done.units as f64, done))
    })
}

/// The machine and every kernel as Markdown.
///
/// # Errors
/// A kernel that cannot do its work.
pub fn report() -> Result<String> {
    let machine = Machine::measure();
    let mut text = format!(
        "One core: {:.2} ns for each flop ({:.2} ns if each flop needs the result of the flop before), {:.2} ns for each division, {:.1} ns for each sine, {:.3} ns for each byte beyond the caches.\n\n\
         | kernel | unit | least flops | divisions | sines | bound | measured | ratio | operations of the bound, and reasons for the difference |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        machine.flop, machine.chained, machine.division, machine.sine, machine.byte
    );
    for kernel in &KERNELS {
        let (time, done) = timed(kernel)?;
        let units = done.units as f64;
        let (least, per_unit) = (bound(&done.least, &machine) / units, time / units);
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {:.1} | {:.1} | {} | {} | {:.1} | {} |",
            kernel.name,
            kernel.unit,
            done.least.flops / units,
            done.least.divisions / units,
            done.least.sines / units,
            readable(least),
            readable(per_unit),
            per_unit / least,
            kernel.reason
        );
    }
    Ok(text)
}

/// Nanoseconds in a unit that reads well.
#[must_use]
pub fn readable(ns: f64) -> String {
    match ns {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n => format!("{:.1} ms", n / 1e6),
    }
}
