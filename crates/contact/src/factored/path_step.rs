//! What a Newton step on a path does with the contacts, side by side.

use super::NodeVelocity;
use super::jacobian::Pair;
use super::lanes::LANES;
use super::laws::Point;
use super::octets::{Octet, Octets, Slot};
use super::six;
use super::stiffness::{Joined, Matrix, Stiffness};
use super::wide::{Lane, Vector, Wide, Wide3, Wide33, ZERO, parts};
use pulp::{Simd, WithSimd};

/// The system of a step, in which τ is to fall by `fall`.
pub(super) struct Assembly<'a> {
    pub octets: &'a Octets,
    pub gradient: &'a mut [six::Vector],
    pub matrix: Matrix<'a>,
    pub points: &'a [Point],
    /// Groups that take part, if not all do.
    pub takes_part: Option<&'a Vec<bool>>,
    pub fall: f64,
    /// Of springs.
    pub compliance: f64,
}

impl WithSimd for Assembly<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let fall = Wide::splat(simd, self.fall);
        let (one, compliance) = (Wide::splat(simd, 1.0), Wide::splat(simd, self.compliance));
        let mut joined = Joined::ZERO;
        for octet in &self.octets.all {
            let (mut stiffness, mut sum) = (Stiffness::ZERO, Pair::ZERO);
            for s in octet.slots() {
                let (slot, point) = (&self.octets.slots[s], &self.points[s]);
                let (mut k, [_, rate]) = (point.stiffness(), point.impulses());
                let mut r = ZERO;
                for part in parts::<S>() {
                    let rho = Wide::load(simd, &slot.rho, part);
                    let own = Wide33::load(simd, &k, part) * rho;
                    own.store(&mut k, part);
                    let f = Wide3::load(simd, &rate, part) * fall;
                    let error =
                        Wide3::load(simd, &point.error, part) + f * (one - compliance * rho);
                    let change = own * error + f * rho;
                    change.store(&mut r, part);
                }
                stiffness.gather(simd, slot, &k);
                sum.gather(simd, slot, &r);
            }
            joined.set(simd, octet, &stiffness);
            let takes_part = self.takes_part;
            let takes_part = |g: usize| takes_part.is_none_or(|list| list[g]);
            self.matrix.add(octet, &joined, takes_part);
            octet.add(simd, &sum, 1.0, self.gradient);
        }
    }
}

/// Moves each contact by a part of its step, then evaluates the laws, the errors and the gradient.
pub(super) struct Evaluation<'a> {
    pub octets: &'a Octets,
    pub gradient: &'a mut [six::Vector],
    pub velocities: &'a [NodeVelocity],
    pub points: &'a mut [Point],
    /// By contact: the energy of the error, where an impulse moves anything.
    pub energies: &'a mut [f64],
    /// The fall of τ in the step, if the velocities are those after the whole of it and contacts have yet to take theirs.
    pub first: Option<f64>,
    pub part: f64,
    /// τ, ε and the compliance of springs.
    pub law: (f64, f64, f64),
}

impl WithSimd for Evaluation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (_, _, compliance) = self.law;
        for octet in &self.octets.all {
            let v = octet.relative(simd, self.velocities);
            let mut sum = Pair::ZERO;
            for s in octet.slots() {
                let (slot, point) = (&self.octets.slots[s], &mut self.points[s]);
                if let Some(fall) = self.first {
                    point.linearise(simd, slot, &v, (fall, compliance));
                }
                if self.part > 0.0 {
                    point.go(slot, self.part);
                }
                point.evaluate(slot, self.law);
                let [r, _] = point.impulses();
                let energies = point.miss(simd, slot, &v, &r, compliance);
                octet.give(s, slot, &energies, self.energies);
                sum.gather(simd, slot, &r);
            }
            octet.add(simd, &sum, -1.0, self.gradient);
        }
    }
}

impl Point {
    /// Takes the linear step, which leads to the relative twists `v`.
    #[inline(always)]
    fn linearise<S: Simd>(
        &mut self,
        simd: S,
        slot: &Slot,
        v: &Pair,
        (fall, compliance): (f64, f64),
    ) {
        let (k, [r, rate]) = (self.stiffness(), self.impulses());
        let [one, fall, compliance] = [1.0, fall, compliance].map(|x| Wide::splat(simd, x));
        for part in parts::<S>() {
            let rho = Wide::load(simd, &slot.rho, part);
            let f = Wide3::load(simd, &rate, part) * fall;
            let r = Wide3::load(simd, &r, part);
            let scaled = r - Wide3::load(simd, &self.z, part);
            let k = Wide33::load(simd, &k, part);
            let yields = compliance * rho;
            // u after the step, less the one that the law gives now; without what springs add to it as r changes at first.
            let change = slot.velocity(simd, v, part) * rho + r * yields - scaled;
            let dr = -(k * (change + f * rho * (one - yields))) - f * rho;
            let change = change + dr * yields;
            r.store(&mut self.from[0], part);
            scaled.store(&mut self.from[1], part);
            dr.store(&mut self.step[0], part);
            change.store(&mut self.step[1], part);
        }
    }

    /// Takes the errors at the relative twists `v`, and gives the energies of them.
    #[inline(always)]
    fn miss<S: Simd>(
        &mut self,
        simd: S,
        slot: &Slot,
        v: &Pair,
        r: &Vector,
        compliance: f64,
    ) -> Lane {
        let compliance = Wide::splat(simd, compliance);
        let mut energies = [0.0; LANES];
        for part in parts::<S>() {
            let rho = Wide::load(simd, &slot.rho, part);
            let r = Wide3::load(simd, r, part);
            let scaled = r - Wide3::load(simd, &self.z, part);
            let error = slot.velocity(simd, v, part) + r * compliance - scaled / rho;
            let [x, y, z] = error.0;
            let error = Wide3([x.wherever(rho), y.wherever(rho), z.wherever(rho)]);
            error.store(&mut self.error, part);
            (error.dot(error) * rho).store(&mut energies, part);
        }
        energies
    }
}

impl Octet {
    /// Gives the numbers of a slot to its contacts, none where impulses move nothing.
    #[inline(always)]
    fn give(&self, s: usize, slot: &Slot, numbers: &Lane, to: &mut [f64]) {
        for lane in 0..self.count {
            if slot.rho[lane] > 0.0 {
                let own = if self.acts(lane) { numbers[lane] } else { 0.0 };
                to[self.contact(s, lane)] = own;
            }
        }
    }
}
