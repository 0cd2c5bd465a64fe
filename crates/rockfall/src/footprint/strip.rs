//! An arc over a row of stations, from border to border, which it comes to in their order. A flight has few borders,
//! and over even ground its height is one parabola in time. A slide has many, between which no time is asked for.

use super::{Footprint, is_on_the_ground};
use crate::arc::{Arc, Motion};
use crate::cell_statistics::CellVisit;
use crate::heights::{greater, lesser};
use crate::raster::RasterFrame;
use glam::{DVec2, DVec3};

/// The borders of stations between the ends of an arc that does not turn round. A border belongs to the station ahead
/// of it, so an arc goes on in the station in which the last one ended.
struct Borders<'a> {
    frame: &'a RasterFrame,
    /// The number of the first one, and of the next one less that.
    first: i32,
    step: i32,
    count: i32,
}

impl<'a> Borders<'a> {
    fn of(frame: &'a RasterFrame, arc: &Arc) -> Self {
        let columns = frame.columns as i32;
        let number = |x: f64| (x - frame.corner.x) / frame.cell;
        let below = |x: f64| x as i32 - i32::from(x < f64::from(x as i32));
        let (from, to) = (number(arc.position.x), number(arc.end().x));
        // What begins on a border has left the station ahead of it where it goes back.
        let (first, step, count) = match from <= to {
            true => {
                let first = (below(from) + 1).max(0);
                (first, 1, below(to).min(columns) - first + 1)
            }
            false => {
                let first = (-below(-from) - 1).min(columns);
                (first, -1, first - below(to).max(-1))
            }
        };
        Borders {
            frame,
            first,
            step,
            count: count.max(0),
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
    /// What bends the arc (m/s²) bends its height.
    fn new(bend: f64, from: (f64, f64), to: (f64, f64)) -> Self {
        let (half, duration) = (0.5 * bend, to.0 - from.0);
        let rate = (to.1 - from.1) / duration - half * duration;
        let top = from.0 - rate / bend;
        let inside = bend < 0.0 && from.0 < top && top < to.0;
        Even {
            from,
            to,
            rate,
            half,
            top: if inside { top } else { f64::INFINITY },
        }
    }

    #[inline]
    fn height(&self, t: f64) -> f64 {
        let t = t - self.from.0;
        self.from.1 + (self.rate + self.half * t) * t
    }

    /// The greatest height.
    fn greatest(&self) -> f64 {
        let ends = greater(self.from.1, self.to.1);
        match self.top < f64::INFINITY {
            true => greater(self.height(self.top), ends),
            false => ends,
        }
    }
}

/// What an arc does from one border to the next.
#[derive(Clone, Copy)]
struct Piece {
    station: i32,
    speed: f64,
    height: f64,
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
            let borders = Borders::of(frame, arc);
            match arc.motion {
                Motion::Flight if borders.count == 0 => self.stay(&borders, (arc, looks), mass),
                Motion::Flight => self.fly(&borders, (arc, looks), mass),
                Motion::Contact => self.slide(&borders, arc, mass),
            }
        }
        is_even
    }

    /// A flight that comes to no border.
    fn stay(&mut self, borders: &Borders, (arc, looks): (&Arc, &[(f64, f64)]), mass: f64) {
        let ends = [arc.velocity, arc.velocity_at(arc.duration)].map(DVec3::length_squared);
        let speed = greater(ends[0], ends[1]).sqrt();
        let evens = looks.windows(2);
        let evens = evens.map(|pair| Even::new(arc.acceleration.z, pair[0], pair[1]));
        let piece = Piece {
            station: borders.station(-1),
            speed,
            height: evens.fold(0.0, |height, even| greater(even.greatest(), height)),
        };
        let energy = 0.5 * mass * speed * speed + arc.rotational_energy;
        self.pass(borders, &piece, energy, false);
    }

    #[inline(never)]
    fn fly(&mut self, borders: &Borders, (arc, looks): (&Arc, &[(f64, f64)]), mass: f64) {
        let hair = 1e-12 * arc.duration;
        let level = arc.velocity.x * arc.velocity.x + arc.velocity.y * arc.velocity.y;
        let speed_at = |t: f64| {
            let z = arc.velocity.z + arc.acceleration.z * t;
            (level + z * z).sqrt()
        };
        // A border at an end may be beyond it by rounding.
        let time = |border: i32| match border < borders.count {
            true => {
                let t = (borders.place(border) - arc.position.x) / arc.velocity.x;
                lesser(t, arc.duration)
            }
            false => f64::INFINITY,
        };
        let energy = |speed: f64| 0.5 * mass * speed * speed + arc.rotational_energy;
        let (mut border, mut is_new) = (0, false);
        let mut t = time(0);
        let mut piece = Piece {
            station: borders.station(-1),
            speed: speed_at(0.0),
            height: looks.first().map_or(0.0, |look| greater(look.1, 0.0)),
        };
        for pair in looks.windows(2) {
            let even = Even::new(arc.acceleration.z, pair[0], pair[1]);
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

    /// Along a straight line v² grows evenly with the way, and so with x.
    #[inline(never)]
    fn slide(&mut self, borders: &Borders, arc: &Arc, mass: f64) {
        let ends = [arc.velocity, arc.velocity_at(arc.duration)].map(DVec3::length_squared);
        let (least, most) = (lesser(ends[0], ends[1]), greater(ends[0], ends[1]));
        let from = arc.position.x;
        let rate = (ends[1] - ends[0]) / (arc.end().x - from);
        // A piece is fastest where it begins or where it ends.
        let fastest = borders.place(-i32::from(ends[0] > ends[1]));
        let first = ends[0] + rate * (fastest - from);
        let growth = rate * borders.frame.cell * f64::from(borders.step);
        let (before, columns) = (borders.station(-1), borders.frame.columns as i32);
        let visit = |k: i32| {
            // A slide that does not move along x has no growth that is a number.
            let square = greater(lesser(first + growth * f64::from(k), most), least);
            CellVisit {
                cell: (before + borders.step * k) as u32,
                entries: 1,
                speed: square.sqrt(),
                energy: 0.5 * mass * square + arc.rotational_energy,
                height: 0.0,
            }
        };
        let inside = |k: i32| (0..columns).contains(&(before + borders.step * k));
        let (mut k, stays) = (0, inside(borders.count));
        while k <= borders.count && (k == 0 || !stays || !self.is_new(borders, k - 1)) {
            self.last = inside(k).then(|| self.enter(borders.frame, visit(k)));
            k += 1;
        }
        if k <= borders.count {
            self.visits.extend((k..=borders.count).map(visit));
            self.last = Some(self.visits.len() - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::arc::{Arc, Motion};
    use crate::cell_statistics::CellVisit;
    use crate::footprint::Footprint;
    use crate::heights::Heights;
    use crate::raster::RasterFrame;
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
