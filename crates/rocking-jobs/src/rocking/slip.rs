//! What slip did in a motion of a rocking block.

use klast_rocking::{
    Friction, Mode, SlideRockEnergy, SlideRockEvent, SlideRockEventKind, SlideRockRun,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::event::{EventRow, side_name};

/// Motion with slip.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Slip {
    /// Friction coefficient while sliding.
    pub friction: f64,
    /// Friction coefficient at rest.
    pub friction_at_rest: f64,
    /// Time at which the block first slides (s); null if it never slides.
    pub first_slide_s: Option<f64>,
    /// Time at which a corner first leaves the base (s); null if this never happens.
    pub first_rock_s: Option<f64>,
    /// Time at which both corners first leave the base (s); null if this never happens.
    pub first_jump_s: Option<f64>,
    /// Slip at the end, to the right positive (m).
    pub residual_slip_m: f64,
    /// Largest slip from the start in either direction (m).
    pub max_slip_m: f64,
    /// Length of the path of the foot along the base, in both directions (m).
    pub path_m: f64,
    /// Number of times at which both corners leave the base.
    pub jumps: usize,
    /// Number of sliding contacts without a solution for finite forces (Painlevé's case). An impulse stops the sliding.
    pub jams: usize,
    /// Number of contact problems with more than one solution.
    pub ambiguous: usize,
    /// Number of contact problems without a solution. For each of them, klast took the state that violates the
    /// conditions of contact least.
    pub unresolved: usize,
    /// Energy balance per mass.
    pub energy: Energy,
}

/// Energy balance of the motion relative to the base, for each kilogram of the block (J/kg). What restrainers and the
/// dashpots of a compliant base dissipate is in `restraint` and `compliant_base`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Energy {
    /// Energy at the start (J/kg).
    pub start_j_kg: f64,
    /// Energy at the end (J/kg).
    pub end_j_kg: f64,
    /// Boundary work: work of the moving base (J/kg).
    pub base_work_j_kg: f64,
    /// Energy dissipated by sliding (J/kg).
    pub friction_j_kg: f64,
    /// Energy dissipated by impacts (J/kg).
    pub impacts_j_kg: f64,
    /// Energy gained in impacts (J/kg).
    pub gained_j_kg: f64,
    /// Largest energy residual between two events (J/kg).
    pub imbalance_j_kg: f64,
}

impl From<SlideRockEnergy> for Energy {
    fn from(energy: SlideRockEnergy) -> Self {
        Self {
            start_j_kg: energy.start,
            end_j_kg: energy.end,
            base_work_j_kg: energy.base_work,
            friction_j_kg: energy.friction,
            impacts_j_kg: energy.impacts,
            gained_j_kg: energy.gained,
            imbalance_j_kg: energy.imbalance,
        }
    }
}

impl Slip {
    pub(super) fn of(run: &SlideRockRun, friction: Friction) -> Self {
        Self {
            friction: friction.sliding(),
            friction_at_rest: friction.at_rest(),
            first_slide_s: run.first_slide,
            first_rock_s: run.first_rock,
            first_jump_s: run.first_jump,
            residual_slip_m: run.slip,
            max_slip_m: run.largest_slip,
            path_m: run.way,
            jumps: run.jumps,
            jams: run.jams,
            ambiguous: run.ambiguous,
            unresolved: run.unresolved,
            energy: run.energy.into(),
        }
    }
}

/// What the reader has to know of a run with slip.
pub(super) fn warnings(run: &SlideRockRun) -> Vec<String> {
    let mut warnings = Vec::new();
    if run.unresolved > 0 {
        warnings.push(format!(
            "{} contact problems have no solution; the least contradicting mode was taken",
            run.unresolved
        ));
    }
    if run.ambiguous > 0 {
        warnings.push(format!(
            "{} contact problems have more than one solution: the motion after them is one of several",
            run.ambiguous
        ));
    }
    if run.jams > 0 {
        warnings.push(format!(
            "a sliding corner jams {} times (Painlevé): velocities jump where nothing collides",
            run.jams
        ));
    }
    if run.energy.gained > 0.0 {
        warnings.push(format!(
            "impacts gain {:.3e} J/kg of energy",
            run.energy.gained
        ));
    }
    warnings
}

/// A row of `events.csv`.
pub(super) fn event(event: &SlideRockEvent) -> EventRow {
    let (name, corner, to) = match event.mode {
        Mode::Rest => ("rest", None, None),
        Mode::Slide(to) => ("slide", None, Some(to)),
        Mode::Rock(corner) => ("rock", Some(corner), None),
        Mode::SlideRock(corner, to) => ("slide-rock", Some(corner), Some(to)),
        Mode::Flight => ("flight", None, None),
    };
    let row = EventRow {
        time_s: event.time,
        event: name,
        corner: corner.and_then(side_name),
        slides_to: to.and_then(side_name),
        ..EventRow::default()
    };
    match event.kind {
        SlideRockEventKind::Mode | SlideRockEventKind::Closed => row,
        SlideRockEventKind::Jam => EventRow {
            event: "jam",
            ..row
        },
        SlideRockEventKind::Impact { before, after } => EventRow {
            event: "impact",
            velocity_before_rad_s: Some(before),
            velocity_after_rad_s: Some(after),
            ..row
        },
        SlideRockEventKind::Broke { restrainer } => EventRow {
            event: "broke",
            restrainer: Some(restrainer + 1),
            ..row
        },
        SlideRockEventKind::Overturned { side } => EventRow {
            event: "overturned",
            corner: side_name(side),
            slides_to: None,
            ..row
        },
    }
}
