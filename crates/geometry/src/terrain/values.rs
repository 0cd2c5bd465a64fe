//! Numbers of the cells of a raster, in half of the memory where singles hold them all.

use std::ops::Range;

/// Numbers row by row; NaN where data are missing. Singles are read as the doubles that they are.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Singles.
    Single(Vec<f32>),
    /// Doubles.
    Double(Vec<f64>),
}

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Values::Double(values)
    }
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Single(all) => all.len(),
            Values::Double(all) => all.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One by its place; none behind the last.
    pub fn get(&self, place: usize) -> Option<f64> {
        match self {
            Values::Single(all) => all.get(place).copied().map(f64::from),
            Values::Double(all) => all.get(place).copied(),
        }
    }

    /// Some of them by their places.
    ///
    /// # Panics
    /// A place behind the last of them.
    #[inline]
    pub fn at<const N: usize>(&self, places: [usize; N]) -> [f64; N] {
        match self {
            Values::Single(all) => places.map(|k| f64::from(all[k])),
            Values::Double(all) => places.map(|k| all[k]),
        }
    }

    /// One number of several that follow each other.
    ///
    /// # Panics
    /// A place behind the last of them.
    #[inline]
    pub fn fold(&self, places: Range<usize>, from: f64, choose: impl Fn(f64, f64) -> f64) -> f64 {
        match self {
            Values::Single(all) => all[places]
                .iter()
                .fold(from, |a, b| choose(a, f64::from(*b))),
            Values::Double(all) => all[places].iter().fold(from, |a, b| choose(a, *b)),
        }
    }

    /// All of them in their order.
    pub fn iter(&self) -> impl Iterator<Item = f64> + Clone {
        (0..self.len()).filter_map(|k| self.get(k))
    }

    /// Puts something else in place of each; doubles, where one is no single.
    pub fn update(&mut self, new: impl Fn(usize, f64) -> f64) {
        if let Values::Single(all) = self {
            let single = |k: usize, value: f32| {
                let value = new(k, f64::from(value));
                value.is_nan() || f64::from(value as f32) == value
            };
            if all.iter().enumerate().all(|(k, value)| single(k, *value)) {
                for (k, value) in all.iter_mut().enumerate() {
                    *value = new(k, f64::from(*value)) as f32;
                }
                return;
            }
            *self = Values::Double(self.iter().collect());
        }
        if let Values::Double(all) = self {
            for (k, value) in all.iter_mut().enumerate() {
                *value = new(k, *value);
            }
        }
    }

    /// Puts numbers into places that follow each other; of singles, such as singles hold.
    ///
    /// # Panics
    /// A first place behind the last of them.
    pub fn put(&mut self, first: usize, new: impl IntoIterator<Item = f64>) {
        match self {
            Values::Single(all) => all[first..]
                .iter_mut()
                .zip(new)
                .for_each(|(v, n)| *v = n as f32),
            Values::Double(all) => all[first..].iter_mut().zip(new).for_each(|(v, n)| *v = n),
        }
    }

    /// Whether singles hold them all.
    pub fn are_single(&self) -> bool {
        self.iter().all(|v| v.is_nan() || f64::from(v as f32) == v)
    }
}

#[cfg(test)]
mod tests {
    use super::Values;

    #[test]
    fn singles_stay_singles_as_long_as_they_can() {
        let mut values = Values::Single(vec![1.5, -2.0, f32::NAN]);
        values.update(|k, v| if k == 1 { f64::NAN } else { 2.0 * v });
        assert!(matches!(&values, Values::Single(all) if all[0] == 3.0 && all[1].is_nan()));
        values.update(|_, v| 0.1 * v);
        assert!(matches!(&values, Values::Double(all) if all[0] == 0.1 * 3.0 && all[2].is_nan()));
        assert!(!values.are_single() && values.at([0, 0]) == [0.1 * 3.0; 2]);
    }
}
