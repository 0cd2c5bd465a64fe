//! What slows the mass centre beside contacts and gravity.

use glam::DVec3;

/// Drag and resistance to rolling: v̇ = −rate v − brake v/|v|, down to rest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slowing {
    /// c/m (1/s).
    pub(super) rate: f64,
    /// Deceleration whatever the speed (m/s²).
    pub(super) brake: f64,
}

impl Slowing {
    /// Whether nothing slows.
    pub(super) fn is_none(&self) -> bool {
        self.rate == 0.0 && self.brake == 0.0
    }

    /// The velocity after a time (s) in which nothing else acts, exact: |v| exp(−k) − brake t (1 − exp(−k))/k with
    /// k = rate t, at least none.
    pub(super) fn slowed(&self, velocity: DVec3, time: f64) -> DVec3 {
        if self.is_none() {
            return velocity;
        }
        let k = self.rate * time;
        let left = velocity * libm::exp(-k);
        let speed = left.length();
        if self.brake == 0.0 || speed == 0.0 {
            return left;
        }
        left * (1.0 - self.brake * time * mean_decay(k) / speed).max(0.0)
    }

    /// The part of a time (s) in which a velocity has come to rest and what brakes has nothing to act against.
    pub(super) fn unused(&self, velocity: DVec3, time: f64) -> f64 {
        if self.brake == 0.0 {
            return 0.0;
        }
        let speed = velocity.length();
        // |v| exp(−rate t) = brake (1 − exp(−rate t))/rate.
        let stops = match self.rate > 0.0 {
            true => libm::log1p(self.rate * speed / self.brake) / self.rate,
            false => speed / self.brake,
        };
        (time - stops).max(0.0)
    }

    /// The acceleration at a velocity (m/s²).
    pub(super) fn acceleration(&self, velocity: DVec3) -> DVec3 {
        -(self.rate * velocity + self.brake * velocity.normalize_or_zero())
    }
}

/// The mean of exp(−x) for x from 0 to k.
pub(super) fn mean_decay(k: f64) -> f64 {
    if k == 0.0 { 1.0 } else { -libm::expm1(-k) / k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two halves are the whole, and a body that is brought to rest stays there.
    #[test]
    fn slowing_is_a_flow_that_ends_at_rest() {
        let v = DVec3::new(3.0, -1.0, 2.0);
        for (rate, brake) in [(0.7, 0.0), (0.0, 1.3), (0.7, 1.3)] {
            let slowing = Slowing { rate, brake };
            let twice = slowing.slowed(slowing.slowed(v, 0.2), 0.2);
            assert!((twice - slowing.slowed(v, 0.4)).length() < 1e-14);
            // The rate of change at a velocity, by a difference over 2e-5 s.
            let change = (slowing.slowed(v, 1e-5) - slowing.slowed(v, -1e-5)) / 2e-5;
            assert!((change - slowing.acceleration(v)).length() < 1e-8);
        }
        let slowing = Slowing {
            rate: 0.7,
            brake: 1.3,
        };
        assert_eq!(slowing.slowed(v, 100.0), DVec3::ZERO);
        for rate in [0.0, 0.7] {
            let slowing = Slowing { rate, brake: 1.3 };
            let stops = 100.0 - slowing.unused(v, 100.0);
            assert!(slowing.slowed(v, stops).length() < 1e-14);
            assert!(slowing.slowed(v, stops - 1e-6).length() > 1e-6);
            assert_eq!(slowing.unused(v, 0.5 * stops), 0.0);
        }
    }
}
