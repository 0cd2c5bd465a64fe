//! Impacts of a rigid rock: what it touches, of what material, and with what velocities it leaves.

use super::response::Solved;
use super::run::{PATIENCE, Phase, Run};
use crate::material::{MaterialSample, roughened};
use glam::{DVec2, DVec3};
use klast_dynamics::{Body, State};
use klast_geometry::terrain::{Approach, Area, Facet, terrain_contact, terrain_separation};
use klast_geometry::{ContactPoint, Pose};

/// Height, relative to the radius, up to which features take part in an impact.
const TOUCHING: f64 = 1e-9;

impl Run<'_> {
    /// Looks for contacts at a pose within a margin; the facets around are gathered anew.
    pub(super) fn touch(&mut self, pose: &Pose, margin: f64) {
        let shape = self.body.shape();
        if let Some(plane) = self.engine.terrain.as_plane() {
            klast_geometry::plane_contact(shape, pose, &plane, margin, &mut self.manifold);
            return;
        }
        self.gather(pose, margin);
        // A facet whose plane is out of reach touches with none of its features.
        let reach = shape.radius() + margin;
        self.scratch
            .facets
            .retain(|f| f.height(pose.translation) <= reach);
        terrain_contact(
            shape,
            pose,
            &self.scratch.facets,
            margin,
            &mut self.scratch.patch,
            &mut self.manifold,
        );
    }

    /// The facets under a rock at a pose, and within a margin around it.
    pub(super) fn gather(&mut self, pose: &Pose, margin: f64) {
        self.scratch.facets.clear();
        let plan = |v: &DVec3| pose.transform_point(*v).truncate();
        let (lower, upper) = self
            .body
            .vertices()
            .iter()
            .map(plan)
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| {
                (low.min(p), high.max(p))
            });
        // The margins of contact are looser sideways.
        let area = Area { lower, upper }.grown(10.0 * margin + 1e-6 * self.body.shape().radius());
        self.engine.terrain.facets(area, &mut self.scratch.facets);
    }

    /// The contacts of a touch that is known to be there: one of them closes.
    pub(super) fn touch_surely(&mut self, margin: f64) {
        let pose = self.state.pose;
        self.touch(&pose, margin);
        let velocity = self.state.velocity;
        let closes = |c: &ContactPoint| velocity.at(c.point - pose.translation).dot(c.normal) < 0.0;
        if self.manifold.points.iter().any(closes) || self.engine.terrain.as_plane().is_some() {
            return;
        }
        // Features meet in a place that no single test owns (an edge end over a corner): take the direction of the separation.
        let nearest = terrain_separation(
            self.body.shape(),
            &pose,
            &self.scratch.facets,
            f64::INFINITY,
            &mut self.scratch.patch,
        );
        if let Some(contact) =
            nearest.and_then(|n| witness(self.body, &pose, &self.scratch.facets, &n))
        {
            self.manifold.points.push(contact);
        }
    }

    pub(super) fn material(&self) -> (usize, MaterialSample) {
        let rest = MaterialSample {
            normal_restitution: 0.0,
            tangential_restitution: 0.0,
            friction: 1.0,
        };
        let at = self
            .manifold
            .points
            .first()
            .map_or(self.state.pose.translation, |c| c.point);
        let facet = match self.engine.ground.needs_facet() {
            true => self
                .engine
                .terrain
                .surface(at.x, at.y)
                .map_or(0, |s| s.facet),
            false => 0,
        };
        let number = self
            .engine
            .ground
            .material((self.engine.terrain.origin() + at).truncate(), facet);
        (number, self.samples.get(number).copied().unwrap_or(rest))
    }

    pub(super) fn friction(&self, sample: &MaterialSample) -> f64 {
        self.engine
            .scarring
            .map_or(sample.friction, |s| s.friction(self.tally.slippage))
    }

    pub(super) fn impact(&mut self) -> Phase {
        self.lies_on = None;
        self.touch_surely(TOUCHING * self.body.shape().radius());
        let (number, sample) = self.material();
        self.roughen(number);
        self.tally.impacts += 1;
        let cutoff = self.engine.stop.normal_velocity_cutoff;
        let (state, mu) = (self.state, self.friction(&sample));
        let bias = |c: &ContactPoint| {
            self.engine.rebound(
                &sample,
                -state
                    .velocity
                    .at(c.point - state.pose.translation)
                    .dot(c.normal),
            )
        };
        let solved = self.response.solve(
            self.body,
            &state.pose,
            &self.manifold.points,
            &state.velocity,
            mu,
            0.0,
            bias,
        );
        self.enter(&state, &solved);
        let normal_speed = |c: &ContactPoint| {
            solved
                .twist
                .at(c.point - state.pose.translation)
                .dot(c.normal)
        };
        if self.stuck > PATIENCE {
            return Phase::Stay;
        }
        // Nothing left to do but to stay where any touching point hardly leaves the ground.
        if self
            .manifold
            .points
            .iter()
            .any(|c| normal_speed(c) < cutoff.max(1e-9))
        {
            Phase::Stay
        } else {
            Phase::Fly
        }
    }

    pub(super) fn enter(&mut self, before: &State, solved: &Solved) {
        self.state.velocity = solved.twist;
        self.tally.unconverged += u32::from(!solved.converged);
        let was = before.kinetic_energy(self.body).total();
        let gain = self.state.kinetic_energy(self.body).total() - was;
        // Rounding of an elastic impact is below this.
        if gain > 1e-9 * was {
            self.tally.energy_gains += 1;
            self.tally.gained += gain;
        }
    }

    /// Turns the normals met by the roughness of a material, unless the rock would then leave the ground without touching it.
    pub(super) fn roughen(&mut self, material: usize) {
        let Some(rng) = &mut self.roughness else {
            return;
        };
        let Some(roughness) = self
            .engine
            .ground
            .materials()
            .get(material)
            .map(|m| m.roughness)
        else {
            return;
        };
        let angles = (roughness.sample(rng), roughness.sample(rng));
        for contact in &mut self.manifold.points {
            let turned = roughened(contact.normal, angles);
            let speed = self
                .state
                .velocity
                .at(contact.point - self.state.pose.translation)
                .dot(turned);
            if speed < 0.0 && turned.z > 0.0 {
                contact.normal = turned;
            }
        }
    }
}

/// The point where a rock and the ground face each other along the direction of their separation: the rock's vertex, or where a face or edge
/// of the rock lies across it, the ground's corner.
fn witness(body: &Body, pose: &Pose, facets: &[Facet], near: &Approach) -> Option<ContactPoint> {
    let down = pose.inverse_transform_vector(-near.normal);
    let vertices = body.vertices();
    let vertex = vertices.get(body.shape().support(down))?;
    let level = 1e-9 * body.shape().radius();
    let ties = vertices
        .iter()
        .filter(|v| (**v - *vertex).dot(down) > -level)
        .count();
    let facet = facets.get(near.facet)?;
    let highest = facet
        .corners
        .into_iter()
        .max_by(|a, b| a.dot(near.normal).total_cmp(&b.dot(near.normal)));
    let point = match highest {
        Some(corner) if ties > 1 => corner,
        _ => pose.transform_point(*vertex),
    };
    Some(ContactPoint {
        point,
        normal: near.normal,
        gap: near.gap,
        feature: u32::MAX,
    })
}
