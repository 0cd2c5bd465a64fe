//! One impact of pairs that meet at once: its contact problem, the law that answers it, and the velocities after it.

use super::contacts::{PLANES, WorldContact};
use super::impact_run::Collisions;
use crate::{DynamicsError, Twist};
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, Frame, Friction, Impact, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions,
};

const TOLERANCE: f64 = 1e-12;
/// Gap up to which the contacts of other pairs take part in an impact of all that touches, in slops: rounding and the
/// residual of the steps before.
const TOUCHING: f64 = 1e-3;

/// A body at an impact: what moves it, and where.
struct Side {
    velocity: Twist,
    arm: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
}

/// A contact that is closed, with its frame and both bodies.
type Closed<'a> = (&'a WorldContact, Frame, [Side; 2]);

impl Collisions<'_> {
    /// The impact of pairs that meet at once, at their contacts that are closed now.
    pub(super) fn collide_pairs(&mut self, pairs: &[usize]) -> Result<(), DynamicsError> {
        let mut closed = Vec::new();
        for &p in pairs {
            let limit = self.closed_below(p);
            for k in self.run.pairs[p].contacts.clone() {
                if self.run.gaps[k] <= limit {
                    let c = &self.contacts[k];
                    closed.push((c, Frame::from_normal(c.normal)?, self.sides(c)));
                }
            }
        }
        let problem = self.problem(&closed)?;
        let Some((impact, plastic)) = self.resolve(&problem)? else {
            pairs.iter().for_each(|&p| self.run.pairs[p].give_up());
            return Ok(());
        };
        let ends = problem.contacts().iter().zip(&impact.impulses);
        for ((c, frame, sides), (start, r)) in closed.iter().zip(ends) {
            let closing = (-start.velocity.x).max(0.0);
            match plastic {
                false => self.report.exchange.returned += r.x * start.restitution * closing,
                true => {
                    self.report.exchange.unreturned += not_returned(start.restitution, r.x, closing)
                }
            }
            let p = frame.to_world(*r);
            self.push(c.first, &sides[0], p, 1.0);
            self.push(c.second, &sides[1], p, -1.0);
        }
        self.report.events.impacts += pairs.len() as u64;
        self.report.exchange.contact_loss -= impact.energy.change;
        Ok(())
    }

    /// Gap below which a contact of a pair takes part in an impact (m): of a pair that meets what a step leaves alone.
    fn closed_below(&self, pair: usize) -> f64 {
        let slop = self.state.settings.slop;
        match self.run.pairs[pair].meets {
            Some(_) => slop,
            None => TOUCHING * slop,
        }
    }

    /// Adds to pairs that meet all that touch one of them, or each other, at a free body.
    pub(super) fn with_all_that_touch(&self, struck: &mut Vec<usize>) {
        let touches = |p: usize| {
            let mut gaps = self.run.pairs[p].contacts.clone();
            gaps.any(|k| self.run.gaps[k] <= TOUCHING * self.state.settings.slop)
        };
        let mut at = 0;
        while let Some(&of) = struck.get(at) {
            for p in 0..self.run.pairs.len() {
                if self.share_a_body(of, p) && !struck.contains(&p) && touches(p) {
                    struck.push(p);
                }
            }
            at += 1;
        }
        struck.sort_unstable();
    }

    /// Impulses that make no energy: those of the law; where it makes some those of Newton's law with the normal
    /// impulses found first, as if without friction, which makes none where one coefficient holds for all contacts;
    /// else plastic ones, which make none, and whether they are that. None where not even those are solved so far: the
    /// contact problem of the step then holds the bodies.
    fn resolve(
        &mut self,
        problem: &ImpactProblem,
    ) -> Result<Option<(Impact, bool)>, DynamicsError> {
        let options = SolveOptions {
            tolerance: TOLERANCE,
            ..SolveOptions::default()
        };
        let normal_first = ImpactLaw::Sequential {
            friction: Friction::MaximumDissipation,
        };
        let plastic = problem.without_restitution();
        let inelastic = ImpactLaw::default();
        let in_order = [
            (&self.law, problem),
            (&normal_first, problem),
            (&inelastic, &plastic),
        ];
        for (k, (law, problem)) in in_order.into_iter().enumerate() {
            let impact = law.resolve(problem, &options)?;
            if !impact.energy.is_gain() {
                self.report.events.refused_impacts += u64::from(k > 0);
                self.report.events.unsolved_impacts += u64::from(!impact.converged);
                return Ok(Some((impact, k == 2)));
            }
        }
        self.report.events.refused_impacts += 1;
        self.report.events.unsolved_impacts += 1;
        Ok(None)
    }

    /// Both bodies of a contact as they are now.
    fn sides(&self, c: &WorldContact) -> [Side; 2] {
        let points = c.points_of_impact();
        [(c.first, points[0]), (c.second, points[1])].map(|(i, point)| {
            if let Some(k) = i.checked_sub(PLANES) {
                let plane = self.state.planes.get(k as usize);
                return Side {
                    velocity: Twist {
                        linear: plane.map_or(DVec3::ZERO, |p| p.velocity),
                        angular: DVec3::ZERO,
                    },
                    arm: DVec3::ZERO,
                    inverse_mass: 0.0,
                    inverse_inertia: DMat3::ZERO,
                };
            }
            let m = &self.state.members[i as usize];
            let node = m.node();
            Side {
                velocity: self.run.velocities[i as usize],
                arm: point - m.state.pose.translation,
                inverse_mass: node.inverse_mass,
                inverse_inertia: node.inverse_inertia,
            }
        })
    }

    /// The impact problem at closed contacts, with `W` from the masses of their bodies.
    fn problem(&self, closed: &[Closed]) -> Result<ImpactProblem, DynamicsError> {
        let (mut contacts, mut blocks) = (vec![], vec![]);
        for (i, (c, frame, at)) in closed.iter().enumerate() {
            let start = frame.to_local(self.relative(c));
            let u = start + frame.to_local(self.fall(c, self.run.time));
            // On a contact that separates the restitution acts too: with none there the others would give it energy.
            let bounces = u.x > 0.0 || -start.x > self.run.bounce_above;
            let e = if bounces { c.restitution } else { 0.0 };
            let mut contact = ImpactContact::new(u)
                .with_friction(c.friction)
                .with_restitution(e);
            contact.group = Some(0);
            contacts.push(contact);
            for (j, (d, other, by)) in closed.iter().enumerate() {
                // An impulse acts on the first body, and against it on the second.
                let (own, others) = ([c.first, c.second], [d.first, d.second]);
                let column = |axis: DVec3| {
                    let p = other.to_world(axis);
                    let moved = |k: usize, l: usize| {
                        if own[k] != others[l] {
                            return DVec3::ZERO;
                        }
                        let turn = by[l].inverse_inertia * by[l].arm.cross(p);
                        let moved = p * by[l].inverse_mass + turn.cross(at[k].arm);
                        if k == l { moved } else { -moved }
                    };
                    let same = moved(0, 0) + moved(1, 1);
                    frame.to_local(same + (moved(0, 1) + moved(1, 0)))
                };
                let w = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
                blocks.push((i, j, w));
            }
        }
        let delassus = Delassus::from_blocks(closed.len(), blocks)?;
        Ok(ImpactProblem::new(delassus, contacts)?)
    }

    /// Lets an impulse act on one side of a contact: its velocity changes, or a boundary does work.
    fn push(&mut self, member: u32, side: &Side, p: DVec3, sign: f64) {
        if side.inverse_mass == 0.0 {
            self.report.exchange.boundary_work -= sign * p.dot(side.velocity.at(side.arm));
            return;
        }
        let run = &mut *self.run;
        let v = &mut run.velocities[member as usize];
        if run.changed.iter().all(|(i, _)| *i != member) {
            run.changed.push((member, *v));
        }
        let change = Twist {
            linear: p * (sign * side.inverse_mass),
            angular: side.inverse_inertia * side.arm.cross(p) * sign,
        };
        v.linear += change.linear;
        v.angular += change.angular;
        if let Some(offset) = run.offsets.get_mut(member as usize) {
            offset.linear -= change.linear * run.time;
            offset.angular -= change.angular * run.time;
        }
    }
}

/// Energy that a restitution would have given back after a normal impulse that closed a contact at a speed (m/s) and
/// gave nothing back, `½ e² r_n |u_n⁻|` (J).
pub(super) fn not_returned(restitution: f64, impulse: f64, closing: f64) -> f64 {
    0.5 * restitution * restitution * impulse * closing.max(0.0)
}
