//! What holds for all arcs of a run: block, foot, base.

use super::contact::Push;
use super::poly::{Poly, TERMS, mix};
use super::state::{Foot, State};
use crate::block::RockingBlock;
use crate::compliant::Support;
use crate::flight::load;
use crate::restraint::Tie;
use klast_ground_motion::{Law, Piece};
use klast_numerics::mutant;

/// A block on its base. Of a tilted base the axes are those of the base, and the block has the gravity normal to it.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub block: &'a RockingBlock,
    pub foot: Foot,
    /// Springs under the block.
    pub support: Option<Support>,
    pub tilt: Option<Tilt>,
    pub overturned_at: f64,
}

/// A base that falls to the right.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tilt {
    pub sin: f64,
    pub cos: f64,
    pub gravity: f64,
}

/// A series, and the number of its terms that may differ from zero.
type Load = (Poly, usize);

impl Setting<'_> {
    /// Whether the base is level and rigid.
    pub fn is_level(&self) -> bool {
        self.support.is_none() && self.tilt.is_none()
    }

    /// Accelerations of the base along itself (in the frame of `sign`), with gravity along it, and normal to itself,
    /// with gravity normal to it, from time `t` on.
    pub fn loads(&self, pieces: (&Piece, &Piece), t: f64, sign: f64) -> (Load, Load) {
        let gravity = self.block.gravity();
        let Some(tilt) = self.tilt else {
            let (mut weight, terms) = spread(pieces.1, t, 1.0);
            weight[0] += gravity;
            return (spread(pieces.0, t, sign), (weight, terms));
        };
        let (across, up) = (spread(pieces.0, t, 1.0), spread(pieces.1, t, 1.0));
        let terms = across.1.max(up.1).max(1);
        let mut along = mix(&across.0, sign * tilt.cos, &up.0, -sign * tilt.sin);
        let mut normal = mix(&across.0, tilt.sin, &up.0, tilt.cos);
        along[0] -= sign * tilt.gravity * tilt.sin * mutant::factor("slope-pull", 0.999);
        normal[0] += gravity;
        ((along, terms), (normal, terms))
    }

    /// The same at time `t`.
    pub fn base(&self, pieces: (&Piece, &Piece), t: f64) -> (f64, f64) {
        let (across, up) = (pieces.0.acceleration(t), pieces.1.acceleration(t));
        let gravity = self.block.gravity();
        match self.tilt {
            None => (across, gravity + up),
            Some(Tilt {
                sin,
                cos,
                gravity: all,
            }) => (
                across * cos - up * sin - all * sin,
                gravity + across * sin + up * cos,
            ),
        }
    }

    /// What pushes a block against its base at time `t`.
    pub fn push(&self, pieces: (&Piece, &Piece), t: f64, state: &State, ties: &[Tie]) -> Push {
        let (along, weight) = self.base(pieces, t);
        let mut push = Push {
            along,
            weight,
            moment: 0.0,
        };
        for tie in ties {
            let (x, z) = tie.force(state.shift(self.block, tie.at));
            let arm = state.arm(tie.at);
            push.along -= x;
            push.weight -= z;
            push.moment += arm.1 * x - arm.0 * z;
        }
        push
    }
}

/// The series of a piece's acceleration from time `t` on.
fn spread(piece: &Piece, t: f64, sign: f64) -> Load {
    let mut lanes = [[0.0]; TERMS];
    let terms = match piece.law {
        Law::Linear { value, slope } if value == 0.0 && slope == 0.0 => 0,
        Law::Linear { .. } => 2,
        Law::Sine { .. } => TERMS,
    };
    if terms > 0 {
        load(piece, t, sign, 1.0).series(&mut lanes);
    }
    (lanes.map(|[x]| x), terms)
}
