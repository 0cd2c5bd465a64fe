//! The ground that a rigid rock meets: materials by place, roughness, scarring, vegetation.

use super::rock::RigidRock;
use crate::lumped::Roughness;
use crate::material::{MaterialSample, roughened};
use glam::DVec3;
use klast_dynamics::State;
use klast_dynamics::single::{
    Coefficients, Drag, Friction, GroundLaw, Restitution, TangentialRestitution,
};
use klast_geometry::ContactPoint;

/// The ground for one rock.
pub(super) struct RockGround<'a> {
    pub(super) rock: &'a RigidRock<'a>,
    pub(super) samples: &'a [MaterialSample],
    pub(super) roughness: Roughness,
    /// Slippage (m).
    pub(super) slippage: f64,
}

impl RockGround<'_> {
    /// Number of the material at a point, and its sample.
    fn material(&self, at: DVec3) -> (usize, Option<&MaterialSample>) {
        let RigidRock {
            terrain, ground, ..
        } = self.rock;
        let facet = match ground.needs_facet() {
            true => terrain.surface(at.x, at.y).map_or(0, |s| s.facet),
            false => 0,
        };
        let number = ground.material((terrain.origin() + at).truncate(), facet);
        (number, self.samples.get(number))
    }
}

impl GroundLaw for RockGround<'_> {
    fn coefficients(&self, point: DVec3) -> Coefficients {
        let sample = self.material(point).1;
        let friction = match self.rock.scarring {
            Some(scarring) => scarring.friction(self.slippage),
            None => sample.map_or(1.0, |s| s.friction),
        };
        let restitution = sample.map_or(0.0, |s| s.normal_restitution);
        let found = Coefficients::with_tangential(
            Restitution(restitution),
            TangentialRestitution(self.rock.tangential_restitution),
            Friction(friction),
        );
        // Materials are checked when they are made: their samples are within their ranges.
        found.unwrap_or_default()
    }

    fn is_uniform(&self) -> bool {
        self.rock.ground.materials().len() == 1
    }

    fn is_steady(&self) -> bool {
        self.rock.scarring.is_none()
    }

    /// Turns the normals met by the roughness of a material, unless the rock would then leave the ground without touching it.
    fn turn_normals(&mut self, before: &State, contacts: &mut [ContactPoint]) {
        if self.roughness.is_none() {
            return;
        }
        let at = contacts
            .first()
            .map_or(before.pose.translation, |c| c.point);
        let material = self.rock.ground.materials().get(self.material(at).0);
        let (Some(material), Some(rng)) = (material, &mut self.roughness) else {
            return;
        };
        let roughness = material.roughness;
        let angles = (roughness.sample(rng), roughness.sample(rng));
        for contact in contacts {
            let turned = roughened(contact.normal, angles);
            let arm = contact.point - before.pose.translation;
            if before.velocity.at(arm).dot(turned) < 0.0 && turned.z > 0.0 {
                contact.normal = turned;
            }
        }
    }

    fn drag(&self) -> Option<Drag> {
        self.rock.drag.map(|d| Drag {
            coefficient: d.coefficient,
            height: d.height,
        })
    }

    fn flown(&mut self, duration: f64) {
        if let Some(scarring) = &self.rock.scarring {
            self.slippage = scarring.flown(self.slippage, duration);
        }
    }

    fn slid(&mut self, speed: f64, duration: f64) {
        if let Some(scarring) = &self.rock.scarring {
            self.slippage = scarring.slid(self.slippage, speed, duration);
        }
    }
}
