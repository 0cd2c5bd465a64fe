//! Minkowski overlap of two convex polyhedra: the shortest translation that parts them, exactly.
//!
//! The depth along a unit direction `n` (from A to B) is `h_A(n) + h_B(−n)`; its minimum is on a facet of the
//! Minkowski difference, that is on a face of A against a vertex of B, a vertex of A against a face of B, or two edges
//! whose arcs cross on the Gauss map. All are visited, with one bound that spares most edges: over the arc of an edge
//! of A between the normals `m₁`, `m₂` of its faces, `h_A(n) + h_B(−n) ≥ min_i (p − v)·m_i` for p on the edge and any
//! vertex v of B, whenever that is positive. So an edge whose bound exceeds the best depth so far is done.

use glam::DVec3;
use klast_geometry::{ConvexPolyhedron, Pose};

/// The facet of the Minkowski difference that is nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A face of A and the vertex of B that lies deepest under it.
    FaceVertex {
        /// Face of A.
        face: u32,
        /// Vertex of B.
        vertex: u32,
    },
    /// A vertex of A under a face of B.
    VertexFace {
        /// Vertex of A.
        vertex: u32,
        /// Face of B.
        face: u32,
    },
    /// Two crossing edges.
    EdgeEdge {
        /// Edge of A.
        a: u32,
        /// Edge of B.
        b: u32,
    },
}

/// Contact features of two overlapping bodies, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Overlap, m, ≥ 0.
    pub depth: f64,
    /// From A to B: moving B by `depth` along it parts the two.
    pub normal: DVec3,
    /// On the boundary of A; `point_a − point_b = depth normal`.
    pub point_a: DVec3,
    /// On the boundary of B.
    pub point_b: DVec3,
    /// Which features touch.
    pub feature: Feature,
}

impl Touch {
    /// The common contact point, midway between the two.
    #[must_use]
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.point_a + self.point_b)
    }
}

/// What a query found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// The bodies are apart; the direction (world, from A to B) shows it.
    Apart(DVec3),
    /// They overlap, or touch at depth 0.
    Overlap(Touch),
}

/// Buffers of a query.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    vertices: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<u32>,
    polygon: Vec<DVec3>,
    spare: Vec<DVec3>,
}

/// Gap along `direction` (world, from A to B); positive means apart.
#[must_use]
pub fn gap_along(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    direction: DVec3,
) -> f64 {
    let in_a = pose_a.inverse_transform_vector(direction);
    let in_b = pose_b.inverse_transform_vector(-direction);
    let reach = |body: &ConvexPolyhedron, d: DVec3| {
        body.vertices()
            .iter()
            .fold(f64::NEG_INFINITY, |m, v| m.max(v.dot(d)))
    };
    (pose_b.translation - pose_a.translation).dot(direction) - reach(a, in_a) - reach(b, in_b)
}

/// Depth along one facet of the Minkowski difference, whether or not it is the nearest; smooth in the poses.
/// With it come the normal and the middle of the two contact points, in world coordinates.
#[must_use]
pub fn facet_depth(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    feature: Feature,
) -> Option<(f64, DVec3, DVec3)> {
    match feature {
        Feature::FaceVertex { face, vertex } => {
            let facet = a.facets().get(face as usize)?;
            let normal = pose_a.transform_vector(facet.normal);
            let point = pose_b.transform_point(*b.vertices().get(vertex as usize)?);
            let depth = facet.offset - normal.dot(point - pose_a.translation);
            Some((depth, normal, point + normal * (0.5 * depth)))
        }
        Feature::VertexFace { vertex, face } => {
            let facet = b.facets().get(face as usize)?;
            let normal = -pose_b.transform_vector(facet.normal);
            let point = pose_a.transform_point(*a.vertices().get(vertex as usize)?);
            let depth = facet.offset + normal.dot(point - pose_b.translation);
            Some((depth, normal, point - normal * (0.5 * depth)))
        }
        Feature::EdgeEdge { a: ea, b: eb } => {
            let ends = |body: &ConvexPolyhedron, pose: &Pose, edge: u32| {
                let edge = body.edges().get(edge as usize)?;
                let [p, q] = edge.vertices.map(|v| body.vertices().get(v as usize));
                Some((
                    pose.transform_point(*p?),
                    pose.transform_point(*q?),
                    edge.facets,
                ))
            };
            let (p0, p1, facets) = ends(a, pose_a, ea)?;
            let (q0, q1, _) = ends(b, pose_b, eb)?;
            let outward: DVec3 = facets
                .iter()
                .filter_map(|f| a.facets().get(*f as usize))
                .map(|f| f.normal)
                .sum();
            let outward = pose_a.transform_vector(outward);
            let cross = (p1 - p0).cross(q1 - q0).normalize_or_zero();
            let normal = if cross.dot(outward) < 0.0 {
                -cross
            } else {
                cross
            };
            let depth = normal.dot(p0 - q0);
            let (x, y) = closest_on_lines(p0, p1 - p0, q0, q1 - q0);
            Some((depth, normal, 0.5 * (x + y)))
        }
    }
}

/// Feet of the common perpendicular of two lines.
fn closest_on_lines(p: DVec3, u: DVec3, q: DVec3, v: DVec3) -> (DVec3, DVec3) {
    let r = p - q;
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    let denominator = uu * vv - uv * uv;
    if denominator <= 0.0 {
        return (p, q);
    }
    let s = (uv * v.dot(r) - vv * u.dot(r)) / denominator;
    let t = (uu * v.dot(r) - uv * u.dot(r)) / denominator;
    (p + u * s, q + v * t)
}

/// The contact features of A and B.
#[must_use]
pub fn overlap(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    work: &mut Workspace,
) -> Contact {
    // Everything happens in the frame of A.
    let relative = pose_a.relative(pose_b);
    let turn = glam::DMat3::from_quat(relative.rotation);
    work.vertices.clear();
    work.vertices.extend(
        b.vertices()
            .iter()
            .map(|v| turn * *v + relative.translation),
    );
    work.normals.clear();
    work.normals
        .extend(b.facets().iter().map(|f| -(turn * f.normal)));
    let mut search = Search {
        a,
        b,
        vertices: &work.vertices,
        normals: &work.normals,
        origin: relative.translation,
        best: Best {
            depth: f64::INFINITY,
            normal: DVec3::Z,
            feature: Feature::EdgeEdge { a: 0, b: 0 },
        },
    };
    let found = search
        .faces_of_a()
        .and_then(|()| search.faces_of_b())
        .and_then(|()| search.edges(&mut work.edges));
    if let Err(direction) = found {
        return Contact::Apart(pose_a.transform_vector(direction));
    }
    let best = search.best;
    let (point_a, point_b) = search.points(&mut work.polygon, &mut work.spare);
    Contact::Overlap(Touch {
        depth: best.depth,
        normal: pose_a.transform_vector(best.normal),
        point_a: pose_a.transform_point(point_a),
        point_b: pose_a.transform_point(point_b),
        feature: best.feature,
    })
}

#[derive(Clone, Copy)]
struct Best {
    depth: f64,
    normal: DVec3,
    feature: Feature,
}

struct Search<'a> {
    a: &'a ConvexPolyhedron,
    b: &'a ConvexPolyhedron,
    /// Vertices of B.
    vertices: &'a [DVec3],
    /// Face normals of B, turned to point from A to B.
    normals: &'a [DVec3],
    /// Origin of B.
    origin: DVec3,
    best: Best,
}

/// Least `v · d` and its index.
fn lowest(vertices: &[DVec3], d: DVec3) -> (f64, usize) {
    let mut least = (f64::INFINITY, 0);
    for (i, v) in vertices.iter().enumerate() {
        let h = v.dot(d);
        if h < least.0 {
            least = (h, i);
        }
    }
    least
}

impl Search<'_> {
    fn offer(&mut self, depth: f64, normal: DVec3, feature: Feature) -> Result<(), DVec3> {
        if depth < self.best.depth {
            self.best = Best {
                depth,
                normal,
                feature,
            };
            if depth < 0.0 {
                return Err(normal);
            }
        }
        Ok(())
    }

    fn faces_of_a(&mut self) -> Result<(), DVec3> {
        for (face, facet) in (0u32..).zip(self.a.facets()) {
            let (height, vertex) = lowest(self.vertices, facet.normal);
            let vertex = vertex as u32;
            let feature = Feature::FaceVertex { face, vertex };
            self.offer(facet.offset - height, facet.normal, feature)?;
        }
        Ok(())
    }

    fn faces_of_b(&mut self) -> Result<(), DVec3> {
        for (face, facet) in (0u32..).zip(self.b.facets()) {
            let normal = self.normals[face as usize];
            let (height, vertex) = lowest(self.a.vertices(), -normal);
            let depth = -height + facet.offset - normal.dot(self.origin);
            let vertex = vertex as u32;
            self.offer(depth, normal, Feature::VertexFace { vertex, face })?;
        }
        Ok(())
    }

    fn edges(&mut self, near: &mut Vec<u32>) -> Result<(), DVec3> {
        near.clear();
        for (e, edge) in (0u32..).zip(self.b.edges()) {
            let [m1, m2] = edge.facets.map(|f| self.normals[f as usize]);
            let q = self.vertices[edge.vertices[0] as usize];
            let v = self.a.vertices()[self.a.support(m1 + m2)];
            if (v - q).dot(m1).min((v - q).dot(m2)) < self.best.depth {
                near.push(e);
            }
        }
        for (e, edge) in (0u32..).zip(self.a.edges()) {
            let [m1, m2] = edge.facets.map(|f| self.a.facets()[f as usize].normal);
            let p = self.a.vertices()[edge.vertices[0] as usize];
            let v = self.vertices[lowest(self.vertices, m1 + m2).1];
            if (p - v).dot(m1).min((p - v).dot(m2)) < self.best.depth {
                for &f in near.iter() {
                    self.edge_pair(e, f)?;
                }
            }
        }
        Ok(())
    }

    /// Offers the cross product of two edges if their arcs cross on the Gauss map (Gregorius 2013).
    fn edge_pair(&mut self, e: u32, f: u32) -> Result<(), DVec3> {
        let (edge_a, edge_b) = (&self.a.edges()[e as usize], &self.b.edges()[f as usize]);
        let [a1, a2] = edge_a.facets.map(|k| self.a.facets()[k as usize].normal);
        let [b1, b2] = edge_b.facets.map(|k| self.normals[k as usize]);
        let along_a = a2.cross(a1);
        let (s1, s2) = (b1.dot(along_a), b2.dot(along_a));
        if s1 * s2 >= 0.0 {
            return Ok(());
        }
        let along_b = b2.cross(b1);
        let (t1, t2) = (a1.dot(along_b), a2.dot(along_b));
        if t1 * t2 >= 0.0 || s1 * t2 <= 0.0 {
            return Ok(());
        }
        let [p0, p1] = edge_a.vertices.map(|k| self.a.vertices()[k as usize]);
        let [q0, q1] = edge_b.vertices.map(|k| self.vertices[k as usize]);
        let (u, v) = (p1 - p0, q1 - q0);
        let cross = u.cross(v);
        let square = cross.length_squared();
        // Parallel edges: the minimum is on a face as well.
        if square <= 1e-24 * u.length_squared() * v.length_squared() {
            return Ok(());
        }
        let mut normal = cross / square.sqrt();
        if normal.dot(a1 + a2) < 0.0 {
            normal = -normal;
        }
        let depth = (p0 - q0).dot(normal);
        self.offer(depth, normal, Feature::EdgeEdge { a: e, b: f })
    }

    /// The two contact points, in the frame of A.
    fn points(&self, polygon: &mut Vec<DVec3>, spare: &mut Vec<DVec3>) -> (DVec3, DVec3) {
        let Best {
            depth,
            normal,
            feature,
        } = self.best;
        match feature {
            Feature::FaceVertex { face, .. } => {
                let corners = self.a.facet_vertices(face as usize);
                let face = corners.iter().map(|v| self.a.vertices()[*v as usize]);
                let point =
                    self.middle_of_face(face, self.b, self.vertices, -normal, polygon, spare);
                let point = point - normal * (point.dot(normal) - self.level_b());
                (point + normal * depth, point)
            }
            Feature::VertexFace { face, .. } => {
                let corners = self.b.facet_vertices(face as usize);
                let face = corners.iter().map(|v| self.vertices[*v as usize]);
                let point =
                    self.middle_of_face(face, self.a, self.a.vertices(), normal, polygon, spare);
                let point = point - normal * (point.dot(normal) - self.level_b() - depth);
                (point, point - normal * depth)
            }
            Feature::EdgeEdge { a, b } => {
                let (edge_a, edge_b) = (&self.a.edges()[a as usize], &self.b.edges()[b as usize]);
                let [p0, p1] = edge_a.vertices.map(|k| self.a.vertices()[k as usize]);
                let [q0, q1] = edge_b.vertices.map(|k| self.vertices[k as usize]);
                let (x, y) = closest_on_lines(p0, p1 - p0, q0, q1 - q0);
                let middle = 0.5 * (x + y);
                (
                    middle + normal * (0.5 * depth),
                    middle - normal * (0.5 * depth),
                )
            }
        }
    }

    /// Height of the lowest point of B along the normal.
    fn level_b(&self) -> f64 {
        lowest(self.vertices, self.best.normal).0
    }

    /// A point of the other body's extreme set along `direction` that lies over `face`: the extreme vertex; or, when
    /// an edge or a face lies parallel, the middle of what the two share.
    fn middle_of_face(
        &self,
        face: impl Iterator<Item = DVec3> + Clone,
        other: &ConvexPolyhedron,
        vertices: &[DVec3],
        direction: DVec3,
        polygon: &mut Vec<DVec3>,
        spare: &mut Vec<DVec3>,
    ) -> DVec3 {
        let top = -lowest(vertices, -direction).0;
        let flat = 1e-12 * other.radius().max(self.a.radius());
        let extreme = |v: &DVec3| top - v.dot(direction) <= flat;
        polygon.clear();
        // A whole face keeps its loop order, so that it can be cut as a polygon.
        for f in 0..other.facets().len() {
            let corners = other.facet_vertices(f);
            if corners.iter().all(|c| extreme(&vertices[*c as usize])) {
                polygon.extend(corners.iter().map(|c| vertices[*c as usize]));
                break;
            }
        }
        if polygon.is_empty() {
            polygon.extend(vertices.iter().copied().filter(extreme));
        }
        if polygon.len() == 1 {
            return polygon[0];
        }
        cut_to_face(face, direction, polygon, spare);
        polygon.iter().sum::<DVec3>() / polygon.len().max(1) as f64
    }
}

/// Cuts a polygon or segment with the walls over a face. Keeps the last part should rounding take everything.
fn cut_to_face(
    face: impl Iterator<Item = DVec3> + Clone,
    direction: DVec3,
    polygon: &mut Vec<DVec3>,
    spare: &mut Vec<DVec3>,
) {
    let count = face.clone().count();
    let middle = face.clone().sum::<DVec3>() / count.max(1) as f64;
    let next = face.clone().cycle().skip(1);
    for (p, q) in face.zip(next) {
        let mut inward = direction.cross(q - p);
        if inward.dot(middle - p) < 0.0 {
            inward = -inward;
        }
        let height = |x: DVec3| inward.dot(x - p);
        spare.clear();
        let n = polygon.len();
        for k in 0..n {
            let (x, y) = (polygon[k], polygon[(k + 1) % n]);
            let (hx, hy) = (height(x), height(y));
            if hx >= 0.0 {
                spare.push(x);
            }
            if (hx >= 0.0) != (hy >= 0.0) {
                spare.push(x + (y - x) * (hx / (hx - hy)));
            }
        }
        if spare.is_empty() {
            return;
        }
        std::mem::swap(polygon, spare);
    }
}
