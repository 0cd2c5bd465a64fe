//! Mass properties of meshes against closed forms.

use glam::{DQuat, DVec3};
use klast_geometry::{MassProperties, MeshFill, mesh_mass};

/// The twelve triangles of a box with its sides along turned axes, and its centre.
fn turned_box(size: DVec3) -> (Vec<DVec3>, [[u32; 3]; 12], DVec3) {
    let centre = DVec3::new(3.0, -2.0, 7.0);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.8, 1.1);
    let corner = |k: u32| {
        let side = |axis: u32| f64::from(k >> axis & 1) - 0.5;
        centre + turn * (size * DVec3::new(side(0), side(1), side(2)))
    };
    let triangles = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    ((0..8).map(corner).collect(), triangles, centre)
}

fn check(found: &MassProperties, (mass, centre, moments): (f64, DVec3, DVec3)) {
    let mut sorted = found.principal_inertia.to_array();
    sorted.sort_by(f64::total_cmp);
    assert!((found.mass - mass).abs() <= 1e-13 * mass, "{found:?}");
    // Coordinates of 10 m are rounded to 1e-15 m, moments to the same part of m (10 m)².
    assert!((found.centre - centre).length() <= 1e-13, "{found:?}");
    for (found, right) in sorted.into_iter().zip(moments.to_array()) {
        assert!(
            (found - right).abs() <= 1e-13 * mass * 100.0,
            "{found} {right}"
        );
    }
}

#[test]
fn a_solid_box_has_the_moments_of_a_box() {
    let size = DVec3::new(2.0, 3.0, 5.0);
    let (points, triangles, centre) = turned_box(size);
    let solid = mesh_mass(&points, &triangles, MeshFill::Solid { density: 7.0 }).unwrap();
    let mass = 7.0 * size.element_product();
    let s = size * size;
    let moments = DVec3::new(s.x + s.y, s.x + s.z, s.y + s.z) * (mass / 12.0);
    check(&solid, (mass, centre, moments));
}

#[test]
fn a_thin_cube_has_five_eighteenths_of_its_mass_times_the_square_of_its_side() {
    let side = 1.5;
    let (points, triangles, centre) = turned_box(DVec3::splat(side));
    let fill = MeshFill::Shell {
        density: 2000.0,
        thickness: 0.01,
    };
    let shell = mesh_mass(&points, &triangles, fill).unwrap();
    let mass = 2000.0 * 0.01 * 6.0 * side * side;
    let moment = 5.0 / 18.0 * mass * side * side;
    check(&shell, (mass, centre, DVec3::splat(moment)));
}
