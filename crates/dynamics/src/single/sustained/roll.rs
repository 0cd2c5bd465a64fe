//! Where the slide of a ball ends and its rolling begins.

use super::super::follow::Follow;
use glam::DVec3;

/// Shortest step that is made to end where the slip does, as a part of the step in contact.
const LEAST: f64 = 1e-3;

impl Follow<'_> {
    /// Time (s) until the slip of a ball that stands on a plane ends, at the rates of now.
    ///
    /// Friction brakes the slip u of the contact point with μ g_n in the mass centre and with 5/2 μ g_n in the spin, so
    /// u̇ = g_t − 7/2 μ g_n u/|u|. The time is exact where gravity pulls along the slip or not at all.
    pub(super) fn slip_ends(&self) -> Option<f64> {
        let radius = self.body.sphere_radius()?;
        let normal = self.terrain.as_plane()?.normal;
        // Rolling resistance brakes the mass centre alone, so a small slip is left after each step.
        if self.law.resistance(&self.state) > 0.0 {
            return None;
        }
        let velocity = self.state.velocity.at(-radius * normal);
        let slip = velocity - normal * velocity.dot(normal);
        let gravity = self.options.gravity;
        let press = -gravity.dot(normal);
        let pull: DVec3 = gravity + normal * press;
        let friction = self.coefficients().friction();
        let speed = slip.length();
        if speed == 0.0 {
            return None;
        }
        let slower = 3.5 * friction * press - pull.dot(slip) / speed;
        let time = speed / slower;
        (slower > 0.0 && time > LEAST * self.reference_step()).then_some(time)
    }
}
