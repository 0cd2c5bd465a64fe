//! Hulls: true facets, degenerate input refused with its cause.

use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, GeometryError, Pose, Solid};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn grid(n: i32) -> Vec<DVec3> {
    let mut points = vec![];
    for (x, y, z) in (0..n).flat_map(|x| (0..n).flat_map(move |y| (0..n).map(move |z| (x, y, z)))) {
        points.push(DVec3::new(f64::from(x), f64::from(y), f64::from(z)) / f64::from(n - 1) - 0.5);
    }
    points
}

fn check_closed(body: &ConvexPolyhedron) {
    let (v, e, f) = (
        body.vertices().len(),
        body.edges().len(),
        body.facets().len(),
    );
    assert_eq!(v + f, e + 2, "Euler");
    // Normals weighted with areas sum to zero on a closed surface: 1e-12 is rounding on bodies of size 1.
    let areas: DVec3 = (0..f)
        .map(|i| {
            let p: Vec<DVec3> = body
                .facet_vertices(i)
                .iter()
                .map(|&k| body.vertices()[k as usize])
                .collect();
            (1..p.len() - 1)
                .map(|k| (p[k] - p[0]).cross(p[k + 1] - p[0]))
                .sum::<DVec3>()
        })
        .sum();
    assert!(areas.length() < 1e-12, "{areas}");
    for (i, edge) in body.edges().iter().enumerate() {
        for f in edge.facets {
            assert!(body.facet_edges(f as usize).contains(&(i as u32)));
            assert!(
                edge.vertices
                    .iter()
                    .all(|v| body.facet_vertices(f as usize).contains(v))
            );
            assert!(
                edge.vertices
                    .iter()
                    .all(|v| body.vertex_facets(*v as usize).contains(&f))
            );
        }
        assert!(
            body.vertex_neighbours(edge.vertices[0] as usize)
                .contains(&edge.vertices[1])
        );
        assert!(
            body.vertex_edges(edge.vertices[1] as usize)
                .contains(&(i as u32))
        );
    }
}

#[test]
fn a_turned_lattice_is_a_cube_with_six_square_facets() {
    let mut turn = DQuat::IDENTITY;
    for k in 0..200 {
        turn =
            (turn * DQuat::from_scaled_axis(DVec3::new(0.7, 0.3, 0.1) * f64::from(k))).normalize();
        let points: Vec<DVec3> = grid(4)
            .iter()
            .map(|p| turn * *p + DVec3::new(3.0, -7.0, 11.0))
            .collect();
        let body = ConvexPolyhedron::from_points(&points).unwrap();
        assert_eq!(
            (
                body.vertices().len(),
                body.edges().len(),
                body.facets().len()
            ),
            (8, 12, 6)
        );
        assert!((0..6).all(|f| body.facet_vertices(f).len() == 4));
        check_closed(&body);
        // 1e-13: rounding of coordinates of order 10.
        assert!((body.volume() - 1.0).abs() < 1e-13);
    }
}

#[test]
fn flat_input_is_refused_with_its_cause() {
    let cause = |p: &[DVec3]| match ConvexPolyhedron::from_points(p) {
        Err(GeometryError::Flat { shape, .. }) => shape,
        other => panic!("{other:?}"),
    };
    let (x, y) = (DVec3::X, DVec3::new(0.3, 1.0, 0.2));
    assert_eq!(cause(&[x; 5]), "coincident");
    assert_eq!(cause(&[DVec3::ZERO, x, 2.0 * x, 0.3 * x]), "collinear");
    assert_eq!(
        cause(&[DVec3::ZERO, x, y, x + y, 0.3 * x - 2.0 * y]),
        "coplanar"
    );
    let thin: Vec<DVec3> = [DVec3::ZERO, x, y, x + y]
        .iter()
        .flat_map(|p| [*p, *p + DVec3::Z * 1e-12])
        .collect();
    assert_eq!(cause(&thin), "coplanar");
    assert!(matches!(
        ConvexPolyhedron::from_points(&[x, y, x + y]),
        Err(GeometryError::OutOfRange(e)) if e.to_string() == "number of points is 3; accepted: 4 or more"
    ));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut p = grid(2);
        p[3].y = bad;
        assert!(matches!(
            ConvexPolyhedron::from_points(&p),
            Err(GeometryError::OutOfRange(e)) if e.index == Some(3)
        ));
    }
    let huge: Vec<DVec3> = grid(2).iter().map(|p| *p * 1e200).collect();
    assert!(matches!(
        ConvexPolyhedron::from_points(&huge),
        Err(GeometryError::OutOfRange(_))
    ));
}

#[test]
fn plates_keep_their_two_nearly_parallel_facets() {
    // A wedge of 1e-5 rad: parry's own facets would merge both sides at 1.7e-4 rad.
    let tilt = 1e-5;
    let points: Vec<DVec3> = grid(2)
        .iter()
        .map(|p| DVec3::new(p.x, p.y, if p.z > 0.0 { 0.01 + tilt * p.x } else { 0.0 }))
        .chain([DVec3::new(0.0, 0.0, 0.01 + 2.0 * tilt)])
        .collect();
    let body = ConvexPolyhedron::from_points(&points).unwrap();
    assert_eq!(
        body.facets().len(),
        9,
        "a square pyramid with slopes of 1e-5 on a box"
    );
    check_closed(&body);
}

#[test]
fn facets_that_do_not_close_are_refused() {
    let cube = Solid::Cube.with_size(1.0).unwrap();
    let build = |loops: &[Vec<u32>]| ConvexPolyhedron::from_facets(cube.vertices().to_vec(), loops);
    let loops = cube.loops();
    let same = build(&loops).unwrap();
    assert_eq!(same, cube);
    assert!(matches!(
        build(&loops[1..]),
        Err(GeometryError::NotClosed { .. })
    ));
    let mut turned = loops.clone();
    turned[0].reverse();
    assert!(matches!(
        build(&turned),
        Err(GeometryError::NotClosed { .. })
    ));
    let inside_out: Vec<Vec<u32>> = loops
        .iter()
        .map(|l| l.iter().rev().copied().collect())
        .collect();
    assert!(matches!(
        build(&inside_out),
        Err(GeometryError::NotConvex { .. })
    ));
    let mut wrong = loops.clone();
    wrong[2][1] = 99;
    assert!(matches!(
        build(&wrong),
        Err(GeometryError::BadFacet { facet: 2, .. })
    ));
    let mut twice = loops.clone();
    twice[2][1] = twice[2][0];
    assert!(matches!(
        build(&twice),
        Err(GeometryError::BadFacet { facet: 2, .. })
    ));
    let mut bent = cube.vertices().to_vec();
    bent[0] *= 1.001;
    assert!(matches!(
        ConvexPolyhedron::from_facets(bent, &loops),
        Err(GeometryError::NotConvex { .. } | GeometryError::NotFlat { .. })
    ));
    let mut dented = cube.vertices().to_vec();
    dented[0] *= 0.2;
    let triangles: Vec<Vec<u32>> = loops
        .iter()
        .flat_map(|l| [vec![l[0], l[1], l[2]], vec![l[0], l[2], l[3]]])
        .collect();
    assert_eq!(
        ConvexPolyhedron::from_facets(cube.vertices().to_vec(), &triangles)
            .unwrap()
            .facets()
            .len(),
        6
    );
    assert!(matches!(
        ConvexPolyhedron::from_facets(dented, &triangles),
        Err(GeometryError::NotConvex { .. })
    ));
    // Two cubes apart in one list of facets close, but are no single solid.
    let far: Vec<DVec3> = cube
        .vertices()
        .iter()
        .chain(cube.vertices())
        .copied()
        .collect();
    let both: Vec<Vec<u32>> = loops
        .iter()
        .cloned()
        .chain(loops.iter().map(|l| l.iter().map(|v| v + 8).collect()))
        .collect();
    assert!(matches!(
        ConvexPolyhedron::from_facets(far, &both),
        Err(GeometryError::NotOneSolid { found: 4 })
    ));
}

#[test]
fn poses_refuse_what_is_no_pose() {
    assert!(Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO).is_err());
    assert!(Pose::new(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DVec3::ZERO).is_err());
    assert!(Pose::new(DQuat::IDENTITY, DVec3::new(0.0, f64::INFINITY, 0.0)).is_err());
    let pose = Pose::new(DQuat::from_xyzw(0.0, 0.0, 3.0, 4.0), DVec3::X).unwrap();
    assert!((pose.rotation.length() - 1.0).abs() < 1e-15);
}

fn cloud() -> impl Strategy<Value = Vec<DVec3>> {
    proptest::collection::vec((-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64), 4..60)
        .prop_map(|v| v.into_iter().map(|(x, y, z)| DVec3::new(x, y, z)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn hulls_hold_all_points_and_their_supports(points in cloud(), snap in prop::bool::ANY) {
        // Snapped to a lattice of 1/4, clouds have duplicates, coplanar and collinear points.
        let points: Vec<DVec3> = points.iter().map(|p| if snap { (*p * 4.0).round() / 4.0 } else { *p }).collect();
        if let Ok(body) = ConvexPolyhedron::from_points(&points) {
            check_closed(&body);
            for f in body.facets() {
                for p in &points {
                    // Ten times the merging tolerance of 1e-12 at size 2.
                    prop_assert!(f.normal.dot(*p) <= f.offset + 2e-11);
                }
            }
            for p in &points {
                let best = body.vertices()[body.support(*p)].dot(*p);
                prop_assert!(points.iter().all(|q| q.dot(*p) <= best + 1e-12));
            }
        } else {
            prop_assert!(snap, "{points:?}");
        }
    }

    #[test]
    fn poses_compose_and_invert(a in [-3.0..3.0f64, -3.0..3.0, -3.0..3.0], t in [-9.0..9.0f64, -9.0..9.0, -9.0..9.0], p in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0]) {
        let a = Pose { rotation: DQuat::from_scaled_axis(a.into()), translation: t.into() };
        let b = Pose { rotation: DQuat::from_scaled_axis(DVec3::from(p) * 2.0), translation: DVec3::from(p) * 3.0 };
        let p = DVec3::from(p);
        // 1e-13: a few ulp of coordinates of order 10.
        prop_assert!((a.inverse_transform_point(a.transform_point(p)) - p).length() < 1e-13);
        prop_assert!((a.inverse().transform_point(a.transform_point(p)) - p).length() < 1e-13);
        prop_assert!(((a * b).transform_point(p) - a.transform_point(b.transform_point(p))).length() < 1e-13);
        prop_assert!((a.relative(&b).transform_point(p) - a.inverse_transform_point(b.transform_point(p))).length() < 1e-13);
    }
}

/// A reduced hull lies inside, is nowhere farther from the full one than its tolerance, and needs far fewer vertices.
#[test]
fn a_reduced_hull_is_as_near_as_it_says() {
    let mut rng = Pcg64::seed_from_u64(7);
    let mut draw = || 2.0 * rng.random::<f64>() - 1.0;
    let points: Vec<DVec3> = (0..600)
        .map(|_| DVec3::new(draw(), draw(), draw()).normalize_or(DVec3::Z))
        .map(|p| p * DVec3::new(1.0, 0.8, 0.6))
        .collect();
    let full = ConvexPolyhedron::from_points(&points).unwrap();
    for tolerance in [0.05, 0.01, 1e-3] {
        let reduced = full.reduced(tolerance).unwrap();
        let over = |v: &DVec3| {
            let above = reduced.facets().iter().map(|f| f.normal.dot(*v) - f.offset);
            above.fold(f64::NEG_INFINITY, f64::max)
        };
        let farthest = full.vertices().iter().map(over).fold(0.0, f64::max);
        assert!(farthest <= tolerance, "{farthest} {tolerance}");
        assert!(
            reduced
                .vertices()
                .iter()
                .all(|v| full.vertices().contains(v))
        );
        // An ellipsoid of axes up to 1: a facet of chord c has a sagitta of at least c²/8.
        let most = 4.0 * std::f64::consts::PI / tolerance;
        assert!(
            (reduced.vertices().len() as f64) < most.min(601.0),
            "{}",
            reduced.vertices().len()
        );
    }
    assert_eq!(
        full.reduced(0.0).unwrap().vertices().len(),
        full.vertices().len()
    );
}

/// A box with a chamfer of 1e-12 to 1e-6 of its size, and plates from just above the stated bound on (1e-10 of the
/// largest extent along an axis), in random attitudes: none is refused, each is closed and as large as it is. The
/// example `attitudes` has 10,000 of each.
#[test]
fn chamfers_and_plates_are_taken_in_every_attitude() {
    let mut dice = Pcg64::seed_from_u64(58);
    let section = |cut: f64| {
        [
            (-0.5, -0.5),
            (0.5, -0.5),
            (0.5, 0.5 - cut),
            (0.5 - cut, 0.5),
            (-0.5, 0.5),
        ]
    };
    for power in 0..120 {
        let width = 10f64.powf(-6.0 - 0.05 * f64::from(power));
        let both = section(width / 2f64.sqrt()).into_iter();
        let chamfered: Vec<DVec3> = both
            .flat_map(|(x, z)| [-0.5, 0.5].map(|y| DVec3::new(x, y, z)))
            .collect();
        let thin = 10f64.powf(-9.7 + 0.05 * f64::from(power));
        let plate = grid(2);
        for _ in 0..5 {
            let [a, b, c, d] = std::array::from_fn(|_| dice.random::<f64>() - 0.5);
            let turn = DQuat::from_xyzw(a, b, c, d).normalize();
            let turned: Vec<DVec3> = chamfered.iter().map(|p| turn * *p).collect();
            let body = ConvexPolyhedron::from_points(&turned).unwrap();
            check_closed(&body);
            // The chamfer takes less than its width.
            assert!((body.volume() - 1.0).abs() < width + 1e-12, "{width}");
            let flat = DVec3::new(1.0, 1.0, thin);
            let turned: Vec<DVec3> = plate.iter().map(|p| turn * (*p * flat)).collect();
            let (low, high) = turned
                .iter()
                .fold((turned[0], turned[0]), |(l, h), p| (l.min(*p), h.max(*p)));
            let bound = 1e-10 * (high - low).max_element();
            assert!(thin > 1.01 * bound);
            let body = ConvexPolyhedron::from_points(&turned).unwrap();
            check_closed(&body);
            // Coordinates are rounded to 1e-16, over the thickness.
            assert!(
                (body.volume() / thin - 1.0).abs() < 1e-15 / thin + 1e-9,
                "{thin}"
            );
        }
    }
}
