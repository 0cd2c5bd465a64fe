//! What a run keeps of a step: forces, extremes and samples.

use super::Row;
use super::chain::{Chain, Vec2};
use super::diagnose::Marker;
use super::history::{StackSample, StackStop};
use super::motion::{Flow, Pose, accelerations};
use super::opening::pose;
use super::run::Engine;
use super::series::{GroupSeries, Taylor, horner, horner_second};
use klast_numerics::roots::bisect;

impl Engine<'_> {
    /// Marks forces and extremes of a step of length `time`, and takes the samples in it.
    pub(super) fn observe(&mut self, time: f64, pose: &Pose) {
        let marker = Marker {
            stack: self.stack,
            friction: self.options.friction,
        };
        let start = self.state.time;
        let (acceleration, flow) = self.taylor.flow_at(&self.chain, 0.0, self.base.now());
        marker.forces(
            &mut self.run.diagnostics,
            &self.chain,
            pose,
            &acceleration,
            &flow,
            start,
        );
        // Short hops add nothing that the forces at their start do not show.
        if time * time * self.stack.gravity() > 1e-4 * self.stack.total_height() {
            for part in [0.5, 1.0] {
                let at = part * time;
                let later = self.taylor.pose_at(&self.chain, at);
                let base = self.base.at(self.stack.gravity(), start + at);
                let (acceleration, flow) = self.taylor.flow_at(&self.chain, at, base);
                marker.forces(
                    &mut self.run.diagnostics,
                    &self.chain,
                    &later,
                    &acceleration,
                    &flow,
                    start + at,
                );
            }
        }
        self.mark_range(time);
        while let Some(next) = self.sample_time() {
            if !(next < start + time || (next <= start && time > 0.0)) {
                return;
            }
            self.run.samples.push(self.sample(next - start));
        }
    }

    /// Time of the next sample: counted from the start, as a sum of intervals would stand still where one is below the
    /// rounding of the time.
    fn sample_time(&self) -> Option<f64> {
        let interval = self.options.sampling?;
        Some(self.sampled_from + self.run.samples.len() as f64 * interval)
    }

    fn mark_range(&mut self, time: f64) {
        let len = self.taylor.len;
        let groups = self.chain.groups();
        for (g, group) in groups.iter().enumerate() {
            let GroupSeries { angle, rate, .. } = &self.taylor.groups[g];
            let series = &angle[..len];
            let end = horner(series, time);
            let mut least = series[0].min(end);
            let mut most = series[0].max(end);
            if let Some(turn) = turning_time(&rate[1..len], time) {
                let value = horner(series, turn);
                least = least.min(value);
                most = most.max(value);
            }
            let top = groups
                .get(g + 1)
                .map_or(self.state.len(), |next| next.first);
            for range in &mut self.run.range[group.first..top] {
                *range = (range.0.min(least), range.1.max(most));
            }
        }
    }

    fn sample(&self, at: f64) -> StackSample {
        self.sample_of(self.state.time + at, &self.chain, |g| {
            let len = self.taylor.len;
            let GroupSeries { angle, rate, .. } = &self.taylor.groups[g];
            let series = &angle[..len];
            [
                horner(series, at),
                horner(&rate[1..len], at),
                horner_second(series, at),
            ]
        })
    }

    /// A sample from the rotation of each group, its rate and its acceleration.
    fn sample_of(
        &self,
        time: f64,
        chain: &Chain,
        group: impl Fn(usize) -> [f64; 3],
    ) -> StackSample {
        let blocks = self.state.len();
        let mut made = StackSample {
            time,
            angles: vec![0.0; blocks],
            rates: vec![0.0; blocks],
            accelerations: vec![0.0; blocks],
        };
        for (g, part) in chain.groups().iter().enumerate() {
            let [angle, rate, acceleration] = group(g);
            made.angles[part.first..].fill(angle);
            made.rates[part.first..].fill(rate);
            made.accelerations[part.first..].fill(acceleration);
        }
        made
    }

    /// Fills the samples that remain with rest.
    pub(super) fn finish_at_rest(&mut self) -> StackStop {
        while let Some(time) = self.sample_to_come() {
            let chain = Chain::new(self.stack, &self.state.configuration);
            let still = self.sample_of(time, &chain, |_| [0.0; 3]);
            self.run.samples.push(still);
        }
        StackStop::Rest
    }

    /// Takes the sample at the end of the time, which no step goes beyond.
    pub(super) fn finish_in_time(&mut self) -> StackStop {
        while let Some(time) = self.sample_to_come() {
            self.refresh_base();
            let chain = Chain::new(self.stack, &self.state.configuration);
            let (angle, pose) = pose(&chain, &self.state.phi, &self.state.phi_rate);
            let acceleration = accelerations(&chain, &pose, self.base.now());
            let last = self.sample_of(time, &chain, |g| [angle[g], pose.rate[g], acceleration[g]]);
            self.run.samples.push(last);
        }
        StackStop::Duration
    }

    fn sample_to_come(&self) -> Option<f64> {
        self.sample_time().filter(|time| *time <= self.options.end)
    }
}

/// Where a rate changes sign before `end`. A group that leaves its base has no rate at the start: then
/// the way there is halved until the rate has the other sign.
fn turning_time(rate: &[f64], end: f64) -> Option<f64> {
    let last = horner(rate, end);
    let before = |at: f64| horner(rate, at) * last < 0.0;
    let (mut low, high) = (0.0, end);
    if rate[0] == 0.0 && last != 0.0 {
        low = std::iter::successors(Some(0.5 * end), |at| Some(0.5 * at))
            .take(60)
            .find(|at| before(*at))?;
    } else if !before(low) {
        return None;
    }
    // The value is stationary there: twenty-six halvings give it to round-off.
    let (low, high) = bisect(low, high, 26, |at| !before(at));
    Some(0.5 * (low + high))
}

impl Taylor {
    /// Cosine, sine and rate of the groups `at` after the start.
    fn pose_at(&self, chain: &Chain, at: f64) -> Pose {
        let count = chain.groups().len();
        let zero = || Row::from_elem(0.0, count);
        let (mut cos, mut sin, mut rate) = (zero(), zero(), zero());
        for g in 0..count {
            let series = &self.groups[g];
            (sin[g], cos[g]) = super::sincos::sin_cos(horner(&series.angle[..self.len], at));
            rate[g] = horner(&series.rate[1..self.len], at);
        }
        Pose { cos, sin, rate }
    }

    /// Accelerations of the groups and the flow `at` after the start.
    fn flow_at(&self, chain: &Chain, at: f64, base: Vec2) -> (Row, Flow) {
        let count = chain.groups().len();
        let zero = || Row::from_elem(0.0, count);
        let (mut acceleration, mut cos2, mut sin2) = (zero(), zero(), zero());
        // At the start the first terms are all.
        let len = if at == 0.0 { 1 } else { self.len - 2 };
        for g in 0..count {
            let series = &self.groups[g];
            acceleration[g] = horner_second(&series.angle[..len + 2], at);
            (cos2[g], sin2[g]) = series.second_derivatives(len, at);
        }
        (acceleration, Flow::new(chain.groups(), cos2, sin2, base))
    }
}
