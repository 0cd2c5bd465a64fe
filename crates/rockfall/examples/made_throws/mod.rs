//! Throws of a box that are computed with a law and measured with an error.

use klast_contact::ImpactLaw;
use klast_dynamics::single::{Coefficients, Friction, Restitution, Workspace};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Pose, Solid};
use klast_numerics::fit::{Alike, Search};
use klast_rockfall::RockfallError;
use klast_rockfall::glam::{DQuat, DVec3};
use klast_rockfall::thrown::{Experiment, Sample, Throw};
use klast_runs::fit::{Estimate, estimate, resamples};
use klast_sampling::{DistributionError, Purpose, Streams, open_uniform};
use rayon::prelude::*;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// Everything on a slope, all samples compared.
pub fn experiment<'a>(slope: &'a Slope, body: &'a Body) -> Experiment<'a> {
    Experiment {
        terrain: slope,
        body,
        gravity: GRAVITY,
        until: f64::INFINITY,
    }
}

/// Boxes thrown with some spin on a slope of 15°, computed with a law and measured with an error.
pub fn thrown(
    count: usize,
    seed: u64,
    (law, friction, restitution): (&ImpactLaw, f64, f64),
    error: f64,
) -> (Body, Slope, Vec<Throw>) {
    let slope = Slope::downhill_x(15_f64.to_radians()).unwrap();
    let edges = DVec3::new(0.3, 0.2, 0.15);
    let shape = Solid::Box { edges }.with_size(0.3).unwrap();
    let body = Body::uniform(&shape, 2600.0).unwrap();
    let streams = Streams::new(seed);
    let mut throws = Vec::new();
    for k in 0..count {
        let mut rng = streams.rng(Purpose::Attitude, k as u64);
        let mut draw = |low: f64, high: f64| low + (high - low) * open_uniform(&mut rng);
        let attitude = DQuat::from_xyzw(
            draw(-1.0, 1.0),
            draw(-1.0, 1.0),
            draw(-1.0, 1.0),
            draw(-1.0, 1.0),
        );
        let start = State::new(
            Pose::new(attitude, DVec3::new(0.0, 0.0, 0.6)).unwrap(),
            Twist {
                linear: DVec3::new(draw(0.5, 3.0), draw(-0.5, 0.5), draw(-2.0, 0.0)),
                angular: DVec3::new(draw(-3.0, 3.0), draw(-6.0, 6.0), draw(-3.0, 3.0)),
            },
        )
        .unwrap();
        let experiment = experiment(&slope, &body);
        let touched = experiment.first_impact(start, 2.0).unwrap().unwrap().time;
        let empty = |time: f64| Sample {
            time,
            centre: DVec3::ZERO,
            attitude: None,
        };
        let mut throw = Throw {
            name: k.to_string(),
            start,
            samples: (0..)
                .map(|i| empty(0.01 * f64::from(i)))
                .take_while(|s| s.time < touched + 0.12)
                .collect(),
        };
        let ground = Coefficients::new(Restitution(restitution), Friction(friction)).unwrap();
        let mut states = Vec::new();
        experiment
            .compare(
                &throw,
                (law, ground),
                Some(&mut states),
                &mut Workspace::default(),
            )
            .unwrap();
        for (sample, state) in throw.samples.iter_mut().zip(&states) {
            // A uniform error of the same standard deviation in each coordinate.
            let mut off = || error * 12_f64.sqrt() * (draw(0.0, 1.0) - 0.5);
            sample.centre = state.pose.translation + DVec3::new(off(), off(), off());
            sample.attitude = None;
        }
        throws.push(throw);
    }
    (body, slope, throws)
}

/// The coefficients of a law that leave least, with so many values of each on a grid and so many resamples.
///
/// # Errors
/// Throws that do not stay finite with any coefficients.
pub fn fit(
    experiment: &Experiment,
    throws: &[Throw],
    (law, friction): (&ImpactLaw, [f64; 2]),
    (values, count): (usize, usize),
) -> Result<Estimate<3>, Box<dyn std::error::Error>> {
    let trial = |set: &[f64; 3]| experiment.trial(throws, law, *set);
    let followed = trial(&[0.5, 0.5, 0.0])?;
    // As scenes of kind `thrown` have it.
    let alike = Alike {
        relative: 1e-6,
        of_a_sample: 1e-9,
        samples: followed.iter().map(|c| c.samples).collect(),
    };
    let ranges = [friction, [0.0, 1.0], [0.0, 0.0]];
    let mut search = Search::new(ranges, values, alike, resamples(throws.len(), count, 1));
    search.run(
        |sets| -> Result<_, RockfallError> {
            let losses = |set| Ok(trial(set)?.iter().map(|c| c.squares).collect());
            sets.par_iter().map(losses).collect()
        },
        || Ok(()),
    )?;
    let found = estimate(&search, || Ok::<_, DistributionError>(()))?;
    found.ok_or_else(|| "nothing finite".into())
}
