//! The tessellation fills the box, its faces pair up, and every cell is the set of points nearest to its seed.

use glam::DVec3;
use klast_dem::{Cell, CellFace, DemError, FaceSource, Voronoi};
use klast_numerics::SplitMix64;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn point(draw: &mut SplitMix64, high: DVec3) -> DVec3 {
    high * DVec3::new(draw.unit(), draw.unit(), draw.unit())
}

fn sample(seed: u64, n: usize, high: DVec3) -> Vec<DVec3> {
    let mut draw = SplitMix64::new(seed);
    (0..n).map(|_| point(&mut draw, high)).collect()
}

#[test]
fn the_cells_fill_the_box() {
    let high = DVec3::new(3.5, 2.7, 3.5);
    let diagram = Voronoi::new(DVec3::ZERO, high, &sample(3, 3000, high)).unwrap();
    let total: f64 = diagram.cells.iter().map(|c| c.measure().volume).sum();
    // 3000 sums of about 40 pyramids each: rounding stays under 1e-12 of the whole.
    assert!((total / high.element_product() - 1.0).abs() < 1e-12);
}

#[test]
fn a_point_is_in_the_cell_of_its_nearest_seed_only() {
    let high = DVec3::new(1.0, 0.4, 2.0);
    let seeds = sample(5, 300, high);
    let diagram = Voronoi::new(DVec3::ZERO, high, &seeds).unwrap();
    let mut draw = SplitMix64::new(17);
    for _ in 0..20_000 {
        let p = point(&mut draw, high);
        let mut by_distance: Vec<(f64, usize)> = seeds
            .iter()
            .enumerate()
            .map(|(i, s)| (s.distance(p), i))
            .collect();
        by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Points within 1e-9 of a bisector belong to either.
        if by_distance[1].0 - by_distance[0].0 < 1e-9 {
            continue;
        }
        for (k, &(_, i)) in by_distance.iter().take(4).enumerate() {
            let cell = &diagram.cells[i];
            let inside = cell.faces.iter().all(|f| {
                let [a, b, c] = [0, 1, 2].map(|j| cell.vertices[f.vertices[j] as usize]);
                // Orientation only: the third vertex of a sliver face would make the normal noisy.
                let n = (b - a).cross(c - a);
                n.dot(p - a) <= 1e-12
            });
            assert_eq!(inside, k == 0, "point {p} and the {k}-th nearest seed {i}");
        }
    }
}

/// Another author's tessellation (Meshless Voronoi after Ray, Sokolov, Lefebvre and Lévy 2018) of the same seeds:
/// volume, centroid, neighbours and the area of each face.
#[test]
fn cells_agree_with_an_independent_library() {
    let high = DVec3::new(3.5, 2.7, 1.5);
    let seeds = sample(31, 800, high);
    let ours = Voronoi::new(DVec3::ZERO, high, &seeds).unwrap();
    let points: Vec<_> = seeds.iter().map(|s| s.to_array().into()).collect();
    let theirs = meshless_voronoi::Voronoi::build(
        &points,
        [0.0; 3].into(),
        high.to_array().into(),
        meshless_voronoi::Dimensionality::ThreeD,
        false,
    );
    let mean = high.element_product() / seeds.len() as f64;
    // A corner is the meeting of three planes; sharp ones lose up to four digits of 16, their sums little more.
    let (volume, length, area) = (
        1e-10 * mean,
        1e-10 * mean.cbrt(),
        1e-10 * mean.powf(2.0 / 3.0),
    );
    let mut faces = 0;
    for (cell, other) in ours.cells.iter().zip(theirs.cells()) {
        let measure = cell.measure();
        let centroid: DVec3 = other.centroid().to_array().into();
        assert!((measure.volume - other.volume()).abs() < volume);
        assert!((measure.centroid - centroid).length() < length);
    }
    let theirs: BTreeMap<(usize, usize), f64> = theirs
        .faces()
        .iter()
        .filter_map(|f| {
            let (i, j) = (f.left(), f.right()?);
            Some(((i.min(j), i.max(j)), f.area()))
        })
        .collect();
    let mut areas: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (i, cell) in ours.cells.iter().enumerate() {
        for face in &cell.faces {
            if let FaceSource::Seed(j) = face.source
                && i < j as usize
            {
                let corner = |k: u32| cell.vertices[k as usize];
                let first = corner(face.vertices[0]);
                let twice: DVec3 = face.vertices[1..]
                    .windows(2)
                    .map(|w| (corner(w[0]) - first).cross(corner(w[1]) - first))
                    .sum();
                areas.insert((i, j as usize), 0.5 * twice.length());
            }
        }
    }
    // A face that only one of them has must be a sliver.
    for pair in areas.keys().chain(theirs.keys()) {
        let [a, b] = [&areas, &theirs].map(|m| m.get(pair).copied().unwrap_or(0.0));
        assert!((a - b).abs() < area, "{pair:?}: {a} {b}");
        faces += 1;
    }
    // 15.5 faces a cell of a Poisson tessellation, fewer at the sides; each shared by two, each listed twice here.
    assert!(faces > 10 * seeds.len(), "{faces}");
}

/// Independent reference: the vertices of a cell are the circumcentres of four seeds with no other seed nearer.
/// Brute force over all triples of neighbours, by solving three plane equations.
#[test]
fn vertices_agree_with_brute_force_triples() {
    let high = DVec3::ONE;
    let seeds = sample(8, 24, high);
    let diagram = Voronoi::new(DVec3::ZERO, high, &seeds).unwrap();
    for (i, cell) in diagram.cells.iter().enumerate() {
        let mut planes: Vec<(DVec3, f64)> = vec![
            (-DVec3::X, 0.0),
            (DVec3::X, 1.0),
            (-DVec3::Y, 0.0),
            (DVec3::Y, 1.0),
            (-DVec3::Z, 0.0),
            (DVec3::Z, 1.0),
        ];
        for (j, s) in seeds.iter().enumerate() {
            if j != i {
                let n = (*s - seeds[i]).normalize();
                planes.push((n, n.dot(0.5 * (*s + seeds[i]))));
            }
        }
        let mut found = Vec::new();
        for a in 0..planes.len() {
            for b in a + 1..planes.len() {
                for c in b + 1..planes.len() {
                    let m =
                        glam::DMat3::from_cols(planes[a].0, planes[b].0, planes[c].0).transpose();
                    if m.determinant().abs() < 1e-12 {
                        continue;
                    }
                    let x = m.inverse() * DVec3::new(planes[a].1, planes[b].1, planes[c].1);
                    if planes.iter().all(|(n, d)| n.dot(x) <= d + 1e-10) {
                        found.push(x);
                    }
                }
            }
        }
        assert_eq!(found.len(), cell.vertices.len(), "cell {i}");
        for x in &found {
            let near = cell
                .vertices
                .iter()
                .map(|v| v.distance(*x))
                .fold(f64::MAX, f64::min);
            // Two different orders of solving; the worst triple has a determinant of about 1e-4.
            assert!(near < 1e-10, "cell {i}: {near}");
        }
    }
}

#[test]
fn shared_faces_have_equal_area_and_opposite_sides() {
    let high = DVec3::splat(2.0);
    let diagram = Voronoi::new(DVec3::ZERO, high, &sample(21, 400, high)).unwrap();
    let area = |i: usize, source: FaceSource| -> Option<DVec3> {
        let cell = &diagram.cells[i];
        let face = cell.faces.iter().find(|f| f.source == source)?;
        let at = |k: usize| {
            cell.vertices[face.vertices[k] as usize] - cell.vertices[face.vertices[0] as usize]
        };
        Some(
            (1..face.vertices.len() - 1)
                .map(|k| at(k).cross(at(k + 1)) * 0.5)
                .sum(),
        )
    };
    for (i, cell) in diagram.cells.iter().enumerate() {
        let mut sum = DVec3::ZERO;
        for face in &cell.faces {
            let own = area(i, face.source).unwrap();
            sum += own;
            if let FaceSource::Seed(j) = face.source {
                let other = area(j as usize, FaceSource::Seed(i as u32)).unwrap_or(DVec3::ZERO);
                // A face whose area is rounding may exist on one side only.
                assert!((own + other).length() < 1e-11, "{i} {j}");
            }
        }
        assert!(sum.length() < 1e-12, "cell {i} is not closed");
    }
}

/// Poisson seeds: the spread of the equivalent diameter is a known constant of the process.
#[test]
fn the_diameter_scatters_as_poisson_voronoi_cells_do() {
    let high = DVec3::ONE;
    let seeds = sample(1, 12_000, high);
    let diagram = Voronoi::new(DVec3::ZERO, high, &seeds).unwrap();
    // Interior cells only: those at the box are cut.
    let diameters: Vec<f64> = diagram
        .cells
        .iter()
        .filter(|c| {
            c.faces
                .iter()
                .all(|f| matches!(f.source, FaceSource::Seed(_)))
        })
        .map(|c| (6.0 * c.measure().volume / std::f64::consts::PI).cbrt())
        .collect();
    let n = diameters.len() as f64;
    let mean = diameters.iter().sum::<f64>() / n;
    let spread = (diameters.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / n).sqrt() / mean;
    // 0.1473 from 3000 periodic cells of an independent code; sampling error of both together is 0.003 (one sigma).
    assert!((spread - 0.147).abs() < 0.009, "{spread}");
}

#[test]
fn bad_input_is_named() {
    let one = DVec3::ONE;
    assert!(matches!(
        Voronoi::new(DVec3::ZERO, one, &[]),
        Err(DemError::OutOfRange(_))
    ));
    assert!(matches!(
        Voronoi::new(one, one, &[one]),
        Err(DemError::ContainerTooSmall { .. })
    ));
    assert!(matches!(
        Voronoi::new(DVec3::ZERO, one, &[DVec3::splat(2.0)]),
        Err(DemError::OutOfRange(_))
    ));
    assert!(matches!(
        Voronoi::new(DVec3::ZERO, one, &[DVec3::splat(f64::NAN)]),
        Err(DemError::OutOfRange(_))
    ));
    assert!(matches!(
        Voronoi::new(DVec3::ZERO, one, &[one * 0.5, one * 0.5]),
        Err(DemError::SeedsCoincide {
            first: 0,
            second: 1,
            ..
        })
    ));
}

#[test]
fn a_half_space_beside_a_cell_leaves_all_or_nothing_of_it() {
    let cube = Cell::from_box(DVec3::ZERO, DVec3::ONE);
    // x ≤ 2 holds all of the cube, x ≤ −1 nothing, x ≤ 0 a face without volume, x ≤ 1/4 a quarter.
    for (offset, changed, volume) in [
        (2.0, false, 1.0),
        (1.0, false, 1.0),
        (0.25, true, 0.25),
        (0.0, true, 0.0),
        (-1.0, true, 0.0),
    ] {
        let mut cell = cube.clone();
        let cut = cell.cut(DVec3::X, offset, FaceSource::Seed(0));
        assert_eq!(cut, Ok(changed), "{offset}");
        assert_eq!(cell.measure().volume, volume, "{offset}");
        assert_eq!(cell.faces.is_empty(), volume == 0.0, "{offset}");
    }
    // Nothing stays nothing.
    let mut empty = cube.clone();
    for changed in [true, false] {
        assert_eq!(empty.cut(DVec3::X, -1.0, FaceSource::Seed(0)), Ok(changed));
    }
}

/// A prism over a U: a plane across both its legs leaves two parts.
#[test]
fn a_cut_that_cannot_be_made_is_an_error_and_leaves_the_cell() {
    let outline = [
        (0.0, 0.0),
        (3.0, 0.0),
        (3.0, 2.0),
        (2.0, 2.0),
        (2.0, 1.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (0.0, 2.0),
    ];
    let level = |z: f64| outline.map(|(x, y)| DVec3::new(x, y, z));
    let face = |vertices: Vec<u32>| CellFace {
        vertices,
        source: FaceSource::Box(0),
    };
    let mut faces = vec![face((0..8).rev().collect()), face((8..16).collect())];
    faces.extend((0..8).map(|k| face(vec![k, (k + 1) % 8, (k + 1) % 8 + 8, k + 8])));
    let whole = Cell {
        vertices: [level(0.0), level(1.0)].concat(),
        faces,
    };
    // Bars of 3 x 1 x 1 and twice 1 x 1 x 1.
    assert!((whole.measure().volume - 5.0).abs() < 1e-14);
    for (normal, offset) in [
        (-DVec3::Y, -1.5),
        (DVec3::X * f64::NAN, 1.0),
        (DVec3::X, f64::INFINITY),
    ] {
        let mut cell = whole.clone();
        let cut = cell.cut(normal, offset, FaceSource::Seed(0));
        assert!(matches!(cut, Err(DemError::Cut { .. })), "{cut:?}");
        assert_eq!(cell, whole);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Lattices are the worst case: many planes through one vertex.
    #[test]
    fn a_lattice_with_little_noise_still_fills_the_box(n in 2usize..6, noise in prop::sample::select(vec![0.0, 1e-16, 1e-12, 1e-6]), seed in 0u64..1000) {
        let mut draw = SplitMix64::new(seed);
        let mut seeds = Vec::new();
        for z in 0..n { for y in 0..n { for x in 0..n {
            let at = (DVec3::new(x as f64, y as f64, z as f64) + 0.5) / n as f64;
            seeds.push(at + noise * (point(&mut draw, DVec3::ONE) - 0.5));
        } } }
        let diagram = Voronoi::new(DVec3::ZERO, DVec3::ONE, &seeds).unwrap();
        let total: f64 = diagram.cells.iter().map(|c| c.measure().volume).sum();
        // Planes that pass within rounding of a vertex may take a sliver of that height from it.
        prop_assert!((total - 1.0).abs() < 1e-9, "{}", total);
        for cell in &diagram.cells {
            let edges: usize = cell.faces.iter().map(|f| f.vertices.len()).sum::<usize>() / 2;
            prop_assert_eq!(cell.vertices.len() + cell.faces.len(), edges + 2);
        }
    }
}
