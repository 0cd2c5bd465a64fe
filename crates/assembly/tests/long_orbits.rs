//! Long-time response of the series of Table 9.3: what is a periodic orbit, and what only looks like one. Each run is
//! repeated by the second implementation with 77 decimals, in which even 120 periods of chaos stay predictable.

use crate::second;

use std::f64::consts::TAU;

use klast_assembly::analysis::{PeriodSearch, find_period, horizon, periodic_orbit};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};
use second::rules::Rule;
use second::solver::{Case, Solver, What};
use second::wide::Wide;

/// A touching row under the complementarity rule, which moves as one block: amplitude in mm, twice the frequency in Hz,
/// ten times the restitution at the wall.
#[derive(Debug, Clone, Copy)]
struct Series {
    blocks: i64,
    amplitude: i64,
    double_frequency: i64,
    wall: i64,
    kicked: bool,
}

impl Series {
    fn frequency(self) -> f64 {
        0.5 * self.double_frequency as f64
    }

    fn run(self) -> Assembly {
        let velocity = if self.kicked {
            StartVelocity::AtRest
        } else {
            StartVelocity::WithBasin
        };
        self.released(&Start::touching(self.blocks as usize, velocity), false)
    }

    fn released(self, start: &Start, sequential: bool) -> Assembly {
        let motion = BasinMotion::harmonic(
            self.amplitude as f64 / 1e3,
            Frequency::hertz(self.frequency()),
        )
        .unwrap();
        let restitution = Restitution::new(self.wall as f64 / 10.0, 0.6).unwrap();
        let basin = Basin::new(0.394, motion, restitution).unwrap();
        let block = Block {
            size: 0.04,
            mass: 0.05224,
            friction: 0.03,
        };
        let row = BlockRow::uniform(self.blocks as usize, block).unwrap();
        let rule = if sequential {
            ImpactRule::LowestFirst
        } else {
            ImpactRule::Complementarity
        };
        Assembly::new(basin, &row, start, rule).unwrap()
    }

    /// One block in place of the rigid row.
    fn second(self) -> Solver {
        self.second_row(1, Rule::Complementarity)
    }

    fn second_row(self, bodies: usize, rule: Rule) -> Solver {
        let case = Case {
            mass: vec![1.0; bodies],
            grip: vec![0.0; bodies],
            free: Wide::int(394 - 40 * self.blocks).over(1000),
            walls: 0.0,
            blocks: 0.0,
            rule,
            places: vec![Wide::ZERO; bodies],
            kicked: self.kicked,
            waves: vec![(
                Wide::int(self.amplitude).over(1000),
                Wide::pi() * Wide::int(self.double_frequency),
                Wide::ZERO,
            )],
            lead_in: None,
            record: Vec::new(),
        };
        // μ g = 0.03 · 9.81.
        let grip = Wide::int(2943).over(10_000);
        let e = (Wide::int(self.wall).over(10), Wide::int(6).over(10));
        Solver::with(case, vec![grip; bodies], e)
    }
}

/// Sections of 120 periods (coordinate and slip in units of u0 and u0 Ω) and the last wall impact in periods.
fn sections(series: Series) -> (Vec<(f64, f64)>, f64) {
    let mut run = series.second();
    let length = 1e-3 * series.amplitude as f64;
    let speed = length * TAU * series.frequency();
    let all = (0..=120)
        .map(|k| {
            run.advance(Wide::int(2 * k).over(series.double_frequency as u64));
            let (y, w) = run.state()[0];
            (y / length, w / speed)
        })
        .collect();
    let last = run
        .log
        .iter()
        .rev()
        .find(|h| matches!(h.what, What::Impact(_)));
    (all, last.map_or(0.0, |h| h.time * series.frequency()))
}

fn apart(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// Smallest p whose last max(3p, 12) sections repeat, and how well they do.
fn period(sections: &[(f64, f64)], tolerance: f64) -> Option<(usize, f64)> {
    let last = sections.len();
    (1..=30).find_map(|p| {
        let begin = last - (3 * p).max(12);
        let worst = (begin..last)
            .map(|k| apart(sections[k], sections[k - p]))
            .fold(0.0, f64::max);
        (worst < tolerance).then_some((p, worst))
    })
}

/// Periods 25 and 27 are orbits: found by the search, closed by Newton's method, attracting, and repeated by the second
/// implementation to the last digit of a double.
#[test]
fn long_periods_are_orbits() {
    for (series, p, hit) in [
        (
            Series {
                blocks: 8,
                amplitude: 8,
                double_frequency: 8,
                wall: 6,
                kicked: true,
            },
            25,
            115.728_378_183_600_9,
        ),
        (
            Series {
                blocks: 4,
                amplitude: 40,
                double_frequency: 3,
                wall: 3,
                kicked: false,
            },
            27,
            116.689_935_300_700_1,
        ),
    ] {
        let (all, last) = sections(series);
        let (found, residual) = period(&all, 1e-12).unwrap();
        println!("{series:?}: period {found}, residual {residual:.1e}, last wall impact {last}");
        assert_eq!(found, p);
        // The reference, which looked for shorter periods only, followed the same orbit.
        assert!((last - hit).abs() < 1e-8, "{last}");

        let mut run = series.run();
        let report = find_period(&mut run, &PeriodSearch::default()).unwrap();
        assert_eq!(report.period, Some(p as u64));
        let orbit = periodic_orbit(&run, p as u64).unwrap();
        println!("{orbit:?}");
        assert!(orbit.exists(1e-6) && orbit.is_stable(), "{orbit:?}");
    }
}

/// Chaotic transients: the run can be trusted up to its horizon. The second implementation follows to the end, and
/// where it settles the engine has an attracting orbit as well.
#[test]
fn chaotic_transients_end_on_orbits() {
    for (double_frequency, p) in [(3, 1), (5, 3)] {
        let series = Series {
            blocks: 4,
            amplitude: 40,
            double_frequency,
            wall: 3,
            kicked: true,
        };
        let (all, last) = sections(series);
        let (found, residual) = period(&all, 1e-10).unwrap();
        println!("{series:?}: period {found}, residual {residual:.1e}, last wall impact {last}");
        assert_eq!(found, p);
        let trusted = follow(series.run(), series, 120, |k| vec![all[k]; 4]);
        let k = trusted as usize;
        println!("horizon {trusted:.2} T, section {k}: {:?}", all[k]);

        let length = 1e-3 * series.amplitude as f64;
        let speed = length * TAU * series.frequency();
        let (y, w) = all[120];
        let start = Start {
            gaps: vec![y * length, 0.0, 0.0, 0.0],
            velocity: StartVelocity::Given(vec![speed + w * speed; 4]),
        };
        let orbit = periodic_orbit(&series.released(&start, false), p as u64).unwrap();
        println!("{orbit:?}");
        if p == 1 {
            // It no longer meets a wall: any place between them will do, and one multiplier is 1.
            let multipliers = &orbit.floquet.multipliers;
            assert!(orbit.floquet.residual < 1e-12, "{orbit:?}");
            assert!((multipliers[0].modulus() - 1.0).abs() < 1e-6, "{orbit:?}");
            assert!(multipliers[1].modulus() < 0.8, "{orbit:?}");
        } else {
            assert!(orbit.exists(1e-6) && orbit.is_stable(), "{orbit:?}");
        }
    }
}

/// Follows a run section by section up to its horizon, which is returned in periods.
fn follow(
    mut run: Assembly,
    series: Series,
    sections: usize,
    expected: impl Fn(usize) -> Vec<(f64, f64)>,
) -> f64 {
    let f = series.frequency();
    let length = 1e-3 * series.amplitude as f64;
    let free = run.free_travel() / length;
    let watched = horizon(&mut run.clone(), 120.0 / f, 480).unwrap();
    let trusted = watched.time.unwrap() * f;
    for k in (0..=sections).take_while(|k| (*k as f64) < trusted) {
        run.advance_to_section(k as u64).unwrap();
        for (b, expected) in run.state().iter().zip(expected(k)) {
            let found = (b.free / length, b.slip / (length * TAU * f));
            // The definition of the horizon: 1e-9 of the free travel.
            assert!(
                apart(found, expected) < 1e-9 * free,
                "{k}: {found:?} {expected:?}"
            );
        }
    }
    trusted
}

/// A sequential rule spreads the row. Two periods are followed with the second implementation, which takes seconds for
/// each; that the digits last for some 23 is the library's own estimate, pinned here.
#[test]
fn a_chaotic_row_agrees_for_two_periods() {
    let series = Series {
        blocks: 4,
        amplitude: 40,
        double_frequency: 5,
        wall: 6,
        kicked: true,
    };
    let mut second = series.second_row(4, Rule::Lowest);
    let (length, speed) = (0.04, 0.04 * TAU * 2.5);
    let all: Vec<Vec<(f64, f64)>> = (0..=2)
        .map(|k| {
            second.advance(Wide::int(2 * k).over(5));
            let state = second.state();
            state.iter().map(|(y, w)| (y / length, w / speed)).collect()
        })
        .collect();
    println!("section 2: {:?}", all[2]);
    let start = Start::touching(4, StartVelocity::AtRest);
    let trusted = follow(series.released(&start, true), series, 2, |k| all[k].clone());
    println!("horizon {trusted:.2} T");
    assert!(trusted > 20.0 && trusted < 24.0, "{trusted}");
}

/// A run that has not settled within the search need not be chaotic: this one ends on a period of 11, later.
#[test]
fn a_late_orbit_is_found_by_shooting() {
    let series = Series {
        blocks: 4,
        amplitude: 40,
        double_frequency: 2,
        wall: 3,
        kicked: true,
    };
    let (all, _) = sections(series);
    assert_eq!(period(&all, 1e-7), None);
    let mut run = series.run();
    let search = PeriodSearch::default();
    assert_eq!(find_period(&mut run, &search).unwrap().period, None);
    let orbit = periodic_orbit(&run, 11).unwrap();
    assert!(orbit.exists(1e-6) && orbit.is_stable(), "{orbit:?}");
    assert_eq!(find_period(&mut run, &search).unwrap().period, Some(11));
}

/// The elastic block of Figure 9.2 is chaotic: near its states lies no orbit that attracts.
#[test]
fn chaos_is_no_orbit() {
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU)).unwrap();
    let basin = Basin::new(1.0 + TAU, motion, Restitution::new(1.0, 1.0).unwrap()).unwrap();
    let block = Block {
        size: 1.0,
        mass: 1.0,
        friction: 0.0,
    };
    let row = BlockRow::uniform(1, block).unwrap();
    let start = Start::touching(1, StartVelocity::AtRest);
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap();
    let found = find_period(&mut run, &PeriodSearch::default()).unwrap();
    assert_eq!(found.period, None);
    for p in 1..=30 {
        let orbit = periodic_orbit(&run, p).unwrap();
        assert!(!(orbit.exists(1e-6) && orbit.is_stable()), "{orbit:?}");
    }
}
