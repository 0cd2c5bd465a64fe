//! How a pour went: overlap, speed, energy, and when it came to rest.

use klast_dynamics::{DynamicsError, StepReport, World};

/// How a pour went between two times.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PourReport {
    /// Steps in the window.
    pub steps: usize,
    /// Mean overlap over the overlapping contact points and the steps (m).
    pub mean_overlap: f64,
    /// Overlapping contact points of all steps.
    pub overlapping: usize,
    /// Largest overlap (m).
    pub largest_overlap: f64,
    /// Contact points of all steps.
    pub contacts: usize,
    /// Those among them that only the end of their step showed.
    pub entered: usize,
    /// Greatest speed of a mass centre (m/s).
    pub fastest: f64,
    /// Sweeps of all steps.
    pub sweeps: usize,
    /// Largest relative residual.
    pub residual: f64,
    /// Islands left above the tolerance.
    pub unconverged: usize,
    /// Largest rise of the total energy in a step beyond the audit's stabilisation (J); rounding where none rose.
    pub largest_rise: f64,
}

impl PourReport {
    /// Enters a step that the world has just done.
    pub fn enter(&mut self, world: &World, step: &StepReport) {
        let overlapping = self.overlapping + step.overlap.contacts;
        if overlapping > 0 {
            let sum = self.mean_overlap * self.overlapping as f64 + step.overlap.sum;
            self.mean_overlap = sum / overlapping as f64;
        }
        self.overlapping = overlapping;
        self.largest_overlap = self.largest_overlap.max(step.overlap.deepest);
        self.steps += 1;
        self.contacts += step.contacts;
        self.entered += step.events.entered as usize;
        self.sweeps += step.solver.sweeps;
        self.unconverged += step.solver.unconverged;
        self.residual = self.residual.max(step.solver.residual);
        self.largest_rise = self.largest_rise.max(step.gain);
        self.fastest = world
            .states()
            .map(|s| s.velocity.linear.length())
            .fold(self.fastest, f64::max);
    }
}

/// Steps a world to a time and gathers the overlap at the start of each step.
pub fn pour_report(world: &mut World, until: f64) -> Result<PourReport, DynamicsError> {
    let mut report = PourReport::default();
    while world.time() < until - 0.5 * world.settings().step {
        let step = world.step()?;
        report.enter(world, &step);
    }
    Ok(report)
}

/// Kinetic energy over the potential energy of the start below which a pour counts as at rest.
const REST: f64 = 1e-8;
/// Rise of the total energy in a step over the energy of the start that counts as rounding: sums over a thousand
/// bodies.
const ROUNDING: f64 = 1e-12;

/// A pour that was run on until it rests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestReport {
    /// Time from which on the kinetic energy stayed under the bar (s); none if it does not.
    pub at_rest_from: Option<f64>,
    /// Kinetic energy at the end over the potential energy above the floor at the start.
    pub kinetic: f64,
    /// Greatest speed of a mass centre (m/s).
    pub fastest: f64,
    /// Speed of a fall from the highest centre to the floor (m/s).
    pub speed_bound: f64,
    /// Largest rise of the total energy in a step beyond the audit's stabilisation, over the energy of the start.
    pub largest_rise: f64,
    /// Steps with a rise above rounding, as the audit counts them.
    pub gains: u64,
    /// Islands of all steps left above the tolerance.
    pub unconverged: u64,
    /// Overlap at the end: mean and largest (m).
    pub overlap: (f64, f64),
    /// Time at the end (s).
    pub time: f64,
}

impl RestReport {
    /// Each bar with the value found, the value accepted, and whether it holds.
    pub fn bars(&self) -> [(&'static str, f64, f64, bool); 3] {
        let bar = |name, found: f64, accepted: f64| (name, found, accepted, found <= accepted);
        let mut rest = bar(
            "kinetic energy at the end / potential at the start",
            self.kinetic,
            REST,
        );
        rest.3 &= self.at_rest_from.is_some();
        [
            rest,
            bar("greatest speed (m/s)", self.fastest, self.speed_bound),
            bar(
                "largest rise of energy in a step / energy at the start",
                self.largest_rise,
                ROUNDING,
            ),
        ]
    }
}

/// Runs a pour from its start until the kinetic energy has stayed under 1e-8 of the initial potential energy for `hold`
/// seconds, at most to a time (s), and shows each step.
pub fn pour_to_rest(
    world: &mut World,
    until: f64,
    hold: f64,
    mut show: impl FnMut(&World, &StepReport),
) -> Result<RestReport, DynamicsError> {
    let gravity = world.settings().gravity.length();
    let top = world
        .states()
        .map(|s| s.pose.translation.z)
        .fold(0.0, f64::max);
    let start = world.potential_energy();
    let mut all = PourReport::default();
    let mut quiet_since = None;
    while world.time() < until - 0.5 * world.settings().step {
        let step = world.step()?;
        all.enter(world, &step);
        show(world, &step);
        // A pour begins at rest: it has to have fallen first.
        if step.energy.kinetic > REST * start || step.contacts == 0 {
            quiet_since = None;
        } else if world.time() - *quiet_since.get_or_insert(world.time()) >= hold {
            break;
        }
    }
    let gaps = || world.contacts().iter().map(|c| -c.gap).filter(|g| *g > 0.0);
    let count = gaps().count().max(1) as f64;
    Ok(RestReport {
        at_rest_from: quiet_since,
        kinetic: world.kinetic_energy() / start,
        fastest: all.fastest,
        speed_bound: (2.0 * gravity * top).sqrt(),
        largest_rise: all.largest_rise / start,
        gains: world.ledger().gains,
        unconverged: world.ledger().unconverged,
        overlap: (gaps().sum::<f64>() / count, gaps().fold(0.0, f64::max)),
        time: world.time(),
    })
}
