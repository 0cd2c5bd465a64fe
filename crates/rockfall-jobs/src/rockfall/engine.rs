//! The engine of a scene and its choices.

use klast_contact::{FacetDirections, Friction, ImpactLaw};
use klast_dynamics::single::Stepping;
use klast_rockfall::lumped::{LumpedLaw, Reading, ReboundLaw};
use klast_rockfall::rigid::{Program, RigidOptions};
use klast_rockfall::{Engine, StopConditions};
use klast_runs::bail;
use klast_runs::error::Result;

use super::scene::{self, RigidManual};
use klast_runs::faults::{At as _, Fault};

pub fn engine(engine: &scene::Engine) -> Result<Engine> {
    Ok(match engine {
        scene::Engine::LumpedMass { rebound, manual } => {
            let rebound = rebound.unwrap_or(scene::Rebound::Rocfall3);
            Engine::Lumped(rebound_law(rebound, *manual)?)
        }
        scene::Engine::RigidBody {
            contact_step_s,
            impact_law,
            tangential_restitution_impulse,
            hull_tolerance,
            manual,
        } => {
            let program = manual.and_then(program);
            let alone = impact_law.is_none() && contact_step_s.is_none();
            if program.is_some() && !alone {
                bail!(
                    Fault::new(
                        "engine.rigid_body.manual",
                        "stands beside impact_law or contact_step_s"
                    )
                    .accepted("one or the other")
                );
            }
            let followed = program.map(Program::options);
            let own = RigidOptions::default();
            Engine::Rigid(RigidOptions {
                hull_tolerance: hull_tolerance.unwrap_or(own.hull_tolerance),
                contact_step: *contact_step_s,
                tangential_restitution: tangential_restitution_impulse.unwrap_or(0.0),
                refuse_gains: followed.is_none(),
                stepping: followed
                    .as_ref()
                    .map_or_else(Stepping::default, |f| f.stepping),
                impact_law: match followed {
                    Some(followed) => followed.impact_law,
                    None => law(impact_law.unwrap_or(scene::ImpactLaw::Newton), *manual)?,
                },
            })
        }
    })
}

fn rebound_law(rebound: scene::Rebound, manual: Option<scene::LumpedManual>) -> Result<ReboundLaw> {
    let of_manual = |rotation| {
        ReboundLaw::Manual(LumpedLaw {
            rotation,
            reading: match manual {
                Some(scene::LumpedManual::AsPrinted) => Reading::Literal,
                None => Reading::Corrected,
            },
            ..LumpedLaw::default()
        })
    };
    let law = match rebound {
        scene::Rebound::Rocfall3 => of_manual(true),
        scene::Rebound::Rocfall3Translation => of_manual(false),
        scene::Rebound::PfeifferBowen => ReboundLaw::PfeifferBowen,
        scene::Rebound::BourrierHungr => ReboundLaw::BourrierHungr,
    };
    if manual.is_some() && !matches!(law, ReboundLaw::Manual(_)) {
        bail!(
            Fault::new(
                "engine.lumped_mass.manual",
                "stands beside a rebound that is not of this manual"
            )
            .accepted("rebound rocfall3 or rocfall3_translation")
        );
    }
    Ok(law)
}

/// The program that is followed as a whole.
pub(super) fn program(manual: RigidManual) -> Option<Program> {
    match manual {
        RigidManual::Rocfall3 => Some(Program::RocFall3),
        RigidManual::Rocfall2 => Some(Program::RocFall2),
        RigidManual::Ramms => Some(Program::Ramms),
        RigidManual::Facets(_) | RigidManual::AgainstIncomingSlip => None,
    }
}

/// The program that a scene follows.
pub(super) fn followed(engine: &scene::Engine) -> Option<Program> {
    match engine {
        scene::Engine::RigidBody { manual, .. } => manual.and_then(program),
        scene::Engine::LumpedMass { .. } => None,
    }
}

/// Gravity (m/s²), standard but where another program is followed.
pub fn gravity(engine: &scene::Engine) -> f64 {
    followed(engine).map_or(9.81, Program::gravity)
}

/// The impact law of rigid bodies that follow no program as a whole.
fn law(law: scene::ImpactLaw, manual: Option<RigidManual>) -> Result<ImpactLaw> {
    let friction = match manual {
        Some(RigidManual::Facets(count)) => {
            let facets = FacetDirections::regular(count as usize, 0.0);
            Friction::Facets(vec![facets.at("engine.rigid_body.manual.facets")?])
        }
        Some(RigidManual::AgainstIncomingSlip) => Friction::OpposeIncoming,
        _ => Friction::MaximumDissipation,
    };
    let smooth = friction == Friction::MaximumDissipation;
    Ok(match law {
        scene::ImpactLaw::Newton => ImpactLaw::Newton { friction },
        scene::ImpactLaw::Sequential => ImpactLaw::Sequential { friction },
        scene::ImpactLaw::Stronge | scene::ImpactLaw::Poisson if !smooth => bail!(
            Fault::new(
                "engine.rigid_body.manual",
                "facets and against_incoming_slip stand beside another impact law"
            )
            .accepted("impact_law newton or sequential")
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
