//! From bodies and contacts to coloured groups of rows.

use super::body::{BodyInertia, BodyVelocity};
use super::contact_pair::ContactPair;
use super::group::{Group, Row};
use super::problem::Problem;
use super::revision::Revision;
use super::wide::sweep_lanes::SweepLanes;
use crate::error::{ContactError, finite, index, length, non_negative};
use crate::problem::Frame;
use crate::problem::cone::project;
use glam::DVec3;
use klast_numerics::OutOfRange;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Part of the speeds of two bodies that is the rounding of their difference: some sums of three products each.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Problem {
    /// Takes bodies, their velocities without impulses and the contacts; starts from the impulses of the contacts.
    ///
    /// Sort the contacts by (first, second, feature) for an answer that does not depend on how they were found.
    ///
    /// # Errors
    /// When lengths differ, an index points nowhere, a contact leads from a body to itself, a number is not finite, an
    /// inverse mass or `mu` is negative, or a normal is not of unit length. The problem is then empty.
    pub fn load(
        &mut self,
        bodies: &[BodyInertia],
        velocities: &[BodyVelocity],
        pairs: &[ContactPair],
    ) -> Result<(), ContactError> {
        self.load_rigid(true, bodies, velocities, pairs)
    }

    /// As [`Problem::load`]; contacts that are made compliant after it are not laid side by side.
    pub(super) fn load_rigid(
        &mut self,
        rigid: bool,
        bodies: &[BodyInertia],
        velocities: &[BodyVelocity],
        pairs: &[ContactPair],
    ) -> Result<(), ContactError> {
        self.load_known((bodies, velocities), pairs, rigid, |_| None)
    }

    /// As [`Problem::load`], where each contact is one of another problem of the same bodies (`from` says which) but
    /// for its bias, friction and impulse: what depends on positions alone is taken from there, to the same bits.
    ///
    /// # Errors
    /// As those of a load. The problem is then empty.
    pub fn load_subset(
        &mut self,
        whole: &Problem,
        velocities: &[BodyVelocity],
        pairs: &[ContactPair],
        from: &[u32],
    ) -> Result<(), ContactError> {
        let bodies = &whole.bodies[..whole.bodies.len().saturating_sub(1)];
        self.load_known((bodies, velocities), pairs, true, |i| {
            let row = *whole.row_of_pair.get(*from.get(i)? as usize)? as usize;
            // Gains of compliant contacts are softer, and contacts side by side have theirs elsewhere.
            let own = whole.rows[row].compliance == 0.0 && !whole.lanes.in_use();
            own.then_some((whole, row))
        })
    }

    /// `known` gives the row of a contact in another problem of the same bodies.
    fn load_known<'a>(
        &mut self,
        (bodies, velocities): (&[BodyInertia], &[BodyVelocity]),
        pairs: &[ContactPair],
        rigid: bool,
        known: impl Fn(usize) -> Option<(&'a Problem, usize)>,
    ) -> Result<(), ContactError> {
        self.clear();
        check(bodies, velocities, pairs)?;
        self.bodies.extend_from_slice(bodies);
        self.bodies.push(BodyInertia::FIXED);
        self.velocities.extend_from_slice(velocities);
        self.velocities.push(BodyVelocity::default());
        // Several lanes may add nothing to a fixed body: without a negative zero this never changes a bit.
        for (body, v) in self.bodies.iter().zip(&mut self.velocities) {
            if body.is_fixed() {
                v.linear += DVec3::ZERO;
                v.angular += DVec3::ZERO;
            }
        }
        self.free.extend_from_slice(&self.velocities);
        self.grouping.arrange(&self.bodies, pairs);
        self.frictionless = pairs.iter().all(|pair| pair.mu == 0.0);
        self.row_of_pair.resize(pairs.len(), 0);
        let wide = rigid && SweepLanes::pay(&self.grouping);
        let mut groups = 0..self.grouping.len();
        let built =
            groups.try_for_each(|g| self.build(pairs, self.grouping.contacts(g), wide, &known));
        if built.is_err() {
            self.clear();
            return built;
        }
        if wide {
            let rows = &mut self.rows;
            self.lanes
                .fill(&self.grouping, &self.groups, rows, &self.bodies);
        }
        self.start();
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.bodies.clear();
        self.velocities.clear();
        self.free.clear();
        self.groups.clear();
        self.rows.clear();
        self.row_of_pair.clear();
        self.own_bias.clear();
        self.lanes.clear();
        (self.q_max, self.rounding) = (0.0, 0.0);
        self.springs = 0;
        self.frictionless = false;
        self.revision = Revision::next();
    }

    /// The group of these contacts; what sweeps need beside is left out where it is in lanes.
    #[inline(always)]
    fn build<'a>(
        &mut self,
        pairs: &[ContactPair],
        own: Range<usize>,
        wide: bool,
        known: &impl Fn(usize) -> Option<(&'a Problem, usize)>,
    ) -> Result<(), ContactError> {
        let head = &pairs[own.start];
        // The first contact is the reference point: with another first one all is different.
        let same = known(own.start).and_then(|(whole, row)| {
            let g = whole.rows[row].group;
            let group = &whole.groups[g as usize];
            (group.start as usize == row).then_some((g, group))
        });
        let mut group = match same {
            Some((_, group)) => *group,
            None if wide => self.group_of(head)?,
            None => self.group_of(head)?.with_matrices(&self.bodies),
        };
        group.start = self.rows.len() as u32;
        for i in own {
            let pair = &pairs[i];
            // What was between two groups may be left out, which makes them one.
            let known = known(i).map(|(whole, row)| &whole.rows[row]);
            let row = match known.filter(|row| same.is_some_and(|(g, _)| g == row.group)) {
                Some(row) => Row {
                    bias: pair.bias,
                    mu: pair.mu,
                    r: project(pair.impulse, pair.mu),
                    ..*row
                },
                None => {
                    let offset = group.frame.to_local(pair.arm_first - head.arm_first);
                    let row = Row::new(offset, pair.bias, pair.mu, pair.impulse);
                    if wide { row } else { group.row(row) }
                }
            };
            self.row_of_pair[i] = self.rows.len() as u32;
            self.rows.push(Row {
                group: self.groups.len() as u32,
                pair: i as u32,
                ..row
            });
        }
        group.end = self.rows.len() as u32;
        self.groups.push(group);
        Ok(())
    }

    /// The group whose first contact this is.
    #[inline(always)]
    fn group_of(&self, head: &ContactPair) -> Result<Group, ContactError> {
        let ground = self.bodies.len() - 1;
        let pair = (head.first as u32, head.second.unwrap_or(ground) as u32);
        let frame = Frame::from_normal(head.normal)?;
        let arm_second = match head.second {
            Some(_) => head.arm_second,
            None => DVec3::ZERO,
        };
        let arms = (head.arm_first, arm_second);
        Ok(Group::new(pair, frame, arms))
    }

    /// Notes the largest `‖q‖` and its rounding, then applies the impulses that the contacts bring.
    pub(super) fn start(&mut self) {
        let largest = Arch::new().dispatch(LargestSpeeds {
            groups: &self.groups,
            rows: &self.rows,
            velocities: &self.velocities,
        });
        (self.q_max, self.rounding) = (largest.0, ROUNDING * largest.1);
        if self.rows.iter().any(|row| row.r != DVec3::ZERO) {
            self.apply_all();
        }
    }
}

/// The largest `‖q‖`, and the largest sum of the speeds of a group's bodies (m/s).
struct LargestSpeeds<'a> {
    groups: &'a [Group],
    rows: &'a [Row],
    velocities: &'a [BodyVelocity],
}

impl WithSimd for LargestSpeeds<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (f64, f64) {
        let (mut square, mut speed) = (0.0_f64, 0.0_f64);
        for group in self.groups {
            let v = group.relative(self.velocities);
            for row in &self.rows[group.rows()] {
                square = square.max(v.at(row).length_squared());
            }
            // The square of a sum of four is at most four times the sum of their squares: hardly a group needs roots.
            if 4.01 * group.squared_speeds(self.velocities) > speed * speed {
                speed = speed.max(group.speed(self.velocities));
            }
        }
        (square.sqrt(), speed)
    }
}

/// Whether a body is surely accepted, told without a name for what is wrong. A new condition belongs here and in
/// [`check`], which names it.
#[inline]
fn body_holds((body, v): (&BodyInertia, &BodyVelocity)) -> bool {
    let i = &body.inverse_inertia;
    let sum = v.linear + v.angular + i.x_axis + i.y_axis + i.z_axis;
    body.inverse_mass >= 0.0 && (sum.x + sum.y + sum.z + body.inverse_mass).is_finite()
}

/// The same of a contact.
#[inline]
fn pair_holds(pair: &ContactPair, count: usize) -> bool {
    let second = pair.second.unwrap_or(usize::MAX);
    let sum = pair.arm_first + pair.arm_second + pair.bias + pair.impulse;
    pair.first < count
        && (second < count || pair.second.is_none())
        && pair.first != second
        && pair.mu >= 0.0
        && (sum.x + sum.y + sum.z + pair.mu).is_finite()
}

fn check(
    bodies: &[BodyInertia],
    velocities: &[BodyVelocity],
    pairs: &[ContactPair],
) -> Result<(), ContactError> {
    let count = bodies.len();
    length("number of velocities", velocities.len(), count)?;
    let hold = bodies.iter().zip(velocities).all(body_holds);
    if hold && pairs.iter().all(|pair| pair_holds(pair, count)) {
        return Ok(());
    }
    for (body, v) in bodies.iter().zip(velocities) {
        non_negative("inverse mass", body.inverse_mass)?;
        let i = &body.inverse_inertia;
        let sum = v.linear + v.angular + i.x_axis + i.y_axis + i.z_axis;
        finite("body velocity or inverse inertia", sum.x + sum.y + sum.z)?;
    }
    for pair in pairs {
        for (field, found) in [
            ("first body", pair.first),
            ("second body", pair.second.unwrap_or(pair.first)),
        ] {
            index(field, found, count)?;
        }
        if pair.second == Some(pair.first) {
            let accepted = "another body than the first";
            return Err(OutOfRange::new("second body", pair.first, accepted).into());
        }
        non_negative("mu", pair.mu)?;
        let sum = pair.arm_first + pair.arm_second + pair.bias + pair.impulse;
        finite("contact arm, bias or impulse", sum.x + sum.y + sum.z)?;
    }
    Ok(())
}
