//! The adaptive method against closed forms: error, order, events, repeated impacts.
use klast_numerics::ode::{Arrival, Crossing, Dopri853, Event, OdeError, OdeOptions, OdeSystem};

/// x'' = -x.
struct Spring;
impl OdeSystem for Spring {
    fn dimension(&self) -> usize {
        2
    }
    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = y[1];
        dy[1] = -y[0];
    }
}

/// The two-body problem with eccentricity 0.5: closed after one period.
struct Kepler;
impl OdeSystem for Kepler {
    fn dimension(&self) -> usize {
        4
    }
    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let r2 = y[0] * y[0] + y[1] * y[1];
        let r3 = r2 * r2.sqrt();
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = -y[0] / r3;
        dy[3] = -y[1] / r3;
    }
}

#[test]
fn a_closed_orbit_closes() {
    let start = [0.5, 0.0, 0.0, 3.0f64.sqrt()];
    let mut method = Dopri853::new(4, OdeOptions::default()).unwrap();
    method.reset(0.0, &start).unwrap();
    let period = std::f64::consts::TAU;
    assert_eq!(method.advance(&Kepler, period, &[]).unwrap(), Arrival::End);
    assert_eq!(method.time(), period);
    for (a, b) in method.state().iter().zip(&start) {
        // some 100 steps of relative error 1e-13, amplified by the eccentric orbit
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
}

#[test]
fn error_falls_with_the_eighth_power_of_the_step() {
    let error = |steps: usize| {
        let h = 8.0 / steps as f64;
        let options = OdeOptions {
            relative: 1e-2,
            absolute: 1e3,
            max_step: h,
            first_step: Some(h),
            ..OdeOptions::default()
        };
        let mut method = Dopri853::new(2, options).unwrap();
        method.reset(0.0, &[1.0, 0.0]).unwrap();
        method.advance(&Spring, 8.0, &[]).unwrap();
        (method.state()[0] - 8.0f64.cos()).hypot(method.state()[1] + 8.0f64.sin())
    };
    let order = (error(8) / error(16)).log2();
    assert!((7.5..9.5).contains(&order), "order {order}");
}

#[test]
fn events_are_found_to_rounding_and_do_not_repeat() {
    let zero = |_t: f64, y: &[f64]| y[0];
    let mut method = Dopri853::new(2, OdeOptions::default()).unwrap();
    method.reset(0.0, &[1.0, 0.0]).unwrap();
    for k in 0..20 {
        let arrival = method.advance(&Spring, 100.0, &[&zero]).unwrap();
        assert_eq!(arrival, Arrival::Event { index: 0 });
        let exact = (k as f64 + 0.5) * std::f64::consts::PI;
        // local errors of 1e-13 add up over some 60 s
        assert!(
            (method.time() - exact).abs() < 2e-12 * (1.0 + k as f64),
            "{k}"
        );
    }
}

struct Top;
impl Event for Top {
    fn value(&self, _t: f64, y: &[f64]) -> f64 {
        y[1]
    }
    fn crossing(&self) -> Crossing {
        Crossing::Falling
    }
}

#[test]
fn only_the_wanted_direction_counts() {
    let mut method = Dopri853::new(2, OdeOptions::default()).unwrap();
    method.reset(0.0, &[1.0, 0.0]).unwrap();
    method.advance(&Spring, 100.0, &[&Top]).unwrap();
    // velocity -sin t falls through zero first at 2 pi; at 0 it is zero and leaves downwards
    assert!((method.time() - std::f64::consts::TAU).abs() < 1e-12);
}

/// Free fall.
struct Fall;
impl OdeSystem for Fall {
    fn dimension(&self) -> usize {
        2
    }
    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = y[1];
        dy[1] = -9.81;
    }
}

#[test]
fn bounces_from_exactly_zero_are_all_seen() {
    let ground = |_t: f64, y: &[f64]| y[0];
    let mut method = Dopri853::new(2, OdeOptions::default()).unwrap();
    let (mut v, mut t) = (3.0, 0.0);
    for _ in 0..60 {
        method.reset(t, &[0.0, v]).unwrap();
        let arrival = method.advance(&Fall, 1e3, &[&ground]).unwrap();
        assert_eq!(arrival, Arrival::Event { index: 0 });
        let exact = t + 2.0 * v / 9.81;
        assert!(
            (method.time() - exact).abs() < 1e-14 * (1.0 + exact),
            "v {v}"
        );
        t = exact;
        v *= 0.7;
    }
}

#[test]
fn dense_output_follows_the_solution() {
    let mut method = Dopri853::new(2, OdeOptions::default()).unwrap();
    method.reset(0.0, &[1.0, 0.0]).unwrap();
    let mut worst = 0.0f64;
    let mut observe = |m: &Dopri853| {
        let mut y = [0.0; 2];
        for k in 0..=10 {
            let t = m.step_start() + (m.time() - m.step_start()) * k as f64 / 10.0;
            m.interpolate(t, &mut y);
            worst = worst
                .max((y[0] - t.cos()).abs())
                .max((y[1] + t.sin()).abs());
        }
    };
    method
        .advance_observed(&Spring, 20.0, &[], Some(&mut observe))
        .unwrap();
    // order 7 against steps chosen for order 8 at 1e-13
    assert!(worst < 2e-11, "{worst}");
}

#[test]
fn bad_input_is_an_error() {
    let bad = OdeOptions {
        relative: 0.0,
        ..OdeOptions::default()
    };
    assert!(matches!(
        Dopri853::new(1, bad),
        Err(OdeError::Option {
            field: "relative",
            ..
        })
    ));
    let mut method = Dopri853::new(2, OdeOptions::default()).unwrap();
    assert!(method.reset(f64::NAN, &[0.0, 0.0]).is_err());
    assert!(method.reset(0.0, &[0.0]).is_err());
    struct Blow;
    impl OdeSystem for Blow {
        fn dimension(&self) -> usize {
            1
        }
        fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
            dy[0] = y[0] * y[0];
        }
    }
    let mut method = Dopri853::new(1, OdeOptions::default()).unwrap();
    method.reset(0.0, &[1.0]).unwrap();
    // y = 1/(1 - t) has no value at t = 1
    assert!(method.advance(&Blow, 2.0, &[]).is_err());
    assert!((method.time() - 1.0).abs() < 1e-6);
}
