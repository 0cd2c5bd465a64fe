//! The first time a tumbling rock touches ground made of facets.
//!
//! The ground is a union of prisms below its facets, so the rock cannot touch a facet before it touches the facet's unbounded plane, and that time is exact
//! (`klast_dynamics::first_contact`). Where the touching vertex lies over the facet, it is the answer for this facet. Otherwise the search for this facet goes
//! on from there with the separation of rock and prism itself, which knows edges and corners. A plane that parts the two now parts them until the rock reaches it,
//! again an exact time; nearer than that, times are so close that the curvature of the motion cannot hide a touch between them, and a touch is then
//! located by bisection and secant steps. Facets are taken in the order of their planes, so that a touch found ends the search in all that come later.

use glam::DVec3;
use klast_dynamics::{Body, Flight, FlightRoom, FollowedFlight};
use klast_geometry::terrain::{Approach, Area, Facet, FacetPatch, Terrain};
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
    pub(crate) flight: FlightRoom,
    /// Facets whose planes are touched outside of them: time, number.
    open: Vec<(f64, usize)>,
}

/// Accuracy of the separation at a touch on an edge or corner (m, relative to the radius).
const TOUCHING: f64 = 1e-12;
/// A graze that is shallower than this part of the radius may be missed between two looks. It doubles every [`PATIENCE`] looks up to [`COARSE`], which is far below what
/// a step on the ground may be off, so that a rock that hovers over an edge costs a bounded number of looks.
const GRAZE: f64 = 1e-9;
const COARSE: f64 = 1e-5;
const PATIENCE: u32 = 64;
/// Shortest stretch that is still split to look for a graze (s).
const SHORTEST: f64 = 1e-7;
/// Depth below a plane, relative to the radius, above which a rock does not merely touch it.
const BELOW: f64 = 1e-9;
/// Separation, relative to the radius, above which a fixed plane between rock and facet is followed.
const APART: f64 = 1e-3;

/// The first touch of `flight` within `limit` seconds.
pub fn first_touch(
    body: &Body,
    flight: &Flight,
    terrain: &dyn Terrain,
    limit: f64,
    scratch: &mut Scratch,
) -> Touch {
    let mut followed = flight.followed_in(std::mem::take(&mut scratch.flight));
    let touch = touch_of(body, &mut followed, terrain, limit, scratch);
    scratch.flight = followed.into_room();
    touch
}

/// The same of a flight that is followed further.
pub(super) fn touch_of(
    body: &Body,
    followed: &mut FollowedFlight<'_>,
    terrain: &dyn Terrain,
    limit: f64,
    scratch: &mut Scratch,
) -> Touch {
    match terrain.as_plane() {
        Some(plane) => match followed.first_contact(body, &plane, 0.0, limit) {
            Some(hit) => Touch::Ground { time: hit.time },
            None => Touch::Air,
        },
        None => over_facets(body, followed, terrain, limit, scratch),
    }
}

fn over_facets(
    body: &Body,
    followed: &mut FollowedFlight<'_>,
    terrain: &dyn Terrain,
    limit: f64,
    scratch: &mut Scratch,
) -> Touch {
    let flight = followed.flight();
    let (extent, radius) = (terrain.extent(), body.shape().radius());
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
                return Touch::Ground { time };
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
    scratch: &mut Scratch,
) -> Option<f64> {
    let radius = body.shape().radius();
    let lid = lid(&scratch.facets)?;
    let pose = followed.state(from).pose;
    // A rock in a hollow is below the lid already, and then it says nothing.
    let from = match lowest(body, &pose, &lid) > 0.0 {
        true => followed.first_contact(body, &lid, from, to)?.time,
        false => from,
    };
    let mut best: Option<f64> = None;
    let mut open = std::mem::take(&mut scratch.open);
    open.clear();
    let pose = followed.state(from).pose;
    scratch.patch.place(body.shape(), &pose);
    let fastest = fastest(body, followed.flight(), to);
    // The facet below the lowest point comes first: its touch is near the first of all.
    let under = lowest_first(body, &pose, &mut scratch.facets, lid.normal);
    for (index, facet) in scratch.facets.iter().enumerate() {
        let until = best.unwrap_or(to);
        if index >= under && scratch.patch.is_clear(facet, fastest * (until - from)) {
            continue;
        }
        let plane = Plane {
            normal: facet.normal,
            offset: facet.normal.dot(facet.corners[0]),
        };
        // A rock that is below the plane beside the facet may leave the plane and meet the facet's edge.
        if lowest(body, &pose, &plane) < -BELOW * radius {
            open.push((from, index));
            continue;
        }
        let Some(hit) = followed.first_contact(body, &plane, from, until) else {
            continue;
        };
        let vertex = body.vertices().get(hit.vertex).copied().unwrap_or_default();
        let point = followed.state(hit.time).pose.transform_point(vertex);
        // Within rounding of the seam both facets agree. What touches from the start may be leaving.
        if hit.time > 0.0 && facet.inside(point) >= -1e-12 * radius {
            best = Some(hit.time);
        } else {
            open.push((hit.time, index));
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
        open.retain(|&(time, index)| time < best && near(index));
    }
    open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    if !open.is_empty() {
        scratch.patch.take(body.shape());
    }
    for &(time, index) in &open {
        let until = best.unwrap_or(to);
        let Some(facet) = scratch.facets.get(index).filter(|_| time < until) else {
            break;
        };
        let touch = Search::new(body, followed, facet, &mut scratch.patch).run(time, until);
        best = touch.or(best);
    }
    scratch.open = open;
    best
}

/// Height of the lowest point of a rock over a plane (m).
fn lowest(body: &Body, pose: &Pose, plane: &Plane) -> f64 {
    let down = pose.inverse_transform_vector(-plane.normal);
    let over = |v: &DVec3| -v.dot(down);
    let low = body
        .vertices()
        .iter()
        .map(over)
        .fold(f64::INFINITY, f64::min);
    plane.height(pose.translation) + low
}

/// Puts the facet below the lowest point of a rock first; how many facets were put there.
fn lowest_first(body: &Body, pose: &Pose, facets: &mut [Facet], normal: DVec3) -> usize {
    let down = pose.inverse_transform_vector(-normal);
    let lowest = body.vertices().get(body.shape().support(down));
    let point = pose.transform_point(lowest.copied().unwrap_or_default());
    match facets.iter().position(|f| f.inside(point) >= 0.0) {
        Some(index) => {
            facets.swap(0, index);
            1
        }
        None => 0,
    }
}

/// No point of the rock moves faster than this until a time (m/s).
fn fastest(body: &Body, flight: &Flight, to: f64) -> f64 {
    let start = flight.start().velocity;
    let end = start.linear + flight.gravity() * to;
    start.linear.length().max(end.length()) + flight.spin_bound() * body.shape().radius()
}

/// The first touch of the rock with the ground under one facet.
struct Search<'s, 'f> {
    body: &'s Body,
    followed: &'s mut FollowedFlight<'f>,
    facet: &'s Facet,
    patch: &'s mut FacetPatch,
    /// Bound of the second derivative of a separation (m/s²).
    bend: f64,
    radius: f64,
    /// What counts as zero: below, where the flight begins overlapping.
    base: f64,
    looks: u32,
}

/// Separation at a time and the plane that parts rock and facet there.
#[derive(Clone, Copy)]
struct Look {
    gap: f64,
    plane: Plane,
}

impl<'s, 'f> Search<'s, 'f> {
    fn new(
        body: &'s Body,
        followed: &'s mut FollowedFlight<'f>,
        facet: &'s Facet,
        patch: &'s mut FacetPatch,
    ) -> Self {
        let radius = body.shape().radius();
        let flight = followed.flight();
        let spin = flight.start().velocity.angular.length();
        // A vertex over a fixed plane has |f''| ≤ |g| + ω² R. The axis of two edges turns faster than the body, the more so the more parallel they are: the factor
        // covers all but edges within some 15° of each other, whose ends are then nearly as deep as they.
        let bend = 16.0 * (flight.gravity().length() + spin * spin * radius) + f64::MIN_POSITIVE;
        Search {
            body,
            followed,
            facet,
            patch,
            bend,
            radius,
            base: 0.0,
            looks: 0,
        }
    }

    fn look(&mut self, t: f64) -> Look {
        self.looks += 1;
        let pose = self.followed.state(t).pose;
        let (gap, normal) =
            self.patch
                .separation(self.body.shape(), &pose, self.facet, self.radius);
        let top = |m: f64, c: &DVec3| m.max(c.dot(normal));
        let offset = self.facet.corners.iter().fold(f64::NEG_INFINITY, top) + self.base;
        Look {
            gap: gap - self.base,
            plane: Plane { normal, offset },
        }
    }

    fn run(&mut self, from: f64, to: f64) -> Option<f64> {
        let (mut t, mut now) = (from, self.look(from));
        if now.gap < 0.0 {
            // It begins touching: leaving is no touch, going deeper is one at once.
            self.base = now.gap;
            now.gap = 0.0;
        }
        let fastest = fastest(self.body, self.followed.flight(), to);
        let (mut step, mut safe) = (to - t, self.safe(&now, t, to, fastest)?);
        while t < to {
            step = step.max(safe).min(to - t);
            let next = self.look(t + step);
            if next.gap < -TOUCHING * self.radius {
                if step <= safe.max(SHORTEST) || now.gap > self.bend * step * step {
                    return Some(self.locate(t, now.gap, t + step, next.gap));
                }
                step *= 0.5;
                continue;
            }
            if step > safe.max(SHORTEST) && self.may_hide(now.gap, next.gap, step) {
                step *= 0.5;
                continue;
            }
            (t, now) = (t + step, next);
            step *= 2.0;
            safe = self.safe(&now, t, to, fastest)?;
        }
        None
    }

    /// Time from `t` in which no touch is possible; `None` where there is none before `to`.
    fn safe(&mut self, now: &Look, t: f64, to: f64, fastest: f64) -> Option<f64> {
        if now.gap > APART * self.radius {
            let hit = self.followed.first_contact(self.body, &now.plane, t, to)?;
            return Some(hit.time - t);
        }
        // No point of the rock moves faster than this.
        Some(now.gap / fastest.max(1e-9))
    }

    /// Whether a function with these ends and |f''| ≤ bend may dip below zero in between.
    fn may_hide(&self, gap: f64, next: f64, step: f64) -> bool {
        let middle = 0.5 * step - (next - gap) / (self.bend * step);
        if middle <= 0.0 || middle >= step {
            return false;
        }
        let least = gap + (next - gap) * middle / step - 0.5 * self.bend * middle * (step - middle);
        let graze = GRAZE * libm::exp2(f64::from(self.looks / PATIENCE));
        least < -graze.min(COARSE) * self.radius
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
            let gap = self.look(t).gap;
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
