//! Distributions against closed forms, and the round trip quantile → cdf.

use klast_sampling::{Distribution, DistributionError, Family, Purpose, Streams, student_quantile};
use proptest::prelude::*;

fn new(family: Family) -> Distribution {
    Distribution::new(family).unwrap()
}

#[test]
fn known_quantiles() {
    // Values of the standard normal from tables with 16 digits (Wichura 1988 gives 1e-16 relative).
    let normal = new(Family::Normal { mean: 0.0, sd: 1.0 });
    for (p, x) in [
        (0.975, 1.959963984540054),
        (0.99, 2.3263478740408408),
        (0.5, 0.0),
        (1e-10, -6.361340902404056),
    ] {
        assert!(
            (normal.quantile(p) - x).abs() < 1e-13,
            "{p}: {}",
            normal.quantile(p)
        );
    }
    // Median of the exponential: ln 2. Gamma of shape 1 is the exponential. Beta(1, b): 1 − (1 − x)^b.
    let ln2 = std::f64::consts::LN_2;
    assert!((new(Family::Exponential { mean: 3.0 }).quantile(0.5) - 3.0 * ln2).abs() < 1e-15);
    assert!(
        (new(Family::Gamma {
            shape: 1.0,
            scale: 3.0
        })
        .quantile(0.5)
            - 3.0 * ln2)
            .abs()
            < 1e-13
    );
    let beta = new(Family::Beta {
        alpha: 1.0,
        beta: 4.0,
        lower: -1.0,
        upper: 1.0,
    });
    assert!((beta.quantile(0.3) - (-1.0 + 2.0 * (1.0 - 0.7f64.powf(0.25)))).abs() < 1e-13);
    // I_x(2, 3) = 6x² − 8x³ + 3x⁴ (integrate the density 12 x (1 − x)²).
    let beta = new(Family::Beta {
        alpha: 2.0,
        beta: 3.0,
        lower: 0.0,
        upper: 1.0,
    });
    for x in [0.1f64, 0.4, 0.7, 0.95] {
        assert!((beta.cdf(x) - (6.0 * x * x - 8.0 * x.powi(3) + 3.0 * x.powi(4))).abs() < 1e-14);
    }
    // Gamma of shape 1/2: P = erf(√x).
    let gamma = new(Family::Gamma {
        shape: 0.5,
        scale: 1.0,
    });
    for x in [0.01f64, 0.5, 1.0, 4.0, 20.0] {
        assert!((gamma.cdf(x) - libm::erf(x.sqrt())).abs() < 1e-14);
    }
    // Triangle on [0, 4] with mode 1: F(1) = 1/4, F(2) = 1 − 4/12.
    let triangle = new(Family::Triangular {
        lower: 0.0,
        mode: 1.0,
        upper: 4.0,
    });
    assert!(
        (triangle.cdf(1.0) - 0.25).abs() < 1e-15 && (triangle.cdf(2.0) - 2.0 / 3.0).abs() < 1e-15
    );
    assert!((triangle.quantile(0.25) - 1.0).abs() < 1e-15);
}

/// Tables of Student's distribution, two-sided 95 % (any handbook): 12.7062, 2.2622, 2.0687, 1.9842.
#[test]
fn student_quantiles_are_those_of_tables() {
    for (freedom, t) in [
        (1.0, 12.7062),
        (9.0, 2.2622),
        (23.0, 2.0687),
        (99.0, 1.9842),
    ] {
        let found = student_quantile(0.975, freedom).unwrap();
        assert!((found - t).abs() < 6e-5, "{freedom}: {found}");
    }
    assert!(student_quantile(0.975, 0.0).is_err());
}

#[test]
fn moments_by_midpoint_rule() {
    // Mean and variance of the quantile function over (0, 1); 2e5 points leave a bias of about 1e-3 in unbounded tails.
    let cases = [
        (Family::Lognormal { mean: 2.0, sd: 0.5 }, 2.0, 0.25),
        (
            Family::Gamma {
                shape: 2.5,
                scale: 0.8,
            },
            2.0,
            1.6,
        ),
        (
            Family::Normal {
                mean: -1.0,
                sd: 2.0,
            },
            -1.0,
            4.0,
        ),
        (Family::Exponential { mean: 0.7 }, 0.7, 0.49),
        (
            Family::Uniform {
                lower: 1.0,
                upper: 4.0,
            },
            2.5,
            0.75,
        ),
        (
            Family::Triangular {
                lower: 0.0,
                mode: 1.0,
                upper: 4.0,
            },
            5.0 / 3.0,
            13.0 / 18.0,
        ),
        (
            Family::Beta {
                alpha: 2.0,
                beta: 3.0,
                lower: 0.0,
                upper: 1.0,
            },
            0.4,
            0.04,
        ),
    ];
    for (family, mean, variance) in cases {
        let d = new(family);
        let n = if matches!(family, Family::Gamma { .. } | Family::Beta { .. }) {
            4_000
        } else {
            200_000
        };
        let x: Vec<f64> = (0..n)
            .map(|i| d.quantile((f64::from(i) + 0.5) / f64::from(n)))
            .collect();
        let m = x.iter().sum::<f64>() / f64::from(n);
        let v = x.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / f64::from(n);
        assert!(
            (m - mean).abs() < 2e-3 && (v - variance).abs() < 1e-2 * variance,
            "{family:?}: {m} {v}"
        );
    }
}

#[test]
fn far_tails_keep_their_digits() {
    // Normal beyond 8 sd: P(X > 8.5)/P(X > 8) = 0.0306 by the asymptotic series; the truncated median must lie just
    // above 8.
    let d = Distribution::truncated(Family::Normal { mean: 0.0, sd: 1.0 }, 8.0, 9.0).unwrap();
    let median = d.quantile(0.5);
    assert!(median > 8.0 && median < 8.1, "{median}");
    assert!((d.cdf(median) - 0.5).abs() < 1e-12);
}

#[test]
fn bad_parameters_are_named() {
    let error = Distribution::new(Family::Normal {
        mean: 0.0,
        sd: -1.0,
    })
    .unwrap_err();
    assert!(
        matches!(error, DistributionError::OutOfRange(e) if e.field == "sd" && e.found == (-1.0).into())
    );
    assert!(Distribution::new(Family::Lognormal { mean: 0.0, sd: 1.0 }).is_err());
    assert!(
        Distribution::new(Family::Uniform {
            lower: 0.0,
            upper: f64::INFINITY
        })
        .is_err()
    );
    assert!(Distribution::new(Family::Constant(f64::NAN)).is_err());
    for (lower, upper) in [(2.0, 1.0), (1.5, 2.0), (f64::NAN, 1.0)] {
        let error = Distribution::truncated(
            Family::Uniform {
                lower: 0.0,
                upper: 1.0,
            },
            lower,
            upper,
        )
        .unwrap_err();
        assert!(matches!(error, DistributionError::EmptyInterval { .. }));
    }
}

#[test]
fn streams_are_uniform_across_indices() {
    // First draw of 10 000 neighbouring indices in 100 bins: chi-square with 99 degrees of freedom stays below 160 (p =
    // 1e-4) for each purpose.
    for purpose in [
        Purpose::Position,
        Purpose::Material,
        Purpose::Custom(0),
        Purpose::Custom(1),
    ] {
        let mut counts = [0.0f64; 100];
        for index in 0..10_000 {
            let u = klast_sampling::open_uniform(&mut Streams::new(1).rng(purpose, index));
            counts[(u * 100.0) as usize] += 1.0;
        }
        let chi2: f64 = counts
            .iter()
            .map(|c| (c - 100.0) * (c - 100.0) / 100.0)
            .sum();
        assert!(chi2 < 160.0, "{purpose:?}: {chi2}");
    }
}

fn family() -> impl Strategy<Value = Family> {
    let p = 0.05..20.0f64;
    prop_oneof![
        (-5.0..5.0f64, 0.01..3.0f64).prop_map(|(mean, sd)| Family::Normal { mean, sd }),
        (-5.0..5.0f64, 0.01..3.0f64).prop_map(|(lower, w)| Family::Uniform {
            lower,
            upper: lower + w
        }),
        (-5.0..5.0f64, 0.01..3.0f64, 0.0..=1.0f64).prop_map(|(lower, w, m)| Family::Triangular {
            lower,
            mode: lower + m * w,
            upper: lower + w
        }),
        (0.1..5.0f64, 0.01..3.0f64).prop_map(|(mean, sd)| Family::Lognormal { mean, sd }),
        (0.1..5.0f64).prop_map(|mean| Family::Exponential { mean }),
        // Below 0.5 a beta piles up at its ends closer than a double can tell from the end itself.
        (0.5..20.0f64, 0.5..20.0f64).prop_map(|(alpha, beta)| Family::Beta {
            alpha,
            beta,
            lower: -1.0,
            upper: 2.0
        }),
        (p.clone(), p).prop_map(|(shape, scale)| Family::Gamma { shape, scale }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn cdf_undoes_quantile(family in family(), p in 0.001..0.999f64, a in 0.01..0.99f64, b in 0.01..0.99f64) {
        let whole = Distribution::new(family).unwrap();
        // A float step of x changes the cdf by density × ulp; 1e-9 allows densities up to 1e6 near the poles of a beta.
        prop_assert!((whole.cdf(whole.quantile(p)) - p).abs() < 1e-9);
        let (lo, hi) = (whole.quantile(a.min(b)), whole.quantile(a.max(b)));
        if hi > lo && (a - b).abs() > 1e-3 {
            let cut = Distribution::truncated(family, lo, hi).unwrap();
            let x = cut.quantile(p);
            prop_assert!(x >= lo && x <= hi);
            prop_assert!((cut.cdf(x) - p).abs() < 1e-6);
            let inside = a.min(b) + p * (a - b).abs();
            prop_assert!((whole.cdf(x) - inside).abs() < 1e-8);
        }
    }
}
