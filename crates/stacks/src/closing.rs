//! The end of a closing sequence: bounces that have become slow are ended by one plastic impact.

use super::Row;
use super::Stack;
use super::configuration::{Configuration, Pivot};
use super::impact::Impact;
use super::impact_outcome::Settled;
use super::restitution::InterfaceRestitution;

/// Of the rotation that is left at the closing rate: two interfaces that push each other open get there in an
/// alternation or two, one that is on its own way down strikes before.
const NEXT_TO_NOTHING: f64 = 1e-6;

/// When a sequence of bounces is ended.
pub(super) struct Closing {
    /// Opening rate (rad/s) under which an interface is shut.
    rate: f64,
    /// Rotation (rad) under which an open interface that is as slow is shut with it.
    angle: f64,
}

impl Closing {
    /// At `share` of the stack's own frequency, so that a stack and its scale model do the same. Under that rate an
    /// interface turns by some share² more.
    pub fn new(stack: &Stack, share: f64) -> Self {
        Self {
            rate: share * stack.total_frequency(),
            angle: NEXT_TO_NOTHING * share * share,
        }
    }

    /// If the impact leaves the struck interface slow, shuts it, and with it all that is as slow and rotated by next to
    /// nothing; returns the energy (J) that takes.
    ///
    /// What is left of the rates is taken by impulses at the faces that shut, so that momenta are kept and no energy is
    /// gained: rates that are merely dropped turn all blocks above, and where an outer sequence loses little in an
    /// impact the sum of such kicks never dies out.
    pub fn end(
        &self,
        stack: &Stack,
        before: &Configuration,
        interface: usize,
        phi: &mut Row,
        settled: &mut Settled,
    ) -> Option<f64> {
        let rates = settled.outcome.phi_rate.clone();
        if rates[interface].abs() >= self.rate {
            return None;
        }
        let bounced = settled.configuration;
        for k in 0..before.len() {
            // Two interfaces that shut together would else push each other open for ever, one at a time. The rotation
            // taken is far under the round-off of any other.
            if rates[k].abs() < self.rate && phi[k].abs() <= self.angle {
                settled.configuration.set(k, Pivot::Full);
                phi[k] = 0.0;
            }
        }
        let plastic = InterfaceRestitution::Housner;
        let last = Impact::new(stack, bounced, interface, plastic, phi, &rates)
            .check(&settled.configuration)
            .value;
        settled.outcome.phi_rate = last.phi_rate;
        Some((last.energy.0 - last.energy.1).max(0.0))
    }
}
