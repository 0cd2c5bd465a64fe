//! The engine of a scene and its choices.

use klast_contact::{FacetDirections, Friction, ImpactLaw};
use klast_dynamics::single::Stepping;
use klast_rockfall::lumped::{LumpedLaw, Reading};
use klast_rockfall::rigid::{Program, RigidOptions, Scarring, VegetationDrag};
use klast_rockfall::{Engine, StopConditions};
use klast_runs::error::Result;
use klast_runs::{bail, ensure};

use super::scene::{self};
use klast_runs::faults::{At as _, Fault};

pub fn engine(engine: &scene::Engine) -> Result<Engine> {
    Ok(match engine {
        scene::Engine::LumpedMass {
            rotations, literal, ..
        } => Engine::Lumped(LumpedLaw {
            rotation: rotations.unwrap_or(true),
            reading: if literal.unwrap_or(false) {
                Reading::Literal
            } else {
                Reading::Corrected
            },
            ..LumpedLaw::default()
        }),
        scene::Engine::RigidBody {
            contact_step_s,
            scarring,
            vegetation,
            tangential_restitution_impulse,
            as_program,
            hull_tolerance,
            ..
        } => Engine::Rigid(RigidOptions {
            hull_tolerance: hull_tolerance.unwrap_or(RigidOptions::default().hull_tolerance),
            contact_step: *contact_step_s,
            tangential_restitution: tangential_restitution_impulse.unwrap_or(0.0),
            impact_law: impact_law(engine)?,
            refuse_gains: as_program.is_none(),
            stepping: as_program.map_or_else(Stepping::default, |p| program(p).options().stepping),
            scarring: scarring.map(|s| Scarring {
                minimum: s.minimum,
                maximum: s.maximum,
                growth: s.growth_per_m,
                recovery: s.recovery_per_s,
            }),
            drag: vegetation.map(|v| VegetationDrag {
                coefficient: v.drag_n_s_per_m,
                height: v.height_m,
            }),
        }),
    })
}

pub(super) fn program(program: scene::AsProgram) -> Program {
    match program {
        scene::AsProgram::Rocfall3 => Program::RocFall3,
        scene::AsProgram::Rocfall2 => Program::RocFall2,
        scene::AsProgram::Ramms => Program::Ramms,
    }
}

/// Gravity (m/s²), standard but where another program is followed.
pub fn gravity(engine: &scene::Engine) -> f64 {
    match engine {
        scene::Engine::RigidBody {
            as_program: Some(p),
            ..
        } => program(*p).gravity(),
        _ => 9.81,
    }
}

/// The impact law of a rigid engine.
fn impact_law(engine: &scene::Engine) -> Result<ImpactLaw> {
    let scene::Engine::RigidBody {
        impact_law,
        cone,
        friction_direction,
        as_program,
        contact_step_s,
        ..
    } = engine
    else {
        return Ok(ImpactLaw::default());
    };
    if let Some(followed) = as_program {
        ensure!(
            impact_law.is_none() && cone.is_none() && friction_direction.is_none(),
            Fault::new(
                "engine.rigid_body",
                "as_program stands beside impact_law, cone or friction_direction"
            )
            .accepted("one or the other")
        );
        ensure!(
            contact_step_s.is_none(),
            Fault::new(
                "engine.rigid_body",
                "as_program stands beside contact_step_s"
            )
            .accepted("one or the other")
        );
        return Ok(program(*followed).options().impact_law);
    }
    let direction = match (cone, friction_direction) {
        (
            None | Some(scene::Cone::Exact),
            None | Some(scene::FrictionDirection::MaximumDissipation),
        ) => Friction::MaximumDissipation,
        (
            Some(scene::Cone::Facets(count)),
            None | Some(scene::FrictionDirection::MaximumDissipation),
        ) => {
            let facets = FacetDirections::regular(*count as usize, 0.0);
            Friction::Facets(vec![facets.at("engine.rigid_body.cone")?])
        }
        (None, Some(scene::FrictionDirection::AgainstIncomingSlip)) => Friction::OpposeIncoming,
        (Some(_), Some(scene::FrictionDirection::AgainstIncomingSlip)) => {
            bail!(
                Fault::new(
                    "engine.rigid_body",
                    "cone stands beside friction_direction against_incoming_slip, which has no cone"
                )
                .accepted("one or the other")
            )
        }
    };
    let smooth = direction == Friction::MaximumDissipation;
    let law = impact_law.unwrap_or(scene::ImpactLaw::Newton);
    Ok(match law {
        scene::ImpactLaw::Newton => ImpactLaw::Newton {
            friction: direction,
        },
        scene::ImpactLaw::Sequential => ImpactLaw::Sequential {
            friction: direction,
        },
        scene::ImpactLaw::Stronge | scene::ImpactLaw::Poisson if !smooth => bail!(
            "engine.rigid_body: cone and friction_direction belong to impact_law newton and sequential"
        ),
        scene::ImpactLaw::Stronge => ImpactLaw::Stronge,
        scene::ImpactLaw::Poisson => ImpactLaw::Poisson,
    })
}

pub fn stop(stop: &scene::Stop) -> StopConditions {
    let default = StopConditions::default();
    StopConditions {
        maximum_time: stop.maximum_time_s.unwrap_or(default.maximum_time),
        maximum_steps: stop.maximum_steps.unwrap_or(default.maximum_steps),
        stopped_velocity_cutoff: stop
            .stopped_velocity_m_s
            .unwrap_or(default.stopped_velocity_cutoff),
        normal_velocity_cutoff: stop
            .normal_velocity_m_s
            .unwrap_or(default.normal_velocity_cutoff),
    }
}
