//! One complementarity problem for the chain.

use super::{Chain, Scratch};
use crate::isotonic;

/// Solves, and poses again while a contact still closes.
///
/// With targets δ_j = e_j max(−u_j, 0) the problem is: minimise Σ m (v − v⁻)²/2 subject to v_j − v_{j−1} ≥ δ_j, whose
/// multipliers are the impulses. In z_j = v_j − Σ δ it is an isotonic regression, solved exactly by pooling.
pub(super) fn resolve(chain: &mut Chain, scratch: &mut Scratch) {
    // Each round ends the approach of all its contacts; a chain has settled after few rounds, and at most one
    // more per contact is ever needed. The bound only guards against rounding.
    for _ in 0..=4 * chain.mass.len() + 8 {
        if !solve_once(chain, scratch) {
            break;
        }
    }
}

/// Solves each run of closed contacts that contains an approach; false if there is none.
fn solve_once(chain: &mut Chain, scratch: &mut Scratch) -> bool {
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
            solve_run(chain, scratch, first, j);
        }
    }
    any
}

/// Solves the contacts `first..end`, which join bodies `first − 1 ..= end − 1`.
fn solve_run(chain: &mut Chain, scratch: &mut Scratch, first: usize, end: usize) {
    let n = chain.mass.len();
    let (body0, body1) = (first.saturating_sub(1), end.min(n));
    let on_left_wall = first == 0;
    let on_right_wall = end == n + 1;
    let target = |chain: &Chain, j: usize| {
        let u = chain.opening(j);
        if -u > chain.cutoff {
            -u * chain.restitution[j]
        } else {
            0.0
        }
    };
    // z = v − c with c the running sum of targets over the contacts between bodies.
    scratch.target.clear();
    scratch.before.clear();
    scratch.pools.clear();
    let mut c = 0.0;
    for b in body0..body1 {
        if b > body0 {
            c += target(chain, b);
        }
        scratch.target.push(c);
        scratch.before.push(chain.velocity[b]);
        isotonic::push(&mut scratch.pools, chain.mass[b], chain.velocity[b] - c);
    }
    let low = if on_left_wall {
        chain.wall_velocity + target(chain, 0)
    } else {
        f64::NEG_INFINITY
    };
    let high = if on_right_wall {
        chain.wall_velocity - target(chain, n) - c
    } else {
        f64::INFINITY
    };
    let mut opening = std::mem::take(&mut scratch.opening);
    opening.clear();
    opening.extend((first..end).map(|j| chain.opening(j)));
    let mut b = body0;
    for pool in &scratch.pools {
        let z = pool.value.max(low).min(high);
        for _ in 0..pool.count {
            chain.velocity[b] = z + scratch.target[b - body0];
            b += 1;
        }
    }
    collect_impulses(chain, scratch, (first, end), &opening, on_left_wall);
    scratch.opening = opening;
}

/// Impulses from the momentum of the bodies, summed from the free end.
fn collect_impulses(
    chain: &mut Chain,
    scratch: &Scratch,
    (first, end): (usize, usize),
    opening: &[f64],
    from_left_wall: bool,
) {
    let (body0, body1) = (first.saturating_sub(1), end.min(chain.mass.len()));
    let gain =
        |chain: &Chain, b: usize| chain.mass[b] * (chain.velocity[b] - scratch.before[b - body0]);
    let mut p = 0.0;
    if from_left_wall {
        for b in (body0..body1).rev() {
            p += gain(chain, b);
            pass(chain, b, p, opening[b - first]);
        }
    } else {
        for b in body0..body1 {
            p -= gain(chain, b);
            if b + 1 < end {
                pass(chain, b + 1, p, opening[b + 1 - first]);
            }
        }
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
