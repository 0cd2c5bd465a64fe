//! The continuations that a solver tries in turn on a problem that does not converge.

/// Homotopy schedules, tried in turn on repeated calls. τ₀ = 3e-3 solves nearly all; the rest are restarts. From 0.003
/// a homotopy leads to where Newton's method has the least to do. Where it stagnates, a short one from 0.001 and from
/// where Newton's method ended most often succeeds.
const SCHEDULE: [Continuation; 4] = [
    Continuation::Homotopies(&[0.003, 0.001, 0.1, 0.001, 0.03, 0.001, 0.3, 0.001], 5e-6),
    Continuation::Homotopies(&[0.001, 0.01, 0.001, 0.3, 0.001], 2e-6),
    Continuation::Homotopies(&[0.05, 0.001, 0.2, 0.001, 0.005, 0.001], 2e-6),
    Continuation::Arclength,
];
/// The same with compliant contacts, which need no arc-length continuation and can begin nearer to the end: from 0.1
/// the first takes 1.5 times the steps.
const COMPLIANT_SCHEDULE: [Continuation; 2] = [
    Continuation::Homotopies(&[1e-3, 0.1], 5e-6),
    Continuation::Homotopies(&[0.01, 0.03, 0.3, 0.003, 1e-4], 1e-6),
];
/// Growth of the initial τ per full cycle of the schedule, and the maximum number of growths.
const GROWTH: f64 = 1.3;
const MAX_GROWTHS: usize = 16;

/// Continuation through smoothed problems.
#[derive(Debug, Clone, Copy)]
pub(super) enum Continuation {
    /// Homotopies from these τ (in units of max‖q‖, larger in each cycle), one after the other if need be, and where
    /// each ends.
    Homotopies(&'static [f64], f64),
    /// Arc-length continuation, past folds.
    Arclength,
}

/// The continuation of the `attempt`-th call, from 0, and the factor on where its homotopies start.
pub(super) fn entry(attempt: usize, compliant: bool) -> (Continuation, f64) {
    let schedule: &[Continuation] = match compliant {
        true => &COMPLIANT_SCHEDULE,
        false => &SCHEDULE,
    };
    let growths = (attempt / schedule.len()).min(MAX_GROWTHS);
    let growth = std::iter::repeat_n(GROWTH, growths).product();
    (schedule[attempt % schedule.len()], growth)
}
