use anyhow::{Result, ensure};
use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, NarrowPhase, Overlap, Placed, Pose};
use klast_sampling::{Purpose, Streams, open_uniform};
use rayon::prelude::*;

use crate::{Context, Outcome, Table};

const FAMILIES: u64 = 6;

/// Random numbers of one pair.
struct Draw<R>(R);

impl<R: rand::Rng> Draw<R> {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * open_uniform(&mut self.0)
    }

    fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.between(0.0, 1.0))).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.between(0.0, 1.0))
    }

    fn direction(&mut self) -> DVec3 {
        DVec3::new(self.gauss(), self.gauss(), self.gauss()).normalize()
    }

    fn turn(&mut self) -> DQuat {
        DQuat::from_xyzw(self.gauss(), self.gauss(), self.gauss(), self.gauss()).normalize()
    }

    fn choice(&mut self, count: usize) -> usize {
        ((self.between(0.0, 1.0) * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Points of one of the families: on a sphere, on an ellipsoid to 1:5, corners of a polar dual (facets of many
    /// sides), a prism on a random polygon, a box, a plate of 50:1.
    fn points(&mut self, family: u64) -> Result<Vec<DVec3>> {
        let count = 8 + self.choice(33);
        let corners = |half: DVec3| {
            let side = |i: u32, k: u32| if i >> k & 1 == 0 { -1.0 } else { 1.0 };
            (0..8)
                .map(|i| half * DVec3::new(side(i, 0), side(i, 1), side(i, 2)))
                .collect()
        };
        Ok(match family {
            0 => (0..count).map(|_| self.direction()).collect(),
            1 => {
                let axes = DVec3::new(1.0, self.between(0.2, 1.0), self.between(0.2, 1.0));
                (0..count).map(|_| self.direction() * axes).collect()
            }
            2 => {
                let primal: Vec<DVec3> = (0..6 + count / 2)
                    .map(|_| self.direction() * self.between(0.8, 1.2))
                    .chain(corners(DVec3::splat(0.6)))
                    .collect();
                let primal = ConvexPolyhedron::from_points(&primal)?;
                let facets = primal.facets().iter();
                facets.map(|f| f.normal / f.offset * 0.7).collect()
            }
            3 => {
                let half = self.between(0.2, 0.8);
                let ring: Vec<f64> = (0..4 + count / 4)
                    .map(|_| self.between(0.0, std::f64::consts::TAU))
                    .collect();
                let at = |t: &f64, z| DVec3::new(libm::cos(*t), libm::sin(*t), z);
                let both = |t| [at(t, -half), at(t, half)];
                ring.iter().flat_map(both).collect()
            }
            4 => corners(DVec3::from_array([0, 1, 2].map(|_| self.between(0.3, 1.0)))),
            _ => corners(DVec3::new(1.0, self.between(0.3, 1.0), 0.02)),
        })
    }

    fn body(&mut self, family: u64) -> Result<ConvexPolyhedron> {
        for _ in 0..100 {
            // Points drawn so that they make no body are drawn again.
            let hull = ConvexPolyhedron::from_points(&self.points(family)?);
            if let Some(body) = hull.ok().filter(|b| b.volume() > 0.01) {
                return Ok(body.centred()?);
            }
        }
        anyhow::bail!("family {family} makes no body")
    }
}

/// A body in the world, for the reference: nothing but corners, normals and edges.
struct Corners {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
}

impl Corners {
    fn new(body: &ConvexPolyhedron, pose: &Pose) -> Self {
        let points: Vec<DVec3> = body
            .vertices()
            .iter()
            .map(|v| pose.transform_point(*v))
            .collect();
        let edge = |e: &klast_geometry::Edge| {
            let [p, q] = e.vertices.map(|v| points[v as usize]);
            (q - p).normalize()
        };
        Self {
            normals: body
                .facets()
                .iter()
                .map(|f| pose.transform_vector(f.normal))
                .collect(),
            edges: body.edges().iter().map(edge).collect(),
            points,
        }
    }

    fn reach(&self, n: DVec3) -> f64 {
        let heights = self.points.iter().map(|p| p.dot(n));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far a point is outside: at most 0 inside.
    fn outside(&self, p: DVec3) -> f64 {
        let above = self.normals.iter().map(|n| n.dot(p) - self.reach(*n));
        above.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Least overlap, its direction, and the least one along a direction over 1e-6 rad from it.
fn brute(a: &Corners, b: &Corners) -> (f64, DVec3, f64) {
    let mut axes: Vec<DVec3> = a.normals.clone();
    axes.extend(b.normals.iter().map(|n| -*n));
    for e in &a.edges {
        for f in &b.edges {
            let n = e.cross(*f);
            if n.length() > 1e-10 {
                axes.extend([n.normalize(), -n.normalize()]);
            }
        }
    }
    let (mut depth, mut normal, mut second) = (f64::INFINITY, DVec3::ZERO, f64::INFINITY);
    for n in axes {
        let found = a.reach(n) + b.reach(-n);
        let same = n.dot(normal) > 1.0 - 5e-13;
        if found < depth {
            second = if same { second } else { depth };
            (depth, normal) = (found, n);
        } else if !same {
            second = second.min(found);
        }
    }
    (depth, normal, second)
}

/// Largest errors over some pairs.
#[derive(Clone, Copy, Default)]
struct Errors {
    touching: f64,
    missed: f64,
    depth: f64,
    minimiser: f64,
    normal: f64,
    inside: f64,
    apart: f64,
}

impl Errors {
    fn worse(self, o: Self) -> Self {
        Self {
            touching: self.touching + o.touching,
            missed: self.missed.max(o.missed),
            depth: self.depth.max(o.depth),
            minimiser: self.minimiser.max(o.minimiser),
            normal: self.normal.max(o.normal),
            inside: self.inside.max(o.inside),
            apart: self.apart.max(o.apart),
        }
    }
}

fn pair(seed: u64, index: u64, work: &mut NarrowPhase) -> Result<Errors> {
    let mut draw = Draw(Streams::new(seed).rng(Purpose::Shape, index));
    let a = draw.body(index % FAMILIES)?;
    let b = draw.body(index / FAMILIES % FAMILIES)?;
    let pose_a = Pose::new(draw.turn(), draw.direction() * draw.between(0.0, 3.0))?;
    let mut pose_b = Pose::new(draw.turn(), pose_a.translation)?;
    if index.is_multiple_of(5) {
        // Deep: anywhere inside each other.
        pose_b.translation += draw.direction() * draw.between(0.0, 0.8);
    } else {
        // The corner of B that is foremost against a facet of A stands under a point of it.
        let depth = [0.3, 1e-2, 1e-4, 1e-7, 1e-10, 1e-12, 0.0][(index % 7) as usize];
        let facet = draw.choice(a.facets().len());
        let n = pose_a.transform_vector(a.facets()[facet].normal);
        let weights: Vec<f64> = a
            .facet_vertices(facet)
            .iter()
            .map(|_| draw.between(0.0, 1.0))
            .collect();
        let total: f64 = weights.iter().sum();
        let corners = a.facet_vertices(facet).iter().zip(&weights);
        let on: DVec3 = corners
            .map(|(v, w)| a.vertices()[*v as usize] * (w / total))
            .sum();
        let first = b.support(pose_b.inverse_transform_vector(-n));
        let arm = pose_b.transform_vector(b.vertices()[first]);
        pose_b.translation = pose_a.transform_point(on) - arm - n * depth;
    }
    let placed = |shape, pose| Placed { shape, pose };
    let found = work.overlap(placed(&a, &pose_a), placed(&b, &pose_b), None);
    Ok(errors(
        &Corners::new(&a, &pose_a),
        &Corners::new(&b, &pose_b),
        found.as_ref(),
    ))
}

fn errors(a: &Corners, b: &Corners, found: Option<&Overlap>) -> Errors {
    let (depth, normal, second) = brute(a, b);
    let Some(o) = found else {
        return Errors {
            missed: depth.max(0.0),
            ..Errors::default()
        };
    };
    let unique = second - depth > 1e-8;
    Errors {
        touching: 1.0,
        missed: 0.0,
        depth: (o.depth - depth.max(0.0)).abs(),
        minimiser: (a.reach(o.normal) + b.reach(-o.normal) - depth).max(0.0),
        normal: if unique {
            (o.normal - normal).length()
        } else {
            0.0
        },
        inside: a.outside(o.point_a).max(b.outside(o.point_b)).max(0.0),
        apart: (o.point_a - o.point_b - o.normal * o.depth).length(),
    }
}

/// Contact features of many random pairs against brute force.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let count = table.input("pairs")? as u64;
    let seed = table.input("seed")? as u64;
    let worst = (0..count)
        .into_par_iter()
        .map_init(NarrowPhase::default, |work, index| pair(seed, index, work))
        .try_reduce(Errors::default, |x, y| Ok(x.worse(y)))?;
    ensure!(worst.touching > 0.5 * count as f64, "few pairs touch");
    let mut outcome = Outcome::new();
    for (row, value) in [
        ("missed", worst.missed),
        ("depth", worst.depth),
        ("minimiser", worst.minimiser),
        ("normal", worst.normal),
        ("inside", worst.inside),
        ("apart", worst.apart),
    ] {
        outcome.set(row, "ours", value);
    }
    outcome.note(format!("{:.0} of {count} pairs touch", worst.touching));
    Ok(outcome)
}
