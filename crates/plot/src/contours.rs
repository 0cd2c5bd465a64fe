//! Lines of equal height of a raster of points.

/// Heights at the middles of cells, row by row from the lowest y; what is not finite is a gap.
pub(crate) struct Field<'a> {
    pub columns: usize,
    pub values: &'a [f64],
}

/// A stretch of a line between two points, in cells: 0.5 is the middle of the first.
pub(crate) type Stretch = [(f64, f64); 2];

impl Field<'_> {
    fn at(&self, column: usize, row: usize) -> Option<f64> {
        let value = *self.values.get(row * self.columns + column)?;
        value.is_finite().then_some(value)
    }

    /// The stretches of the line at a level: linear along the sides of the triangles between four points.
    pub fn line(&self, level: f64) -> Vec<Stretch> {
        let rows = self.values.len() / self.columns.max(1);
        let mut found = Vec::new();
        for row in 0..rows.saturating_sub(1) {
            for column in 0..self.columns.saturating_sub(1) {
                self.square(column, row, level, &mut found);
            }
        }
        found
    }

    fn square(&self, column: usize, row: usize, level: f64, found: &mut Vec<Stretch>) {
        let corner = |dc: usize, dr: usize| {
            let place = ((column + dc) as f64 + 0.5, (row + dr) as f64 + 0.5);
            self.at(column + dc, row + dr).map(|z| (place, z - level))
        };
        let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        let [Some(a), Some(b), Some(c), Some(d)] = corners else {
            return;
        };
        for triangle in [[a, b, c], [a, c, d]] {
            let mut ends = Vec::with_capacity(2);
            for k in 0..3 {
                let ((p, f), (q, g)) = (triangle[k], triangle[(k + 1) % 3]);
                if (f < 0.0) != (g < 0.0) {
                    let s = f / (f - g);
                    ends.push((p.0 + s * (q.0 - p.0), p.1 + s * (q.1 - p.1)));
                }
            }
            if let [p, q] = ends[..] {
                found.push([p, q]);
            }
        }
    }

    /// Round levels between the lowest and the highest value, and how far they are apart.
    pub fn levels(&self, most: f64) -> (Vec<f64>, f64) {
        let ends = self.values.iter().filter(|z| z.is_finite());
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), z| {
            (a.min(*z), b.max(*z))
        });
        let least = (high - low) / most;
        if !(least > 1e-6 && least < 1e9) {
            return (Vec::new(), 0.0);
        }
        let decade = 10f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|k| k * decade);
        let step = steps
            .into_iter()
            .find(|s| *s >= least)
            .unwrap_or(10.0 * decade);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        ((first..=last).map(|k| k as f64 * step).collect(), step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_plane_is_straight() {
        // z = x in cells: the line at 1 stands at x = 1.
        let values: Vec<f64> = (0..12).map(|k| f64::from(k % 4) + 0.5).collect();
        let field = Field {
            columns: 4,
            values: &values,
        };
        let line = field.line(1.0);
        assert!(!line.is_empty());
        for (x, _) in line.into_iter().flatten() {
            assert!((x - 1.0).abs() < 1e-12, "{x}");
        }
        assert_eq!(
            field.levels(10.0),
            (vec![0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5], 0.5)
        );
    }
}
