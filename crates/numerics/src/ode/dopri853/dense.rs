//! Between the ends of a step: the dense output, and the end of a step at an event.

use super::Dopri853;
use crate::ode::event::Candidate;
use crate::ode::tableau::{A, C, DENSE, STAGES};
use crate::ode::{Event, OdeSystem};

impl Dopri853 {
    /// State at `time` within the last step by the dense output of order 7; needs a step taken by [`Dopri853::advance`]
    /// with events or an observer.
    pub fn interpolate(&self, time: f64, out: &mut [f64]) {
        if !self.dense_ready || self.step == 0.0 {
            for (o, y) in out.iter_mut().zip(&self.state) {
                *o = *y;
            }
            return;
        }
        let s = (time - self.start_time) / self.step;
        let r = 1.0 - s;
        for (o, c) in out.iter_mut().zip(self.dense.chunks_exact(8)) {
            let inner = c[4] + s * (c[5] + r * (c[6] + s * c[7]));
            *o = c[0] + s * (c[1] + r * (c[2] + s * (c[3] + r * inner)));
        }
    }

    /// The three further stages and the four highest coefficients of the dense output.
    pub(super) fn prepare_dense<S: OdeSystem + ?Sized>(&mut self, system: &S) {
        if self.dense_ready {
            return;
        }
        let (t, h) = (self.start_time, self.step);
        for stage in 13..STAGES {
            for i in 0..self.n {
                self.stage_state[i] = self.start_state[i] + h * self.combine(A[stage], i);
            }
            self.evaluate(system, t + C[stage] * h, stage, false);
        }
        for i in 0..self.n {
            for (k, row) in DENSE.iter().enumerate() {
                self.dense[8 * i + 4 + k] = h * self.combine(row, i);
            }
        }
        self.dense_ready = true;
    }

    /// Ends the last step at the event: its time is the root of the dense output, refined by repeating the step with
    /// the method of order 8 until the event function of that state vanishes to rounding.
    pub(super) fn cut_at<S: OdeSystem + ?Sized>(
        &mut self,
        system: &S,
        candidate: &Candidate,
        events: &[&dyn Event],
    ) {
        let Some(event) = events.get(candidate.index) else {
            return;
        };
        let full = self.step;
        let mut h = candidate.fraction * full;
        let start = self.start_time;
        self.time = start;
        self.state.copy_from_slice(&self.start_state);
        let mut last = f64::INFINITY;
        for _ in 0..6 {
            self.stages(system, start, h);
            let value = event.value(start + h, &self.trial);
            let change = -value / candidate.slope;
            let small = change.abs() <= 1e-15 * (start.abs() + full);
            // A grazing contact has no slope to divide by: the root of the dense output stands. A change that does not
            // shrink is rounding of the event function.
            let stalls = change.abs() > 0.25 * last;
            if small || stalls || !change.is_finite() || change.abs() > 1e-3 * full {
                break;
            }
            last = change.abs();
            h = (h + change).max(0.0);
        }
        self.time = start + h;
        self.state.copy_from_slice(&self.trial);
        self.first_slope_ready = false;
        self.next_step = Some(full);
    }
}
