//! An impact on the way: what touches, what closes, and whether contact is sustained after it.

use super::contacts::touch_surely;
use super::digging::fastest;
use super::follow::{Flow, Follow, PATIENCE, Phase, shown};
use super::impact::{Slow, impact_with, impact_without_gain};
use super::observer::{ImpactEvent, StopReason};
use super::options::Stepping;
use super::workspace::Workspace;
use klast_geometry::ContactPoint;
use std::ops::ControlFlow;

/// Normal speed (m/s) that is none: rounding of an impact solution.
const NO_SPEED: f64 = 1e-10;

impl Follow<'_> {
    /// Touches the ground, up to a margin (m): an impact where a point closes, else contact goes on.
    pub(super) fn meet(&mut self, margin: f64) -> Flow<Phase> {
        let (state, cutoff) = (self.state, self.options.limits.normal_velocity);
        let Workspace {
            search, manifold, ..
        } = &mut *self.workspace;
        touch_surely(self.terrain, self.body, &state, margin, (search, manifold));
        if matches!(self.options.stepping, Stepping::Late(_)) {
            let gaps = manifold.points.iter().map(|c| c.gap);
            let lowest = gaps.fold(f64::INFINITY, f64::min);
            manifold.points.retain(|c| c.gap <= lowest + 1e-9);
            // Impulses act at the vertices, as deep as they are.
            for c in &mut manifold.points {
                c.point += c.normal * c.gap;
            }
        }
        let plane = fastest(&state, &manifold.points);
        self.law.turn_normals(&state, &mut manifold.points);
        let speed = |c: &ContactPoint, twist: &crate::Twist| {
            twist.at(c.point - state.pose.translation).dot(c.normal)
        };
        let closing = |c: &ContactPoint| speed(c, &state.velocity) < -NO_SPEED;
        if !manifold.points.iter().any(closing) {
            return ControlFlow::Continue(Phase::Stay);
        }
        self.ask_the_ground();
        let dug = plane.and_then(|plane| self.dig(plane));
        let Workspace {
            manifold,
            coefficients,
            solver,
            impulses,
            ..
        } = &mut *self.workspace;
        let law = (&self.options.impact_law, Slow { cutoff });
        let list = std::mem::take(impulses);
        let points = &manifold.points;
        let found = match self.options.refuse_gains {
            true => impact_without_gain(self.body, &state, points, coefficients, law, list, solver),
            false => impact_with(self.body, &state, points, coefficients, law, list, solver)
                .map(|hit| (hit, false)),
        };
        let Ok((hit, refused)) = found else {
            return ControlFlow::Break(StopReason::NotFinite);
        };
        self.tally.energy.refused += usize::from(refused);
        self.state.velocity = hit.after;
        self.tally.unconverged += usize::from(!hit.converged);
        self.tally.energy.enter_on(&hit.energy, dug.is_some());
        #[cfg(feature = "tracing")]
        tracing::debug!(
            time = self.time,
            contacts = points.len(),
            converged = hit.converged,
            "impact"
        );
        let event = ImpactEvent {
            time: self.time,
            before: state,
            contacts: points,
            impact: &hit,
            dug,
        };
        let seen = self.observer.impact(&event);
        if dug.is_some() {
            self.fill_up();
        }
        let points = &self.workspace.manifold.points;
        // Nothing left but to stay where any touching point hardly leaves the ground.
        let slow = |c: &ContactPoint| speed(c, &hit.after) < cutoff.max(1e-9);
        let stays = self.stuck > PATIENCE || points.iter().any(slow);
        self.workspace.impulses = hit.impulses;
        shown(seen)?;
        ControlFlow::Continue(if stays { Phase::Stay } else { Phase::Fly })
    }
}
