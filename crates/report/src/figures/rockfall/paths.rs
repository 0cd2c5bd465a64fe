//! How far rocks run, and the profile of the first of them with its envelopes.

use glam::DVec2;
use klast_plot::{Axis, Colour, LineChart, Series, line_colour};
use klast_rockfall::Simulation;
use klast_rockfall_jobs::rockfall::paths::{Moment, Path};
use klast_rockfall_jobs::rockfall::result::Results;
use klast_rockfall_jobs::rockfall::stations::StationRow;
use klast_runs::error::{Outside as _, Result};

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
    sheet.figure(
        "runout.svg",
        &distribution(
            "Runout",
            "distance in plan [m]",
            runout,
            (1.0, (680, 220)),
            None,
        )?,
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
    let over = match results.stations.is_empty() {
        true => format!(
            "the first {} of {} rocks; the tables of barriers are over all",
            paths.len(),
            results.summary.seeded
        ),
        false => format!("all {} rocks, station by station", results.summary.seeded),
    };
    let caption = format!(
        "{first} trajectories over the ground along the mean direction of the rocks, with barriers where they stand on it. Maxima and \
         95 % lines are over {over}."
    );
    let svg = LineChart::panels(&profile(results)).outside()?;
    sheet.figure("trajectories.svg", &svg, &caption)
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

/// The section that the charts are drawn over.
struct Section {
    along: DVec2,
    /// Station of a point in map coordinates that is the zero of the axis.
    start: f64,
    /// Middle of the releases, in map coordinates.
    middle: DVec2,
    label: &'static str,
}

impl Section {
    fn of(paths: &[Path]) -> Self {
        let (along, start) = direction(paths);
        let firsts: Vec<DVec2> = paths
            .iter()
            .filter_map(|p| p.moments.first().map(plan))
            .collect();
        let middle = firsts.iter().sum::<DVec2>() / firsts.len().max(1) as f64;
        // Along x a section is the profile itself: its axis is the station that the scene speaks of.
        let exact = (along.x - 1.0).abs() < 1e-6;
        Self {
            along,
            start: if exact { 0.0 } else { start },
            middle,
            label: if exact {
                "station x [m]"
            } else {
                "distance along the section [m]"
            },
        }
    }

    fn station(&self, p: DVec2) -> f64 {
        self.along.dot(p) - self.start
    }

    /// The ground along the section from one station to another, in map heights.
    fn ground(&self, simulation: &Simulation, (from, to): (f64, f64)) -> Vec<(f64, f64)> {
        let at = |k: usize| from + (to - from) * k as f64 / 400.0;
        let height = |station: f64| self.ground_at(simulation, station);
        (0..=400).map(|k| (at(k), height(at(k)))).collect()
    }

    /// The map height of the ground at a station (m).
    fn ground_at(&self, simulation: &Simulation, station: f64) -> f64 {
        let terrain = &simulation.scene().terrain;
        let origin = terrain.origin();
        let p =
            self.middle + self.along * (station - self.station(self.middle)) - origin.truncate();
        let surface = terrain.surface(p.x, p.y);
        surface.map_or(f64::NAN, |s| s.height + origin.z)
    }

    /// Where the section crosses a line, if it does.
    fn crossing(&self, line: &[DVec2]) -> Option<f64> {
        let across = self.along.perp();
        line.windows(2).find_map(|piece| {
            let side = |p: DVec2| across.dot(p - self.middle);
            let (a, b) = (side(piece[0]), side(piece[1]));
            let crosses = (a <= 0.0) != (b <= 0.0);
            crosses.then(|| self.station(piece[0].lerp(piece[1], a / (a - b))))
        })
    }
}

/// The slope from the side alone; none without trajectories.
pub fn from_the_side(results: &Results) -> Result<Option<String>> {
    let [side, ..] = profile(results);
    let drawn = results.paths.iter().any(|p| p.rock < results.written);
    let svg = || side.sized((680, 340)).svg().outside();
    drawn.then(svg).transpose()
}

/// Three charts over the section: from the side, heights over the ground, and energies.
fn profile(results: &Results) -> [LineChart; 3] {
    const GREY: Colour = Colour(165, 165, 165);
    const GROUND: Colour = Colour(110, 75, 35);
    let (paths, drawn) = (&results.paths[..], results.written);
    let section = Section::of(paths);
    let station = |m: &Moment| section.station(plan(m));
    let x = || Axis::new(section.label);
    let mut side = LineChart::new("From the side", x(), Axis::new("height [m]")).height(250);
    let mut over = LineChart::new(
        "Jump height: mass centre over the ground",
        x(),
        Axis::new("h [m]"),
    )
    .height(190);
    let mut energy = LineChart::new("Kinetic energy", x(), Axis::new("E [kJ]")).height(190);
    for (k, path) in paths.iter().filter(|p| p.rock < drawn).enumerate() {
        let label = if k == 0 { "trajectory" } else { "" };
        let of = |f: &dyn Fn(&Moment) -> f64| {
            let points = path.moments.iter().map(|m| (station(m), f(m))).collect();
            Series::line(label, points).thin().coloured(GREY)
        };
        side = side.with(of(&|m| m.z_m));
        over = over.with(of(&|m| height(m)));
        energy = energy.with(of(&|m| 1e-3 * path.energy(m)));
    }
    let stations = Stations::new(paths, &station);
    let maximum = |sorted: &[Vec<f64>]| {
        Series::line("maximum", stations.quantile(sorted, 1.0)).coloured(line_colour(1))
    };
    let ends = (
        stations.start,
        stations.start + stations.width * STATIONS as f64,
    );
    let ground = section.ground(&results.simulation, ends);
    let high = stations.of(paths, &station, |_, m| m.z_m);
    let highest = match results.stations.is_empty() {
        true => maximum(&high),
        false => {
            let line = side_of_all(results, &section);
            Series::line("ground and greatest height over it", line).coloured(line_colour(1))
        }
    };
    side = side.with(highest).with(
        Series::line("ground", ground.clone())
            .coloured(GROUND)
            .wide(3),
    );
    let heights = stations.of(paths, &station, |_, m| height(m));
    let energies = stations.of(paths, &station, |p, m| 1e-3 * p.energy(m));
    let lines = |values: &[Vec<f64>]| [1.0, 0.95].map(|share| stations.quantile(values, share));
    let (heights, energies) = match results.stations.is_empty() {
        true => (lines(&heights), lines(&energies)),
        false => (
            of_all(results, |s| [s.max_height_m, s.height_95_m]),
            of_all(results, |s| [s.max_energy_kj, s.energy_95_kj]),
        ),
    };
    for (chart, [most, high]) in [(&mut over, heights), (&mut energy, energies)] {
        let most = Series::line("maximum", most).coloured(line_colour(1));
        chart.series.push(most);
        chart
            .series
            .push(Series::dashed("95 %", high).coloured(line_colour(2)));
    }
    for (k, screen) in results.simulation.scene().collectors.iter().enumerate() {
        let Some(at) = section.crossing(&screen.line) else {
            continue;
        };
        let near = ground
            .iter()
            .min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs()));
        let foot = near.map_or(f64::NAN, |p| p.1);
        let (height, capacity) = screen
            .barrier
            .map_or((0.0, 0.0), |b| (b.height, 1e-3 * b.capacity));
        let colour = line_colour(4 + k);
        let top = |from: f64, to: f64| vec![(at, from), (at, to)];
        let drawn = if height > 0.0 {
            foot + height
        } else {
            foot + 2.0
        };
        side = side.with(
            Series::line(&screen.name, top(foot, drawn))
                .coloured(colour)
                .wide(5),
        );
        if screen.barrier.is_some() {
            over = over.with(
                Series::line(&format!("{}, its height", screen.name), top(0.0, height))
                    .coloured(colour)
                    .wide(5),
            );
            energy = energy.with(
                Series::line(
                    &format!("{}, its capacity", screen.name),
                    top(0.0, capacity),
                )
                .coloured(colour)
                .wide(5),
            );
        }
    }
    [side, over, energy]
}

/// The ground at the middle of each station and the greatest height over it of all rocks, in map heights: what is known
/// of all rocks from the side.
fn side_of_all(results: &Results, section: &Section) -> Vec<(f64, f64)> {
    let [heights, _] = of_all(results, |s| [s.max_height_m, None]);
    let over = |(at, h)| (at, section.ground_at(&results.simulation, at) + h);
    heights.into_iter().map(over).collect()
}

/// Two values of all rocks at the middle of each station.
fn of_all(
    results: &Results,
    values: impl Fn(&StationRow) -> [Option<f64>; 2],
) -> [Vec<(f64, f64)>; 2] {
    [0, 1].map(|k| {
        let rows = results.stations.iter();
        let point = |s: &StationRow| {
            let value = values(s).get(k).copied().flatten();
            (0.5 * (s.from_m + s.to_m), value.unwrap_or(f64::NAN))
        };
        rows.map(point).collect()
    })
}

/// Classes of distance along the profile.
struct Stations {
    start: f64,
    width: f64,
}

impl Stations {
    fn new(paths: &[Path], place: &dyn Fn(&Moment) -> f64) -> Self {
        let all = paths.iter().flat_map(|p| &p.moments).map(place);
        let (start, end) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), s| {
            (a.min(s), b.max(s))
        });
        Self {
            start,
            width: ((end - start) / STATIONS as f64).max(1e-9),
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
                let class = ((place(m) - self.start) / self.width).max(0.0) as usize;
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
        self.start + (class as f64 + 0.5) * self.width
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_runs::files::Memory;
    use klast_runs::{Run, Silent};
    use klast_scenes::Scene;
    use serde_json::json;
    use std::path::Path as Folder;

    const ROCKS: u64 = 300;
    const STATION: f64 = 5.0;
    const WRITTEN: u64 = 10;

    fn ground(x: f64) -> f64 {
        if x < 60.0 { 60.0 - x * 2.0 / 3.0 } else { 20.0 }
    }

    fn section() -> Box<Results> {
        let scene = json!({
            "schema": 1, "kind": "rockfall",
            "terrain": {"profile": {"points_m": [[0, 60], [60, 20], [200, 20]], "station_m": STATION}},
            "materials": [{
                "name": "rock", "normal_restitution": {"uniform": [0.3, 0.6]},
                "tangential_restitution": 0.9, "friction": 0.5
            }],
            "sources": [{
                "name": "cliff", "release": {"point": [5, 0]}, "rocks": ROCKS, "height_m": 2.0,
                "shapes": [{"shape": "sphere", "volume_m3": 1.0}],
                "velocity_m_s": [{"uniform": [0, 5]}, 0, 0]
            }],
            "engine": {"lumped_mass": {}},
            "write_trajectories": WRITTEN
        });
        let (scene, _) = Scene::parse(&scene.to_string(), Folder::new(".")).unwrap();
        let mut files = Memory::default();
        let mut run = Run::new(&Silent, &mut files);
        let results = scene.job().unwrap().run(&mut run).unwrap();
        run.end(results).results.take().unwrap()
    }

    /// Time between two looks at a rock (s), and what its height over the ground changes by in it at 20 m/s (m).
    const LOOK: f64 = 4e-4;
    const CHANGE: f64 = 8e-3;

    /// What each rock reaches at most at each station: height of the mass centre over the ground (m) and kinetic energy
    /// (kJ).
    fn counted(results: &Results) -> Vec<Vec<[f64; 2]>> {
        let simulation = &results.simulation;
        let origin = simulation.scene().terrain.origin();
        let mut found = vec![Vec::new(); 40];
        for rock in 0..ROCKS {
            let mut own = [[f64::NAN; 2]; 40];
            let mut looks = Vec::new();
            let result = simulation.rock(rock, &mut |arc| {
                let pieces = (arc.duration / LOOK).ceil().max(1.0);
                for k in 0..=pieces as u32 {
                    let t = arc.duration * f64::from(k) / pieces;
                    let p = arc.position_at(t) + origin;
                    let speed = arc.velocity_at(t).length_squared();
                    looks.push((p.x, p.z - ground(p.x), speed, arc.rotational_energy));
                }
            });
            for (x, height, speed, rotation) in looks {
                let energy = 1e-3 * (0.5 * result.mass * speed + rotation);
                let [h, e] = &mut own[(x / STATION) as usize];
                (*h, *e) = (h.max(height), e.max(energy));
            }
            for (station, most) in found.iter_mut().zip(own) {
                if most[0].is_finite() {
                    station.push(most);
                }
            }
        }
        found
    }

    /// The lines of the section are those of all its rocks, not of the 10 that are written nor of the 200 that paths
    /// are kept of: against a count of each rock at many moments. The ground bends between stations alone, so that what
    /// is left is the way between the last look and the border of a station.
    #[test]
    fn the_envelope_from_the_side_is_over_all_rocks_of_a_section() {
        let results = section();
        let counted = counted(&results);
        let side = side_of_all(&results, &Section::of(&results.paths));
        let most = of_all(&results, |s| [s.max_height_m, s.height_95_m]);
        let energies = of_all(&results, |s| [s.max_energy_kj, s.energy_95_kj]);
        let reached = counted.iter().filter(|rocks| !rocks.is_empty()).count();
        assert!(reached > 10 && results.stations.len() == reached);
        let mut beyond = 0;
        for (k, row) in results.stations.iter().enumerate() {
            let station = (row.from_m / STATION).round() as usize;
            let rocks = &counted[station];
            assert_eq!(row.rocks, rocks.len() as u64, "{row:?}");
            let sorted = |q: usize| {
                let mut values: Vec<f64> = rocks.iter().map(|most| most[q]).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            let (heights, kinetic) = (sorted(0), sorted(1));
            let last = rocks.len() - 1;
            let middle = (station as f64 + 0.5) * STATION;
            let right = ground(middle) + heights[last];
            assert!((side[k].0 - middle).abs() < 1e-9);
            assert!((side[k].1 - right).abs() < CHANGE, "{row:?} {right}");
            assert!((most[0][k].1 - heights[last]).abs() < CHANGE);
            assert!((energies[0][k].1 / kinetic[last] - 1.0).abs() < 1e-3);
            // Quantiles are known to 0.8 %, between two rocks.
            let rank = 0.95 * last as f64;
            let between = |values: &[f64], found: f64| {
                let (low, high) = (values[rank.floor() as usize], values[rank.ceil() as usize]);
                assert!(
                    (0.99 * low - CHANGE..1.01 * high + CHANGE).contains(&found),
                    "{row:?} {low} {high}"
                );
            };
            between(&heights, most[1][k].1);
            between(&kinetic, energies[1][k].1);
            // Stations that are decided by a rock beyond those that paths are kept of.
            let first = results.paths.iter().flat_map(|p| &p.moments);
            let here = first.filter(|m| (m.x_m / STATION) as usize == station);
            let of_paths = here.filter_map(|m| m.height_m).fold(f64::NAN, f64::max);
            beyond += usize::from(heights[last] > of_paths + 0.02);
        }
        assert!(beyond > 0, "{beyond}");
    }
}
