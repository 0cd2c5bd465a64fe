use anyhow::Result;
use glam::{DQuat, DVec3};
use klast_dem::Rotation;

use crate::{Context, Outcome, Table};

/// Largest component of the difference; q and −q are one attitude.
fn difference(q: DQuat, wxyz: [f64; 4]) -> f64 {
    let [w, x, y, z] = wxyz;
    let r = DQuat::from_xyzw(x, y, z, w);
    let largest = |d: DQuat| d.to_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    largest(q - r).min(largest(q + r))
}

/// The torque-free top over ten seconds, and the loaded one over five.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let inertia: DVec3 = table.input_as("inertia")?;
    let omega: DVec3 = table.input_as("omega")?;
    let start = Rotation {
        orientation: DQuat::IDENTITY,
        momentum: inertia * omega,
    };
    let mut outcome = Outcome::new();
    let exact: [f64; 4] = table.input_as("exact_q_wxyz")?;
    let exact_omega: DVec3 = table.input_as("exact_omega")?;
    for step in table.input_as::<Vec<f64>>("steps_s")? {
        let mut body = start;
        let energy = body.energy(inertia);
        let mut worst = 0.0f64;
        for _ in 0..(10.0 / step).round() as usize {
            body.drift(inertia, step);
            worst = worst.max((body.energy(inertia) / energy - 1.0).abs());
        }
        let rates = (body.momentum / inertia - exact_omega).abs().max_element();
        let errors = [
            ("err_q", difference(body.orientation, exact)),
            ("err_omega", rates),
            ("max_rel_energy_err", worst),
        ];
        for (name, value) in errors {
            outcome.set(&format!("dt{step}-{name}"), "ours", value);
        }
    }
    let arm: DVec3 = table.input_as("arm")?;
    let force: DVec3 = table.input_as("force")?;
    let end: [f64; 4] = table.input_as("torque_q_wxyz")?;
    for step in table.input_as::<Vec<f64>>("torque_steps_s")? {
        for (name, first) in [("printed_kick_then_drift", 1.0), ("strang_half_kick", 0.5)] {
            let mut body = start;
            for _ in 0..(5.0 / step).round() as usize {
                for (share, drift) in [(first, step), (1.0 - first, 0.0)] {
                    body.kick((body.orientation * arm).cross(force) * (share * step));
                    if drift > 0.0 {
                        body.drift(inertia, drift);
                    }
                }
            }
            let id = format!("torque-dt{step}-{name}");
            outcome.set(&id, "ours", difference(body.orientation, end));
        }
    }
    Ok(outcome)
}
