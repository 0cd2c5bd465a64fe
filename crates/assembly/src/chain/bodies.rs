//! The bodies of a chain, and the impact of one pair of them.

use klast_numerics::CompensatedSum;

/// A chain of bodies at one place; contact `j` lies in front of body `j`, contact `len` behind the last one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chain {
    /// Masses, kg.
    pub(crate) mass: Vec<f64>,
    /// Velocities in the frame, m/s: before, then after the impact.
    pub(crate) velocity: Vec<f64>,
    /// Restitution of each contact (one more than bodies).
    pub(crate) restitution: Vec<f64>,
    /// Whether contact 0 is the left wall.
    pub(crate) left_wall: bool,
    /// Whether the last contact is the right wall.
    pub(crate) right_wall: bool,
    /// Velocity of the walls, m/s.
    pub(crate) wall_velocity: f64,
    /// Approach speeds up to this one are plastic, m/s.
    pub(crate) cutoff: f64,
    /// Impulse through each contact, N s.
    pub(crate) impulse: Vec<f64>,
    /// Number of pair impacts at each contact.
    pub(crate) impacts: Vec<u64>,
    /// Energy dissipated, J.
    pub(crate) dissipated: CompensatedSum,
    /// Work of the walls on the chain, J.
    pub(crate) wall_work: CompensatedSum,
    /// Set when a sequence of pair impacts was cut off and finished as one plastic impact.
    pub(crate) cut_off: bool,
}

impl Chain {
    pub(crate) fn clear(&mut self) {
        self.mass.clear();
        self.velocity.clear();
        self.restitution.clear();
        self.left_wall = false;
        self.right_wall = false;
    }

    /// Prepares the results for a chain whose bodies are set.
    pub(super) fn begin(&mut self) {
        let contacts = self.mass.len() + 1;
        self.impulse.clear();
        self.impulse.resize(contacts, 0.0);
        self.impacts.clear();
        self.impacts.resize(contacts, 0);
        self.dissipated = CompensatedSum::default();
        self.wall_work = CompensatedSum::default();
        self.cut_off = false;
    }

    /// Range of contacts that exist: the ends count only where there is a wall.
    pub(super) fn contacts(&self) -> std::ops::Range<usize> {
        let n = self.mass.len();
        usize::from(!self.left_wall)..n + usize::from(self.right_wall)
    }

    /// Relative velocity at contact `j`, negative when it closes.
    #[inline]
    pub(crate) fn opening(&self, j: usize) -> f64 {
        let left = if j == 0 {
            self.wall_velocity
        } else {
            self.velocity[j - 1]
        };
        let right = self.velocity.get(j).copied().unwrap_or(self.wall_velocity);
        right - left
    }

    /// One impact of the pair at contact `j`; below the cut-off it is plastic.
    pub(super) fn collide(&mut self, j: usize) {
        let n = self.mass.len();
        let u = self.opening(j);
        let e = if -u > self.cutoff {
            self.restitution[j]
        } else {
            0.0
        };
        let mobility = if j > 0 { 1.0 / self.mass[j - 1] } else { 0.0 }
            + if j < n { 1.0 / self.mass[j] } else { 0.0 };
        let p = -(1.0 + e) * u / mobility;
        if j > 0 {
            self.velocity[j - 1] -= p / self.mass[j - 1];
        } else {
            self.wall_work.add(p * self.wall_velocity);
        }
        if j < n {
            self.velocity[j] += p / self.mass[j];
        } else {
            self.wall_work.add(-p * self.wall_velocity);
        }
        self.impulse[j] += p;
        self.impacts[j] += 1;
        let loss = 0.5 * (1.0 - e * e) * u * u / mobility;
        self.dissipated.add(loss);
    }

    /// All bodies take the velocity of the walls.
    pub(super) fn carry(&mut self) {
        for j in 0..self.mass.len() {
            let dv = self.wall_velocity - self.velocity[j];
            self.wall_work.add(self.mass[j] * dv * self.wall_velocity);
            self.dissipated.add(0.5 * self.mass[j] * dv * dv);
            self.velocity[j] = self.wall_velocity;
        }
    }
}

/// Buffers of the rules, kept between impacts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    pub(crate) target: Vec<f64>,
    pub(crate) before: Vec<f64>,
    pub(crate) opening: Vec<f64>,
    pub(crate) pools: Vec<crate::isotonic::Pool>,
}

/// More pair impacts than this at one instant are finished as one plastic impact.
///
/// A row of eight with e = 0.3 needs over a million; what is left by then moves by less than 1e-9 of the first impact.
pub(crate) const MOST_PAIR_IMPACTS: u64 = 2_000_000;
