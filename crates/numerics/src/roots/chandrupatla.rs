//! A root between two values of different sign.

/// A root: the best point, and the ends of the last bracket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// The point with the smallest value.
    pub best: f64,
    /// The end on the side of the first of the two given points: there the function has the sign that it has at that
    /// point.
    pub before: f64,
    /// The end on the side of the second one.
    pub after: f64,
}

/// Root between the points `a` and `b` = (x, f(x)) of different sign (one of them above zero, the other not), to two
/// roundings of the root or to `absolute`: inverse quadratic interpolation where it is safe, bisection elsewhere
/// (Chandrupatla 1997, Advances in Engineering Software 28, 145).
///
/// Takes 5 to 9 evaluations of a smooth function, never more than about three times those of bisection. Points of the
/// same sign, or a NaN, give some point between the two.
pub fn chandrupatla(
    a: (f64, f64),
    b: (f64, f64),
    absolute: f64,
    mut f: impl FnMut(f64) -> f64,
) -> Root {
    let (mut x1, mut f1) = b;
    let (mut x2, mut f2) = a;
    let mut t = 0.5;
    for _ in 0..MAX_STEPS {
        let x = x1 + t * (x2 - x1);
        let fx = f(x);
        let (x3, f3);
        if (fx > 0.0) == (f1 > 0.0) {
            (x3, f3) = (x1, f1);
        } else {
            (x3, f3) = (x2, f2);
            (x2, f2) = (x1, f1);
        }
        (x1, f1) = (x, fx);
        let (best, least) = if f1.abs() < f2.abs() {
            (x1, f1)
        } else {
            (x2, f2)
        };
        let tolerance = 2.0 * f64::EPSILON * best.abs() + absolute;
        let limit = tolerance / (x2 - x1).abs();
        if limit > 0.5 || least == 0.0 || x2 == x1 {
            break;
        }
        let xi = (x1 - x2) / (x3 - x2);
        let phi = (f1 - f2) / (f3 - f2);
        t = if 1.0 - (1.0 - xi).sqrt() < phi && phi < xi.sqrt() {
            f1 / (f2 - f1) * (f3 / (f2 - f3))
                + (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2))
        } else {
            0.5
        };
        t = t.clamp(limit, 1.0 - limit);
    }
    let best = if f1.abs() < f2.abs() { x1 } else { x2 };
    let (before, after) = if (f1 > 0.0) == (a.1 > 0.0) {
        (x1, x2)
    } else {
        (x2, x1)
    };
    Root {
        best,
        before,
        after,
    }
}

/// Bisection needs 53 halvings for a root of the size of the bracket, 1,100 for one at the least double.
const MAX_STEPS: usize = 1200;
