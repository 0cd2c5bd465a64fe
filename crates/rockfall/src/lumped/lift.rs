//! How far a mass on the ground would be above it, had it left where the ground began to fall away.
//!
//! Over a crest cut into many small facets no single edge throws a mass off faster than the cutoff, and yet it flies
//! where v²/R exceeds the pull onto the ground. So the edges that are passed without a flight add up: the speed off the
//! ground grows by n·v at each, falls by the pull of gravity between, and ends at 0 where that flight would be down
//! again.

/// The flight that a mass on the ground would make.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lift {
    /// Its speed off the ground (m/s).
    speed: f64,
    /// Its height over the ground (m).
    height: f64,
    /// How far it has come (m), and how far the slope that it began with is uncertain (tan).
    way: f64,
    slope: f64,
}

impl Lift {
    /// The ground turns away by `off` (m/s), or up where that is below 0; `slope` is what its resolution hides there.
    pub(super) fn turn(&mut self, off: f64, slope: f64) {
        if self.height == 0.0 && self.speed == 0.0 {
            self.slope = slope;
        }
        self.speed += off;
        if self.height == 0.0 && self.speed <= 0.0 {
            *self = Lift::default();
        }
    }

    /// Time passes along a facet whose pull (m/s²) is that of gravity along its normal.
    pub(super) fn slide(&mut self, duration: f64, pull: f64, way: f64) {
        self.height += (self.speed - 0.5 * pull * duration) * duration;
        self.speed -= pull * duration;
        self.way += way;
        let flies = self.height > 0.0 && self.height < f64::INFINITY;
        if !flies {
            *self = Lift::default();
        }
    }

    /// The speed off the ground (m/s), once that is no slower than the cutoff and the height is more than a rounded
    /// plane would give.
    pub(super) fn clears(&self, cutoff: f64, resolution: f64) -> Option<f64> {
        let clear = self.height > resolution + self.slope * self.way;
        (clear && self.speed >= cutoff).then_some(self.speed)
    }
}
