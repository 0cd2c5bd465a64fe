//! The cells of a raster that one rock comes to, and what it does in each.

mod strip;

use crate::arc::{Arc, Motion};
use crate::by_station::place_of;
use crate::cell_statistics::CellVisit;
use crate::heights::{Look, greater, greatest, height_at};
use crate::raster::RasterFrame;
use crate::visited::Visited;
use glam::DVec2;
use klast_geometry::terrain::Terrain;

/// A time of an arc at which it is looked at (s), and the height there (m), NaN where it is not known.
type Cut = (f64, f64);

/// The square of an angle (rad) between velocity and acceleration that is none: both are rounded.
const STRAIGHT: f64 = 1e-24;

/// Buffers that go from arc to arc.
#[derive(Debug, Default)]
struct Buffers {
    /// When an arc crosses borders of cells (s).
    borders: Vec<f64>,
    /// Its ends, its borders and the looks that are on none, in order of time.
    cuts: Vec<Cut>,
    /// Where the cuts are in plan, and the heights of the ground there.
    places: Vec<DVec2>,
    grounds: Vec<f64>,
}

/// Follows one rock over a raster, and then the next.
#[derive(Debug, Default)]
pub(crate) struct Footprint {
    visits: Vec<CellVisit>,
    visited: Visited,
    /// Where in the list of visits the rock is.
    last: Option<usize>,
    /// How many visits the last rock made.
    count: usize,
    buffers: Buffers,
}

impl Footprint {
    /// Begins a rock in an empty list, which gets room for as many cells as the last rock came to.
    pub(crate) fn begin(&mut self, mut visits: Vec<CellVisit>) {
        self.visited.clear();
        visits.reserve(self.count);
        (self.visits, self.last) = (visits, None);
    }

    /// The cells met.
    pub(crate) fn take(&mut self) -> Vec<CellVisit> {
        self.count = self.visits.len();
        std::mem::take(&mut self.visits)
    }

    /// Adds an arc with its heights at some times: cut there and where it crosses cell borders. Over a piece, speed is
    /// greatest at an end (it is convex in time), and the ground is even.
    pub(crate) fn add(
        &mut self,
        frame: &RasterFrame,
        (arc, looks): (&Arc, &[(f64, f64)]),
        mass: f64,
        terrain: &dyn Terrain,
    ) {
        if frame.strip && self.add_along(frame, (arc, looks), mass) {
            return;
        }
        borders(frame, arc, &mut self.buffers.borders);
        if looks.iter().all(|look| look.1 == 0.0) && is_on_the_ground(arc) {
            // Over the even ground on which it lies no ground has to be read.
            let borders = std::mem::take(&mut self.buffers.borders);
            let ends = borders.iter().copied();
            let ends = std::iter::once(0.0).chain(ends).chain([arc.duration]);
            self.go(frame, arc, mass, ends.map(|t| (t, ())), |_, _| 0.0);
            self.buffers.borders = borders;
            return;
        }
        let mut buffers = std::mem::take(&mut self.buffers);
        buffers.cut(arc, looks, terrain);
        let at = |((time, height), ground): (&Cut, &f64)| {
            let at = (*time, arc.position_at(*time).z);
            let look = match (height.is_nan(), ground.is_nan()) {
                (false, _) => Look::new(at, *height),
                (true, false) => Look::over(at, *ground),
                (true, true) => Look::new(at, height_at(arc, *time, terrain)),
            };
            (*time, look)
        };
        let ends = buffers.cuts.iter().zip(&buffers.grounds).map(at);
        self.go(frame, arc, mass, ends, |a, b| greatest(arc, a, b).max(0.0));
        self.buffers = buffers;
    }

    /// Goes along an arc from end to end of its pieces, each with a height.
    fn go<L>(
        &mut self,
        frame: &RasterFrame,
        arc: &Arc,
        mass: f64,
        ends: impl Iterator<Item = (f64, L)>,
        height: impl Fn(&L, &L) -> f64,
    ) {
        let mut before: Option<(f64, L, f64)> = None;
        ends.for_each(|(time, look)| {
            let fast = arc.velocity_at(time).length();
            // A piece begins where the one before it ends.
            if let Some((from, first, speed)) = &before {
                let middle = arc.position_at(0.5 * (from + time)).truncate();
                let speed = speed.max(fast);
                self.last = frame.cell_at(middle).map(|cell| {
                    self.enter(
                        frame,
                        CellVisit {
                            cell,
                            entries: 1,
                            speed,
                            energy: 0.5 * mass * speed * speed + arc.rotational_energy,
                            height: height(first, &look),
                        },
                    )
                });
            }
            before = Some((time, look, fast));
        });
    }

    /// Adds a piece to the visits; returns where in the list it stands.
    fn enter(&mut self, frame: &RasterFrame, piece: CellVisit) -> usize {
        let visits = &mut self.visits;
        let (number, entries) = match self.last {
            Some(last) if visits[last].cell == piece.cell => (last, 0),
            _ if frame.strip => (place_of(visits, piece.cell).unwrap_or(visits.len()), 1),
            _ => (self.visited.number(piece.cell, visits), 1),
        };
        match visits.get_mut(number) {
            Some(v) => {
                v.entries += entries;
                v.speed = greater(piece.speed, v.speed);
                v.energy = greater(piece.energy, v.energy);
                v.height = greater(piece.height, v.height);
            }
            None => visits.push(piece),
        }
        number
    }
}

/// Whether an arc is a straight slide: of one facet it does not leave the plane between its ends.
fn is_on_the_ground(arc: &Arc) -> bool {
    let (v, a) = (arc.velocity, arc.acceleration);
    let bend = v.cross(a).length_squared();
    arc.motion == Motion::Contact && bend <= STRAIGHT * v.length_squared() * a.length_squared()
}

impl Buffers {
    /// Cuts an arc at its looks (time, height) and at the borders of cells, and reads the ground there.
    fn cut(&mut self, arc: &Arc, looks: &[(f64, f64)], terrain: &dyn Terrain) {
        self.cuts.clear();
        join(&self.borders, looks, arc.duration, &mut self.cuts);
        self.places.clear();
        let places = self.cuts.iter().map(|cut| arc.position_at(cut.0));
        self.places.extend(places.map(|p| p.truncate()));
        self.grounds.clear();
        terrain.heights(&self.places, &mut self.grounds);
    }
}

/// The times at which an arc crosses borders of cells, in order.
fn borders(frame: &RasterFrame, arc: &Arc, times: &mut Vec<f64>) {
    times.clear();
    let (a, b) = (arc.position.truncate(), arc.end().truncate());
    let axes = [
        (DVec2::X, (a.x - frame.corner.x, b.x - frame.corner.x)),
        (DVec2::Y, (a.y - frame.corner.y, b.y - frame.corner.y)),
    ];
    for (axis, (from, to)) in axes.into_iter().take(if frame.strip { 1 } else { 2 }) {
        let (low, high) = (from.min(to) / frame.cell, from.max(to) / frame.cell);
        let limit = f64::from(frame.columns.max(frame.rows));
        let (first, last) = (low.ceil().max(0.0), high.min(limit));
        if first > last {
            continue;
        }
        let (across, corner) = (arc.across(axis), frame.corner.dot(axis));
        let mut line = first;
        while line <= last {
            let [first, second] = across.crossings(corner + line * frame.cell);
            if let Some(t) = first {
                times.push(t);
            }
            if let Some(t) = second {
                times.push(t);
            }
            line += 1.0;
        }
    }
    // An unstable sort needs no memory; at equal times either cut gives the same height.
    times.sort_unstable_by(f64::total_cmp);
}

/// Borders and looks (time, height), both in order, as one list. A border has the height of a look there. A facet that
/// ends on a border is cut there once, or rounding would take the rock to and fro.
fn join(borders: &[f64], looks: &[(f64, f64)], duration: f64, cuts: &mut Vec<Cut>) {
    let hair = 1e-12 * duration;
    let mut borders = borders;
    for &(t, height) in looks {
        let before = borders.iter().take_while(|b| **b < t - hair).count();
        let (open, rest) = borders.split_at(before);
        cuts.extend(open.iter().map(|b| (*b, f64::NAN)));
        let at = rest.iter().take_while(|b| **b <= t + hair).count();
        let (same, rest) = rest.split_at(at);
        borders = rest;
        let not_after = same.iter().take_while(|b| **b <= t).count();
        cuts.extend(same[..not_after].iter().map(|b| (*b, height)));
        if same.is_empty() || t == 0.0 || t == duration {
            cuts.push((t, height));
        }
        cuts.extend(same[not_after..].iter().map(|b| (*b, height)));
    }
    cuts.extend(borders.iter().map(|b| (*b, f64::NAN)));
}
