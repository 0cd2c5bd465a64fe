//! Throws computed with every law over ranges of coefficients, against the measured ones.

use glam::{DVec2, DVec3};
use klast_dynamics::Body;
use klast_geometry::Plane;
use klast_geometry::terrain::{Profile, Slope, Terrain};
use klast_numerics::fit::{Alike, Search, most_trials};
use klast_rockfall::thrown::{Experiment, Throw};
use klast_runs::bail;
use klast_runs::common::shape::Form;
use klast_runs::error::{Context as _, Result};

use super::found::Found;
use super::scene::{FRICTION, Ground, Law, NORMAL, Scene, TANGENTIAL};
use super::{result, tracks};
use klast_files::reading::sha256;
use klast_runs::Results;
use klast_runs::answer::short;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::fit::{estimate, resamples};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::parts::Number;
use klast_runs::pieces::of_each;
use klast_runs::progress::Interrupted;
use klast_runs::progress::Progress;
use klast_runs::text::SceneText;

struct Throws {
    scene: Scene,
    text: SceneText,
    ground: Box<dyn Terrain>,
    body: Body,
    gravity: f64,
    throws: Vec<Throw>,
}

/// Coefficients with which a throw is followed to see which of its samples are compared: none of them decides when it
/// first meets the ground.
const ANY: [f64; 3] = [0.5, 0.5, 0.0];
/// Trials of a search times resamples times throws at most: some ten seconds of adding up on one thread for each law.
const MOST_SUMS: f64 = 1e10;
/// Sums of squares that differ by a smaller part are the same; so are those that differ by less than a nanometre a
/// sample. Where a body sticks, every larger friction gives the same motion.
const SAME: f64 = 1e-6;
const SAME_LENGTH: f64 = 1e-9;

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = faults(&scene);
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let ground = faults.take("ground", ground(&scene.ground));
    let body = faults.take("body", body(&scene, text));
    let (Some(gravity), Some(ground), Some(body)) = (gravity, ground, body) else {
        return Err(faults.into());
    };
    let experiment = experiment(&scene, gravity, (&*ground, &body));
    let throws = faults.take("tracks", tracks::read(&scene.tracks, text, &experiment));
    let throws = faults.or_all(|| throws)?;
    if let Some(fault) = too_much(&scene, throws.len()) {
        return Err(fault.into());
    }
    Ok(Box::new(Throws {
        throws,
        scene,
        gravity,
        text: text.clone(),
        ground,
        body,
    }))
}

fn experiment<'a>(
    scene: &Scene,
    gravity: f64,
    (terrain, body): (&'a dyn Terrain, &'a Body),
) -> Experiment<'a> {
    Experiment {
        terrain,
        body,
        gravity: DVec3::new(0.0, 0.0, -gravity),
        until: scene.until_s.unwrap_or(f64::INFINITY),
    }
}

/// Numbers that are out of range.
fn faults(scene: &Scene) -> Faults {
    let mut faults = Faults::default();
    let tangential = scene.tangential_restitution;
    for (key, range, [least, most]) in [
        ("friction", Some(scene.friction), FRICTION),
        ("normal_restitution", Some(scene.normal_restitution), NORMAL),
        ("tangential_restitution", tangential, TANGENTIAL),
    ] {
        let [low, high] = range.unwrap_or([least, most]);
        faults.check(least <= low && low < high && high <= most, || {
            Fault::new(key, format!("[{low}, {high}]"))
                .accepted(format!("two rising numbers within {least} to {most}"))
        });
    }
    for (key, value) in [
        ("until_s", scene.until_s),
        ("position_error_m", scene.position_error_m),
    ] {
        let value = value.unwrap_or(1.0);
        let good = value.is_finite() && value > 0.0;
        faults.check(good, || Fault::new(key, value).accepted("above 0"));
    }
    for (key, value, least, most) in [
        ("values", scene.values, 5, 101),
        ("resamples", scene.resamples, 100, 100_000),
    ] {
        faults.check((least..=most).contains(&value), || {
            Fault::new(key, value).accepted(format!("{least} to {most}"))
        });
    }
    let repeated = |k: usize| scene.laws[..k].contains(&scene.laws[k]);
    let good = !scene.laws.is_empty() && !(0..scene.laws.len()).any(repeated);
    faults.check(good, || {
        Fault::new("laws", "none, or one twice")
            .accepted("one or more of newton, sequential, poisson, stronge")
    });
    let known = scene.laws.iter().any(|law| law.has_tangential());
    faults.check(tangential.is_none() || known, || {
        Fault::new("tangential_restitution", "beside laws that know none")
            .accepted("newton or sequential among the laws")
    });
    faults
}

/// A search that would add up for longer than that, up to hours, while each number is in its own range.
fn too_much(scene: &Scene, throws: usize) -> Option<Fault> {
    let trials = |law: &Law| most_trials(&ranges(scene, *law), scene.values);
    let trials = scene.laws.iter().map(trials).max()?;
    let product = trials as f64 * scene.resamples as f64 * throws as f64;
    (product > MOST_SUMS).then(|| {
        let (values, resamples) = (scene.values, scene.resamples);
        let found = format!(
            "{values}, which makes {trials} trials, times resamples {resamples} times {throws} throws is {product:.2e}"
        );
        Fault::new("values", found).accepted(format!("up to {MOST_SUMS:e}"))
    })
}

/// Where the coefficients of a law are sought.
fn ranges(scene: &Scene, law: Law) -> [[f64; 2]; 3] {
    let tangential = scene.tangential_restitution;
    [
        scene.friction,
        scene.normal_restitution,
        tangential
            .filter(|_| law.has_tangential())
            .unwrap_or([0.0; 2]),
    ]
}

fn ground(ground: &Ground) -> Result<Box<dyn Terrain>> {
    Ok(match ground {
        Ground::Plane {
            slope_deg,
            elevation_m,
        } => {
            if !(0.0..90.0).contains(slope_deg) {
                bail!(Fault::new("slope_deg", slope_deg).accepted("0 to below 90"));
            }
            let (sine, cosine) = libm::sincos(slope_deg.to_radians());
            Box::new(Slope::new(Plane {
                normal: DVec3::new(sine, 0.0, cosine),
                offset: elevation_m * cosine,
            })?)
        }
        Ground::Profile { points_m } => {
            let points = points_m.iter().map(|[x, z]| DVec2::new(*x, *z));
            Box::new(Profile::new(points.collect())?)
        }
    })
}

fn body(scene: &Scene, text: &SceneText) -> Result<Body> {
    let mass = scene.body.mass_kg;
    if !(mass.is_finite() && mass > 0.0) {
        bail!(Fault::new("mass_kg", mass).accepted("above 0"));
    }
    let shapes = scene.body.shape.build(text, scene.seed).at("shape")?;
    let [form] = shapes.as_slice() else {
        bail!(Fault::new("shape", format!("{} shapes", shapes.len())).accepted("one"));
    };
    if matches!(form, Form::Drum(..)) {
        bail!(
            Fault::new("shape", "drum")
                .accepted("a polyhedron or a sphere, as one rock is computed")
        );
    }
    form.body(mass / form.volume())
}

impl Throws {
    fn experiment(&self) -> Experiment<'_> {
        experiment(&self.scene, self.gravity, (&*self.ground, &self.body))
    }

    /// The best coefficients of a law.
    fn search(
        &self,
        law: Law,
        (samples, resamples): (&[usize], &[Vec<u32>]),
        run: &mut Run,
    ) -> Result<Search<3>> {
        let alike = Alike {
            relative: SAME,
            of_a_sample: SAME_LENGTH,
            samples: samples.to_vec(),
        };
        let ranges = ranges(&self.scene, law);
        let mut search = Search::new(ranges, self.scene.values, alike, resamples.to_vec());
        run.progress.begin(law.name(), search.most() as u64);
        let (mut stage, progress) = (0, run.progress);
        search.run(
            |sets| {
                stage += 1;
                self.stage(law, stage, sets, run)
            },
            || unless_interrupted(progress),
        )?;
        run.progress.finish();
        Ok(search)
    }

    /// What some sets of coefficients of a law leave on each throw.
    fn stage(
        &self,
        law: Law,
        stage: usize,
        sets: &[[f64; 3]],
        run: &mut Run,
    ) -> Result<Vec<Vec<f64>>> {
        let experiment = self.experiment();
        // Sets follow from trials before and from the resamples, which follow from the seed.
        let bits = sets
            .iter()
            .flatten()
            .flat_map(|v| v.to_bits().to_le_bytes());
        let key = format!(
            "{} {:?} {} {stage} {}",
            self.text.key(),
            run.seed,
            law.name(),
            sha256(bits.collect::<Vec<u8>>())
        );
        let file = state(law, stage);
        let losses = of_each(run, (&file, &key), sets, |set| {
            let compared = experiment.trial(&self.throws, &law.law(), *set)?;
            Ok(compared.iter().map(|c| c.squares.into()).collect())
        })?;
        let numbers = |own: Vec<Number>| own.into_iter().map(f64::from).collect();
        Ok(losses.into_iter().map(numbers).collect())
    }
}

fn unless_interrupted(progress: &dyn Progress) -> Result<()> {
    match progress.interrupted() {
        true => bail!(Interrupted),
        false => Ok(()),
    }
}

/// The file of the state of a stage.
fn state(law: Law, stage: usize) -> String {
    format!("state-{}-{stage}.json", law.name())
}

impl Job for Throws {
    fn describe(&self) -> String {
        let samples: usize = self.throws.iter().map(|t| t.samples.len()).sum();
        let laws: Vec<&str> = self.scene.laws.iter().map(|l| l.name()).collect();
        let body = match self.body.sphere_radius() {
            Some(radius) => format!("a sphere with a radius of {} m", short(radius)),
            None => format!("a body with {} vertices", self.body.vertices().len()),
        };
        format!(
            "{} throws with {samples} samples after their starts, {body} and {:.4} kg, laws {}",
            self.throws.len(),
            self.body.mass(),
            laws.join(", ")
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        run.warnings(&self.text.cautions());
        let experiment = self.experiment();
        let law = self.scene.laws.first().context("no law")?.law();
        let followed = experiment.trial(&self.throws, &law, ANY)?;
        let samples: Vec<usize> = followed.iter().map(|c| c.samples).collect();
        let resamples = resamples(self.throws.len(), self.scene.resamples, seed);
        let mut found = Vec::new();
        for &law in &self.scene.laws {
            let search = self.search(law, (&samples, &resamples), run)?;
            let estimate = estimate(&search, || run.check_interrupted())?;
            let estimate = estimate.with_context(|| {
                format!(
                    "no coefficients keep the throws finite with {}",
                    law.words()
                )
            })?;
            let compared = experiment.trial(&self.throws, &law.law(), estimate.best.values)?;
            found.push(Found {
                law,
                search,
                estimate,
                compared,
            });
        }
        for law in &self.scene.laws {
            // As many stages as there may be.
            (1..=64).for_each(|stage| run.files.remove(&state(*law, stage)));
        }
        let results = result::Results::of(&self.scene, &experiment, &self.throws, &found)?;
        run.count("throws", self.throws.len());
        run.count("samples", samples.iter().sum::<usize>());
        for warning in results.warnings() {
            run.warning(&warning);
        }
        Ok(Box::new(results))
    }
}
