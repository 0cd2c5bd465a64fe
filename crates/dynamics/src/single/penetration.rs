//! How deep a body goes into ground that yields, and the area that carries it there.
//!
//! The ground resists with the pressure σ + ρ v² on the section of the body with the ground surface: the law of
//! Poncelet (1829), with the yield pressure σ and the density ρ of the soil that is thrown aside. With v the normal
//! speed at the centroid of the section, A(z) its area at the depth z and M the mass that an impulse there along the
//! normal n meets, 1/M = 1/m + (r × n)·I⁻¹ (r × n), the way in obeys M v dv/dz = −(σ + ρ v²) A(z). Over a slice in
//! which M and r are those of its middle this is exact: (σ + ρ v²) exp(2 ρ V/M) is constant, with the volume V that the
//! slice displaces; the linear and angular velocities change by the impulse. The way ends where v does. An area that
//! has been reached is kept: beyond the widest section the body leaves a hole of that width. The attitude is that of
//! the touch.

use super::contact_problem::world_inverse_inertia;
use crate::error::within;
use crate::{Body, DynamicsError, State};
use glam::{DMat3, DVec3};
use klast_geometry::Section;
use klast_numerics::mutant;

/// Resistance of ground that yields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    yield_pressure: f64,
    density: f64,
}

impl Penetration {
    /// Yield pressure σ (Pa), above 0; density ρ of the soil thrown aside (kg/m³), 0 or more.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn new(yield_pressure: f64, density: f64) -> Result<Self, DynamicsError> {
        let (above, dense) = (|p: f64| p > 0.0, |d: f64| d >= 0.0);
        Ok(Self {
            yield_pressure: within("yield pressure", yield_pressure, above, "above 0")?,
            density: within("density of ejected soil", density, dense, "0 or more")?,
        })
    }

    /// σ (Pa).
    pub fn yield_pressure(&self) -> f64 {
        self.yield_pressure
    }

    /// ρ (kg/m³).
    pub fn density(&self) -> f64 {
        self.density
    }

    /// The volume (m³) that a mass (kg) displaces until it stands: M/(2 ρ) ln(1 + ρ v²/σ).
    fn displaced(&self, mass: f64, speed: f64) -> f64 {
        let energy = 0.5 * mass * speed * speed / self.yield_pressure;
        energy
            * mutant::factor("ground-yield", 1.001)
            * ratio(
                self.density * speed * speed / self.yield_pressure,
                libm::log1p,
            )
    }

    /// The speed left after a volume.
    fn left(&self, mass: f64, speed: f64, volume: f64) -> f64 {
        let way = 2.0 * volume / mass;
        let lost = (self.yield_pressure + self.density * speed * speed)
            * way
            * ratio(
                -self.density * way * mutant::factor("ground-inertia", 1.001),
                libm::expm1,
            );
        libm::sqrt((speed * speed - lost).max(0.0))
    }

    /// The time from one speed to another over an area (m²).
    fn time(&self, mass: f64, (from, to): (f64, f64), area: f64) -> f64 {
        let root = libm::sqrt(self.density / self.yield_pressure);
        let angle = |v: f64| v * ratio(root * v, libm::atan);
        mass / (area * self.yield_pressure) * (angle(from) - angle(to))
    }
}

/// f(x)/x of a function with f(x) = x + O(x²).
fn ratio(x: f64, f: fn(f64) -> f64) -> f64 {
    match x.abs() < 1e-9 {
        true => 1.0,
        false => f(x) / x,
    }
}

/// What a body dug at an impact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dug {
    /// Depth of the lowest point (m).
    pub depth: f64,
    /// How long the way in takes (s).
    pub duration: f64,
    /// Volume displaced (m³).
    pub volume: f64,
    /// Work of the pressure, σ V + ∫ ρ v² dV (J).
    pub work: f64,
    /// Part σ V of it.
    pub yield_part: f64,
}

/// Slices of a way in: its error falls with their square (2e-4 of the depth of a cube on a corner).
const SLICES: f64 = 12.0;
/// Slices at most; a body that is wide early takes the rest in one.
const MOST: usize = 200;
/// Halvings that find a depth in a slice, and times that its centroid is taken anew.
const HALVINGS: usize = 40;
const ANEW: usize = 3;

/// A body on its way into a plane.
pub(super) struct Dig<'a> {
    body: &'a Body,
    inverse_inertia: DMat3,
    law: Penetration,
    /// Normal of the ground, in the world and in the body.
    normal: DVec3,
    own_normal: DVec3,
    state: State,
    /// Lowest point along the normal (m), from the mass centre.
    lowest: f64,
    /// The widest section so far.
    widest: Section,
    dug: Dug,
}

impl<'a> Dig<'a> {
    /// A body that touches ground with a normal.
    pub(super) fn new(body: &'a Body, state: &State, normal: DVec3, law: Penetration) -> Self {
        let own_normal = state.pose.inverse_transform_vector(normal);
        let lowest = match body.sphere_radius() {
            Some(radius) => -radius,
            None => -body.shape().reach(-own_normal),
        };
        Dig {
            body,
            inverse_inertia: world_inverse_inertia(body, &state.pose),
            law,
            normal,
            own_normal,
            state: *state,
            lowest,
            widest: Section::default(),
            dug: Dug::default(),
        }
    }

    /// The section at a depth of the lowest point; its centroid is an arm in the world.
    fn section(&self, depth: f64, corners: Option<&mut Vec<DVec3>>) -> Section {
        let level = self.lowest + depth;
        let Some(radius) = self.body.sphere_radius() else {
            let own = self.body.shape().section(self.own_normal, level, corners);
            return Section {
                centroid: self.state.pose.transform_vector(own.centroid),
                ..own
            };
        };
        let square = (radius * radius - level * level).max(0.0);
        if let Some(list) = corners {
            round(self.own_normal, level, libm::sqrt(square), list);
        }
        Section {
            area: std::f64::consts::PI * square,
            centroid: self.normal * level,
        }
    }

    /// Mean section of a slice of depths, by Gauss's two points, which are exact for areas up to the third degree.
    fn slice(&self, from: f64, to: f64) -> Section {
        let (middle, arm) = (0.5 * (from + to), 0.5 * (to - from) / libm::sqrt(3.0));
        let of = |depth| {
            let own = self.section(depth, None);
            match own.area > self.widest.area {
                true => own,
                false => self.widest,
            }
        };
        let (a, b) = (of(middle - arm), of(middle + arm));
        let sum = a.area + b.area;
        Section {
            area: 0.5 * sum,
            centroid: match sum > 0.0 {
                true => (a.centroid * a.area + b.centroid * b.area) / sum,
                false => a.centroid,
            },
        }
    }

    /// The mass that a normal impulse meets at an arm, and the normal speed into the ground there.
    fn mobility(&self, arm: DVec3) -> (f64, f64) {
        let lever = arm.cross(self.normal);
        let inverse = 1.0 / self.body.mass() + lever.dot(self.inverse_inertia * lever);
        let speed = -self.state.velocity.at(arm).dot(self.normal);
        (1.0 / inverse, speed.max(0.0))
    }

    /// Goes through a volume with the section of its middle.
    fn pass(&mut self, section: &Section, volume: f64) {
        let (mass, speed) = self.mobility(section.centroid);
        let after = self.law.left(mass, speed, volume);
        self.push(section, (mass, speed, after), volume);
    }

    /// Changes the velocities from one normal speed to another.
    fn push(&mut self, section: &Section, (mass, from, to): (f64, f64, f64), volume: f64) {
        let impulse = self.normal * (mass * (from - to));
        self.state.velocity.linear += impulse / self.body.mass();
        self.state.velocity.angular += self.inverse_inertia * section.centroid.cross(impulse);
        self.dug.duration += self.law.time(mass, (from, to), section.area);
        self.dug.volume += volume;
        self.dug.work += 0.5 * mass * (from * from - to * to);
        self.dug.yield_part += self.law.yield_pressure * volume;
    }

    /// The depth in a slice at which the way ends.
    fn end_within(&self, from: f64, to: f64) -> f64 {
        let mut end = to;
        for _ in 0..ANEW {
            let (mass, speed) = self.mobility(self.slice(from, end).centroid);
            let wanted = self.law.displaced(mass, speed);
            let (mut low, mut high) = (from, to);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                match self.slice(from, middle).area * (middle - from) < wanted {
                    true => low = middle,
                    false => high = middle,
                }
            }
            end = 0.5 * (low + high);
        }
        end
    }

    /// Ends the way at a depth.
    fn stand(&mut self, from: f64, end: f64) {
        let section = self.slice(from, end);
        let (mass, speed) = self.mobility(section.centroid);
        let volume = self.law.displaced(mass, speed);
        if section.area > 0.0 {
            self.push(&section, (mass, speed, 0.0), volume);
        }
        self.dug.depth = end;
    }

    /// A first estimate of the depth: that of the volume which the speed at the lowest point displaces.
    fn estimate(&self, height: f64) -> f64 {
        let mut end = height;
        for _ in 0..ANEW {
            let (mass, speed) = self.mobility(self.section(end, None).centroid);
            let wanted = self.law.displaced(mass, speed);
            let (mut low, mut high) = (0.0, height);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                match self.slice(0.0, middle).area * middle < wanted {
                    true => low = middle,
                    false => high = middle,
                }
            }
            end = 0.5 * (low + high);
        }
        end
    }

    /// Goes in until the normal speed ends; `corners` gets the arms of the corners of the section there.
    pub(super) fn run(mut self, corners: &mut Vec<DVec3>) -> Dug {
        let height = match self.body.sphere_radius() {
            Some(radius) => 2.0 * radius,
            None => self.body.shape().reach(self.own_normal) - self.lowest,
        };
        let step = self.estimate(0.5 * height) / SLICES;
        let mut depth = 0.0;
        let mut carrying = 0.0;
        for _ in 0..MOST {
            let section = self.slice(depth, depth + step);
            if section.area <= self.widest.area {
                break;
            }
            let (mass, speed) = self.mobility(section.centroid);
            if self.law.displaced(mass, speed) <= section.area * step {
                let end = self.end_within(depth, depth + step);
                self.stand(depth, end);
                carrying = end;
                break;
            }
            self.pass(&section, section.area * step);
            depth += step;
            carrying = depth;
            self.widest = self.section(depth, None);
        }
        if self.dug.depth == 0.0 {
            self.sink(depth);
        }
        self.corners(carrying, corners);
        self.dug
    }

    /// The rest of the way at the widest section.
    fn sink(&mut self, from: f64) {
        let section = self.widest;
        let (mass, speed) = self.mobility(section.centroid);
        let volume = self.law.displaced(mass, speed);
        self.dug.depth = from;
        if section.area > 0.0 {
            self.push(&section, (mass, speed, 0.0), volume);
            self.dug.depth += volume / section.area;
        }
    }

    /// The corners of the section at a depth, as arms in the world: those that are foremost in eight directions.
    fn corners(&self, depth: f64, corners: &mut Vec<DVec3>) {
        let mut all = Vec::new();
        self.section(depth, Some(&mut all));
        corners.clear();
        let (one, other) = self.own_normal.any_orthonormal_pair();
        for k in 0..8 {
            let (s, c) = libm::sincos(f64::from(k) * std::f64::consts::FRAC_PI_4 + OFF);
            let direction = one * c + other * s;
            let ahead = |a: &&DVec3, b: &&DVec3| a.dot(direction).total_cmp(&b.dot(direction));
            let Some(corner) = all.iter().max_by(ahead) else {
                return;
            };
            let arm = self.state.pose.transform_vector(*corner);
            if !corners.contains(&arm) {
                corners.push(arm);
            }
        }
    }
}

/// Turns the eight directions (rad) off the sides of boxes, along which two corners are foremost.
const OFF: f64 = 0.2;

/// Eight points of a circle around an axis.
fn round(axis: DVec3, level: f64, radius: f64, corners: &mut Vec<DVec3>) {
    let (one, other) = axis.any_orthonormal_pair();
    for k in 0..8 {
        let (s, c) = libm::sincos(f64::from(k) * std::f64::consts::FRAC_PI_4 + OFF);
        corners.push(axis * level + (one * c + other * s) * radius);
    }
}
