//! Condition (6.108), from both blocks as one to the first configuration, as printed and corrected.

use anyhow::{Context as _, Result};
use klast_plot::{Axis, LineChart, Series};
use klast_stacks::{StackOptions, StackState};

use super::inputs::{kounadis_motion, kounadis_stack};
use crate::{Context, Outcome, Table};

/// What the block above carries at its left-going corner in configuration 3a.
struct Upper {
    mass: f64,
    radius: f64,
    slenderness: f64,
    far_radius: f64,
    far_slenderness: f64,
    inertia: f64,
    gravity: f64,
}

impl Upper {
    /// Left side minus right side of (6.108), per unit of moment; the inertia terms with `sign`: +1 as printed, −1
    /// corrected.
    fn excess(&self, push: f64, angle: f64, rate: f64, acceleration: f64, sign: f64) -> f64 {
        let (m, r, far) = (self.mass, self.radius, self.far_radius);
        let (sin, cos) = libm::sincos(self.slenderness + angle);
        let (sin_far, cos_far) = libm::sincos(self.slenderness - self.far_slenderness);
        let inertial = self.inertia * acceleration + m * far * acceleration * r * cos_far;
        m * push * r * cos
            - (m * self.gravity * r * sin - m * far * rate * rate * r * sin_far + sign * inertial)
    }
}

/// When the two forms call for configuration 1a on the true motion with both blocks as one.
pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let stack = kounadis_stack(table)?;
    let motion = kounadis_motion(table, table.input("amplitude_over_g_alpha_star")?)?;
    let [lower, upper] = stack.blocks() else {
        anyhow::bail!("two blocks are needed")
    };
    let (half, height) = (0.5 * lower.width, lower.height + 0.5 * upper.height);
    let form = Upper {
        mass: upper.mass,
        radius: upper.half_diagonal(),
        slenderness: upper.slenderness(),
        far_radius: libm::hypot(half, height),
        far_slenderness: libm::atan2(half, height),
        inertia: upper.inertia(),
        gravity: stack.gravity(),
    };
    let exact = stack.run(&motion, &StackState::rest(2), &StackOptions::until(1.0))?;
    let opening = exact
        .events
        .get(1)
        .context("the upper interface never opens")?
        .state
        .time;
    // Samples of the motion as one body, up to the true opening.
    let options = StackOptions {
        sampling: Some(1e-5),
        ..StackOptions::until(opening)
    };
    let run = stack.run(&motion, &StackState::rest(2), &options)?;
    let (mut called, mut until) = (f64::NAN, f64::NAN);
    let mut corrected = f64::NAN;
    let (mut as_printed, mut right) = (Vec::new(), Vec::new());
    let start = exact.events.first().context("nothing moves")?.state.time;
    for sample in run.samples.iter().filter(|sample| sample.time > start) {
        let push = motion.horizontal.acceleration(sample.time);
        let at = |sign| {
            form.excess(
                push,
                sample.angles[1],
                sample.rates[1],
                sample.accelerations[1],
                sign,
            )
        };
        as_printed.push((sample.time, at(1.0)));
        right.push((sample.time, at(-1.0)));
        if at(1.0) > 0.0 {
            if called.is_nan() {
                called = sample.time;
            }
            until = sample.time;
        }
        if at(-1.0) > 0.0 && corrected.is_nan() {
            corrected = sample.time;
        }
    }
    let mut outcome = Outcome::new();
    outcome.set("printed from", "computed", called);
    outcome.set("printed until", "computed", until);
    outcome.set("corrected first", "computed", opening);
    outcome.set(
        "corrected before",
        "computed",
        if corrected.is_nan() {
            "never"
        } else {
            "called"
        },
    );
    let thin = |points: Vec<(f64, f64)>| points.into_iter().step_by(50).collect::<Vec<_>>();
    let chart = LineChart::new(
        "Condition (6.108) on the motion as one body",
        Axis::new("t (s)"),
        Axis::new("excess moment (N m)"),
    )
    .with(Series::line("as printed", thin(as_printed)))
    .with(Series::line("corrected", thin(right)));
    outcome.draw(
        "excess",
        "Above zero the condition calls for configuration 1a",
        chart.svg()?,
    );
    Ok(outcome)
}
