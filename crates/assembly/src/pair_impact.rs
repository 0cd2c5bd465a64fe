//! The impact that most are: two sliding bodies and nothing else.

use crate::cluster::Cluster;
use crate::event::Collision;
use crate::run::Run;
use klast_numerics::DoubleDouble;
use klast_numerics::mutant;

/// No neighbouring contact is due at the same instant.
#[inline]
pub(crate) fn alone(run: &Run, left_contact: usize, right_contact: usize, t: f64) -> bool {
    let soon = t + run.model.simultaneous();
    run.schedule.time(left_contact) > soon && run.schedule.time(right_contact) > soon
}

/// Two sliding bodies collide; false (and nothing changed but their clocks) when it is no plain impact.
pub(crate) fn pair_impact(run: &mut Run, l: usize, r: usize, t: f64) -> bool {
    run.state.bring(l, t);
    run.state.bring(r, t);
    let (a, b) = (run.state.clusters[l], run.state.clusters[r]);
    let u = b.v - a.v;
    let e = run.model.basin.restitution.block;
    // Bodies that do not part stay together, which is for the chains to settle.
    if e * -u <= run.model.cutoff || run.state.bounces[r].is_endless() {
        return false;
    }
    let reduced = a.mass * b.mass / (a.mass + b.mass);
    let p = -(1.0 + e) * u * reduced * mutant::factor("basin-impact", 0.999);
    let (va, vb) = (a.v - p / a.mass, b.v + p / b.mass);
    // A body whose slip nearly vanishes is settled with the chains.
    let Some((side_a, side_b)) = side(run, &a, va, t).zip(side(run, &b, vb, t)) else {
        return false;
    };
    let gap = b.u - a.u;
    run.record.note_gap(gap.value());
    let place = a.u + gap.half();
    turn(run, l, side_a, place, va, t);
    turn(run, r, side_b, place, vb, t);
    let approach = 0.5 * reduced * u * u;
    let heat = (1.0 - e * e) * approach;
    run.record.energy.add_impact(heat);
    let (before, after) = (a.mass * a.v + b.mass * b.v, a.mass * va + b.mass * vb);
    run.record.note_momentum(
        (after - before).abs(),
        (a.mass * a.v).abs() + (b.mass * b.v).abs() + p,
    );
    run.record.counts.impacts += 1;
    let period = run.model.scale_time;
    run.state.bounces[r].meet(t, period);
    run.record.note_pair(r, 1, p);
    run.record.note_inner(l, a.last, 0.0, va - a.v);
    run.record.note_inner(r, b.last, p, vb - b.v);
    if approach > run.record.largest.approach_energy || run.record.log.is_some() {
        let impact = Collision {
            time: t,
            interface: r,
            blocks: (l, b.last),
            approach: -u,
            impulse: p,
            dissipated: heat,
            grazing: false,
        };
        run.note_impact(impact, approach);
    }
    run.predict_contact(l);
    run.predict_contact(r);
    run.predict_contact(b.last + 1);
    run.predict_cluster(l);
    run.predict_cluster(r);
    true
}

/// Direction of slip with velocity `v`; `None` when it nearly vanishes. Without friction there is none to know.
#[inline]
pub(crate) fn side(run: &mut Run, c: &Cluster, v: f64, t: f64) -> Option<f64> {
    if c.friction_deceleration == 0.0 {
        return Some(0.0);
    }
    if v.abs() > run.model.bounds.velocity + run.model.cutoff {
        return Some(v.signum());
    }
    let w = v - run.state.clock.kinematics(t).velocity;
    (w.abs() > run.model.cutoff).then(|| w.signum())
}

/// New velocity of a sliding cluster, and a new account where its slip has turned.
#[inline]
pub(crate) fn turn(run: &mut Run, c: usize, side: f64, place: DoubleDouble, v: f64, t: f64) {
    let f = side * run.state.clusters[c].friction_deceleration;
    if f != run.state.clusters[c].f {
        run.state.close_segment(&mut run.record, c, t);
        let x = run.state.clock.kinematics(t).position;
        let cluster = &mut run.state.clusters[c];
        (cluster.f, cluster.path) = (f, 0.0);
        (cluster.mark_x, cluster.mark_t) = (x, t);
    }
    let cluster = &mut run.state.clusters[c];
    (cluster.u, cluster.v) = (place, v);
    (cluster.y, cluster.dy) = (f64::NAN, 0.0);
}
