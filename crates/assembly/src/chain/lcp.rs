//! One complementarity problem for the chain.

use std::ops::Range;

use super::bodies::{Chain, Workspace};
use crate::isotonic;

/// Solves, and poses again while a contact still closes.
///
/// With targets δ_j = e_j max(−u_j, 0) the problem is: minimise Σ m (v − v⁻)²/2 subject to v_j − v_{j−1} ≥ δ_j, whose
/// multipliers are the impulses. In z_j = v_j − Σ δ it is an isotonic regression, solved exactly by pooling.
pub(super) fn resolve(chain: &mut Chain, workspace: &mut Workspace) {
    // Each round ends the approach of all its contacts; a chain has settled after few rounds, and at most one
    // more per contact is ever needed. The bound only guards against rounding.
    for _ in 0..=4 * chain.mass.len() + 8 {
        if !solve_once(chain, workspace) {
            break;
        }
    }
}

/// Solves each run of closed contacts that contains an approach; false if there is none.
fn solve_once(chain: &mut Chain, workspace: &mut Workspace) -> bool {
    let contacts = chain.contacts();
    let mut any = false;
    let mut j = contacts.start;
    while j < contacts.end {
        if chain.opening(j) > chain.cutoff {
            j += 1;
            continue;
        }
        let first = j;
        let mut closes = false;
        while j < contacts.end && chain.opening(j) <= chain.cutoff {
            closes |= -chain.opening(j) > chain.cutoff;
            j += 1;
        }
        if closes {
            any = true;
            solve_run(chain, workspace, first, j);
        }
    }
    any
}

/// Solves the contacts `first..end`, which join bodies `first − 1 ..= end − 1`.
fn solve_run(chain: &mut Chain, workspace: &mut Workspace, first: usize, end: usize) {
    let (body0, body1) = (first.saturating_sub(1), end.min(chain.mass.len()));
    let mut opening = std::mem::take(&mut workspace.opening);
    let mut target = std::mem::take(&mut workspace.target);
    opening.clear();
    opening.extend((first..end).map(|j| chain.opening(j)));
    target.clear();
    target.extend((first..end).map(|j| {
        let approach = -opening[j - first];
        if approach > chain.cutoff {
            approach * chain.restitution[j]
        } else {
            0.0
        }
    }));
    workspace.before.clear();
    workspace
        .before
        .extend_from_slice(&chain.velocity[body0..body1]);
    // z = v − c with c the running sum of targets over the contacts between bodies.
    workspace.pools.clear();
    let mut c = 0.0;
    for b in body0..body1 {
        if b > body0 {
            c += target[b - first];
        }
        isotonic::push(&mut workspace.pools, chain.mass[b], chain.velocity[b] - c);
    }
    let at = |j: usize| target[j - first];
    let wall = chain.wall_velocity;
    let low = (first == 0).then(|| wall + at(0));
    let high = (end > chain.mass.len()).then(|| wall - at(end - 1));
    let mut b = body0;
    for pool in &workspace.pools {
        let (left, right) = (b, b + pool.count);
        b = right;
        if let Some(low) = low.filter(|low| pool.value <= *low) {
            let v = if left == body0 {
                low
            } else {
                chain.velocity[left - 1] + at(left)
            };
            spread(chain, left..right, left, v, at);
        } else if let Some(high) = high.filter(|high| pool.value >= *high - c) {
            // All pools from here on lie at the wall.
            spread(chain, left..body1, body1 - 1, high, at);
            break;
        } else {
            let (heaviest, v) = common(chain, left..right, at);
            spread(chain, left..right, heaviest, v, at);
        }
    }
    collect_impulses(chain, workspace, (first, end), &opening);
    (workspace.opening, workspace.target) = (opening, target);
}

/// Heaviest body of a pool, and its velocity when neighbours part by their targets and no momentum is lost.
///
/// The velocity is found from that body on. As the mean of all z it would carry the rounding of the fastest body times
/// the heaviest mass, in rows of six decades of mass a million times their momentum.
fn common(chain: &Chain, bodies: Range<usize>, target: impl Fn(usize) -> f64) -> (usize, f64) {
    let h = heaviest(chain, bodies.clone());
    let (v, mut mass, mut lead) = (chain.velocity[h], chain.mass[h], 0.0);
    let mut c = 0.0;
    for b in h + 1..bodies.end {
        c += target(b);
        mass += chain.mass[b];
        lead += chain.mass[b] * ((chain.velocity[b] - v) - c);
    }
    c = 0.0;
    for b in (bodies.start..h).rev() {
        c += target(b + 1);
        mass += chain.mass[b];
        lead += chain.mass[b] * ((chain.velocity[b] - v) + c);
    }
    (h, v + lead / mass)
}

fn heaviest(chain: &Chain, bodies: Range<usize>) -> usize {
    let first = bodies.start;
    bodies.fold(
        first,
        |h, b| if chain.mass[b] > chain.mass[h] { b } else { h },
    )
}

/// Velocities of the bodies from that of one of them, neighbours parting by their targets.
fn spread(
    chain: &mut Chain,
    bodies: Range<usize>,
    from: usize,
    v: f64,
    target: impl Fn(usize) -> f64,
) {
    chain.velocity[from] = v;
    for b in from + 1..bodies.end {
        chain.velocity[b] = chain.velocity[b - 1] + target(b);
    }
    for b in (bodies.start..from).rev() {
        chain.velocity[b] = chain.velocity[b + 1] - target(b + 1);
    }
}

/// Impulses from the momentum of the bodies, summed from the free ends; where both are free, up to the heaviest body,
/// whose gain is known to the rounding of its momentum only.
fn collect_impulses(
    chain: &mut Chain,
    workspace: &Workspace,
    (first, end): (usize, usize),
    opening: &[f64],
) {
    let (body0, body1) = (first.saturating_sub(1), end.min(chain.mass.len()));
    let gain =
        |chain: &Chain, b: usize| chain.mass[b] * (chain.velocity[b] - workspace.before[b - body0]);
    let turn = if first == 0 {
        first
    } else if end > chain.mass.len() {
        end
    } else {
        heaviest(chain, body0..body1) + 1
    };
    let mut p = 0.0;
    for j in first..turn {
        p -= gain(chain, j - 1);
        pass(chain, j, p, opening[j - first]);
    }
    p = 0.0;
    for j in (turn..end).rev() {
        p += gain(chain, j);
        pass(chain, j, p, opening[j - first]);
    }
}

/// Books impulse `p` through contact `j`, whose relative velocity was `before`: it takes −p (u⁻ + u⁺)/2 of energy.
fn pass(chain: &mut Chain, j: usize, p: f64, before: f64) {
    let n = chain.mass.len();
    chain.impulse[j] += p;
    chain.impacts[j] += u64::from(p > 0.0);
    let loss = -0.5 * p * (before + chain.opening(j));
    chain.dissipated.add(loss);
    if j == 0 {
        chain.wall_work.add(p * chain.wall_velocity);
    } else if j == n {
        chain.wall_work.add(-p * chain.wall_velocity);
    }
}
