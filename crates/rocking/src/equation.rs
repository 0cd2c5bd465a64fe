//! The three equations of motion of Čeh (2018), chapter 3, written in the rotation away from the base.

use klast_numerics::mutant;

/// Equation of motion between two impacts.
///
/// With s = ±1 the side, q = sθ ≥ 0 the rotation away from the base, U = ü/g and G = 1 + v̈/g (ü, v̈ the horizontal and
/// vertical base acceleration): q″ = −p² [G S(q) + s U C(q)].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Equation {
    /// Eq. (3.6): S = sin(α − q), C = cos(α − q).
    #[default]
    Nonlinear,
    /// Eq. (3.19): S = sin α − q cos α, C = cos α + q sin α; small rotations of any block.
    QuasiLinear,
    /// Eq. (3.21): S = α − q, C = 1; small rotations of a slender block.
    Linearised,
}

impl Equation {
    /// S and C at rotation `q`.
    pub fn levers(self, slenderness: f64, q: f64) -> (f64, f64) {
        match self {
            Self::Nonlinear => libm::sincos(slenderness - q),
            Self::QuasiLinear => {
                let (sin, cos) = libm::sincos(slenderness);
                (
                    sin - q * cos,
                    cos + q * sin * mutant::factor("base-term", -1.0),
                )
            }
            Self::Linearised => (slenderness - q, 1.0),
        }
    }

    /// S and C at rotation `q`: their derivatives with respect to q.
    pub fn lever_slopes(self, slenderness: f64, q: f64) -> (f64, f64) {
        match self {
            Self::Nonlinear => {
                let (sin, cos) = libm::sincos(slenderness - q);
                (-cos, sin)
            }
            Self::QuasiLinear => {
                let (sin, cos) = libm::sincos(slenderness);
                (-cos, sin)
            }
            Self::Linearised => (-1.0, 0.0),
        }
    }

    /// Rotation of the unstable balance on the corner (rad).
    pub fn balance(self, slenderness: f64) -> f64 {
        match self {
            Self::Nonlinear | Self::Linearised => slenderness,
            Self::QuasiLinear => libm::tan(slenderness),
        }
    }

    /// Height of the barrier at the balance over the potential at `q`, as the square of a velocity in units of p²: free
    /// motion at `q` below the balance with ω² under p² times this value turns back.
    pub fn escape_squared(self, slenderness: f64, q: f64) -> f64 {
        let left = self.balance(slenderness) - q;
        match self {
            // 2 (1 − cos(α − q)) without cancellation.
            Self::Nonlinear => {
                let half = libm::sin(0.5 * left);
                4.0 * half * half
            }
            Self::QuasiLinear => libm::cos(slenderness) * left * left,
            Self::Linearised => left * left,
        }
    }

    /// Rotation at which free motion at `q` with the velocity square `speed_squared` (in units of p²) turns back; none
    /// at or beyond the balance, or when it gets there. Energy: the barrier over the turn is the barrier over `q` less
    /// the velocity square.
    pub fn turn(self, slenderness: f64, q: f64, speed_squared: f64) -> Option<f64> {
        let balance = self.balance(slenderness);
        let barrier = self.escape_squared(slenderness, q) - speed_squared;
        if !(q < balance && barrier > 0.0) {
            return None;
        }
        let left = match self {
            Self::Nonlinear => 2.0 * libm::asin((0.25 * barrier).sqrt()),
            Self::QuasiLinear => (barrier / libm::cos(slenderness)).sqrt(),
            Self::Linearised => barrier.sqrt(),
        };
        Some(balance - left)
    }

    /// Square of the velocity (in units of p²) that free motion gains from `q` down to the base, by products without
    /// cancellation at small rotations.
    pub fn fall_squared(self, slenderness: f64, q: f64) -> f64 {
        match self {
            Self::Nonlinear => 4.0 * (libm::sin(slenderness - 0.5 * q) * libm::sin(0.5 * q)),
            Self::QuasiLinear => {
                let (sin, cos) = libm::sincos(slenderness);
                q * (2.0 * sin - q * cos)
            }
            Self::Linearised => q * (2.0 * slenderness - q),
        }
    }
}
