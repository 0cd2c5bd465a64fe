//! The cells of a raster that one rock comes to, and what it does in each.

use crate::arc::Arc;
use crate::heights::{Look, greatest, height_at};
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
    /// Looks at it that are on no border.
    looks: Vec<Cut>,
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
        borders(frame, arc, &mut workspace.borders);
        join(&mut workspace, looks, arc.duration);
        let at = |(t, known): Cut| {
            let height = known.unwrap_or_else(|| height_at(arc, t, terrain));
            End {
                look: Look::new(arc, (t, height)),
                speed: arc.velocity_at(t).length(),
            }
        };
        let FootprintWorkspace {
            borders,
            looks,
            visited,
        } = &mut workspace;
        // A piece begins where the one before it ends.
        let (mut begin, mut before) = (None, None);
        for cut in merged(borders, looks) {
            let Some(first) = begin.replace(cut) else {
                continue;
            };
            let middle = 0.5 * (first.0 + cut.0);
            match frame.cell_at(arc.position_at(middle).truncate()) {
                Some(cell) => {
                    let from = before.unwrap_or_else(|| at(first));
                    let to = at(cut);
                    before = Some(to);
                    self.piece((cell, visited), arc, mass, [from, to]);
                }
                None => (self.last, before) = (None, None),
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
        let mut line = low.ceil().max(0.0);
        while line <= high.min(limit) {
            let offset = frame.corner.dot(axis) + line * frame.cell;
            let times = arc.crossings(axis, offset).into_iter().flatten();
            cuts.extend(times.map(|t| (t, None)));
            line += 1.0;
        }
    }
    // An unstable sort needs no memory; at equal times either cut gives the same height.
    cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
}

/// Gives borders the heights of looks (time, height) there, both in order, and lists the other looks. A facet that ends
/// on a border is cut there once, or rounding would take the rock to and fro.
fn join(workspace: &mut FootprintWorkspace, looks: &[(f64, f64)], duration: f64) {
    let FootprintWorkspace {
        borders,
        looks: alone,
        ..
    } = workspace;
    alone.clear();
    let (count, hair) = (borders.len(), 1e-12 * duration);
    let mut next = 0;
    for &(t, height) in looks {
        while next < count && borders[next].0 < t - hair {
            next += 1;
        }
        let mut is_border = false;
        for border in borders[next..count].iter_mut() {
            if border.0 > t + hair {
                break;
            }
            (border.1, is_border) = (Some(height), true);
        }
        if !is_border || t == 0.0 || t == duration {
            alone.push((t, Some(height)));
        }
    }
}

/// Two lists in order of time as one.
fn merged<'a>(a: &'a [Cut], b: &'a [Cut]) -> impl Iterator<Item = Cut> + 'a {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(first), Some(second)) if second.0 < first.0 => b.next(),
        (Some(_), _) => a.next(),
        (None, _) => b.next(),
    })
}
