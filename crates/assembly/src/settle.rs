//! Fresh starts: time zero, disturbed twins, and jumps of the basin velocity.

use crate::bounce::Bounce;
use crate::chain_impact::chain_impact;
use crate::clock::Clock;
use crate::cluster::{Cluster, Mode};
use crate::frames::shift_clock;
use crate::groups::{Placement, place};
use crate::model::Model;
use crate::motion::Kinematics;
use crate::record::Record;
use crate::run::{Run, Workspace};
use crate::schedule::Schedule;
use crate::state::State;
use klast_numerics::DoubleDouble;

/// The blocks at the time of `clock` with these coordinates (m, sizes removed) and velocities in the frame (m/s), whose
/// kinetic energy in the laboratory is `initial`. Contacts that are closed and closing collide at once.
pub(crate) fn released(
    model: Model,
    mut clock: Clock,
    coordinates: &[f64],
    velocities: &[f64],
    initial: f64,
) -> Run {
    let (n, now) = (model.len(), clock.now);
    let (k, basin) = (clock.kinematics(now), clock.motion.basin_position(now));
    let body = |i: usize| Cluster {
        last: i,
        mode: Mode::Slide,
        mass: model.blocks[i].mass,
        friction_deceleration: model.friction_deceleration(i),
        t: now,
        u: DoubleDouble::new(coordinates[i]) + basin,
        v: velocities[i],
        f: 0.0,
        y: coordinates[i],
        dy: 0.0,
        path: 0.0,
        mark_x: k.position,
        mark_t: now,
    };
    let mut run = Run {
        schedule: Schedule::new(n),
        record: Record::new(&model.blocks, initial),
        state: State {
            clusters: (0..n).map(body).collect(),
            head: (0..n).collect(),
            bounces: vec![Bounce::NEVER; n + 1],
            clock,
        },
        workspace: Workspace::default(),
        model,
    };
    // What collides at the release is kept for whoever asks for the events of the run from its beginning.
    run.record.log = Some(Vec::new());
    settle_all(&mut run, now);
    run.record.release = run.record.log.take().unwrap_or_default();
    run
}

/// The basin velocity jumps: laboratory velocities stay, resting bodies begin to slip, closed contacts collide. Returns
/// how far the clock was set back.
pub(crate) fn jump_event(run: &mut Run, t: f64) -> f64 {
    let before = run.state.clock.motion.before_jump(t);
    run.state.clock.keep(t, before);
    let heads: Vec<usize> = run.state.heads().collect();
    for &c in &heads {
        run.close(c, t);
    }
    let step = run.state.clock.motion.pass_jump(t);
    run.state.clock.forget();
    let travels = run.state.clock.motion.travels();
    let begin = if travels { 0.0 } else { t };
    let (k, basin) = (
        run.state.clock.kinematics(begin),
        run.state.clock.motion.basin_position(begin),
    );
    for &c in &heads {
        let cluster = &mut run.state.clusters[c];
        if travels {
            cluster.carry(&Kinematics {
                velocity: step,
                ..before
            });
            cluster.t = begin;
        }
        cluster.u = DoubleDouble::sum(cluster.y, cluster.dy) + basin;
        cluster.mode = Mode::Slide;
        (cluster.path, cluster.f) = (0.0, 0.0);
        (cluster.mark_x, cluster.mark_t) = (k.position, begin);
    }
    if travels {
        shift_clock(run, t);
    }
    settle_all(run, begin);
    t - begin
}

/// Finds all runs of bodies that touch, with the walls, lets them collide and predicts everything anew. All clusters
/// are marked as sliding, with coordinate and clock set.
pub(crate) fn settle_all(run: &mut Run, t: f64) {
    let n = run.model.len();
    let mut first = 0;
    while first < n {
        let mut last = run.state.clusters[first].last;
        let y = run.state.coordinate(first);
        while last + 1 < n && run.state.coordinate(last + 1) <= y {
            last = run.state.clusters[last + 1].last;
        }
        let walls = (first == 0 && y <= 0.0, last + 1 == n && y >= run.model.free);
        settle_run(run, first, last, walls, t);
        first = last + 1;
    }
    run.predict_range(0, n - 1);
    let jump = run.state.clock.motion.next_jump(t);
    run.schedule.set(2 * n + 1, (jump, true));
}

pub(crate) fn settle_run(run: &mut Run, first: usize, last: usize, walls: (bool, bool), t: f64) {
    let closing = first_closing(run, first, last, walls, t);
    if let Some(origin) = closing {
        chain_impact(run, first, last, walls, origin, t);
        return;
    }
    // Nothing closes: neighbours without relative velocity stay together.
    let Cluster { y, dy, .. } = run.state.clusters[first];
    let u = DoubleDouble::sum(y, dy) + run.state.clock.motion.basin_position(t);
    let mut a = first;
    while a <= last {
        let mut z = run.state.clusters[a].last;
        let v = run.state.clusters[a].v;
        while z < last && run.state.clusters[z + 1].v - v <= run.model.cutoff {
            let gone = z + 1;
            z = run.state.clusters[gone].last;
            run.schedule.set(gone, (f64::INFINITY, true));
            run.schedule
                .set(run.model.len() + 1 + gone, (f64::INFINITY, true));
        }
        place(
            &run.model,
            &mut run.state,
            &mut run.record,
            a,
            z,
            Placement {
                time: t,
                y,
                dy,
                u,
                v,
            },
        );
        a = z + 1;
    }
}

/// The lowest contact of the run that closes faster than the cut-off.
pub(crate) fn first_closing(
    run: &mut Run,
    first: usize,
    last: usize,
    walls: (bool, bool),
    t: f64,
) -> Option<usize> {
    let wall = run.state.clock.kinematics(t).velocity;
    if walls.0 && wall - run.state.clusters[first].v > run.model.cutoff {
        return Some(0);
    }
    let mut c = first;
    while run.state.clusters[c].last < last {
        let next = run.state.clusters[c].last + 1;
        if run.state.clusters[c].v - run.state.clusters[next].v > run.model.cutoff {
            return Some(next);
        }
        c = next;
    }
    (walls.1 && run.state.clusters[c].v - wall > run.model.cutoff).then_some(last + 1)
}
