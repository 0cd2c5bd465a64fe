//! `cargo xtask mutants`: small deliberate errors of the physics, each of which the tests named beside it must see.
//!
//! All are switches in one build of the test programs, which a variable of the environment throws. The tests must pass
//! without one and fail with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::run::root;

/// One deliberate error, the package whose tests see it, and which of them: what their names contain.
struct Mutant {
    name: &'static str,
    package: &'static str,
    tests: &'static str,
}

const fn mutant(name: &'static str, package: &'static str, tests: &'static str) -> Mutant {
    Mutant {
        name,
        package,
        tests,
    }
}

const MUTANTS: [Mutant; 28] = [
    mutant(
        "hull-inertia",
        "klast-geometry",
        "solids::moments_of_regular_solids",
    ),
    mutant(
        "hull-volume",
        "klast-geometry",
        "solids::moments_of_regular_solids",
    ),
    mutant("mesh-inertia", "klast-geometry", "mesh_mass::"),
    mutant(
        "newton-restitution",
        "klast-contact",
        "impact::a_ball_bounces_the_same_under_each_law",
    ),
    mutant(
        "slip-direction",
        "klast-contact",
        "one_contact::one_contact_is_solved_to_rounding",
    ),
    mutant(
        "top",
        "klast-dynamics",
        "flight::symmetric_top_in_closed_form",
    ),
    mutant(
        "ground-yield",
        "klast-dynamics",
        "penetration::a_plate_that_falls_flat_stops_at_the_closed_depth_and_time",
    ),
    mutant(
        "ground-inertia",
        "klast-dynamics",
        "penetration::a_plate_that_falls_flat_stops_at_the_closed_depth_and_time",
    ),
    mutant(
        "kept-way",
        "klast-dynamics",
        "world_kept::kept_corners_have_their_own_gaps",
    ),
    mutant(
        "world-friction",
        "klast-dynamics",
        "world_contact::a_driven_slab_carries_a_block",
    ),
    mutant("world-gyroscope", "klast-dynamics", "world_attitude::"),
    mutant(
        "base-term",
        "klast-rocking",
        "closed_forms::constant_acceleration_and_the_free_stage_after_it",
    ),
    mutant(
        "rocking-impact",
        "klast-rocking",
        "closed_forms::restitution_formulas_and_their_inverse",
    ),
    mutant(
        "slope-pull",
        "klast-rocking",
        "planar::a_block_on_a_slope_slides_down_by_newmarks_way",
    ),
    mutant(
        "rest-pressure",
        "klast-rocking",
        "rest::a_prism_moves_where_statics_says",
    ),
    mutant(
        "stack-impact",
        "klast-stacks",
        "impacts::constants_of_the_impacts",
    ),
    mutant(
        "collector-spin",
        "klast-rockfall",
        "collectors::a_collector_measures_a_known_spin",
    ),
    mutant("lumped-spin", "klast-rockfall", "lumped_impact::"),
    mutant(
        "scarring-growth",
        "klast-rockfall",
        "ground_laws::friction_of_a_scar",
    ),
    mutant(
        "scarring-recovery",
        "klast-rockfall",
        "ground_laws::friction_of_a_scar",
    ),
    mutant(
        "basin-friction",
        "klast-assembly",
        "lead_in::rows_end_where_one_plastic_block_ends",
    ),
    mutant(
        "basin-impact",
        "klast-assembly",
        "balance::random_rows_with_one_friction",
    ),
    mutant(
        "lead-in",
        "klast-assembly",
        "lead_in::rows_end_where_one_plastic_block_ends",
    ),
    mutant(
        "rockfill-damping",
        "klast-dem",
        "law::textbook_damping_ratio",
    ),
    mutant(
        "rockfill-exponent",
        "klast-dem",
        "law::the_force_is_the_slope_of_the_potential",
    ),
    mutant(
        "rockfill-friction",
        "klast-dem",
        "world::sliding_cubes_exchange_impulses_in_the_ratio_of_friction",
    ),
    mutant(
        "rockfill-gyroscope",
        "klast-dem",
        "rotation::converges_at_second_order_to_the_independent_solution",
    ),
    mutant(
        "rockfill-moment",
        "klast-dem",
        "rotation::half_kicks_are_second_order_and_one_full_kick_is_first",
    ),
];

/// Builds the test programs with the switches and throws them one by one.
pub fn mutants(filter: Option<&str>) -> Result<ExitCode> {
    let chosen = |m: &&Mutant| filter.is_none_or(|part| m.name.contains(part));
    let chosen: Vec<&Mutant> = MUTANTS.iter().filter(chosen).collect();
    ensure!(!chosen.is_empty(), "no mutant has this in its name");
    let mut programs: BTreeMap<&str, PathBuf> = BTreeMap::new();
    let mut unseen = 0;
    for one in &chosen {
        if !programs.contains_key(one.package) {
            programs.insert(one.package, program(one.package)?);
        }
        let program = &programs[one.package];
        let right = passes(program, one, "")?;
        let seen = right && !passes(program, one, one.name)?;
        unseen += usize::from(!seen);
        let told = match (right, seen) {
            (false, _) => "the tests fail without it",
            (_, true) => "seen",
            (_, false) => "NOT SEEN",
        };
        println!("{:<20} {told} by {} {}", one.name, one.package, one.tests);
    }
    println!(
        "{} of {} mutants are seen",
        chosen.len() - unseen,
        chosen.len()
    );
    Ok(ExitCode::from(u8::from(unseen > 0)))
}

/// Whether the tests pass with a mutant made.
fn passes(program: &Path, mutant: &Mutant, made: &str) -> Result<bool> {
    let status = Command::new(program)
        .args(mutant.tests.split_whitespace())
        .env("KLAST_MUTANT", made)
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
        .current_dir(folder(mutant.package))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("{}: cannot be started", program.display()))?;
    Ok(status.success())
}

fn folder(package: &str) -> PathBuf {
    let name = package.strip_prefix("klast-").unwrap_or(package);
    root().join("crates").join(name)
}

/// The test program of a package, built with the switches.
fn program(package: &str) -> Result<PathBuf> {
    eprintln!("building the tests of {package}");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["test", "--no-run", "--quiet", "--test", "tests"])
        .args(["--package", package])
        .args(["--features", "klast-numerics/mutants"])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("cargo cannot be started")?;
    ensure!(
        built.status.success(),
        "the tests of {package} do not build"
    );
    let messages = String::from_utf8_lossy(&built.stdout);
    let program = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let tests = message["target"]["name"] == "tests";
        let file = message["executable"].as_str().filter(|_| tests)?;
        Some(PathBuf::from(file))
    });
    program.with_context(|| format!("{package} has no test program"))
}
