//! The first time a tumbling rock touches ground made of facets.
//!
//! The ground is a union of prisms below its facets, so the rock cannot touch a facet before it touches the facet's
//! unbounded plane, and that time is exact ([`super::first_contact`]). Where the touching vertex lies over the facet,
//! it is the answer for this facet. Otherwise the search for this facet goes on from there with the separation of rock
//! and prism itself, which knows edges and corners. A plane that parts the two now parts them until the rock reaches
//! it, again an exact time; nearer than that, times are so close that the curvature of the motion cannot hide a touch
//! between them, and a touch is then located by bisection and secant steps. Facets are taken in the order of their
//! planes, so that a touch found ends the search in all that come later.

use super::buffers::Search;
use super::one_facet::{OneFacet, fastest};
use super::sphere;
use crate::Body;
use crate::single::flight::{Flight, FollowedFlight};
use crate::single::workspace::Workspace;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Area, Facet, Terrain, lowest_around};
use klast_geometry::{Plane, Pose};

/// What a flight meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstTouch {
    /// The ground.
    Ground {
        /// Time on the flight's clock (s).
        time: f64,
    },
    /// The centre leaves the map, the body falls below all ground around a hole, or the centre comes out of a hole into
    /// the ground.
    Nothing {
        /// Time on the flight's clock (s).
        time: f64,
    },
    /// Neither within the time allowed.
    Air,
}

/// Depth below a plane, relative to the radius, above which a rock does not merely touch it.
const BELOW: f64 = 1e-9;

/// The first touch of `flight` within `limit` seconds.
pub fn first_touch(
    body: &Body,
    flight: &Flight,
    terrain: &dyn Terrain,
    limit: f64,
    workspace: &mut Workspace,
) -> FirstTouch {
    let scratch = &mut workspace.search;
    let mut followed = flight.followed_with(std::mem::take(&mut scratch.flight));
    let touch = touch_of(body, &mut followed, terrain, limit, scratch);
    scratch.flight = followed.into_segments();
    touch
}

/// The same of a flight that is followed further.
pub(crate) fn touch_of(
    body: &Body,
    followed: &mut FollowedFlight<'_>,
    terrain: &dyn Terrain,
    limit: f64,
    scratch: &mut Search,
) -> FirstTouch {
    match terrain.as_plane() {
        Some(plane) => match followed.first_contact(body, &plane, 0.0, limit) {
            Some(hit) => FirstTouch::Ground { time: hit.time },
            None => FirstTouch::Air,
        },
        None => over_facets(body, followed, terrain, limit, scratch),
    }
}

fn over_facets(
    body: &Body,
    followed: &mut FollowedFlight<'_>,
    terrain: &dyn Terrain,
    limit: f64,
    scratch: &mut Search,
) -> FirstTouch {
    let flight = followed.flight();
    let radius = body.shape().radius();
    let reach = terrain.resolution().max(radius);
    let mut from = 0.0;
    while from < limit {
        let speed = (flight.start().velocity.linear + flight.gravity() * from)
            .truncate()
            .length();
        let to = (from + (reach / speed.max(1e-3)).min(0.25)).min(limit);
        let (a, b) = (flight.centre(from), flight.centre(to));
        let area = Area::spanned(a.truncate(), b.truncate()).grown(radius);
        let top = terrain.highest(area);
        // A parabola is highest between its ends.
        if top.is_some_and(|top| a.z.min(b.z) - radius <= top) {
            scratch.facets.clear();
            terrain.facets(area, &mut scratch.facets);
            if let Some(time) = stretch(body, followed, (from, to), scratch) {
                return FirstTouch::Ground { time };
            }
        }
        let over = Sky {
            terrain,
            area,
            radius,
        };
        if let Some(time) = over.left(flight, (from, to), &mut scratch.facets) {
            return FirstTouch::Nothing { time };
        }
        from = to;
    }
    FirstTouch::Air
}

/// The part of the terrain that a stretch of a flight is over.
struct Sky<'a> {
    terrain: &'a dyn Terrain,
    area: Area,
    radius: f64,
}

impl Sky<'_> {
    /// When the centre leaves the ground that there is, if it does: over the rim of the map, by falling below all
    /// ground around a hole, or out of a hole into the side of the ground around it.
    fn left(
        &self,
        flight: &Flight,
        (from, to): (f64, f64),
        facets: &mut Vec<Facet>,
    ) -> Option<f64> {
        let (terrain, extent) = (self.terrain, self.terrain.extent());
        let outside = |p: DVec3| !extent.contains(p.truncate());
        let ground = |p: DVec3| terrain.surface(p.x, p.y);
        let (a, b) = (flight.centre(from), flight.centre(to));
        let at_end = ground(b);
        if outside(b) || at_end.is_none() {
            let rim = lowest_around(terrain, self.area, facets);
            let falls = |p: DVec3| rim.is_none_or(|low| p.z < low - self.radius);
            let gone = |t: f64| {
                let p = flight.centre(t);
                outside(p) || (ground(p).is_none() && falls(p))
            };
            return gone(to).then(|| first_time(gone, from, to));
        }
        let buried = |t: f64| {
            let p = flight.centre(t);
            ground(p).is_some_and(|s| p.z < s.height)
        };
        let out_of_a_hole = at_end.is_some_and(|s| b.z < s.height) && ground(a).is_none();
        out_of_a_hole.then(|| first_time(buried, from, to))
    }
}

/// A plane that has all facets below it.
fn lid(facets: &[Facet]) -> Option<Plane> {
    let normal = facets.iter().map(|f| f.normal).sum::<DVec3>();
    let normal = normal.try_normalize()?;
    let corners = facets.iter().flat_map(|f| f.corners);
    let offset = corners.fold(f64::NEG_INFINITY, |m, c| m.max(c.dot(normal)));
    Some(Plane { normal, offset })
}

/// The first touch with the facets at hand between two times of the flight.
fn stretch(
    body: &Body,
    followed: &mut FollowedFlight<'_>,
    (from, to): (f64, f64),
    scratch: &mut Search,
) -> Option<f64> {
    let radius = body.shape().radius();
    let lid = lid(&scratch.facets)?;
    let pose = followed.state(from).pose;
    // A rock in a hollow is below the lid already, and then it says nothing.
    let from = match lowest(body, &pose, &lid) > 0.0 {
        true => followed.first_contact(body, &lid, from, to)?.time,
        false => from,
    };
    if let Some(radius) = body.sphere_radius() {
        return sphere::on_facets(followed.flight(), radius, &scratch.facets, (from, to));
    }
    let mut best: Option<f64> = None;
    let mut open = std::mem::take(&mut scratch.open);
    open.clear();
    let pose = followed.state(from).pose;
    scratch.patch.place(body.shape(), &pose);
    let fastest = fastest(body, followed.flight(), to);
    // The facet below the lowest point comes first, and then that on which its plane is met: their touches are near the
    // first of all.
    let mut expected = Some(lowest_point(body, &pose, lid.normal));
    let way = Way::new(followed.flight(), (from, to));
    for index in 0..scratch.facets.len() {
        let left = &mut scratch.facets[index..];
        let is_expected = expected.take().is_some_and(|p| comes_next(left, p));
        let facet = &left[0];
        let Some((first, last)) = way.over(facet, radius) else {
            continue;
        };
        let until = best.unwrap_or(to).min(last);
        if !is_expected && scratch.patch.is_clear(facet, fastest * (until - from)) {
            continue;
        }
        let plane = Plane {
            normal: facet.normal,
            offset: facet.normal.dot(facet.corners[0]),
        };
        // A rock that is below the plane beside the facet may leave the plane and meet the facet's edge.
        let pose = match first > from {
            true => followed.state(first).pose,
            false => pose,
        };
        if lowest(body, &pose, &plane) < -BELOW * radius {
            open.push((first, index, last));
            continue;
        }
        let Some(hit) = followed.first_contact(body, &plane, first, until) else {
            continue;
        };
        let vertex = body.vertices().get(hit.vertex).copied().unwrap_or_default();
        let point = followed.state(hit.time).pose.transform_point(vertex);
        // Within rounding of the seam both facets agree. What touches from the start may be leaving.
        if hit.time > 0.0 && facet.inside(point) >= -1e-12 * radius {
            best = Some(hit.time);
        } else {
            open.push((hit.time, index, last));
            expected = Some(point).filter(|_| best.is_none());
        }
    }
    // What was put aside before a touch was known may be out of reach until then.
    if let Some(best) = best {
        let reach = fastest * (best - from);
        let near = |index: usize| {
            scratch
                .facets
                .get(index)
                .is_some_and(|f| !scratch.patch.is_clear(f, reach))
        };
        open.retain(|&(time, index, _)| time < best && near(index));
    }
    open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    if !open.is_empty() {
        scratch.patch.take(body.shape());
    }
    let mut put = f64::NAN;
    for &(time, index, last) in &open {
        let until = best.unwrap_or(to).min(last);
        let Some(facet) = scratch.facets.get(index).filter(|_| time < until) else {
            continue;
        };
        let patch = (&mut scratch.patch, &mut put);
        let touch = OneFacet::new(body, followed, facet, patch).run(time, until);
        best = touch.or(best);
    }
    scratch.open = open;
    best
}

/// The way of a centre in plan between two times: its chord, and how far it is from it at most (m).
struct Way {
    times: (f64, f64),
    chord: [DVec2; 2],
    bend: f64,
}

impl Way {
    fn new(flight: &Flight, (from, to): (f64, f64)) -> Self {
        let time = to - from;
        Self {
            times: (from, to),
            chord: [from, to].map(|t| flight.centre(t).truncate()),
            bend: flight.gravity().truncate().length() * time * time / 8.0,
        }
    }

    /// From when until when the centre may be within a distance (m) of a facet in plan, if it ever is.
    fn over(&self, facet: &Facet, distance: f64) -> Option<(f64, f64)> {
        let reach = (self.bend + distance) * (1.0 + 1e-9);
        let (mut first, mut last) = (0.0, 1.0);
        let corners = facet.corners.map(|c| c.truncate());
        for (k, corner) in corners.iter().enumerate() {
            let side = corners[(k + 1) % 3] - *corner;
            let limit = reach * side.length();
            let [a, b] = self.chord.map(|p| (p - *corner).perp_dot(side) - limit);
            match (a > 0.0, b > 0.0) {
                (true, true) => return None,
                (true, false) => first = f64::max(first, a / (a - b)),
                (false, true) => last = f64::min(last, a / (a - b)),
                (false, false) => {}
            }
        }
        let (from, to) = self.times;
        let at = |part: f64| from + part * (to - from);
        (first <= last).then(|| (at(first), at(last)))
    }
}

/// Height of the lowest point of a rock over a plane (m).
fn lowest(body: &Body, pose: &Pose, plane: &Plane) -> f64 {
    if let Some(radius) = body.sphere_radius() {
        return plane.height(pose.translation) - radius;
    }
    let down = pose.inverse_transform_vector(-plane.normal);
    let over = |v: &DVec3| -v.dot(down);
    let low = body
        .vertices()
        .iter()
        .map(over)
        .fold(f64::INFINITY, f64::min);
    plane.height(pose.translation) + low
}

/// The point of a rock that is lowest against a normal.
fn lowest_point(body: &Body, pose: &Pose, normal: DVec3) -> DVec3 {
    let down = pose.inverse_transform_vector(-normal);
    let lowest = body.vertices().get(body.shape().support(down));
    pose.transform_point(lowest.copied().unwrap_or_default())
}

/// Puts the facet below a point first; false where none is.
fn comes_next(facets: &mut [Facet], point: DVec3) -> bool {
    let below = facets.iter().position(|f| f.inside(point) >= 0.0);
    if let Some(index) = below {
        facets.swap(0, index);
    }
    below.is_some()
}

/// The time, between two at which a property does not hold and holds, at which it begins to hold; to rounding.
fn first_time(holds: impl Fn(f64) -> bool, from: f64, to: f64) -> f64 {
    let (mut before, mut after) = (from, to);
    for _ in 0..60 {
        let middle = 0.5 * (before + after);
        if holds(middle) {
            after = middle
        } else {
            before = middle
        }
    }
    after
}
