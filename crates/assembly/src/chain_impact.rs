//! Impacts of chains: all bodies that touch at one instant, walls included.

use crate::chain::{Chain, ImpactRule, resolve};
use crate::cluster::{Cluster, Mode};
use crate::event::Collision;
use crate::groups::Placement;
use crate::regroup::regroup;
use crate::run::Run;
use klast_numerics::DoubleDouble;

/// Grazing: an open contact met no faster than this part of the velocity scale. A tangent touch is found at the root of
/// its derivative, where nothing but rounding of the speed is left.
const GRAZING: f64 = 1e-12;

/// Impacts slower than this part of the velocity scale are the tail of a bounce: their order does not matter.
const MATTERS: f64 = 1e-9;

/// Whether the contact in front of block `j` takes part in an impact at `t`: it is due now, or it is closed.
pub(crate) fn closed(run: &mut Run, j: usize, t: f64) -> bool {
    let n = run.model.len();
    let left = (j > 0).then(|| run.state.clusters[run.state.head[j - 1]]);
    let right = (j < n).then(|| run.state.clusters[j]);
    let resting = |c: &Cluster| c.mode == Mode::Rest;
    // Bodies that parted at this very instant count as touching: rounding may have them close again, and settling
    // them two by two would go on for ever.
    let here = |c: &Cluster| c.mode == Mode::Rest || c.t == t;
    let touching = match (left, right) {
        (Some(l), Some(r)) => {
            let drift = run.state.speed_at(&r, t) - run.state.speed_at(&l, t);
            let same = l.y == r.y && l.dy == r.dy;
            here(&l) && here(&r) && same && drift.abs() <= run.model.cutoff
        }
        (None, Some(r)) => resting(&r) && r.lies_at(0.0),
        (Some(l), None) => resting(&l) && l.lies_at(run.model.free),
        (None, None) => false,
    };
    let soon = t + run.model.simultaneous();
    while !run.schedule.is_exact(j) && run.schedule.time(j) <= soon {
        run.refine(j);
    }
    let due = run.schedule.time(j) <= soon;
    if due && !touching {
        let mut speed = |side: &Option<Cluster>| match side {
            Some(c) => run.state.speed_at(c, t),
            None => run.state.clock.kinematics(t).velocity,
        };
        let closing = speed(&left) - speed(&right);
        if closing > MATTERS * run.model.velocity_scale {
            let time = run.state.clock.epoch_start() + t;
            run.record.coincidence.get_or_insert(time);
        }
    }
    touching || due
}

/// An impact of all bodies that are in contact at this instant.
pub(crate) fn chain_event(run: &mut Run, i: usize, t: f64) {
    let n = run.model.len();
    let (mut lo, mut hi) = (i, i);
    while lo > 0 {
        lo = run.state.head[lo - 1];
        if !closed(run, lo, t) {
            break;
        }
        if lo == 0 {
            break;
        }
    }
    let left_wall = lo == 0 && (i == 0 || closed(run, 0, t));
    while hi < n {
        hi = run.state.clusters[hi].last + 1;
        if !closed(run, hi, t) {
            break;
        }
    }
    let right_wall = hi == n && (i == n || closed(run, n, t));
    chain_impact(run, lo, hi - 1, (left_wall, right_wall), i, t);
}

/// Resolves the chain of blocks `first..=last`, all at one place.
pub(crate) fn chain_impact(
    run: &mut Run,
    first: usize,
    last: usize,
    walls: (bool, bool),
    origin: usize,
    t: f64,
) {
    let mut heads = std::mem::take(&mut run.workspace.heads);
    heads.clear();
    let mut c = first;
    while c <= last {
        run.close(c, t);
        heads.push(c);
        c = run.state.clusters[c].last + 1;
    }
    let at = common_place(run, &heads, walls);
    let mut chain = std::mem::take(&mut run.workspace.chain);
    fill_chain(run, &mut chain, &heads, walls);
    let origin_body = if run.model.rule == ImpactRule::Complementarity {
        heads.partition_point(|&h| h < origin)
    } else {
        origin - first
    };
    let approach = -chain.opening(origin_body);
    let endless = run.state.bounces[origin].is_endless();
    if endless {
        chain.restitution[origin_body] = 0.0;
        run.state.bounces[origin].end();
    }
    let before: f64 = chain
        .mass
        .iter()
        .zip(&chain.velocity)
        .map(|(m, v)| m * v)
        .sum();
    let size: f64 = chain
        .mass
        .iter()
        .zip(&chain.velocity)
        .map(|(m, v)| (m * v).abs())
        .sum();
    resolve(&mut chain, run.model.rule, &mut run.workspace.rule);
    chain.cut_off |= endless;
    let grazing = audit_approach(run, approach, chain.opening(origin_body), origin, t);
    book_chain(run, &chain, &heads, walls, (before, size));
    let energy = approach_energy(&chain, origin_body, approach);
    let impact = Collision {
        time: t,
        interface: origin,
        blocks: (first, last),
        approach,
        impulse: chain.impulse[origin_body],
        dissipated: chain.dissipated.value(),
        grazing,
    };
    run.note_impact(impact, energy);
    regroup(
        run,
        &chain,
        &heads,
        Placement {
            time: t,
            y: at.0,
            dy: at.1,
            u: DoubleDouble::sum(at.0, at.1) + run.state.clock.motion.basin_position(t),
            v: 0.0,
        },
    );
    run.workspace.chain = chain;
    run.workspace.heads = heads;
    run.predict_range(first, last);
}

/// Counts an impact and what becomes of its contact; whether it is a grazing one.
fn audit_approach(run: &mut Run, approach: f64, after: f64, origin: usize, t: f64) -> bool {
    run.record.counts.impacts += 1;
    if approach > 0.0 && after <= run.model.cutoff {
        run.record.counts.joins += 1;
    }
    let open = run.state.bounces[origin].meet(t, run.model.scale_time);
    let grazing = open && approach.abs() <= GRAZING * run.model.velocity_scale;
    if grazing {
        let time = run.state.clock.epoch_start() + t;
        run.record.note_grazing(time, origin, approach);
    }
    grazing
}

/// The one coordinate of a chain: that of a wall or of a resting body in it, else the mean.
fn common_place(run: &mut Run, heads: &[usize], walls: (bool, bool)) -> (f64, f64) {
    let Some((first, last)) = heads.first().zip(heads.last()) else {
        return (0.0, 0.0);
    };
    let (first, last) = (run.state.clusters[*first], run.state.clusters[*last]);
    let mut resting = None;
    let (mut left, mut sum) = (first, 0.0);
    for &h in heads {
        let c = run.state.clusters[h];
        if c.mode == Mode::Rest {
            resting = resting.or(Some((c.y, c.dy)));
        }
        run.record.note_gap(left.gap_to(&c));
        sum += (c.y - first.y) + (c.dy - first.dy);
        left = c;
    }
    // Either wall, whether or not it takes part.
    run.record.note_gap(first.y + first.dy);
    run.record.note_gap((run.model.free - last.y) - last.dy);
    match (walls, resting) {
        ((true, _), _) => (0.0, 0.0),
        ((_, true), _) => (run.model.free, 0.0),
        (_, Some(place)) => place,
        _ => (first.y, first.dy + sum / heads.len() as f64),
    }
}

/// Bodies of the chain: clusters under the complementarity rule, which keeps them rigid, single blocks otherwise.
pub(crate) fn fill_chain(run: &mut Run, chain: &mut Chain, heads: &[usize], walls: (bool, bool)) {
    chain.clear();
    (chain.left_wall, chain.right_wall) = walls;
    chain.cutoff = run.model.cutoff;
    let e = run.model.basin.restitution;
    for (k, &h) in heads.iter().enumerate() {
        let c = run.state.clusters[h];
        if k == 0 {
            chain.wall_velocity = run.state.clock.kinematics(c.t).velocity;
            chain
                .restitution
                .push(if h == 0 { e.wall } else { e.block });
        }
        if run.model.rule == ImpactRule::Complementarity {
            chain.mass.push(c.mass);
            chain.velocity.push(c.v);
            chain.restitution.push(e.block);
        } else {
            for b in &run.model.blocks[h..=c.last] {
                chain.mass.push(b.mass);
                chain.velocity.push(c.v);
                chain.restitution.push(e.block);
            }
        }
    }
    if walls.1
        && let Some(behind) = chain.restitution.last_mut()
    {
        *behind = e.wall;
    }
}

/// Energy, momentum, counts and impulses of a resolved chain.
pub(crate) fn book_chain(
    run: &mut Run,
    chain: &Chain,
    heads: &[usize],
    walls: (bool, bool),
    (before, size): (f64, f64),
) {
    let Some((&first, &last_head)) = heads.first().zip(heads.last()) else {
        return;
    };
    let end = run.state.clusters[last_head].last + 1;
    run.record.energy.add_impact(chain.dissipated.value());
    run.record.counts.wall_impacts += u64::from(
        (walls.0 && chain.impulse.first().is_some_and(|p| *p > 0.0))
            || (walls.1 && chain.impulse.last().is_some_and(|p| *p > 0.0)),
    );
    run.record.counts.cut_off += u64::from(chain.cut_off);
    let after: f64 = chain
        .mass
        .iter()
        .zip(&chain.velocity)
        .map(|(m, v)| m * v)
        .sum();
    let from_walls = chain.impulse.first().copied().unwrap_or(0.0)
        - chain.impulse.last().copied().unwrap_or(0.0);
    // Between two walls the row is carried, and who gave what is not told.
    let given = if walls.0 && walls.1 {
        after - before
    } else {
        from_walls
    };
    run.record
        .energy
        .add_drive(chain.wall_work.value() + run.state.clock.motion.velocity() * given);
    let passed: f64 = chain.impulse.iter().sum();
    if !(walls.0 && walls.1) {
        run.record
            .note_momentum((after - before - from_walls).abs(), size + passed);
    }
    if run.model.rule != ImpactRule::Complementarity {
        for (j, (count, p)) in chain.impacts.iter().zip(&chain.impulse).enumerate() {
            run.record.note_pair(first + j, *count, *p);
        }
        return;
    }
    for (k, &h) in heads.iter().enumerate() {
        run.record.note_pair(h, chain.impacts[k], chain.impulse[k]);
        let (c, p, q) = (
            run.state.clusters[h],
            chain.impulse[k],
            chain.impulse[k + 1],
        );
        if p > 0.0 || q > 0.0 {
            run.record.note_inner(h, c.last, p, (p - q) / c.mass);
        }
    }
    run.record
        .note_pair(end, chain.impacts[heads.len()], chain.impulse[heads.len()]);
}

/// Kinetic energy of approach ½ m_red u² at the contact where a chain impact began.
fn approach_energy(chain: &Chain, j: usize, approach: f64) -> f64 {
    let mobility = j
        .checked_sub(1)
        .and_then(|b| chain.mass.get(b))
        .map_or(0.0, |m| 1.0 / m)
        + chain.mass.get(j).map_or(0.0, |m| 1.0 / m);
    if mobility > 0.0 {
        0.5 * approach * approach / mobility
    } else {
        0.0
    }
}
