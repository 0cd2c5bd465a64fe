//! The cells of a raster that one rock comes to, and what it does in each.

use crate::arc::Arc;
use crate::heights::{Look, above, greatest, height_at};
use crate::raster::{CellVisit, RasterFrame};
use crate::visited::Visited;
use glam::DVec2;
use klast_geometry::terrain::Terrain;

/// A time of an arc at which it is looked at (s), and the height there (m) where it is known.
type Cut = (f64, Option<f64>);

/// Buffers that go from rock to rock.
#[derive(Debug, Default)]
pub(crate) struct FootprintWorkspace {
    /// Where an arc crosses borders of cells.
    borders: Vec<Cut>,
    /// Its ends, its borders and the looks that are on none, in order of time.
    cuts: Vec<Cut>,
    /// Where the heights of cuts are not known, and those of the ground there.
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

/// An end of a piece of an arc.
#[derive(Clone, Copy)]
struct End {
    look: Look,
    speed: f64,
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
        let mut workspace = std::mem::take(&mut self.workspace);
        workspace.cut(frame, arc, looks, terrain);
        let FootprintWorkspace {
            cuts,
            grounds,
            visited,
            ..
        } = &mut workspace;
        let mut grounds = grounds.iter();
        let mut at = |(t, known): Cut| {
            let height = known.unwrap_or_else(|| match grounds.next() {
                Some(ground) if !ground.is_nan() => above(arc.position_at(t).z, *ground),
                _ => height_at(arc, t, terrain),
            });
            End {
                look: Look::new(arc, (t, height)),
                speed: arc.velocity_at(t).length(),
            }
        };
        // A piece begins where the one before it ends.
        let mut begin: Option<End> = None;
        for cut in cuts.iter() {
            let end = at(*cut);
            let Some(first) = begin.replace(end) else {
                continue;
            };
            let middle = 0.5 * (first.look.time + cut.0);
            match frame.cell_at(arc.position_at(middle).truncate()) {
                Some(cell) => self.piece((cell, visited), arc, mass, [first, end]),
                None => self.last = None,
            }
        }
        self.workspace = workspace;
    }

    fn piece(
        &mut self,
        (cell, visited): (u32, &mut Visited),
        arc: &Arc,
        mass: f64,
        [begin, end]: [End; 2],
    ) {
        let speed = begin.speed.max(end.speed);
        let height = greatest(arc, begin.look, end.look).max(0.0);
        let energy = 0.5 * mass * speed * speed + arc.rotational_energy;
        let stays = self.last.filter(|k| self.visits[*k].cell == cell);
        let number = stays.unwrap_or_else(|| visited.number(cell, &self.visits));
        self.last = Some(number);
        match self.visits.get_mut(number) {
            Some(v) => {
                v.entries += u32::from(stays.is_none());
                (v.speed, v.energy, v.height) = (
                    v.speed.max(speed),
                    v.energy.max(energy),
                    v.height.max(height),
                );
            }
            None => self.visits.push(CellVisit {
                cell,
                entries: 1,
                speed,
                energy,
                height,
            }),
        }
    }
}

impl FootprintWorkspace {
    /// Cuts an arc at its looks (time, height) and at the borders of cells, and reads the ground where it has no look.
    fn cut(&mut self, frame: &RasterFrame, arc: &Arc, looks: &[(f64, f64)], terrain: &dyn Terrain) {
        borders(frame, arc, &mut self.borders);
        self.cuts.clear();
        join(&mut self.borders, looks, arc.duration, &mut self.cuts);
        let unknown = self.cuts.iter().filter(|cut| cut.1.is_none());
        self.places.clear();
        self.places
            .extend(unknown.map(|cut| arc.position_at(cut.0).truncate()));
        self.grounds.clear();
        terrain.heights(&self.places, &mut self.grounds);
    }
}

/// The times at which an arc crosses borders of cells, in order.
fn borders(frame: &RasterFrame, arc: &Arc, cuts: &mut Vec<Cut>) {
    cuts.clear();
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
            let times = across.crossings(corner + line * frame.cell);
            for t in times.into_iter().flatten() {
                cuts.push((t, None));
            }
            line += 1.0;
        }
    }
    // An unstable sort needs no memory; at equal times either cut gives the same height.
    cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
}

/// Borders and looks (time, height), both in order, as one list. A border has the height of a look there. A facet that
/// ends on a border is cut there once, or rounding would take the rock to and fro.
fn join(borders: &mut [Cut], looks: &[(f64, f64)], duration: f64, cuts: &mut Vec<Cut>) {
    let hair = 1e-12 * duration;
    let (mut listed, mut next) = (0, 0);
    for &(t, height) in looks {
        while borders.get(next).is_some_and(|b| b.0 < t - hair) {
            next += 1;
        }
        let mut is_border = false;
        for border in borders.iter_mut().skip(next) {
            if border.0 > t + hair {
                break;
            }
            (border.1, is_border) = (Some(height), true);
        }
        if is_border && t != 0.0 && t != duration {
            continue;
        }
        while let Some(border) = borders.get(listed).filter(|b| b.0 <= t) {
            cuts.push(*border);
            listed += 1;
        }
        cuts.push((t, Some(height)));
    }
    cuts.extend(borders.iter().skip(listed));
}
