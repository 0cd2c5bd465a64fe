//! The lever table of one configuration: shut interfaces merge blocks into rigid groups, and a group needs four numbers
//! more than its inertia.
//!
//! Lengths from the pivot of a group, in the group's own frame (x to the right, z up), with s = −1, 0, +1 the pivot
//! sign and c the half width of an interface: the lever of block j to the pivot above it is a_j = (−s_j c_j + s_{j+1}
//! c_{j+1}, h_j), to its own centre r_j = (−s_j c_j, h_j/2). With m_{>j} the mass above block j, S_j = m_{>j} a_j + m_j
//! r_j is the first moment block j carries. Then
//!
//! - group lever a_g = Σ a_j, first moment S_g = Σ S_j over its blocks,
//! - inertia D_g = Σ (I_j + m_{>j}|a_j|² + m_j|r_j|²) + 2 Σ_{j<k} a_j·S_k, about the group's pivot with all mass above
//!   at its top pivot,
//! - coupling of two groups g < k: a_g·S_k cos(θ_k − θ_g) + (a_g × S_k) sin(θ_k − θ_g).
//!
//! A configuration changes nothing else, so mass matrix, velocity terms, weight and base terms are written once
//! (`series`, `motion`).

use super::configuration::{Configuration, Pivot};
use super::{List, Stack};

/// A vector in the plane of the motion.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Vec2 {
    pub x: f64,
    pub z: f64,
}

impl Vec2 {
    pub fn new(x: f64, z: f64) -> Self {
        Self { x, z }
    }

    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.z * other.z
    }

    /// Turned clockwise by the angle with this cosine and sine.
    pub fn turned(self, cos: f64, sin: f64) -> Self {
        Self {
            x: self.x * cos + self.z * sin,
            z: self.z * cos - self.x * sin,
        }
    }

    /// The derivative of a clockwise turn: P(x, z) = (z, −x).
    pub fn turn_rate(self) -> Self {
        Self {
            x: self.z,
            z: -self.x,
        }
    }
}

impl std::ops::Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            z: self.z + other.z,
        }
    }
}

impl std::ops::Sub for Vec2 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            z: self.z - other.z,
        }
    }
}

impl std::ops::Mul<f64> for Vec2 {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            x: self.x * factor,
            z: self.z * factor,
        }
    }
}

/// Blocks joined by shut interfaces that turn as one about the open interface below them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Group {
    /// The lowest block of the group, which is also the number of the interface it pivots on.
    pub first: usize,
    /// Pivot sign of that interface.
    pub sign: f64,
    /// Lever to the pivot of the next group.
    pub lever: Vec2,
    /// First moment carried, S.
    pub moment: Vec2,
    /// Inertia D about the pivot.
    pub inertia: f64,
    /// Mass of this group and of all above.
    pub mass: f64,
}

/// A shut interface, seen as a hinge at its middle of the part of its group above it: the moment there decides whether
/// it stays shut.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shut {
    /// Number of the interface.
    pub interface: usize,
    /// The group it lies in, or none for the part that stands on the base without turning.
    pub group: Option<usize>,
    /// From the group's pivot to the middle of the interface.
    pub offset: Vec2,
    /// The part above it, with the same meaning as in [`Group`].
    pub part: Group,
    /// Half width c of the contact.
    pub half: f64,
}

/// The groups and shut interfaces of one configuration, from the base upwards.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    groups: List<Group>,
    shut: List<Shut>,
}

impl Chain {
    pub fn new(stack: &Stack, configuration: &Configuration) -> Self {
        Self::of(stack, configuration, &LeverTable::new(stack, configuration))
    }

    /// From the levers of the configuration.
    pub fn of(stack: &Stack, configuration: &Configuration, table: &LeverTable) -> Self {
        let blocks = configuration.len();
        let mut chain = Self {
            groups: List::with_capacity(blocks),
            shut: List::with_capacity(blocks),
        };
        let mut first = 0;
        while first < blocks {
            let mut end = first + 1;
            while end < blocks && configuration.pivot(end) == Pivot::Full {
                end += 1;
            }
            chain.push(table, stack, configuration, first, end);
            first = end;
        }
        chain
    }

    fn push(
        &mut self,
        table: &LeverTable,
        stack: &Stack,
        configuration: &Configuration,
        first: usize,
        end: usize,
    ) {
        let standing = configuration.pivot(first) == Pivot::Full;
        let group = if standing {
            None
        } else {
            let sign = configuration.pivot(first).sign();
            self.groups.push(table.part(first, end, sign));
            Some(self.groups.len() - 1)
        };
        let mut offset = Vec2::default();
        for interface in first..end {
            if configuration.pivot(interface) == Pivot::Full {
                self.shut.push(Shut {
                    interface,
                    group,
                    offset,
                    part: table.part(interface, end, 0.0),
                    half: stack.half_width(interface),
                });
            }
            offset = offset + table.levers()[interface].arm;
        }
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub fn shut(&self) -> &[Shut] {
        &self.shut
    }
}

/// What one block adds, from its own pivot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lever {
    /// To the next pivot, a_j.
    pub arm: Vec2,
    /// To its centre, r_j.
    pub centre: Vec2,
    /// S_j.
    pub moment: Vec2,
    /// About its pivot, with the mass above at the next.
    inertia: f64,
    /// Of the block and all above.
    mass: f64,
}

/// The levers of every block.
pub(super) struct LeverTable(List<Lever>);

impl LeverTable {
    pub fn new(stack: &Stack, configuration: &Configuration) -> Self {
        let mut table = List::from_elem(Lever::default(), configuration.len());
        let (mut above, mut next) = (0.0, 0.0);
        let blocks = stack.blocks().iter().zip(configuration.pivots());
        for ((j, (block, pivot)), lever) in blocks.enumerate().zip(table.iter_mut()).rev() {
            let here = pivot.sign() * stack.half_width(j);
            lever.arm = Vec2::new(next - here, block.height);
            lever.centre = Vec2::new(-here, 0.5 * block.height);
            lever.moment = lever.arm * above + lever.centre * block.mass;
            lever.inertia = block.inertia()
                + above * lever.arm.dot(lever.arm)
                + block.mass * lever.centre.dot(lever.centre);
            above += block.mass;
            lever.mass = above;
            next = here;
        }
        Self(table)
    }

    /// From the base upwards.
    pub fn levers(&self) -> &[Lever] {
        &self.0
    }

    /// The blocks `first` to `end` − 1 as one body on the pivot under the first.
    pub fn part(&self, first: usize, end: usize, sign: f64) -> Group {
        let levers = self.0.get(first..end).unwrap_or(&[]);
        let mut part = Group {
            first,
            sign,
            mass: levers.first().map_or(0.0, |lever| lever.mass),
            ..Group::default()
        };
        for lever in levers {
            // The levers summed so far are those of the blocks below: the double sum over pairs in one pass.
            part.inertia += lever.inertia + 2.0 * part.lever.dot(lever.moment);
            part.lever = part.lever + lever.arm;
            part.moment = part.moment + lever.moment;
        }
        part
    }
}
