//! One impact of a body with fixed ground: contact points, Delassus operator, law, new velocities.
//!
//! With F_k the local frame of contact k and r_k its arm from the centre of mass, u_k = F_kᵀ (v + ω × r_k) and
//! W_kl = F_kᵀ (1/m − [r_k]ₓ I⁻¹ [r_l]ₓ) F_l. Both velocities change by m Δv = Σ p_k and I Δω = Σ r_k × p_k.

mod few;
mod general;

pub use few::FewContacts;
pub(crate) use general::GeneralContacts;
use general::fill_delassus;

use crate::{Body, ContactMaterial, DynamicsError, EnergyAudit, State, Twist};
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, Frame, Friction, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions,
    solve_one_contact,
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
    /// Residual of the contact problem (m/s).
    pub residual: f64,
    /// Whether the residual met the tolerance; one that did not is counted by whoever runs this.
    pub converged: bool,
}

/// The impact of `body` in `state` at the given contact points with ground at rest.
///
/// The normals of the points are those of the ground. Contacts that separate take part and get no impulse if the law
/// leaves them alone. With no contact points nothing happens.
pub fn impact(
    body: &Body,
    state: &State,
    contacts: &[ContactPoint],
    material: &ContactMaterial,
) -> Result<Impact, DynamicsError> {
    impact_in(body, state, contacts, material, &mut ImpactRoom::default())
}

/// Lists that go from impact to impact; that of the impulses is the impact's until it is given back.
#[derive(Debug, Clone, Default)]
pub(crate) struct ImpactRoom {
    general: GeneralContacts,
    pub(crate) impulses: Vec<DVec3>,
}

/// As [`impact`], in room that goes from impact to impact.
pub(crate) fn impact_in(
    body: &Body,
    state: &State,
    contacts: &[ContactPoint],
    material: &ContactMaterial,
    room: &mut ImpactRoom,
) -> Result<Impact, DynamicsError> {
    let inverse_inertia = world_inverse_inertia(body, state);
    let centre = state.pose.translation;
    let newton = *material.law()
        == ImpactLaw::Newton {
            friction: Friction::MaximumDissipation,
        };
    if let ([contact], true) = (contacts, newton) {
        let list = std::mem::take(&mut room.impulses);
        return single(body, state, contact, material, &inverse_inertia, list);
    }
    let ImpactRoom { general, impulses } = room;
    general.points.clear();
    for contact in contacts {
        let frame = Frame::from_normal(contact.normal)?;
        general.points.push((frame, contact.point - centre));
    }
    let list = std::mem::take(impulses);
    let made = |points: &[(Frame, DVec3)], local: &[DVec3], how_well: (f64, bool)| {
        finished(body, state, &inverse_inertia, points, local, how_well, list)
    };
    let points = &general.points;
    if !newton {
        let solved = by_law(body, state, &inverse_inertia, points, material)?;
        let how_well = (solved.residual, solved.converged);
        return Ok(made(points, &solved.impulses, how_well));
    }
    let factor = restitution_factor(material);
    let posed = |frame: &Frame, arm: DVec3| frame.to_local(state.velocity.at(arm)) * factor;
    let mu = material.friction();
    if points.len() <= few::FEW {
        let mut q = [DVec3::ZERO; few::FEW];
        for (slot, (frame, arm)) in q.iter_mut().zip(points) {
            *slot = posed(frame, *arm);
        }
        let q = q.get(..points.len()).unwrap_or(&[]);
        if let Some(found) = FewContacts::solve(body, &inverse_inertia, points, q, mu, &[]) {
            let local = found.impulses.get(..points.len()).unwrap_or(&[]);
            return Ok(made(points, local, (found.residual, true)));
        }
    }
    general.solve(body, &inverse_inertia, posed, mu, TOLERANCE)?;
    let solution = general.solution();
    let how_well = (solution.residual.absolute, solution.converged());
    Ok(made(&general.points, &solution.impulses, how_well))
}

/// The impact under a law other than the default one.
fn by_law(
    body: &Body,
    state: &State,
    inverse_inertia: &DMat3,
    points: &[(Frame, DVec3)],
    material: &ContactMaterial,
) -> Result<klast_contact::Impact, DynamicsError> {
    let mut w = Delassus::default();
    fill_delassus(&mut w, body, inverse_inertia, points)?;
    let list = points.iter().map(|(frame, arm)| ImpactContact {
        tangential_restitution: material.tangential_restitution(),
        // The ground is one body; a plane gives all its points one normal, other ground does not and then no two are merged.
        group: points
            .first()
            .is_some_and(|(first, _)| first == frame)
            .then_some(0),
        ..ImpactContact::new(
            frame.to_local(state.velocity.at(*arm)),
            material.friction(),
            material.restitution(),
        )
    });
    let problem = ImpactProblem::new(w, list.collect())?;
    let options = SolveOptions {
        tolerance: TOLERANCE,
        ..SolveOptions::default()
    };
    Ok(material.law().resolve(&problem, &options)?)
}

/// 1 + e along the normal, 1 + e_t along both tangents: what turns u⁻ into the posed velocity of Newton's law.
fn restitution_factor(material: &ContactMaterial) -> DVec3 {
    let tangential = 1.0 + material.tangential_restitution();
    DVec3::new(1.0 + material.restitution(), tangential, tangential)
}

/// The impact that local impulses make, in a list for those in world axes.
fn finished(
    body: &Body,
    state: &State,
    inverse_inertia: &DMat3,
    points: &[(Frame, DVec3)],
    local: &[DVec3],
    (residual, converged): (f64, bool),
    mut impulses: Vec<DVec3>,
) -> Impact {
    let world = points
        .iter()
        .zip(local)
        .map(|((frame, _), p)| frame.to_world(*p));
    impulses.clear();
    impulses.extend(world);
    let arms = points.iter().map(|(_, arm)| *arm);
    let after = kicked(
        body,
        &state.velocity,
        inverse_inertia,
        arms.zip(impulses.iter().copied()),
    );
    let mut work = (0.0, 0.0);
    for ((frame, arm), p) in points.iter().zip(local) {
        let middle = 0.5 * frame.to_local(state.velocity.at(*arm) + after.at(*arm));
        work = (
            work.0 + p.x * middle.x,
            work.1 + p.y * middle.y + p.z * middle.z,
        );
    }
    let energy = EnergyAudit {
        before: state.kinetic_energy(body),
        after: State {
            pose: state.pose,
            velocity: after,
        }
        .kinetic_energy(body),
        normal_work: work.0,
        friction_work: work.1,
    };
    Impact {
        before: state.velocity,
        after,
        impulses,
        energy,
        residual,
        converged,
    }
}

/// Pivots under this part of the largest entry count as zero: rounding of redundant contacts is 1e-16, true pivots of a
/// body's mobility stand above 1e-6.
pub(crate) const SINGULAR: f64 = 1e-11;

/// Residual asked of the contact problem, relative to its largest velocity: a digit or two above what rounding lets two slipping ends
/// of an edge reach.
const TOLERANCE: f64 = 1e-13;

/// The commonest impact, one vertex under the default law, in closed form.
fn single(
    body: &Body,
    state: &State,
    contact: &ContactPoint,
    material: &ContactMaterial,
    inverse_inertia: &DMat3,
    list: Vec<DVec3>,
) -> Result<Impact, DynamicsError> {
    let frame = Frame::from_normal(contact.normal)?;
    let arm = contact.point - state.pose.translation;
    let w = mobility(body, inverse_inertia, (&frame, arm), (&frame, arm));
    let posed = frame.to_local(state.velocity.at(arm)) * restitution_factor(material);
    let local = solve_one_contact(&w, posed, material.friction())?;
    Ok(finished(
        body,
        state,
        inverse_inertia,
        &[(frame, arm)],
        &[local],
        (0.0, true),
        list,
    ))
}

/// I⁻¹ in world axes.
pub(crate) fn world_inverse_inertia(body: &Body, state: &State) -> DMat3 {
    let inverse = DMat3::from_diagonal(body.inertia().recip());
    if body.is_isotropic() {
        return inverse;
    }
    let r = DMat3::from_quat(state.pose.rotation);
    r * inverse * r.transpose()
}

/// One block of the Delassus operator: the velocity at `at` that a unit impulse at `from` causes, in their frames.
pub(crate) fn mobility(
    body: &Body,
    inverse_inertia: &DMat3,
    at: (&Frame, DVec3),
    from: (&Frame, DVec3),
) -> DMat3 {
    let column = |e: DVec3| {
        at.0.to_local(e / body.mass() + (*inverse_inertia * from.1.cross(e)).cross(at.1))
    };
    DMat3::from_cols(
        column(from.0.normal),
        column(from.0.tangent1),
        column(from.0.tangent2),
    )
}

/// Velocities after impulses at arms.
pub(crate) fn kicked(
    body: &Body,
    before: &Twist,
    inverse_inertia: &DMat3,
    impulses: impl Iterator<Item = (DVec3, DVec3)>,
) -> Twist {
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for (arm, impulse) in impulses {
        linear += impulse;
        angular += arm.cross(impulse);
    }
    Twist {
        linear: before.linear + linear / body.mass(),
        angular: before.angular + *inverse_inertia * angular,
    }
}
