//! An independent reference for the motion of a free rigid body, and random bodies.
#![allow(dead_code, reason = "each test binary uses a part")]

use glam::{DQuat, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Observer, Options, Restitution, Run, SingleBody, Stepping,
    Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{ConvexPolyhedron, Plane, Pose, Solid};
use rand::Rng;
use rand_pcg::Pcg64;

/// Euler's equations and the quaternion's rate, written out plainly: y = (q, body spin).
fn slope(inertia: DVec3, y: &[f64; 7]) -> [f64; 7] {
    let [x, yy, z, w, a, b, c] = *y;
    [
        0.5 * (w * a + yy * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - yy * a),
        -0.5 * (x * a + yy * b + z * c),
        (inertia.y - inertia.z) / inertia.x * b * c,
        (inertia.z - inertia.x) / inertia.y * c * a,
        (inertia.x - inertia.y) / inertia.z * a * b,
    ]
}

/// One big step by Gragg's midpoint rule, extrapolated (Bulirsch and Stoer 1966) to order 16.
pub fn extrapolated_step(inertia: DVec3, y0: &[f64; 7], h: f64) -> [f64; 7] {
    let mut table: Vec<[f64; 7]> = Vec::new();
    for k in 0..8 {
        let n = 2 * (k + 1);
        let dt = h / n as f64;
        let mut before = *y0;
        let f = slope(inertia, y0);
        let mut now: [f64; 7] = std::array::from_fn(|i| y0[i] + dt * f[i]);
        for _ in 1..n {
            let f = slope(inertia, &now);
            let next = std::array::from_fn(|i| before[i] + 2.0 * dt * f[i]);
            (before, now) = (now, next);
        }
        let f = slope(inertia, &now);
        let mut row: [f64; 7] = std::array::from_fn(|i| 0.5 * (now[i] + before[i] + dt * f[i]));
        for (j, entry) in table.iter_mut().enumerate() {
            let old = std::mem::replace(entry, row);
            let ratio = (n as f64 / (2 * (k - j)) as f64).powi(2) - 1.0;
            row = std::array::from_fn(|i| row[i] + (row[i] - old[i]) / ratio);
        }
        table.push(row);
    }
    table[7]
}

/// The free motion of a body on a grid of big steps.
pub struct Reference {
    inertia: DVec3,
    start: State,
    gravity: DVec3,
    h: f64,
    grid: Vec<[f64; 7]>,
}

impl Reference {
    pub fn new(body: &Body, start: State, gravity: DVec3, until: f64) -> Self {
        let w = start.body_spin();
        let q = start.pose.rotation;
        let highest = (w.dot(body.inertia() * w) / body.inertia().min_element()).sqrt();
        // A quarter radian a step: order 16 leaves under 1e-16. The extrapolation's weights magnify rounding to some
        // 1e-14 a radian (seen on a cube, whose motion has a closed form), which is what the tests that use this can
        // resolve.
        let h = (0.25 / highest.max(1e-9)).min(until);
        let mut grid = vec![[q.x, q.y, q.z, q.w, w.x, w.y, w.z]];
        while (grid.len() as f64) * h <= until + h {
            let next = extrapolated_step(body.inertia(), grid.last().unwrap(), h);
            grid.push(next);
        }
        Self {
            inertia: body.inertia(),
            start,
            gravity,
            h,
            grid,
        }
    }

    pub fn state(&self, t: f64) -> State {
        let k = ((t / self.h) as usize).min(self.grid.len() - 1);
        let y = extrapolated_step(self.inertia, &self.grid[k], t - k as f64 * self.h);
        let q = DQuat::from_xyzw(y[0], y[1], y[2], y[3]).normalize();
        let v = self.start.velocity.linear;
        State {
            pose: Pose {
                rotation: q,
                translation: self.start.pose.translation + v * t + 0.5 * t * t * self.gravity,
            },
            velocity: Twist {
                linear: v + t * self.gravity,
                angular: q * DVec3::new(y[4], y[5], y[6]),
            },
        }
    }
}

/// Uniform in [low, high).
pub fn uniform(rng: &mut Pcg64, low: f64, high: f64) -> f64 {
    low + (high - low) * ((rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64)
}

/// A direction, uniform on the sphere.
pub fn direction(rng: &mut Pcg64) -> DVec3 {
    loop {
        let v = DVec3::new(
            uniform(rng, -1.0, 1.0),
            uniform(rng, -1.0, 1.0),
            uniform(rng, -1.0, 1.0),
        );
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

/// An attitude, uniform on the rotations.
pub fn attitude(rng: &mut Pcg64) -> DQuat {
    loop {
        let q = DQuat::from_xyzw(
            uniform(rng, -1.0, 1.0),
            uniform(rng, -1.0, 1.0),
            uniform(rng, -1.0, 1.0),
            uniform(rng, -1.0, 1.0),
        );
        if (0.01..1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

/// All solids that rocks are picked from, and hulls of random points; about a cubic metre each.
pub fn bodies(rng: &mut Pcg64, hulls: usize) -> Vec<Body> {
    let mut solids = vec![
        Solid::Tetrahedron,
        Solid::Cube,
        Solid::Octahedron,
        Solid::Dodecahedron,
        Solid::Icosahedron,
        Solid::Icosphere { level: 1 },
    ];
    solids.extend([3, 4, 5, 6, 8].map(|sides| Solid::Prism {
        sides,
        slenderness: 1.3,
    }));
    solids.extend([[1.0, 2.0, 3.0], [1.0, 0.1, 1.0]].map(|e| Solid::Box {
        edges: DVec3::from_array(e),
    }));
    let mut shapes: Vec<ConvexPolyhedron> =
        solids.iter().map(|s| s.with_volume(1.0).unwrap()).collect();
    while shapes.len() < solids.len() + hulls {
        let n = 5 + (rng.next_u64() % 16) as usize;
        let stretch = DVec3::new(
            uniform(rng, 0.3, 1.2),
            uniform(rng, 0.3, 1.2),
            uniform(rng, 0.3, 1.2),
        );
        let points: Vec<DVec3> = (0..n)
            .map(|_| direction(rng) * stretch * uniform(rng, 0.7, 1.0))
            .collect();
        if let Ok(hull) = ConvexPolyhedron::from_points(&points) {
            shapes.push(hull);
        }
    }
    shapes
        .iter()
        .map(|s| Body::uniform(s, 2700.0).unwrap())
        .collect()
}

/// Gravity on level ground.
pub const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// One body on a plane.
pub struct OnPlane {
    pub gravity: DVec3,
    pub plane: Plane,
    pub material: Coefficients,
    pub limits: Limits,
    pub stepping: Stepping,
}

impl OnPlane {
    /// On level ground, in the default way.
    pub fn level(gravity: DVec3, material: Coefficients, limits: Limits) -> Self {
        Self {
            gravity,
            plane: Plane::new(DVec3::Z, 0.0).unwrap(),
            material,
            limits,
            stepping: Stepping::EventDriven,
        }
    }

    pub fn run(&self, body: &Body, start: State, observer: &mut dyn Observer) -> Run {
        let slope = Slope::new(self.plane).unwrap();
        let options = Options {
            gravity: self.gravity,
            limits: self.limits,
            stepping: self.stepping,
            ..Options::default()
        };
        let single = SingleBody::new(&slope, options).unwrap();
        let mut law = self.material;
        single.run(body, start, &mut law, observer, &mut Workspace::default())
    }
}

pub fn material(restitution: f64, friction: f64) -> Coefficients {
    Coefficients::new(Restitution(restitution), Friction(friction)).unwrap()
}

/// What the ledger leaves unexplained of the energy of a run (J).
pub fn imbalance(body: &Body, gravity: DVec3, start: &State, run: &Run) -> f64 {
    let energy = |s: &State| s.kinetic_energy(body).total() + s.potential_energy(body, gravity);
    let sums = run.tally.energy;
    let explained = sums.gained + sums.risen + sums.lifted - sums.lost - sums.slid;
    energy(&run.state) - energy(start) - explained
}
