//! Where the energy of a step went.

/// What one step did (J, unless said otherwise).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepReport {
    /// Time at the end of the step (s).
    pub time: f64,
    /// Kinetic energy of the free bodies at the end.
    pub kinetic: f64,
    /// Potential energy of the free bodies at the end, zero at the origin.
    pub potential: f64,
    /// Energy in the springs of the contacts at the end; 0 for rigid ones.
    pub elastic: f64,
    /// Potential energy added by taking bodies out of overlap; negative where they sank.
    pub stabilisation: f64,
    /// Energy in the ties at the end.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tied: f64,
    /// Work of fixed and driven bodies and planes on the free ones.
    pub boundary_work: f64,
    /// Work of the loads.
    #[cfg_attr(feature = "serde", serde(default))]
    pub load_work: f64,
    /// Energy that ties took: what the rule of the step damps, what yielding takes, and what breaks with them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tie_loss: f64,
    /// Ties that broke.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken_ties: usize,
    /// The same of bonded joints.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken_joints: usize,
    /// Energy taken at the contacts, −Σ r·u with u at the end of the step, less what springs store: the losses D of all
    /// less what bounces return.
    pub contact_loss: f64,
    /// Energy that bounces return, Σ r_n e |u_n⁻|; 0 for restitution 0.
    pub returned: f64,
    /// Least loss D = −r·u − ΔE + r_n e |u_n⁻|, ΔE what a spring stores, of any one contact, 0 if none is negative. The
    /// law has D ≥ 0.
    pub least_contact_loss: f64,
    /// Contacts that made energy: D under 0 beyond rounding. The solvers leave none, so one would be an event.
    pub driving_contacts: usize,
    /// Energy that they made.
    pub driven: f64,
    /// Energy taken by the impact and by the scheme, ½ Δv·MΔv − (1 − θ) h m g·Δv.
    pub scheme_loss: f64,
    /// Kinetic energy of bodies that were put to sleep.
    pub sleep_loss: f64,
    /// Energy in springs of contacts that are no more.
    pub spring_loss: f64,
    /// Change of the total energy that no term explains: rounding.
    pub unexplained: f64,
    /// What rotation has changed in the angular momenta beyond the impulses, summed over the bodies (N m s). None is
    /// left in free flight; in contact the step turns bodies about the spin at its end.
    pub angular_momentum_error: f64,
    /// What the energies of islands, each for itself, rose by beyond stabilisation, the work of boundaries and
    /// rounding: an event. What others lost hides none of it.
    pub gain: f64,
    /// Impacts of pairs of bodies before the step's contact problem.
    pub impacts: usize,
    /// Impacts whose law makes energy: they were those of Newton's law with the normal impulses found first, or
    /// plastic.
    #[cfg_attr(feature = "serde", serde(default))]
    pub refused_impacts: usize,
    /// Energy that a restitution was to give back and did not, Σ ½ e² r_n |u_n⁻|: at contacts that closed faster than
    /// bounces do outside of the impacts, and in plastic ones for the want of others.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unreturned: f64,
    /// Contacts in the step.
    pub contacts: usize,
    /// Parts that the step was divided into, since bodies met that are fast for their size; 0 for none.
    pub parts: usize,
    /// Contacts that the end of the step showed, new ones and known ones with another normal, each time that it did.
    pub entered: usize,
    /// Islands, those that sleep among them.
    pub islands: usize,
    /// Gauss–Seidel sweeps of an island's last solution, the most of any.
    pub sweeps: usize,
    /// Newton steps of all solutions of the step, the most of any island; each is a factorisation, or dissipation
    /// passes that count as one. Short passes beyond the bound of automatic effort are among them.
    pub newton_steps: usize,
    /// Largest relative residual of an island.
    pub residual: f64,
    /// Largest residual of an island, of a divided step the sum of its parts' (m/s): what of the contacts' velocities
    /// is not solved for.
    pub residual_speed: f64,
    /// Islands above the tolerance that was asked for.
    pub unconverged: usize,
    /// Impacts in turn that were not solved to their tolerance, and steps whose impacts in turn were cut short.
    pub unsolved_impacts: usize,
    /// Steps whose rolling resistance did not settle.
    pub unsettled_rolling: usize,
    /// Unconverged islands for which automatic effort met its bound on the work of a step.
    pub over_budget: usize,
    /// Largest overlap at the start of the step (m).
    pub deepest: f64,
    /// Sum of the overlaps at the start of the step (m).
    pub overlap: f64,
    /// Contacts that overlap at the start of the step.
    pub overlapping: usize,
    /// Bodies that do not fit where they are: no displacement takes out their overlap.
    pub wedged: usize,
    /// Bodies that sleep at the end of the step.
    pub asleep: usize,
}

/// Sums over a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldLedger {
    /// Steps done.
    pub steps: u64,
    /// Contacts of all steps.
    pub contacts: u64,
    /// Steps in which the energy of an island rose beyond stabilisation, boundaries and rounding.
    pub gains: u64,
    /// Energy made in those (J).
    pub gained: f64,
    /// Potential energy added by stabilisation (J).
    pub stabilisation: f64,
    /// Work of boundaries (J).
    pub boundary_work: f64,
    /// Work of loads (J).
    #[cfg_attr(feature = "serde", serde(default))]
    pub load_work: f64,
    /// Energy that ties took (J).
    #[cfg_attr(feature = "serde", serde(default))]
    pub tie_loss: f64,
    /// Ties that broke.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken_ties: u64,
    /// Bonded joints that broke.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken_joints: u64,
    /// Kinetic, potential and elastic energy that left with what was taken out of the bodies that move freely, between
    /// steps (J).
    #[cfg_attr(feature = "serde", serde(default))]
    pub taken_out: f64,
    /// Energy taken at contacts less what bounces returned (J).
    pub contact_loss: f64,
    /// Energy that bounces returned (J).
    pub returned: f64,
    /// Energy taken by impacts and the scheme (J).
    pub scheme_loss: f64,
    /// Kinetic energy of bodies that were put to sleep (J).
    pub sleep_loss: f64,
    /// Energy in springs of contacts that were no more (J).
    #[cfg_attr(feature = "serde", serde(default))]
    pub spring_loss: f64,
    /// Least loss of any contact in any step (J).
    pub least_contact_loss: f64,
    /// Contacts that made energy beyond rounding, over all steps.
    pub driving_contacts: u64,
    /// Energy that they made (J).
    pub driven: f64,
    /// Islands left above the tolerance asked for.
    pub unconverged: u64,
    /// Impacts in turn left above their tolerance, and steps whose impacts in turn were cut short.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unsolved_impacts: u64,
    /// Impacts whose law makes energy, for which another one took its place.
    #[cfg_attr(feature = "serde", serde(default))]
    pub refused_impacts: u64,
    /// Energy that a restitution was to give back and did not (J).
    #[cfg_attr(feature = "serde", serde(default))]
    pub unreturned: f64,
    /// Steps whose rolling resistance did not settle.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unsettled_rolling: u64,
    /// Islands left above the tolerance because automatic effort met its bound on the work of a step.
    #[cfg_attr(feature = "serde", serde(default))]
    pub over_budget: u64,
}

impl StepReport {
    /// Adds the next part of a divided step: what was exchanged is summed, of what bounds the step the largest stands,
    /// and the state is that at the end.
    pub(super) fn append(&mut self, next: &Self) {
        *self = Self {
            stabilisation: self.stabilisation + next.stabilisation,
            boundary_work: self.boundary_work + next.boundary_work,
            load_work: self.load_work + next.load_work,
            tie_loss: self.tie_loss + next.tie_loss,
            broken_ties: self.broken_ties + next.broken_ties,
            broken_joints: self.broken_joints + next.broken_joints,
            contact_loss: self.contact_loss + next.contact_loss,
            returned: self.returned + next.returned,
            least_contact_loss: self.least_contact_loss.min(next.least_contact_loss),
            driving_contacts: self.driving_contacts + next.driving_contacts,
            driven: self.driven + next.driven,
            scheme_loss: self.scheme_loss + next.scheme_loss,
            sleep_loss: self.sleep_loss + next.sleep_loss,
            spring_loss: self.spring_loss + next.spring_loss,
            unexplained: self.unexplained + next.unexplained,
            angular_momentum_error: self.angular_momentum_error + next.angular_momentum_error,
            gain: self.gain + next.gain,
            entered: self.entered + next.entered,
            impacts: self.impacts + next.impacts,
            sweeps: self.sweeps.max(next.sweeps),
            newton_steps: self.newton_steps.max(next.newton_steps),
            over_budget: self.over_budget.max(next.over_budget),
            residual: self.residual.max(next.residual),
            residual_speed: self.residual_speed + next.residual_speed,
            unconverged: self.unconverged.max(next.unconverged),
            unsolved_impacts: self.unsolved_impacts + next.unsolved_impacts,
            refused_impacts: self.refused_impacts + next.refused_impacts,
            unreturned: self.unreturned + next.unreturned,
            unsettled_rolling: self.unsettled_rolling.max(next.unsettled_rolling),
            deepest: self.deepest.max(next.deepest),
            parts: self.parts + 1,
            ..*next
        };
    }

    /// All that was taken (J).
    pub fn losses(&self) -> f64 {
        self.contact_loss + self.scheme_loss + self.sleep_loss + self.spring_loss + self.tie_loss
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
        self.stabilisation += r.stabilisation;
        self.boundary_work += r.boundary_work;
        self.load_work += r.load_work;
        self.tie_loss += r.tie_loss;
        self.broken_ties += r.broken_ties as u64;
        self.broken_joints += r.broken_joints as u64;
        self.contact_loss += r.contact_loss;
        self.returned += r.returned;
        self.driving_contacts += r.driving_contacts as u64;
        self.driven += r.driven;
        self.scheme_loss += r.scheme_loss;
        self.sleep_loss += r.sleep_loss;
        self.spring_loss += r.spring_loss;
        self.least_contact_loss = self.least_contact_loss.min(r.least_contact_loss);
        self.unconverged += r.unconverged as u64;
        self.unsolved_impacts += r.unsolved_impacts as u64;
        self.refused_impacts += r.refused_impacts as u64;
        self.unreturned += r.unreturned;
        self.unsettled_rolling += r.unsettled_rolling as u64;
        self.over_budget += r.over_budget as u64;
    }
}
