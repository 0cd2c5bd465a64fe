//! Where the slide of a sphere ends and its rolling begins.

use super::super::follow::Follow;
use super::super::slowing::Slowing;
use glam::DVec3;

/// Shortest step that is made to end where the slip does, as a part of the step in contact.
const LEAST: f64 = 1e-3;

impl Follow<'_> {
    /// Time (s) until the slip of a sphere that stands on a plane ends, at the rates of now.
    ///
    /// Friction brakes the slip u of the contact point with μ g_n in the mass centre and with 5/2 μ g_n in the spin, so
    /// u̇ = g_t − 7/2 μ g_n u/|u|, less what drag and resistance to rolling take from the mass centre. The time is
    /// exact where these are none, and gravity pulls along the slip or not at all.
    pub(super) fn slip_ends(&self, slowing: &Slowing) -> Option<f64> {
        let radius = self.body.sphere_radius()?;
        let normal = self.terrain.as_plane()?.normal;
        let velocity = self.state.velocity.at(-radius * normal);
        let slip = velocity - normal * velocity.dot(normal);
        let gravity = self.options.gravity;
        let press = -gravity.dot(normal);
        let pull: DVec3 = gravity + normal * press;
        let foot = self.state.pose.translation - radius * normal;
        let friction = self.law.coefficients(foot).friction();
        let speed = slip.length();
        // A step leaves what drag takes from what gravity gives in it: that is no slip.
        let step = self.reference_step();
        if speed <= slowing.rate * gravity.length() * step * step {
            return None;
        }
        let along = pull + slowing.acceleration(self.state.velocity.linear);
        let slower = 3.5 * friction * press - along.dot(slip) / speed;
        let time = speed / slower;
        (slower > 0.0 && time > LEAST * self.reference_step()).then_some(time)
    }
}
