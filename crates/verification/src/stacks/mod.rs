//! Chapters 6 to 8 of the thesis on rocking: stacks of two and three blocks.

mod all_openings;
mod base_history;
mod chapter7;
mod chapter8;
mod counts;
mod geometry;
mod impacts;
mod kounadis;
mod maps;
mod openings;
mod printed;
mod second_scale;

use anyhow::{Context as _, Result};
use klast_dynamics::ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::stack::{Stack, StackBlock};

use crate::{Case, Table};

/// Cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "stacks/excitation",
        run: kounadis::excitation,
    },
    Case {
        id: "stacks/geometry",
        run: geometry::run,
    },
    Case {
        id: "stacks/kounadis-10.7808",
        run: kounadis::events,
    },
    Case {
        id: "stacks/kounadis-10.8696",
        run: kounadis::events,
    },
    Case {
        id: "stacks/kounadis-10.989",
        run: kounadis::events,
    },
    Case {
        id: "stacks/newmark",
        run: kounadis::newmark,
    },
    Case {
        id: "stacks/first-overturning",
        run: kounadis::first_overturning,
    },
    Case {
        id: "stacks/opening-6.108",
        run: openings::run,
    },
    Case {
        id: "stacks/impact-constants",
        run: impacts::constants,
    },
    Case {
        id: "stacks/impacts-as-printed",
        run: impacts::as_printed,
    },
    Case {
        id: "stacks/impact-rule",
        run: impacts::rule,
    },
    Case {
        id: "stacks/constant-acceleration",
        run: chapter7::constant_acceleration,
    },
    Case {
        id: "stacks/double-pulse",
        run: chapter8::double_pulse,
    },
    Case {
        id: "stacks/double-pulse-scale-2",
        run: second_scale::second_scale,
    },
    Case {
        id: "stacks/double-pulse-friction",
        run: chapter8::with_friction,
    },
    Case {
        id: "stacks/openings",
        run: all_openings::run,
    },
    Case {
        id: "stacks/base-history",
        run: base_history::run,
    },
    Case {
        id: "stacks/chapter-7",
        run: counts::run,
    },
    Case {
        id: "stacks/maps",
        run: maps::run,
    },
];

/// The stack of inputs `half_diagonal_m` and `slenderness_rad`: two equal blocks of 1 kg.
fn kounadis_stack(table: &Table) -> Result<Stack> {
    let (r, alpha) = (
        table.input("half_diagonal_m")?,
        table.input("slenderness_rad")?,
    );
    let (sin, cos) = libm::sincos(alpha);
    let block = StackBlock::new(2.0 * r * sin, 2.0 * r * cos, 1.0)?;
    Ok(Stack::uniform(2, block, table.input("gravity_m_per_s2")?)?)
}

/// One sine wave of `ratio` g α*, α* half the slenderness of a block.
fn kounadis_motion(table: &Table, ratio: f64) -> Result<GroundMotion> {
    let unit = table.input("gravity_m_per_s2")? * 0.5 * table.input("slenderness_rad")?;
    let wave = Component::waves(
        ratio * unit,
        Frequency::rad_per_s(table.input("omega_rad_per_s")?),
        0.0,
        1.0,
    )?;
    Ok(GroundMotion::horizontal(wave))
}

/// A stack of two blocks of equal width by its sizes (m) and masses (kg).
fn dual(width: f64, heights: (f64, f64), masses: (f64, f64), gravity: f64) -> Result<Stack> {
    let lower = StackBlock::new(width, heights.0, masses.0)?;
    let upper = StackBlock::new(width, heights.1, masses.1)?;
    Ok(Stack::new(&[lower, upper], gravity)?)
}

/// The two parts of a row's name.
fn two_parts(row: &str) -> Result<(&str, &str)> {
    row.split_once(' ')
        .with_context(|| format!("row '{row}'; accepted: two words"))
}
