//! The cells of a raster that one rock comes to, and what it does in each.

use crate::arc::{Arc, Motion};
use crate::heights::{Look, greatest, height_at};
use crate::raster::{CellVisit, RasterFrame};
use crate::visited::Visited;
use glam::DVec2;
use klast_geometry::terrain::Terrain;

/// A time of an arc at which it is looked at (s), and the height there (m), NaN where it is not known.
type Cut = (f64, f64);

/// The square of an angle (rad) between velocity and acceleration that is none: both are rounded.
const STRAIGHT: f64 = 1e-24;

/// Buffers that go from rock to rock.
#[derive(Debug, Default)]
pub(crate) struct FootprintWorkspace {
    /// When an arc crosses borders of cells (s).
    borders: Vec<f64>,
    /// Its ends, its borders and the looks that are on none, in order of time.
    cuts: Vec<Cut>,
    /// Where the cuts are in plan, and the heights of the ground there.
    places: Vec<DVec2>,
    grounds: Vec<f64>,
    visited: Visited,
}

/// Follows one rock over a raster.
#[derive(Debug)]
pub(crate) struct Footprint {
    visits: Vec<CellVisit>,
    /// Where in the list of visits the rock is.
    last: Option<usize>,
    workspace: FootprintWorkspace,
}

impl Footprint {
    /// Nothing yet, in an empty list.
    pub(crate) fn new(mut workspace: FootprintWorkspace, visits: Vec<CellVisit>) -> Self {
        workspace.visited.clear();
        Footprint {
            visits,
            last: None,
            workspace,
        }
    }

    /// The cells met, and the buffers.
    pub(crate) fn into_parts(self) -> (Vec<CellVisit>, FootprintWorkspace) {
        (self.visits, self.workspace)
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
        // Over the even ground on which it lies all along, no ground has to be read.
        let lies = looks.iter().all(|look| look.1 == 0.0) && is_on_the_ground(arc);
        let workspace = &mut self.workspace;
        workspace.cut(frame, arc, looks, if lies { None } else { Some(terrain) });
        let at = |((time, height), ground): (Cut, f64)| {
            let z = arc.position_at(time).z;
            let look = match (height.is_nan(), ground.is_nan()) {
                (false, _) => Look::new((time, z), height),
                (true, false) => Look::over((time, z), ground),
                (true, true) => Look::new((time, z), height_at(arc, time, terrain)),
            };
            (look, arc.velocity_at(time).length())
        };
        let grounds = workspace.grounds.iter().copied();
        let mut cuts = workspace.cuts.iter().copied().zip(grounds).map(at);
        let Some(mut begin) = cuts.next() else {
            return;
        };
        // A piece begins where the one before it ends.
        for end in cuts {
            let middle = 0.5 * (begin.0.time + end.0.time);
            let cell = frame.cell_at(arc.position_at(middle).truncate());
            let speed = begin.1.max(end.1);
            let visit = cell.map(|cell| CellVisit {
                cell,
                entries: 1,
                speed,
                energy: 0.5 * mass * speed * speed + arc.rotational_energy,
                height: match lies {
                    true => 0.0,
                    false => greatest(arc, &begin.0, &end.0).max(0.0),
                },
            });
            self.last = visit.map(|visit| {
                enter(&mut self.visits, &mut workspace.visited, self.last, visit)
            });
            begin = end;
        }
    }
}

/// Whether an arc is a straight slide: of one facet it does not leave the plane between its ends.
fn is_on_the_ground(arc: &Arc) -> bool {
    let (v, a) = (arc.velocity, arc.acceleration);
    let bend = v.cross(a).length_squared();
    arc.motion == Motion::Contact && bend <= STRAIGHT * v.length_squared() * a.length_squared()
}

/// Adds a piece to the visits; `last` is where in the list the piece before it stands. Returns where it stands.
fn enter(
    visits: &mut Vec<CellVisit>,
    visited: &mut Visited,
    last: Option<usize>,
    piece: CellVisit,
) -> usize {
    let (number, entries) = match last {
        Some(last) if visits[last].cell == piece.cell => (last, 0),
        _ => (visited.number(piece.cell, visits), 1),
    };
    match visits.get_mut(number) {
        Some(v) => {
            v.entries += entries;
            v.speed = v.speed.max(piece.speed);
            v.energy = v.energy.max(piece.energy);
            v.height = v.height.max(piece.height);
        }
        None => visits.push(piece),
    }
    number
}

impl FootprintWorkspace {
    /// Cuts an arc at its looks (time, height) and at the borders of cells, and reads the ground there; without ground
    /// the arc lies on it.
    fn cut(
        &mut self,
        frame: &RasterFrame,
        arc: &Arc,
        looks: &[(f64, f64)],
        terrain: Option<&dyn Terrain>,
    ) {
        borders(frame, arc, &mut self.borders);
        self.cuts.clear();
        join(&self.borders, looks, arc.duration, &mut self.cuts);
        self.grounds.clear();
        let Some(terrain) = terrain else {
            self.cuts.iter_mut().for_each(|cut| cut.1 = 0.0);
            self.grounds.resize(self.cuts.len(), f64::NAN);
            return;
        };
        self.places.clear();
        let places = self.cuts.iter().map(|cut| arc.position_at(cut.0));
        self.places.extend(places.map(|p| p.truncate()));
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
