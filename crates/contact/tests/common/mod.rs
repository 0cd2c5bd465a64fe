//! Problems that tests share: structures of boxes, and the published files.
#![allow(dead_code)]

pub mod family;

use glam::{DMat3, DQuat, DVec2, DVec3};
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem};
use klast_contact::{Delassus, FrictionContactProblem};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Boxes with their half sizes and centres, and the points in which they touch.
#[derive(Default, Clone)]
pub struct Scene {
    pub half: Vec<DVec3>,
    pub centre: Vec<DVec3>,
    pub links: Vec<ContactPair>,
    pub mu: f64,
}

impl Scene {
    fn place(&mut self, centre: DVec3, half: DVec3) -> usize {
        self.half.push(half);
        self.centre.push(centre);
        self.half.len() - 1
    }

    /// The four corners of the rectangle in which the top of `below` (or the ground) carries `above`.
    pub fn rest(&mut self, above: usize, below: Option<usize>) {
        let (c, h) = (self.centre[above], self.half[above]);
        let (mut low, mut high) = (c - h, c + h);
        if let Some(b) = below {
            low = low.max(self.centre[b] - self.half[b]);
            high = high.min(self.centre[b] + self.half[b]);
        }
        let z = c.z - h.z;
        for (x, y) in [
            (low.x, low.y),
            (high.x, low.y),
            (low.x, high.y),
            (high.x, high.y),
        ] {
            let point = DVec3::new(x, y, z);
            self.links.push(ContactPair {
                first: above,
                second: below,
                normal: DVec3::Z,
                arm_first: point - c,
                arm_second: below.map_or(DVec3::ZERO, |b| point - self.centre[b]),
                bias: DVec3::ZERO,
                mu: self.mu,
                impulse: DVec3::ZERO,
            });
        }
    }

    /// Nodes for density 1000.
    pub fn nodes(&self) -> Vec<BodyInertia> {
        self.half
            .iter()
            .map(|h| {
                let mass = 8000.0 * h.x * h.y * h.z;
                let s = *h * *h;
                let inertia = DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 3.0);
                BodyInertia {
                    inverse_mass: 1.0 / mass,
                    inverse_inertia: DMat3::from_diagonal(inertia.recip()),
                }
            })
            .collect()
    }

    /// Gravity over 5 ms plus `noise` times as much in every direction: `q` lies in the range of `W`.
    pub fn velocities(&self, noise: f64, seed: u64) -> Vec<BodyVelocity> {
        let mut rng = Pcg64::seed_from_u64(seed);
        let v = 9.81 * 5e-3;
        self.half
            .iter()
            .map(|_| {
                let mut any =
                    || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)));
                BodyVelocity {
                    linear: any() * (noise * v) - DVec3::Z * v,
                    angular: any() * (noise * v),
                }
            })
            .collect()
    }

    pub fn factored(&self, noise: f64, seed: u64) -> Problem {
        let mut problem = Problem::new();
        problem
            .load(&self.nodes(), &self.velocities(noise, seed), &self.links)
            .unwrap();
        problem
    }

    pub fn problem(&self, noise: f64, seed: u64) -> FrictionContactProblem {
        self.factored(noise, seed).assemble().unwrap()
    }

    /// The scene turned as a whole: same problem in other axes.
    pub fn turned(
        &self,
        turn: DQuat,
        nodes: &mut [BodyInertia],
        velocities: &mut [BodyVelocity],
    ) -> Vec<ContactPair> {
        let m = DMat3::from_quat(turn);
        for n in nodes {
            n.inverse_inertia = m * n.inverse_inertia * m.transpose();
        }
        for v in velocities {
            (v.linear, v.angular) = (turn * v.linear, turn * v.angular);
        }
        self.links
            .iter()
            .map(|l| ContactPair {
                normal: turn * l.normal,
                arm_first: turn * l.arm_first,
                arm_second: turn * l.arm_second,
                ..*l
            })
            .collect()
    }
}

/// Layers of `planks` parallel planks, crosswise: `4 planks²` contacts per interface, far more than the bodies can tell
/// apart.
pub fn plank_tower(layers: usize, planks: usize, mu: f64) -> Scene {
    let mut scene = Scene {
        mu,
        ..Scene::default()
    };
    let mut below: Vec<Option<usize>> = vec![None];
    for layer in 0..layers {
        let mut now = Vec::new();
        for k in 0..planks {
            let offset = if planks > 1 {
                1.6 * (k as f64 / (planks - 1) as f64 - 0.5)
            } else {
                0.0
            };
            let (centre, half) = if layer % 2 == 0 {
                (DVec3::new(0.0, offset, 0.0), DVec3::new(1.0, 0.2, 0.1))
            } else {
                (DVec3::new(offset, 0.0, 0.0), DVec3::new(0.2, 1.0, 0.1))
            };
            let body = scene.place(centre + DVec3::Z * (0.1 + 0.2 * layer as f64), half);
            for b in below.clone() {
                scene.rest(body, b);
            }
            now.push(Some(body));
        }
        below = now;
    }
    scene
}

/// A running-bond wall: each course shifted by half a brick, each brick on two.
pub fn wall(courses: usize, bricks: usize, mu: f64) -> Scene {
    let mut scene = Scene {
        mu,
        ..Scene::default()
    };
    let half = DVec3::new(0.2, 0.1, 0.1);
    let mut below: Vec<usize> = Vec::new();
    for course in 0..courses {
        let shift = if course % 2 == 0 { 0.0 } else { 0.2 };
        let mut now = Vec::new();
        for k in 0..bricks {
            let centre = DVec3::new(0.4 * k as f64 + shift, 0.0, 0.1 + 0.2 * course as f64);
            let body = scene.place(centre, half);
            if course == 0 {
                scene.rest(body, None);
            }
            for &b in &below {
                if (scene.centre[b].x - centre.x).abs() < 0.39 {
                    scene.rest(body, Some(b));
                }
            }
            now.push(body);
        }
        below = now;
    }
    scene
}

/// Bricks on bricks, one course shorter each time.
pub fn pyramid(base: usize, mu: f64) -> Scene {
    let mut scene = Scene {
        mu,
        ..Scene::default()
    };
    let half = DVec3::new(0.2, 0.2, 0.2);
    let mut below: Vec<usize> = Vec::new();
    for course in 0..base {
        let mut now = Vec::new();
        for k in 0..base - course {
            let centre = DVec3::new(
                0.42 * (k as f64 + 0.5 * course as f64),
                0.0,
                0.2 + 0.4 * course as f64,
            );
            let body = scene.place(centre, half);
            if course == 0 {
                scene.rest(body, None);
            } else {
                scene.rest(body, Some(below[k]));
                scene.rest(body, Some(below[k + 1]));
            }
            now.push(body);
        }
        below = now;
    }
    scene
}

/// One box on another.
pub fn column(boxes: usize, mu: f64) -> Scene {
    let mut scene = Scene {
        mu,
        ..Scene::default()
    };
    for k in 0..boxes {
        let body = scene.place(DVec3::Z * (0.5 + k as f64), DVec3::splat(0.5));
        scene.rest(body, k.checked_sub(1));
    }
    scene
}

#[derive(serde::Deserialize)]
struct ProblemFile {
    contacts: usize,
    mu: Vec<f64>,
    q: Vec<f64>,
    blocks: Vec<(usize, usize, [f64; 9])>,
}

/// The published problems by name: the 17 of the 21 whose files are under 100 kB (`tests/data/NOTICE.md`).
pub fn published() -> Vec<(String, FrictionContactProblem)> {
    let list = read_problems(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/friction_contact"
    ));
    assert_eq!(list.len(), 17);
    list
}

/// All problems of a folder, by name.
pub fn read_problems(folder: &str) -> Vec<(String, FrictionContactProblem)> {
    let list = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = list.map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|p| {
            let f: ProblemFile = serde_json::from_slice(&std::fs::read(p).unwrap()).unwrap();
            let blocks = f
                .blocks
                .iter()
                .map(|(i, j, b)| (*i, *j, DMat3::from_cols_array(b)));
            let q = f.q.chunks_exact(3).map(DVec3::from_slice).collect();
            let w = Delassus::from_blocks(f.contacts, blocks).unwrap();
            let name = p.file_stem().unwrap().to_string_lossy().into_owned();
            (name, FrictionContactProblem::new(w, q, f.mu).unwrap())
        })
        .collect()
}

/// `problem` with `W`, `q` and `mu` multiplied, and `noise` times `‖q‖` of `W x` added to `q` for a random `x`.
pub fn varied(
    problem: &FrictionContactProblem,
    (w, q, mu): (f64, f64, f64),
    noise: f64,
    seed: u64,
) -> FrictionContactProblem {
    let n = problem.contacts();
    let mut rng = Pcg64::seed_from_u64(seed);
    let x: Vec<DVec3> = (0..n)
        .map(|_| DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))))
        .collect();
    let y: Vec<DVec3> = (0..n).map(|i| problem.w().row_times(i, &x)).collect();
    let norm = |v: &[DVec3]| v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
    let factor = if noise > 0.0 {
        noise * norm(problem.q()) / norm(&y).max(1e-300)
    } else {
        0.0
    };
    let blocks = (0..n).flat_map(|i| problem.w().row(i).map(move |(j, b)| (i, j, *b * w)));
    FrictionContactProblem::new(
        Delassus::from_blocks(n, blocks).unwrap(),
        problem
            .q()
            .iter()
            .zip(&y)
            .map(|(a, b)| (*a + *b * factor) * q)
            .collect(),
        problem.mu().iter().map(|m| m * mu).collect(),
    )
    .unwrap()
}

/// The natural map of the exact cone, written here a second time with plain arithmetic.
pub fn natural_map(problem: &FrictionContactProblem, r: &[DVec3]) -> f64 {
    let (mut sum, mut q) = (0.0, 0.0);
    for i in 0..r.len() {
        sum += gap(problem, r, i, 1.0).powi(2);
        q += problem.q()[i].length_squared();
    }
    (sum / q).sqrt()
}

/// `max ‖r − P_K(r − ρ û)‖ / ρ` over `max ‖q‖`, `ρ = 3 / tr W_ii`, written here a second time.
pub fn relative_residual(problem: &FrictionContactProblem, r: &[DVec3]) -> f64 {
    let (mut eta, mut q) = (0.0_f64, 0.0_f64);
    for i in 0..r.len() {
        let d = problem.w().diagonal(i);
        let rho = 3.0 / (d.x_axis.x + d.y_axis.y + d.z_axis.z);
        eta = eta.max(gap(problem, r, i, rho) / rho);
        if problem.mu()[i] > 1.0 {
            eta = eta.max(disc_gap(problem, r, i, rho) / rho);
        }
        q = q.max(problem.q()[i].length());
    }
    eta / q
}

fn velocity(problem: &FrictionContactProblem, r: &[DVec3], i: usize) -> DVec3 {
    let terms = problem.w().row(i).map(|(j, b)| *b * r[j]);
    terms.fold(problem.q()[i], |u, term| u + term)
}

/// `‖r − P(r − ρ u)‖` at one contact, `P` on the half line and the disc over it.
fn disc_gap(problem: &FrictionContactProblem, r: &[DVec3], i: usize, rho: f64) -> f64 {
    let y = r[i] - rho * velocity(problem, r, i);
    let n = y.x.max(0.0);
    let tangent = DVec2::new(y.y, y.z).clamp_length_max(problem.mu()[i] * n);
    (r[i] - DVec3::new(n, tangent.x, tangent.y)).length()
}

/// `‖r − P_K(r − ρ û)‖` at one contact.
fn gap(problem: &FrictionContactProblem, r: &[DVec3], i: usize, rho: f64) -> f64 {
    let u = velocity(problem, r, i);
    let mu = problem.mu()[i];
    let y = r[i] - rho * (u + DVec3::X * (mu * u.y.hypot(u.z)));
    let t = y.y.hypot(y.z);
    let p = if mu * t <= -y.x {
        DVec3::ZERO
    } else if t <= mu * y.x {
        y
    } else {
        let n = (y.x + mu * t) / (1.0 + mu * mu);
        DVec3::new(n, mu * n * y.y / t, mu * n * y.z / t)
    };
    (r[i] - p).length()
}
