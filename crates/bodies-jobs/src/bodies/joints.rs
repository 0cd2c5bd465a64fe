//! Joints between bodies: resultants, centres of pressure, hinges.

use glam::DVec3;
use klast_dynamics::WorldContact;
use schemars::JsonSchema;
use serde::Serialize;

use super::build::Built;

/// Distance of the centre of pressure from the rim of a joint, in the joint's largest width, up to which it is a hinge;
/// and part of its friction from which on a joint slides.
const HINGE: f64 = 1e-4;
const SLIDES: f64 = 1.0 - 1e-4;

/// State of the forces in a joint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointState {
    /// In the last time step of the run.
    #[default]
    End,
    /// At the load multiplier of limit analysis: one of the sets of forces that equilibrium allows there.
    Limit,
}

/// A joint between two bodies, or a body and a plane: its resultant and centre of pressure.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct JointRow {
    /// When the forces act.
    pub state: JointState,
    /// First body of the joint.
    pub first: String,
    /// Second body or plane of the joint.
    pub second: String,
    /// Centre of pressure, x (m).
    pub x_m: f64,
    /// Centre of pressure, y (m).
    pub y_m: f64,
    /// Centre of pressure, z (m).
    pub z_m: f64,
    /// Resultant on the first body, x part (N).
    pub force_x_n: f64,
    /// Resultant on the first body, y part (N).
    pub force_y_n: f64,
    /// Resultant on the first body, z part (N).
    pub force_z_n: f64,
    /// Normal part of the resultant (N).
    pub normal_n: f64,
    /// Tangential part of the resultant (N).
    pub shear_n: f64,
    /// Tangential part over friction times normal part, 0 to 1; 0 without friction.
    pub mobilised: f64,
    /// Distance of the centre of pressure from the rim of the joint (m).
    pub from_rim_m: f64,
    /// Largest width of the joint (m).
    pub width_m: f64,
    /// Whether the joint is a hinge: the centre of pressure is at its rim.
    pub hinge: bool,
    /// Whether the joint slides: its friction is mobilised.
    pub slides: bool,
}

/// The joints that carry a force; `forces` (N) on the first bodies of the contacts, in their order.
pub fn joints(
    built: &Built,
    contacts: &[WorldContact],
    forces: &[DVec3],
    state: JointState,
) -> Vec<JointRow> {
    let all: Vec<(&WorldContact, DVec3)> = contacts.iter().zip(forces.iter().copied()).collect();
    let same = |a: &(&WorldContact, DVec3), b: &(&WorldContact, DVec3)| {
        (a.0.first, a.0.second) == (b.0.first, b.0.second)
    };
    let rows = all.chunk_by(same).filter_map(|own| row(built, own));
    rows.map(|row| JointRow { state, ..row }).collect()
}

fn row(built: &Built, own: &[(&WorldContact, DVec3)]) -> Option<JointRow> {
    let c = own.first()?.0;
    let resultant: DVec3 = own.iter().map(|(_, force)| *force).sum();
    let pressed = |(c, force): &(&WorldContact, DVec3)| c.normal.dot(*force).max(0.0);
    let normal: f64 = own.iter().map(pressed).sum();
    if normal <= 0.0 {
        return None;
    }
    let moment: DVec3 = own.iter().map(|one| one.0.point * pressed(one)).sum();
    let centre = moment / normal;
    let shear = (resultant - c.normal * c.normal.dot(resultant)).length();
    let (from_rim, width) = rim(own, centre);
    let mobilised = match c.friction > 0.0 {
        true => shear / (c.friction * normal),
        false => 0.0,
    };
    let name = |body: u32| built.names.get(body as usize).cloned().unwrap_or_default();
    Some(JointRow {
        state: JointState::End,
        first: name(c.first),
        second: match c.plane() {
            Some(plane) => format!("plane {}", plane + 1),
            None => name(c.second),
        },
        x_m: centre.x,
        y_m: centre.y,
        z_m: centre.z,
        force_x_n: resultant.x,
        force_y_n: resultant.y,
        force_z_n: resultant.z,
        normal_n: normal,
        shear_n: shear,
        mobilised,
        from_rim_m: from_rim,
        width_m: width,
        hinge: from_rim <= HINGE * width,
        slides: mobilised >= SLIDES,
    })
}

/// Distance of a point from the rim of the convex hull of contact points, and their largest distance (m).
fn rim(own: &[(&WorldContact, DVec3)], from: DVec3) -> (f64, f64) {
    let points: Vec<DVec3> = own.iter().map(|(c, _)| c.point).collect();
    let normal = own.first().map_or(DVec3::Z, |(c, _)| c.normal);
    let mut width = 0.0f64;
    let mut least = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            let way = *b - *a;
            width = width.max(way.length());
            let Some(side) = way.cross(normal).try_normalize() else {
                continue;
            };
            // Two points are an edge of the hull if all others lie on one side of their line, to rounding.
            let offsets = points.iter().map(|p| side.dot(*p - *a));
            let (low, high) = offsets.fold((0.0f64, 0.0f64), |(l, h), x| (l.min(x), h.max(x)));
            let rounding = 1e-9 * way.length();
            if low > -rounding || high < rounding {
                least = least.min(side.dot(from - *a).abs());
            }
        }
    }
    match least.is_finite() {
        true => (least, width),
        false => (0.0, width),
    }
}
