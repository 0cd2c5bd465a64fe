//! Rocks on a slope that yields to impacts.

use crate::scenes::{rigid, scene, whole};
use klast_rockfall::{Ground, MaterialPenetration, Results, Scene, Simulation};
use klast_sampling::Distribution;

/// The slope of the tests with soft ground of a yield pressure (Pa).
fn on(yield_pressure: Option<f64>) -> Scene {
    let scene = scene(3, rigid(), 48, false, 0.6);
    let mut material = scene.ground.materials()[0].clone();
    material.penetration = yield_pressure.map(|pressure| MaterialPenetration {
        yield_pressure: Distribution::constant(pressure),
        ejected_density: Distribution::constant(1700.0),
    });
    Scene {
        ground: Ground::uniform(material).unwrap(),
        ..scene
    }
}

fn run(yield_pressure: Option<f64>, threads: usize) -> Results {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let simulation = Simulation::new(on(yield_pressure)).unwrap();
    pool.build().unwrap().install(|| whole(&simulation))
}

#[test]
fn soft_ground_takes_energy_to_a_depth_and_gives_the_same_bits_on_threads() {
    let soft = run(Some(3e5), 1);
    assert_eq!(soft, run(Some(3e5), 3));
    assert!(soft.deepest > 0.01 && soft.dug_mj > 0, "{}", soft.deepest);
    // Softer ground is entered deeper.
    assert!(run(Some(5e4), 2).deepest > soft.deepest);
    // Rigid ground has neither.
    let rigid = run(None, 2);
    assert_eq!((rigid.deepest, rigid.dug_mj), (0.0, 0));
}

/// Ground that no rock can enter is rigid ground, bit by bit.
#[test]
fn the_rigid_limit_of_a_run_is_the_run_on_rigid_ground() {
    assert_eq!(run(Some(1e100), 2), run(None, 2));
}

#[test]
fn a_material_of_no_meaning_is_refused() {
    for pressure in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let material = on(Some(1.0)).ground.materials()[0].clone();
        let law = MaterialPenetration {
            yield_pressure: Distribution::constant(pressure),
            ejected_density: Distribution::constant(1700.0),
        };
        let made = Ground::uniform(klast_rockfall::SlopeMaterial {
            penetration: Some(law),
            ..material
        });
        assert!(made.is_err(), "{pressure}");
    }
}
