//! The loop over the events of a run, and those that are no impacts: stops, releases, jumps.

use crate::chain::ImpactRule;
use crate::chain_impact::chain_event;
use crate::cluster::{Cluster, Mode};
use crate::event::Event;
use crate::frames::next_frame;
use crate::groups::{book_hold, place_at_rest};
use crate::pair_impact::{alone, pair_impact};
use crate::run::Run;
use crate::settle::jump_event;

/// Runs all events up to the local time `until`.
pub(crate) fn run_to(run: &mut Run, mut until: f64) {
    loop {
        let (slot, time) = run.schedule.first();
        if time > until {
            break;
        }
        if time > run.state.clock.frame_end && slot <= 2 * run.model.len() {
            let begin = run.state.clock.now.max(time);
            next_frame(run, begin);
            until -= begin;
            continue;
        }
        if run.schedule.is_exact(slot) {
            run.state.clock.now = run.state.clock.now.max(time);
            until -= handle(run, slot, run.state.clock.now);
        } else {
            run.refine(slot);
        }
    }
    run.state.clock.now = run.state.clock.now.max(until);
}

/// Lets the event of a slot happen; returns how far the clock was set back by it.
pub(crate) fn handle(run: &mut Run, slot: usize, t: f64) -> f64 {
    let n = run.model.len();
    if slot <= n {
        contact_event(run, slot, t);
    } else if slot == 2 * n + 1 {
        return jump_event(run, t);
    } else {
        let c = slot - n - 1;
        match run.state.clusters[c].mode {
            Mode::Slide => stop_event(run, c, t),
            Mode::Rest => release_event(run, c, t),
        }
    }
    0.0
}

pub(crate) fn contact_event(run: &mut Run, i: usize, t: f64) {
    let n = run.model.len();
    if i > 0 && i < n {
        let (l, r) = (run.state.head[i - 1], i);
        let (a, b) = (&run.state.clusters[l], &run.state.clusters[r]);
        let rigid = run.model.rule == ImpactRule::Complementarity || (a.last == l && b.last == r);
        if rigid
            && run.model.even_friction
            && a.mode == Mode::Slide
            && b.mode == Mode::Slide
            && alone(run, l, b.last + 1, t)
            && pair_impact(run, l, r, t)
        {
            return;
        }
    }
    chain_event(run, i, t);
}

/// A cluster has lost its relative velocity.
pub(crate) fn stop_event(run: &mut Run, c: usize, t: f64) {
    run.close(c, t);
    let Cluster { last, v, y, dy, .. } = run.state.clusters[c];
    book_hold(&run.model, &mut run.state, &mut run.record, c, last, v, t);
    run.record.counts.stops += 1;
    if run.record.log.is_some() {
        let time = run.state.clock.epoch_start() + t;
        run.record.note(Event::Stop {
            time,
            blocks: (c, last),
        });
    }
    place_at_rest(&run.model, &mut run.state, c, last, (y, dy), t);
    run.predict_range(c, last);
}

/// The pull on a resting cluster has reached its threshold.
pub(crate) fn release_event(run: &mut Run, c: usize, t: f64) {
    run.state.bring(c, t);
    run.state.close_segment(&mut run.record, c, t);
    let Cluster { last, y, dy, .. } = run.state.clusters[c];
    place_at_rest(&run.model, &mut run.state, c, last, (y, dy), t);
    let mut h = c;
    let mut moved = false;
    while h <= last {
        if run.state.clusters[h].mode == Mode::Slide {
            moved = true;
            note_slip(run, h);
        }
        h = run.state.clusters[h].last + 1;
    }
    run.predict_range(c, last);
    if !moved {
        // The threshold was touched, not passed: look again a little later.
        let slot = run.model.len() + 1 + c;
        run.schedule
            .set(slot, (t + 1e-7 * run.model.scale_time, false));
    }
}

/// The cluster `c` was at rest before and slides now: an event of its own.
pub(crate) fn note_slip(run: &mut Run, c: usize) {
    run.record.counts.slips += 1;
    if run.record.log.is_some() {
        let cluster = run.state.clusters[c];
        let time = run.state.clock.epoch_start() + cluster.t;
        let direction = if -run.state.clock.kinematics(cluster.t).acceleration > 0.0 {
            1
        } else {
            -1
        };
        run.record.note(Event::Slip {
            time,
            blocks: (c, cluster.last),
            direction,
        });
    }
}
