//! How fast neighbouring motions part.

use crate::assembly::Assembly;
use crate::error::AssemblyError;

/// The largest Lyapunov exponent.
#[derive(Debug, Clone, PartialEq)]
pub struct Lyapunov {
    /// Mean growth rate, 1/s.
    pub exponent: f64,
    /// Growth per drive period, as a natural logarithm.
    pub per_period: f64,
    /// Running mean of the growth per period, to judge convergence.
    pub running: Vec<f64>,
}

/// Distance that is restored after each period, in units of u0 and u0 Ω.
const DISTANCE: f64 = 1e-8;

/// Follows a disturbed twin over `periods` drive periods and rescales its distance after each (Benettin et al. 1980).
///
/// A twin that falls exactly on the run (sticking forgets a disturbance) is set off anew; that period counts as a
/// growth of 1e-8, the smallest that can be seen.
///
/// # Errors
/// A motion without a period.
pub fn largest_lyapunov(run: &mut Assembly, periods: u64) -> Result<Lyapunov, AssemblyError> {
    let drive = run.basin().motion.period().ok_or(AssemblyError::NoPeriod)?;
    let first = (run.time() / drive - 1e-9).ceil().max(0.0) as u64;
    run.advance_to_section(first)?;
    let (length, speed) = run.units();
    let mut direction = fresh(run.len());
    let mut sum = 0.0;
    let mut running = Vec::new();
    for k in 1..=periods {
        let (y, w) = run.phase_point();
        let clusters = run.clusters();
        let (mut ty, mut tw) = (y.clone(), w.clone());
        for &(c, last) in &clusters {
            for b in c..=last {
                ty[b] = y[b] + DISTANCE * length * direction[c].0;
                tw[b] = w[b] + DISTANCE * speed * direction[c].1;
            }
        }
        let mut twin = run.restarted(&ty, &tw);
        let begin = apart(&twin, run, length, speed);
        run.advance_to_section(first + k)?;
        twin.advance_to_section(first + k)?;
        let end = apart(&twin, run, length, speed);
        let size = norm(&end);
        let start = norm(&begin);
        let growth = if start > 0.0 {
            (size / start).max(DISTANCE)
        } else {
            DISTANCE
        };
        sum += libm::log(growth);
        direction = if size > DISTANCE * DISTANCE {
            end.iter().map(|d| (d.0 / size, d.1 / size)).collect()
        } else {
            fresh(run.len())
        };
        running.push(sum / k as f64);
    }
    let per_period = running.last().copied().unwrap_or(0.0);
    Ok(Lyapunov {
        exponent: per_period / drive,
        per_period,
        running,
    })
}

/// A direction with all components, alternating so that it is no rigid shift.
fn fresh(n: usize) -> Vec<(f64, f64)> {
    let size = (2.0 * n as f64).sqrt();
    (0..n)
        .map(|i| {
            if i % 2 == 0 {
                (1.0 / size, 1.0 / size)
            } else {
                (-1.0 / size, 1.0 / size)
            }
        })
        .collect()
}

fn apart(twin: &Assembly, run: &Assembly, length: f64, speed: f64) -> Vec<(f64, f64)> {
    let ((ty, tw), (y, w)) = (twin.phase_point(), run.phase_point());
    ty.iter()
        .zip(&y)
        .zip(tw.iter().zip(&w))
        .map(|((a, b), (c, d))| ((a - b) / length, (c - d) / speed))
        .collect()
}

fn norm(d: &[(f64, f64)]) -> f64 {
    d.iter().map(|p| p.0 * p.0 + p.1 * p.1).sum::<f64>().sqrt()
}
