//! How clusters form and part: who stays with whom after an impact, a stop or a release.
//!
//! Touching blocks with one velocity follow Gauss' principle: their accelerations are the weighted isotonic regression
//! of the free ones, cut off by the walls (a block at rest counts with the soft threshold of the floor). A pool of the
//! regression is a cluster; between pools the contact opens at once, exactly where its force would pull.

use crate::cluster::{Cluster, Mode};
use crate::model::Model;
use crate::record::Record;
use crate::state::State;
use klast_numerics::DoubleDouble;

/// Where and how fast a group of touching blocks is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) time: f64,
    /// Coordinate in the basin.
    pub(crate) y: f64,
    /// Small offset to `y`.
    pub(crate) dy: f64,
    /// Coordinate in the frame.
    pub(crate) u: DoubleDouble,
    /// Velocity in the frame.
    pub(crate) v: f64,
}

/// Books the step from velocity `v`, within the cut-off of that of the basin, to it: small, yet a part in 1e11 of the
/// turnover for each of many.
pub(crate) fn book_hold(
    model: &Model,
    state: &mut State,
    record: &mut Record,
    first: usize,
    last: usize,
    v: f64,
    t: f64,
) {
    let basin = state.clock.kinematics(t).velocity;
    let mass = model.mass_of(first, last);
    let carried = basin + state.clock.motion.velocity();
    record.energy.add_drive(mass * carried * (basin - v));
    record
        .energy
        .add_friction(0.5 * mass * (basin - v) * (basin - v));
}

/// Makes the blocks `first..=last`, which touch and move as one, into clusters. Their old clusters are closed and
/// their queue slots empty; predictions are the caller's.
pub(crate) fn place(
    model: &Model,
    state: &mut State,
    record: &mut Record,
    first: usize,
    last: usize,
    at: Placement,
) {
    let k = state.clock.kinematics(at.time);
    let w = at.v - k.velocity;
    if w.abs() <= model.cutoff {
        book_hold(model, state, record, first, last, at.v, at.time);
        place_at_rest(model, state, first, last, (at.y, at.dy), at.time);
    } else {
        place_sliding(
            model,
            state,
            first,
            last,
            at,
            if w > 0.0 { 1.0 } else { -1.0 },
        );
    }
}

/// A group without relative velocity: it stays, or slides off where the pull exceeds the floor and no wall holds it.
pub(crate) fn place_at_rest(
    model: &Model,
    state: &mut State,
    first: usize,
    last: usize,
    (y, dy): (f64, f64),
    time: f64,
) {
    let k = state.clock.kinematics(time);
    let pull = -k.acceleration;
    let at = Placement {
        time,
        y,
        dy,
        u: DoubleDouble::sum(y, dy) + state.clock.motion.basin_position(time),
        v: k.velocity,
    };
    let held_left = first == 0 && y == 0.0 && dy == 0.0;
    let held_right = last + 1 == model.len() && y == model.free && dy == 0.0;
    let side = if pull > 0.0 { 1.0 } else { -1.0 };
    if (side > 0.0 && held_right) || (side < 0.0 && held_left) {
        set_cluster(model, state, first, last, at, None);
        return;
    }
    if model.even_friction {
        let threshold = model.friction_deceleration(first);
        set_cluster(
            model,
            state,
            first,
            last,
            at,
            (pull.abs() > threshold).then_some((side, threshold)),
        );
        return;
    }
    // Sliding pools lie on the side to which the pull points; what does not slide stays one resting group.
    let pools = model.pools(first, last, side);
    let mut rest: Option<(usize, usize)> = None;
    let mut b = first;
    for pool in pools {
        let (a, z) = (b, b + pool.count - 1);
        b = z + 1;
        if pull.abs() > pool.value.abs() {
            if let Some((ra, rz)) = rest.take() {
                set_cluster(model, state, ra, rz, at, None);
            }
            set_cluster(model, state, a, z, at, Some((side, pool.value.abs())));
        } else {
            rest = Some((rest.map_or(a, |r| r.0), z));
        }
    }
    if let Some((ra, rz)) = rest {
        set_cluster(model, state, ra, rz, at, None);
    }
}

fn place_sliding(
    model: &Model,
    state: &mut State,
    first: usize,
    last: usize,
    at: Placement,
    side: f64,
) {
    if model.even_friction || first == last {
        set_cluster(
            model,
            state,
            first,
            last,
            at,
            Some((side, model.friction_deceleration(first))),
        );
        return;
    }
    let mut b = first;
    for pool in model.pools(first, last, side) {
        set_cluster(
            model,
            state,
            b,
            b + pool.count - 1,
            at,
            Some((side, pool.value.abs())),
        );
        b += pool.count;
    }
}

/// Writes one cluster: at rest (`None`), or sliding to the given side with the given friction over mass. The number
/// that decided the slide is the one that brakes it: recomputed, it could differ by rounding and stop it at once.
fn set_cluster(
    model: &Model,
    state: &mut State,
    first: usize,
    last: usize,
    at: Placement,
    slide: Option<(f64, f64)>,
) {
    let k = state.clock.kinematics(at.time);
    let (mode, f, friction_deceleration, mark_x) = match slide {
        None => (Mode::Rest, 0.0, 0.0, k.velocity),
        Some((side, held)) => (Mode::Slide, side * held, held, k.position),
    };
    state.clusters[first] = Cluster {
        last,
        mode,
        mass: model.mass_of(first, last),
        friction_deceleration,
        t: at.time,
        u: at.u,
        v: at.v,
        f,
        y: at.y,
        dy: at.dy,
        path: 0.0,
        mark_x,
        mark_t: at.time,
    };
    state.head[last] = first;
}
