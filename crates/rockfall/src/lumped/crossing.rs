//! Where a parabola meets the ground.

use crate::heights::{greater, lesser};
use glam::DVec3;
use klast_geometry::terrain::{Area, Facet, Terrain, lowest_around};

/// What a flight meets first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Meeting {
    /// The ground.
    Ground {
        time: f64,
        normal: DVec3,
        facet: u32,
        /// Where it is one with corners.
        met: Option<Facet>,
    },
    /// The rim of the map, or missing data below.
    Nothing { time: f64 },
    /// Neither within the time allowed.
    Air,
}

/// Depth at which a point is below the ground for sure (m).
const SEAM: f64 = 1e-6;

/// A flight p + v t + ½ g t².
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flight {
    pub position: DVec3,
    pub velocity: DVec3,
    pub gravity: DVec3,
}

impl Flight {
    pub(crate) fn at(&self, t: f64) -> DVec3 {
        self.position + (self.velocity + self.gravity * (0.5 * t)) * t
    }

    /// Time at which the flight comes down through a plane from a height over it: the later root of a parabola that
    /// opens downwards.
    fn falls_by(&self, h: f64, normal: DVec3) -> Option<f64> {
        let rate = normal.dot(self.velocity);
        let g = normal.dot(self.gravity);
        if g >= 0.0 {
            // No pull towards the plane: one crossing at constant speed.
            return (rate < 0.0).then(|| -h / rate);
        }
        let square = rate * rate - 2.0 * g * h;
        if square < 0.0 {
            return None;
        }
        let root = square.sqrt();
        Some(if rate >= 0.0 {
            (rate + root) / -g
        } else {
            2.0 * h / (root - rate)
        })
    }

    /// When the flight comes down on the facet that it has just been thrown off, if it begins and ends well inside of
    /// its outline. Horizontal motion is straight: where that facet is the highest, the flight meets no other.
    pub(crate) fn comes_back(&self, facet: &Facet) -> Option<f64> {
        let margin = margin(self.position);
        let height = facet.height(self.position);
        let well_inside = |p: DVec3| facet.inside(p) > 2.0 * margin;
        let thrown = height.abs() <= margin && facet.normal.dot(self.velocity) > 0.0;
        if !thrown || !well_inside(self.position) {
            return None;
        }
        let time = self.falls_by(height.max(0.0), facet.normal)?;
        (time > 0.0 && well_inside(self.at(time))).then_some(time)
    }

    /// The first meeting within `limit` seconds. Looks at the ground in stretches of about one facet.
    pub(crate) fn meet(
        &self,
        terrain: &dyn Terrain,
        limit: f64,
        facets: &mut Vec<Facet>,
    ) -> Meeting {
        if let Some(plane) = terrain.as_plane() {
            // What has just left the plane may be below it by rounding, by more than a slow bounce is high.
            let time = self.falls_by(plane.height(self.position).max(0.0), plane.normal);
            return match time.filter(|&t| t > 0.0 && t <= limit) {
                Some(time) => Meeting::Ground {
                    time,
                    normal: plane.normal,
                    facet: 0,
                    met: None,
                },
                None => Meeting::Air,
            };
        }
        let resolution = terrain.resolution();
        let mut from = 0.0;
        while from < limit {
            let speed = (self.velocity + self.gravity * from).truncate().length();
            // A second at most: a rock that falls straight down still sees the rim of the map in time.
            let to = (from + (resolution / speed.max(1e-3)).clamp(1e-6, 1.0)).min(limit);
            if let Some(meeting) = self.stretch(terrain, from, to, facets) {
                return meeting;
            }
            let gone = |t: f64| !terrain.extent().contains(self.at(t).truncate());
            if gone(to) {
                return Meeting::Nothing {
                    time: first_time(gone, from, to),
                };
            }
            from = to;
        }
        Meeting::Air
    }

    fn stretch(
        &self,
        terrain: &dyn Terrain,
        from: f64,
        to: f64,
        facets: &mut Vec<Facet>,
    ) -> Option<Meeting> {
        let (a, b) = (self.at(from), self.at(to));
        // Horizontal motion is straight, so the two ends span it. The margin takes in edges that the path runs along.
        let margin = margin(a);
        let area = Area::spanned(a.truncate(), b.truncate()).grown(margin);
        // What has just left the ground is not above all of it.
        let over = || terrain.highest(area).is_some_and(|top| a.z.min(b.z) > top);
        if from > 0.0 && over() {
            return None;
        }
        facets.clear();
        terrain.facets_at(area, facets);
        let mut first: Option<(f64, &Facet)> = None;
        for facet in facets.iter() {
            let comes = self.comes_down(facet, from, margin);
            if let Some(t) = comes.filter(|&t| t <= to && first.is_none_or(|(s, _)| t < s)) {
                first = Some((t, facet));
            }
        }
        if let Some((time, facet)) = first {
            return Some(Meeting::Ground {
                time,
                normal: facet.normal,
                facet: facet.id,
                met: Some(*facet),
            });
        }
        match terrain.surface(b.x, b.y) {
            Some(s) if b.z < s.height - SEAM && terrain.surface(a.x, a.y).is_none() => {
                // Out of a hole into the side of the ground around it.
                Some(Meeting::Nothing { time: to })
            }
            Some(s) if b.z < s.height - SEAM => self.through_a_seam(terrain, from, to),
            Some(_) => None,
            None => {
                let rim = lowest_around(terrain, area, facets);
                let gone = |t: f64| {
                    let p = self.at(t);
                    rim.is_none_or(|low| p.z < low) && terrain.surface(p.x, p.y).is_none()
                };
                gone(to).then(|| Meeting::Nothing {
                    time: first_time(gone, from, to),
                })
            }
        }
    }

    /// When the flight comes down on a facet, not before a time. At its start the rock stands on the ground it has just
    /// left, give or take rounding.
    fn comes_down(&self, facet: &Facet, from: f64, margin: f64) -> Option<f64> {
        let mut height = facet.height(self.position);
        let starts = from == 0.0 && height.abs() <= margin;
        let inside = match starts {
            true => facet.inside(self.position),
            false => f64::NEG_INFINITY,
        };
        let stands = inside >= -margin;
        if stands && inside < 2.0 * margin && self.leaves(facet, margin) {
            return None;
        }
        if stands && height <= 0.0 {
            // Deeper at once, or along the facet and off it: from the plane itself, since below it a slow flight would
            // not cross it any more.
            if facet.normal.dot(self.velocity) <= -1e-12 * self.velocity.length() {
                return Some(0.0);
            }
            height = 0.0;
        }
        let time = self.falls_by(height, facet.normal)?;
        let place = self.at(time);
        let over = || facet.holds(place) || facet.inside(place) >= -margin;
        (time > from && over() && beside(facet, place)).then_some(time)
    }

    /// Whether a flight that starts on the rim of a facet moves off it. Horizontal motion is straight, so it never
    /// comes back; where it meets the plane then, it does so by rounding and beside the facet.
    fn leaves(&self, facet: &Facet, margin: f64) -> bool {
        let ahead = self.velocity.truncate().normalize_or_zero() * margin;
        // An edge that the path runs along is left by rounding only, which is far below a thousandth of the margin.
        facet.inside(self.position + ahead.extend(0.0)) < -1e-3 * margin
    }

    /// Where the path gets below the ground without a crossing: a seam between facets that rounding has opened.
    fn through_a_seam(&self, terrain: &dyn Terrain, from: f64, to: f64) -> Option<Meeting> {
        let below = |t: f64| {
            let p = self.at(t);
            let surface = terrain.surface(p.x, p.y);
            surface.is_some_and(|s| p.z < s.height - SEAM)
        };
        let time = first_time(below, from, to);
        let p = self.at(time);
        let surface = terrain.surface(p.x, p.y)?;
        Some(Meeting::Ground {
            time,
            normal: surface.normal,
            facet: surface.facet,
            met: None,
        })
    }
}

/// How far beside an edge a point may still be on it (m).
fn margin(p: DVec3) -> f64 {
    1e-9 * (1.0 + p.truncate().abs().max_element())
}

/// When something that holds at the end of a stretch of time begins to, by bisection to rounding.
pub(crate) fn first_time(holds: impl Fn(f64) -> bool, from: f64, to: f64) -> f64 {
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

/// Whether a point in the plane of a facet is as high as the facet: the margin in plan may be many times the width of a
/// wall, whose plane goes on far above and below it.
fn beside(facet: &Facet, p: DVec3) -> bool {
    let heights = facet.corners.map(|c| c.z);
    let low = lesser(lesser(heights[0], heights[1]), heights[2]);
    let high = greater(greater(heights[0], heights[1]), heights[2]);
    let room = 1e-6 * (1.0 + p.abs().max_element());
    p.z >= low - room && p.z <= high + room
}

#[cfg(test)]
mod tests {
    use super::{Flight, Meeting};
    use glam::{DVec2, DVec3};
    use klast_geometry::terrain::{Area, Grid, Profile, Terrain};

    /// Throws off facets of a profile and a raster, against the search over all ground.
    #[test]
    fn a_flight_that_comes_back_to_its_facet_meets_no_other() {
        let points = [(0.0, 60.0), (50.0, 10.0), (100.0, 0.0)].map(DVec2::from);
        let profile = Profile::new(points.to_vec()).unwrap();
        let heights = (0..400).map(|k| f64::from(k * k % 17) - f64::from(k % 20));
        let grid = Grid::new(20, 20, 5.0, DVec2::ZERO, heights.collect()).unwrap();
        let mut facets = Vec::new();
        for terrain in [&profile as &dyn Terrain, &grid] {
            assert!(terrain.is_its_facets());
            let mut found = 0;
            for k in 0..2000u32 {
                let part = |f: f64| (f64::from(k) * f).fract();
                let plan = DVec2::new(95.0 * part(0.618), 95.0 * part(0.414));
                let surface = terrain.surface(plan.x, plan.y).unwrap();
                let position = plan.extend(surface.height);
                facets.clear();
                terrain.facets_at(Area::around(plan, 1e-7), &mut facets);
                let facet = *facets.iter().find(|f| f.holds(position)).unwrap();
                let aside = DVec3::new(part(0.732) - 0.5, part(0.236) - 0.5, 0.0);
                let flight = Flight {
                    position,
                    velocity: facet.normal * (0.1 + 3.0 * part(0.302)) + aside * 6.0,
                    gravity: DVec3::new(0.0, 0.0, -9.81),
                };
                let Some(time) = flight.comes_back(&facet) else {
                    continue;
                };
                found += 1;
                let Meeting::Ground {
                    time: met,
                    facet: id,
                    ..
                } = flight.meet(terrain, 1e3, &mut facets)
                else {
                    panic!("{flight:?}");
                };
                // Some roundings of a place up to 100 m, over a speed of 0.1 m/s.
                assert!(
                    id == facet.id && (time - met).abs() < 1e-12,
                    "{flight:?}: {time} {met}"
                );
            }
            assert!(found > 300, "{found}");
        }
    }
}
