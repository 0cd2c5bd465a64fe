//! Heights of a mass centre over the ground along an arc.

use crate::arc::{Arc, Motion};
use glam::DVec2;
use klast_geometry::terrain::{Area, Facet, Terrain};

/// Heights over the ground (m) at times of an arc (s), in order: of a flight at its ends and wherever the facet under
/// it changes, of an arc on the ground at its ends and in the middle. Buffers go from rock to rock.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heights {
    pub(crate) looks: Vec<(f64, f64)>,
    shares: Vec<f64>,
    facets: Vec<Facet>,
    places: Vec<DVec2>,
    grounds: Vec<f64>,
}

impl Heights {
    /// Looks at an arc.
    pub(crate) fn look(&mut self, arc: &Arc, terrain: &dyn Terrain) {
        self.looks.clear();
        self.shares.clear();
        let (begin, end) = (arc.position, arc.end());
        let ends = [begin.truncate(), end.truncate()];
        match arc.motion {
            Motion::Contact => self.shares.push(0.5),
            Motion::Flight => {
                terrain.breaks(ends[0], ends[1], &mut self.facets, &mut self.shares);
            }
        }
        // Not at an end twice: a part of 1e-12 of the arc is far less than the rounding of a place.
        self.shares.retain(|s| *s > 1e-12 && *s < 1.0 - 1e-12);
        if self.shares.len() > 1 {
            self.shares.sort_unstable_by(f64::total_cmp);
            self.shares.dedup_by(|a, b| *a - *b <= 1e-12);
        }
        self.places.clear();
        self.grounds.clear();
        self.looks.push((0.0, begin.z));
        self.places.push(ends[0]);
        for share in &self.shares {
            let t = time_at(arc, *share);
            let place = arc.position_at(t);
            self.looks.push((t, place.z));
            self.places.push(place.truncate());
        }
        self.looks.push((arc.duration, end.z));
        self.places.push(ends[1]);
        terrain.heights(&self.places, &mut self.grounds);
        for ((t, height), ground) in self.looks.iter_mut().zip(&self.grounds) {
            *height = match ground.is_nan() {
                true => height_at(arc, *t, terrain),
                false => above(*height, *ground),
            };
        }
    }

    /// Knows of an arc that it lies on the ground at its ends, and the ground is even in between.
    pub(crate) fn lie(&mut self, arc: &Arc) {
        self.looks.clear();
        self.looks.extend([(0.0, 0.0), (arc.duration, 0.0)]);
    }

    /// Looks at a flight that may be higher over the ground than a height (m), and else at none.
    pub(crate) fn look_above(&mut self, height: f64, arc: &Arc, terrain: &dyn Terrain) {
        self.looks.clear();
        let (from, to) = (arc.position, arc.end());
        let straight = arc.acceleration.truncate() == DVec2::ZERO;
        let lowest = || terrain.lowest(Area::spanned(from.truncate(), to.truncate()));
        let ends = (from.z, to.z);
        let top = arc.highest([0.0; 2], (0.0, arc.duration));
        let top = top.map_or(greater(ends.0, ends.1), |t| arc.position_at(t).z);
        // Far above rounding.
        let room = 1e-9 * (1.0 + top.abs());
        let lower = straight && lowest().is_some_and(|ground| top - ground + room <= height);
        if !lower {
            self.look(arc, terrain);
        }
    }

    /// Whether the arc that was looked at, over ground without a break, stays below a height (m) for sure.
    pub(crate) fn is_below(&self, height: f64, arc: &Arc) -> bool {
        let [begin, end] = self.looks.as_slice() else {
            return false;
        };
        let bend = -arc.acceleration.z;
        let rate = (end.1 - begin.1) / arc.duration + 0.5 * bend * arc.duration;
        // Relative height is one parabola: from its beginning, were it to rise, it gains rate²/2g.
        let most = greater(begin.1, end.1);
        let most = greater(begin.1 + 0.5 * rate * rate / bend, most);
        !rate.is_nan() && bend > 0.0 && most + 1e-6 * (1.0 + most) < height
    }

    /// The greatest height of the arc that was looked at; 0 where there is no ground.
    pub(crate) fn greatest(&self, arc: &Arc) -> f64 {
        let z = |t: f64| (t, arc.position_at(t).z);
        let mut looks = self.looks.iter().map(|(t, h)| Look::new(z(*t), *h));
        let Some(mut begin) = looks.next() else {
            return 0.0;
        };
        let mut most = 0.0f64;
        for end in looks {
            most = most.max(greatest(arc, &begin, &end));
            begin = end;
        }
        most
    }
}

/// When an arc has gone a share of the straight way between its ends in plan.
fn time_at(arc: &Arc, share: f64) -> f64 {
    let across = arc.acceleration.truncate();
    if across.length_squared() == 0.0 {
        return share * arc.duration;
    }
    let (from, to) = (arc.position.truncate(), arc.end().truncate());
    let way = to - from;
    let place = way.dot(from.lerp(to, share));
    arc.crossing(way, place, (0.0, arc.duration))
}

/// The greater of two numbers; the second one where one of them is none.
#[inline]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The lesser of two numbers; the second one where one of them is none.
#[inline]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// How far a height lies above the ground (m). A mass that slides is on the ground, not above it by the rounding of two
/// heights: histograms count what is 0 apart from what is small.
pub(crate) fn above(z: f64, ground: f64) -> f64 {
    let height = z - ground;
    match height.abs() <= 1e-12 * (1.0 + z.abs()) {
        true => 0.0,
        false => height,
    }
}

/// Height over the ground (m); NaN where there is none. At the rim of the ground a hair before or behind counts.
pub(crate) fn height_at(arc: &Arc, t: f64, terrain: &dyn Terrain) -> f64 {
    let hair = 1e-9 * arc.duration;
    let at = |t: f64| {
        let p = arc.position_at(t);
        terrain.surface(p.x, p.y).map(|s| above(p.z, s.height))
    };
    at(t)
        .or_else(|| at(t - hair))
        .or_else(|| at(t + hair))
        .unwrap_or(f64::NAN)
}

/// A look at an arc, with the height of the ground there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) time: f64,
    height: f64,
    ground: f64,
}

impl Look {
    /// From the height over the ground (m), at a time (s) and height (m).
    #[inline]
    pub(crate) fn new((time, z): (f64, f64), height: f64) -> Self {
        Look {
            time,
            height,
            ground: z - height,
        }
    }

    /// The same from the height of the ground.
    #[inline]
    pub(crate) fn over(at: (f64, f64), ground: f64) -> Self {
        Look::new(at, above(at.1, ground))
    }
}

/// The greatest height between two looks with plane ground in between: at one of them, or where flight and ground rise
/// alike.
#[inline]
pub(crate) fn greatest(arc: &Arc, begin: &Look, end: &Look) -> f64 {
    let ends = begin.height.max(end.height);
    match arc.highest([begin.ground, end.ground], (begin.time, end.time)) {
        Some(t) => ends.max(between(arc, begin, end, t)),
        None => ends,
    }
}

/// The height at a time between two looks. Few pieces have their highest point inside.
#[inline(never)]
fn between(arc: &Arc, begin: &Look, end: &Look, t: f64) -> f64 {
    // Even ground rises with the way in plan, which a slide does not go at an even speed.
    let from = arc.position_at(begin.time).truncate();
    let way = arc.position_at(end.time).truncate() - from;
    let top = arc.position_at(t);
    let share = match way.length_squared() > 0.0 {
        true => way.dot(top.truncate() - from) / way.length_squared(),
        false => (t - begin.time) / (end.time - begin.time),
    };
    above(top.z, begin.ground + share * (end.ground - begin.ground))
}
