//! Seeded problems of the kind that published towers and piles are: many more contacts than the bodies can tell apart.
#![allow(dead_code)]

use super::{Scene, plank_tower, varied, wall};
use glam::{DMat3, DVec3};
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem};
use klast_contact::{Delassus, FrictionContactProblem};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Bodies and where they touch; what falls is given a velocity, so `q` lies in the range of `W`.
#[derive(Default, Clone)]
pub struct Pile {
    pub nodes: Vec<BodyInertia>,
    pub velocities: Vec<BodyVelocity>,
    pub links: Vec<ContactPair>,
}

impl Pile {
    pub fn problem(&self) -> FrictionContactProblem {
        let mut p = Problem::new();
        p.load(&self.nodes, &self.velocities, &self.links).unwrap();
        p.assemble().unwrap()
    }

    pub fn of(scene: &Scene, noise: f64, seed: u64) -> Self {
        Self {
            nodes: scene.nodes(),
            velocities: scene.velocities(noise, seed),
            links: scene.links.clone(),
        }
    }

    /// Only `keep` of the contacts, drawn at random: a collision detection that finds one to four points per pair.
    pub fn thinned(mut self, keep: usize, seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut index: Vec<usize> = (0..self.links.len()).collect();
        index.shuffle(&mut rng);
        index.truncate(keep);
        index.sort_unstable();
        self.links = index.iter().map(|&i| self.links[i]).collect();
        self
    }

    /// Masses and moments of inertia times a power of ten between 1 and `ratio`, body by body.
    pub fn heavy(mut self, ratio: f64, seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        for n in &mut self.nodes {
            let f = ratio.powf(-rng.random_range(0.0..1.0));
            n.inverse_mass *= f;
            n.inverse_inertia *= f;
        }
        self
    }

    /// One to four contacts about the point at a part of the way `to` from the second body's centre to the first's.
    fn touch(
        &mut self,
        (first, second): (usize, Option<usize>),
        (to, radius): (DVec3, f64),
        part: f64,
        mu: f64,
        rng: &mut Pcg64,
    ) {
        let tilt = if second.is_some() {
            any(rng, 0.25)
        } else {
            DVec3::ZERO
        };
        let normal = (to.normalize() + tilt).normalize();
        let tangent = normal.any_orthonormal_vector();
        let other = normal.cross(tangent);
        for _ in 0..[1, 1, 2, 3, 4][rng.random_range(0..5)] {
            let off = any(rng, 0.3 * radius);
            let arm = tangent * off.x + other * off.y - to * part;
            self.links.push(ContactPair {
                first,
                second,
                normal,
                arm_first: arm,
                arm_second: second.map_or(DVec3::ZERO, |_| arm + to),
                bias: DVec3::ZERO,
                mu,
                impulse: DVec3::ZERO,
            });
        }
    }
}

/// A rock: half sizes of an irregular body, its mass and inertia.
fn rock(half: DVec3) -> BodyInertia {
    let mass = 2700.0 * 4.0 / 3.0 * std::f64::consts::PI * half.x * half.y * half.z;
    let s = half * half;
    let inertia = DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 5.0);
    BodyInertia {
        inverse_mass: 1.0 / mass,
        inverse_inertia: DMat3::from_diagonal(inertia.recip()),
    }
}

/// Rocks of uneven size heaped in layers on the floor: neighbours touch in one to four points of one normal that is off
/// the line of centres, all with gravity over a step and what is left of a fall.
pub fn rock_pile(side: usize, layers: usize, mu: f64, seed: u64) -> Pile {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut pile = Pile::default();
    let (mut centres, mut radii): (Vec<DVec3>, Vec<f64>) = (Vec::new(), Vec::new());
    let v = 9.81 * 5e-3;
    for layer in 0..layers {
        let n = side.saturating_sub(layer).max(1);
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let shift = 0.5 * layer as f64;
            let at = DVec3::new(
                a as f64 + shift,
                b as f64 + shift,
                0.5 + 0.72 * layer as f64,
            );
            centres.push(at + any(&mut rng, 0.12));
            let radius = rng.random_range(0.42..0.62);
            radii.push(radius);
            pile.nodes
                .push(rock(DVec3::splat(radius) + any(&mut rng, 0.2 * radius)));
            pile.velocities.push(BodyVelocity {
                linear: any(&mut rng, 0.3 * v) - DVec3::Z * v,
                angular: any(&mut rng, 0.3 * v),
            });
        }
    }
    for i in 0..centres.len() {
        for j in (0..i).map(Some).chain([None]) {
            let (to, reach) = match j {
                Some(j) => (centres[i] - centres[j], radii[i] + radii[j]),
                None => (DVec3::Z * centres[i].z, radii[i] + 0.1),
            };
            if to.length() < 1.02 * reach {
                let touch = (to, radii[i]);
                pile.touch(
                    (i, j),
                    touch,
                    if j.is_some() { radii[i] / reach } else { 1.0 },
                    mu,
                    &mut rng,
                );
            }
        }
    }
    pile
}

/// A rock of irregular shape that comes down on one to six contacts with grounds of various slopes and friction up to
/// `mu`.
pub fn fallen_rock(mu: f64, seed: u64) -> Pile {
    let rng = &mut Pcg64::seed_from_u64(seed);
    let axis = (any(rng, 1.0) + DVec3::Z * 2.0).normalize();
    let turn = DMat3::from_axis_angle(axis, rng.random_range(0.3..1.0));
    let moments = DMat3::from_diagonal(DVec3::splat(1.25) + any(rng, 0.75));
    let mut pile = Pile::default();
    pile.nodes.push(BodyInertia {
        inverse_mass: 0.7,
        inverse_inertia: turn * moments * turn.transpose(),
    });
    pile.velocities.push(BodyVelocity {
        linear: any(rng, 2.0) - DVec3::Z * 3.0,
        angular: any(rng, 2.0),
    });
    for _ in 0..rng.random_range(1..7) {
        pile.links.push(ContactPair {
            first: 0,
            second: None,
            normal: (DVec3::Z + any(rng, 0.4)).normalize(),
            arm_first: any(rng, 0.6) - DVec3::Z * 0.7,
            arm_second: DVec3::ZERO,
            bias: DVec3::ZERO,
            mu: rng.random_range(0.0..mu),
            impulse: DVec3::ZERO,
        });
    }
    pile
}

/// A vector with entries between -size and size.
fn any(rng: &mut Pcg64, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| size * rng.random_range(-1.0..1.0)))
}

/// A chain of bodies side by side between two walls, squeezed: each touches the next on a face with four points.
pub fn chain(bodies: usize, mu: f64, seed: u64) -> Pile {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut pile = Pile::default();
    let half = DVec3::new(0.25, 0.2, 0.3);
    for k in 0..bodies {
        pile.nodes.push(rock(half));
        let mut any = || rng.random_range(-1.0..1.0);
        let squeeze = 0.5 - k as f64 / (bodies - 1).max(1) as f64;
        pile.velocities.push(BodyVelocity {
            linear: DVec3::new(squeeze, 0.02 * any(), -0.05),
            angular: DVec3::new(any(), any(), any()) * 0.05,
        });
    }
    for k in 0..=bodies {
        for (y, z) in [(-0.2, -0.3), (0.2, -0.3), (-0.2, 0.3), (0.2, 0.3)] {
            // The link's normal points from the second body to the first.
            let (first, second, normal, at) = if k == bodies {
                (bodies - 1, None, -DVec3::X, 0.25)
            } else {
                (k, k.checked_sub(1), DVec3::X, -0.25)
            };
            pile.links.push(ContactPair {
                first,
                second,
                normal,
                arm_first: DVec3::new(at, y, z),
                arm_second: second.map_or(DVec3::ZERO, |_| DVec3::new(0.25, y, z)),
                bias: DVec3::ZERO,
                mu,
                impulse: DVec3::ZERO,
            });
        }
    }
    pile
}

/// Contacts between bodies drawn at random: no order is sparse.
pub fn tangle(bodies: usize, contacts: usize, mu: f64, seed: u64) -> Pile {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut pile = Pile::default();
    let centres: Vec<DVec3> = (0..bodies).map(|_| any(&mut rng, 1.0)).collect();
    for _ in 0..bodies {
        pile.nodes.push(rock(DVec3::splat(0.3)));
        pile.velocities.push(BodyVelocity {
            linear: any(&mut rng, 0.05) - DVec3::Z * 0.05,
            angular: any(&mut rng, 0.05),
        });
    }
    while pile.links.len() < contacts {
        let (first, second) = (rng.random_range(0..bodies), rng.random_range(0..=bodies));
        if first == second {
            continue;
        }
        let second = (second < bodies).then_some(second);
        let to = second.map_or(DVec3::Z, |b| centres[first] - centres[b]);
        let normal = (to.normalize() + any(&mut rng, 0.2)).normalize();
        let (here, there) = (any(&mut rng, 0.1), any(&mut rng, 0.1));
        pile.links.push(ContactPair {
            first,
            second,
            normal,
            arm_first: here - normal * 0.3,
            arm_second: second.map_or(DVec3::ZERO, |_| there + normal * 0.3),
            bias: DVec3::ZERO,
            mu,
            impulse: DVec3::ZERO,
        });
    }
    pile
}

/// Each block times `1 + part x`, `x` between -1 and 1: not symmetric any more.
pub fn unsymmetric(
    problem: &FrictionContactProblem,
    part: f64,
    seed: u64,
) -> FrictionContactProblem {
    let mut rng = Pcg64::seed_from_u64(seed);
    let n = problem.contacts();
    let mut blocks = Vec::new();
    for i in 0..n {
        for (j, b) in problem.w().row(i) {
            let m = DMat3::from_cols_array(
                &b.to_cols_array()
                    .map(|x| x * (1.0 + part * rng.random_range(-1.0..1.0))),
            );
            blocks.push((i, j, m));
        }
    }
    FrictionContactProblem::new(
        Delassus::from_blocks(n, blocks).unwrap(),
        problem.q().to_vec(),
        problem.mu().to_vec(),
    )
    .unwrap()
}

/// How many of its variations a test can afford.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hardness {
    /// All.
    Usual,
    /// The problem as it is.
    Costly,
}

/// The family by name: 200 to 570 contacts, up to four times as many as the bodies have freedoms for. What the default
/// is known not to solve in 4,000 steps is not in it: of rocks wedged in layers one seed in twelve, more of them where
/// μ is over 0.8 or the masses lie over three decades. A seed that is here is no sample.
pub fn family() -> Vec<(&'static str, Hardness, FrictionContactProblem)> {
    let tower = |mu, noise, seed| Pile::of(&plank_tower(28, 3, mu), noise, seed).thinned(570, seed);
    let brick = |mu, noise| Pile::of(&wall(7, 6, mu), noise, 1);
    let skew = unsymmetric(&tower(0.5, 0.1, 3).problem(), 1e-11, 5);
    let usual = [
        ("tower", tower(0.3, 0.0, 1).problem()),
        ("shaken tower", tower(0.3, 0.3, 2).problem()),
        ("unsymmetric tower", skew),
        ("rocks", rock_pile(5, 4, 0.5, 0).problem()),
        ("wall", brick(0.6, 0.1).problem()),
        ("rough wall", brick(1.5, 0.3).problem()),
        (
            "wall of light and heavy",
            brick(0.6, 0.1).heavy(1e3, 4).problem(),
        ),
        ("chain", chain(75, 0.5, 1).problem()),
        ("rough chain", chain(75, 1.5, 2).problem()),
        ("rougher chain", chain(75, 4.0, 3).problem()),
        ("tangle", tangle(30, 200, 0.6, 1).problem()),
    ];
    let costly = [
        (
            "rocks of all sizes",
            rock_pile(5, 4, 0.5, 0).heavy(1e3, 6).problem(),
        ),
        (
            "tower of light and heavy",
            tower(0.3, 0.0, 5).heavy(1e3, 5).problem(),
        ),
        ("large tangle", tangle(84, 570, 0.6, 1).problem()),
    ];
    let all = |list: &[(&'static str, FrictionContactProblem)], hardness| {
        list.iter()
            .map(move |(name, p)| (*name, hardness, p.clone()))
            .collect::<Vec<_>>()
    };
    [all(&usual, Hardness::Usual), all(&costly, Hardness::Costly)].concat()
}

/// What each is also solved as: other friction, other units, other loads.
pub fn variations(
    problem: &FrictionContactProblem,
    seeds: u64,
) -> Vec<(String, FrictionContactProblem)> {
    let mut out = vec![("as is".to_string(), problem.clone())];
    for mu in [0.0, 0.1, 0.3, 2.0] {
        out.push((
            format!("mu x {mu}"),
            varied(problem, (1.0, 1.0, mu), 0.0, 0),
        ));
    }
    out.push(("units".into(), varied(problem, (1e6, 1e-2, 1.0), 0.0, 0)));
    for seed in 0..seeds {
        out.push((
            format!("noise {seed}"),
            varied(problem, (1.0, 1.0, 1.0), 0.03, seed),
        ));
    }
    out
}
