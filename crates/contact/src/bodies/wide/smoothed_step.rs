//! What a Newton step of a continuation does with the contacts, side by side.

use super::groups::{WideContact, WideGroup, WideGroups};
use super::jacobian::WideTwist;
use super::lane::{LANES, Lane, Vector, ZERO};
use super::math::{Wide, Wide3, Wide33, parts};
use super::smoothed_laws::WideSmoothedContact;
use super::tangent_stiffness::{BodyStiffness, Matrix, Stiffness};
use crate::bodies::body::BodyVelocity;
use crate::continuation::homotopy::Smoothing;
use crate::linear::block6;
use pulp::{Simd, WithSimd};

/// The system of a step, in which τ is to fall by `fall`.
pub(in crate::bodies) struct Assembly<'a> {
    pub groups: &'a WideGroups,
    pub gradient: &'a mut [block6::Vector],
    pub matrix: Matrix<'a>,
    pub points: &'a [WideSmoothedContact],
    /// Groups that take part, if not all do.
    pub takes_part: Option<&'a Vec<bool>>,
    pub fall: f64,
}

impl WithSimd for Assembly<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let fall = Wide::splat(simd, self.fall);
        let one = Wide::splat(simd, 1.0);
        let mut body_stiffness = BodyStiffness::ZERO;
        for wide in &self.groups.groups {
            let (mut stiffness, mut sum) = (Stiffness::ZERO, WideTwist::ZERO);
            for s in wide.contacts() {
                let (contact, point) = (&self.groups.contacts[s], &self.points[s]);
                let (mut k, [_, rate]) = (point.stiffness(), point.impulses());
                let mut r = ZERO;
                for part in parts::<S>() {
                    let rho = Wide::load(simd, &contact.rho, part);
                    let compliance = Wide::load(simd, &contact.compliance, part);
                    let own = Wide33::load(simd, &k, part) * rho;
                    own.store(&mut k, part);
                    let f = Wide3::load(simd, &rate, part) * fall;
                    let error =
                        Wide3::load(simd, &point.error, part) + f * (one - compliance * rho);
                    let change = own * error + f * rho;
                    change.store(&mut r, part);
                }
                stiffness.gather(simd, contact, &k);
                sum.gather(simd, contact, &r);
            }
            body_stiffness.set(simd, wide, &stiffness);
            let takes_part = self.takes_part;
            let takes_part = |g: usize| takes_part.is_none_or(|list| list[g]);
            self.matrix.add(wide, &body_stiffness, takes_part);
            wide.add(simd, &sum, 1.0, self.gradient);
        }
    }
}

/// Moves each contact by a part of its step, then evaluates the laws, the errors and the gradient.
pub(in crate::bodies) struct Evaluation<'a> {
    pub groups: &'a WideGroups,
    pub gradient: &'a mut [block6::Vector],
    pub velocities: &'a [BodyVelocity],
    pub points: &'a mut [WideSmoothedContact],
    /// By contact: the energy of the error, where an impulse moves anything.
    pub energies: &'a mut [f64],
    /// The fall of τ in the step, if the velocities are those after the whole of it and contacts have yet to take
    /// theirs.
    pub first: Option<f64>,
    pub part: f64,
    pub smoothing: Smoothing,
}

impl WithSimd for Evaluation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for wide in &self.groups.groups {
            let v = wide.relative(simd, self.velocities);
            let mut sum = WideTwist::ZERO;
            for s in wide.contacts() {
                let (contact, point) = (&self.groups.contacts[s], &mut self.points[s]);
                if let Some(fall) = self.first {
                    point.linearise(simd, contact, &v, fall);
                }
                if self.part > 0.0 {
                    point.advance(contact, self.part);
                }
                point.evaluate(contact, self.smoothing);
                let [r, _] = point.impulses();
                let energies = point.measure_error(simd, contact, &v, &r);
                wide.give(s, contact, &energies, self.energies);
                sum.gather(simd, contact, &r);
            }
            wide.add(simd, &sum, -1.0, self.gradient);
        }
    }
}

impl WideSmoothedContact {
    /// Stores the linear step, which leads to the relative twists `v`.
    #[inline(always)]
    fn linearise<S: Simd>(&mut self, simd: S, contact: &WideContact, v: &WideTwist, fall: f64) {
        let (k, [r, rate]) = (self.stiffness(), self.impulses());
        let [one, fall] = [1.0, fall].map(|x| Wide::splat(simd, x));
        for part in parts::<S>() {
            let rho = Wide::load(simd, &contact.rho, part);
            let f = Wide3::load(simd, &rate, part) * fall;
            let r = Wide3::load(simd, &r, part);
            let scaled = r - Wide3::load(simd, &self.z, part);
            let k = Wide33::load(simd, &k, part);
            let yields = Wide::load(simd, &contact.compliance, part) * rho;
            // u after the step, less the one that the law gives now; at first without what compliance adds to it as r
            // changes.
            let change = contact.velocity(simd, v, part) * rho + r * yields - scaled;
            let dr = -(k * (change + f * rho * (one - yields))) - f * rho;
            let change = change + dr * yields;
            r.store(&mut self.from[0], part);
            scaled.store(&mut self.from[1], part);
            dr.store(&mut self.step[0], part);
            change.store(&mut self.step[1], part);
        }
    }

    /// Stores the errors at the relative twists `v`; returns their energies.
    #[inline(always)]
    fn measure_error<S: Simd>(
        &mut self,
        simd: S,
        contact: &WideContact,
        v: &WideTwist,
        r: &Vector,
    ) -> Lane {
        let mut energies = [0.0; LANES];
        for part in parts::<S>() {
            let rho = Wide::load(simd, &contact.rho, part);
            let compliance = Wide::load(simd, &contact.compliance, part);
            let r = Wide3::load(simd, r, part);
            let scaled = r - Wide3::load(simd, &self.z, part);
            let error = contact.velocity(simd, v, part) + r * compliance - scaled / rho;
            let [x, y, z] = error.0;
            let error = Wide3([x.wherever(rho), y.wherever(rho), z.wherever(rho)]);
            error.store(&mut self.error, part);
            (error.dot(error) * rho).store(&mut energies, part);
        }
        energies
    }
}

impl WideGroup {
    /// Writes the numbers of wide contact `s` to its rows, zero where impulses move nothing.
    #[inline(always)]
    fn give(&self, s: usize, contact: &WideContact, numbers: &Lane, to: &mut [f64]) {
        for lane in 0..self.count {
            if contact.rho[lane] > 0.0 {
                let own = if self.acts(lane) { numbers[lane] } else { 0.0 };
                to[self.row(s, lane)] = own;
            }
        }
    }
}
