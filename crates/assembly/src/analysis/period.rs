//! Does the motion repeat itself?

use crate::assembly::Assembly;
use crate::error::AssemblyError;

/// How a period is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodSearch {
    /// Drive periods to run from the present one.
    pub sections: u64,
    /// Longest period looked for, in drive periods.
    pub longest: u64,
    /// Largest difference of two sections that counts as none, in units of u0 and u0 Ω.
    pub tolerance: f64,
}

impl Default for PeriodSearch {
    /// 120 sections, periods up to 30, 1e-7.
    fn default() -> Self {
        Self {
            sections: 120,
            longest: 30,
            tolerance: 1e-7,
        }
    }
}

/// What the search found.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodReport {
    /// The smallest period, in drive periods; `None` when the last sections do not repeat.
    pub period: Option<u64>,
    /// Largest difference over the sections judged: of the period found, or the smallest of all tried.
    pub residual: f64,
    /// First section from which the motion repeats to the tolerance.
    pub settled: Option<u64>,
    /// Poincaré section at the drive period: (coordinate, slip) of each block, m and m/s.
    pub sections: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Runs `run` over whole drive periods and finds the smallest p whose last max(3p, 12) sections repeat.
///
/// A marginally stable orbit (elastic impacts) passes the test although nothing attracts to it: look at its
/// multipliers.
///
/// # Errors
/// A motion without a period.
pub fn find_period(
    run: &mut Assembly,
    search: &PeriodSearch,
) -> Result<PeriodReport, AssemblyError> {
    let sections = run_sections(run, search, || Ok::<_, AssemblyError>(()))?;
    Ok(judge(run, search, sections))
}

/// The same with `check` before every drive period, for a caller who may be interrupted.
///
/// # Errors
/// A motion without a period; the error of `check`.
pub fn find_period_checked<E: From<AssemblyError>>(
    run: &mut Assembly,
    search: &PeriodSearch,
    check: impl FnMut() -> Result<(), E>,
) -> Result<PeriodReport, E> {
    let sections = run_sections(run, search, check)?;
    Ok(judge(run, search, sections))
}

/// The sections, with the number of the first.
type Sections = (u64, Vec<(Vec<f64>, Vec<f64>)>);

fn run_sections<E: From<AssemblyError>>(
    run: &mut Assembly,
    search: &PeriodSearch,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Sections, E> {
    let period = run.basin().motion.period().ok_or(AssemblyError::NoPeriod)?;
    let first = (run.time() / period - 1e-9).ceil().max(0.0) as u64;
    let mut sections = Vec::new();
    for k in 0..=search.sections {
        check()?;
        run.advance_to_section(first + k)?;
        sections.push(run.phase_point());
    }
    Ok((first, sections))
}

fn judge(run: &Assembly, search: &PeriodSearch, (first, sections): Sections) -> PeriodReport {
    let (length, speed) = run.units();
    let apart = |a: &(Vec<f64>, Vec<f64>), b: &(Vec<f64>, Vec<f64>)| {
        let y =
            a.0.iter()
                .zip(&b.0)
                .fold(0.0_f64, |m, (p, q)| m.max((p - q).abs() / length));
        a.1.iter()
            .zip(&b.1)
            .fold(y, |m, (p, q)| m.max((p - q).abs() / speed))
    };
    let last = sections.len();
    let mut best = f64::INFINITY;
    for p in 1..=search.longest as usize {
        let window = (3 * p).max(12);
        if p + window > last {
            break;
        }
        let worst = (last - window..last)
            .fold(0.0_f64, |m, k| m.max(apart(&sections[k], &sections[k - p])));
        best = best.min(worst);
        if worst <= search.tolerance {
            let settled = (p..last)
                .rev()
                .take_while(|&k| apart(&sections[k], &sections[k - p]) <= search.tolerance)
                .last();
            return PeriodReport {
                period: Some(p as u64),
                residual: worst,
                settled: settled.map(|k| first + (k - p) as u64),
                sections,
            };
        }
    }
    PeriodReport {
        period: None,
        residual: best,
        settled: None,
        sections,
    }
}
