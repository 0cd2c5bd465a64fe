//! Bodies that something driven presses together and that cannot give way: a contact problem without a solution.

use super::contact_problem::ContactProblem;
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::bodies::Solver;

/// Sweeps to the direction in which impulses of a problem without a solution grow, those that show it, and the speed in
/// approaches at which bodies are not squeezed out: a wedge of one degree gives way at 57.
pub(super) const SQUEEZING: usize = 30;
pub(super) const SQUEEZING_MORE: usize = 10;
const SQUEEZED_OUT: f64 = 100.0;

/// Whether what is driven closes on bodies that cannot give way: whether normal impulses d ≥ 0 exist that leave all
/// free bodies in balance, `Hₙᵀ d = 0`, and resist the approach that is left then, `d·q < 0`. No velocities with
/// `Hₙ v + q ≥ 0` exist in that case (Farkas), and impulses grow without end, in a direction that sweeps find.
/// Balance is asked up to what speeds of [`SQUEEZED_OUT`] times the approach could make up for. Where it is not so
/// the impulses are left as they were. The two lists of impulses are buffers.
pub(super) fn is_squeezed(
    p: &mut ContactProblem,
    solver: &mut Solver,
    [start, swept]: [&mut Vec<DVec3>; 2],
) -> Result<bool, DynamicsError> {
    let driven = p.velocities.iter().skip(p.bodies);
    if driven
        .clone()
        .all(|v| v.linear == DVec3::ZERO && v.angular == DVec3::ZERO)
    {
        return Ok(false);
    }
    p.copy_impulses(start);
    solver.sweep(&mut p.system, SQUEEZING);
    p.copy_impulses(swept);
    solver.sweep(&mut p.system, SQUEEZING_MORE);
    let mut balance = vec![(DVec3::ZERO, DVec3::ZERO); p.nodes.len()];
    let (mut work, mut longest) = (0.0, 0.0f64);
    let grown = p.system.impulses().zip(&*swept);
    // Ties give way.
    let contacts = p.links.iter().zip(&p.drawn).map(|(link, _)| link);
    for (link, (now, before)) in contacts.zip(grown) {
        let push = link.normal * (now.x - before.x).max(0.0);
        let ends = [
            (Some(link.first), link.arm_first, push),
            (link.second, link.arm_second, -push),
        ];
        for (node, arm, push) in ends {
            let Some(node) = node else { continue };
            let (sum, v) = (&mut balance[node], &p.velocities[node]);
            sum.0 += push;
            sum.1 += arm.cross(push);
            work += push.dot(v.linear + v.angular.cross(arm));
            longest = longest.max(if node < p.bodies { arm.length() } else { 0.0 });
        }
        work += link.normal.dot(push) * link.bias.x;
    }
    let fastest = SQUEEZED_OUT * p.system.q_max();
    let free = balance.iter().take(p.bodies);
    let left: f64 = free
        .map(|(p, l)| p.length() + l.length() / longest.max(f64::MIN_POSITIVE))
        .sum();
    let squeezed = work + left * fastest < 0.0;
    if !squeezed {
        p.system.set_impulses(start)?;
    }
    Ok(squeezed)
}
