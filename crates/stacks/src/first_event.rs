//! What ends a step: the first zero of a rotation, of a corner load or of the way to a quarter turn.

use super::base::ORDER;
use super::configuration::Pivot;
use super::roots::first_descent;
use super::run::Engine;
use super::step_event::StepEvent;
use std::f64::consts::FRAC_PI_2;

impl Engine<'_> {
    /// Relative rotations of the groups, exact in their first two terms.
    pub(super) fn relate(&mut self) {
        let groups = self.chain.groups();
        for (g, group) in groups.iter().enumerate() {
            let len = self.taylor.len;
            for k in 0..len {
                self.relative[g][k] = self.taylor.groups[g].angle[k]
                    - if g > 0 {
                        self.taylor.groups[g - 1].angle[k]
                    } else {
                        0.0
                    };
            }
            self.relative[g][0] = self.state.phi[group.first];
            self.relative[g][1] = self.state.phi_rate[group.first];
        }
    }

    /// The first event within `length`, or its end.
    pub(super) fn first_event(&self, length: f64) -> (f64, StepEvent) {
        let mut first = (length, StepEvent::Nothing);
        let mut signed = [0.0; ORDER];
        let len = self.taylor.len;
        for (g, group) in self.chain.groups().iter().enumerate() {
            for (value, term) in signed.iter_mut().zip(&self.relative[g][..len]) {
                *value = term * group.sign;
            }
            // A rotation that starts from zero is divided by the power of time it starts with.
            let from = if self.state.phi[group.first] != 0.0 {
                0
            } else if self.state.phi_rate[group.first] != 0.0 {
                1
            } else if self.smooth[group.first] {
                3
            } else {
                2
            };
            let found = if signed[from] < 0.0 {
                Some(0.0)
            } else {
                first_descent(&signed[from..len], first.0)
            };
            if let Some(time) = found {
                first = (time, StepEvent::Closing { group: g });
            }
            let series = &self.taylor.groups[g].angle;
            // No term of the series can take the angle further than this.
            let reach = series[..len]
                .iter()
                .rev()
                .fold(0.0, |sum, term| sum * first.0 + term.abs());
            if reach >= FRAC_PI_2 {
                let side = if series[0] < 0.0 { -1.0 } else { 1.0 };
                for (value, term) in signed.iter_mut().zip(&series[..len]) {
                    *value = -side * term;
                }
                signed[0] += FRAC_PI_2;
                if let Some(time) = first_descent(&signed[..len], first.0) {
                    first = (time, StepEvent::Overturning { group: g });
                }
            }
        }
        for (index, shut) in self.chain.shut().iter().enumerate() {
            for (series, to) in [
                (&self.taylor.left[index], Pivot::Right),
                (&self.taylor.right[index], Pivot::Left),
            ] {
                if let Some(time) = release_time(&series[..len - 2], first.0) {
                    first = (
                        time,
                        StepEvent::Release {
                            interface: shut.interface,
                            to,
                        },
                    );
                }
            }
        }
        first
    }
}

/// The first time a corner load falls through zero.
fn release_time(series: &[f64], end: f64) -> Option<f64> {
    if series[0] > 0.0 {
        return first_descent(series, end);
    }
    // At zero already, to round-off: what counts is where it goes.
    if series[1] < 0.0 {
        return Some(0.0);
    }
    first_descent(&series[1..], end)
}
