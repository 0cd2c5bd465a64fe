//! What is asked of a basin motion at one time, over a step of it, and over all of it.

/// Position (m), velocity (m/s) and acceleration (m/s²) of the basin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Kinematics {
    /// x_b, m.
    pub position: f64,
    /// dx_b/dt, m/s.
    pub velocity: f64,
    /// d²x_b/dt², m/s².
    pub acceleration: f64,
}

/// What a step τ of time adds: `velocity` = v(t+τ) − v(t), `rest` = x(t+τ) − x(t) − v(t) τ, and a(t+τ).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Increment {
    pub(crate) rest: f64,
    pub(crate) velocity: f64,
    pub(crate) acceleration: f64,
}

/// Bounds that hold at all times; ∞ where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) position: f64,
    pub(crate) velocity: f64,
    pub(crate) acceleration: f64,
}

/// One sine of a sum: amplitude · sin(omega t + phase).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wave {
    /// Amplitude of the displacement, m.
    pub amplitude: f64,
    /// Angular frequency, rad/s.
    pub omega: f64,
    /// Phase at time zero, rad.
    pub phase: f64,
}
