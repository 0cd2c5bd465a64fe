//! Accelerations and contact forces at one instant.
//!
//! Lagrange's equations of the chain, one row a group (θ clockwise, u the base displacement, γ = g + v̈):
//!
//! D_g θ̈_g + cos θ_g U_g − sin θ_g V_g = 0, with p̈ = (ü, γ) + Σ_{below} d²/dt²(Rot θ_k a_k) the acceleration of the
//! pivot (weight as an upward acceleration) and G = Σ_{above} d²/dt²(Rot θ_k S_k) the rate of momentum of what turns
//! above it:
//!
//! U_g = S_z p̈_x − S_x p̈_z + a_z G_x − a_x G_z,  V_g = S_x p̈_x + S_z p̈_z + a_x G_x + a_z G_z.
//!
//! Multiplied out, this is M θ̈ + bias = 0 with the cos and sin couplings of `chain`.

use super::chain::{Chain, Group, Shut, Vec2};
use super::{List, NEAR, Row};
use klast_numerics::dense::Ldlt;

/// Angles and rates of the groups of a chain, with cosine and sine.
#[derive(Debug, Clone)]
pub(super) struct Pose {
    pub cos: Row,
    pub sin: Row,
    pub rate: Row,
}

/// Force per unit of each of the two axes and moment about the middle, of the lower body on the upper one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Contact {
    pub normal: f64,
    pub tangent: f64,
    pub moment: f64,
}

impl Contact {
    /// The loads on the left and on the right corner of a contact of half width `half`.
    pub fn corners(&self, half: f64) -> (f64, f64) {
        let couple = self.moment / half;
        (0.5 * (self.normal + couple), 0.5 * (self.normal - couple))
    }
}

/// Second derivatives of cosine and sine, pivot accelerations and the momentum rates above, group by group.
pub(super) struct Flow {
    pub cos2: Row,
    pub sin2: Row,
    pub pivot: List<Vec2>,
    pub above: List<Vec2>,
    pub base: Vec2,
    pub whole: Vec2,
}

impl Flow {
    /// Of given second derivatives of cosine and sine.
    pub fn new(groups: &[Group], cos2: Row, sin2: Row, base: Vec2) -> Self {
        let mut pivots = List::from_elem(base, groups.len());
        let mut above = List::from_elem(Vec2::default(), groups.len());
        let (mut pivot, mut whole) = (base, Vec2::default());
        for (g, group) in groups.iter().enumerate() {
            pivots[g] = pivot;
            pivot = pivot + group.lever.turned(cos2[g], sin2[g]);
        }
        for (g, group) in groups.iter().enumerate().rev() {
            above[g] = whole;
            whole = whole + group.moment.turned(cos2[g], sin2[g]);
        }
        Self {
            cos2,
            sin2,
            pivot: pivots,
            above,
            base,
            whole,
        }
    }

    /// (U, V) of a group, or of a part of a group with its own pivot acceleration.
    pub fn loads(part: &Group, pivot: Vec2, above: Vec2) -> (f64, f64) {
        (
            part.moment.z * pivot.x - part.moment.x * pivot.z + part.lever.z * above.x
                - part.lever.x * above.z,
            part.moment.dot(pivot) + part.lever.dot(above),
        )
    }
}

/// A matrix over the groups, by rows.
pub(super) type Square = smallvec::SmallVec<[f64; NEAR * NEAR]>;

/// The mass matrix over the groups, on the diagonal and above it.
pub(super) fn mass_matrix(groups: &[Group], cos: &[f64], sin: &[f64]) -> Square {
    let n = groups.len();
    let mut square = Square::from_elem(0.0, n * n);
    let mut moments = List::from_elem(Vec2::default(), n);
    for (k, moment) in moments.iter_mut().enumerate() {
        *moment = groups[k].moment.turned(cos[k], sin[k]);
    }
    for (g, row) in square.chunks_exact_mut(n.max(1)).enumerate() {
        row[g] = groups[g].inertia;
        let lever = groups[g].lever.turned(cos[g], sin[g]);
        for (entry, moment) in row.iter_mut().zip(moments.iter()).skip(g + 1) {
            *entry = moment.dot(lever);
        }
    }
    square
}

/// Angular accelerations of the groups under the base acceleration `base` = (ü, g + v̈).
pub(super) fn accelerations(chain: &Chain, pose: &Pose, base: Vec2) -> Row {
    let groups = chain.groups();
    let (mut cos2, mut sin2) = (
        Row::from_elem(0.0, groups.len()),
        Row::from_elem(0.0, groups.len()),
    );
    for g in 0..groups.len() {
        let square = pose.rate[g] * pose.rate[g];
        cos2[g] = -pose.cos[g] * square;
        sin2[g] = -pose.sin[g] * square;
    }
    let flow = Flow::new(groups, cos2, sin2, base);
    let mut right = Row::from_elem(0.0, groups.len());
    for (g, group) in groups.iter().enumerate() {
        let (u, v) = Flow::loads(group, flow.pivot[g], flow.above[g]);
        right[g] = pose.sin[g] * v - pose.cos[g] * u;
    }
    Ldlt::new(mass_matrix(groups, &pose.cos, &pose.sin), groups.len()).solve(&mut right);
    right
}

/// The flow with the accelerations put in.
pub(super) fn flow(chain: &Chain, pose: &Pose, acceleration: &Row, base: Vec2) -> Flow {
    let count = chain.groups().len();
    let (mut cos2, mut sin2) = (Row::from_elem(0.0, count), Row::from_elem(0.0, count));
    for g in 0..count {
        let square = pose.rate[g] * pose.rate[g];
        cos2[g] = -pose.cos[g] * square - pose.sin[g] * acceleration[g];
        sin2[g] = -pose.sin[g] * square + pose.cos[g] * acceleration[g];
    }
    Flow::new(chain.groups(), cos2, sin2, base)
}

/// What a shut interface carries.
pub(super) fn shut_contact(shut: &Shut, pose: &Pose, acceleration: &Row, flow: &Flow) -> Contact {
    let (cos, sin, turning, pivot, above, own) = match shut.group {
        None => (1.0, 0.0, 0.0, flow.base, flow.whole, Vec2::default()),
        Some(g) => (
            pose.cos[g],
            pose.sin[g],
            acceleration[g],
            flow.pivot[g] + shut.offset.turned(flow.cos2[g], flow.sin2[g]),
            flow.above[g],
            shut.part.moment.turned(flow.cos2[g], flow.sin2[g]),
        ),
    };
    let (u, v) = Flow::loads(&shut.part, pivot, above);
    let force = pivot * shut.part.mass + own + above;
    Contact {
        normal: sin * force.x + cos * force.z,
        tangent: cos * force.x - sin * force.z,
        moment: shut.part.inertia * turning + cos * u - sin * v,
    }
}

/// What the open hinge under group `g` carries, in the frame of an interface whose face is turned by the angle of this
/// cosine and sine.
pub(super) fn hinge_contact(chain: &Chain, g: usize, flow: &Flow, cos: f64, sin: f64) -> Contact {
    let group = &chain.groups()[g];
    let force = flow.pivot[g] * group.mass
        + group.moment.turned(flow.cos2[g], flow.sin2[g])
        + flow.above[g];
    Contact {
        normal: sin * force.x + cos * force.z,
        tangent: cos * force.x - sin * force.z,
        moment: 0.0,
    }
}
