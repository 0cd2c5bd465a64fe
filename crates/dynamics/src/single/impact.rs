//! One impact of a body with fixed ground: contact points, law, new velocities, and where the energy went.
//!
//! With F_k the local frame of contact k and r_k its arm from the centre of mass, u_k = F_kᵀ (v + ω × r_k) and
//! W_kl = F_kᵀ (1/m − [r_k]ₓ I⁻¹ [r_l]ₓ) F_l. Both velocities change by m Δv = Σ p_k and I Δω = Σ r_k × p_k.

use super::audit::EnergyAudit;
use super::contact_problem::{
    ContactProblem, ContactSolver, Effort, Solved, fill_delassus, world_inverse_inertia,
};
use super::ground_law::Coefficients;
use crate::{Body, DynamicsError, State, Twist};
use glam::DVec3;
use klast_contact::{
    Delassus, Frame, Friction, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions,
};
use klast_geometry::ContactPoint;

/// What an impact did to a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// Velocities before.
    pub before: Twist,
    /// Velocities after.
    pub after: Twist,
    /// Impulses on the body at its contact points (N s, world axes), in their order.
    pub impulses: Vec<DVec3>,
    /// Where the energy went.
    pub energy: EnergyAudit,
    /// Residual of the contact problem (m/s), measured.
    pub residual: f64,
    /// Whether the residual met the tolerance; one that did not is counted by whoever runs this.
    pub converged: bool,
}

/// The impact of `body` in `state` at the given contact points with ground at rest.
///
/// The normals of the points are those of the ground. Contacts that separate take part and get no impulse if the law
/// leaves them alone. With no contact points nothing happens. Refused: a tangential restitution with the laws of
/// Poisson and Stronge.
pub fn impact(
    body: &Body,
    state: &State,
    contacts: &[ContactPoint],
    coefficients: &Coefficients,
    law: &ImpactLaw,
) -> Result<Impact, DynamicsError> {
    let mut solver = ContactSolver::default();
    let all = Slow { cutoff: 0.0 };
    impact_with(
        body,
        state,
        contacts,
        &vec![*coefficients; contacts.len()],
        (law, all),
        Vec::new(),
        &mut solver,
    )
}

/// Which contacts do not rebound: those that close, and whose rebound would be slower than a cutoff (m/s).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slow {
    pub(crate) cutoff: f64,
}

impl Slow {
    /// Whether a contact with a closing speed (m/s) rebounds with restitution e.
    pub(crate) fn rebounds(self, restitution: f64, closing: f64) -> bool {
        let speed = restitution * closing;
        speed > 0.0 && speed >= self.cutoff
    }

    /// Whether restitution e acts on a contact with a normal velocity before the impact (m/s). On one that separates it
    /// does, as Moreau has it: w = u⁺ + e u⁻ ≥ 0 ⊥ p ≥ 0 then takes energy for any cutoff, ΔT = Σ (1 − e) p u⁻ / 2 ≤ 0
    /// without friction. With e = 0 there instead, a contact that is pushed back while another rebounds makes energy.
    fn is_elastic(self, restitution: f64, before: f64) -> bool {
        self.cutoff == 0.0 || before > 0.0 || self.rebounds(restitution, -before)
    }

    /// Whether tangential restitution acts on a contact with a normal velocity before the impact (m/s): on every impact
    /// but one that is itself slower than the cutoff, however little of it rebounds along the normal.
    fn reverses_slip(self, before: f64) -> bool {
        before > 0.0 || -before >= self.cutoff
    }
}

/// As [`impact`], with coefficients of each contact and the buffers of earlier ones; `impulses` is the list that the
/// impact fills.
pub(crate) fn impact_with(
    body: &Body,
    state: &State,
    contacts: &[ContactPoint],
    coefficients: &[Coefficients],
    (law, slow): (&ImpactLaw, Slow),
    impulses: Vec<DVec3>,
    solver: &mut ContactSolver,
) -> Result<Impact, DynamicsError> {
    let newton = matches!(
        law,
        ImpactLaw::Newton {
            friction: Friction::MaximumDissipation
        }
    );
    if !newton {
        return by_law(body, state, contacts, coefficients, (law, Some(slow)));
    }
    let problem = ContactProblem {
        body,
        pose: &state.pose,
        contacts,
        free: state.velocity,
        coefficients,
        effort: Effort::IMPACT,
    };
    let solved = solver.solve(&problem, |_, own, frame, arm| {
        let (e, tangential) = (own.restitution(), own.tangential_restitution());
        let u = frame.to_local(state.velocity.at(arm));
        let elastic = slow.is_elastic(e, u.x);
        let normal = if elastic { e * u.x } else { 0.0 };
        let along = if slow.reverses_slip(u.x) {
            tangential
        } else {
            0.0
        };
        DVec3::new(normal, along * u.y, along * u.z)
    });
    Ok(finished(body, state, &solved, impulses, solver))
}

/// As [`impact_with`], but of an impact that makes energy what takes its place: that of Newton's law with the normal
/// impulses found first, as if without friction, or else a plastic one; and whether that was so.
pub(crate) fn impact_without_gain(
    body: &Body,
    state: &State,
    contacts: &[ContactPoint],
    coefficients: &[Coefficients],
    (law, slow): (&ImpactLaw, Slow),
    impulses: Vec<DVec3>,
    solver: &mut ContactSolver,
) -> Result<(Impact, bool), DynamicsError> {
    let hit = impact_with(
        body,
        state,
        contacts,
        coefficients,
        (law, slow),
        impulses,
        solver,
    )?;
    if !hit.energy.is_gain() {
        return Ok((hit, false));
    }
    let normal_first = ImpactLaw::Sequential {
        friction: Friction::MaximumDissipation,
    };
    let hit = by_law(
        body,
        state,
        contacts,
        coefficients,
        (&normal_first, Some(slow)),
    )?;
    if !hit.energy.is_gain() {
        return Ok((hit, true));
    }
    let newton = ImpactLaw::default();
    let hit = by_law(body, state, contacts, coefficients, (&newton, None))?;
    Ok((hit, true))
}

/// The impact under a law other than the default one, or without any restitution.
fn by_law(
    body: &Body,
    state: &State,
    contacts: &[ContactPoint],
    coefficients: &[Coefficients],
    (law, slow): (&ImpactLaw, Option<Slow>),
) -> Result<Impact, DynamicsError> {
    let inverse_inertia = world_inverse_inertia(body, &state.pose);
    let mut points = Vec::with_capacity(contacts.len());
    for c in contacts {
        points.push((
            Frame::from_normal(c.normal)?,
            c.point - state.pose.translation,
        ));
    }
    let mut w = Delassus::default();
    fill_delassus(&mut w, body, &inverse_inertia, &points)?;
    let list = points.iter().zip(coefficients).map(|((frame, arm), own)| {
        let u = frame.to_local(state.velocity.at(*arm));
        let elastic = slow.is_some_and(|slow| slow.is_elastic(own.restitution(), u.x));
        let part = f64::from(u8::from(elastic));
        let along = f64::from(u8::from(slow.is_some_and(|slow| slow.reverses_slip(u.x))));
        ImpactContact {
            tangential_restitution: along * own.tangential_restitution(),
            // The ground is one body; a plane gives all its points one normal, other ground does not and then no two
            // are merged.
            group: points
                .first()
                .is_some_and(|(first, _)| first == frame)
                .then_some(0),
            ..ImpactContact::new(u)
                .with_friction(own.friction())
                .with_restitution(part * own.restitution())
        }
    });
    let problem = ImpactProblem::new(w, list.collect())?;
    let options = SolveOptions {
        tolerance: LAW_TOLERANCE,
        ..SolveOptions::default()
    };
    let found = law.resolve(&problem, &options)?;
    let (mut linear, mut angular, mut work) = (DVec3::ZERO, DVec3::ZERO, (0.0, 0.0));
    let mut impulses = Vec::with_capacity(points.len());
    for ((frame, arm), p) in points.iter().zip(&found.impulses) {
        let impulse = frame.to_world(*p);
        linear += impulse;
        angular += arm.cross(impulse);
        impulses.push(impulse);
    }
    let after = Twist {
        linear: state.velocity.linear + linear / body.mass(),
        angular: state.velocity.angular + inverse_inertia * angular,
    };
    for ((frame, arm), p) in points.iter().zip(&found.impulses) {
        let middle = 0.5 * frame.to_local(state.velocity.at(*arm) + after.at(*arm));
        work = (
            work.0 + p.x * middle.x,
            work.1 + p.y * middle.y + p.z * middle.z,
        );
    }
    let how_well = (found.residual, found.converged);
    Ok(audited(body, state, after, impulses, work, how_well))
}

/// Residual asked of the other laws, relative to the largest velocity: a digit or two above what rounding lets two
/// slipping ends of an edge reach.
const LAW_TOLERANCE: f64 = 1e-13;

/// The impact that the last problem of a solver makes.
fn finished(
    body: &Body,
    state: &State,
    solved: &Solved,
    mut impulses: Vec<DVec3>,
    solver: &ContactSolver,
) -> Impact {
    impulses.clear();
    let local = solver.points().iter().zip(solver.impulses());
    impulses.extend(local.map(|((frame, _), p)| frame.to_world(*p)));
    let work = solver.work(&state.velocity, &solved.twist);
    let how_well = (solved.residual, solved.converged);
    audited(body, state, solved.twist, impulses, work, how_well)
}

fn audited(
    body: &Body,
    state: &State,
    after: Twist,
    impulses: Vec<DVec3>,
    (normal_work, friction_work): (f64, f64),
    (residual, converged): (f64, bool),
) -> Impact {
    let ended = State {
        pose: state.pose,
        velocity: after,
    };
    Impact {
        before: state.velocity,
        after,
        impulses,
        energy: EnergyAudit {
            before: state.kinetic_energy(body),
            after: ended.kinetic_energy(body),
            normal_work,
            friction_work,
        },
        residual,
        converged,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ground_law::{Friction as Grip, Restitution};
    use super::*;
    use klast_geometry::{Pose, Solid};
    use proptest::prelude::*;

    proptest! {
        /// In corners and gutters some points of a body close while others leave.
        #[test]
        fn no_impact_without_friction_gains_energy_for_any_cutoff(
            normals in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 2..5),
            (linear, angular) in (prop::array::uniform3(-9.0..9.0_f64), prop::array::uniform3(-9.0..9.0_f64)),
            restitution in 0.0..=1.0_f64,
            cutoff in prop::sample::select(vec![0.0, 0.01, 1.0]),
        ) {
            let body = Body::uniform(&Solid::Tetrahedron.with_size(1.0).unwrap(), 2700.0).unwrap();
            let velocity = Twist { linear: linear.into(), angular: angular.into() };
            let state = State { pose: Pose::from_translation(DVec3::ZERO), velocity };
            let contacts: Vec<_> = body.vertices().iter().zip(&normals).enumerate().map(|(k, (v, n))| {
                // The ground lies outside of the body at its vertex.
                let outwards = v.normalize();
                let n = DVec3::from(*n).normalize_or(-outwards);
                let normal = if n.dot(outwards) > 0.0 { -n } else { n };
                ContactPoint { point: *v, normal, gap: 0.0, feature: k as u32 }
            }).collect();
            let coefficients = Coefficients::new(Restitution(restitution), Grip(0.0)).unwrap();
            let mut solver = ContactSolver::default();
            let law = (&ImpactLaw::default(), Slow { cutoff });
            let hit = impact_with(&body, &state, &contacts, &vec![coefficients; contacts.len()], law, Vec::new(), &mut solver).unwrap();
            prop_assert!(!hit.energy.is_gain(), "{:?}", hit.energy);
        }

        /// With friction too, under any law, and where points of one body have several coefficients.
        #[test]
        fn an_impact_that_would_gain_is_replaced(
            normals in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 1..5),
            (linear, angular) in (prop::array::uniform3(-9.0..9.0_f64), prop::array::uniform3(-9.0..9.0_f64)),
            (restitution, friction) in (0.0..=1.0_f64, 0.0..1.5_f64),
            cutoff in prop::sample::select(vec![0.0, 0.1]),
            law in prop::sample::select(vec![
                ImpactLaw::default(),
                ImpactLaw::Sequential { friction: Friction::MaximumDissipation },
                ImpactLaw::Poisson,
                ImpactLaw::Stronge,
            ]),
        ) {
            let body = Body::uniform(&Solid::Tetrahedron.with_size(1.0).unwrap(), 2700.0).unwrap();
            let velocity = Twist { linear: linear.into(), angular: angular.into() };
            let state = State { pose: Pose::from_translation(DVec3::ZERO), velocity };
            let contacts: Vec<_> = body.vertices().iter().zip(&normals).enumerate().map(|(k, (v, n))| {
                let outwards = v.normalize();
                let n = DVec3::from(*n).normalize_or(-outwards);
                let normal = if n.dot(outwards) > 0.0 { -n } else { n };
                ContactPoint { point: *v, normal, gap: 0.0, feature: k as u32 }
            }).collect();
            let own = |k: usize| Coefficients::new(Restitution(restitution / (1 + k) as f64), Grip(friction)).unwrap();
            let coefficients: Vec<_> = (0..contacts.len()).map(own).collect();
            let mut solver = ContactSolver::default();
            let law = (&law, Slow { cutoff });
            let (hit, _) = impact_without_gain(&body, &state, &contacts, &coefficients, law, Vec::new(), &mut solver).unwrap();
            prop_assert!(!hit.energy.is_gain(), "{:?}", hit.energy);
        }
    }
}
