//! What acts at the contacts of an island that was solved.

use super::contact_problem::ContactProblem;
use super::settings::WorldSettings;
use glam::DVec3;
use klast_contact::bodies::BodyVelocity;
use klast_contact::project;

/// Work of a contact under this part of impulse times speeds is rounding of its sums.
const ROUNDING: f64 = 1e-14;

/// What acts at a contact, world axes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reaction {
    pub impulse: DVec3,
    /// Relative velocity at the end of the step.
    pub velocity: DVec3,
    /// Energy that a spring has stored (J).
    pub stored: f64,
    /// Work against the force of a bond (J).
    pub parted: f64,
    /// Work of a bounce on its way back, `r_n e |u_n⁻|` (J).
    pub returned: f64,
    /// Size of what rounding leaves of the work (J), where the loss is negative.
    pub rounding: f64,
}

impl Reaction {
    /// Energy that the law takes at the contact, `−r·u` with the return of a bounce and what a spring stores left out:
    /// `μ r_n ‖u_T‖`, and for a gap that closes its impulse times the speed of closing. The force of a bond has no part
    /// in it.
    pub fn loss(&self) -> f64 {
        self.returned - self.impulse.dot(self.velocity) - self.stored - self.parted
    }
}

/// Impulses and relative velocities of a solved problem, with the velocities of its bodies after that.
pub(super) fn react(
    p: &ContactProblem,
    after: &[BodyVelocity],
    settings: &WorldSettings,
    reactions: &mut Vec<Reaction>,
) {
    let compliance = settings.compliance();
    let of = |node: usize| after.get(node).unwrap_or(&p.velocities[node]);
    reactions.clear();
    let q = p.system.q_max();
    let impulses = p.system.impulses_in_space();
    for (((r, impulse), l), drawn) in impulses.zip(&p.links).zip(&p.drawn) {
        let sides = [
            Some((of(l.first), l.arm_first)),
            l.second.map(|k| (of(k), l.arm_second)),
        ];
        let [first, second] = sides.map(|side| side.map_or(DVec3::ZERO, velocity));
        // What a spring carries to the next step, and what that stores.
        let (carried, stored) = match compliance > 0.0 {
            true => {
                let carried = project(l.impulse, l.mu);
                (carried, 0.5 * compliance * (r - carried).dot(r + carried))
            }
            false => (r, 0.0),
        };
        let mut reaction = Reaction {
            impulse,
            velocity: first - second,
            parted: 0.0,
            returned: r.x * (-l.bias.x).max(0.0),
            stored,
            rounding: 0.0,
        };
        if *drawn > 0.0 {
            reaction.impulse -= l.normal * *drawn;
            reaction.parted = drawn * l.normal.dot(reaction.velocity);
        }
        if reaction.loss() < 0.0 {
            let speeds: f64 = sides.into_iter().flatten().map(size).sum();
            let yielding = compliance * (r.length() + carried.length());
            reaction.rounding = ROUNDING * r.length() * (q + speeds + yielding);
        }
        reactions.push(reaction);
    }
}

/// Velocity of a point of a node.
fn velocity((v, arm): (&BodyVelocity, DVec3)) -> DVec3 {
    v.linear + v.angular.cross(arm)
}

/// The size of its terms.
fn size((v, arm): (&BodyVelocity, DVec3)) -> f64 {
    v.linear.length() + v.angular.cross(arm).length()
}
