//! Barriers and collectors of a scene.

use super::land::Land;
use super::scene::{self, Gate, Scene};
use super::scene_protection::Sweep;
use super::sources::points;
use super::{design, vectors};
use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec2;
use klast_files::shapes::Shape;
use klast_files::shapes::layers;
use klast_files::{Kind, Refusal};
use klast_rockfall::{Barrier, Collector, FlexibleBarrier};
use klast_runs::plausible;
use klast_runs::text::SceneText;

/// Barriers, then collectors.
pub fn screens(scene: &Scene, text: &SceneText, land: &Land) -> Result<Vec<Collector>> {
    let mut screens = Vec::new();
    for b in &scene.barriers {
        design::check(b)?;
        let mut made = barrier(&b.name, b.height_m, b.capacity_kj)?;
        made.flexible = b.flexible.map(|net| flexible(b, net)).transpose()?;
        screens.push(screen(&b.name, points(&b.line_m), Some(made)));
    }
    if let Some(file) = &scene.barriers_file {
        screens.extend(barriers_of_file(file, text, land)?);
    }
    let collectors = scene.collectors.iter();
    screens.extend(collectors.map(|c| screen(&c.name, points(&c.line_m), None)));
    for sweep in &scene.sweeps {
        screens.extend(swept(sweep)?);
    }
    if let Some(file) = &scene.collectors_file {
        let lines = vectors::lines(file, text, land, &[])?.into_iter();
        screens.extend(lines.map(|line| screen(&line.name, line.points, None)));
    }
    for gate in &scene.gates {
        screens.push(of_gate(gate)?);
    }
    Ok(screens)
}

fn screen(name: &str, line: Vec<DVec2>, barrier: Option<Barrier>) -> Collector {
    Collector {
        name: name.to_owned(),
        line,
        barrier,
    }
}

/// The net of a barrier, refused in the words and units of the scene.
fn flexible(barrier: &scene::Barrier, net: scene::Flexible) -> Result<FlexibleBarrier> {
    let name = &barrier.name;
    let (service, capacity) = (net.service_energy_kj, barrier.capacity_kj);
    ensure!(
        service > 0.0 && service.is_finite(),
        "barrier '{name}': flexible.service_energy_kj is {service}; accepted: above 0 kJ"
    );
    ensure!(
        service <= capacity,
        "barrier '{name}': flexible.service_energy_kj is {service}, above the maximum energy capacity_kj of {capacity}; accepted: above 0 kJ, up to {capacity} kJ"
    );
    let elongation = net.elongation_m;
    ensure!(
        elongation >= 0.0 && elongation.is_finite(),
        "barrier '{name}': flexible.elongation_m is {elongation}; accepted: 0 m or more"
    );
    let height = net.residual_height_fraction;
    ensure!(
        (0.0..=1.0).contains(&height),
        "barrier '{name}': flexible.residual_height_fraction is {height}; accepted: 0 to 1"
    );
    Ok(FlexibleBarrier {
        service_energy: 1e3 * service,
        elongation,
        residual_height: height,
    })
}

/// Lines of a file with `height_m` and `capacity_kj`.
fn barriers_of_file(file: &str, text: &SceneText, land: &Land) -> Result<Vec<Collector>> {
    let mut screens = Vec::new();
    for line in vectors::lines(file, text, land, &["height_m", "capacity_kj"])? {
        let number = |key: &str| {
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
            anyhow::Ok(number)
        };
        let limits = barrier(&line.name, number("height_m")?, number("capacity_kj")?)?;
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
    ensure!(
        (2..=200).contains(&sweep.places),
        "sweep '{}': places is {}; accepted: 2 to 200",
        sweep.name,
        sweep.places
    );
    Ok((1..=sweep.places).map(|place| {
        let moved = DVec2::from_array(sweep.shift_m) * f64::from(place - 1);
        let line = points(&sweep.line_m).into_iter().map(|p| p + moved);
        screen(&place_name(&sweep.name, place), line.collect(), None)
    }))
}

/// A gate of an earlier scene: a barrier or a collector.
fn of_gate(gate: &Gate) -> Result<Collector> {
    let barrier = match (gate.height_m, gate.capacity_kj) {
        (Some(height), Some(capacity)) => Some(barrier(&gate.name, height, capacity)?),
        (None, None) => None,
        _ => bail!(
            "gate '{}': accepted: both height_m and capacity_kj (a barrier) or neither (a collector)",
            gate.name
        ),
    };
    Ok(screen(&gate.name, points(&gate.line_m), barrier))
}

fn barrier(name: &str, height: f64, capacity_kj: f64) -> Result<Barrier> {
    let refuse = |key, found: f64, accepted| {
        format!("barrier '{name}': {key} is {found}; accepted: {accepted}")
    };
    ensure!(height > 0.0, refuse("height_m", height, "above 0"));
    // In J it must still be a number.
    ensure!(
        (0.0..=1e300).contains(&capacity_kj),
        refuse("capacity_kj", capacity_kj, "0 to 1e300")
    );
    Ok(Barrier {
        height,
        capacity: 1e3 * capacity_kj,
        flexible: None,
    })
}

/// The name of a place of a sweep, as its collector has it.
#[must_use]
pub fn place_name(sweep: &str, place: u32) -> String {
    format!("{sweep} {place}")
}
