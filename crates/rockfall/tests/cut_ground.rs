//! The same ground, however it is cut and rounded: a straight slope onto a level foot, as two segments, as points each
//! metre, as rasters.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Profile, Terrain};
use klast_rockfall::lumped::{LumpedLaw, LumpedState, ReboundLaw};
use klast_rockfall::*;
use klast_sampling::{Purpose, Streams};
use rand::RngExt;
use std::ops::ControlFlow;

/// A slope that falls by `height` onto level ground, and what strikes it.
#[derive(Debug, Clone, Copy)]
struct Shape {
    tangent: f64,
    height: f64,
    material: [f64; 3],
    rotation: bool,
}

impl Shape {
    fn foot(self) -> f64 {
        self.height / self.tangent
    }

    fn at(self, x: f64) -> f64 {
        self.height - x.min(self.foot()) * self.tangent
    }

    fn profile(self, step: Option<f64>, decimals: i32) -> Profile {
        let foot = self.foot();
        let mut xs = vec![0.0];
        if let Some(step) = step {
            let on_the_slope = |x: &f64| *x < foot - 1e-9;
            xs.extend((1..).map(|k| f64::from(k) * step).take_while(on_the_slope));
        }
        xs.extend([foot, foot + 150.0]);
        let point = |x: f64| DVec2::new(x, rounded(self.at(x), decimals));
        Profile::new(xs.into_iter().map(point).collect()).unwrap()
    }

    /// Least and greatest answer on two exact segments, at the normal velocity cutoff and 10 % beside it. Where the
    /// last bounce comes down at about the cutoff, the exact answer jumps there by the R_t of one impact; masses on
    /// ground that is off by its last digit come down on either side.
    fn exact(self, count: u32) -> [Found; 2] {
        let profile = self.profile(None, 15);
        let all = [0.9, 0.95, 1.0, 1.05, 1.1].map(|factor| {
            let mut stop = StopConditions::default();
            stop.normal_velocity_cutoff *= factor;
            self.run_with(&stop, &profile, DVec2::ZERO, count)
        });
        let each = |f: fn(f64, f64) -> f64| {
            let folded = all.into_iter().reduce(|a, b| Found {
                energy: f(a.energy, b.energy),
                runout: f(a.runout, b.runout),
                ..a
            });
            folded.unwrap_or_default()
        };
        [each(f64::min), each(f64::max)]
    }

    /// A raster with a column of nodes along the foot, and where x = 0 lies on it.
    fn raster(self, cell: f64, decimals: i32) -> (Grid, f64) {
        let before = (self.foot() / cell).ceil();
        let start = before * cell - self.foot();
        let columns = before as usize + (150.0 / cell).ceil() as usize + 1;
        let height = |k: usize| match k % columns {
            i if i >= before as usize => 0.0,
            i => rounded(self.at(i as f64 * cell - start), decimals),
        };
        let heights = (0..7 * columns).map(height).collect();
        let grid = Grid::new(columns, 7, cell, DVec2::ZERO, heights).unwrap();
        (grid, start)
    }

    /// Means over masses released 5 m over the ground on 2 m of the slope, with x = 0 and y where they are on this
    /// terrain.
    fn run(self, terrain: &dyn Terrain, zero: DVec2, count: u32) -> Found {
        self.run_with(&StopConditions::default(), terrain, zero, count)
    }

    fn run_with(
        self,
        stop: &StopConditions,
        terrain: &dyn Terrain,
        zero: DVec2,
        count: u32,
    ) -> Found {
        let [normal_restitution, tangential_restitution, friction] = self.material;
        let sample = MaterialSample {
            normal_restitution,
            tangential_restitution,
            friction,
            ..MaterialSample::default()
        };
        let ground = SlopeMaterial::constant(
            "m",
            GroundCoefficients {
                normal_restitution,
                tangential_restitution,
                friction,
            },
        );
        let ground = Ground::uniform(ground).unwrap();
        let mut engine = LumpedRock::new(terrain, &ground, stop);
        engine.law = ReboundLaw::Manual(LumpedLaw {
            rotation: self.rotation,
            ..LumpedLaw::default()
        });
        let rock = LumpedMass::default();
        let station = zero.x + self.foot() - 2.0;
        let mut found = Found::default();
        for k in 0..count {
            let x = zero.x + 1.0 + 2.0 * (f64::from(k) + 0.5) / f64::from(count);
            let ground = terrain.surface(x, zero.y).unwrap().height;
            let start = LumpedState {
                position: DVec3::new(x, zero.y, ground + 5.0),
                velocity: DVec3::X,
                ..LumpedState::default()
            };
            let mut energy = None;
            let (_, end, tally) = engine.run(&rock, &[sample], start, None, &mut |arc| {
                if energy.is_none() && arc.end().x >= station {
                    let t = arc.crossings(DVec2::X, station)[0].unwrap_or(0.0);
                    let speed = arc.velocity_at(t).length();
                    energy = Some(0.5 * rock.mass * speed * speed + arc.rotational_energy);
                }
                ControlFlow::Continue(())
            });
            found.energy += energy.unwrap_or(0.0) / f64::from(count);
            found.runout += (end.position.x - x) / f64::from(count);
            found.lost += tally.impact_loss;
            found.unresolved += tally.unresolved_loss;
        }
        found
    }
}

fn rounded(h: f64, decimals: i32) -> f64 {
    let scale = libm::pow(10.0, f64::from(decimals));
    match decimals {
        0..=12 => (h * scale).round() / scale,
        _ => h,
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Found {
    energy: f64,
    runout: f64,
    lost: f64,
    unresolved: f64,
}

impl Found {
    /// How far energy and runout are beyond the exact answers, relative to them: the larger.
    fn off(&self, [least, most]: &[Found; 2]) -> f64 {
        let beyond = |value: f64, low: f64, high: f64| (low - value).max(value - high).max(0.0);
        let energy = beyond(self.energy, least.energy, most.energy) / most.energy.max(1e3);
        energy.max(beyond(self.runout, least.runout, most.runout) / most.runout)
    }
}

/// Grounds of one resolution: how many are more than 1 % beyond the exact answers, how many 5 % without a warning, and
/// how far the farthest is.
#[derive(Debug, Clone, Copy)]
struct Rounded {
    decimals: i32,
    off: u32,
    silent: u32,
    largest: f64,
}

/// Differences from two exact segments by decimals, and how many slopes have exact answers that jump by more than 1 %
/// within a tenth of the cutoff.
fn sweep(slopes: u32, count: u32, seed: u64) -> (Vec<Rounded>, u32) {
    let mut jumps = 0;
    let mut rng = Streams::new(seed).rng(Purpose::Material, 0);
    let mut rows: Vec<Rounded> = [12, 9, 6, 3, 2]
        .map(|decimals| Rounded {
            decimals,
            off: 0,
            silent: 0,
            largest: 0.0,
        })
        .to_vec();
    for k in 0..slopes {
        let shape = Shape {
            tangent: libm::tan(rng.random_range(25.0..60.0f64).to_radians()),
            height: rng.random_range(30.0..120.0),
            material: [
                rng.random_range(0.2..0.5),
                rng.random_range(0.6..0.95),
                rng.random_range(0.2..0.8),
            ],
            rotation: k % 2 == 0,
        };
        let right = shape.exact(count);
        jumps += u32::from(right[0].off(&[right[1], right[1]]) > 0.01);
        for row in &mut rows {
            let profile = shape.profile(Some(1.0), row.decimals);
            let mut all = vec![(shape.run(&profile, DVec2::ZERO, count), 1.0)];
            for cell in [10.0, 5.0, 2.0, 1.0, 0.7] {
                let (grid, start) = shape.raster(cell, row.decimals);
                let zero = DVec2::new(start, 3.37 * cell);
                all.push((shape.run(&grid, zero, count), cell));
            }
            for (found, cell) in all {
                let off = found.off(&right);
                row.off += u32::from(off > 0.01);
                // The share of lost energy from which on a result carries a warning.
                let silent = found.unresolved < 0.01 * found.lost;
                row.silent += u32::from(off > 0.05 && silent);
                if off > 0.01 {
                    println!(
                        "{} decimals, cell {cell}: {off:.4} {found:?} {right:?} {shape:?}",
                        row.decimals
                    );
                }
                row.largest = row.largest.max(off);
            }
        }
    }
    (rows, jumps)
}

#[test]
fn energy_and_runout_do_not_depend_on_the_cut() {
    let (rows, jumps) = sweep(8, 40, 1);
    assert!(jumps <= 2, "{jumps} of 8 slopes are no test");
    for row in rows {
        if row.decimals > 2 {
            assert_eq!(row.off, 0, "{row:?}");
        }
        assert_eq!(row.silent, 0, "{row:?}");
    }
}

/// The 35° line over 100 m: 403.5 kJ in two segments without rotation, which a closed form of five impacts and a slide
/// gives.
#[test]
fn the_line_of_100_m_has_its_energy() {
    let shape = Shape {
        tangent: libm::tan(35f64.to_radians()),
        height: 100.0,
        material: [0.35, 0.85, 0.6],
        rotation: false,
    };
    let right = line_in_closed_form(35.0, 100.0, shape.material);
    for (step, decimals, bound) in [
        (None, 15, 1e-9),
        (Some(1.0), 15, 1e-9),
        (Some(1.0), 9, 1e-6),
        (Some(1.0), 6, 1e-4),
        (Some(1.0), 3, 1e-2),
        (Some(1.0), 2, 5e-2),
    ] {
        let found = shape.run(&shape.profile(step, decimals), DVec2::ZERO, 50);
        let off = found.energy / right - 1.0;
        assert!(
            off.abs() < bound,
            "{decimals} decimals: {} J for {right} J",
            found.energy
        );
    }
}

/// Energy 2 m before the foot: bounces on a plane, then a slide. Along the plane a flight gains g sin θ t, each impact
/// takes R_t; off it v' = R_n v.
fn line_in_closed_form(degrees: f64, height: f64, [rn, rt, mu]: [f64; 3]) -> f64 {
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    let g = 9.81;
    // Along the plane, off it, and the way down along it from the mean release.
    let (mut along, mut off, mut way) = (cosine, sine, -5.0 * sine);
    let mut height_off = 5.0 * cosine;
    while off >= 0.1 || height_off > 0.0 {
        // Up and down again under g cos θ.
        let t = (off + (off * off + 2.0 * g * cosine * height_off).sqrt()) / (g * cosine);
        way += along * t + 0.5 * g * sine * t * t;
        along = rt * (along + g * sine * t);
        off = rn * (g * cosine * t - off);
        height_off = 0.0;
    }
    let released = 2.0 / cosine;
    let end = (height / (sine / cosine) - 2.0) / cosine;
    let square = along * along + 2.0 * g * (sine - mu * cosine) * (end - released - way);
    0.5 * 2700.0 * square
}

/// Over a crest of radius R a mass flies where v² ≥ R g cos φ, however finely the crest is cut: with v₀ on the level
/// before it, at cos φ = (v₀²/(R g) + 2)/3.
#[test]
fn a_crest_of_small_facets_throws_a_mass_off() {
    let (radius, speed) = (50.0f64, 15.0);
    let ground = Ground::uniform(SlopeMaterial::constant(
        "m",
        GroundCoefficients {
            normal_restitution: 0.3,
            tangential_restitution: 0.85,
            friction: 0.0,
        },
    ))
    .unwrap();
    let sample = MaterialSample {
        normal_restitution: 0.3,
        tangential_restitution: 0.85,
        friction: 0.0,
        ..MaterialSample::default()
    };
    let cosine = (speed * speed / (radius * 9.81) + 2.0) / 3.0;
    let right = radius * (1.0 - cosine * cosine).sqrt();
    let mut last = f64::INFINITY;
    for (step, cutoff) in [(0.1, 0.1), (0.03, 0.03), (0.01, 0.01)] {
        let point = |k: i32| {
            let x = f64::from(k) * step;
            let u = (x - 20.0).max(0.0);
            DVec2::new(x, (radius * radius - u * u).sqrt() - radius)
        };
        let profile = Profile::new((0..=(60.0 / step) as i32).map(point).collect()).unwrap();
        let stop = StopConditions {
            normal_velocity_cutoff: cutoff,
            ..StopConditions::default()
        };
        let engine = LumpedRock::new(&profile, &ground, &stop);
        let start = LumpedState {
            position: DVec3::X,
            velocity: DVec3::X * speed,
            ..LumpedState::default()
        };
        let mut left = None;
        engine.run(&LumpedMass::default(), &[sample], start, None, &mut |arc| {
            if arc.motion == Motion::Flight {
                left.get_or_insert(arc.position.x - 20.0);
            }
            ControlFlow::Continue(())
        });
        let late = left.unwrap() - right;
        // It takes a moment to come off the ground at the cutoff: the less, the lower that is.
        assert!(
            late > -step && late < last && late < 3.0,
            "{step}: {late} m"
        );
        last = late;
    }
}
