//! Shifts between a datum and WGS 84 by three or seven parameters, each with its accuracy and its area of use.

use std::sync::LazyLock;

use glam::{DVec2, DVec3};

use super::datums::plain;

/// One shift of the registry.
pub struct Shift {
    /// Letters of the datum's name.
    datum: String,
    /// Code of the operation in the registry.
    pub code: u32,
    /// m.
    pub accuracy: f64,
    /// Translations (m), rotations of a position vector (seconds of arc), scale (parts per million).
    parameters: [f64; 7],
    /// Corners of the area of use (degrees); the west is above the east where it crosses the antimeridian.
    south_west: DVec2,
    north_east: DVec2,
}

/// Another shift is about as good up to this multiple of the accuracy.
const AS_GOOD: f64 = 2.0;

static SHIFTS: LazyLock<Vec<Shift>> = LazyLock::new(|| {
    let rows = include_str!("shifts.csv").lines();
    rows.skip_while(|line| !line.starts_with("datum,"))
        .skip(1)
        .filter_map(row)
        .collect()
});

fn row(line: &str) -> Option<Shift> {
    let mut cells = line.split(',');
    let datum = plain(cells.next()?, "greenwich");
    let code = cells.next()?.parse().ok()?;
    let numbers: Option<Vec<f64>> = cells.map(|cell| cell.parse().ok()).collect();
    let [
        accuracy,
        x,
        y,
        z,
        rx,
        ry,
        rz,
        scale,
        south,
        north,
        west,
        east,
    ] = numbers?[..]
    else {
        return None;
    };
    Some(Shift {
        datum,
        code,
        accuracy,
        parameters: [x, y, z, rx, ry, rz, scale],
        south_west: DVec2::new(west, south),
        north_east: DVec2::new(east, north),
    })
}

impl Shift {
    /// The most accurate shift of a datum at a longitude and latitude (degrees), of several the one of the smallest
    /// area, then the newest; and its accuracy there (m). An area of use is known by its bounds only, which overlap at
    /// borders: the accuracy is no better than the distance to where another shift that is about as good puts the
    /// place.
    pub fn best(datum: &str, at: DVec2) -> Option<(&'static Self, f64)> {
        let covering = || SHIFTS.iter().filter(|s| s.is_of(datum) && s.covers(at));
        let best = covering().min_by(|a, b| {
            ((a.datum != datum).cmp(&(b.datum != datum)))
                .then(a.accuracy.total_cmp(&b.accuracy))
                .then(a.area().total_cmp(&b.area()))
                .then(b.code.cmp(&a.code))
        })?;
        let as_good = covering().filter(|s| s.accuracy <= AS_GOOD * best.accuracy);
        let apart = as_good.map(|s| best.apart(s, at));
        Some((best, apart.fold(best.accuracy, f64::max)))
    }

    /// Horizontal distance (m) between the points at which two shifts put a place. The earth may be a sphere for it.
    fn apart(&self, other: &Self, at: DVec2) -> f64 {
        const RADIUS: f64 = 6.371e6;
        let [(sx, cx), (sy, cy)] = [at.x, at.y].map(|d| libm::sincos(d.to_radians()));
        let up = DVec3::new(cy * cx, cy * sx, sy);
        let between = self.moves(RADIUS * up) - other.moves(RADIUS * up);
        (between - up * up.dot(between)).length()
    }

    /// What the shift adds to a geocentric position (m).
    fn moves(&self, position: DVec3) -> DVec3 {
        let [x, y, z, rx, ry, rz, scale] = self.parameters;
        let turn = DVec3::new(rx, ry, rz) * (1.0_f64 / 3600.0).to_radians();
        DVec3::new(x, y, z) + turn.cross(position) + 1e-6 * scale * position
    }

    /// Of its area of use, in square degrees.
    fn area(&self) -> f64 {
        let size = self.north_east - self.south_west;
        let width = if size.x < 0.0 { size.x + 360.0 } else { size.x };
        width * size.y
    }

    /// Whether it is of a datum; the place of a meridian may stand behind the name.
    fn is_of(&self, datum: &str) -> bool {
        let behind = datum.strip_prefix(&self.datum);
        behind.is_some_and(|place| place.chars().all(|c| c.is_ascii_alphabetic()))
    }

    fn covers(&self, at: DVec2) -> bool {
        let (low, high) = (self.south_west, self.north_east);
        let along = match low.x <= high.x {
            true => (low.x..=high.x).contains(&at.x),
            false => at.x >= low.x || at.x <= high.x,
        };
        along && (low.y..=high.y).contains(&at.y)
    }

    /// A PROJ string with this shift in place of its own.
    pub fn put_into(&self, proj: &str) -> String {
        let numbers = self.parameters.map(|v| v.to_string()).join(",");
        // Parameters come before those that the name of a datum stands for.
        let others = proj
            .split_whitespace()
            .filter(|word| !word.starts_with("+towgs84="));
        let others: Vec<&str> = others.collect();
        format!("{} +towgs84={numbers}", others.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let lines = include_str!("shifts.csv").lines();
        let rows = lines.filter(|line| !line.starts_with(['#']) && !line.starts_with("datum,"));
        assert_eq!(SHIFTS.len(), rows.count());
        assert!(
            SHIFTS
                .iter()
                .all(|s| s.accuracy >= 0.0 && s.south_west.y <= s.north_east.y)
        );
    }

    /// From 170 east to 170 west are 20 degrees.
    #[test]
    fn an_area_across_the_antimeridian_is_as_wide_as_it_is() {
        let row = |west, east| row(&format!("D,1,1,0,0,0,0,0,0,0,-10,10,{west},{east}")).unwrap();
        assert!((row(170, -170).area() - 400.0).abs() < 1e-9);
        assert!((row(-20, 10).area() - 600.0).abs() < 1e-9);
    }

    /// Czechia and Slovakia have one datum and a shift each.
    #[test]
    fn a_shift_is_that_of_the_place() {
        let datum = "systemjednotnetrigonometrickesitekatastralni";
        let code = |x: f64, y: f64| Shift::best(datum, DVec2::new(x, y)).map(|s| s.0.code);
        assert_eq!(code(14.5, 50.0), Some(5239));
        assert_eq!(code(20.0, 48.7), Some(4836));
        assert_eq!(code(-100.0, 40.0), None);
        let ferro = format!("{datum}ferro");
        assert_eq!(
            Shift::best(&ferro, DVec2::new(14.5, 50.0)).map(|s| s.0.code),
            Some(5239)
        );
        // "Pulkovo 1942" is another datum than "Pulkovo 1942(58)".
        let romania = Shift::best("pulkovo194258", DVec2::new(25.0, 45.5));
        assert_eq!(romania.map(|s| s.0.code), Some(15_995));
        // Huelva lies within the bounds of Portugal: its shift is stated to 1 m, that of Spain, 11 m away, to 1.5 m.
        let (huelva, accuracy) =
            Shift::best("europeandatum1950", DVec2::new(-6.95, 37.26)).unwrap();
        assert_eq!((huelva.code, huelva.accuracy), (1989, 1.0));
        assert!((10.0..12.0).contains(&accuracy), "{accuracy}");
    }
}
