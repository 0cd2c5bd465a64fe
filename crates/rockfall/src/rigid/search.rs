//! The first time a tumbling rock touches ground made of facets.
//!
//! The ground is a union of prisms below its facets, so the rock cannot touch a facet before it touches the facet's unbounded plane, and that time is exact
//! (`klast_dynamics::first_contact`). Where the touching vertex lies over the facet, it is the answer. Otherwise the search goes on from there with the separation of
//! rock and ground itself, which knows edges and corners: it is bracketed between times so close that the curvature of the motion cannot hide a
//! touch between them, and then located by bisection and secant steps.

use klast_dynamics::{Body, Flight, FollowedFlight, first_contact};
use klast_geometry::terrain::{Approach, Area, Facet, FacetPatch, Terrain, terrain_separation};
use klast_geometry::{ContactPoint, Plane, Pose};

/// What a flight meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Touch {
    /// The ground.
    Ground {
        /// Time on the flight's clock (s).
        time: f64,
    },
    /// The centre leaves the map, or falls where there is no ground.
    Nothing {
        /// Time on the flight's clock (s).
        time: f64,
    },
    /// Neither within the time allowed.
    Air,
}

/// Buffers of a search.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(crate) facets: Vec<Facet>,
    pub(crate) patch: FacetPatch,
}

/// Accuracy of the separation at a touch on an edge or corner (m, relative to the radius).
const TOUCHING: f64 = 1e-12;
/// A graze that is shallower than this part of the radius may be missed between two looks.
const GRAZE: f64 = 1e-9;
/// Shortest stretch that is still split to look for a graze (s).
const SHORTEST: f64 = 1e-7;

/// The first touch of `flight` within `limit` seconds.
pub fn first_touch(
    body: &Body,
    flight: &Flight,
    terrain: &dyn Terrain,
    limit: f64,
    scratch: &mut Scratch,
) -> Touch {
    if let Some(plane) = terrain.as_plane() {
        return match first_contact(body, flight, &plane, 0.0, limit) {
            Some(hit) => Touch::Ground { time: hit.time },
            None => Touch::Air,
        };
    }
    let (extent, radius) = (terrain.extent(), body.shape().radius());
    let reach = terrain.resolution().max(radius);
    // The flight is taken up anew where it comes near the ground: the attitude of a tumbling body is a series from the flight's start.
    let mut local = (0.0, flight.clone());
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
            if from > local.0 {
                local = (
                    from,
                    Flight::new(body, local.1.state(from - local.0), flight.gravity()),
                );
            }
            if let Some(time) = stretch(body, &local.1, to - from, scratch) {
                return Touch::Ground { time: from + time };
            }
        }
        let falls = || {
            terrain
                .highest(area.grown(terrain.resolution()))
                .is_none_or(|top| b.z < top - radius)
        };
        if !extent.contains(b.truncate()) || (terrain.surface(b.x, b.y).is_none() && falls()) {
            return Touch::Nothing { time: to };
        }
        from = to;
    }
    Touch::Air
}

/// The first touch with the facets at hand within a time of the flight's start.
fn stretch(body: &Body, flight: &Flight, to: f64, scratch: &mut Scratch) -> Option<f64> {
    let mut first: Option<(f64, usize, usize)> = None;
    for (index, facet) in scratch.facets.iter().enumerate() {
        // The height of the centre over a plane is a concave parabola: least at an end.
        let least = facet
            .height(flight.centre(0.0))
            .min(facet.height(flight.centre(to)));
        if least > body.shape().radius() {
            continue;
        }
        let plane = Plane {
            normal: facet.normal,
            offset: facet.normal.dot(facet.corners[0]),
        };
        let until = first.map_or(to, |f| f.0);
        if let Some(hit) = first_contact(body, flight, &plane, 0.0, until)
            && first.is_none_or(|f| hit.time < f.0)
        {
            first = Some((hit.time, index, hit.vertex));
        }
    }
    let (time, index, vertex) = first?;
    let pose = flight.state(time).pose;
    let point = body
        .vertices()
        .get(vertex)
        .map(|v| pose.transform_point(*v))?;
    let facet = scratch.facets.get(index)?;
    // Within rounding of the seam both facets agree.
    if facet.inside(point) >= -1e-12 * body.shape().radius() && time > 0.0 {
        return Some(time);
    }
    Search::new(body, flight, scratch).run(time, to)
}

struct Search<'a> {
    body: &'a Body,
    flight: &'a Flight,
    followed: FollowedFlight<'a>,
    scratch: &'a mut Scratch,
    /// Bound of the second derivative of a separation (m/s²), see `run`.
    bend: f64,
    radius: f64,
    /// What counts as zero: below, where the flight begins overlapping.
    base: f64,
}

impl<'a> Search<'a> {
    fn new(body: &'a Body, flight: &'a Flight, scratch: &'a mut Scratch) -> Self {
        let radius = body.shape().radius();
        let spin = flight.start().velocity.angular.length();
        // A vertex over a fixed plane has |f''| ≤ |g| + ω² R; the factor 2 covers axes that turn with the body near a touch.
        let bend = 2.0 * (flight.gravity().length() + spin * spin * radius) + f64::MIN_POSITIVE;
        Search {
            body,
            flight,
            followed: flight.followed(),
            scratch,
            bend,
            radius,
            base: 0.0,
        }
    }

    fn gap(&mut self, t: f64) -> f64 {
        let pose = self.followed.state(t).pose;
        let far = self.radius;
        let nearest = terrain_separation(
            self.body.shape(),
            &pose,
            &self.scratch.facets,
            far,
            &mut self.scratch.patch,
        );
        nearest.map_or(f64::INFINITY, |n| n.gap) - self.base
    }

    fn run(&mut self, from: f64, to: f64) -> Option<f64> {
        let (mut t, mut gap) = (from, self.gap(from));
        if gap < 0.0 {
            // It begins touching: leaving is no touch, going deeper is one at once.
            self.base = gap;
            gap = 0.0;
        }
        let velocity = self.flight.start().velocity;
        let fastest = velocity
            .linear
            .length()
            .max((velocity.linear + self.flight.gravity() * to).length())
            + velocity.angular.length() * self.radius;
        let mut step = to - t;
        while t < to {
            // No point of the rock moves faster than this.
            step = step.max(gap / fastest.max(1e-9)).min(to - t);
            let next = self.gap(t + step);
            if next < -TOUCHING * self.radius {
                if step <= SHORTEST || gap > self.bend * step * step {
                    return Some(self.locate(t, gap, t + step, next));
                }
                step *= 0.5;
                continue;
            }
            if step > SHORTEST && self.may_hide(gap, next, step) {
                step *= 0.5;
                continue;
            }
            t += step;
            gap = next;
            step *= 2.0;
        }
        None
    }

    /// Whether a function with these ends and |f''| ≤ bend may dip below zero in between.
    fn may_hide(&self, gap: f64, next: f64, step: f64) -> bool {
        let middle = 0.5 * step - (next - gap) / (self.bend * step);
        if middle <= 0.0 || middle >= step {
            return false;
        }
        let least = gap + (next - gap) * middle / step - 0.5 * self.bend * middle * (step - middle);
        least < -GRAZE * self.radius
    }

    /// The zero between two times by secant steps kept inside the bracket (Illinois).
    fn locate(
        &mut self,
        mut left: f64,
        mut at_left: f64,
        mut right: f64,
        mut at_right: f64,
    ) -> f64 {
        for _ in 0..80 {
            if right - left <= 2.0 * f64::EPSILON * right {
                break;
            }
            let mut t = left + (right - left) * (at_left / (at_left - at_right));
            if !(t > left && t < right) {
                t = 0.5 * (left + right);
            }
            let gap = self.gap(t);
            if gap.abs() <= TOUCHING * self.radius {
                return t;
            }
            if gap > 0.0 {
                (left, at_left) = (t, gap);
                at_right *= 0.5;
            } else {
                (right, at_right) = (t, gap);
                at_left *= 0.5;
            }
        }
        left
    }
}

/// The point where a rock and the ground face each other along the direction of their separation: the rock's vertex, or where a face or edge
/// of the rock lies across it, the ground's corner.
pub(crate) fn witness(
    body: &Body,
    pose: &Pose,
    facets: &[Facet],
    near: &Approach,
) -> Option<ContactPoint> {
    let down = pose.inverse_transform_vector(-near.normal);
    let vertices = body.vertices();
    let vertex = vertices.get(body.shape().support(down))?;
    let level = 1e-9 * body.shape().radius();
    let ties = vertices
        .iter()
        .filter(|v| (**v - *vertex).dot(down) > -level)
        .count();
    let facet = facets.get(near.facet)?;
    let highest = facet
        .corners
        .into_iter()
        .max_by(|a, b| a.dot(near.normal).total_cmp(&b.dot(near.normal)));
    let point = match highest {
        Some(corner) if ties > 1 => corner,
        _ => pose.transform_point(*vertex),
    };
    Some(ContactPoint {
        point,
        normal: near.normal,
        gap: near.gap,
        feature: u32::MAX,
    })
}
