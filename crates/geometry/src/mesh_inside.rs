//! Whether the parts of a closed mesh lie in each other: the winding number beside its faces.

use glam::DVec3;
use rayon::prelude::*;
use std::f64::consts::PI;

/// Places looked at, times all faces, at most, while the places are no fewer than the least.
const MOST_PAIRS: usize = 40_000_000;
/// Faces of a large mesh that are looked at, at least: of a share of a hundredth four are expected among them.
const LEAST_PLACES: usize = 400;
/// Faces of a sample that have to lie inside: one of them is no share.
const LEAST_INSIDE: usize = 2;
/// Faces that a thread looks at in one go.
const CHUNK: usize = 16;
/// Parts along the side of a face of a mesh of few faces, each with a place in its middle.
const MOST_PARTS: usize = 8;
/// Distance of the two points beside a face from it, as a share of the size of the mesh.
const BESIDE: f64 = 1e-6;

/// The share of the area of a closed mesh beside which the winding number is neither 0 nor 1: there a part lies in
/// another, weighed twice, or a part is wound against the others. `turned` says that all normals point inwards. Of a
/// small mesh several places of each face are looked at. Of a large one, above 6000 faces or so, the share is that of a
/// sample: of at least 400 faces at equal distances in its list; a time in proportion to the faces from 100 000 on.
pub fn share_inside(corners: &[[DVec3; 3]], turned: bool) -> f64 {
    share_of(corners, turned, Sample::of(corners.len()))
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Every how many faces one is looked at.
    step: usize,
    /// Parts along the side of a face, each with a place in its middle.
    parts: usize,
}

impl Sample {
    fn of(faces: usize) -> Self {
        let faces = faces.max(1);
        let most = (MOST_PAIRS / faces).max(LEAST_PLACES);
        let parts = (1..=MOST_PARTS)
            .rev()
            .find(|n| n * (n + 1) / 2 * faces <= most);
        Self {
            // Rounded down where that keeps the least.
            step: match faces.div_ceil(most) {
                step if faces.div_ceil(step) < LEAST_PLACES => faces / LEAST_PLACES,
                step => step,
            }
            .max(1),
            parts: parts.unwrap_or(1),
        }
    }
}

fn share_of(corners: &[[DVec3; 3]], turned: bool, sample: Sample) -> f64 {
    let points = || corners.iter().flatten();
    let lower = points().fold(DVec3::INFINITY, |l, p| l.min(*p));
    let upper = points().fold(DVec3::NEG_INFINITY, |u, p| u.max(*p));
    let distance = BESIDE * (upper - lower).max_element();
    // Area looked at, that of it that lies inside, and the faces with a place that does.
    let look = |[a, b, c]: &[DVec3; 3]| {
        let normal = (*b - *a).cross(*c - *a);
        let aside = distance * normal.normalize_or_zero();
        let wrong = places(sample.parts).map(|place| {
            let middle = *a + place[0] * (*b - *a) + place[1] * (*c - *a);
            [middle + aside, middle - aside].into_iter().any(|p| {
                let turns = winding(corners, p);
                let turns = if turned { -turns } else { turns };
                !(-0.5..=1.5).contains(&turns)
            })
        });
        let (looked, wrong) = wrong.fold((0, 0), |(n, k), wrong| (n + 1, k + usize::from(wrong)));
        let area = normal.length();
        (
            f64::from(looked) * area,
            wrong as f64 * area,
            usize::from(wrong > 0),
        )
    };
    let faces: Vec<&[DVec3; 3]> = corners.iter().step_by(sample.step).collect();
    let looked: Vec<(f64, f64, usize)> = faces
        .par_iter()
        .with_min_len(CHUNK)
        .map(|face| look(face))
        .collect();
    let (area, inside, found) = looked.iter().fold((0.0, 0.0, 0), |sum, face| {
        (sum.0 + face.0, sum.1 + face.1, sum.2 + face.2)
    });
    let counts = sample.step == 1 || found >= LEAST_INSIDE;
    if area > 0.0 && counts {
        inside / area
    } else {
        0.0
    }
}

/// Places in a triangle, as shares of two of its sides: the middles of the parts that stand as it does, where its sides
/// are cut into some.
fn places(parts: usize) -> impl Iterator<Item = [f64; 2]> {
    let share = move |k: usize| (k as f64 + 1.0 / 3.0) / parts as f64;
    (0..parts).flat_map(move |i| (0..parts - i).map(move |j| [share(i), share(j)]))
}

/// How often a mesh winds around a point: its solid angles over 4 pi, each by tan(Ω/2) = a·(b×c) / (abc + (a·b) c +
/// (b·c) a + (c·a) b) (Van Oosterom and Strackee 1983). Half of an angle is the argument of a complex number; they are
/// multiplied, and the turns counted by which the sum of two arguments leaves -π to π.
fn winding(corners: &[[DVec3; 3]], p: DVec3) -> f64 {
    let (mut re, mut im, mut turns) = (1.0_f64, 0.0_f64, 0_i64);
    for triangle in corners {
        let [a, b, c] = triangle.map(|q| q - p);
        let [la, lb, lc] = [a.length(), b.length(), c.length()];
        let x = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        let y = a.dot(b.cross(c));
        if x == 0.0 && y == 0.0 {
            continue;
        }
        let product = (re * x - im * y, re * y + im * x);
        // Where both arguments lie beyond a quarter turn the sum does, whatever the rounding near two of them.
        let over = im >= 0.0 && y >= 0.0 && (product.1 < 0.0 || (re < 0.0 && x < 0.0));
        let under = im < 0.0 && y < 0.0 && product.1 >= 0.0;
        turns += i64::from(over) - i64::from(under);
        (re, im) = product;
        let size = re.abs() + im.abs();
        if !(1e-60..=1e60).contains(&size) {
            (re, im) = (re / size, im / size);
        }
    }
    turns as f64 + libm::atan2(im, re) / (2.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The six sides of a cube, each of 2 n² triangles.
    fn cube(n: usize, side: f64, at: DVec3) -> Vec<[DVec3; 3]> {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let mut faces = Vec::new();
        for k in 0..3 {
            let (u, v, w) = (axes[(k + 1) % 3], axes[(k + 2) % 3], axes[k]);
            for (on, out) in [(0.0, false), (1.0, true)] {
                for cell in 0..n * n {
                    let corner = |i: usize, j: usize| {
                        let share = |k: usize| k as f64 / n as f64;
                        at + side * (share(cell / n + i) * u + share(cell % n + j) * v + on * w)
                    };
                    let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    faces.extend(match out {
                        true => [[a, b, c], [a, c, d]],
                        false => [[a, c, b], [a, d, c]],
                    });
                }
            }
        }
        faces
    }

    /// Around a point in a closed surface it winds once, around one outside not at all, around one in two parts twice,
    /// and with all faces turned the other way round.
    #[test]
    fn a_closed_surface_winds_a_whole_number_of_times() {
        let both = [cube(3, 1.0, DVec3::ZERO), cube(2, 0.4, DVec3::splat(0.3))].concat();
        let turned: Vec<[DVec3; 3]> = both.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let within = |p: DVec3, low: f64, high: f64| {
            p.cmpgt(DVec3::splat(low)).all() && p.cmplt(DVec3::splat(high)).all()
        };
        // Close to the planes of faces, on both sides of them, and away from them.
        let along = [
            -0.7,
            -1e-6,
            1e-6,
            0.1,
            0.3 - 1e-6,
            0.3 + 1e-6,
            0.47,
            0.7 - 1e-6,
            0.7 + 1e-6,
        ];
        let along = along.into_iter().chain([0.9, 1.0 - 1e-6, 1.0 + 1e-6, 30.0]);
        let along: Vec<f64> = along.collect();
        for p in along.iter().flat_map(|x| {
            let row = along.iter().map(move |y| (*x, *y));
            row.flat_map(|(x, y)| along.iter().map(move |z| DVec3::new(x, y, *z)))
        }) {
            let times = f64::from(within(p, 0.0, 1.0)) + f64::from(within(p, 0.3, 0.7));
            // Corners at a millionth keep ten digits of their directions.
            for (faces, times) in [(&both, times), (&turned, -times)] {
                let found = winding(faces, p);
                assert!((found - times).abs() < 1e-6, "{p}: {found}, not {times}");
            }
        }
    }

    /// Of a hundredth of the faces that lie inside four are expected in a sample, in a bounded time.
    #[test]
    fn a_sample_of_any_mesh_is_large_enough() {
        for faces in [
            12, 500, 3000, 6400, 10_000, 99_999, 400_001, 480_000, 1_234_567, 20_000_000,
        ] {
            let sample = Sample::of(faces);
            let places = faces.div_ceil(sample.step) * sample.parts * (sample.parts + 1) / 2;
            assert!(places >= 400, "{faces}: {places}");
            // Work stays in proportion to the faces.
            assert!(
                places <= (40_000_000 / faces).max(2 * 400),
                "{faces}: {places}"
            );
        }
    }

    /// A cube of 1 m and in it one of 0.04 m, of 0.0016 of its area: of a sample with one place on the small one
    /// nothing is said to lie inside; of one in which half of the area lies inside the share is found.
    #[test]
    fn one_face_of_a_sample_is_no_share() {
        let outer = cube(7, 1.0, DVec3::ZERO);
        let small = cube(1, 0.04, DVec3::splat(0.5));
        let sample = Sample { step: 12, parts: 1 };
        let both = [outer.clone(), small].concat();
        assert_eq!(both.len().div_ceil(12), 50);
        assert_eq!(share_of(&both, false, sample), 0.0);
        // All faces of the small one and no other: 0.0016/1.0016.
        let all = share_of(&both, false, Sample { step: 1, parts: 1 });
        assert!((all - 0.0016 / 1.0016).abs() < 1e-9, "{all}");
        // One of 0.9 m: 0.81/1.81 of the area.
        let large = [outer, cube(7, 0.9, DVec3::splat(0.05))].concat();
        let share = share_of(&large, false, sample);
        assert!((share - 0.81 / 1.81).abs() < 0.02, "{share}");
    }
}
