//! Barriers and collectors of a scene.

use std::collections::HashMap;

use glam::DVec2;
use klast_rockfall::{Barrier, Collector, FlexibleBarrier};
use klast_runs::ensure;
use klast_runs::error::{Context as _, Result};

use super::ground_extent::Land;
use super::scene::{self, Scene};
use super::scene_protection::Sweep;
use super::sources::points;
use super::{design, vectors};
use klast_files::shapes::{Shape, layers};
use klast_files::{Kind, Refusal};
use klast_runs::faults::{Fault, Faults};
use klast_runs::plausible;
use klast_runs::text::SceneText;

/// Letters of the name of a barrier or collector, after which files are named.
const LONGEST_NAME: usize = 120;

/// Barriers, then collectors.
///
/// # Errors
/// Everything that is wrong with any of them.
pub fn screens(scene: &Scene, text: &SceneText, land: &Land) -> Result<Vec<Collector>, Faults> {
    let mut faults = Faults::default();
    let mut screens: Vec<Placed> = Vec::new();
    for (k, b) in scene.barriers.iter().enumerate() {
        let place = format!("barriers[{k}]");
        over_the_terrain(&points(&b.line_m), &place, land, &mut faults);
        let named = || format!("barrier '{}'", b.name);
        faults.take(&place, design::check(b).with_context(named));
        let limits = barrier(b.height_m, b.capacity_kj).with_context(named);
        let net = b.flexible.map(|net| flexible(b, net).with_context(named));
        let net = net.map(|net| faults.take(&place, net));
        if let Some(mut made) = faults.take(&place, limits) {
            made.flexible = net.flatten();
            let screen = screen(&b.name, points(&b.line_m), Some(made));
            screens.push((format!("{place}.name"), screen));
        }
    }
    if let Some(file) = &scene.barriers_file {
        let read = barriers_of_file(file, text, land);
        let read = faults.take("barriers_file", read).into_iter().flatten();
        screens.extend(read.map(|screen| ("barriers_file".to_owned(), screen)));
    }
    for (k, c) in scene.collectors.iter().enumerate() {
        let line = points(&c.line_m);
        let place = format!("collectors[{k}]");
        over_the_terrain(&line, &place, land, &mut faults);
        screens.push((format!("{place}.name"), screen(&c.name, line, None)));
    }
    for (k, sweep) in scene.sweeps.iter().enumerate() {
        let place = format!("sweeps[{k}]");
        let swept = faults.take(&place, swept(sweep)).into_iter().flatten();
        screens.extend(swept.map(|screen| (place.clone(), screen)));
    }
    if let Some(file) = &scene.collectors_file {
        let lines = faults.take("collectors_file", vectors::lines(file, text, land, &[]));
        let lines = lines.into_iter().flatten();
        let screens_of = lines.map(|line| screen(&line.name, line.points, None));
        screens.extend(screens_of.map(|screen| ("collectors_file".to_owned(), screen)));
    }
    names(&screens, &mut faults);
    faults.or_all(|| Some(screens.into_iter().map(|(_, screen)| screen).collect()))
}

/// Refuses a line that lies beside the terrain.
fn over_the_terrain(line: &[DVec2], place: &str, land: &Land, faults: &mut Faults) {
    let extent = land.extent();
    let meets = |line: &[DVec2]| {
        let lower = line.iter().copied().reduce(DVec2::min);
        let both = lower.zip(line.iter().copied().reduce(DVec2::max));
        // What is not a number is refused by its own name.
        both.is_none_or(|(lower, upper)| {
            !(lower.cmpgt(extent.upper).any() || upper.cmplt(extent.lower).any())
        })
    };
    let turned: Vec<DVec2> = line.iter().map(|p| DVec2::new(p.y, p.x)).collect();
    faults.check(meets(line), || {
        let way = match meets(&turned) {
            true => vectors::EXCHANGED,
            false => "",
        };
        let found = "the line lies beside the terrain";
        let accepted = format!("a line over the terrain, {extent}{way}");
        Fault::new(format!("{place}.line_m"), found).accepted(accepted)
    });
}

/// The place in the scene that names a screen, and the screen.
type Placed = (String, Collector);

/// Files are named after barriers and collectors, and tables hold them by their names.
fn names(screens: &[Placed], faults: &mut Faults) {
    let mut known = HashMap::new();
    for (place, screen) in screens {
        let (name, letters) = (&screen.name, screen.name.chars().count());
        faults.check(letters <= LONGEST_NAME, || {
            let shown: String = name.chars().take(20).collect();
            let found = format!("the name '{shown}…' has {letters} letters");
            let most = format!("up to {LONGEST_NAME}: files are named after it");
            Fault::new(place, found).accepted(most)
        });
        let first = known.insert(name, place);
        faults.check(first.is_none(), || {
            let first = first.map(String::as_str).unwrap_or_default();
            Fault::new(place, format!("'{name}' is there twice, as at {first}"))
                .accepted("names of their own among barriers and collectors")
        });
    }
}

fn screen(name: &str, line: Vec<DVec2>, barrier: Option<Barrier>) -> Collector {
    Collector {
        name: name.to_owned(),
        line,
        barrier,
    }
}

/// The net of a barrier.
fn flexible(barrier: &scene::Barrier, net: scene::Flexible) -> Result<FlexibleBarrier, Faults> {
    let mut faults = Faults::default();
    let mut check = |holds: bool, key: &str, found: f64, accepted: &str| {
        let path = format!("flexible.{key}");
        faults.check(holds, || Fault::new(path, found).accepted(accepted));
    };
    let (service, capacity) = (net.service_energy_kj, barrier.capacity_kj);
    let most = format!("above 0 kJ, up to {capacity} kJ, the maximum energy capacity_kj");
    let good = service > 0.0 && service.is_finite() && service <= capacity;
    check(good, "service_energy_kj", service, &most);
    let (elongation, height) = (net.elongation_m, net.residual_height_fraction);
    let good = elongation >= 0.0 && elongation.is_finite();
    check(good, "elongation_m", elongation, "0 m or more");
    let good = (0.0..=1.0).contains(&height);
    check(good, "residual_height_fraction", height, "0 to 1");
    faults.or_all(|| {
        Some(FlexibleBarrier {
            service_energy: 1e3 * service,
            elongation,
            residual_height: height,
        })
    })
}

/// Lines of a file with `height_m` and `capacity_kj`.
fn barriers_of_file(file: &str, text: &SceneText, land: &Land) -> Result<Vec<Collector>> {
    let mut screens = Vec::new();
    for line in vectors::lines(file, text, land, &["height_m", "capacity_kj"])? {
        let number = |key: &str| -> Result<f64> {
            let number = line.shape.number(&[key]).transpose();
            let lacking = || format!("{}: {}", line.shape.name, line.shape.lacks(key));
            let number = number.unwrap_or_else(|| {
                let way = way_to_add(file, &line.shape, text);
                Err(Refusal::new(Kind::Missing, lacking()).accepting(format!("a number{way}")))
            });
            let number = number.with_context(|| file.to_owned())?;
            if let Some(said) = plausible::attribute("barriers", key, number) {
                text.caution(format!("{file}: {}: {said}", line.shape.name));
            }
            Ok(number)
        };
        let limits = barrier(number("height_m")?, number("capacity_kj")?);
        let limits = limits.with_context(|| format!("barrier '{}'", line.name))?;
        screens.push(screen(&line.name, line.points, Some(limits)));
    }
    Ok(screens)
}

/// The command that gives the lines of a file the attributes of a barrier that they lack, as those of drawings do.
fn way_to_add(file: &str, shape: &Shape, text: &SceneText) -> String {
    let all = [("height_m", "4"), ("capacity_kj", "1000")];
    let lacking: Vec<_> = all.into_iter().filter(|(key, _)| !shape.has(key)).collect();
    let bytes = text.read_bytes(file).unwrap_or_default();
    match layers::adding(file, &bytes, &lacking) {
        Some(command) if !lacking.is_empty() => {
            format!("; {command} adds such attributes to all lines, with the values that it states")
        }
        _ => String::new(),
    }
}

/// The positions of a line that is swept.
fn swept(sweep: &Sweep) -> Result<impl Iterator<Item = Collector>> {
    let places = || Fault::new("places", sweep.places).accepted("2 to 200");
    ensure!((2..=200).contains(&sweep.places), places());
    Ok((1..=sweep.places).map(|place| {
        let moved = DVec2::from_array(sweep.shift_m) * f64::from(place - 1);
        let line = points(&sweep.line_m).into_iter().map(|p| p + moved);
        screen(&place_name(&sweep.name, place), line.collect(), None)
    }))
}

fn barrier(height: f64, capacity_kj: f64) -> Result<Barrier, Faults> {
    let mut faults = Faults::default();
    faults.check(height > 0.0, || {
        Fault::new("height_m", height).accepted("above 0")
    });
    // In J it must still be a number.
    faults.check((0.0..=1e300).contains(&capacity_kj), || {
        Fault::new("capacity_kj", capacity_kj).accepted("0 to 1e300")
    });
    faults.or_all(|| {
        Some(Barrier {
            height,
            capacity: 1e3 * capacity_kj,
            flexible: None,
        })
    })
}

/// The name of a place of a sweep, as its collector has it.
#[must_use]
pub fn place_name(sweep: &str, place: u32) -> String {
    format!("{sweep} {place}")
}
