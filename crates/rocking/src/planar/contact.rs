//! Which mode follows: the complementarity problem on accelerations at one or both corners.
//!
//! Unknown are the corner forces N ≥ 0 and |T| ≤ μN; a corner that touches the base without normal velocity either
//! pushes without normal acceleration or accelerates away; a foot at rest sticks, or starts to slide against the
//! friction; one that slides keeps its direction. Each mode is one solution of the equalities, and is taken if it meets
//! the inequalities.

use super::state::{Foot, Mode, State, side_of};
use crate::block::{Corner, RockingBlock, Side};

/// Accelerations under which an inequality counts as met, over gravity: what is left of a limit reached by root
/// finding.
pub(super) const VERGE: f64 = 1e-9;

/// Accelerations by which a second solution must meet its inequalities to count as one, over gravity.
const CLEAR: f64 = 1e-6;

/// What the problem says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    /// The mode that follows; none where the problem has no solution.
    pub mode: Option<Mode>,
    /// The mode that contradicts least.
    pub nearest: Mode,
    /// Whether another mode solves the problem as well.
    pub ambiguous: bool,
}

/// What pushes a block against its base, per mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Push {
    /// Acceleration of the base along itself, less that by restrainers (m/s²).
    pub along: f64,
    /// Gravity and acceleration of the base normal to itself, less that by restrainers (m/s²).
    pub weight: f64,
    /// Moment of restrainers about the mass centre, clockwise (m²/s²).
    pub moment: f64,
}

/// The force per mass and the accelerations of a block on one corner, in the frame of its side.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnCorner {
    /// Angular acceleration away from the base (rad/s²).
    pub turning: f64,
    /// Normal force (N/kg).
    pub normal: f64,
    /// Force along the base (N/kg).
    pub tangent: f64,
    /// Acceleration of the foot along the base (m/s²).
    pub foot: f64,
    /// Whether a push lifts the sliding corner: its normal mobility is above zero.
    pub lifts: bool,
}

/// Accelerations on the corner of `side` at rotation `q` and its `rate`; `pull` is none for a foot that sticks, σμ in
/// the frame of the side for one that slides.
pub(super) fn on_corner(
    block: &RockingBlock,
    side: Side,
    (q, rate): (f64, f64),
    pull: Option<f64>,
    push: Push,
) -> OnCorner {
    let corner = block.corner(side);
    let (radius, gyration) = (corner.radius, block.gyration_squared());
    let (sin, cos) = libm::sincos(corner.slenderness - q);
    let (along, weight) = (side.sign() * push.along, push.weight);
    let moment = side.sign() * push.moment;
    let centre = |turning: f64| {
        (
            radius * (turning * cos + rate * rate * sin),
            radius * (turning * sin - rate * rate * cos),
        )
    };
    match pull {
        None => {
            let pull = radius * (weight * sin + along * cos);
            let turning = (moment - pull) / (gyration + radius * radius);
            let (x, z) = centre(turning);
            OnCorner {
                turning,
                normal: weight + z,
                tangent: along + x,
                foot: 0.0,
                lifts: true,
            }
        }
        Some(pull) => {
            let arm = sin - pull * cos;
            let mobility = 1.0 + radius * radius / gyration * sin * arm;
            let turned = moment / gyration;
            let normal = (weight - radius * rate * rate * cos + radius * sin * turned) / mobility;
            let turning = turned - radius / gyration * normal * arm;
            OnCorner {
                turning,
                normal,
                tangent: -pull * normal,
                foot: -along - pull * normal - centre(turning).0,
                lifts: mobility > 0.0,
            }
        }
    }
}

/// By how much each inequality of a mode fails (m/s², negative: it is met with room).
struct Candidates {
    list: [(Mode, f64); 10],
    count: usize,
}

impl Candidates {
    fn push(&mut self, mode: Mode, fails: &[f64]) {
        let worst = fails.iter().fold(f64::NEG_INFINITY, |most, x| most.max(*x));
        self.list[self.count] = (mode, worst);
        self.count += 1;
    }
}

/// The mode that follows from `state`, which touches the base, other than those `excluded`, which have just failed.
pub(super) fn resolve(
    block: &RockingBlock,
    foot: Foot,
    state: &State,
    push: Push,
    excluded: &[Option<Mode>],
) -> Answer {
    let jumps = foot != Foot::Sticks;
    let mut found = Candidates {
        list: [(Mode::Flight, f64::INFINITY); 10],
        count: 0,
    };
    match *state {
        State::Flat { speed, .. } => {
            flat(block, foot, speed, push, &mut found);
            for side in [Side::Right, Side::Left] {
                let on = Standing {
                    side,
                    turn: (0.0, 0.0),
                    speed,
                    from_flat: true,
                };
                corner(block, foot, &on, push, &mut found);
            }
            if jumps {
                found.push(Mode::Flight, &[push.weight]);
            }
        }
        State::Corner {
            side,
            q,
            rate,
            speed,
            ..
        } => {
            let on = Standing {
                side,
                turn: (q, rate),
                speed,
                from_flat: false,
            };
            corner(block, foot, &on, push, &mut found);
            let Corner {
                radius,
                slenderness,
                ..
            } = *block.corner(side);
            let (sin, cos) = libm::sincos(slenderness - q);
            let turned = side.sign() * push.moment / block.gyration_squared();
            let falls = push.weight - radius * rate * rate * cos + radius * sin * turned;
            if jumps {
                found.push(Mode::Flight, &[falls]);
            }
        }
        State::Air { .. } | State::Springs { .. } => found.push(Mode::Flight, &[f64::NEG_INFINITY]),
    }
    let gravity = block.gravity();
    let list = || {
        found.list[..found.count]
            .iter()
            .filter(|(mode, _)| !excluded.contains(&Some(*mode)))
    };
    let clear = list()
        .filter(|(_, worst)| *worst < -CLEAR * gravity)
        .count();
    let nearest = list().fold((Mode::Flight, f64::INFINITY), |best, now| {
        if now.1 < best.1 { *now } else { best }
    });
    Answer {
        mode: list()
            .find(|(_, worst)| *worst <= VERGE * gravity)
            .map(|(mode, _)| *mode),
        nearest: nearest.0,
        // Between a higher friction at rest and that of sliding both stick and slip are solutions: that is no doubt.
        ambiguous: clear > 1 && foot.at_rest() == foot.sliding(),
    }
}

fn flat(block: &RockingBlock, foot: Foot, speed: f64, push: Push, found: &mut Candidates) {
    let (along, weight) = (push.along, push.weight);
    let lever = |side| block.corner(side).lever;
    let (right, left) = (lever(Side::Right), lever(Side::Left));
    let height = block.centre_height();
    // Missing push at either corner when the base pulls with `tangent`.
    let lifting = |tangent: f64| {
        let turned = height * tangent - push.moment;
        ((turned - left * weight).max(-turned - right * weight)) / (left + right)
    };
    let Foot::Slides(friction) = foot else {
        found.push(Mode::Rest, &[lifting(along)]);
        return;
    };
    if speed == 0.0 {
        let room = along.abs() - friction.at_rest() * weight;
        found.push(Mode::Rest, &[room, lifting(along), -weight]);
    }
    for to in [Side::Right, Side::Left] {
        let sign = to.sign();
        if speed * sign < 0.0 {
            continue;
        }
        let tangent = -sign * friction.sliding() * weight;
        let starts = if speed == 0.0 {
            sign * (along - tangent)
        } else {
            f64::NEG_INFINITY
        };
        found.push(Mode::Slide(to), &[starts, lifting(tangent), -weight]);
    }
}

/// A block on one corner, or about to be.
struct Standing {
    side: Side,
    /// Rotation away from the base, and its rate.
    turn: (f64, f64),
    /// Speed of the foot.
    speed: f64,
    /// Whether the block lies flat until now.
    from_flat: bool,
}

fn corner(block: &RockingBlock, foot: Foot, on: &Standing, push: Push, found: &mut Candidates) {
    let Standing {
        side,
        turn,
        speed,
        from_flat,
    } = *on;
    let radius = block.corner(side).radius;
    let lands = |turning: f64| {
        if from_flat {
            -turning * radius
        } else {
            f64::NEG_INFINITY
        }
    };
    let Foot::Slides(friction) = foot else {
        let on = on_corner(block, side, turn, None, push);
        found.push(Mode::Rock(side), &[lands(on.turning)]);
        return;
    };
    if side_of(speed).is_none() {
        let on = on_corner(block, side, turn, None, push);
        let slips = on.tangent.abs() - friction.at_rest() * on.normal;
        found.push(Mode::Rock(side), &[slips, -on.normal, lands(on.turning)]);
    }
    for to in [Side::Right, Side::Left] {
        let sign = to.sign();
        if speed * sign < 0.0 {
            continue;
        }
        let local = sign * side.sign();
        let on = on_corner(block, side, turn, Some(local * friction.sliding()), push);
        let starts = if speed == 0.0 {
            -local * on.foot
        } else {
            f64::NEG_INFINITY
        };
        let jams = if on.lifts {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        let fails = [starts, -on.normal, lands(on.turning), jams];
        found.push(Mode::SlideRock(side, to), &fails);
    }
}
