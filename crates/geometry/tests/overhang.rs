//! A mesh that overhangs itself: what is ground, and the steep facets under the edges.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::*;
use proptest::prelude::*;

/// A section of (x, height) points drawn out along y, from 0 to 20 m in four rows of triangles.
fn drawn_out(section: &[(f64, f64)]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let columns = section.len() as u32;
    let rows = 0..=4u32;
    let points = rows.flat_map(|j| {
        let y = 5.0 * f64::from(j);
        section.iter().map(move |&(x, z)| DVec3::new(x, y, z))
    });
    let cells = (0..4u32).flat_map(|j| (0..columns - 1).map(move |i| j * columns + i));
    let triangles = cells.flat_map(|a| {
        let (b, c, d) = (a + 1, a + columns, a + columns + 1);
        [[a, b, d], [a, d, c]]
    });
    (points.collect(), triangles.collect())
}

/// A cliff whose upper edge stands 2 m in front of its foot, above a floor that falls at 1 in 10.
const CLIFF: [(f64, f64); 6] = [
    (0.0, 22.0),
    (30.0, 20.0),
    (28.0, 15.0),
    (28.5, 0.0),
    (40.0, -1.15),
    (80.0, -5.15),
];

#[test]
fn a_steep_facet_stands_under_an_overhanging_edge() {
    let (points, triangles) = drawn_out(&CLIFF);
    let mesh = Mesh::new(&points, &triangles).unwrap();
    let overhang = mesh.overhang();
    assert_eq!((overhang.edges, mesh.walls().len()), (4, 8));
    // The edge from y = 0 to 20 at a height of 20 m, the floor under it at -0.15 m.
    assert!((overhang.length - 20.0).abs() < 1e-12, "{overhang:?}");
    assert!((overhang.height - 20.15).abs() < 1e-12, "{overhang:?}");
    for y in [0.1, 5.0, 12.3, 19.9] {
        let top = mesh.surface(29.0, y).unwrap();
        assert!((top.height - (22.0 - 29.0 / 15.0)).abs() < 1e-12);
        let wall = mesh.surface(30.0 + 0.5 * JoinedMesh::LEAN, y).unwrap();
        assert!(wall.normal.x > 0.99 && wall.facet as usize >= triangles.len());
        assert!((8.0..12.0).contains(&wall.height), "{wall:?}");
        let floor = mesh.surface(30.0 + 1.001 * JoinedMesh::LEAN, y).unwrap();
        let fallen = 30.0 + 1.001 * JoinedMesh::LEAN - 28.5;
        assert!((floor.height + 0.1 * fallen).abs() < 1e-12, "{floor:?}");
    }
}

/// The same cliff and its floor in two files: the edge hangs over the other part, and its steep facet is of the cliff.
#[test]
fn an_edge_over_another_part_has_its_steep_facet() {
    let parts = [drawn_out(&CLIFF[..4]), drawn_out(&CLIFF[3..])];
    let given = parts
        .iter()
        .map(|(points, triangles)| MeshPart { points, triangles });
    let joined = JoinedMesh::new(&given.collect::<Vec<_>>()).unwrap();
    let [seam] = joined.seams()[..] else {
        panic!("one seam");
    };
    assert!((seam.step - 20.15).abs() < 1e-12, "{seam:?}");
    let mesh = joined.mesh();
    for y in [0.1, 12.3, 19.9] {
        let wall = mesh.surface(30.0 + 0.5 * JoinedMesh::LEAN, y).unwrap();
        assert!((8.0..12.0).contains(&wall.height), "{wall:?}");
        let facet = mesh.walls().iter().find(|f| f.id == wall.facet).unwrap();
        assert_eq!(joined.part_of(facet), 0);
    }
}

/// A corner on the middle of an edge, 2 mm off: a crack between triangles, no overhang; 2 m off, it is one.
#[test]
fn a_crack_between_triangles_is_no_overhang() {
    let with = |off: f64| {
        let points = [
            [0.0, 0.0],
            [10.0, 0.0],
            [0.0, 10.0],
            [10.0, 10.0],
            [5.0, 0.0],
            [5.0, -10.0],
        ];
        let points: Vec<DVec3> = points
            .iter()
            .map(|&[x, y]| DVec3::new(x, y, if y == 0.0 && x == 5.0 { -off } else { 0.0 }))
            .collect();
        // The upper triangles have the edge from 0 to 1 whole, the lower ones meet at corner 4.
        let triangles = [[0, 1, 3], [0, 3, 2], [0, 5, 4], [4, 5, 1]];
        Mesh::new(&points, &triangles).unwrap().overhang().edges
    };
    assert_eq!([with(0.0), with(0.002)], [0, 0]);
    assert!(with(2.0) > 0);
}

#[test]
fn a_roof_that_is_a_sheet_of_its_own_has_steep_facets_round_it() {
    let (mut points, mut triangles) = drawn_out(&[(0.0, 0.0), (40.0, 0.0)]);
    let base = points.len() as u32;
    points.extend(
        [[10.0, 5.0], [20.0, 5.0], [20.0, 15.0], [10.0, 15.0]].map(|[x, y]| DVec3::new(x, y, 6.0)),
    );
    triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
    let mesh = Mesh::new(&points, &triangles).unwrap();
    let overhang = mesh.overhang();
    assert_eq!((overhang.edges, mesh.walls().len()), (4, 8));
    assert!((overhang.length - 40.0).abs() < 1e-12 && (overhang.height - 6.0).abs() < 1e-12);
}

proptest! {
    /// Ground that is a height over a plan overhangs nowhere, however steep, far from the origin too.
    #[test]
    fn relief_has_no_overhang(
        heights in prop::collection::vec(-50.0..50.0f64, 30),
        // From a quarter of the cell on, a triangle may lie on its back.
        shifts in prop::collection::vec(-0.24..0.24f64, 60),
        far in prop::bool::ANY,
    ) {
        let at = if far { DVec2::new(2.6e6, 1.2e6) } else { DVec2::ZERO };
        let node = |k: usize| {
            let plan = DVec2::new((k % 6) as f64 + shifts[2 * k], (k / 6) as f64 + shifts[2 * k + 1]);
            (at + plan).extend(heights[k])
        };
        let points: Vec<DVec3> = (0..30).map(node).collect();
        let cells = (0..4u32).flat_map(|j| (0..5u32).map(move |i| 6 * j + i));
        let triangles: Vec<[u32; 3]> = cells.flat_map(|a| [[a, a + 1, a + 6], [a + 1, a + 7, a + 6]]).collect();
        let mesh = Mesh::new(&points, &triangles).unwrap();
        prop_assert_eq!(mesh.overhang(), Overhang::default());
        prop_assert!(mesh.walls().is_empty());
    }
}
