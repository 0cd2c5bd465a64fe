//! Generalised Jacobian of the normal map at one contact.

use crate::problem::cone::tangential;
use glam::{DMat3, DVec3};

/// The derivatives at a `z`, of the smooth part of the projection that it lies on.
#[derive(Debug, Clone, Copy)]
pub(super) struct JacobianElement {
    /// Derivative of `P_K`.
    pub projection: DMat3,
    /// Gradient of `μ‖ũ_T‖`, `ũ = P_K(z) − z`.
    pub slip: DVec3,
    /// Whether the projection vanishes around `z`.
    pub open: bool,
}

/// An element of the generalised derivative at `z`.
#[inline]
pub(super) fn generalized_jacobian_element(z: DVec3, mu: f64) -> JacobianElement {
    let t = tangential(z);
    if t <= mu * z.x && z.x > 0.0 {
        return if mu == 0.0 {
            frictionless()
        } else {
            JacobianElement {
                projection: DMat3::IDENTITY,
                slip: DVec3::ZERO,
                open: false,
            }
        };
    }
    if mu * t <= -z.x {
        let h = if t > 0.0 { mu / t } else { 0.0 };
        return JacobianElement {
            projection: DMat3::ZERO,
            slip: DVec3::new(0.0, h * z.y, h * z.z),
            open: true,
        };
    }
    if mu == 0.0 {
        return frictionless();
    }
    let c = 1.0 / (1.0 + mu * mu);
    let n = c * (z.x + mu * t);
    let (hy, hz) = (z.y / t, z.z / t);
    // Along the slip direction μ² c, across it μ p_n / t.
    let (along, across) = (mu * mu * c, mu * n / t);
    let twist = along - across;
    let projection = DMat3::from_cols(
        DVec3::new(c, c * mu * hy, c * mu * hz),
        DVec3::new(c * mu * hy, across + twist * hy * hy, twist * hy * hz),
        DVec3::new(c * mu * hz, twist * hy * hz, across + twist * hz * hz),
    );
    // μ (1 − μ² c) without cancellation.
    let slope = mu * c;
    JacobianElement {
        projection,
        slip: DVec3::new(-along, slope * hy, slope * hz),
        open: false,
    }
}

fn frictionless() -> JacobianElement {
    JacobianElement {
        projection: DMat3::from_diagonal(DVec3::X),
        slip: DVec3::ZERO,
        open: false,
    }
}
