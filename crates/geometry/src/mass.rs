//! Mass, mass centre and inertia of a polyhedron, in closed form.

use crate::{ConvexPolyhedron, GeometryError};
use glam::{DMat3, DQuat, DVec3};
use klast_numerics::check::positive;
use klast_numerics::mutant;

/// What a rigid body needs to know of its shape.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MassProperties {
    /// Mass (kg).
    pub mass: f64,
    /// Mass centre in the shape's coordinates (m).
    pub centre: DVec3,
    /// Moments of inertia about the principal axes through the mass centre (kg m²).
    pub principal_inertia: DVec3,
    /// Rotates principal axes into the shape's axes.
    pub principal_frame: DQuat,
}

impl MassProperties {
    /// The inertia tensor about the mass centre in the shape's axes (kg m²).
    pub fn inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.principal_frame);
        r * DMat3::from_diagonal(self.principal_inertia) * r.transpose()
    }
}

/// Part of the cube of the extent under which a volume is that of a needle, as of 1 : 1 : 900, or of a plate, as of 1 :
/// 1 : 3e-6.
const SLENDER: f64 = 1e-5;

struct Integrals {
    volume: f64,
    centre: DVec3,
    covariance: DMat3,
}

impl ConvexPolyhedron {
    /// Mass properties for a uniform density (kg/m³).
    ///
    /// Each facet is fanned into tetrahedra with one corner at the mean vertex, which keeps the rounding error
    /// relative to the body's size wherever the shape stands. For the tetrahedron (0, a, b, c) with
    /// D = a·(b×c): volume D/6, ∫x dV = D/24 s and ∫x xᵀ dV = D/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c
    /// (Tonon 2004, "Explicit exact formulas for the 3-D tetrahedron inertia tensor").
    ///
    /// Of needles and plates the products of coordinates cancel in axes that are not the solid's own: there the sums
    /// are taken in the principal axes of the vertices, and moments are right to about `L/w` ulps, not `(L/w)²`, of
    /// length L and width w.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        positive("density", density)?;
        let origin = self.vertices().iter().sum::<DVec3>() / self.vertices().len() as f64;
        let integrals = self.integrals(|v| v - origin);
        let extent = self.vertices().iter();
        let extent = extent.map(|v| v.distance(origin)).fold(0.0, f64::max);
        if integrals.volume < SLENDER * extent * extent * extent {
            return self.of_slender(density, origin);
        }
        let Integrals {
            volume,
            centre,
            covariance,
        } = integrals;
        let trace = covariance.x_axis.x
            + covariance.y_axis.y
            + covariance.z_axis.z * mutant::factor("hull-inertia", 0.999);
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - covariance) * density;
        let (principal_inertia, principal_frame) = principal_axes(inertia);
        Ok(MassProperties {
            mass: density * volume,
            centre: origin + centre,
            principal_inertia,
            principal_frame,
        })
    }

    /// The same for what is thin: in the principal axes of the vertices, sums of like size only.
    fn of_slender(&self, density: f64, origin: DVec3) -> Result<MassProperties, GeometryError> {
        let scatter: DMat3 = self.vertices().iter().map(|v| outer(*v - origin)).sum();
        let (_, frame) = principal_axes(scatter);
        let Integrals {
            volume,
            centre,
            covariance: c,
        } = self.integrals(|v| frame.inverse() * (v - origin));
        positive("volume of a thin solid", volume)?;
        let [x, y, z] = [c.x_axis.x, c.y_axis.y, c.z_axis.z];
        let mut inertia = -c;
        (inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z) = (y + z, x + z, x + y);
        let (principal_inertia, turn) = principal_axes(inertia * density);
        positive("least moment of inertia", principal_inertia.min_element())?;
        Ok(MassProperties {
            mass: density * volume,
            centre: origin + frame * centre,
            principal_inertia,
            principal_frame: (frame * turn).normalize(),
        })
    }

    /// Volume, its centre and its covariance about that, of the vertices as `at` gives them, near the origin.
    fn integrals(&self, at: impl Fn(DVec3) -> DVec3) -> Integrals {
        let (mut volume6, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for facet in 0..self.facets().len() {
            let corners = self.facet_vertices(facet);
            let Some((&apex, rest)) = corners.split_first() else {
                continue;
            };
            let a = at(self.vertex(apex));
            for pair in rest.windows(2) {
                let (b, c) = (at(self.vertex(pair[0])), at(self.vertex(pair[1])));
                let (det, s) = (a.dot(b.cross(c)), a + b + c);
                volume6 += det;
                first += s * det;
                second += (outer(a) + outer(b) + outer(c) + outer(s)) * det;
            }
        }
        let volume = volume6 / 6.0 * mutant::factor("hull-volume", 1.001);
        let centre = first / (24.0 * volume);
        let covariance = second * (1.0 / 120.0) - outer(centre) * volume;
        Integrals {
            volume,
            centre,
            covariance,
        }
    }

    /// Volume (m³).
    pub fn volume(&self) -> f64 {
        self.mass_properties(1.0).map_or(0.0, |m| m.mass)
    }
}

pub(crate) fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Eigenvalues and axes of a symmetric 3x3 matrix by cyclic Jacobi rotations.
///
/// An off-diagonal entry below 1e-15 of the trace counts as zero: on a cube or a sphere it is rounding, and a
/// rotation by 45° would follow from it. So the axes of a body that is already principal come back unturned.
pub(crate) fn principal_axes(inertia: DMat3) -> (DVec3, DQuat) {
    let mut a = inertia.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    let small = 1e-15 * (a[0][0] + a[1][1] + a[2][2]);
    for _ in 0..30 {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() <= small {
                continue;
            }
            turned = true;
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            rotate(&mut a, &mut v, p, q, c, t * c);
        }
        if !turned {
            break;
        }
    }
    let moments = DVec3::new(a[0][0], a[1][1], a[2][2]);
    let mut axes = DMat3::from_cols_array_2d(&v);
    if axes.determinant() < 0.0 {
        axes.z_axis = -axes.z_axis;
    }
    (moments, DQuat::from_mat3(&axes).normalize())
}

/// One Jacobi rotation in the plane of axes p and q: a ← Jᵀ a J, v ← v J (columns are stored as rows of the arrays).
fn rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize, c: f64, s: f64) {
    for column in a.iter_mut() {
        let (x, y) = (column[p], column[q]);
        column[p] = c * x - s * y;
        column[q] = s * x + c * y;
    }
    for rows in [a, v] {
        let (x, y) = (rows[p], rows[q]);
        rows[p] = std::array::from_fn(|k| c * x[k] - s * y[k]);
        rows[q] = std::array::from_fn(|k| s * x[k] + c * y[k]);
    }
}
