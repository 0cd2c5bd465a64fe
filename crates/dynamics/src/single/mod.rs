//! One body on any ground: exact flight, exact first contact, impact, sustained contact, in one event loop.
//!
//! [`SingleBody`] holds the ground's shape and the options; a [`GroundLaw`] says what the ground is made of; an
//! [`Observer`] sees every stretch of motion and every impact. Impacts slower than the normal-velocity cutoff do not
//! rebound, so a series of bounces whose sum is finite (Zeno) ends after a few, with an error in time of about 2 v/(g
//! (1 − e)) and in energy of ½ m v² for a cutoff v; then contact is sustained. Each stretch of it is audited.

mod audit;
mod contact_problem;
mod contacts;
mod digging;
mod event_loop;
mod first_contact;
mod flight;
mod follow;
mod ground_law;
mod impact;
mod impact_phase;
mod observer;
mod options;
mod penetration;
mod single_body;
mod slowing;
mod sustained;
mod torque_free;
mod way_in;
mod workspace;

pub use audit::{EnergyAudit, EnergyLedger};
pub use first_contact::{FirstContact, FirstTouch, first_contact, first_touch};
pub use flight::{Flight, FollowedFlight};
pub use ground_law::{Coefficients, Drag, Friction, GroundLaw, Restitution, TangentialRestitution};
pub use impact::{Impact, impact};
pub use observer::{ImpactEvent, Motion, Observer, StopReason, Stretch};
pub use options::{Limits, Options, Stepping};
pub use penetration::Penetration;
pub use single_body::{FirstImpact, Run, SingleBody, Tally};
pub use way_in::Dug;
pub use workspace::Workspace;
