//! Mass properties of a triangle mesh: a solid inside a closed surface, or a thin shell along any surface.

use klast_numerics::OutOfRange;
use klast_numerics::check::positive;
use klast_numerics::mutant;
use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec3};

use crate::mass::{outer, principal_axes};
use crate::mesh_inside::share_inside;
use crate::{GeometryError, MassProperties};

/// How the mass of a mesh is distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshFill {
    /// Uniform density (kg/m³) inside a closed surface.
    Solid {
        /// Density (kg/m³).
        density: f64,
    },
    /// Mass along the surface, of a thickness that is small beside the body; the surface may be open.
    Shell {
        /// Density (kg/m³).
        density: f64,
        /// Thickness (m).
        thickness: f64,
    },
}

/// Mass properties of a mesh of `points` and `triangles`.
///
/// A solid is summed over the tetrahedra between the triangles and the mean point, signed by their orientation (Tonon
/// 2004, as for a polyhedron). A surface whose normals all point inwards is turned; one that is not closed, or of which
/// neighbours are wound against each other, is refused with the number of edges that do not fit, and so is one with a
/// part that is there twice: a triangle (of a solid, wound the same) or an edge passed twice in one direction. A
/// surface of which more than a hundredth lies inside the body is refused: parts that overlap count twice. Of a mesh of
/// more than some thousand triangles that share is taken from a sample of 400 of them or more, so that a part of a
/// hundredth or two may pass there. A shell is summed over its triangles: ∫x dA = A s/3 and ∫x xᵀ dA = A/12 (a aᵀ + b
/// bᵀ + c cᵀ + s sᵀ) with s = a + b + c.
///
/// # Errors
/// A density or a thickness that is not above 0, an index without a point, a point that is not finite, an open surface,
/// a part that is there twice or lies in another, or no volume.
pub fn mesh_mass(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    fill: MeshFill,
) -> Result<MassProperties, GeometryError> {
    if let Some((index, found)) = points.iter().enumerate().find(|(_, p)| !p.is_finite()) {
        let found = [found.x, found.y, found.z]
            .into_iter()
            .find(|x| !x.is_finite())
            .unwrap_or(f64::NAN);
        return Err(OutOfRange::new("points", found, "a finite number")
            .at(index)
            .into());
    }
    let corners = corners(points, triangles)?;
    let origin = corners.iter().flatten().sum::<DVec3>() / (3 * corners.len()).max(1) as f64;
    match fill {
        MeshFill::Solid { density } => {
            positive("density", density)?;
            once(&corners, true)?;
            closed(triangles)?;
            let mut sums = Sums::zero();
            for [a, b, c] in corners.iter().map(|t| t.map(|p| p - origin)) {
                let (det, s) = (a.dot(b.cross(c)), a + b + c);
                sums.add(
                    det / 6.0,
                    s * (det / 24.0),
                    (outer(a) + outer(b) + outer(c) + outer(s)) * (det / 120.0),
                );
            }
            let turned = sums.measure < 0.0;
            apart(&corners, turned)?;
            sums.properties(if turned { -density } else { density }, origin)
        }
        MeshFill::Shell { density, thickness } => {
            positive("density", density)?;
            positive("thickness", thickness)?;
            once(&corners, false)?;
            let mut sums = Sums::zero();
            for [a, b, c] in corners.iter().map(|t| t.map(|p| p - origin)) {
                let (area, s) = (0.5 * (b - a).cross(c - a).length(), a + b + c);
                sums.add(
                    area,
                    s * (area / 3.0),
                    (outer(a) + outer(b) + outer(c) + outer(s)) * (area / 12.0),
                );
            }
            sums.properties(density * thickness, origin)
        }
    }
}

/// Volume or area, and its first and second moments.
struct Sums {
    measure: f64,
    first: DVec3,
    second: DMat3,
}

impl Sums {
    /// The default matrix of glam is the identity.
    fn zero() -> Self {
        Self {
            measure: 0.0,
            first: DVec3::ZERO,
            second: DMat3::ZERO,
        }
    }

    fn add(&mut self, measure: f64, first: DVec3, second: DMat3) {
        self.measure += measure;
        self.first += first;
        self.second += second;
    }

    fn properties(&self, density: f64, origin: DVec3) -> Result<MassProperties, GeometryError> {
        let mass = density * self.measure;
        positive("mass of the mesh", mass)?;
        let centre = self.first / self.measure;
        let covariance =
            self.second * mutant::factor("mesh-inertia", 1.001) - outer(centre) * self.measure;
        let trace = covariance.x_axis.x + covariance.y_axis.y + covariance.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - covariance) * density;
        let (principal_inertia, principal_frame) = principal_axes(inertia);
        Ok(MassProperties {
            mass,
            centre: origin + centre,
            principal_inertia,
            principal_frame,
        })
    }
}

fn corners(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Vec<[DVec3; 3]>, GeometryError> {
    let corner = |index: u32| {
        points.get(index as usize).copied().ok_or(OutOfRange::new(
            "corner of a triangle",
            f64::from(index),
            "an index of a point",
        ))
    };
    let whole = |t: &[u32; 3]| Ok([corner(t[0])?, corner(t[1])?, corner(t[2])?]);
    triangles.iter().map(whole).collect()
}

/// Whether no triangle is there twice, by the places of its corners: copies with points of their own count too. Those
/// of a solid that are wound against each other are a wall between two parts, which adds nothing.
fn once(corners: &[[DVec3; 3]], wound: bool) -> Result<(), GeometryError> {
    // Both zeros are one place.
    let place = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut seen = HashSet::new();
    let again = corners.iter().filter(|corners| {
        let mut key = corners.map(place);
        match wound {
            true => {
                let first = (0..3).min_by_key(|k| key[*k]).unwrap_or(0);
                key.rotate_left(first);
            }
            false => key.sort_unstable(),
        }
        let line = key[0] == key[1] || key[1] == key[2] || key[2] == key[0];
        !line && !seen.insert(key)
    });
    match again.count() {
        0 => Ok(()),
        again => Err(OutOfRange::new(
            "triangles of the mesh that are there twice",
            again as f64,
            "0: each once, since copies count as mass",
        )
        .into()),
    }
}

/// Whether every edge is passed once in each direction.
fn closed(triangles: &[[u32; 3]]) -> Result<(), GeometryError> {
    // How often from the lower index to the higher, and back.
    let mut passed: HashMap<(u32, u32), [u32; 2]> = HashMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            // A triangle with two equal corners adds no edge.
            if from != to {
                let counts = passed.entry((*from.min(to), *from.max(to))).or_default();
                counts[usize::from(from > to)] += 1;
            }
        }
    }
    let count = |wrong: fn(&&[u32; 2]) -> bool| passed.values().filter(wrong).count();
    let found = [
        (
            count(|[there, back]| there != back),
            "edges of the mesh that are open or wound against each other",
            "0 for a solid (a shell may be open)",
        ),
        (
            count(|[there, _]| *there > 1),
            "edges of the mesh that more than two triangles share",
            "0 for a solid: no face twice, bodies that touch with points of their own",
        ),
    ];
    for (wrong, what, accepted) in found {
        if wrong > 0 {
            return Err(OutOfRange::new(what, wrong as f64, accepted).into());
        }
    }
    Ok(())
}

/// A larger share of the surface that lies in the body is no noise of a survey.
const MOST_INSIDE: f64 = 0.01;

/// Whether no part of a closed surface lies in another, where its mass would count twice.
fn apart(corners: &[[DVec3; 3]], turned: bool) -> Result<(), GeometryError> {
    let share = share_inside(corners, turned);
    if share <= MOST_INSIDE {
        return Ok(());
    }
    Err(OutOfRange::new(
        "share of the surface of the mesh that lies inside the body or is wound against the rest",
        share,
        "0 to 0.01: parts that do not overlap, cavities wound the other way",
    )
    .into())
}

/// The base that a mesh stands on, seen along one horizontal direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandingSection {
    /// Horizontal distance from the mass centre to the left end of the base (m).
    pub to_left: f64,
    /// Horizontal distance from the mass centre to the right end of the base (m).
    pub to_right: f64,
    /// Height of the mass centre above the base (m).
    pub centre_height: f64,
    /// Squared radius of gyration about the axis that the section rocks about, through the mass centre (m²).
    pub gyration_squared: f64,
}

/// The section of a standing body in the vertical plane of `azimuth` (rad, from x towards y): the base is made of all
/// points within `tolerance` (m) of the lowest; z is up.
///
/// # Errors
/// A mass centre that does not stand over the base, or a tolerance that is not above 0.
pub fn standing_section(
    points: &[DVec3],
    mass: &MassProperties,
    azimuth: f64,
    tolerance: f64,
) -> Result<StandingSection, GeometryError> {
    positive("tolerance of the base", tolerance)?;
    let (sin, cos) = libm::sincos(azimuth);
    let along = DVec3::new(cos, sin, 0.0);
    let axis = DVec3::new(-sin, cos, 0.0);
    let lowest = points.iter().fold(f64::INFINITY, |m, p| m.min(p.z));
    let base = points
        .iter()
        .filter(|p| p.z <= lowest + tolerance)
        .map(|p| (*p - mass.centre).dot(along));
    let (left, right) = base.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, r), x| {
        (l.min(x), r.max(x))
    });
    positive(
        "distance from the mass centre to the left end of the base",
        -left,
    )?;
    positive(
        "distance from the mass centre to the right end of the base",
        right,
    )?;
    Ok(StandingSection {
        to_left: -left,
        to_right: right,
        centre_height: mass.centre.z - lowest,
        gyration_squared: axis.dot(mass.inertia() * axis) / mass.mass,
    })
}

#[cfg(test)]
mod tests {
    use klast_numerics::ModelError as _;

    use super::*;

    /// The number that is refused.
    fn number<T>(found: Result<T, GeometryError>) -> Option<f64> {
        found.err().and_then(|error| error.number())
    }

    fn cuboid(a: f64, b: f64, c: f64, at: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corner = |k: usize| {
            at + DVec3::new(
                a * (k & 1) as f64,
                b * (k >> 1 & 1) as f64,
                c * (k >> 2 & 1) as f64,
            )
        };
        let points = (0..8).map(corner).collect();
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = quads
            .iter()
            .flat_map(|q: &[u32; 4]| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
            .collect();
        (points, triangles)
    }

    /// A cuboid far from the origin: m = ρ a b c, I = m (b² + c²)/12; the same with its surface turned inside out.
    #[test]
    fn a_solid_cuboid_has_the_moments_of_handbooks() {
        let (a, b, c) = (0.4, 0.6, 1.5);
        let (points, mut triangles) = cuboid(a, b, c, DVec3::new(1e3, -2e3, 5.0));
        for _ in 0..2 {
            let found =
                mesh_mass(&points, &triangles, MeshFill::Solid { density: 2500.0 }).unwrap();
            let mass = 2500.0 * a * b * c;
            assert!((found.mass - mass).abs() < 1e-9 * mass);
            assert!((found.centre - DVec3::new(1e3 + 0.2, -2e3 + 0.3, 5.75)).length() < 1e-10);
            let inertia = found.inertia();
            let expected =
                [(b * b + c * c), (a * a + c * c), (a * a + b * b)].map(|s| mass / 12.0 * s);
            for (k, value) in expected.iter().enumerate() {
                assert!((inertia.col(k)[k] - value).abs() < 1e-8 * value);
            }
            for t in &mut triangles {
                t.swap(1, 2);
            }
        }
        triangles.pop();
        let open = mesh_mass(&points, &triangles, MeshFill::Solid { density: 2500.0 });
        assert_eq!(
            number(open),
            Some(3.0),
            "the edges of the triangle that is left out"
        );
    }

    /// Cuboids of 1 m³ at 2000 kg/m³: side by side they weigh 4000 kg, one with a cavity of 0.5 x 0.5 x 0.5 m³ 1750 kg,
    /// and what overlaps is refused.
    #[test]
    fn parts_that_overlap_are_refused() {
        let solid = MeshFill::Solid { density: 2000.0 };
        let both = |at: DVec3, size: f64, turned: bool| {
            let (mut points, mut triangles) = cuboid(1.0, 1.0, 1.0, DVec3::ZERO);
            let (others, more) = cuboid(size, size, size, at);
            points.extend(others);
            let shifted = more.iter().map(|t| t.map(|k| k + 8));
            triangles.extend(shifted.map(|[a, b, c]| if turned { [a, c, b] } else { [a, b, c] }));
            let inside_out: Vec<[u32; 3]> =
                triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
            let found = mesh_mass(&points, &triangles, solid).map(|m| m.mass);
            let turned = mesh_mass(&points, &inside_out, solid).map(|m| m.mass);
            assert_eq!(found.is_ok(), turned.is_ok());
            found
        };
        let weighs = |at: DVec3, size: f64, turned: bool, mass: f64| {
            let found = both(at, size, turned).unwrap();
            assert!((found - mass).abs() < 1e-9 * mass, "{found}");
        };
        weighs(DVec3::new(1.5, 0.0, 0.0), 1.0, false, 4000.0);
        weighs(DVec3::new(1.0, 0.0, 0.0), 1.0, false, 4000.0);
        weighs(DVec3::new(0.1 + 0.2 + 0.7, 1e-12, 0.0), 1.0, false, 4000.0);
        weighs(DVec3::splat(0.25), 0.5, true, 1750.0);
        for (at, size, turned) in [
            (DVec3::splat(0.25), 0.5, false),
            (DVec3::new(0.5, 0.0, 0.0), 1.0, false),
            (DVec3::splat(0.5), 1.0, false),
            (DVec3::new(2.0, 0.0, 0.0), 0.5, true),
        ] {
            // The share of the surface that lies in the body.
            let share = number(both(at, size, turned)).unwrap();
            assert!(
                share > MOST_INSIDE && share < 1.0,
                "{at} {size} {turned}: {share}"
            );
        }
    }

    /// A cuboid of 2500 kg/m³ x 0.36 m³ = 900 kg: with every face twice it would weigh 1800 kg, as a solid and as a
    /// shell.
    #[test]
    fn what_is_there_twice_is_refused() {
        let (points, triangles) = cuboid(0.4, 0.6, 1.5, DVec3::ZERO);
        let solid = MeshFill::Solid { density: 2500.0 };
        let shell = MeshFill::Shell {
            density: 2500.0,
            thickness: 0.01,
        };
        assert!((mesh_mass(&points, &triangles, solid).unwrap().mass - 900.0).abs() < 1e-9);
        let own = triangles.iter().map(|t| t.map(|k| k + 8));
        let twice = [points.clone(), points.clone()].concat();
        let same = [triangles.clone(), triangles.clone()].concat();
        let turned = triangles.iter().map(|[a, b, c]| [*b, *c, *a]);
        let copies: [Vec<[u32; 3]>; 3] = [
            same,
            triangles.iter().copied().chain(own).collect(),
            triangles.iter().copied().chain(turned).collect(),
        ];
        for (copied, fill) in copies.iter().flat_map(|c| [(c, solid), (c, shell)]) {
            assert_eq!(number(mesh_mass(&twice, copied, fill)), Some(12.0));
        }
        // The other diagonals: no triangle twice, and yet every face.
        let quads = triangles
            .chunks(2)
            .map(|q| [q[0][0], q[0][1], q[0][2], q[1][2]]);
        let crossed = quads.flat_map(|[a, b, c, d]| [[b, c, d], [b, d, a]]);
        let crossed: Vec<_> = triangles.iter().copied().chain(crossed).collect();
        assert_eq!(number(mesh_mass(&points, &crossed, solid)), Some(12.0));
    }

    /// Two cuboids with points of their own on each other, each with its wall between them: 900 kg both.
    #[test]
    fn a_wall_between_two_parts_adds_nothing() {
        let (mut points, mut triangles) = cuboid(0.4, 0.6, 1.5, DVec3::ZERO);
        let (above, more) = cuboid(0.4, 0.6, 1.5, DVec3::new(0.0, 0.0, 1.5));
        points.extend(above);
        triangles.extend(more.iter().map(|t| t.map(|k| k + 8)));
        let found = mesh_mass(&points, &triangles, MeshFill::Solid { density: 2500.0 }).unwrap();
        assert!((found.mass - 1800.0).abs() < 1e-9, "{}", found.mass);
    }

    /// A thin shell along a cuboid against the difference of two solids of the same material, to the order of the
    /// thickness over the size.
    #[test]
    fn a_thin_shell_is_the_limit_of_two_solids() {
        let (points, triangles) = cuboid(1.0, 1.0, 2.0, DVec3::ZERO);
        let t = 1e-5;
        let shell = mesh_mass(
            &points,
            &triangles,
            MeshFill::Shell {
                density: 1.0,
                thickness: t,
            },
        )
        .unwrap();
        let solid = |grow: f64| {
            let (p, q) = cuboid(
                1.0 + grow,
                1.0 + grow,
                2.0 + grow,
                DVec3::splat(-0.5 * grow),
            );
            mesh_mass(&p, &q, MeshFill::Solid { density: 1.0 }).unwrap()
        };
        let (outside, inside) = (solid(t), solid(-t));
        let mass = outside.mass - inside.mass;
        assert!(
            (shell.mass - mass).abs() < 1e-4 * mass,
            "{} {mass}",
            shell.mass
        );
        for k in 0..3 {
            let value = outside.inertia().col(k)[k] - inside.inertia().col(k)[k];
            assert!(
                (shell.inertia().col(k)[k] - value).abs() < 1e-4 * value,
                "{k}"
            );
        }
    }

    #[test]
    fn a_cuboid_stands_on_its_base() {
        let (points, triangles) = cuboid(0.4, 0.6, 1.5, DVec3::new(3.0, 4.0, 1.0));
        let mass = mesh_mass(&points, &triangles, MeshFill::Solid { density: 2500.0 }).unwrap();
        let along_x = standing_section(&points, &mass, 0.0, 1e-6).unwrap();
        assert!((along_x.to_left - 0.2).abs() < 1e-12 && (along_x.to_right - 0.2).abs() < 1e-12);
        assert!((along_x.centre_height - 0.75).abs() < 1e-12);
        assert!((along_x.gyration_squared - (0.16 + 2.25) / 12.0).abs() < 1e-10);
        let along_y = standing_section(&points, &mass, std::f64::consts::FRAC_PI_2, 1e-6).unwrap();
        assert!((along_y.to_right - 0.3).abs() < 1e-12);
    }
}
