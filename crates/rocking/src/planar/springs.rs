//! The motion on a compliant base: the equations between two events, while the same edges press, the block leans to the
//! same side and its foot sticks or slides to one side.
//!
//! The springs are vertical; along the base the edge that the block leans to carries the friction. Between events the
//! contact force is a function of the state, so a foot that may slide has one answer: it sticks while |T| ≤ μN.

use super::arc::End;
use super::setting::Setting;
use super::state::{Foot, Mode, State, side_of};
use crate::block::Side;
use crate::compliant::Support;
use crate::restraint::{Edge, Stage, Tie};
use klast_ground_motion::Piece;
use klast_numerics::ode::{Crossing, Event, OdeSystem};

/// Unknowns of a foot that sticks: the state of a standing block, the work of the base and the loss of the dashpots.
/// One that slides has its way, its speed and the loss by friction as well.
const STICKING: usize = 6;
const SLIDING: usize = 9;

/// Elongation over the radius of the block by which a restrainer that is just taut may be short, or a slack one taut:
/// one that starts there, as all do at rest, is seen to leave it. The pull in between is none either way.
const BAND: f64 = 1e-13;

/// Accelerations and forces per mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Going {
    pub rising: f64,
    pub turning: f64,
    pub foot: f64,
    pub normal: f64,
    pub tangent: f64,
    /// Power that the dashpots take.
    damping: f64,
}

/// What holds from one event to the next.
pub(super) struct Phase<'a> {
    pub setting: &'a Setting<'a>,
    pub support: Support,
    pub ties: &'a [Tie],
    pub pieces: (&'a Piece, &'a Piece),
    pub mode: Mode,
    /// The edge it leans to; none where it starts upright and at rest, when the rotation tells.
    pub lean: Option<Side>,
}

/// Edges (left, right) that press in a mode.
pub(super) fn closed(mode: Mode) -> [bool; 2] {
    match mode {
        Mode::Rest | Mode::Slide(_) => [true, true],
        Mode::Rock(side) | Mode::SlideRock(side, _) => [side == Side::Left, side == Side::Right],
        Mode::Flight => [false, false],
    }
}

impl Phase<'_> {
    pub fn dimension_of(foot: Foot) -> usize {
        match foot {
            Foot::Sticks => STICKING,
            Foot::Slides(_) => SLIDING,
        }
    }

    /// The unknowns from a state and what was taken so far (work, dashpots, friction).
    pub fn unknowns(&self, state: &State, taken: [f64; 3]) -> [f64; SLIDING] {
        let State::Springs {
            rise,
            turn,
            rising,
            rate,
            foot,
            speed,
        } = *state
        else {
            return [0.0; SLIDING];
        };
        [
            rise, turn, rising, rate, taken[0], taken[1], foot, speed, taken[2],
        ]
    }

    /// The state of the unknowns.
    pub fn state(&self, y: &[f64]) -> State {
        State::Springs {
            rise: y[0],
            turn: y[1],
            rising: y[2],
            rate: y[3],
            foot: y.get(6).copied().unwrap_or(0.0),
            speed: y.get(7).copied().unwrap_or(0.0),
        }
    }

    /// σμ of a foot that slides.
    fn pull(&self, speed: f64) -> Option<f64> {
        let Foot::Slides(friction) = self.setting.foot else {
            return None;
        };
        let sign = match self.mode {
            Mode::Flight => side_of(speed).map_or(0.0, Side::sign),
            mode => mode.slides_to()?.sign(),
        };
        Some(sign * friction.sliding())
    }

    pub fn going(&self, t: f64, state: &State) -> Going {
        let State::Springs {
            rise,
            turn,
            rising,
            rate,
            speed,
            ..
        } = *state
        else {
            return Going {
                rising: 0.0,
                turning: 0.0,
                foot: 0.0,
                normal: 0.0,
                tangent: 0.0,
                damping: 0.0,
            };
        };
        let forces = self
            .support
            .pressing([rise, turn, rising, rate], closed(self.mode));
        let push = self.setting.push(self.pieces, t, state, self.ties);
        let lean = self.lean.or(side_of(turn)).unwrap_or(Side::Right);
        let (swing, bend) = self.support.swing(turn, lean);
        let (sin, cos) = libm::sincos(turn);
        let (height, gyration) = (
            self.setting.block.centre_height(),
            self.setting.block.gyration_squared(),
        );
        let square = rate * rate;
        let turned = forces.turning + height * sin * forces.up + push.moment;
        let along = bend * square + push.along;
        let (turning, tangent, foot) = match self.pull(speed) {
            None => {
                let turning = (turned - swing * along) / (gyration + swing * swing);
                (turning, swing * turning + along, 0.0)
            }
            Some(pull) => {
                let tangent = -pull * forces.up;
                let turning = (turned - swing * tangent) / gyration;
                (turning, tangent, tangent - along - swing * turning)
            }
        };
        Going {
            rising: forces.up - push.weight + height * (sin * turning + cos * square),
            turning,
            foot,
            normal: forces.up,
            tangent,
            damping: forces.lost,
        }
    }

    /// What may end the phase; the end that counts first when two come at one time is first in the list.
    pub fn ends(&self) -> Vec<Watch<'_>> {
        let mut ends = vec![
            End::Overturned(Side::Right),
            End::Upright,
            End::Edge(0),
            End::Edge(1),
        ];
        match (self.setting.foot, self.mode) {
            (Foot::Sticks, _) | (_, Mode::Flight) => {}
            (_, Mode::Rest | Mode::Rock(_)) => ends.push(End::Contact),
            _ => ends.push(End::Stop),
        }
        for (i, tie) in self.ties.iter().enumerate() {
            let (low, high) = tie.bounds();
            for (bound, edge) in [(low, Edge::Low), (high, Edge::High)] {
                if bound.is_finite() && tie.grown(bound).is_some() {
                    ends.push(End::Tie(i, edge));
                }
            }
            if let Stage::Yields(_) = tie.stage {
                ends.push(End::Tie(i, Edge::Turn));
            }
        }
        ends.into_iter()
            .map(|end| Watch { phase: self, end })
            .collect()
    }
}

impl OdeSystem for Phase<'_> {
    fn dimension(&self) -> usize {
        Self::dimension_of(self.setting.foot)
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let state = self.state(y);
        let going = self.going(t, &state);
        let (along, weight) = self.setting.base(self.pieces, t);
        let velocity = state.centre(self.setting.block).3;
        let up = weight - self.setting.block.gravity();
        let work = -(along * velocity.along + up * velocity.up);
        let all = match state {
            State::Springs {
                rising,
                rate,
                speed,
                ..
            } => [
                rising,
                rate,
                going.rising,
                going.turning,
                work,
                going.damping,
                speed,
                going.foot,
                -going.tangent * speed,
            ],
            _ => [0.0; SLIDING],
        };
        dy.copy_from_slice(&all[..dy.len()]);
    }
}

/// One end of a phase, as what falls below zero or changes its sign. Of an edge that presses only its lifting counts,
/// of a lifted one only its coming down, so that the rounding an event leaves is none.
pub(super) struct Watch<'a> {
    phase: &'a Phase<'a>,
    pub end: End,
}

impl Event for Watch<'_> {
    fn value(&self, t: f64, y: &[f64]) -> f64 {
        let (phase, setting) = (self.phase, self.phase.setting);
        let state = phase.state(y);
        match self.end {
            End::Overturned(_) => setting.overturned_at - y[1].abs(),
            End::Upright => y[1],
            End::Edge(i) => {
                let support = &phase.support;
                support.pressed(support.ends[i], std::array::from_fn(|k| y[k]))
            }
            End::Contact => {
                let going = phase.going(t, &state);
                setting.foot.at_rest() * going.normal - going.tangent.abs()
            }
            End::Stop => phase.mode.slides_to().map_or(0.0, Side::sign) * y[7],
            End::Tie(i, edge) => phase.room(&phase.ties[i], edge, &state),
            End::Time | End::Release | End::Landing(_) => 1.0,
        }
    }

    fn crossing(&self) -> Crossing {
        match self.end {
            End::Overturned(_) | End::Upright => Crossing::Any,
            End::Edge(i) if !closed(self.phase.mode)[i] => Crossing::Rising,
            _ => Crossing::Falling,
        }
    }
}

impl Phase<'_> {
    /// What is left of a stage of a restrainer.
    fn room(&self, tie: &Tie, edge: Edge, state: &State) -> f64 {
        let block = self.setting.block;
        let u = state.shift(block, tie.at);
        let (low, high) = tie.bounds();
        match (edge, tie.stage) {
            (Edge::Low, _) if !tie.pushes => tie.elongation(u) - low + BAND * block.radius(),
            (Edge::Low, _) => tie.elongation(u) - low,
            (Edge::High, Stage::Slack) => high - tie.elongation(u) + BAND * block.radius(),
            (Edge::High, _) => high - tie.elongation(u),
            (Edge::Turn, Stage::Yields(sign)) => {
                let velocity = state.centre(block).3;
                let arm = state.arm(tie.at);
                let of_point = (
                    velocity.along + velocity.turn * arm.1,
                    velocity.up - velocity.turn * arm.0,
                );
                sign * tie.lengthens(u, of_point)
            }
            (Edge::Turn, _) => 1.0,
        }
    }
}
