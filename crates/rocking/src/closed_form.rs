//! Closed forms of the linearised and the quasi-linear equation, corrected, and what follows from them.
//!
//! All are written in the rotation q away from the base on the side the block lifts to, and `push` = −s ü/g, the base
//! acceleration over gravity in the direction that lifts the block; so they hold for both signs of the acceleration.
//! Čeh (2018) prints the branch θ > 0, which needs a₀ < −gα. Times count from the start of the flight.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::restitution::Restitution;
use crate::run::{Event, Options, simulate};
use klast_ground_motion::{Component, GroundMotion};
use klast_numerics::check::require;

/// Solution of q″ = r² (q − c): a flight under no or a constant base acceleration.
///
/// Linearised ((3.22), (3.26)): r = p, c = α − push. Quasi-linear ((3.32), (3.34)): r² = p² (cos α + push sin α), c =
/// (sin α − push cos α)/(cos α + push sin α). The free stage after the acceleration ((3.28), (3.36) with r = p √cos α)
/// is the same solution with push = 0 from the state at the end of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hyperbolic {
    rate: f64,
    centre: f64,
    rotation: f64,
    velocity: f64,
}

impl Hyperbolic {
    /// The flight of a block with frequency parameter `p` and slenderness `alpha` from rotation `rotation` and
    /// `velocity`. There is no closed form of this kind for the nonlinear equation.
    pub fn new(
        equation: Equation,
        (p, alpha): (f64, f64),
        push: f64,
        (rotation, velocity): (f64, f64),
    ) -> Option<Self> {
        let (square, centre) = match equation {
            Equation::Nonlinear => return None,
            Equation::Linearised => (p * p, alpha - push),
            Equation::QuasiLinear => {
                let (sin, cos) = libm::sincos(alpha);
                let stiff = cos + push * sin;
                (p * p * stiff, (sin - push * cos) / stiff)
            }
        };
        (square > 0.0).then(|| Self {
            rate: square.sqrt(),
            centre,
            rotation,
            velocity,
        })
    }

    /// Rotation at time `t`.
    pub fn rotation(&self, t: f64) -> f64 {
        let x = self.rate * t;
        self.centre
            + (self.rotation - self.centre) * libm::cosh(x)
            + self.velocity / self.rate * libm::sinh(x)
    }

    /// Angular velocity at time `t`.
    pub fn velocity(&self, t: f64) -> f64 {
        let x = self.rate * t;
        self.rate * (self.rotation - self.centre) * libm::sinh(x) + self.velocity * libm::cosh(x)
    }

    /// Time at which a falling flight meets the base, (3.25): none when it does not turn back.
    pub fn time_to_base(&self) -> Option<f64> {
        // c + A cosh x + B sinh x = 0 with E = e^x: (A + B) E² + 2 c E + (A − B) = 0; the larger root is the way down.
        let a = self.rotation - self.centre;
        let b = self.velocity / self.rate;
        let discriminant = self.centre * self.centre - (a + b) * (a - b);
        if !(a + b < 0.0 && discriminant >= 0.0) {
            return None;
        }
        let e = (-self.centre - discriminant.sqrt()) / (a + b);
        (e >= 1.0).then(|| libm::log(e) / self.rate)
    }
}

/// Solution of the linearised equation under a harmonic base acceleration with push(t) = amplitude · sin(omega t +
/// phase), from the moment of lift-off: (3.30) and (3.31) in the form that satisfies its initial conditions, q = α − c
/// sin(ωt + ψ) + A cosh pt + B sinh pt, c = p² amplitude/(ω² + p²), A = q₀ − α + c sin ψ, B = (v₀ + c ω cos ψ)/p.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearHarmonic {
    p: f64,
    alpha: f64,
    omega: f64,
    phase: f64,
    forced: f64,
    cosh: f64,
    sinh: f64,
}

impl LinearHarmonic {
    /// The flight from rotation `rotation` and `velocity`; `phase` is the phase at its start. A block at rest lifts off
    /// at the phase of [`lift_off_phase`].
    pub fn new(
        (p, alpha): (f64, f64),
        (amplitude, omega, phase): (f64, f64, f64),
        (rotation, velocity): (f64, f64),
    ) -> Self {
        let forced = p * p * amplitude / (omega * omega + p * p);
        let (sin, cos) = libm::sincos(phase);
        Self {
            p,
            alpha,
            omega,
            phase,
            forced,
            cosh: rotation - alpha + forced * sin,
            sinh: (velocity + forced * omega * cos) / p,
        }
    }

    /// Rotation at time `t`.
    pub fn rotation(&self, t: f64) -> f64 {
        let x = self.p * t;
        self.alpha - self.forced * libm::sin(self.omega * t + self.phase)
            + self.cosh * libm::cosh(x)
            + self.sinh * libm::sinh(x)
    }

    /// Angular velocity at time `t`.
    pub fn velocity(&self, t: f64) -> f64 {
        let x = self.p * t;
        let forced = self.forced * self.omega * libm::cos(self.omega * t + self.phase);
        self.p * (self.cosh * libm::sinh(x) + self.sinh * libm::cosh(x)) - forced
    }
}

/// Phase at which a sine base acceleration of `ratio` = a₀/(threshold) lifts the block: asin(1/ratio); none when ratio
/// < 1.
pub fn lift_off_phase(ratio: f64) -> Option<f64> {
    (ratio >= 1.0).then(|| libm::asin(1.0 / ratio))
}

/// Housner's quarter period, (3.25): time from rest at `rotation` to the base by the linearised equation.
pub fn quarter_period(p: f64, alpha: f64, rotation: f64) -> Option<f64> {
    let inside = rotation > 0.0 && rotation < alpha;
    inside.then(|| libm::acosh(1.0 / (1.0 - rotation / alpha)) / p)
}

/// Time from release at `rotation` to rest by the linearised equation: T/4 + Σ (2/p) atanh(ηⁿ ω₀/(pα)), a finite time
/// although the impacts are infinitely many.
pub fn settling_time(p: f64, alpha: f64, rotation: f64, eta: f64) -> Option<f64> {
    let quarter = quarter_period(p, alpha, rotation)?;
    if !(0.0..1.0).contains(&eta) {
        return None;
    }
    // ω₀²/(pα)² = 1 − (1 − θ₀/α)² from the energy integral.
    let left = 1.0 - rotation / alpha;
    let mut x = ((1.0 - left) * (1.0 + left)).sqrt();
    let mut sum = quarter;
    for _ in 0..10_000_000 {
        x *= eta;
        if x < 1e-8 {
            // atanh x = x from here on: a geometric series.
            return Some(sum + 2.0 / p * x / (1.0 - eta));
        }
        sum += 2.0 / p * libm::atanh(x);
    }
    None
}

/// p t_a above which a constant acceleration of `ratio` = a₀/(gα) overturns the linearised block, (5.3): −ln(1 −
/// 1/ratio).
pub fn overturning_duration_linear(ratio: f64) -> Option<f64> {
    (ratio > 1.0).then(|| -libm::log1p(-1.0 / ratio))
}

/// t_a (s) above which a constant horizontal base acceleration (m/s²) overturns the block by the nonlinear equation.
///
/// From the energy integrals of both stages the acceleration must last until sin(α − q) = sin α − (1 − cos α)/push; the
/// time to that rotation is integrated. None when the acceleration does not lift the block.
pub fn overturning_duration(
    block: &RockingBlock,
    acceleration: f64,
) -> Result<Option<f64>, RockingError> {
    require(
        "acceleration",
        acceleration,
        acceleration != 0.0,
        "not 0 m/s²",
    )?;
    let side = if acceleration < 0.0 {
        Side::Right
    } else {
        Side::Left
    };
    let corner = block.corner(side);
    let push = acceleration.abs() / block.gravity();
    let alpha = corner.slenderness;
    if push <= libm::tan(alpha) {
        return Ok(None);
    }
    let half = libm::sin(0.5 * alpha);
    let sine = libm::sin(alpha) - 2.0 * half * half / push;
    let rotation = alpha - libm::asin(sine);
    let motion = GroundMotion::horizontal(Component::constant(acceleration, 1e6)?);
    let options = Options {
        overturned_at: rotation,
        ..Options::new(1e3 / corner.frequency())
    };
    let run = simulate(block, &Restitution::housner(), &motion, &options)?;
    Ok(run.events.iter().find_map(|event| match event {
        Event::Overturned { time, .. } => Some(*time),
        _ => None,
    }))
}

/// The air track of Čeh (2018), section 5.1.2: a slider of mass m_s with the block of mass m is pulled by a hanging
/// mass m_a (kg) that falls by h_a (m) to the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AirTrack {
    slider: f64,
    block: f64,
    gravity: f64,
}

impl AirTrack {
    /// A track with the masses of slider and block (kg) under `gravity` (m/s²).
    pub fn new(slider: f64, block: f64, gravity: f64) -> Result<Self, RockingError> {
        require("mass of the slider", slider, slider > 0.0, "above 0 kg")?;
        require("mass of the block", block, block > 0.0, "above 0 kg")?;
        require("gravity", gravity, gravity > 0.0, "above 0 m/s²")?;
        Ok(Self {
            slider,
            block,
            gravity,
        })
    }

    /// a₀ = m_a g/(m_s + m + m_a) (m/s²).
    pub fn acceleration(&self, hanging: f64) -> Result<f64, RockingError> {
        require("hanging mass", hanging, hanging > 0.0, "above 0 kg")?;
        Ok(hanging * self.gravity / (self.slider + self.block + hanging))
    }

    /// t_a = √(2 h_a/a₀) (s).
    pub fn duration(&self, hanging: f64, fall: f64) -> Result<f64, RockingError> {
        require("fall", fall, fall > 0.0, "above 0 m")?;
        Ok((2.0 * fall / self.acceleration(hanging)?).sqrt())
    }

    /// The base motion: a₀ for t_a.
    pub fn motion(&self, hanging: f64, fall: f64) -> Result<Component, RockingError> {
        let (a, t) = (self.acceleration(hanging)?, self.duration(hanging, fall)?);
        Ok(Component::constant(a, t)?)
    }
}
