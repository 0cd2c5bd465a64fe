//! Several meshes as one ground: the same ground as one mesh, and how its parts meet.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::*;
use proptest::prelude::*;

/// Corners and triangles of one part.
type Part = (Vec<DVec3>, Vec<[u32; 3]>);

/// A rectangle of `count` cells along x and y, each of two triangles, under a height.
fn sheet(lower: [f64; 2], upper: [f64; 2], count: [u32; 2], height: impl Fn(DVec2) -> f64) -> Part {
    let (lower, upper) = (DVec2::from_array(lower), DVec2::from_array(upper));
    let [columns, rows] = count;
    let node = |i: u32, j: u32| {
        let share = DVec2::new(
            f64::from(i) / f64::from(columns),
            f64::from(j) / f64::from(rows),
        );
        let plan = lower + (upper - lower) * share;
        plan.extend(height(plan))
    };
    let nodes = (0..=rows).flat_map(|j| (0..=columns).map(move |i| (i, j)));
    let number = |i: u32, j: u32| j * (columns + 1) + i;
    let cells = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b] = [number(i, j), number(i + 1, j)];
        let [c, d] = [number(i, j + 1), number(i + 1, j + 1)];
        [[a, b, d], [a, d, c]]
    });
    (
        nodes.map(|(i, j)| node(i, j)).collect(),
        triangles.collect(),
    )
}

fn joined(parts: &[Part]) -> JoinedMesh {
    let parts = parts.iter();
    let parts = parts.map(|(points, triangles)| MeshPart { points, triangles });
    JoinedMesh::new(&parts.collect::<Vec<_>>()).unwrap()
}

/// A triangle of a mesh or a steep facet of it, by its number.
fn facet(mesh: &Mesh, number: u32) -> Facet {
    let mut all = mesh.triangles().iter().chain(mesh.walls());
    *all.find(|f| f.id == number).unwrap()
}

proptest! {
    /// Parts that were cut from one mesh are that mesh, in the coordinates of a national grid too.
    #[test]
    fn parts_of_a_mesh_are_that_mesh(
        x in 0.0..20.0f64, y in 0.0..6.0f64, far in prop::bool::ANY
    ) {
        let at = if far { DVec2::new(2.6e6, 1.2e6) } else { DVec2::ZERO };
        let wave = |p: DVec2| 500.0 + (p.x - at.x).sin() - 0.3 * (p.y - at.y);
        let from = |x: f64, y: f64| (at + DVec2::new(x, y)).to_array();
        let left = sheet(from(0.0, 0.0), from(10.0, 6.0), [10, 6], wave);
        let right = sheet(from(10.0, 0.0), from(20.0, 6.0), [10, 6], wave);
        let offset = left.0.len() as u32;
        let points = [left.0.clone(), right.0.clone()].concat();
        let moved = right.1.iter().map(|t| t.map(|corner| corner + offset));
        let triangles: Vec<[u32; 3]> = left.1.iter().copied().chain(moved).collect();
        let whole = Mesh::new(&points, &triangles).unwrap();
        let parts = joined(&[left, right]);
        prop_assert_eq!(parts.mesh(), &whole);
        let surface = parts.mesh().surface(x, y).unwrap();
        prop_assert_eq!(surface, whole.surface(x, y).unwrap());
        let facet = facet(parts.mesh(), surface.facet);
        prop_assert_eq!(parts.part_of(&facet), usize::from(x > 10.0));
        let seams = parts.seams();
        prop_assert_eq!(seams.len(), 1);
        // Six edges of a metre, in coordinates that step by 5e-10 m at most.
        prop_assert!((seams[0].border - 6.0).abs() < 1e-8, "{:?}", seams);
        prop_assert_eq!((seams[0].overlap, seams[0].gap), (0.0, 0.0));
        prop_assert_eq!(parts.loose(&seams), None);
    }
}

#[test]
fn the_higher_part_is_the_ground_where_they_overlap() {
    let flat = sheet([0.0, 0.0], [10.0, 4.0], [3, 2], |_| 0.0);
    let over = sheet([8.0, 1.0], [20.0, 3.0], [5, 3], |p| {
        0.25 + 0.1 * (p.x - 8.0)
    });
    let parts = joined(&[flat.clone(), over]);
    let [seam] = parts.seams()[..] else {
        panic!("one seam");
    };
    // 2 m by 2 m, over which the second rises from 0.25 to 0.45 m. Sums of a few terms of that size.
    assert!((seam.overlap - 4.0).abs() < 1e-13, "{seam:?}");
    assert!((seam.apart - 0.45).abs() < 1e-14, "{seam:?}");
    assert_eq!((seam.border, seam.gap), (0.0, 0.0));
    // The second ends above the first along x = 8 and along its sides, which rise to x = 10.
    assert!((seam.step - 0.45).abs() < 1e-14, "{seam:?}");
    let part = |parts: &JoinedMesh, x: f64, y: f64| {
        let number = parts.mesh().surface(x, y).unwrap().facet;
        parts.part_of(&facet(parts.mesh(), number))
    };
    assert_eq!([part(&parts, 9.0, 2.0), part(&parts, 9.0, 0.5)], [1, 0]);
    // Of equal heights the first.
    let same = sheet([8.0, 1.0], [20.0, 3.0], [5, 3], |_| 0.0);
    let parts = joined(&[flat, same]);
    assert_eq!([part(&parts, 9.0, 2.0), part(&parts, 11.0, 2.0)], [0, 1]);
    assert_eq!(parts.seams()[0].apart, 0.0);
}

#[test]
fn a_wall_of_the_higher_part_closes_a_step() {
    let upper = sheet([0.0, 0.0], [10.0, 4.0], [2, 1], |p| 5.0 + 0.5 * p.y);
    let lower = sheet([10.0, 0.0], [20.0, 4.0], [4, 8], |p| 0.25 * p.y);
    for (parts, higher) in [
        ([upper.clone(), lower.clone()], 0),
        ([lower.clone(), upper.clone()], 1),
    ] {
        let parts = joined(&parts);
        let [seam] = parts.seams()[..] else {
            panic!("one seam");
        };
        // 5 m where y = 0, and 1 m more where y = 4: 2 m of the upper part less 1 m of the lower one.
        assert!((seam.step - 6.0).abs() < 1e-12, "{seam:?}");
        assert!((seam.border - 4.0).abs() < 1e-12 && seam.gap == 0.0);
        let mesh = parts.mesh();
        assert_eq!((mesh.triangles().len(), mesh.walls().len()), (4 + 64, 2));
        // Halfway between the border and the foot of the wall, along the whole border.
        for y in [0.01, 1.0, 2.0, 3.99] {
            let wall = mesh.surface(10.0 + 0.5 * JoinedMesh::LEAN, y).unwrap();
            let top = 5.0 + 0.5 * y;
            assert!(
                wall.height < top - 2.4 && wall.height > 0.25 * y,
                "{wall:?}"
            );
            assert!(wall.normal.x > 0.99, "{wall:?}");
            let facet = facet(mesh, wall.facet);
            assert_eq!((facet.id, parts.part_of(&facet)), (wall.facet, higher));
            // Its foot is in the lower part, and beyond is that part alone.
            let beyond = mesh.surface(10.0 + 1.001 * JoinedMesh::LEAN, y).unwrap();
            assert!((beyond.height - 0.25 * y).abs() < 1e-12);
        }
    }
}

#[test]
fn edges_of_other_lengths_touch_and_a_wedge_between_them_is_a_gap() {
    let left = sheet([0.0, 0.0], [10.0, 4.0], [2, 1], |_| 0.0);
    let fine = sheet([10.0, 0.0], [20.0, 4.0], [10, 8], |_| 0.0);
    let parts = joined(&[left.clone(), fine]);
    let [seam] = parts.seams()[..] else {
        panic!("one seam");
    };
    assert_eq!((seam.gap, seam.overlap), (0.0, 0.0));
    assert!((seam.border - 4.0).abs() < 1e-14, "{seam:?}");
    // A wedge that is 0.2 m wide at one end and 0.6 m at the other.
    let (mut points, triangles) = sheet([10.0, 0.0], [20.0, 4.0], [1, 1], |_| 0.0);
    for p in points.iter_mut().filter(|p| p.x == 10.0) {
        p.x += 0.2 + 0.1 * p.y;
    }
    let parts = joined(&[left, (points, triangles)]);
    let seams = parts.seams();
    let [seam] = seams[..] else {
        panic!("one seam");
    };
    assert_eq!((seam.border, seam.overlap), (0.0, 0.0));
    // The leaning edge is longer by half a per cent; its last eighth looks past the other part's corner or not.
    assert!((3.5..=4.03).contains(&seam.gap), "{seam:?}");
    // The last of eight points stands a sixteenth of the edge before its end, 0.575 m from the other part.
    assert!((0.56..=0.6).contains(&seam.width), "{seam:?}");
    assert_eq!(parts.loose(&seams), None);
    assert!(parts.mesh().surface(10.1, 2.0).is_none());
}

#[test]
fn a_part_elsewhere_hangs_together_with_none() {
    let at = |x: f64| sheet([x, 0.0], [x + 10.0, 4.0], [4, 2], |_| 0.0);
    let parts = joined(&[at(0.0), at(1000.0), at(10.0)]);
    let seams = parts.seams();
    assert_eq!(seams.len(), 1);
    assert_eq!(parts.loose(&seams), Some(1));
    // Two and two that do not meet.
    let parts = joined(&[at(0.0), at(10.0), at(1000.0), at(1010.0)]);
    assert_eq!(parts.loose(&parts.seams()), Some(2));
}

#[test]
fn a_part_that_is_no_ground_is_named() {
    let good = sheet([0.0, 0.0], [10.0, 4.0], [2, 1], |_| 0.0);
    let upright = [DVec3::ZERO, DVec3::X, DVec3::Z];
    let parts = [
        MeshPart {
            points: &good.0,
            triangles: &good.1,
        },
        MeshPart {
            points: &upright,
            triangles: &[[0, 1, 2]],
        },
    ];
    let (part, why) = JoinedMesh::new(&parts).unwrap_err();
    assert_eq!(part, 1);
    assert!(matches!(why, TerrainError::OnItsSide { .. }), "{why}");
    assert!(JoinedMesh::new(&[]).is_err());
}
