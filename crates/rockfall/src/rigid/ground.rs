//! The ground that a rigid rock meets: materials by place, roughness, scarring, drag.

use super::rock::RigidRock;
use super::scarring::Scarring;
use crate::lumped::Roughness;
use crate::material::{MaterialSample, roughened};
use glam::DVec3;
use klast_dynamics::State;
use klast_dynamics::single::{
    Coefficients, Drag, Friction, GroundLaw, Penetration, Restitution, TangentialRestitution,
};
use klast_geometry::ContactPoint;
use std::cell::Cell;

/// The ground for one rock.
pub(super) struct RockGround<'a> {
    pub(super) rock: &'a RigidRock<'a>,
    pub(super) samples: &'a [MaterialSample],
    pub(super) roughness: Roughness,
    /// Slippage (m).
    pub(super) slippage: f64,
    /// Mass of the rock (kg).
    pub(super) mass: f64,
    /// Normal speed of the impact that is under way (m/s); 0 between impacts.
    pub(super) closing: f64,
    /// The material that was last asked for.
    pub(super) last: Cell<usize>,
}

impl RockGround<'_> {
    /// Number of the material at a point, and its sample.
    fn material(&self, at: DVec3) -> (usize, Option<&MaterialSample>) {
        let number = self.number(at);
        self.last.set(number);
        (number, self.samples.get(number))
    }

    /// Number of the material at a point.
    fn number(&self, at: DVec3) -> usize {
        let RigidRock {
            terrain, ground, ..
        } = self.rock;
        let facet = match ground.needs_facet() {
            true => terrain.surface(at.x, at.y).map_or(0, |s| s.facet),
            false => 0,
        };
        ground.material((terrain.origin() + at).truncate(), facet)
    }

    /// Turns the normals met by the roughness of a material, unless the rock would then leave the ground without
    /// touching it.
    fn roughen(&mut self, before: &State, contacts: &mut [ContactPoint]) {
        if self.roughness.is_none() {
            return;
        }
        let at = contacts
            .first()
            .map_or(before.pose.translation, |c| c.point);
        let (number, sample) = self.material(at);
        let material = self.rock.ground.materials().get(number);
        let own = sample.and_then(|s| s.roughness);
        let roughness = own.or(material.map(|m| m.roughness));
        let (Some(roughness), Some(rng)) = (roughness, &mut self.roughness) else {
            return;
        };
        let angles = (roughness.sample(rng), roughness.sample(rng));
        for contact in contacts {
            let turned = roughened(contact.normal, angles);
            let arm = contact.point - before.pose.translation;
            if before.velocity.at(arm).dot(turned) < 0.0 && turned.z > 0.0 {
                contact.normal = turned;
            }
        }
    }

    /// What gravity presses onto the ground under a state, per mass (m/s²).
    fn pressing(&self, state: &State) -> f64 {
        let p = state.pose.translation;
        let ground = self.rock.terrain.surface(p.x, p.y);
        ground.map_or(0.0, |s| (-self.rock.gravity.dot(s.normal)).max(0.0))
    }

    /// The scarring of the ground that the rock has last touched.
    fn last_scarring(&self) -> Option<Scarring> {
        self.samples.get(self.last.get())?.scarring
    }
}

impl GroundLaw for RockGround<'_> {
    fn coefficients(&self, point: DVec3) -> Coefficients {
        let sample = self.material(point).1;
        let friction = match sample.and_then(|s| s.scarring) {
            Some(scarring) => scarring.friction(self.slippage),
            None => sample.map_or(1.0, |s| s.friction),
        };
        let restitution = sample.map_or(0.0, |s| s.restitution_at(self.closing, self.mass));
        let found = Coefficients::with_tangential(
            Restitution(restitution),
            TangentialRestitution(self.rock.tangential_restitution),
            Friction(friction),
        );
        // Materials are checked when they are made: their samples are within their ranges.
        found.unwrap_or_default()
    }

    fn is_uniform(&self) -> bool {
        self.rock.ground.is_one_material()
    }

    fn is_steady(&self) -> bool {
        let plain = |s: &MaterialSample| s.scarring.is_none() && s.rolling_resistance == 0.0;
        self.samples.iter().all(plain)
    }

    /// Turns the normals met by the roughness of a material, and takes note of the speed that R_n may depend on: that
    /// of the mass centre against the ground, as the laws for lumped masses have it.
    fn turn_normals(&mut self, before: &State, contacts: &mut [ContactPoint]) {
        self.roughen(before, contacts);
        let into = |c: &ContactPoint| -before.velocity.linear.dot(c.normal);
        self.closing = contacts.iter().map(into).fold(0.0, f64::max);
    }

    fn penetration(&self, point: DVec3) -> Option<Penetration> {
        self.material(point).1?.penetration
    }

    /// What bounds the drag anywhere.
    fn drag(&self) -> Option<Drag> {
        let materials = self.samples.iter().filter_map(|s| s.drag);
        materials.fold(None, |most: Option<Drag>, d| {
            let (coefficient, height) = (d.per_mass * self.mass, d.height);
            Some(Drag {
                coefficient: most.map_or(coefficient, |m| m.coefficient.max(coefficient)),
                height: most.map_or(height, |m| m.height.max(height)),
            })
        })
    }

    fn drag_at(&self, state: &State, height: f64) -> Option<Drag> {
        let sample = self.samples.get(self.number(state.pose.translation));
        let near = sample.and_then(|s| s.drag).filter(|d| height < d.height)?;
        let coefficient = near.per_mass * self.mass;
        (coefficient > 0.0).then_some(Drag {
            coefficient,
            height: f64::INFINITY,
        })
    }

    fn resistance(&self, state: &State, pressing: f64) -> f64 {
        let sample = self.samples.get(self.number(state.pose.translation));
        sample.map_or(0.0, |s| s.rolling_resistance) * pressing
    }

    fn holds(&self, state: &State) -> bool {
        let sample = self.samples.get(self.number(state.pose.translation));
        let rolling = sample.map_or(0.0, |s| s.rolling_resistance);
        let pressing = self.pressing(state);
        let along = self.rock.gravity.length_squared() - pressing * pressing;
        rolling > 0.0 && along.max(0.0).sqrt() <= rolling * pressing
    }

    fn flown(&mut self, duration: f64) {
        self.closing = 0.0;
        if let Some(scarring) = self.last_scarring() {
            self.slippage = scarring.flown(self.slippage, duration);
        }
    }

    fn slid(&mut self, speed: f64, duration: f64) {
        self.closing = 0.0;
        if let Some(scarring) = self.last_scarring() {
            self.slippage = scarring.slid(self.slippage, speed, duration);
        }
    }
}
