//! Scenes at the edge of what is asked for: every rock still has one end, after a bounded number of steps, and lies in
//! the open.

use crate::scenes;

use glam::{DVec2, DVec3};
use klast_geometry::Solid;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::*;
use klast_sampling::{Distribution, Family};
use scenes::{LUMPED, rigid};

const NODES: usize = 21;

/// Heights over a square of [`NODES`] nodes a side, as functions of node numbers.
fn grid(cell: f64, height: impl Fn(f64, f64) -> f64) -> Grid {
    let heights = (0..NODES * NODES)
        .map(|k| height((k % NODES) as f64, (k / NODES) as f64))
        .collect();
    Grid::new(NODES, NODES, cell, DVec2::new(2.7e6, 1.1e6), heights).unwrap()
}

fn terrains() -> Vec<(&'static str, Grid)> {
    let rough = |i: f64, j: f64| (i * 12.9898 + j * 78.233).sin().abs();
    let ridge = |i: f64, _: f64| -0.6 * (i - 10.0).abs();
    vec![
        ("level", grid(1.0, |_, _| 100.0)),
        ("all but level", grid(10.0, |i, _| 1e-6 * i)),
        ("a ridge", grid(1.0, ridge)),
        (
            "a cliff of 89°",
            grid(0.5, |i, _| if i < 10.0 { 30.0 } else { 0.0 }),
        ),
        ("steps of 0.5 m", grid(0.5, |i, _| -(i * 0.5).floor())),
        ("spikes", grid(0.5, move |i, j| 2.0 * rough(i, j))),
        (
            "large cells, rough",
            grid(10.0, move |i, j| -6.0 * i + 4.0 * rough(i, j)),
        ),
        (
            "holes",
            grid(1.0, move |i, j| {
                if rough(i, j) > 0.9 && (i - 10.0).abs().max((j - 10.0).abs()) > 1.0 {
                    f64::NAN
                } else {
                    -0.5 * i
                }
            }),
        ),
        (
            "a pit",
            grid(1.0, |i, j| (i - 10.0).abs().max((j - 10.0).abs())),
        ),
    ]
}

fn shapes() -> Vec<(&'static str, RockShape)> {
    let points = (0..30)
        .map(|k| {
            let k = f64::from(k);
            DVec3::new((k * 1.7).sin(), (k * 2.3).cos(), (k * 0.9).sin())
        })
        .collect();
    vec![
        ("sphere", RockShape::Sphere),
        (
            "plate 50:1",
            RockShape::Solid(Solid::Box {
                edges: DVec3::new(50.0, 50.0, 1.0),
            }),
        ),
        (
            "needle",
            RockShape::Solid(Solid::Box {
                edges: DVec3::new(1.0, 1.0, 20.0),
            }),
        ),
        ("points", RockShape::Points(points)),
    ]
}

/// Results of a few rocks, and the most arcs of one.
fn run(
    terrain: &Grid,
    shape: &RockShape,
    engine: Engine,
    release: Release,
    seed: u64,
) -> (Results, usize) {
    let group = RockGroup {
        share: 1.0,
        shape: shape.clone(),
        size: RockSize::Volume(Distribution::constant(0.3)),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let mut seeder = Seeder::new("s", release, 4, group);
    // Exactly on the ground, or not.
    seeder.height = Distribution::new(Family::Uniform {
        lower: 0.0,
        upper: if seed.is_multiple_of(2) { 1e-300 } else { 2.0 },
    })
    .unwrap();
    seeder.velocity[0] = Distribution::constant(if seed.is_multiple_of(3) { 3.0 } else { 0.0 });
    let cell = terrain.cell();
    let origin = terrain.origin().truncate();
    // Along an edge of cells, from rim to rim.
    let line = |barrier| Collector {
        name: "edge".into(),
        line: vec![
            origin + DVec2::X * 12.0 * cell,
            origin + DVec2::new(12.0, 20.0) * cell,
        ],
        barrier,
    };
    let simulation = Simulation::new(Scene {
        raster: Some(RasterFrame::over(terrain.extent(), cell).unwrap()),
        terrain: Box::new(terrain.clone()),
        ground: Ground::uniform(SlopeMaterial {
            roughness: Distribution::truncated(Family::Normal { mean: 0.0, sd: 0.1 }, -0.3, 0.3)
                .unwrap(),
            ..SlopeMaterial::constant(
                "m",
                GroundCoefficients {
                    normal_restitution: 0.35,
                    tangential_restitution: 0.8,
                    friction: 0.5,
                },
            )
        })
        .unwrap(),
        seeders: vec![seeder],
        engine: engine.clone(),
        stop: StopConditions {
            maximum_time: 30.0,
            ..StopConditions::default()
        },
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![
            line(None),
            line(Some(Barrier {
                height: 1.0,
                capacity: 20e3,
                flexible: None,
            })),
        ],
        seed,
    })
    .unwrap();
    let mut results = simulation.empty_results();
    let mut most = 0;
    for index in 0..4 {
        let mut arcs = 0;
        let rock = simulation.rock(index, &mut |arc| {
            arcs += 1;
            assert!(arc.position.is_finite() && arc.velocity.is_finite());
            // The mass centre of a rock in the open is over the ground; a point may be below it by what a seam hides.
            if let Some(ground) = terrain.surface(arc.position.x, arc.position.y) {
                let over = arc.position.z - ground.height;
                assert!(
                    over > -1e-5,
                    "{over} m at {} after {} s: {engine:?}, {shape:?}, {seed}",
                    arc.position,
                    arc.time
                );
            }
        });
        results.add_each(&std::iter::once(&rock));
        most = most.max(arcs);
    }
    (results, most)
}

#[test]
fn every_rock_has_one_end_after_a_bounded_number_of_steps() {
    for (place, terrain) in terrains() {
        let origin = terrain.origin().truncate();
        let at = |i: f64, j: f64| origin + DVec2::new(i, j) * terrain.cell();
        for (kind, shape) in shapes() {
            for engine in [LUMPED, rigid()] {
                let releases = [
                    // A node, on the ridge and in the pit; near a rim; and anywhere.
                    Release::Line(vec![at(10.0, 10.0), at(10.0, 10.0) + DVec2::Y * 1e-9]),
                    Release::Line(vec![at(0.0, 4.0), at(0.0, 16.0)]),
                    Release::Line(vec![at(1.0, 1.0), at(19.0, 18.0)]),
                ];
                for (k, release) in releases.into_iter().enumerate() {
                    let (results, most) = run(&terrain, &shape, engine.clone(), release, k as u64);
                    let account = &results.account;
                    let name = format!("{kind} on {place}, release {k}, {engine:?}");
                    assert!(
                        account.balances() && account.seeded == 4,
                        "{name}: {account:?}"
                    );
                    // 30 s of steps of 5 ms are 6,000; as many shorter ones and flights are allowed.
                    assert!(most < 12_000, "{name}: {most} arcs");
                }
            }
        }
    }
}
