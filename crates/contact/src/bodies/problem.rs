//! The data of a contact problem of bodies, and its present impulses and velocities.

use super::body::{BodyInertia, BodyVelocity};
use super::group::{Group, Row};
use super::grouping::Grouping;
use super::revision::Revision;
use super::wide::residual::LargestResidual;
use super::wide::sweep_lanes::SweepLanes;
use crate::error::{ContactError, finite, length};
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// Contacts between bodies: data, and the impulses and velocities of the present point. Its solver is
/// [`super::Solver`].
///
/// Load with [`Problem::load`]. Velocities start as those without contact impulses and follow the impulses from there.
///
/// Consecutive contacts of one pair of bodies with one normal form a group, which a sweep treats together; list the
/// points of a manifold next to each other. Groups are coloured so that those of one colour share no body that can
/// move: a sweep goes colour by colour, and its bits depend on the order of the contacts alone.
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// Bodies and, past their end, the ground.
    pub(super) bodies: Vec<BodyInertia>,
    pub(super) velocities: Vec<BodyVelocity>,
    /// Velocities without contact impulses.
    pub(super) free: Vec<BodyVelocity>,
    pub(super) groups: Vec<Group>,
    pub(super) rows: Vec<Row>,
    /// Row of each contact as it was loaded.
    pub(super) row_of_pair: Vec<u32>,
    /// Biases of the normals without that of [`Problem::set_normal_bias`], once it was called.
    pub(super) own_bias: Vec<f64>,
    pub(super) q_max: f64,
    /// Residual at which nothing is left but the rounding of the velocities (m/s).
    pub(super) rounding: f64,
    /// Contacts that are compliant.
    pub(super) springs: usize,
    /// Whether no contact has friction, and no impulse a tangential part.
    pub(super) frictionless: bool,
    pub(super) revision: Revision,
    pub(super) grouping: Grouping,
    /// The groups side by side, where sweeps take several at once.
    pub(super) lanes: SweepLanes,
}

impl Problem {
    /// An empty problem.
    pub fn new() -> Self {
        Self::default()
    }

    /// Largest `‖q‖`, m/s: the relative velocity that the contacts start with.
    pub fn q_max(&self) -> f64 {
        self.q_max
    }

    /// Whether all contacts are compliant, so that their impulses are unique.
    pub(super) fn is_compliant(&self) -> bool {
        self.springs > 0 && self.springs == self.rows.len()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.rows.len()
    }

    /// Impulses `(n, t1, t2)` in the order of the contacts.
    pub fn impulses(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        self.row_of_pair.iter().map(|&i| self.rows[i as usize].r)
    }

    /// Relative velocities `u`, bias included, in the order of the contacts; `u′` where contacts are compliant.
    pub fn relative_velocities(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        self.row_of_pair.iter().map(|&i| {
            let row = &self.rows[i as usize];
            let group = &self.groups[row.group as usize];
            group.relative(&self.velocities).at(row) + row.r * row.compliance
        })
    }

    /// The impulses, and each along the axes of space, in the order of the contacts.
    pub fn impulses_in_space(&self) -> impl ExactSizeIterator<Item = (DVec3, DVec3)> + '_ {
        self.row_of_pair.iter().map(|&i| {
            let row = &self.rows[i as usize];
            let frame = &self.groups[row.group as usize].frame;
            (row.r, frame.to_world(row.r))
        })
    }

    /// Velocities of the bodies with the impulses applied.
    pub fn velocities(&self) -> &[BodyVelocity] {
        self.velocities
            .get(..self.bodies.len().saturating_sub(1))
            .unwrap_or(&[])
    }

    /// The residual in m/s at the present impulses, as [`crate::Residual::absolute`] of the assembled problem.
    pub fn residual(&self) -> f64 {
        Arch::new().dispatch(LargestResidual {
            groups: &self.groups,
            rows: &self.rows,
            velocities: &self.velocities,
        })
    }

    /// The residual over `max‖q‖`, the residual itself where no contact has a `q`; 0 where it is no more than the
    /// rounding of the velocities, as where bodies that touch move together.
    pub fn relative_residual(&self) -> f64 {
        self.relative(self.residual())
    }

    pub(super) fn relative(&self, residual: f64) -> f64 {
        match residual <= self.rounding {
            true => 0.0,
            false => residual / self.unit(),
        }
    }

    /// The residual (m/s) that a relative tolerance allows.
    pub(super) fn allowed(&self, tolerance: f64) -> f64 {
        (tolerance * self.unit()).max(self.rounding)
    }

    fn unit(&self) -> f64 {
        match self.q_max > 0.0 {
            true => self.q_max,
            false => 1.0,
        }
    }

    /// Replaces the impulses, and with them the body velocities.
    ///
    /// # Errors
    /// When the count differs or an impulse is not finite.
    pub fn set_impulses(&mut self, impulses: &[DVec3]) -> Result<(), ContactError> {
        length("number of impulses", impulses.len(), self.rows.len())?;
        for r in impulses {
            finite("impulse", r.x + r.y + r.z)?;
            self.frictionless &= r.y == 0.0 && r.z == 0.0;
        }
        for group in &self.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for row in &mut self.rows[group.rows()] {
                let change = impulses[row.pair as usize] - row.r;
                row.r = impulses[row.pair as usize];
                p += change;
                t += row.offset.cross(change);
            }
            group.apply(p, t, &self.bodies, &mut self.velocities);
        }
        Ok(())
    }

    /// Adds `speed` (m/s) to all normal biases of the contacts, in place of what was added before; 0 ends it. A
    /// solution then has `r·u ≤ −speed r_n` at the velocities without it, so residuals under that speed make no contact
    /// generate energy.
    pub fn set_normal_bias(&mut self, speed: f64) {
        if self.own_bias.len() != self.rows.len() {
            self.own_bias.clear();
            self.own_bias.extend(self.rows.iter().map(|row| row.bias.x));
        }
        for (row, own) in self.rows.iter_mut().zip(&self.own_bias) {
            row.bias.x = *own + speed;
        }
    }

    /// Copies the impulses of the rows, in their order.
    pub(super) fn store_impulses(&self, impulses: &mut Vec<DVec3>) {
        impulses.clear();
        impulses.extend(self.rows.iter().map(|row| row.r));
    }

    /// Gives the rows these impulses, and the bodies the velocities that belong to them.
    pub(super) fn restore(&mut self, impulses: &[DVec3]) {
        for (row, r) in self.rows.iter_mut().zip(impulses) {
            row.r = *r;
        }
        self.update_velocities();
    }

    /// Velocities that belong to the impulses of the rows.
    pub(super) fn update_velocities(&mut self) {
        self.velocities.copy_from_slice(&self.free);
        self.apply_all();
    }

    /// Gives the bodies the impulses of all rows.
    pub(super) fn apply_all(&mut self) {
        Arch::new().dispatch(ApplyAll(self));
    }
}

/// All impulses are given to the bodies, to be compiled for each vector unit.
struct ApplyAll<'a>(&'a mut Problem);

impl WithSimd for ApplyAll<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self(problem) = self;
        for group in &problem.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for row in &problem.rows[group.rows()] {
                p += row.r;
                t += row.offset.cross(row.r);
            }
            group.apply(p, t, &problem.bodies, &mut problem.velocities);
        }
    }
}
