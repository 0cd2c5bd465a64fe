//! Events of a motion of a rocking block.

use klast_rocking::{Event, Side};
use schemars::JsonSchema;
use serde::Serialize;

/// An event of the motion. A value is null if it does not exist for this kind of event.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct EventRow {
    /// Time t (s).
    pub time_s: f64,
    /// Kind of event. The engine `no_slip` has `lift-off`, `impact`, `broke` (of a restrainer), `rest` and
    /// `overturned`; the engine `compliant_base` has `broke`. The engine `slide_rock` has `rest`, `slide`, `rock`,
    /// `slide-rock`, `flight`, `impact`, `jam` (an impulse stops a slide), `broke` and `overturned`.
    pub event: &'static str,
    /// Corner at which the event takes place: `left` or `right`.
    pub corner: Option<&'static str>,
    /// Side to which the foot slides: `left` or `right`.
    pub slides_to: Option<&'static str>,
    /// Number of the restrainer that breaks, from 1 in the order of the scene.
    pub restrainer: Option<usize>,
    /// Angular velocity before the impact (rad/s).
    pub velocity_before_rad_s: Option<f64>,
    /// Angular velocity after the impact (rad/s).
    pub velocity_after_rad_s: Option<f64>,
}

pub(super) fn side_name(side: Side) -> Option<&'static str> {
    Some(match side {
        Side::Right => "right",
        Side::Left => "left",
    })
}

impl From<&Event> for EventRow {
    fn from(event: &Event) -> Self {
        match *event {
            Event::LiftOff { time, side } => Self {
                time_s: time,
                event: "lift-off",
                corner: side_name(side),
                ..Self::default()
            },
            Event::Impact {
                time,
                side,
                before,
                after,
            } => Self {
                time_s: time,
                event: "impact",
                corner: side_name(side),
                velocity_before_rad_s: Some(before),
                velocity_after_rad_s: Some(after),
                ..Self::default()
            },
            Event::Broke { time, restrainer } => Self {
                time_s: time,
                event: "broke",
                restrainer: Some(restrainer + 1),
                ..Self::default()
            },
            Event::Rest { time } => Self {
                time_s: time,
                event: "rest",
                ..Self::default()
            },
            Event::Overturned { time, side } => Self {
                time_s: time,
                event: "overturned",
                corner: side_name(side),
                ..Self::default()
            },
        }
    }
}
