//! Many bodies, many contacts: the Moreau–Jean time stepping.
//!
//! One step of size h (Moreau 1988; Jean 1999, "The non smooth contact dynamics method", eqs. 40–49):
//! - contacts are found at the start of the step, with their gaps g;
//! - v_free = v + h M⁻¹ F with gravity and the gyroscopic moment (implicit midpoint, which keeps the energy);
//! - impulses r solve the frictional contact problem on v⁺ = v_free + M⁻¹ Hᵀ r, u = H v⁺. A closed contact obeys
//!   u_n + e u_n⁻ ≥ 0, an open one u_n + g/h ≥ 0: it may close within the step but not overlap;
//! - x ← x + h (θ v⁺ + (1 − θ) v), 1/2 ≤ θ ≤ 1;
//! - run to a residual, the step looks at where that leads: what would enter there, beside the contacts of the start or
//!   since a normal has turned, is a contact too, and the impulses are solved for again.
//!
//! **Energy.** With Δv = v⁺ − v and F = m g the total energy changes in a step by exactly
//! Σ r·u − ½ Δv·MΔv + (1 − θ) h m g·Δv. For e = 0 each contact's r·u is not positive, so with θ = 1 (the default)
//! the energy cannot rise, whatever the step. With θ = ½ free flight keeps it, and a step in which a contact closes
//! can gain up to m g²h²/8 a body. The audit of each step holds these terms.
//!
//! **Drift.** Overlap left by rounding, by the linearised step or by an unfinished solve is taken out by moving
//! bodies, never by giving them velocity: a second, frictionless problem yields displacements. The potential energy
//! they add is the audit's `stabilisation`.
//!
//! **Determinism.** Contacts are sorted by (body, body, feature), islands by their first body; each island is solved
//! by one thread. The bits do not depend on the number of threads or on how contacts were found.
//!
//! **Sleep.** An option; see [`Sleep`].

mod arcs;
mod audit;
mod bonds;
mod broad_phase;
mod carriers;
mod carry_over;
mod changes;
mod collect;
mod contact_problem;
mod contacts;
mod course;
mod divided_step;
mod drowsiness;
mod ends;
mod energies;
mod entering;
mod exchanged;
mod facade;
mod find_contacts;
mod first_touch;
mod frozen;
mod given;
mod impact_run;
mod impacts;
mod island;
mod islands;
mod kept;
mod loads;
mod materials;
mod member;
mod moreau_jean_step;
mod motion;
mod move_bodies;
mod narrow_phase;
mod newton_steps;
mod origin;
mod overlap;
mod pair_impact;
mod reaction;
mod rolling;
mod settings;
mod sleep;
mod slide_over;
mod snapshot;
mod solution;
mod squeezed;
mod state;
mod target;
mod tied;
mod ties;
mod wear;
mod workspace;

pub use audit::{
    EnergyExchange, OverlapReport, SolverReport, StepEvents, StepReport, StoredEnergy, WorldLedger,
};
pub use bonds::Bond;
pub use contacts::WorldContact;
pub use course::Course;
pub use drowsiness::Sleep;
pub use facade::World;
pub use loads::{Action, Faces, Load};
pub use materials::{Material, Surface};
pub use member::{Drive, Role};
pub use settings::{Effort, Impacts, Restitution, WorldSettings};
pub use snapshot::WorldSnapshot;
pub use solution::SOLVED_BY_SWEEPS;
pub use ties::{End, Failure, Form, Tie, TieState};
