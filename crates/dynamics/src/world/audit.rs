//! Where the energy of a step went.

/// What one step did (J, unless said otherwise).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepReport {
    /// Time at the end of the step (s).
    pub time: f64,
    /// What the free bodies have at the end.
    pub energy: StoredEnergy,
    /// What was exchanged.
    pub exchange: EnergyExchange,
    /// What happened, in numbers.
    pub events: StepEvents,
    /// How well the contact problems were solved, and for what effort.
    pub solver: SolverReport,
    /// Overlaps at the start of the step.
    pub overlap: OverlapReport,
    /// Change of the total energy that no term explains: rounding.
    pub unexplained: f64,
    /// What rotation has changed in the angular momenta beyond the impulses, summed over the bodies (N m s). None is
    /// left in free flight; in contact the step turns bodies about the spin at its end.
    pub angular_momentum_error: f64,
    /// What the energies of islands, each for itself, rose by beyond stabilisation, the work of boundaries and
    /// rounding: an event. What others lost hides none of it.
    pub gain: f64,
    /// Contacts in the step.
    pub contacts: usize,
    /// Islands, those that sleep among them.
    pub islands: usize,
    /// Bodies that sleep at the end of the step.
    pub asleep: usize,
    /// Parts that the step was divided into, since bodies met that are fast for their size; 0 for none.
    pub parts: usize,
}

/// Energies (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoredEnergy {
    /// Kinetic energy of the free bodies.
    pub kinetic: f64,
    /// Potential energy of the free bodies, zero at the origin.
    pub potential: f64,
    /// Energy in the springs of the contacts; 0 for rigid ones.
    pub elastic: f64,
    /// Energy in the ties.
    pub tied: f64,
}

impl StoredEnergy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic + self.tied
    }
}

/// Energy that the free bodies were given and lost, in a step or in all of a run (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnergyExchange {
    /// Potential energy added by taking bodies out of overlap; negative where they sank.
    pub stabilisation: f64,
    /// Work of fixed and driven bodies and planes on the free ones.
    pub boundary_work: f64,
    /// Work of the loads.
    pub load_work: f64,
    /// Energy taken at the contacts, −Σ r·u with u at the end of the step, less what springs store: the losses D of all
    /// less what bounces return.
    pub contact_loss: f64,
    /// Energy that bounces return, Σ r_n e |u_n⁻|; 0 for restitution 0.
    pub returned: f64,
    /// Energy that a restitution was to give back and did not, Σ ½ e² r_n |u_n⁻|: at contacts that closed faster than
    /// bounces do outside of the impacts, and in plastic ones for the want of others.
    pub unreturned: f64,
    /// Least loss D = −r·u − ΔE + r_n e |u_n⁻|, ΔE what a spring stores, of any one contact, 0 if none is negative. The
    /// law has D ≥ 0.
    pub least_contact_loss: f64,
    /// Contacts that made energy: D under 0 beyond rounding. The solvers leave none, so one would be an event.
    pub driving_contacts: u64,
    /// Energy that they made.
    pub driven: f64,
    /// Energy taken by the impact and by the scheme, ½ Δv·MΔv − (1 − θ) h m g·Δv.
    pub scheme_loss: f64,
    /// Kinetic energy of bodies that were put to sleep.
    pub sleep_loss: f64,
    /// Energy in springs of contacts that are no more.
    pub spring_loss: f64,
    /// Energy that ties took: what the rule of the step damps, what yielding takes, and what breaks with them.
    pub tie_loss: f64,
}

impl EnergyExchange {
    /// All that was taken.
    pub fn losses(&self) -> f64 {
        self.contact_loss + self.scheme_loss + self.sleep_loss + self.spring_loss + self.tie_loss
    }

    fn add(&mut self, next: &Self) {
        self.stabilisation += next.stabilisation;
        self.boundary_work += next.boundary_work;
        self.load_work += next.load_work;
        self.contact_loss += next.contact_loss;
        self.returned += next.returned;
        self.unreturned += next.unreturned;
        self.least_contact_loss = self.least_contact_loss.min(next.least_contact_loss);
        self.driving_contacts += next.driving_contacts;
        self.driven += next.driven;
        self.scheme_loss += next.scheme_loss;
        self.sleep_loss += next.sleep_loss;
        self.spring_loss += next.spring_loss;
        self.tie_loss += next.tie_loss;
    }
}

/// Events of a step or of all of a run, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepEvents {
    /// Impacts of pairs of bodies before the step's contact problem.
    pub impacts: u64,
    /// Impacts whose law makes energy: they were those of Newton's law with the normal impulses found first, or
    /// plastic.
    pub refused_impacts: u64,
    /// Impacts in turn that were not solved to their tolerance, and steps whose impacts in turn were cut short.
    pub unsolved_impacts: u64,
    /// Steps or parts of one whose rolling resistance did not settle.
    pub unsettled_rolling: u64,
    /// Contacts that the end of the step showed, new ones and known ones with another normal, each time that it did.
    pub entered: u64,
    /// Ties that broke.
    pub broken_ties: u64,
    /// Bonded joints that broke.
    pub broken_joints: u64,
}

impl StepEvents {
    fn add(&mut self, next: &Self) {
        self.impacts += next.impacts;
        self.refused_impacts += next.refused_impacts;
        self.unsolved_impacts += next.unsolved_impacts;
        self.unsettled_rolling += next.unsettled_rolling;
        self.entered += next.entered;
        self.broken_ties += next.broken_ties;
        self.broken_joints += next.broken_joints;
    }
}

/// How well the contact problems of a step were solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolverReport {
    /// Gauss–Seidel sweeps of an island's last solution, the most of any.
    pub sweeps: usize,
    /// Newton steps of all solutions of the step, the most of any island; each is a factorisation, or dissipation
    /// passes that count as one. Short passes beyond the bound of automatic effort are among them.
    pub newton_steps: usize,
    /// Factorisations of any kind, of all solutions of all islands.
    pub factorisations: usize,
    /// Largest relative residual of an island.
    pub residual: f64,
    /// Largest residual of an island, of a divided step the sum of its parts' (m/s): what of the contacts' velocities
    /// is not solved for.
    pub residual_speed: f64,
    /// Islands above the tolerance that was asked for.
    pub unconverged: usize,
    /// Unconverged islands for which automatic effort met its bound on the work of a step.
    pub over_budget: usize,
}

impl SolverReport {
    fn append(&mut self, next: &Self) {
        self.sweeps = self.sweeps.max(next.sweeps);
        self.newton_steps = self.newton_steps.max(next.newton_steps);
        self.factorisations += next.factorisations;
        self.residual = self.residual.max(next.residual);
        self.residual_speed += next.residual_speed;
        self.unconverged = self.unconverged.max(next.unconverged);
        self.over_budget = self.over_budget.max(next.over_budget);
    }
}

/// Overlaps at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OverlapReport {
    /// Largest overlap (m).
    pub deepest: f64,
    /// Sum of the overlaps (m).
    pub sum: f64,
    /// Contacts that overlap.
    pub contacts: usize,
    /// Contacts of pairs that barely moved since they were searched, which were kept: with a number of sweeps.
    pub kept: usize,
    /// Largest way of a point of the second body of these in the frame of the first since then (m): contacts are kept
    /// up to three of [`super::WorldSettings::margin`]. Their gaps are those of the features that a search found.
    pub kept_way: f64,
    /// Bodies that do not fit where they are: no displacement takes out their overlap.
    pub wedged: usize,
}

/// Sums over a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldLedger {
    /// Steps done.
    pub steps: u64,
    /// Contacts of all steps.
    pub contacts: u64,
    /// What was exchanged.
    pub exchange: EnergyExchange,
    /// What happened, in numbers.
    pub events: StepEvents,
    /// Steps in which the energy of an island rose beyond stabilisation, boundaries and rounding.
    pub gains: u64,
    /// Energy made in those (J).
    pub gained: f64,
    /// Kinetic, potential and elastic energy that left with what was taken out of the bodies that move freely, between
    /// steps (J).
    pub taken_out: f64,
    /// Islands left above the tolerance asked for.
    pub unconverged: u64,
    /// Islands left above the tolerance because automatic effort met its bound on the work of a step.
    pub over_budget: u64,
}

impl StepReport {
    /// Adds the next part of a divided step: what was exchanged is summed, of what bounds the step the largest stands,
    /// and the state is that at the end.
    pub(super) fn append(&mut self, next: &Self) {
        let mut sum = *next;
        (sum.exchange, sum.events) = (self.exchange, self.events);
        sum.exchange.add(&next.exchange);
        sum.events.add(&next.events);
        sum.solver = self.solver;
        sum.solver.append(&next.solver);
        sum.overlap.deepest = self.overlap.deepest.max(next.overlap.deepest);
        sum.overlap.kept_way = self.overlap.kept_way.max(next.overlap.kept_way);
        sum.unexplained += self.unexplained;
        sum.angular_momentum_error += self.angular_momentum_error;
        sum.gain += self.gain;
        sum.parts = self.parts + 1;
        *self = sum;
    }
}

impl WorldLedger {
    /// Enters one step.
    pub(super) fn enter(&mut self, r: &StepReport) {
        self.steps += 1;
        self.contacts += r.contacts as u64;
        if r.gain > 0.0 {
            self.gains += 1;
            self.gained += r.gain;
        }
        self.exchange.add(&r.exchange);
        self.events.add(&r.events);
        self.unconverged += r.solver.unconverged as u64;
        self.over_budget += r.solver.over_budget as u64;
    }
}
