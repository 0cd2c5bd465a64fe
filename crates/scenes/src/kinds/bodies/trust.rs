//! What a result rests on, and what of it does not hold.

use super::build::Built;
use super::history::{Record, residual_bound};
use super::scene::Scene;
use super::solver::EffortEntry;
use super::verdict::Verdict;
use crate::answer::short;
use klast_dynamics::{SOLVED_BY_SWEEPS, World};

/// Overlap (in radii of the smallest free body), work of taking it out, energy gained and energy that restitution did
/// not return (all three of the energy of the bodies that touched) and ratio of masses beyond which there is a warning.
const OVERLAP: f64 = 1e-2;
const STABILISATION: f64 = 1e-2;
const GAINED: f64 = 1e-2;
const UNRETURNED: f64 = 1e-2;
const MASS_RATIO: f64 = 100.0;
/// Bodies that are named at most.
const NAMED: usize = 5;

/// The verdict on a scene that asks for one.
pub fn verdict(scene: &Scene, built: &Built, record: &Record) -> Option<Verdict> {
    let bar = scene.stands_within_m?;
    Some(match undecided(scene, built, record) {
        Some(_) => Verdict::Undecided,
        None if record.ways.farthest().1 > bar => Verdict::Falls,
        None => Verdict::Stands,
    })
}

/// Why there is no verdict, and what helps.
pub struct Undecided {
    pub why: String,
    helps: &'static str,
}

/// Why there is no verdict on a scene that asks for one.
pub fn undecided(scene: &Scene, built: &Built, record: &Record) -> Option<Undecided> {
    let bar = scene.stands_within_m?;
    if record.unsolved_steps > 0 {
        return Some(Undecided {
            why: format!(
                "residual up to {:.2e} m/s² in {} of {} steps, where {:.1e} m/s² carries a verdict on {bar} m",
                record.judged_residual,
                record.unsolved_steps,
                record.judged_steps,
                residual_bound(scene, bar)
            ),
            helps: "a shorter step, a residual as effort, or stiffness_n_per_m helps",
        });
    }
    if record.ways.farthest().1 > bar || record.rest_at.is_some() {
        return None;
    }
    // What the residual can hide over the run is no motion.
    let explained = record.judged_residual * built.world.time();
    let moving = record.ways.goes_on(built, bar, explained)?;
    let name = built.names.get(moving.body).map_or("", String::as_str);
    Some(Undecided {
        why: format!(
            "'{name}' still moving at {} m/s at the end",
            short(moving.speed)
        ),
        helps: "a longer duration_s helps",
    })
}

/// Mass of the heaviest free body over that of the lightest.
pub fn mass_ratio(world: &World) -> f64 {
    let free = (0..world.len()).filter(|&i| world.is_free(i));
    let masses = free.filter_map(|i| world.body(i)).map(|b| b.mass());
    let (low, high) = masses.fold((f64::INFINITY, 0.0), |(low, high), m| {
        (f64::min(low, m), f64::max(high, m))
    });
    if high > 0.0 { high / low } else { 1.0 }
}

/// Residual above which a contact problem counts as not solved.
fn tolerance(scene: &Scene) -> f64 {
    match scene.solver.effort {
        EffortEntry::Auto { tolerance, .. } | EffortEntry::Residual { tolerance, .. } => tolerance,
        EffortEntry::Sweeps { .. } => SOLVED_BY_SWEEPS,
    }
}

/// What a reader of the result has to know.
pub fn warnings(scene: &Scene, built: &Built, record: &Record) -> Vec<String> {
    let (world, ledger) = (&built.world, built.world.ledger());
    let mut found = vec![];
    let undecided = undecided(scene, built, record);
    if let Some(Undecided { why, helps }) = &undecided {
        found.push(format!("undecided: {why}; {helps}"));
    }
    if record.unsolved_steps == 0 && ledger.unconverged > 0 {
        found.push(format!(
            "{} contact problems in {} steps stayed above a residual of {:.0e}, the largest {:.2e}; a shorter step or more effort helps",
            ledger.unconverged,
            ledger.steps,
            tolerance(scene),
            record.residual
        ));
    }
    if ledger.unsolved_impacts > 0 {
        found.push(format!(
            "impacts that were cut short or stayed above the tolerance of their law: {}; what they leave is plastic or inexact; a shorter step, or impact_law 'together', helps",
            ledger.unsolved_impacts
        ));
    }
    if ledger.unsettled_rolling > 0 {
        found.push(format!(
            "steps whose rolling resistance did not settle: {} of {}; a shorter step helps",
            ledger.unsettled_rolling, ledger.steps
        ));
    }
    if ledger.over_budget > 0 {
        found.push(format!(
            "contact problems that need more work than effort 'auto' spends on a step: {}; a larger max_newton_steps, a residual as effort, which has no bound, or stiffness_n_per_m helps",
            ledger.over_budget
        ));
    }
    if !record.wedged.is_empty() {
        let names = record.wedged.keys().filter_map(|&i| built.names.get(i));
        let shown: Vec<&str> = names.map(String::as_str).take(NAMED).collect();
        let more = match record.wedged.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        found.push(format!(
            "wedged: {}{more} overlap where they have no room; they keep the overlap",
            shown.join(", ")
        ));
    }
    let free = (0..world.len()).filter(|&i| world.is_free(i));
    let radii = free
        .filter_map(|i| world.body(i))
        .map(|b| b.shape().radius());
    let smallest = radii.fold(f64::INFINITY, f64::min);
    if record.overlap > OVERLAP * smallest {
        found.push(format!(
            "largest overlap {:.2e} m, {:.1} % of the smallest body's radius; a shorter step helps",
            record.overlap,
            100.0 * record.overlap / smallest
        ));
    }
    energies(built, record, &mut found);
    let ratio = mass_ratio(world);
    if ratio > MASS_RATIO {
        found.push(format!(
            "the heaviest body has {ratio:.0} times the mass of the lightest; contact problems are then hard to solve"
        ));
    }
    found
}

/// Warnings on energy that is not that of the laws, measured by that of the bodies that touched before it came.
fn energies(built: &Built, record: &Record, found: &mut Vec<String>) {
    let ledger = built.world.ledger();
    let handled = record.touched.energy();
    if ledger.stabilisation.abs() > STABILISATION * handled {
        found.push(format!(
            "taking out overlap did work of {:.2e} J, where the bodies that touched had {handled:.2e} J",
            ledger.stabilisation
        ));
    }
    if record.touched.gained() > GAINED {
        found.push(format!(
            "steps that gained energy: {}, {:.2e} J in all, where the bodies that touched had {handled:.2e} J: the motion after them is not that of the laws; a shorter step helps",
            ledger.gains, ledger.gained
        ));
    }
    if ledger.refused_impacts > 0 {
        found.push(format!(
            "impacts whose law generates energy: {}; Newton's law with the normal impulses found first took its place, or a plastic impact; impact_law 'stronge' generates none at one contact",
            ledger.refused_impacts
        ));
    }
    if ledger.unreturned > UNRETURNED * handled {
        found.push(format!(
            "restitution did not return {:.2e} J that it should have, where the bodies that touched had {handled:.2e} J; a shorter step helps",
            ledger.unreturned
        ));
    }
}
