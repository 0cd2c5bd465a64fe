//! Limit loads by the static theorem: independent of the time stepping, on plane models of the same geometry.

use crate::masonry::Brick;
use crate::simplex::{NoOptimum, maximise};
use glam::DVec2;

/// The ground.
const GROUND: usize = usize::MAX;

/// A point where brick `upper` (or left) presses on another brick or the ground.
struct Joint {
    on: usize,
    by: usize,
    point: DVec2,
    normal: DVec2,
}

/// Largest λ for which bricks of unit weight density, each of a depth, under gravity (0, −1) and a horizontal load λ
/// find an equilibrium without tension, with every joint force inside Coulomb's cone (Livesley 1978, "Limit analysis of
/// structures formed from rigid blocks").
///
/// With friction this is an upper bound: the law of Coulomb is not associated.
///
/// # Errors
/// When the linear programme has no optimum.
pub fn limit_of_section(section: &[(Brick, f64)], mu: f64) -> Result<f64, NoOptimum> {
    let bricks: Vec<Brick> = section.iter().map(|(b, _)| *b).collect();
    let joints = joints(&bricks);
    // Weights of order 1, as the simplex method's zero wants them; the limit does not depend on the unit.
    let area = |(brick, depth): &(Brick, f64)| {
        let size = brick.high - brick.low;
        size.x * size.y * depth
    };
    let largest = section.iter().map(area).fold(0.0, f64::max);
    let columns = 2 * joints.len() + 1;
    let mut a = vec![vec![0.0; columns]; 3 * bricks.len()];
    let mut b = vec![0.0; 3 * bricks.len()];
    for (i, brick) in section.iter().enumerate() {
        let weight = area(brick) / largest;
        b[3 * i + 1] = weight;
        a[3 * i][columns - 1] = weight;
    }
    for (k, joint) in joints.iter().enumerate() {
        let tangent = joint.normal.perp();
        // The two edges of the friction cone; any force in it is a sum of them with factors ≥ 0.
        for (edge, sign) in [1.0, -1.0].into_iter().enumerate() {
            let force = joint.normal + tangent * (sign * mu);
            for (body, force) in [(joint.by, force), (joint.on, -force)] {
                if body != GROUND {
                    let arm = joint.point - 0.5 * (bricks[body].low + bricks[body].high);
                    a[3 * body][2 * k + edge] += force.x;
                    a[3 * body + 1][2 * k + edge] += force.y;
                    a[3 * body + 2][2 * k + edge] += arm.perp_dot(force);
                }
            }
        }
    }
    let mut c = vec![0.0; columns];
    c[columns - 1] = 1.0;
    maximise(&a, &b, &c)
}

/// The same for bricks of one depth.
///
/// # Errors
/// When the linear programme has no optimum.
pub fn horizontal_limit(bricks: &[Brick], mu: f64) -> Result<f64, NoOptimum> {
    let bricks: Vec<(Brick, f64)> = bricks.iter().map(|b| (*b, 1.0)).collect();
    limit_of_section(&bricks, mu)
}

/// Both ends of every stretch along which two bricks, or a brick and the ground, touch.
fn joints(bricks: &[Brick]) -> Vec<Joint> {
    let near = |x: f64, y: f64| (x - y).abs() < 1e-9;
    let mut joints = vec![];
    let mut add = |on, by, ends: [DVec2; 2], normal| {
        joints.extend(ends.map(|point| Joint {
            on,
            by,
            point,
            normal,
        }));
    };
    for (i, b) in bricks.iter().enumerate() {
        if near(b.low.y, 0.0) {
            add(GROUND, i, [b.low, DVec2::new(b.high.x, 0.0)], DVec2::Y);
        }
        for (j, other) in bricks.iter().enumerate() {
            let (left, right) = (b.low.x.max(other.low.x), b.high.x.min(other.high.x));
            if near(b.low.y, other.high.y) && right - left > 1e-9 {
                add(
                    j,
                    i,
                    [DVec2::new(left, b.low.y), DVec2::new(right, b.low.y)],
                    DVec2::Y,
                );
            }
            let (low, high) = (b.low.y.max(other.low.y), b.high.y.min(other.high.y));
            if near(b.low.x, other.high.x) && high - low > 1e-9 {
                add(
                    j,
                    i,
                    [DVec2::new(b.low.x, low), DVec2::new(b.low.x, high)],
                    DVec2::X,
                );
            }
        }
    }
    joints
}
