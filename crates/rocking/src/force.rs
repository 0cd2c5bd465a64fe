//! Forces of the base: whether the model without sliding and jumping may be believed.

use crate::block::{RockingBlock, Side};
use klast_ground_motion::{Law, Piece};
use klast_numerics::roots::bisect;

/// Looks at the forces per step.
const FORCE_SAMPLES: usize = 8;

/// How the model without slip ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelLimit {
    /// The friction needed exceeds the one given.
    Slides,
    /// The base would have to pull.
    Jumps,
}

/// When and how the model without slip ends; what it says of later times is not what the block does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelEnd {
    /// Time (s).
    pub time: f64,
    /// What happens then.
    pub limit: ModelLimit,
}

impl ModelLimit {
    /// What the block does, as the verb of a sentence.
    pub fn does(self) -> &'static str {
        match self {
            Self::Slides => "slides",
            Self::Jumps => "jumps",
        }
    }
}

impl std::fmt::Display for ModelEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (time, does) = (self.time, self.limit.does());
        write!(f, "the no-slip model ends at {time:.3} s: it {does}")
    }
}

/// What the motion demands of the contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactDemand {
    /// Friction coefficient given.
    pub friction: Option<f64>,
    /// Largest |T|/N needed, at rest and while rocking, over the looked-at times; infinite where the base would have to
    /// pull.
    pub needed_friction: f64,
    /// The same until the mass centre last stood within the base: what an overturning needs to come about. The fall
    /// beyond the balance needs more and more. A still base cannot bring a block back that slides there; a base that
    /// moves can.
    pub needed_friction_to_balance: f64,
    /// When the mass centre last left the base (s), not to stand within it again, or from when on no restrainer
    /// pulls it back any more beyond that; none where it stands within it, or is held, at the end.
    pub balance_passed: Option<f64>,
    /// Smallest normal force over the weight while rocking.
    pub least_normal: f64,
    /// The end of the model: by a jump, or by a slide where a friction coefficient was given.
    pub model_end: Option<ModelEnd>,
}

impl ContactDemand {
    pub(crate) fn new(friction: Option<f64>) -> Self {
        Self {
            friction,
            needed_friction: 0.0,
            needed_friction_to_balance: 0.0,
            balance_passed: None,
            least_normal: f64::INFINITY,
            model_end: None,
        }
    }

    /// Whether the motion is possible without sliding and jumping.
    pub fn is_met(&self) -> bool {
        self.model_end.is_none()
    }

    /// The end of the model, unless the mass centre had then left the base for good: a block that has is falling, and
    /// what its corner does on the way down does not decide that.
    pub fn end_before_balance(&self) -> Option<ModelEnd> {
        let passed = self.balance_passed.unwrap_or(f64::INFINITY);
        self.model_end.filter(|end| end.time < passed)
    }

    /// By how much the force exceeds the friction given, or what the base would have to pull.
    fn excess(&self, tangential: f64, normal: f64) -> f64 {
        match self.friction {
            Some(friction) => tangential.abs() - friction * normal,
            None => -normal,
        }
    }

    /// Notes the forces (tangential, normal) over the weight; `passed` is the time by which the mass centre has left
    /// the base, none where it stands within it.
    fn note(&mut self, tangential: f64, normal: f64, passed: Option<f64>) {
        let needed = match normal {
            n if n > 0.0 => tangential.abs() / n,
            _ => f64::INFINITY,
        };
        self.needed_friction = self.needed_friction.max(needed);
        match passed {
            None => {
                self.needed_friction_to_balance = self.needed_friction;
                self.balance_passed = None;
            }
            Some(time) => {
                self.balance_passed.get_or_insert(time);
            }
        }
    }

    fn end_at(&mut self, time: f64, normal: f64) {
        let limit = if normal > 0.0 {
            ModelLimit::Slides
        } else {
            ModelLimit::Jumps
        };
        self.model_end.get_or_insert(ModelEnd { time, limit });
    }

    /// The forces (tangential, normal) over the weight at one of many times that follow each other closely.
    /// `balanced` tells whether the mass centre then stands within the base.
    pub(crate) fn note_forces(
        &mut self,
        time: f64,
        (tangential, normal): (f64, f64),
        balanced: bool,
    ) {
        self.least_normal = self.least_normal.min(normal);
        self.note(tangential, normal, (!balanced).then_some(time));
        if self.excess(tangential, normal) > 0.0 || normal <= 0.0 {
            self.end_at(time, normal);
        }
    }

    /// The block at rest from `t` to `until`, with the `force` (tangential, normal) over the weight at a time: that of
    /// a free one is T/N = ü/(g + v̈).
    pub(crate) fn observe_rest(
        &mut self,
        pieces: (&Piece, &Piece),
        (t, until): (f64, f64),
        force: impl Fn(f64) -> (f64, f64),
    ) {
        let period = |piece: &Piece| match piece.law {
            Law::Linear { .. } => 0.0,
            Law::Sine { omega, .. } => std::f64::consts::TAU / omega,
        };
        // The ratio of two straight lines has its extremes at the ends; sines repeat.
        let longest = period(pieces.0).max(period(pieces.1));
        let (looks, span) = match longest {
            0.0 => (1, until - t),
            _ => (RESTING_LOOKS, (until - t).min(longest)),
        };
        let times = (0..=looks).map(|k| t + span * f64::from(k) / f64::from(looks));
        let mut before = t;
        for time in times.chain([until]) {
            let (tangential, normal) = force(time);
            self.note(tangential, normal, None);
            if self.model_end.is_none() && self.excess(tangential, normal) > 0.0 {
                let over = |x: f64| {
                    let (tangential, normal) = force(x);
                    self.excess(tangential, normal)
                };
                let (_, first) = bisect(before, time, 50, |x| over(x) > 0.0);
                self.end_at(first, force(first).1);
            }
            before = time;
        }
    }

    /// A step of a block on one corner that starts at time `t`, with the forces (tangential, normal) over the weight at
    /// a time in it. `beyond` tells whether the mass centre has then left the base and nothing holds the block, or
    /// will.
    pub(crate) fn observe(
        &mut self,
        t: f64,
        length: f64,
        beyond: impl Fn(f64) -> bool,
        forces: impl Fn(f64) -> (f64, f64),
    ) {
        let mut before = 0.0;
        for look in 0..=FORCE_SAMPLES {
            let tau = length * look as f64 / FORCE_SAMPLES as f64;
            let (tangential, normal) = forces(tau);
            self.least_normal = self.least_normal.min(normal);
            let (from, passed) = match (beyond(tau), self.balance_passed) {
                (false, _) => (before, None),
                (true, Some(time)) => (before, Some(time)),
                (true, None) if beyond(before) => (before, Some(t + before)),
                (true, None) => {
                    // The forces at the balance still decide.
                    let (inside, outside) = bisect(before, tau, 50, &beyond);
                    let (along, up) = forces(inside);
                    self.note(along, up, None);
                    let stays = self.excess(along, up) <= 0.0;
                    (if stays { outside } else { before }, Some(t + outside))
                }
            };
            self.note(tangential, normal, passed);
            if self.model_end.is_none() && self.excess(tangential, normal) > 0.0 {
                let over = |x: f64| {
                    let (tangential, normal) = forces(x);
                    self.excess(tangential, normal)
                };
                let (_, first) = bisect(from, tau, 50, |x| over(x) > 0.0);
                self.end_at(t + first, forces(first).1);
            }
            before = tau;
        }
    }
}

/// Looks at the forces on a block at rest per period of the base.
const RESTING_LOOKS: u32 = 256;

/// Tangential and normal force of the base on the block over its weight, for rotation q away from the base on `side`,
/// its rate and acceleration, and the base accelerations (horizontal, vertical).
///
/// With ψ = α − q the mass centre accelerates relative to the base by s R (q″ cos ψ + q′² sin ψ) and R (q″ sin ψ − q′²
/// cos ψ).
pub fn pivot_force(
    block: &RockingBlock,
    side: Side,
    (q, rate, acceleration): (f64, f64, f64),
    (horizontal, vertical): (f64, f64),
) -> (f64, f64) {
    let corner = block.corner(side);
    let (sin, cos) = libm::sincos(corner.slenderness - q);
    let along = side.sign() * corner.radius * (acceleration * cos + rate * rate * sin);
    let up = corner.radius * (acceleration * sin - rate * rate * cos);
    let g = block.gravity();
    ((horizontal + along) / g, 1.0 + (vertical + up) / g)
}

/// What a block at rest on a base does at a peak base acceleration, for a friction coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// Moves with the base.
    Rest,
    /// Slides before it could rock: μ < tan α and |ü| > μ g.
    Slide,
    /// Rocks: μ ≥ tan α and |ü| > g tan α.
    Rock,
}

/// Regime at the start of the motion of a block at rest under base acceleration `peak` (m/s²), Shenton (1996): sliding
/// needs
/// |ü| > μ g, rocking |ü| > g tan α, and the smaller threshold wins.
pub fn regime(block: &RockingBlock, friction: f64, peak: f64) -> Regime {
    let threshold = block.lift_off_acceleration();
    let slide = friction * block.gravity();
    if peak.abs() <= threshold.min(slide) {
        Regime::Rest
    } else if slide < threshold {
        Regime::Slide
    } else {
        Regime::Rock
    }
}
