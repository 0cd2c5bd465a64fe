//! What a run keeps of its arcs and events.

use super::arc::Arc;
use super::run::{Detail, Driver};
use super::state::{Mode, State};
use super::{SlideRockEvent, SlideRockEventKind, SlideRockSample};

impl Driver<'_> {
    /// Extremes, samples and the energy of an arc, with the state at its end.
    pub(super) fn observe(&mut self, arc: &Arc, last: &State) {
        let block = self.setting.block;
        let run = &mut self.run;
        run.largest_rotation = run.largest_rotation.max(arc.largest_rotation());
        let rates = [self.state.rotation().1.abs(), last.rotation().1.abs()];
        run.largest_velocity = run.largest_velocity.max(rates[0]).max(rates[1]);
        let (from, to) = (self.state.slip(block), last.slip(block));
        if arc.mode.slides_to().is_some() {
            run.way += (to - from).abs();
        }
        // A foot that jumps slips as well: it lands elsewhere.
        if arc.mode != Mode::Flight {
            run.largest_slip = run.largest_slip.max(from.abs()).max(to.abs());
        }
        if self.detail == Detail::Full {
            self.audit.arc(block, arc);
            let (t, until) = (self.t, self.t + arc.length);
            self.sample_until(until, |driver, time| driver.sample(arc, time - t, time));
        }
    }

    pub(super) fn sample(&self, arc: &Arc, tau: f64, time: f64) -> SlideRockSample {
        let state = arc.at(tau);
        let (rotation, angular_velocity) = state.rotation();
        SlideRockSample {
            time,
            rotation,
            angular_velocity,
            angular_acceleration: arc.angular_acceleration(tau),
            slip: state.slip(self.setting.block),
            mode: arc.mode,
        }
    }

    pub(super) fn still(&self, time: f64) -> SlideRockSample {
        SlideRockSample {
            time,
            rotation: 0.0,
            angular_velocity: 0.0,
            angular_acceleration: 0.0,
            slip: self.state.slip(self.setting.block),
            mode: self.mode,
        }
    }

    pub(super) fn sample_until(
        &mut self,
        until: f64,
        sample: impl Fn(&Self, f64) -> SlideRockSample,
    ) {
        while let Some(time) = self.sample_time() {
            if time >= until {
                return;
            }
            let made = sample(self, time);
            self.run.samples.push(made);
            self.next_sample += 1;
        }
    }

    pub(super) fn sample_time(&self) -> Option<f64> {
        let full = self.detail == Detail::Full;
        let interval = self.options.sample.filter(|_| full)?;
        Some(self.next_sample as f64 * interval)
    }

    pub(super) fn tell(&mut self, kind: SlideRockEventKind) {
        self.push(self.t, kind);
    }

    pub(super) fn push(&mut self, time: f64, kind: SlideRockEventKind) {
        if self.detail == Detail::Full {
            let mode = self.mode;
            self.run.events.push(SlideRockEvent { time, kind, mode });
        }
    }
}
