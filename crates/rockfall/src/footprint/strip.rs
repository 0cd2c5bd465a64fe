//! An arc over a row of stations, from border to border, which it comes to in their order. A flight has few borders,
//! and over even ground its height is one parabola in time. A slide has many, which are looked at side by side, in
//! loops without a branch.

use super::{Footprint, is_on_the_ground};
use crate::arc::{Across, Arc, Motion};
use crate::raster::{CellVisit, RasterFrame};
use glam::DVec2;

/// Cuts of a slide, its ends and borders, that are looked at side by side.
const CUTS: usize = 12;
type Cuts = [f64; CUTS];

/// The borders of stations between the ends of an arc that does not turn round.
struct Borders<'a> {
    frame: &'a RasterFrame,
    across: Across,
    /// The number of the first one, and of the next one less that.
    first: i32,
    step: i32,
    count: i32,
    /// Where the arc begins and ends, counted in stations.
    ends: [f64; 2],
}

impl<'a> Borders<'a> {
    fn of(frame: &'a RasterFrame, arc: &Arc) -> Self {
        let number = |x: f64| (x - frame.corner.x) / frame.cell;
        let (from, to) = (number(arc.position.x), number(arc.end().x));
        let forwards = from <= to;
        let (low, high) = if forwards { (from, to) } else { (to, from) };
        let up = |x: f64| x as i32 + i32::from(f64::from(x as i32) < x);
        // A border belongs to the station ahead of it: what ends there on its way back does not cross it.
        let low = if forwards { up(low) } else { 1 - up(-low) }.max(0);
        let high = (-up(-high)).min(frame.columns as i32);
        Borders {
            frame,
            across: arc.across(DVec2::X),
            first: if forwards { low } else { high },
            step: if forwards { 1 } else { -1 },
            count: (high - low + 1).max(0),
            ends: [from, to],
        }
    }

    #[inline]
    fn place(&self, border: i32) -> f64 {
        let line = f64::from(self.first) + f64::from(self.step) * f64::from(border);
        self.frame.corner.x + line * self.frame.cell
    }

    /// The number of the station behind a border, which may lie beside the frame.
    #[inline]
    fn station(&self, border: i32) -> i32 {
        self.first + self.step * border - i32::from(self.step < 0)
    }

    /// Whether the arc may begin or end on a border.
    fn touch_an_end(&self) -> bool {
        let last = self.first + self.step * (self.count - 1);
        let on = |x: f64, line: i32| (x - f64::from(line)).abs() <= 1e-9 * (1.0 + x.abs());
        on(self.ends[0], self.first) || on(self.ends[1], last)
    }

    /// Leaves out what a slide, by rounding, does not cross: a border on which it begins or ends.
    #[cold]
    fn leave_touched(&mut self, duration: f64) {
        // Where there is no crossing it is NaN.
        let crosses = |b: &Self, border: i32| {
            let t = b.across.bent_crossing(b.place(border));
            t > 0.0 && t <= duration
        };
        while self.count > 0 && !crosses(self, 0) {
            self.first += self.step;
            self.count -= 1;
        }
        while self.count > 0 && !crosses(self, self.count - 1) {
            self.count -= 1;
        }
    }
}

/// The way from one look (s, m) to the next, over even ground.
struct Even {
    from: (f64, f64),
    to: (f64, f64),
    /// How fast the height grows at its beginning (m/s), and half of what bends it (m/s²).
    rate: f64,
    half: f64,
    /// When it is highest between its ends; infinity where it is so at one of them.
    top: f64,
}

impl Even {
    fn new(arc: &Arc, from: (f64, f64), to: (f64, f64)) -> Self {
        let ground = |(t, height): (f64, f64)| arc.position_at(t).z - height;
        let rise = (ground(to) - ground(from)) / (to.0 - from.0);
        let bend = arc.acceleration.z;
        let rate = arc.velocity_at(from.0).z - rise;
        let top = from.0 - rate / bend;
        let inside = bend < 0.0 && from.0 < top && top < to.0;
        Even {
            from,
            to,
            rate,
            half: 0.5 * bend,
            top: if inside { top } else { f64::INFINITY },
        }
    }

    #[inline]
    fn height(&self, t: f64) -> f64 {
        let t = t - self.from.0;
        self.from.1 + (self.rate + self.half * t) * t
    }
}

/// What an arc does from one border to the next.
#[derive(Clone, Copy)]
struct Piece {
    station: i32,
    speed: f64,
    height: f64,
}

/// The greater of two numbers.
#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Footprint {
    /// Adds an arc with its heights at some times (s, m), and whether it did: a flight whose way in plan is even, or a
    /// slide, which does not turn round.
    pub(super) fn add_along(
        &mut self,
        frame: &RasterFrame,
        (arc, looks): (&Arc, &[(f64, f64)]),
        mass: f64,
    ) -> bool {
        let is_even = match arc.motion {
            Motion::Flight => {
                arc.acceleration.truncate() == DVec2::ZERO
                    && looks.iter().all(|look| !look.1.is_nan())
            }
            Motion::Contact => {
                looks.iter().all(|look| look.1 == 0.0)
                    && is_on_the_ground(arc)
                    && arc.turn(DVec2::X) == arc.duration
            }
        };
        if is_even {
            let mut borders = Borders::of(frame, arc);
            match arc.motion {
                Motion::Flight => self.fly(&borders, (arc, looks), mass),
                Motion::Contact => {
                    if borders.touch_an_end() {
                        borders.leave_touched(arc.duration);
                    }
                    self.slide(&borders, arc, mass);
                }
            }
        }
        is_even
    }

    #[inline(never)]
    fn fly(&mut self, borders: &Borders, (arc, looks): (&Arc, &[(f64, f64)]), mass: f64) {
        let hair = 1e-12 * arc.duration;
        let level = arc.velocity.x * arc.velocity.x + arc.velocity.y * arc.velocity.y;
        let speed_at = |t: f64| {
            let z = arc.velocity.z + arc.acceleration.z * t;
            (level + z * z).sqrt()
        };
        let time = |border: i32| match border < borders.count {
            true => borders.across.even_crossing(borders.place(border)),
            false => f64::INFINITY,
        };
        let energy = |speed: f64| 0.5 * mass * speed * speed + arc.rotational_energy;
        let (mut border, mut is_new) = (0, false);
        while time(border) <= 0.0 {
            border += 1;
        }
        let mut t = time(border);
        let mut piece = Piece {
            station: borders.station(border) - borders.step,
            speed: speed_at(0.0),
            height: looks.first().map_or(0.0, |look| greater(look.1, 0.0)),
        };
        for pair in looks.windows(2) {
            let even = Even::new(arc, pair[0], pair[1]);
            let mut top = even.top;
            while t <= even.to.0 {
                // What is at a look within rounding has its height: on the ground it is on it.
                let height = if t >= even.to.0 - hair {
                    even.to.1
                } else if t <= even.from.0 + hair {
                    even.from.1
                } else {
                    even.height(t)
                };
                let speed = speed_at(t);
                if top < t {
                    piece.height = greater(even.height(top), piece.height);
                    top = f64::INFINITY;
                }
                piece.speed = greater(speed, piece.speed);
                piece.height = greater(height, piece.height);
                self.pass(borders, &piece, energy(piece.speed), is_new);
                is_new = is_new || self.is_new(borders, border);
                piece = Piece {
                    station: borders.station(border),
                    speed,
                    height: greater(height, 0.0),
                };
                border += 1;
                t = time(border);
            }
            if top < f64::INFINITY {
                piece.height = greater(even.height(top), piece.height);
            }
            piece.height = greater(even.to.1, piece.height);
        }
        piece.speed = greater(speed_at(arc.duration), piece.speed);
        self.pass(borders, &piece, energy(piece.speed), is_new);
    }

    /// Enters a piece.
    #[inline]
    fn pass(&mut self, borders: &Borders, piece: &Piece, energy: f64, is_new: bool) {
        let frame = borders.frame;
        let inside = piece.station >= 0 && piece.station < frame.columns as i32;
        let visit = CellVisit {
            cell: piece.station as u32,
            entries: 1,
            speed: piece.speed,
            energy,
            height: piece.height,
        };
        if is_new && inside {
            self.last = Some(self.visits.len());
            self.visits.push(visit);
        } else {
            self.last = inside.then(|| self.enter(frame, visit));
        }
    }

    /// Whether the station behind a border, and with it all further ones, continues the list of visits.
    fn is_new(&self, borders: &Borders, border: i32) -> bool {
        let (Some(first), Some(last)) = (self.visits.first(), self.visits.last()) else {
            return true;
        };
        let (first, last, step) = (first.cell as i32, last.cell as i32, borders.step);
        first + step * (self.visits.len() as i32 - 1) == last
            && last + step == borders.station(border)
    }

    #[inline(never)]
    fn slide(&mut self, borders: &Borders, arc: &Arc, mass: f64) {
        let mut station = borders.station(0) - borders.step;
        let count = borders.count as usize;
        let columns = borders.frame.columns as i32;
        let (mut from, mut is_new) = (0, false);
        while from <= count {
            let (speeds, energies) = speeds(borders, arc, (from as i32, mass));
            let pieces = (count + 1 - from).min(CUTS - 1);
            let mut done = 0;
            let visit = |station: i32, k: usize| CellVisit {
                cell: station as u32,
                entries: 1,
                speed: speeds[k],
                energy: energies[k],
                height: 0.0,
            };
            while done < pieces && !is_new {
                let inside = station >= 0 && station < columns;
                let piece = inside.then(|| visit(station, done));
                self.last = piece.map(|piece| self.enter(borders.frame, piece));
                let next = (from + done) as i32;
                station = borders.station(next);
                // The last one may lie outside.
                let last = borders.station(borders.count - 1);
                is_new = self.is_new(borders, next) && last >= 0 && last < columns;
                done += 1;
            }
            let fresh =
                (done..pieces).map(|k| visit(station + borders.step * (k - done) as i32, k));
            self.visits.extend(fresh);
            if done < pieces {
                self.last = Some(self.visits.len() - 1);
                station += borders.step * (pieces - done) as i32;
            }
            from += pieces;
        }
    }
}

/// Greatest speeds and energies between the cuts of a slide from one on.
fn speeds(borders: &Borders, arc: &Arc, (from, mass): (i32, f64)) -> (Cuts, Cuts) {
    let mut cuts = [0.0; CUTS];
    for (time, border) in cuts.iter_mut().zip(from - 1..) {
        *time = borders.across.bent_crossing(borders.place(border));
    }
    // Speed along a straight line grows evenly.
    let speed = arc.velocity.length();
    let rate = match speed > 0.0 {
        true => arc.velocity.dot(arc.acceleration) / speed,
        false => arc.acceleration.length(),
    };
    if from == 0 {
        cuts[0] = 0.0;
    }
    if let Some(end) = cuts.get_mut((borders.count + 1 - from) as usize) {
        *end = arc.duration;
    }
    for cut in &mut cuts {
        *cut = speed + rate * *cut;
    }
    let (mut speeds, mut energies) = ([0.0; CUTS], [0.0; CUTS]);
    for k in 0..CUTS - 1 {
        speeds[k] = greater(cuts[k], cuts[k + 1]);
        energies[k] = 0.5 * mass * speeds[k] * speeds[k] + arc.rotational_energy;
    }
    (speeds, energies)
}

#[cfg(test)]
mod tests {
    use crate::arc::{Arc, Motion};
    use crate::footprint::Footprint;
    use crate::heights::Heights;
    use crate::raster::{CellVisit, RasterFrame};
    use glam::{DQuat, DVec2, DVec3};
    use klast_geometry::terrain::{Profile, Terrain};

    const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

    fn arc(position: DVec3, velocity: DVec3, acceleration: DVec3, duration: f64) -> Arc {
        Arc {
            time: 0.0,
            duration,
            position,
            velocity,
            acceleration,
            spin: DVec3::ZERO,
            attitude: [DQuat::IDENTITY; 2],
            rotational_energy: 3.0,
            motion: if acceleration == GRAVITY {
                Motion::Flight
            } else {
                Motion::Contact
            },
        }
    }

    /// Visits of some arcs, along stations or over a row of a raster.
    fn visits(arcs: &[Arc], terrain: &Profile, strip: bool) -> Vec<CellVisit> {
        let frame = RasterFrame {
            corner: DVec2::new(1.0, -1.0),
            cell: 2.5,
            columns: 30,
            rows: 1,
            strip,
        };
        let (mut footprint, mut heights) = (Footprint::default(), Heights::default());
        footprint.begin(Vec::new());
        for arc in arcs {
            heights.look(arc, terrain);
            footprint.add(&frame, (arc, &heights.looks), 2.0, terrain);
        }
        footprint.take()
    }

    /// Flights over a slope, a flat and a counter-slope, and slides that start, slow down and stop, both ways, also
    /// from the line of a border: against the cells of a raster, which are found by the middle of each piece.
    #[test]
    fn stations_are_those_of_a_row_of_cells() {
        let points = [(0.0, 40.0), (30.0, 10.0), (55.0, 10.0), (90.0, 30.0)].map(DVec2::from);
        let terrain = Profile::new(points.to_vec()).unwrap();
        let ground = |x: f64| terrain.surface(x, 0.0).unwrap();
        let on = |x: f64| DVec3::new(x, 0.0, ground(x).height);
        let mut ways: Vec<Vec<Arc>> = Vec::new();
        for k in 0..40 {
            let x = 2.0 + 2.0 * f64::from(k % 37);
            for vx in [-14.0, -3.0, 0.5, 6.0, 15.0] {
                let v = DVec3::new(vx, 0.0, 1.0 + f64::from(k % 7));
                // As long as it stays over the profile.
                let time = (1.0 + 0.05 * f64::from(k))
                    .min(0.9 * x / 14.0)
                    .min(0.9 * (90.0 - x) / 15.0);
                let there = arc(on(x) + DVec3::Z, v, GRAVITY, time);
                let end = there.end();
                let back = DVec3::new(-0.7 * vx, 0.0, 9.81 * 0.6 * time);
                ways.push(vec![there, arc(end, back, GRAVITY, 0.8 * time)]);
            }
        }
        for x in [3.0, 6.0, 11.7, 33.5, 36.0, 48.2, 70.0] {
            let normal = ground(x).normal;
            let down = DVec3::new(normal.z, 0.0, -normal.x);
            for (v, a, t) in [
                (0.0, 1.0, 3.0),
                (0.0, -1.0, 1.5),
                (4.0, -2.0, 2.0),
                (-5.0, 2.0, 1.0),
                (3.0, 0.5, 1.1),
            ] {
                ways.push(vec![arc(on(x), down * v, down * a, t)]);
            }
        }
        for way in &ways {
            let (found, expected) = (visits(way, &terrain, true), visits(way, &terrain, false));
            let cells = |list: &[CellVisit]| -> Vec<(u32, u32)> {
                list.iter().map(|v| (v.cell, v.entries)).collect()
            };
            assert_eq!(cells(&found), cells(&expected), "{way:?}");
            for (a, b) in found.iter().zip(&expected) {
                // Some roundings of numbers up to a hundred.
                let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * (100.0 + b);
                let same =
                    near(a.speed, b.speed) && near(a.energy, b.energy) && near(a.height, b.height);
                assert!(
                    same && (a.height == 0.0) == (b.height == 0.0),
                    "{a:?} {b:?} {way:?}"
                );
            }
        }
    }
}
