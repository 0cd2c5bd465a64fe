//! The path of a rock as arcs of constant acceleration.

use glam::{DVec2, DVec3};

/// How a rock moves along an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// In the air.
    Flight,
    /// On the ground: sliding, rolling, toppling.
    Contact,
}

/// A stretch of path with constant acceleration of the mass centre and constant rotational energy: a flight between two touches, a slide, or one
/// step on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// Time at the beginning since release (s).
    pub time: f64,
    /// How long it lasts (s).
    pub duration: f64,
    /// Mass centre at the beginning (m), local coordinates.
    pub position: DVec3,
    /// Its velocity at the beginning (m/s).
    pub velocity: DVec3,
    /// Its acceleration (m/s²).
    pub acceleration: DVec3,
    /// Spin at the beginning (rad/s).
    pub spin: DVec3,
    /// Rotational kinetic energy (J).
    pub rotational_energy: f64,
    /// In the air or on the ground.
    pub motion: Motion,
}

impl Arc {
    /// Position after `t` seconds on this arc.
    pub fn position_at(&self, t: f64) -> DVec3 {
        self.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// Velocity after `t` seconds on this arc.
    pub fn velocity_at(&self, t: f64) -> DVec3 {
        self.velocity + self.acceleration * t
    }

    /// Position at the end.
    pub fn end(&self) -> DVec3 {
        self.position_at(self.duration)
    }

    /// The same arc, cut short.
    pub fn until(&self, t: f64) -> Arc {
        Arc {
            duration: t.min(self.duration),
            ..*self
        }
    }

    /// Times on (0, duration] at which the arc goes through a vertical plane n·p = offset, at most two, in order.
    pub fn crossings(&self, normal: DVec2, offset: f64) -> [Option<f64>; 2] {
        let c = normal.dot(self.position.truncate()) - offset;
        let b = normal.dot(self.velocity.truncate());
        let a = 0.5 * normal.dot(self.acceleration.truncate());
        let root = |t: f64| (t > 0.0 && t <= self.duration).then_some(t);
        let square = b * b - 4.0 * a * c;
        if square < 0.0 {
            return [None, None];
        }
        // The root without cancellation first, the other from the product of both.
        let q = -0.5 * (b + square.sqrt().copysign(b));
        let (first, second) = (root(c / q), if a == 0.0 { None } else { root(q / a) });
        match (first, second) {
            (Some(s), Some(t)) if t < s => [Some(t), Some(s)],
            (None, t) => [t, None],
            both => [both.0, both.1],
        }
    }
}
