//! How far rocks run, and the profile of the first of them with its envelopes.

use anyhow::Result;
use glam::DVec2;
use klast_plot::{Axis, Colour, LineChart, Series, line_colour, stack};
use klast_scenes::kinds::rockfall::paths::{Moment, Path};
use klast_scenes::kinds::rockfall::result::Results;

use super::distribution::distribution;
use crate::sheet::Sheet;

/// Classes of distance along the profile in which the envelopes are taken.
const STATIONS: usize = 80;

/// The distribution of the runout.
pub fn runout(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let runout = &results.statistics.runout;
    if runout.count() == 0 {
        return Ok(());
    }
    sheet.page.heading("Runout");
    sheet.figure(
        "runout.svg",
        &distribution("Runout", "distance in plan [m]", runout, 1.0, None)?,
        "Distance in plan from release to rest of the rocks that stopped or were caught.",
    )
}

/// The profile of the paths that are written, with the envelopes of all.
pub fn trajectories(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let (paths, written) = (&results.paths, results.written);
    let first = paths.iter().filter(|p| p.rock < written).count();
    if first == 0 {
        return Ok(());
    }
    sheet.page.heading("Trajectories");
    let caption = format!(
        "Paths of the first {first} rocks along the mean direction, and the envelopes of the first {}.",
        paths.len()
    );
    sheet.figure("trajectories.svg", &profile(paths, written)?, &caption)
}

fn plan(m: &Moment) -> DVec2 {
    DVec2::new(m.x_m, m.y_m)
}

fn height(m: &Moment) -> f64 {
    m.height_m.unwrap_or(f64::NAN)
}

/// The direction in plan in which the rocks go on the whole, and where the first of them starts along it.
fn direction(paths: &[Path]) -> (DVec2, f64) {
    let mut sum = DVec2::ZERO;
    for path in paths {
        if let (Some(first), Some(last)) = (path.moments.first(), path.moments.last()) {
            sum += plan(last) - plan(first);
        }
    }
    let along = sum.try_normalize().unwrap_or(DVec2::X);
    let start = paths
        .iter()
        .filter_map(|p| Some(along.dot(plan(p.moments.first()?))))
        .fold(f64::INFINITY, f64::min);
    (along, start)
}

/// Three charts over the distance along the mean direction: heights above sea, over the ground, and energies.
fn profile(paths: &[Path], drawn: u64) -> Result<String> {
    const GREY: Colour = Colour(150, 150, 150);
    const GROUND: Colour = Colour(120, 85, 40);
    let (along, start) = direction(paths);
    let place = |m: &Moment| along.dot(plan(m)) - start;
    let x = || Axis::new("distance [m]");
    let mut side = LineChart::new("Seen from the side", x(), Axis::new("z [m]"));
    let mut over = LineChart::new("Height over the ground", x(), Axis::new("h [m]"));
    let mut energy = LineChart::new("Kinetic energy", x(), Axis::new("E [kJ]"));
    for (k, path) in paths.iter().filter(|p| p.rock < drawn).enumerate() {
        let label = if k == 0 { "one rock" } else { "" };
        let of = |f: &dyn Fn(&Moment) -> f64| {
            let points = path.moments.iter().map(|m| (place(m), f(m))).collect();
            Series::line(label, points).thin().coloured(GREY)
        };
        side = side.with(of(&|m| m.z_m));
        over = over.with(of(&|m| height(m)));
        energy = energy.with(of(&|m| 1e-3 * path.energy(m)));
    }
    let stations = Stations::new(paths, &place);
    let ground = stations.of(paths, &place, |_, m| m.z_m - height(m));
    let (middles, low, high) = stations.band(&ground);
    let band = Series::band("ground below the paths", &middles, &low, &high);
    side = side.with(band.coloured(GROUND));
    let maximum = |sorted: &[Vec<f64>]| {
        Series::line("maximum", stations.quantile(sorted, 1.0)).coloured(line_colour(1))
    };
    let high = stations.of(paths, &place, |_, m| m.z_m);
    side = side.with(maximum(&high));
    let heights = stations.of(paths, &place, |_, m| height(m));
    let energies = stations.of(paths, &place, |p, m| 1e-3 * p.energy(m));
    for (chart, values) in [(&mut over, heights), (&mut energy, energies)] {
        let most = Series::dashed("95 %", stations.quantile(&values, 0.95));
        chart.series.push(maximum(&values));
        chart.series.push(most.coloured(line_colour(2)));
    }
    side.size.1 = 340;
    over.size.1 = 260;
    energy.size.1 = 260;
    Ok(stack(&[side.svg()?, over.svg()?, energy.svg()?], 1))
}

/// Classes of distance along the profile.
struct Stations {
    width: f64,
}

impl Stations {
    fn new(paths: &[Path], place: &dyn Fn(&Moment) -> f64) -> Self {
        let end = paths.iter().flat_map(|p| &p.moments).map(place);
        let end = end.fold(0.0, f64::max);
        Self {
            width: (end / STATIONS as f64).max(1e-9),
        }
    }

    /// What each rock reaches at most in each class.
    fn of(
        &self,
        paths: &[Path],
        place: &dyn Fn(&Moment) -> f64,
        value: impl Fn(&Path, &Moment) -> f64,
    ) -> Vec<Vec<f64>> {
        let mut all = vec![Vec::new(); STATIONS];
        for path in paths {
            let mut own = [f64::NAN; STATIONS];
            for m in &path.moments {
                let class = (place(m) / self.width).max(0.0) as usize;
                if let Some(most) = own.get_mut(class.min(STATIONS - 1)) {
                    *most = most.max(value(path, m));
                }
            }
            for (class, most) in all.iter_mut().zip(own) {
                if most.is_finite() {
                    class.push(most);
                }
            }
        }
        all.iter_mut()
            .for_each(|class| class.sort_by(f64::total_cmp));
        all
    }

    fn middle(&self, class: usize) -> f64 {
        (class as f64 + 0.5) * self.width
    }

    /// The value that a share of the rocks stays below, class by class; the line breaks where no rock passes.
    fn quantile(&self, sorted: &[Vec<f64>], share: f64) -> Vec<(f64, f64)> {
        let value = |values: &Vec<f64>| {
            let last = values.len().saturating_sub(1) as f64;
            values
                .get((share * last).ceil() as usize)
                .copied()
                .unwrap_or(f64::NAN)
        };
        let classes = sorted.iter().enumerate();
        classes.map(|(k, v)| (self.middle(k), value(v))).collect()
    }

    /// Middles of the classes that rocks pass, and the least and the largest value there.
    fn band(&self, sorted: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (mut middles, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for (k, values) in sorted.iter().enumerate() {
            if let (Some(a), Some(b)) = (values.first(), values.last()) {
                middles.push(self.middle(k));
                low.push(*a);
                high.push(*b);
            }
        }
        (middles, low, high)
    }
}
