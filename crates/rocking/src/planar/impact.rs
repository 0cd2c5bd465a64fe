//! Impacts: the planar frictional problem on impulses, plastic in the normal direction (Moreau's e = 0).
//!
//! At one corner: v_n⁺ = 0, and v_t⁺ = 0 with |Λ_T| ≤ μΛ_N, or Λ_T = −σμΛ_N with σv_t⁺ > 0. On the whole base the
//! impulse acts at one corner and the other opens, or at both and the block stays flat. Where nothing slips and the
//! impulse acts at the corner that lands, ω⁺/ω⁻ is Housner's; another coefficient of restitution shifts the impulse to
//! the distance k d from the middle that gives it, and the shift is kept where the foot slips.

use super::state::{State, Velocity, side_of, to_corner};
use crate::block::{RockingBlock, Side};
use crate::restitution::Restitution;

/// What an impact leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Struck {
    pub state: State,
    /// False when no outcome met all conditions.
    pub resolved: bool,
}

/// An impulse at one point of the base, per mass: what is left after it.
#[derive(Debug, Clone, Copy)]
struct Hit {
    velocity: Velocity,
    normal: f64,
    tangent: f64,
}

/// The contact at height `rz` (negative) under the mass centre: the corner is at `rx`, the impulse acts at `at`.
#[derive(Debug, Clone, Copy)]
struct Point {
    rx: f64,
    rz: f64,
    at: f64,
    gyration: f64,
}

impl Point {
    /// Normal and tangential velocity of the corner.
    fn velocity(&self, v: &Velocity) -> (f64, f64) {
        (v.up - v.turn * self.rx, v.along + v.turn * self.rz)
    }

    fn after(&self, v: &Velocity, normal: f64, tangent: f64) -> Hit {
        let turn = (tangent * self.rz - normal * self.at) / self.gyration;
        Hit {
            velocity: Velocity {
                along: v.along + tangent,
                up: v.up + normal,
                turn: v.turn + turn,
            },
            normal,
            tangent,
        }
    }

    /// The impulse after which the corner is at rest.
    fn stick(&self, v: &Velocity) -> Hit {
        let (vn, vt) = self.velocity(v);
        let nn = 1.0 + self.rx * self.at / self.gyration;
        let tt = 1.0 + self.rz * self.rz / self.gyration;
        let (nt, tn) = (
            -self.rx * self.rz / self.gyration,
            -self.at * self.rz / self.gyration,
        );
        let determinant = nn * tt - nt * tn;
        let normal = (-vn * tt + vt * nt) / determinant;
        let tangent = (-vt * nn + vn * tn) / determinant;
        self.after(v, normal, tangent)
    }

    /// The impulse of a corner that slides with `pull` = σμ.
    fn slip(&self, v: &Velocity, pull: f64) -> Hit {
        let (vn, _) = self.velocity(v);
        let mobility =
            1.0 + self.rx * self.at / self.gyration + pull * self.rx * self.rz / self.gyration;
        let normal = -vn / mobility;
        self.after(v, normal, -pull * normal)
    }

    /// The plastic impulse with friction; none without a solution.
    fn strike(&self, v: &Velocity, mu: f64) -> Option<Hit> {
        let stick = self.stick(v);
        let unit = stick.normal.abs() + stick.tangent.abs();
        if stick.normal >= 0.0 && stick.tangent.abs() <= mu * stick.normal + ROUND_OFF * unit {
            return Some(stick);
        }
        // A foot that sticks beyond its friction slides against it.
        let likely = if stick.tangent > 0.0 { -1.0 } else { 1.0 };
        [likely, -likely].into_iter().find_map(|sign| {
            let slip = self.slip(v, sign * mu);
            let (_, vt) = self.velocity(&slip.velocity);
            (slip.normal >= 0.0 && slip.normal.is_finite() && sign * vt >= 0.0).then_some(slip)
        })
    }
}

/// What is within round-off, over the size of an impulse or a velocity.
const ROUND_OFF: f64 = 1e-13;

fn point(block: &RockingBlock, side: Side, turn: f64, share: f64) -> Point {
    let (rx, rz) = to_corner(block, side, turn);
    Point {
        rx,
        rz,
        at: share * rx,
        gyration: block.gyration_squared(),
    }
}

/// State on the corner of `side`, with the foot where it is, at the velocity after an impact.
fn standing(block: &RockingBlock, side: Side, turn: f64, foot: f64, hit: &Hit, mu: f64) -> State {
    let (_, rz) = to_corner(block, side, turn);
    let v = &hit.velocity;
    let slips = hit.tangent.abs() >= mu * hit.normal * (1.0 - ROUND_OFF);
    State::Corner {
        side,
        q: side.sign() * turn,
        rate: side.sign() * v.turn,
        foot,
        speed: if slips { v.along + v.turn * rz } else { 0.0 },
    }
}

/// The impact of the corner of `side` alone, at rotation `turn` and with the mass centre at `x`; also the jam of a
/// sliding corner.
pub(super) fn corner(
    block: &RockingBlock,
    mu: f64,
    side: Side,
    (x, turn): (f64, f64),
    velocity: Velocity,
) -> Struck {
    let point = point(block, side, turn, 1.0);
    let hit = point.strike(&velocity, mu);
    let taken = hit.unwrap_or_else(|| point.stick(&velocity));
    let foot = x + point.rx - side.sign() * block.corner(side).lever;
    Struck {
        state: standing(block, side, turn, foot, &taken, mu),
        resolved: hit.is_some(),
    }
}

/// Position of the impulse over the distance of the corner for which the foot that does not slip gets the coefficient:
/// the balance of angular momentum solved for k, ω⁺(ρ² + H² + k d_b²) = ω⁻(ρ² + H² − k d_a d_b). 1 for Housner's.
fn impulse_share(block: &RockingBlock, restitution: &Restitution, side: Side) -> f64 {
    let eta = restitution.coefficient(block, side);
    let (new, old) = (block.corner(side).lever, block.corner(side.other()).lever);
    let height = block.centre_height();
    let core = block.gyration_squared() + height * height;
    core * (1.0 - eta) / (new * (old + eta * new))
}

/// The impact of the whole base of a block whose foot stands at `foot`. `struck` is the corner that lands, when the
/// block stood on the other one; both land from the air.
pub(super) fn flat(
    block: &RockingBlock,
    restitution: &Restitution,
    mu: f64,
    foot: f64,
    velocity: Velocity,
    struck: Option<Side>,
) -> Struck {
    let on = |side: Side, share: f64| {
        let hit = point(block, side, 0.0, share).strike(&velocity, mu)?;
        // The other corner rises.
        let unit = ROUND_OFF * velocity.turn.abs();
        (side.sign() * hit.velocity.turn > unit).then(|| standing(block, side, 0.0, foot, &hit, mu))
    };
    let (state, pushes) = stay_flat(block, mu, foot, velocity);
    let chosen = match struck {
        Some(side) => {
            let share = impulse_share(block, restitution, side);
            on(side, share)
                // A loss above the plastic one pulls at the old corner: the law says so, and so it may when flat.
                .or((pushes || share > 1.0).then_some(state))
                .or_else(|| on(side.other(), 1.0))
        }
        None => pushes
            .then_some(state)
            .or_else(|| on(Side::Right, 1.0))
            .or_else(|| on(Side::Left, 1.0)),
    };
    Struck {
        state: chosen.unwrap_or(state),
        resolved: chosen.is_some(),
    }
}

/// The impact of a block that neither slips nor jumps and stood on a side with a rate: that of the restitution alone.
/// One too bulky to rock on lies flat.
pub(super) fn hinged(
    block: &RockingBlock,
    restitution: &Restitution,
    (old, before): (Side, f64),
    foot: f64,
) -> Struck {
    let side = old.other();
    let rate = -before * restitution.coefficient(block, side).max(0.0);
    let speed = 0.0;
    let state = match rate {
        0.0 => State::Flat { foot, speed },
        _ => State::Corner {
            side,
            q: 0.0,
            rate,
            foot,
            speed,
        },
    };
    Struck {
        state,
        resolved: true,
    }
}

/// The impulse after which the block lies flat, and whether both corners push.
fn stay_flat(block: &RockingBlock, mu: f64, foot: f64, v: Velocity) -> (State, bool) {
    let normal = -v.up;
    let most = mu * normal.max(0.0);
    let tangent = (-v.along).clamp(-most, most);
    let speed = v.along + tangent;
    let turned = block.gyration_squared() * v.turn - tangent * block.centre_height();
    let (right, left) = (
        block.corner(Side::Right).lever,
        block.corner(Side::Left).lever,
    );
    let least = (normal * left + turned).min(normal * right - turned);
    let unit = ROUND_OFF * (normal.abs() * (left + right) + turned.abs());
    let state = State::Flat {
        foot,
        speed: if side_of(speed).is_some() && tangent.abs() >= most {
            speed
        } else {
            0.0
        },
    };
    (state, least >= -unit)
}

/// The jam of a foot that slides on the whole base: an impulse at the corner that digs in.
pub(super) fn flat_jam(block: &RockingBlock, mu: f64, foot: f64, velocity: Velocity) -> Struck {
    let on = |side: Side| {
        let hit = point(block, side, 0.0, 1.0).strike(&velocity, mu)?;
        (side.sign() * hit.velocity.turn > 0.0 && hit.normal > 0.0)
            .then(|| standing(block, side, 0.0, foot, &hit, mu))
    };
    let chosen = on(Side::Right).or_else(|| on(Side::Left));
    Struck {
        state: chosen.unwrap_or(State::Flat {
            foot,
            speed: velocity.along,
        }),
        resolved: chosen.is_some(),
    }
}
