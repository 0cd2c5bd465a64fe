//! The projectile's polyhedron and mass against exact values.

use klast_dem::{Cavity, NoseSpacing, Ogive};

/// Independent exact integration over the listed vertices, mm: 469 vertices, 936 edges, 469 faces.
#[test]
fn mass_properties_of_the_polyhedron() {
    for (spacing, volume, centre, axial, transverse) in [
        (
            NoseSpacing::Arc,
            11_953_196.975_875_06,
            457.531_175_231_617,
            31_789_676_855.409_675,
            496_637_998_800.799_8,
        ),
        (
            NoseSpacing::Axial,
            11_953_485.385_183_907,
            457.526_734_173_942,
            31_791_608_564.347_576,
            496_644_860_730.600_3,
        ),
    ] {
        let ogive = Ogive {
            spacing,
            ..Ogive::rockfill()
        };
        let body = ogive.polyhedron().unwrap();
        assert_eq!(
            (
                body.vertices().len(),
                body.edges().len(),
                body.facets().len()
            ),
            (469, 936, 469)
        );
        let (particle, behind) = ogive.particle(Cavity::None { density: 1.0 }, 0).unwrap();
        // The accepted error of mass properties.
        let close = |found: f64, exact: f64| {
            assert!((found / exact - 1.0).abs() < 1e-10, "{found} {exact}")
        };
        close(particle.mass, volume * 1e-9);
        close(behind, centre * 1e-3);
        close(particle.inertia.x, axial * 1e-15);
        close(particle.inertia.y, transverse * 1e-15);
        close(particle.inertia.z, transverse * 1e-15);
    }
}

#[test]
fn the_nose_is_a_tangent_ogive() {
    let ogive = Ogive::rockfill();
    // √(R D − D²/4) for R = 500, D = 150 mm.
    assert!((ogive.nose_length() - 0.263_391_343_821_318_47).abs() < 1e-15);
    let body = ogive.polyhedron().unwrap();
    let tip = body.vertices().iter().map(|v| v.x).fold(f64::MIN, f64::max);
    assert_eq!(tip, 0.0);
    for v in body.vertices() {
        let behind = -v.x;
        let radius = v.y.hypot(v.z);
        let on = if behind < ogive.nose_length() {
            (0.25 - (ogive.nose_length() - behind).powi(2)).sqrt() - 0.425
        } else {
            0.075
        };
        // A difference of numbers near one half.
        assert!((radius - on).abs() < 1e-15, "{behind}: {radius} {on}");
    }
}

#[test]
fn finer_divisions_tend_to_the_solid_of_revolution() {
    let volume = |n: u32| {
        let ogive = Ogive {
            rings: n,
            sectors: 3 * n,
            ..Ogive::rockfill()
        };
        ogive.polyhedron().unwrap().volume()
    };
    let exact = 12_021_815.006_162_324e-9;
    let (coarse, fine) = (1.0 - volume(12) / exact, 1.0 - volume(48) / exact);
    // Chords miss the surface by the square of the division.
    assert!((coarse / fine / 16.0 - 1.0).abs() < 0.02, "{coarse} {fine}");
}

#[test]
fn a_cavity_changes_mass_and_moments() {
    let ogive = Ogive::rockfill();
    let (solid, centre) = ogive.particle(Cavity::None { density: 7850.0 }, 0).unwrap();
    let (half, same) = ogive
        .particle(
            Cavity::Mass {
                mass: 0.5 * solid.mass,
            },
            0,
        )
        .unwrap();
    assert_eq!(same, centre);
    assert!((half.inertia / solid.inertia - 0.5).abs().max_element() < 1e-14);
    let given = Cavity::Given {
        mass: 50.0,
        centre: 0.5,
        axial: 0.2,
        transverse: 3.0,
    };
    let (hollow, behind) = ogive.particle(given, 0).unwrap();
    assert_eq!((hollow.mass, behind, hollow.inertia.x), (50.0, 0.5, 0.2));
    let tip = hollow
        .shape
        .vertices()
        .iter()
        .map(|v| v.x)
        .fold(f64::MIN, f64::max);
    assert!((tip - 0.5).abs() < 1e-15);
}

#[test]
fn bad_projectiles_are_named() {
    let good = Ogive::rockfill();
    for bad in [
        Ogive {
            diameter: 0.0,
            ..good
        },
        Ogive {
            nose_radius: 0.05,
            ..good
        },
        Ogive {
            length: 0.2,
            ..good
        },
        Ogive { rings: 0, ..good },
        Ogive { sectors: 2, ..good },
        Ogive {
            length: f64::NAN,
            ..good
        },
    ] {
        assert!(bad.polyhedron().is_err(), "{bad:?}");
    }
    for cavity in [
        Cavity::Mass { mass: 0.0 },
        Cavity::None { density: f64::NAN },
        Cavity::Given {
            mass: 50.0,
            centre: 0.9,
            axial: 0.2,
            transverse: 3.0,
        },
        Cavity::Given {
            mass: 50.0,
            centre: 0.4,
            axial: 9.0,
            transverse: 3.0,
        },
    ] {
        assert!(good.particle(cavity, 0).is_err(), "{cavity:?}");
    }
}
