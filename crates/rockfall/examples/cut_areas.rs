//! Lumped masses on a raster and on a section, half of which is of a second material that is cut into pieces x pieces
//! areas: for counting instructions, as `valgrind --tool=callgrind cut_areas PIECES TIMES` does. What a repetition
//! takes is the difference of two runs.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Profile, Terrain};
use klast_rockfall::lumped::ReboundLaw;
use klast_rockfall::*;
use klast_sampling::Distribution;

/// Side of the map (m), and rocks of a repetition on each ground.
const SIDE: f64 = 300.0;
const ROCKS: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |k: usize| std::env::args().nth(k).and_then(|n| n.parse().ok());
    let (pieces, times) = (number(1).unwrap_or(32), number(2).unwrap_or(1) as u64);
    let cell = 3.0;
    let heights = (0..101 * 101).map(|k| {
        let (x, y) = ((k % 101) as f64 * cell, (k / 101) as f64 * cell);
        200.0 - 0.577 * x + 2.0 * libm::sin(0.05 * x) * libm::cos(0.04 * y)
    });
    let raster = Grid::new(101, 101, cell, DVec2::ZERO, heights.collect())?;
    let points = (0..=100).map(|k| {
        let x = cell * f64::from(k);
        DVec2::new(x, 200.0 - 0.577 * x + libm::sin(0.05 * x))
    });
    let section = Profile::new(points.collect())?;
    for terrain in [Box::new(raster) as Box<dyn Terrain>, Box::new(section)] {
        let simulation = Simulation::new(scene(terrain, cut(pieces)?))?;
        let mut results = simulation.empty_results();
        let end = simulation.run(0..ROCKS * times, &mut results, |_, _| true);
        println!("{end} rocks, {} at rest", results.account.stopped);
    }
    Ok(())
}

/// The side of the map beyond its middle of a second material, of two names in turn, in pieces x pieces areas.
fn cut(pieces: usize) -> Result<Ground, RockfallError> {
    let place = |k: usize| k as f64 / pieces as f64;
    let corner = |i: usize, j: usize| SIDE * DVec2::new(0.5 + 0.5 * place(i), place(j));
    let area = |k: usize| -> Result<(Polygon, u32), RockfallError> {
        let (i, j) = (k % pieces, k / pieces);
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| corner(i + a, j + b));
        Ok((Polygon::new(vec![ring.to_vec()])?, 1 + k as u32 % 2))
    };
    let areas = (0..pieces * pieces).map(area).collect::<Result<_, _>>()?;
    let scree = |friction: f64| {
        let coefficients = GroundCoefficients {
            normal_restitution: 0.35,
            tangential_restitution: 0.85,
            friction,
        };
        SlopeMaterial::constant("scree", coefficients)
    };
    Ground::new(
        [0.7, 0.6, 0.6].map(scree).to_vec(),
        Layout::Polygons(areas, 0),
    )
}

fn scene(terrain: Box<dyn Terrain>, ground: Ground) -> Scene {
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Sphere,
        size: RockSize::Volume(Distribution::constant(0.5)),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let line = [DVec2::new(20.0, 100.0), DVec2::new(25.0, 200.0)];
    let mut seeder = Seeder::new("line", Release::Line(line.to_vec()), u64::MAX / 2, group);
    seeder.height = Distribution::constant(2.0);
    Scene {
        raster: None,
        terrain,
        ground,
        seeders: vec![seeder],
        engine: Engine::Lumped(ReboundLaw::default()),
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![],
        seed: 1,
    }
}
