//! Random bodies on planes, rasters and triangulations: what is drawn, and what is looked at.

use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Flight, Friction, Limits, Motion, Observer, Options, Restitution, Run,
    SingleBody, StopReason, Stretch, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{
    Area, Facet, FacetPatch, Grid, Mesh, Slope, Terrain, terrain_separation,
};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};
use klast_sampling::SplitMix64;
use std::ops::ControlFlow;

/// Kinds of ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A plane of 0 to 85°.
    Plane,
    /// A raster of 1 m cells over such a plane, with noise of up to 0.3 m.
    Raster,
}

/// Uniform numbers and what is made of them.
pub struct Chance(SplitMix64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    fn unit(&mut self) -> f64 {
        (self.0.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0;
            if (0.01..=1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    fn attitude(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.within(0.0, std::f64::consts::TAU))
    }

    /// 4 to 200 corners; one of four is a plate and one a needle of up to 1:50.
    fn body(&mut self) -> Option<Body> {
        let corners = self.within(2.0, 5.3).exp2().exp2().clamp(4.0, 200.0) as usize;
        let slender = self.within(0.0, 50f64.log2()).exp2();
        let stretch = match (self.unit() * 4.0) as u32 {
            0 => DVec3::new(slender, slender, 1.0),
            1 => DVec3::new(slender, 1.0, 1.0),
            _ => DVec3::new(self.within(0.5, 1.5), self.within(0.5, 1.5), 1.0),
        };
        let points: Vec<DVec3> = match self.unit() < 0.3 {
            true => BOX.to_vec(),
            false => (0..corners).map(|_| self.direction()).collect(),
        };
        let points: Vec<DVec3> = points.iter().map(|p| *p * stretch).collect();
        let hull = ConvexPolyhedron::from_points(&points).ok()?;
        let size = self.within(0.3, 1.5);
        let hull = hull.scaled(size / libm::cbrt(hull.volume())).ok()?;
        Body::uniform(&hull, 2700.0).ok()
    }
}

const BOX: [DVec3; 8] = [
    DVec3::new(1.0, 1.0, 1.0),
    DVec3::new(1.0, 1.0, -1.0),
    DVec3::new(1.0, -1.0, 1.0),
    DVec3::new(1.0, -1.0, -1.0),
    DVec3::new(-1.0, 1.0, 1.0),
    DVec3::new(-1.0, 1.0, -1.0),
    DVec3::new(-1.0, -1.0, 1.0),
    DVec3::new(-1.0, -1.0, -1.0),
];

/// Side of a raster in cells.
const CELLS: usize = 60;

fn terrain(chance: &mut Chance, ground: Ground, slope: f64) -> Box<dyn Terrain> {
    if ground == Ground::Plane {
        // The plane stays level and gravity turns: a slope of 85° needs no more room than one of 5°.
        let level = Plane::new(DVec3::Z, 0.0).expect("a plane");
        return Box::new(Slope::new(level).expect("ground"));
    }
    let noise = chance.within(0.0, 0.3);
    let heights = (0..CELLS * CELLS)
        .map(|k| chance.within(0.0, noise) - libm::tan(slope) * (k % CELLS) as f64);
    let heights: Vec<f64> = heights.collect();
    Box::new(Grid::new(CELLS, CELLS, 1.0, DVec2::ZERO, heights).expect("a raster"))
}

/// What a run shows.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub run: Run,
    /// Deepest place of any vertex in a plane during flights and at the ends of stretches, relative to the radius.
    pub depth: f64,
    /// Energy that rose without being in the ledger, relative to the largest kinetic energy.
    pub unseen: f64,
    /// Energy that the ledger shows as risen in contact or lifted, relative likewise.
    pub shown: f64,
}

/// Adds up every rise of energy outside of impacts, and looks at depths.
struct Watch<'a> {
    body: &'a Body,
    gravity: DVec3,
    plane: bool,
    kinetic: f64,
    rises: f64,
    depth: f64,
}

impl Watch<'_> {
    fn look(&mut self, state: &State) {
        let height = |v: &DVec3| state.pose.transform_point(*v).z;
        let lowest = self.body.vertices().iter().map(height);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        self.depth = self.depth.max(-lowest / self.body.shape().radius());
    }
}

impl Observer for Watch<'_> {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let (start, end) = (&stretch.start, &stretch.end);
        let kinetic = |s: &State| s.kinetic_energy(self.body).total();
        // From positions that differ: far from the origin the difference of two potentials is rounding.
        let fall = (end.pose.translation - start.pose.translation).dot(self.gravity);
        let change = kinetic(end) - kinetic(start) - self.body.mass() * fall;
        self.kinetic = self.kinetic.max(kinetic(start)).max(kinetic(end));
        self.rises += change.max(0.0);
        if self.plane {
            self.look(end);
            if stretch.motion == Motion::Flight {
                let flight = Flight::new(self.body, *start, stretch.acceleration);
                for i in 1..8 {
                    self.look(&flight.state(stretch.duration * f64::from(i) / 8.0));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// One random body; none where its points span no hull.
pub fn throw(seed: u64, ground: Ground, workspace: &mut Workspace) -> Option<Seen> {
    let mut chance = Chance::new(seed);
    let body = chance.body()?;
    let radius = body.shape().radius();
    let slope = chance.within(0.0, 85f64.to_radians());
    let slope = if ground == Ground::Plane {
        slope
    } else {
        slope.min(1.2)
    };
    let terrain = terrain(&mut chance, ground, slope);
    let mut material = Coefficients::new(
        Restitution(chance.unit()),
        Friction(5.0 * chance.unit() * chance.unit()),
    )
    .expect("coefficients");
    let gravity = match ground {
        Ground::Plane => 9.81 * DVec3::new(libm::sin(slope), 0.0, -libm::cos(slope)),
        Ground::Raster => DVec3::new(0.0, 0.0, -9.81),
    };
    let (x, y) = match ground {
        Ground::Plane => (0.0, 0.0),
        Ground::Raster => (8.0, 30.0),
    };
    let base = terrain.surface(x, y).map_or(0.0, |s| s.height);
    // Over a slope the body's radius reaches down as far as the slope's normal makes it.
    let high =
        base + (radius + 0.4) / libm::cos(if ground == Ground::Raster { slope } else { 0.0 });
    let start = State {
        pose: Pose::new(
            chance.attitude(),
            DVec3::new(x, y, high + chance.within(0.0, 3.0)),
        )
        .ok()?,
        velocity: Twist {
            linear: chance.direction() * chance.within(0.0, 10.0),
            angular: chance.direction() * chance.within(0.0, 50.0),
        },
    };
    let options = Options {
        gravity,
        limits: Limits {
            time: 10.0,
            steps: 200_000,
            normal_velocity: 0.1,
            stopped_velocity: 0.1,
        },
        ..Options::default()
    };
    let single = SingleBody::new(&*terrain, options).expect("options");
    let mut watch = Watch {
        body: &body,
        gravity,
        plane: ground == Ground::Plane,
        kinetic: 0.0,
        rises: 0.0,
        depth: 0.0,
    };
    let run = single.run(&body, start, &mut material, &mut watch, workspace);
    let sums = run.tally.energy;
    let scale = watch.kinetic.max(f64::MIN_POSITIVE);
    Some(Seen {
        run,
        depth: watch.depth,
        unseen: (watch.rises - sums.risen - sums.lifted - sums.returned) / scale,
        shown: (sums.risen + sums.lifted) / scale,
    })
}

/// Whether a run ended by itself or by its time.
pub fn ended(reason: StopReason) -> bool {
    matches!(
        reason,
        StopReason::AtRest | StopReason::LeftMap | StopReason::MaximumTime
    )
}

/// A triangulated slope of 33° as surveys give them: points of about 1 m apart, moved sideways by up to 0.3 m, with
/// noise of a height.
pub fn survey(seed: u64, noise: f64) -> Mesh {
    let mut chance = Chance::new(seed);
    let fall = libm::tan(33f64.to_radians());
    let place = |k: usize, chance: &mut Chance| {
        let (x, y) = ((k % CELLS) as f64, (k / CELLS) as f64);
        let (x, y) = (x + chance.within(-0.3, 0.3), y + chance.within(-0.3, 0.3));
        DVec3::new(x, y, chance.within(-noise, noise) - fall * x)
    };
    let points: Vec<DVec3> = (0..CELLS * CELLS).map(|k| place(k, &mut chance)).collect();
    let mut triangles = Vec::new();
    for row in 0..CELLS - 1 {
        for column in 0..CELLS - 1 {
            let a = (row * CELLS + column) as u32;
            let (b, c) = (a + 1, a + CELLS as u32);
            triangles.push([a, b, c]);
            triangles.push([b, c + 1, c]);
        }
    }
    Mesh::new(&points, &triangles).expect("a mesh")
}

/// Looks how far body and ground overlap at the ends of all stretches, relative to the radius.
struct Overlap<'a> {
    body: &'a Body,
    mesh: &'a Mesh,
    facets: Vec<Facet>,
    patch: FacetPatch,
    deepest: f64,
}

impl Observer for Overlap<'_> {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let (shape, pose) = (self.body.shape(), &stretch.end.pose);
        let radius = DVec2::splat(shape.radius());
        let centre = pose.translation.truncate();
        let area = Area {
            lower: centre - radius,
            upper: centre + radius,
        };
        self.facets.clear();
        self.mesh.facets(area, &mut self.facets);
        let nearest = terrain_separation(shape, pose, &self.facets, 0.0, &mut self.patch);
        let depth = nearest.map_or(0.0, |n| -n.gap / shape.radius());
        self.deepest = self.deepest.max(depth);
        ControlFlow::Continue(())
    }
}

/// A box, or the reduced hull of 500 points on an ellipsoid, of 1 m³.
pub fn survey_body(seed: u64, scanned: bool) -> Option<Body> {
    let mut chance = Chance::new(seed);
    let stretch = DVec3::new(chance.within(0.7, 1.4), chance.within(0.7, 1.4), 1.0);
    let points: Vec<DVec3> = match scanned {
        true => (0..500).map(|_| chance.direction() * stretch).collect(),
        false => BOX.map(|p| p * stretch).to_vec(),
    };
    let hull = ConvexPolyhedron::from_points(&points).ok()?;
    let unit = hull.scaled(libm::cbrt(1.0 / hull.volume())).ok()?;
    let hull = match scanned {
        true => unit.reduced(0.01 * 0.62).ok()?,
        false => unit,
    };
    Body::uniform(&hull, 2700.0).ok()
}

/// A body dropped on a survey; and the deepest overlap, relative to the radius.
pub fn survey_run(
    seed: u64,
    body: &Body,
    mesh: &Mesh,
    workspace: &mut Workspace,
) -> Option<(Run, f64)> {
    let mut chance = Chance::new(!seed);
    let (x, y) = (6.0, 30.0 + chance.within(-10.0, 10.0));
    let base = mesh.surface(x, y)?.height;
    let start = State {
        pose: Pose::new(chance.attitude(), DVec3::new(x, y, base + 3.0)).ok()?,
        velocity: Twist::ZERO,
    };
    let options = Options {
        limits: Limits {
            time: 60.0,
            steps: 200_000,
            normal_velocity: 0.1,
            stopped_velocity: 0.1,
        },
        ..Options::default()
    };
    let mut material = Coefficients::new(Restitution(0.35), Friction(0.6)).ok()?;
    let single = SingleBody::new(mesh, options).ok()?;
    let mut overlap = Overlap {
        body,
        mesh,
        facets: Vec::new(),
        patch: FacetPatch::default(),
        deepest: 0.0,
    };
    let run = single.run(body, start, &mut material, &mut overlap, workspace);
    Some((run, overlap.deepest))
}
