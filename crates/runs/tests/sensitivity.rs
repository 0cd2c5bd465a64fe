//! Sensitivity indices against closed forms, and the sets of values that they rest on.

use std::f64::consts::PI;

use klast_runs::study::design::{Choice, Design};
use klast_runs::study::indices::{Estimate, Index, sobol};
use klast_runs::study::scene::Method;
use klast_sampling::{Distribution, Family};

fn design(keys: usize, (lower, upper): (f64, f64), sets: usize) -> Design {
    let uniform = Distribution::new(Family::Uniform { lower, upper }).unwrap();
    Design {
        choices: vec![Choice::Drawn(uniform); keys],
        method: Method::Sobol { sets },
    }
}

/// The values of every run of a study, set by set.
fn sets(design: &Design, seed: u64) -> Vec<Vec<Vec<f64>>> {
    let keys = design.choices.len();
    let run = |run: usize| -> Vec<f64> {
        let values = design.values(run, seed);
        values
            .iter()
            .map(|v| v.as_ref().unwrap().as_f64().unwrap())
            .collect()
    };
    let runs: Vec<Vec<f64>> = (0..design.runs()).map(run).collect();
    runs.chunks(keys + 2).map(<[_]>::to_vec).collect()
}

/// The indices of a function over a design.
fn indices(design: &Design, seed: u64, f: &dyn Fn(&[f64]) -> f64) -> Vec<Index> {
    let of_set = |set: &Vec<Vec<f64>>| set.iter().map(|x| f(x)).collect();
    let results: Vec<Vec<f64>> = sets(design, seed).iter().map(of_set).collect();
    sobol(&results, design.choices.len(), seed).unwrap()
}

/// Ishigami and Homma (1990) with a = 7 and b = 0.1 over ±π.
fn ishigami(x: &[f64]) -> f64 {
    let sine = x[1].sin();
    x[0].sin() * (1.0 + 0.1 * x[2].powi(4)) + 7.0 * sine * sine
}

/// First-order and total indices of it: the closed form of its partial variances.
fn of_ishigami() -> [(f64, f64); 3] {
    let (a, b) = (7.0_f64, 0.1_f64);
    let first = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
    let second = a * a / 8.0;
    let both = 8.0 * b * b * PI.powi(8) / 225.0;
    let all = first + second + both;
    [
        (first / all, (first + both) / all),
        (second / all, second / all),
        (0.0, both / all),
    ]
}

/// The g-function of Sobol over (0, 1): the smaller its number, the more a key matters.
const NUMBERS: [f64; 5] = [0.0, 1.0, 4.5, 9.0, 99.0];

fn g(x: &[f64]) -> f64 {
    let factors = x.iter().zip(NUMBERS);
    factors
        .map(|(x, a)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a))
        .product()
}

fn of_g() -> Vec<(f64, f64)> {
    let own = NUMBERS.map(|a| 1.0 / (3.0 * (1.0 + a) * (1.0 + a)));
    let product: f64 = own.iter().map(|v| 1.0 + v).product();
    let all = product - 1.0;
    own.iter()
        .map(|v| (v / all, v * product / (1.0 + v) / all))
        .collect()
}

/// A design, a function over it, and its indices of first order and in total.
type Case<'a> = (Design, &'a dyn Fn(&[f64]) -> f64, Vec<(f64, f64)>);

fn close(found: &Estimate, expected: f64) {
    // Four standard errors, of which the interval of 95 % has 2 · 1.96: one of 16,000 honest estimates is farther off.
    let error = (found.upper - found.lower) / 3.92;
    assert!(
        (found.value - expected).abs() < 4.0 * error,
        "{found:?} {expected}"
    );
    // An interval that says nothing would pass as well: with 4,096 sets the standard errors of both functions are
    // some 0.01 to 0.03.
    assert!(error < 0.04, "{found:?}");
    assert!(
        found.lower <= found.value && found.value <= found.upper,
        "{found:?}"
    );
}

#[test]
fn indices_are_those_of_closed_forms() {
    let cases: [Case; 2] = [
        (
            design(3, (-PI, PI), 4096),
            &ishigami,
            of_ishigami().to_vec(),
        ),
        (design(5, (0.0, 1.0), 4096), &g, of_g()),
    ];
    for (design, f, expected) in &cases {
        for (found, (first, total)) in indices(design, 1, f).iter().zip(expected) {
            close(&found.first, *first);
            close(&found.total, *total);
        }
    }
}

/// The closed forms themselves, as they are printed: Saltelli et al. (2008), Global Sensitivity Analysis, and Marrel et
/// al. (2009), Reliability Engineering and System Safety 94, 742–751.
#[test]
fn closed_forms_are_those_of_the_literature() {
    let printed = [(0.3139, 0.5576), (0.4424, 0.4424), (0.0, 0.2437)];
    for (own, printed) in of_ishigami().iter().zip(printed) {
        // Four printed digits.
        assert!(
            (own.0 - printed.0).abs() < 5.1e-5 && (own.1 - printed.1).abs() < 5.1e-5,
            "{own:?}"
        );
    }
}

#[test]
fn intervals_hold_the_index_as_often_as_they_say() {
    let expected = of_ishigami();
    let design = design(3, (-PI, PI), 256);
    let (mut inside, mut all) = (0, 0);
    for seed in 0..40 {
        for (found, (first, total)) in indices(&design, seed, &ishigami).iter().zip(expected) {
            for (found, expected) in [(found.first, first), (found.total, total)] {
                all += 1;
                inside += i32::from((found.lower..=found.upper).contains(&expected));
            }
        }
    }
    // 95 % of 240, less what percentiles of 256 sets lack: both they and the scatter of a count of partly dependent
    // intervals are a few per cent.
    let share = f64::from(inside) / f64::from(all);
    assert!((0.88..0.995).contains(&share), "{share}");
}

#[test]
fn a_number_without_effect_has_no_index_and_results_that_do_not_vary_have_none() {
    let design = design(3, (0.0, 1.0), 64);
    let found = indices(&design, 3, &|x| x[0]);
    assert_eq!((found[1].first.value, found[1].total.value), (0.0, 0.0));
    let all = sets(&design, 3);
    for constant in [0.0, 1e9] {
        let same = vec![vec![constant; 5]; all.len()];
        assert_eq!(sobol(&same, 3, 1), None, "{constant}");
    }
    for wrong in [
        vec![vec![1.0, 2.0, 3.0]],
        vec![vec![1.0, 2.0, f64::NAN]; 2],
        vec![vec![1.0]; 2],
        Vec::new(),
    ] {
        assert_eq!(sobol(&wrong, 1, 1), None, "{wrong:?}");
    }
}

#[test]
fn a_set_changes_one_number_at_a_time_and_does_not_depend_on_how_many_there_are() {
    let few = sets(&design(4, (0.0, 1.0), 5), 9);
    let many = sets(&design(4, (0.0, 1.0), 500), 9);
    assert_eq!(few[..], many[..5]);
    for set in &many {
        let (a, b) = (&set[0], &set[1]);
        for (key, mixed) in set[2..].iter().enumerate() {
            for place in 0..4 {
                let expected = if place == key { b[place] } else { a[place] };
                assert_eq!(mixed[place], expected);
            }
        }
    }
    assert_ne!(few, sets(&design(4, (0.0, 1.0), 5), 10));
}
