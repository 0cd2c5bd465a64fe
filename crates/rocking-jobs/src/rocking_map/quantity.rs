//! What a stability map can run over.

use schemars::JsonSchema;
use serde::Deserialize;

/// A quantity of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Amplitude of the acceleration (m/s²).
    #[serde(rename = "amplitude_m_s2")]
    Amplitude,
    /// Amplitude of the acceleration over g tan α, the acceleration at which the block lifts off.
    AmplitudeOverLiftOff,
    /// Frequency (Hz).
    FrequencyHz,
    /// Angular frequency over the frequency parameter p of the block.
    OmegaOverP,
    /// Duration of a constant acceleration (s).
    PulseDurationS,
    /// Duration of a constant acceleration times the frequency parameter p of the block.
    PulseDurationTimesP,
    /// Half diagonal of the block (m); the shape does not change. For an unsymmetric block it is the half diagonal of
    /// the right corner.
    HalfDiagonalM,
    /// Coefficient of restitution.
    Eta,
    /// Rotation at the start (rad).
    TiltRad,
}

impl Quantity {
    /// What it decides: two quantities of one role exclude each other.
    pub fn role(self) -> &'static str {
        match self {
            Self::Amplitude | Self::AmplitudeOverLiftOff => "amplitude",
            Self::FrequencyHz | Self::OmegaOverP => "frequency",
            Self::PulseDurationS | Self::PulseDurationTimesP => "duration of a pulse",
            Self::HalfDiagonalM => "half diagonal",
            Self::Eta => "restitution",
            Self::TiltRad => "tilt",
        }
    }

    /// As an axis says it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Amplitude => "amplitude a [m/s²]",
            Self::AmplitudeOverLiftOff => "a / (g tan α) [-]",
            Self::FrequencyHz => "frequency [Hz]",
            Self::OmegaOverP => "ω / p [-]",
            Self::PulseDurationS => "duration of the pulse [s]",
            Self::PulseDurationTimesP => "p · duration of the pulse [-]",
            Self::HalfDiagonalM => "half diagonal [m]",
            Self::Eta => "restitution η [-]",
            Self::TiltRad => "tilt at the start [rad]",
        }
    }

    /// As a scene says it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amplitude => "amplitude_m_s2",
            Self::AmplitudeOverLiftOff => "amplitude_over_lift_off",
            Self::FrequencyHz => "frequency_hz",
            Self::OmegaOverP => "omega_over_p",
            Self::PulseDurationS => "pulse_duration_s",
            Self::PulseDurationTimesP => "pulse_duration_times_p",
            Self::HalfDiagonalM => "half_diagonal_m",
            Self::Eta => "eta",
            Self::TiltRad => "tilt_rad",
        }
    }
}
