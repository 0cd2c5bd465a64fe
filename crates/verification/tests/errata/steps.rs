//! Roots by halving and motions in small steps, for the second formulations.

/// The root of a falling function between two points, by halving.
pub fn root(falls: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if falls(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Time and rate when x from this state is 0 again, in steps of Runge and Kutta from `dt` on and the last by halving.
pub fn lands(start: (f64, f64), mut dt: f64, acceleration: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let step = |(x, v): (f64, f64), dt: f64| {
        let (a1, v1) = (acceleration(x, v), v);
        let v2 = v + 0.5 * dt * a1;
        let a2 = acceleration(x + 0.5 * dt * v1, v2);
        let v3 = v + 0.5 * dt * a2;
        let a3 = acceleration(x + 0.5 * dt * v2, v3);
        let v4 = v + dt * a3;
        let a4 = acceleration(x + dt * v3, v4);
        (
            x + dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4),
            v + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4),
        )
    };
    let (mut state, mut t, least) = (start, 0.0, 1e-10 * dt);
    while dt > least {
        let next = step(state, dt);
        if next.0 > 0.0 {
            (state, t) = (next, t + dt);
        } else {
            dt *= 0.5;
        }
    }
    (t, state.1)
}
