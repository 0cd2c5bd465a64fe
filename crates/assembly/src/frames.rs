//! The next frame, and a clock that is set back: times, coordinates and predictions move with them.

use crate::model::Model;
use crate::motion::Frame;
use crate::run::Run;

/// Sets the clock back by a span after which the basin motion repeats.
pub(crate) fn set_clock_back(run: &mut Run) {
    let by = run.state.clock.epoch_unit;
    run.schedule.update_outdated(&run.model, &run.state);
    run.schedule.shift(-by);
    for bounce in &mut run.state.bounces {
        bounce.shift(-by);
    }
    let clock = &mut run.state.clock;
    let before = clock.motion.basin_position(clock.now);
    clock.now = (clock.now - by).max(0.0);
    clock.epoch += 1;
    clock.motion.set_back(by);
    clock.forget();
    // A period is known to its rounding, by which the basin seems to step; what slides steps with it.
    let step = clock.motion.basin_position(clock.now) - before;
    for cluster in &mut run.state.clusters {
        cluster.set_back(by, step);
    }
    run.schedule.invalidate_obstacles(&run.state);
}

/// Begins the next frame at the local time `t`, where the basin then is at rest at the origin.
pub(crate) fn next_frame(run: &mut Run, t: f64) {
    let k = run.state.clock.kinematics(t);
    let mut c = 0;
    while c < run.model.len() {
        run.close(c, t);
        let cluster = &mut run.state.clusters[c];
        cluster.carry(&k);
        cluster.t = 0.0;
        (cluster.path, cluster.mark_x, cluster.mark_t) = (0.0, 0.0, 0.0);
        c = cluster.last + 1;
    }
    let clock = &mut run.state.clock;
    clock.motion.pass(t);
    while clock.goes_on(run.model.bounds) && clock.motion.start() >= clock.epoch_unit {
        clock.motion.set_back(clock.epoch_unit);
        clock.epoch += 1;
    }
    shift_clock(run, t);
}

/// The clock of a new frame, which begins at `t` on the old one: predictions and what has been noted move with it.
pub(crate) fn shift_clock(run: &mut Run, t: f64) {
    run.schedule.shift(-t);
    for bounce in &mut run.state.bounces {
        bounce.shift(-t);
    }
    let clock = &mut run.state.clock;
    clock.now = (clock.now - t).max(0.0);
    clock.forget();
    let fastest = run
        .state
        .heads()
        .map(|c| run.state.clusters[c].v.abs())
        .fold(0.0, f64::max);
    run.state.clock.frame_end = frame_span(&run.model, &run.state.clock.motion, fastest);
}

/// For how long a frame serves whose basin is at rest at its start, with the fastest block at `fastest` in it.
pub(crate) fn frame_span(model: &Model, motion: &Frame, fastest: f64) -> f64 {
    if !motion.travels() {
        return f64::INFINITY;
    }
    motion
        .span(model.bounds, model.basin.length, fastest)
        .clamp(0.0, model.scale_time)
}
