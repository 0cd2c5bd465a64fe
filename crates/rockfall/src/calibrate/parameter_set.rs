//! A set of parameters for rocks of several classes: they share the ground, and each class has its own drag and
//! sharpness.

use super::{GroundSet, Prior, Yielding};

/// One set of parameters for a campaign: a ground, and the drag and sharpness of each class of rock.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterSet {
    // The ground with the drag and sharpness of the first class.
    first: GroundSet,
    others: Vec<OfClass>,
}

/// What a class of rock has of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OfClass {
    /// Drag near the ground per mass, c_d/m (1/s).
    pub drag: f64,
    /// How sharp the rocks are.
    pub sharpness: f64,
}

impl From<GroundSet> for ParameterSet {
    /// A set for rocks of one class.
    fn from(first: GroundSet) -> Self {
        ParameterSet {
            first,
            others: Vec::new(),
        }
    }
}

impl ParameterSet {
    /// A set of one ground for several classes: `first` has the drag and sharpness of the first class, `others` those
    /// of the rest.
    pub fn with_classes(first: GroundSet, others: Vec<OfClass>) -> Self {
        ParameterSet { first, others }
    }

    /// Number of classes, 1 or more.
    pub fn classes(&self) -> usize {
        1 + self.others.len()
    }

    /// The parameters for rocks of a class by its number; `None` beyond the last.
    pub fn of_class(&self, class: usize) -> Option<GroundSet> {
        let Some(other) = class.checked_sub(1) else {
            return Some(self.first);
        };
        let own = self.others.get(other)?;
        Some(GroundSet {
            drag: own.drag,
            sharpness: own.sharpness,
            ..self.first
        })
    }
}

impl Prior {
    /// `count` sets for a number of classes of rock (1 or more), spread evenly over the ranges, which are the same for
    /// each class: 5 dimensions of the ground, 2 of each class and, where the ground yields, 2 more of the ground. With
    /// one class the sets of [`Prior::sets`]. Up to [`super::MOST_CLASSES`] classes, or
    /// [`super::MOST_CLASSES_ON_YIELDING`], no two parameters go together in [`super::SETS`] sets.
    pub fn sets_by_class(&self, count: usize, classes: usize) -> Vec<ParameterSet> {
        let (a, b) = (self.lower, self.upper);
        let ends = |k: usize| match k % 2 {
            0 => (a.sharpness, b.sharpness),
            _ => (a.drag, b.drag),
        };
        // Behind those of the first class: drag and sharpness of each other.
        let further = 2 * classes.saturating_sub(1);
        let yielding = a.yielding.zip(b.yielding);
        let soft = yielding.map_or(0, |_| Yielding::NAMES.len());
        let dimensions = GroundSet::NAMES.len() + further + soft;
        let (a, b) = (a.values(), b.values());
        let pairs = a.into_iter().zip(b);
        let pairs: Vec<(f64, f64)> = pairs.chain((1..=further).map(ends)).collect();
        let golden = generalised_golden_ratio(dimensions);
        let set = |k: usize| {
            let mut power = 1.0;
            let mut share = || {
                power *= golden;
                (0.5 + (k + 1) as f64 / power).fract()
            };
            let mut values = pairs.iter().map(|(a, b)| a + (b - a) * share());
            let first =
                GroundSet::from_values(std::array::from_fn(|_| values.next().unwrap_or(0.0)));
            let rest: Vec<f64> = values.collect();
            let first = GroundSet {
                yielding: yielding.map(|ends| Yielding::between(ends, [share(), share()])),
                ..first
            };
            let own = |pair: &[f64]| match *pair {
                [drag, sharpness] => Some(OfClass { drag, sharpness }),
                _ => None,
            };
            ParameterSet::with_classes(first, rest.chunks(2).filter_map(own).collect())
        };
        (0..count).map(set).collect()
    }
}

/// The root of x^(d+1) = x + 1 above 1. Fractional parts of multiples of the powers of its inverse are spread evenly
/// over d dimensions for every count.
fn generalised_golden_ratio(dimensions: usize) -> f64 {
    let degree = (dimensions + 1) as f64;
    // From above the root Newton's method falls towards it; the last steps only change the last bit.
    let mut x = 2.0;
    for _ in 0..100 {
        let power = libm::pow(x, degree - 1.0);
        let next = x - (power * x - x - 1.0) / (degree * power - 1.0);
        if next >= x {
            break;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::super::{MOST_CLASSES, MOST_CLASSES_ON_YIELDING, SETS};
    use super::*;

    #[test]
    fn the_ratio_solves_its_equation() {
        // The golden ratio, the plastic number, and that of the seven dimensions of one class.
        for (dimensions, root) in [
            (1, 1.618_033_988_749_895),
            (2, 1.324_717_957_244_746),
            (7, 1.096_981_557_798_559_8),
        ] {
            let found = generalised_golden_ratio(dimensions);
            assert_eq!(found, root, "{dimensions}");
        }
    }

    /// The ranges of rigid ground, and σ over two decades.
    fn yielding() -> Prior {
        let [lower, upper] = [[50.0, 1000.0], [5000.0, 2200.0]].map(Yielding::from_values);
        let mut prior = Prior::default();
        (prior.lower.yielding, prior.upper.yielding) = (Some(lower), Some(upper));
        prior
    }

    /// Where σ and ρ lie in those ranges, σ by its logarithm.
    fn shares(own: Yielding) -> [f64; 2] {
        let [pressure, density] = own.values();
        [
            libm::log10(pressure / 50.0) / 2.0,
            (density - 1000.0) / 1200.0,
        ]
    }

    #[test]
    fn ground_that_yields_fills_its_ranges_evenly() {
        let prior = yielding();
        prior.validate().unwrap();
        let n = 400;
        let sets = prior.sets_by_class(n, 2);
        for d in 0..2 {
            for quarter in 0..4 {
                let inside = sets.iter().filter(|set| {
                    let own = set.of_class(1).unwrap().yielding;
                    assert_eq!(own, set.of_class(0).unwrap().yielding);
                    (4.0 * shares(own.unwrap())[d]) as usize == quarter
                });
                // As of the other parameters: random points would differ by 9.
                assert!(inside.count().abs_diff(n / 4) <= 9, "{d}");
            }
        }
        for bad in [
            (None, prior.upper.yielding),
            (prior.upper.yielding, prior.lower.yielding),
            (
                Some(Yielding::from_values([0.0, 1000.0])),
                prior.upper.yielding,
            ),
            (
                Some(Yielding::from_values([f64::NAN, 1000.0])),
                prior.upper.yielding,
            ),
            (
                prior.lower.yielding,
                Some(Yielding::from_values([5000.0, f64::INFINITY])),
            ),
        ] {
            let mut prior = prior;
            (prior.lower.yielding, prior.upper.yielding) = bad;
            assert!(prior.validate().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sets_of_one_class_are_those_without_classes() {
        let prior = Prior::default();
        let sets = prior.sets(50).into_iter().map(ParameterSet::from);
        assert_eq!(prior.sets_by_class(50, 1), sets.collect::<Vec<_>>());
    }

    #[test]
    fn classes_share_the_ground_and_fill_their_own_ranges() {
        let prior = Prior::default();
        let (n, classes) = (400, 3);
        let sets = prior.sets_by_class(n, classes);
        let (a, b) = (prior.lower.values(), prior.upper.values());
        for set in &sets {
            assert_eq!(set.classes(), classes);
            let first = set.of_class(0).unwrap().values();
            let last = set.of_class(2).unwrap().values();
            assert_eq!(first[..5], last[..5]);
            assert_eq!(set.of_class(3), None);
        }
        for class in 0..classes {
            for d in [5, 6] {
                for quarter in 0..4 {
                    let inside = sets.iter().filter(|s| {
                        let v = s.of_class(class).unwrap().values()[d];
                        (4.0 * (v - a[d]) / (b[d] - a[d])) as usize == quarter
                    });
                    // As in seven dimensions: random points would differ by 9.
                    assert!(inside.count().abs_diff(n / 4) <= 9, "{class} {d}");
                }
            }
        }
    }

    #[test]
    fn no_two_parameters_go_together_in_the_sets_that_are_tried() {
        let most = [
            (Prior::default(), MOST_CLASSES),
            (yielding(), MOST_CLASSES_ON_YIELDING),
        ];
        let numbers = |(prior, most)| (1..=most).map(move |classes| (prior, classes));
        for (prior, classes) in most.into_iter().flat_map(numbers) {
            let (a, b) = (prior.lower.values(), prior.upper.values());
            // Values between -1/2 and 1/2 over their range.
            let scaled = |v: f64, d: usize| (v - a[d]) / (b[d] - a[d]) - 0.5;
            let values = |set: &ParameterSet| -> Vec<f64> {
                let first = set.of_class(0).unwrap();
                let ground = first.values();
                let ground = (0..5).map(|d| scaled(ground[d], d));
                let own = (0..classes).flat_map(|class| {
                    let own = set.of_class(class).unwrap();
                    [scaled(own.drag, 5), scaled(own.sharpness, 6)]
                });
                let soft = first.yielding.into_iter().flat_map(shares);
                ground
                    .chain(own)
                    .chain(soft.map(|share| share - 0.5))
                    .collect()
            };
            let sets: Vec<_> = prior
                .sets_by_class(SETS, classes)
                .iter()
                .map(values)
                .collect();
            for one in 0..sets[0].len() {
                for other in 0..one {
                    let sum: f64 = sets.iter().map(|v| v[one] * v[other]).sum();
                    // The variance of even values over a range of 1 is 1/12.
                    let r = 12.0 * sum / SETS as f64;
                    // Of independent draws r has a standard error of 1/√n; one pair of 80 goes beyond 2.5.
                    let most = 2.5 / (SETS as f64).sqrt();
                    assert!(r.abs() < most, "{classes} classes, {one} {other}: {r}");
                }
            }
        }
    }
}
