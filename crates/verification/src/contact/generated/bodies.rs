//! Rigid bodies that touch, as a contact problem: `W = H M⁻¹ Hᵀ`, `q = H v`.

use glam::{DMat3, DVec3};

use crate::contact::natural_map::Posed;

/// A body: its mass, the inverse of its inertia in the directions of space, its centre and how it moves without
/// contact.
pub(super) struct Body {
    pub mass: f64,
    pub inverse_inertia: DMat3,
    pub centre: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
}

/// A contact of a body with another, or with what is fixed; the normal points to the first.
pub(super) struct Touch {
    pub first: usize,
    pub second: Option<usize>,
    pub point: DVec3,
    pub normal: DVec3,
}

/// Bodies and their contacts.
#[derive(Default)]
pub(super) struct Heap {
    pub bodies: Vec<Body>,
    pub touches: Vec<Touch>,
}

impl Touch {
    /// The bodies with the side on which they are.
    fn sides(&self) -> impl Iterator<Item = (usize, f64)> {
        [(Some(self.first), 1.0), (self.second, -1.0)]
            .into_iter()
            .filter_map(|(body, side)| Some((body?, side)))
    }

    /// Normal and two tangents as columns.
    fn frame(&self) -> DMat3 {
        let n = self.normal;
        let axis = [DVec3::X, DVec3::Y, DVec3::Z]
            .into_iter()
            .min_by(|a, b| n.dot(*a).abs().total_cmp(&n.dot(*b).abs()))
            .unwrap_or(DVec3::X);
        let t = n.cross(axis).normalize();
        DMat3::from_cols(n, t, n.cross(t))
    }
}

/// `r ×` as a matrix.
fn cross(r: DVec3) -> DMat3 {
    DMat3::from_cols(r.cross(DVec3::X), r.cross(DVec3::Y), r.cross(DVec3::Z))
}

impl Heap {
    /// The problem with one friction coefficient.
    pub fn posed(&self, mu: f64) -> Posed {
        let frames: Vec<DMat3> = self.touches.iter().map(Touch::frame).collect();
        let arm = |t: &Touch, body: usize| t.point - self.bodies[body].centre;
        let free = |(touch, frame): (&Touch, &DMat3)| {
            let at = |(body, side): (usize, f64)| {
                let b = &self.bodies[body];
                side * (b.velocity + b.spin.cross(arm(touch, body)))
            };
            frame.transpose() * touch.sides().map(at).sum::<DVec3>()
        };
        let mut blocks = Vec::new();
        for (i, a) in self.touches.iter().enumerate() {
            for (j, b) in self.touches.iter().enumerate() {
                let shared: Vec<DMat3> = a
                    .sides()
                    .flat_map(|(k, s)| {
                        b.sides()
                            .filter(move |o| o.0 == k)
                            .map(move |o| (k, s * o.1))
                    })
                    .map(|(k, sign)| {
                        let body = &self.bodies[k];
                        let turned = cross(arm(a, k)) * body.inverse_inertia * cross(arm(b, k));
                        (DMat3::IDENTITY * (1.0 / body.mass) - turned) * sign
                    })
                    .collect();
                if !shared.is_empty() {
                    let sum = shared.into_iter().fold(DMat3::ZERO, |a, b| a + b);
                    blocks.push((i, j, frames[i].transpose() * sum * frames[j]));
                }
            }
        }
        Posed {
            mu: vec![mu; self.touches.len()],
            q: self.touches.iter().zip(&frames).map(free).collect(),
            blocks,
        }
    }
}
