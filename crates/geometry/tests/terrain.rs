//! Ground of every kind: heights, exact contact with a polyhedron, readers, refusals.

use glam::{DQuat, DVec2, DVec3};
use klast_geometry::terrain::*;
use klast_geometry::{ConvexPolyhedron, Manifold, Plane, Pose, Solid, plane_contact};
use proptest::prelude::*;

fn cube() -> ConvexPolyhedron {
    Solid::Cube.with_volume(1.0).unwrap()
}

fn touch(terrain: &dyn Terrain, pose: &Pose, margin: f64) -> (f64, Manifold) {
    let body = cube();
    let mut facets = Vec::new();
    terrain.facets(Area::around(pose.translation.truncate(), 1.0), &mut facets);
    let (mut scratch, mut manifold) = (FacetPatch::default(), Manifold::default());
    let gap = terrain_separation(&body, pose, &facets, f64::INFINITY, &mut scratch)
        .unwrap()
        .gap;
    terrain_contact(&body, pose, &facets, margin, &mut scratch, &mut manifold);
    (gap, manifold)
}

/// A ridge along y through the origin, 45° to both sides.
fn ridge() -> Profile {
    Profile::new(vec![
        DVec2::new(-10.0, -10.0),
        DVec2::ZERO,
        DVec2::new(10.0, -10.0),
    ])
    .unwrap()
}

#[test]
fn a_face_lies_on_a_ridge() {
    // The bottom face at height h over a crest: gap h, normal up, no rock vertex touches. One segment of crest inside
    // the face: no crest corner, so contact comes from the two rock edges that cross the crest, at y = ±0.5.
    let (gap, manifold) = touch(
        &ridge(),
        &Pose::from_translation(DVec3::new(0.1, 0.0, 0.5 + 1e-3)),
        2e-3,
    );
    assert!((gap - 1e-3).abs() < 1e-15, "{gap}");
    assert_eq!(manifold.points.len(), 2, "{manifold:?}");
    for p in &manifold.points {
        assert!((p.gap - 1e-3).abs() < 1e-15 && (p.normal - DVec3::Z).length() < 1e-15);
        assert!(p.point.x.abs() < 1e-15 && (p.point.y.abs() - 0.5).abs() < 1e-15);
    }
}

#[test]
fn a_peak_touches_a_face() {
    // A pyramid raster: one node 1 m above its neighbours, under a face that is turned about z and lies off centre.
    let mut heights = vec![0.0; 25];
    heights[12] = 1.0;
    let grid = Grid::new(5, 5, 1.0, DVec2::new(2.8e6, 1.18e6), heights).unwrap();
    let pose = Pose::new(
        DQuat::from_rotation_z(0.3),
        DVec3::new(2.1, 1.9, 1.5 + 1e-6),
    )
    .unwrap();
    let (gap, manifold) = touch(&grid, &pose, 1e-5);
    assert!((gap - 1e-6).abs() < 1e-15);
    assert_eq!(manifold.points.len(), 1);
    assert_eq!(manifold.points[0].point, DVec3::new(2.0, 2.0, 1.0));
    assert!((manifold.points[0].normal - DVec3::Z).length() < 1e-15);
}

/// Within facets, on their edges and at their corners: against a look at every facet around.
#[test]
fn facets_at_a_point_are_those_that_touch_it() {
    let heights = (0..36).map(|k| f64::from(k * k % 7)).collect();
    let grid = Grid::new(6, 6, 1.0, DVec2::ZERO, heights).unwrap();
    for diagonal in [Diagonal::Rising, Diagonal::Falling] {
        let grid = grid.clone().with_diagonal(diagonal);
        for k in 0..41 * 41 {
            let p = 0.125 * DVec2::new(f64::from(k % 41), f64::from(k / 41));
            let (mut around, mut at) = (Vec::new(), Vec::new());
            grid.facets(Area::around(p, 0.5), &mut around);
            grid.facets_at(Area::around(p, 1e-9), &mut at);
            around.retain(|f| f.inside(p.extend(0.0)) >= 0.0);
            assert_eq!(at, around, "{p}");
            assert!(!at.is_empty() && at.iter().all(|f| f.holds(p.extend(0.0))));
        }
    }
}

/// A profile of four points, and a raster with a hole.
fn grounds() -> [Box<dyn Terrain>; 2] {
    let points = [(0.0, 3.0), (1.0, 1.0), (4.0, 2.5), (5.0, 0.0)];
    let profile = Profile::new(points.map(DVec2::from).to_vec()).unwrap();
    let height = |k: i32| {
        if k == 14 {
            f64::NAN
        } else {
            f64::from(k * k % 7)
        }
    };
    let grid = Grid::new(6, 6, 1.0, DVec2::ZERO, (0..36).map(height).collect()).unwrap();
    [Box::new(profile), Box::new(grid)]
}

/// Areas from a point to the whole ground, and the points of each of them.
fn areas() -> impl Iterator<Item = (Area, Vec<DVec2>)> {
    let at = |k: i32| 0.625 * DVec2::new(f64::from(k % 9), f64::from(k / 9));
    let areas = (0..81 * 81).map(move |k| Area::spanned(at(k % 81), at(k / 81)));
    areas.map(|area| {
        let part = |k: i32| DVec2::new(f64::from(k % 5), f64::from(k / 5)) / 4.0;
        let points = (0..25).map(|k| area.lower + (area.upper - area.lower) * part(k));
        (area, points.collect())
    })
}

#[test]
fn no_ground_in_an_area_is_lower_than_its_lowest_nor_higher_than_its_highest() {
    for (terrain, (area, points)) in grounds().iter().flat_map(|t| areas().map(move |a| (t, a))) {
        let mut heights = Vec::new();
        terrain.heights(&points, &mut heights);
        for (p, height) in points.iter().zip(heights) {
            let surface = terrain.surface(p.x, p.y);
            assert_eq!(
                surface.map_or(f64::NAN, |s| s.height).to_bits(),
                height.to_bits()
            );
            let Some(surface) = surface else { continue };
            let (low, high) = (
                terrain.lowest(area).unwrap(),
                terrain.highest(area).unwrap(),
            );
            // Rounding of heights of up to 6 m.
            let room = 1e-14;
            assert!(
                low - room <= surface.height && surface.height <= high + room,
                "{area} {p}"
            );
        }
    }
    let away = Area::around(DVec2::splat(-3.0), 1.0);
    assert!(grounds().iter().all(|t| t.lowest(away).is_none()));
}

/// Every point of an area is on a facet that is found for the area, by number and height.
#[test]
fn facets_at_an_area_hold_its_points() {
    for (terrain, (area, points)) in grounds().iter().flat_map(|t| areas().map(move |a| (t, a))) {
        let mut facets = Vec::new();
        terrain.facets_at(area.grown(1e-9), &mut facets);
        for p in points {
            let Some(surface) = terrain.surface(p.x, p.y) else {
                continue;
            };
            let under = p.extend(surface.height);
            let held = facets.iter().any(|f| {
                // Rounding of coordinates of up to 60 m.
                f.id == surface.facet && f.inside(under) >= -1e-12 && f.height(under).abs() < 1e-12
            });
            assert!(held, "{area} {p}");
        }
    }
}

#[test]
fn an_edge_crosses_a_ridge() {
    // The cube stands on an edge that is turned by 30° in plan: one crossing, gap and normal straight up.
    let attitude =
        DQuat::from_rotation_z(0.5) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let low = 0.5 * 2f64.sqrt();
    let (gap, manifold) = touch(
        &ridge(),
        &Pose::new(attitude, DVec3::new(0.0, 0.0, low + 1e-4)).unwrap(),
        1e-3,
    );
    assert!((gap - 1e-4).abs() < 1e-14);
    assert_eq!(manifold.points.len(), 1, "{manifold:?}");
    let p = &manifold.points[0];
    assert!((p.point - DVec3::ZERO).length() < 1e-14 && (p.normal - DVec3::Z).length() < 1e-14);
    // Tilted about its own edge direction it still crosses there; in a valley the same edge touches nothing in the
    // middle.
    let valley = Profile::new(vec![
        DVec2::new(-10.0, 10.0),
        DVec2::ZERO,
        DVec2::new(10.0, 10.0),
    ])
    .unwrap();
    let (gap, _) = touch(
        &valley,
        &Pose::new(attitude, DVec3::new(0.0, 0.0, low + 1.0)).unwrap(),
        1e-3,
    );
    // The ends of the edge reach 0.5 cos 0.5 m to either side in x, where the valley stands as high: vertical room 1 −
    // 0.5 cos 0.5, times cos 45°.
    assert!(
        (gap - (1.0 - 0.5 * 0.5f64.cos()) / 2f64.sqrt()).abs() < 1e-14,
        "{gap}"
    );
}

#[test]
fn off_the_map_and_missing_data_are_answers() {
    let mut heights = vec![1.0; 12];
    heights[0] = f64::NAN;
    let grid = Grid::new(4, 3, 2.0, DVec2::ZERO, heights)
        .unwrap()
        .with_crs("EPSG:2056");
    assert_eq!(grid.crs(), Some("EPSG:2056"));
    assert_eq!(grid.surface(-0.1, 1.0), None);
    assert_eq!(grid.surface(f64::NAN, 1.0), None);
    assert_eq!(grid.surface(0.5, 0.4), None);
    assert_eq!(grid.surface(6.0, 4.0).unwrap().height, 1.0);
    assert_eq!(ridge().surface(10.1, 0.0), None);
    let mut facets = Vec::new();
    grid.facets(Area::around(DVec2::new(-50.0, 0.0), 1.0), &mut facets);
    assert!(facets.is_empty());
}

#[test]
fn refusals_name_what_is_wrong() {
    let fold = Profile::new(vec![
        DVec2::ZERO,
        DVec2::new(2.0, 1.0),
        DVec2::new(1.0, 3.0),
    ]);
    assert!(matches!(
        fold,
        Err(TerrainError::FoldsBack { index: 2, .. })
    ));
    assert!(matches!(
        Profile::new(vec![DVec2::ZERO]),
        Err(TerrainError::OutOfRange(e)) if e.found == 1.into()
    ));
    assert!(Profile::new(vec![DVec2::ZERO, DVec2::NAN]).is_err());
    assert!(matches!(
        Grid::new(5, 1, 1.0, DVec2::ZERO, vec![0.0; 5]),
        Err(TerrainError::OutOfRange(e)) if e.field == "raster rows"
    ));
    assert!(Grid::new(2, 2, 1.0, DVec2::ZERO, vec![f64::NAN; 4]).is_err());
    assert!(Grid::new(2, 2, 1.0, DVec2::ZERO, vec![f64::INFINITY; 4]).is_err());
    // Squares of cells and gradients of heights that leave the floats have no normal.
    for cell in [0.0, 1e-7, 1e7, f64::NAN] {
        assert!(Grid::new(2, 2, cell, DVec2::ZERO, vec![0.0; 4]).is_err());
    }
    for (cell, top) in [(1e-6, 1e100), (1e6, -1e100)] {
        let heights = vec![0.0, 0.0, top, top];
        let grid = Grid::new(2, 2, cell, DVec2::ZERO, heights).unwrap();
        let found = grid.surface(0.3 * cell, 0.3 * cell).unwrap();
        let gradient = top / cell;
        assert!((found.normal.y / found.normal.z + gradient).abs() < 1e-9 * gradient.abs());
        assert!((found.normal.length() - 1.0).abs() < 1e-15);
    }
    assert!(Grid::new(2, 2, 1.0, DVec2::ZERO, vec![2e100; 4]).is_err());
    assert!(Grid::new(2, 2, 1.0, DVec2::ZERO, vec![0.0; 5]).is_err());
    assert!(Mesh::new(&[DVec3::ZERO, DVec3::X, DVec3::Z], &[[0, 1, 2]]).is_err());
    assert!(Mesh::new(&[DVec3::ZERO, DVec3::X, DVec3::Y], &[[0, 1, 3]]).is_err());
    assert!(Slope::new(Plane::new(-DVec3::Z, 0.0).unwrap()).is_err());
}

/// Relief with heights along y, as many modelling programs export it; a cliff that is steeper than most; lines among
/// triangles.
#[test]
fn a_mesh_on_its_side_is_named_and_lines_are_passed_over() {
    let relief = |x: f64, y: f64| 3.0 * (0.7 * x).sin() * (0.9 * y).cos();
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..100u32 {
        let (x, y) = (f64::from(k % 10), f64::from(k / 10));
        points.push(DVec3::new(x, y, relief(x, y)));
        if k % 10 < 9 && k / 10 < 9 {
            triangles.extend([[k, k + 1, k + 11], [k, k + 11, k + 10]]);
        }
    }
    assert_eq!(Mesh::new(&points, &triangles).unwrap().passed_over(), 0);
    let turned: Vec<DVec3> = points.iter().map(|p| DVec3::new(p.x, p.z, -p.y)).collect();
    assert!(matches!(
        Mesh::new(&turned, &triangles),
        Err(TerrainError::OnItsSide { axis: "y", .. })
    ));
    let cliff: Vec<DVec3> = points
        .iter()
        .map(|p| DVec3::new(p.x, p.y, 20.0 * p.x + 0.1 * p.z))
        .collect();
    assert!(Mesh::new(&cliff, &triangles).is_ok());
    triangles.extend([[0, 1, 2], [3, 3, 4]]);
    points[1].z = 0.5 * (points[0].z + points[2].z);
    let mesh = Mesh::new(&points, &triangles).unwrap();
    assert_eq!((mesh.passed_over(), mesh.triangles().len()), (2, 162));
}

#[test]
fn every_kind_agrees_on_a_plane() {
    // z = 100 − 0.3 x + 0.1 y as slope, raster (all three cell surfaces) and mesh.
    let height = |x: f64, y: f64| 100.0 - 0.3 * x + 0.1 * y;
    let nodes = |n: usize| (0..n * n).map(move |k| ((k % n) as f64, (k / n) as f64));
    let heights: Vec<f64> = nodes(6).map(|(x, y)| height(x, y)).collect();
    let points: Vec<DVec3> = nodes(6)
        .map(|(x, y)| DVec3::new(x, y, height(x, y)))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..25u32)
        .flat_map(|c| {
            let a = (c / 5) * 6 + c % 5;
            [[a, a + 1, a + 7], [a, a + 7, a + 6]]
        })
        .collect();
    let grid = Grid::new(6, 6, 1.0, DVec2::ZERO, heights).unwrap();
    let slope = Slope::new(
        Plane::through(DVec3::new(0.0, 0.0, 100.0), DVec3::new(0.3, -0.1, 1.0)).unwrap(),
    )
    .unwrap();
    let kinds: Vec<Box<dyn Terrain>> = vec![
        Box::new(slope),
        Box::new(grid.clone()),
        Box::new(grid.clone().with_diagonal(Diagonal::Falling)),
        Box::new(grid.with_diagonal(Diagonal::Bilinear(3))),
        Box::new(Mesh::new(&points, &triangles).unwrap()),
    ];
    for kind in &kinds {
        for (x, y) in [(0.0, 0.0), (0.3, 4.9), (2.0, 3.0), (4.99, 0.01), (5.0, 5.0)] {
            let s = kind.surface(x, y).unwrap();
            assert!((s.height - height(x, y)).abs() < 1e-13);
            assert!((s.normal - slope.as_plane().unwrap().normal).length() < 1e-13);
        }
    }
}

fn rotation() -> impl Strategy<Value = DQuat> {
    (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64)
        .prop_filter("not zero", |q| {
            q.0.abs() + q.1.abs() + q.2.abs() + q.3.abs() > 0.1
        })
        .prop_map(|q| DQuat::from_xyzw(q.0, q.1, q.2, q.3).normalize())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn seams_of_a_plane_do_not_show(q in rotation(), x in 3.0..7.0f64, y in 3.0..7.0f64, lift in -0.01..0.01f64, a in -0.5..0.5f64, b in -0.5..0.5f64) {
        // A tilted plane as a raster of 0.7 m cells: the same contacts as with the plane, none at the seams.
        let n = 16;
        let heights = (0..n * n).map(|k| a * (k % n) as f64 * 0.7 + b * (k / n) as f64 * 0.7).collect();
        let grid = Grid::new(n, n, 0.7, DVec2::ZERO, heights).unwrap();
        let plane = Plane::new(DVec3::new(-a, -b, 1.0), 0.0).unwrap();
        let body = cube();
        let down = q.conjugate() * -plane.normal;
        let reach = body.vertices()[body.support(down)].dot(down);
        let foot = DVec3::new(x, y, a * x + b * y);
        let pose = Pose::new(q, foot + plane.normal * (reach + lift)).unwrap();
        let (gap, manifold) = touch(&grid, &pose, 0.02);
        // Rounding of coordinates up to 10 m.
        prop_assert!((gap - lift).abs() < 1e-13, "{} {}", gap, lift);
        let mut flat = Manifold::default();
        plane_contact(&body, &pose, &plane, 0.02, &mut flat);
        prop_assert_eq!(manifold.points.len(), flat.points.len());
        for p in &flat.points {
            prop_assert!(manifold.points.iter().any(|m| m.feature == p.feature && (m.point - p.point).length() < 1e-12 && (m.gap - p.gap).abs() < 1e-12));
        }
    }

    #[test]
    fn seams_of_meshes_in_one_plane_do_not_show(q in rotation(), x in 4.4..5.6f64, y in 3.0..7.0f64, lift in -0.01..0.01f64, a in -0.5..0.5f64, b in -0.5..0.5f64) {
        // Two triangles up to x = 5, twenty beyond: the corners of the one side are none of the other.
        let at = |x: f64, y: f64| DVec3::new(x, y, a * x + b * y);
        let left = [at(0.0, 0.0), at(5.0, 0.0), at(5.0, 10.0), at(0.0, 10.0)];
        let nodes = (0..=10).flat_map(|k| [at(5.0, f64::from(k)), at(10.0, f64::from(k))]);
        let right: Vec<DVec3> = nodes.collect();
        let fine: Vec<[u32; 3]> = (0..10u32).flat_map(|k| [[2 * k, 2 * k + 1, 2 * k + 3], [2 * k, 2 * k + 3, 2 * k + 2]]).collect();
        let parts = [
            MeshPart { points: &left, triangles: &[[0, 1, 2], [0, 2, 3]] },
            MeshPart { points: &right, triangles: &fine },
        ];
        let mesh = JoinedMesh::new(&parts).unwrap().into_mesh();
        let plane = Plane::new(DVec3::new(-a, -b, 1.0), 0.0).unwrap();
        let body = cube();
        let down = q.conjugate() * -plane.normal;
        let reach = body.vertices()[body.support(down)].dot(down);
        let pose = Pose::new(q, at(x, y) + plane.normal * (reach + lift)).unwrap();
        let (_, manifold) = touch(&mesh, &pose, 0.02);
        let mut flat = Manifold::default();
        plane_contact(&body, &pose, &plane, 0.02, &mut flat);
        prop_assert_eq!(manifold.points.len(), flat.points.len());
        for p in &flat.points {
            // Rounding of coordinates up to 10 m.
            prop_assert!(manifold.points.iter().any(|m| (m.point - p.point).length() < 1e-12 && (m.gap - p.gap).abs() < 1e-12));
        }
    }

    #[test]
    fn separation_has_the_sign_of_overlap(q in rotation(), x in 2.5..4.5f64, y in 2.5..4.5f64, z in 0.0..2.5f64, seed in 0..1000u64) {
        // Rough ground. Overlap is tested by points: rock points under the ground, from a lattice and along edges.
        let n = 8;
        let heights: Vec<f64> = (0..n * n).map(|k: u64| ((k.wrapping_mul(2654435761).wrapping_add(seed * 977)) % 1000) as f64 * 1e-3).collect();
        let grid = Grid::new(n as usize, n as usize, 1.0, DVec2::ZERO, heights).unwrap();
        let pose = Pose::new(q, DVec3::new(x, y, z)).unwrap();
        let (gap, manifold) = touch(&grid, &pose, 1e-6);
        let mut deepest = f64::INFINITY;
        let steps = 14;
        for i in 0..=steps { for j in 0..=steps { for k in 0..=steps {
            let local = (DVec3::new(i as f64, j as f64, k as f64) / steps as f64) - DVec3::splat(0.5);
            let p = pose.transform_point(local);
            if let Some(s) = grid.surface(p.x, p.y) { deepest = deepest.min(p.z - s.height); }
        }}}
        // A lattice point under the ground means overlap; separation over 0.25 m (steeper than any lattice gap allows
        // to hide) means none.
        if deepest < -1e-12 { prop_assert!(gap < 0.0, "{} {}", gap, deepest); }
        if deepest > 0.35 { prop_assert!(gap > 0.0, "{} {}", gap, deepest); }
        if gap > 1e-6 { prop_assert!(manifold.points.is_empty()); }
        // Apart, the separation is at most the vertical room of any rock point.
        prop_assert!(gap <= deepest.max(0.0) + 1e-12);
    }
}
