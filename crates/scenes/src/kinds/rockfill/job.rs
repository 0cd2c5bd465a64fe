//! One shot: the layer from the cache or made, the flight, its record and pictures.

use anyhow::Result;
use klast_dem::{Flight, Packing, PackingSpec, Penetration, Shot, Store};
use klast_plot::{Axis, Face, LineChart, ROCK, STEEL, Series, Solids, stack};

use super::frames::Frames;
use super::scene::Rockfill;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

struct RockfillJob {
    scene: Rockfill,
    count: usize,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Rockfill = text.parse()?;
    let (spec, _) = scene.convert()?;
    Ok(Box::new(RockfillJob {
        count: spec.count()?,
        scene,
    }))
}

/// The layer, from the cache or made with a display of how far it is.
pub fn layer(spec: &PackingSpec, session: &Session) -> Result<(Packing, bool)> {
    let store = Store::new(&Store::default_folder())?;
    let display = session.progress("layer [%]", 100);
    let mut told = 0;
    Ok(store.packing(spec, |p| {
        let percent = (100.0 * p.fraction) as u64;
        display.add(percent.saturating_sub(told));
        told = told.max(percent);
    })?)
}

impl RockfillJob {
    /// About the longest stable step: that of the smallest rock, twelve contacts on it.
    fn stable_step_us(&self) -> f64 {
        let (layer, contact) = (&self.scene.layer, &self.scene.contact);
        let size = layer.mean_size_mm * 1e-3 * (1.0 - layer.spread);
        let mass = layer.density_kg_per_m3 * std::f64::consts::PI / 6.0 * size.powi(3);
        let stiffness = contact
            .normal_stiffness_n_per_m
            .max(contact.tangential_stiffness_n_per_m);
        2e6 / (12.0 * stiffness / mass).sqrt()
    }
}

impl Job for RockfillJob {
    fn describe(&self) -> String {
        let (layer, shot) = (&self.scene.layer, &self.scene.shot);
        let (step, limit) = (shot.step_us, self.stable_step_us());
        let over = if step > limit { ": too long" } else { "" };
        format!(
            "rockfill: {} rocks of {} mm in {} x {} x {} m, a projectile of {} kg at {} m/s\n\
             step {step} µs, stable up to about {limit:.3} µs{over}",
            self.count,
            layer.mean_size_mm,
            layer.length_m,
            layer.width_m,
            layer.height_m,
            self.scene.projectile.mass_kg,
            shot.speed_m_per_s
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let mut scene = self.scene.clone();
        scene.layer.seed = session.seed.unwrap_or(scene.layer.seed);
        session.seed = Some(scene.layer.seed);
        let (spec, shot) = scene.convert()?;
        let (layer, _) = layer(&spec, session)?;
        let start = Flight::new(&layer, &shot)?;
        for warning in start.world().warnings() {
            session.warning(&warning.to_string());
        }
        session.picture(
            "layer.svg",
            &picture(&start)?,
            "The layer and the projectile before the shot.",
        )?;
        let result = fly(start, session)?;
        write(&layer, &spec, &shot, &result, session)
    }
}

fn fly(mut flight: Flight, session: &mut Session) -> Result<Penetration> {
    let display = session.progress("shot [%]", 100);
    let (mut told, mut frames) = (0, Frames::default());
    while !flight.is_over() {
        frames.take(&flight, session)?;
        flight.step()?;
        Session::go_on()?;
        let percent = (100.0 * flight.progress()) as u64;
        display.add(percent.saturating_sub(told));
        told = told.max(percent);
    }
    frames.finish(&flight, session)?;
    Ok(flight.result())
}

fn write(
    layer: &Packing,
    spec: &PackingSpec,
    shot: &Shot,
    result: &Penetration,
    session: &mut Session,
) -> Result<()> {
    let report = layer.report(&shot.rock_law)?;
    let header = [
        "time_s",
        "tip_m",
        "speed_m_per_s",
        "resistance_n",
        "velocity_deflection_deg",
        "axis_deflection_deg",
        "contacts",
        "energy_j",
    ];
    let rows = result.samples.iter().map(|s| {
        [
            s.time,
            s.tip,
            s.velocity.length(),
            s.resistance,
            s.velocity_deflection.to_degrees(),
            s.axis_deflection.to_degrees(),
            s.contacts as f64,
            s.energy,
        ]
        .map(|x| x.to_string())
    });
    session.output.csv("history.csv", &header, rows)?;
    session.picture(
        "history.svg",
        &charts(result)?,
        "Speed, resistance and deflection of the projectile.",
    )?;
    let figures = serde_json::json!({
        "rocks": report.rocks,
        "porosity": report.porosity,
        "coordination": report.coordination,
        "layer_hash": format!("{:016x}", spec.hash()),
        "strike_s": result.strike,
        "exit_s": result.exit,
        "residual_m_per_s": result.residual,
        "velocity_deflection_deg": result.velocity_deflection.to_degrees(),
        "axis_deflection_deg": result.axis_deflection.to_degrees(),
        "affected_radius_m": result.affected_radius,
        "mean_resistance_n": result.mean_resistance,
        "peak_resistance_n": result.peak_resistance,
        "steps": result.steps,
        "state_hash": format!("{:016x}", result.hash),
    });
    session.result(figures)?;
    session.count("rocks", report.rocks);
    session.count("steps", result.steps);
    session.count("residual_m_per_s", result.residual);
    if let (false, Some(exit)) = (session.options.quiet || session.options.json, result.exit) {
        crate::output::say(format_args!(
            "{} rocks, porosity {:.3}, {:.2} contacts a rock; through at {:.3} ms with {:.1} m/s",
            report.rocks,
            report.porosity,
            report.coordination,
            exit * 1e3,
            result.residual
        ))?;
    }
    Ok(())
}

fn picture(flight: &Flight) -> Result<String> {
    let world = flight.world();
    let projectile = world.particles().len() - 1;
    let mut picture = Solids::new("Layer and projectile");
    for (k, (p, m)) in world.particles().iter().zip(world.motions()).enumerate() {
        let pose = m.pose();
        let corner = |v: &u32| {
            pose.transform_point(p.shape.vertices()[*v as usize])
                .to_array()
        };
        picture.add((0..p.shape.facets().len()).map(|f| Face {
            corners: p.shape.facet_vertices(f).iter().map(corner).collect(),
            colour: if k == projectile { STEEL } else { ROCK },
        }));
    }
    Ok(picture.svg()?)
}

fn charts(result: &Penetration) -> Result<String> {
    let points = |value: &dyn Fn(&klast_dem::Sample) -> f64| {
        result
            .samples
            .iter()
            .map(|s| (s.time * 1e3, value(s)))
            .collect()
    };
    let time = || Axis::new("t [ms]");
    let speed = LineChart::new("Velocity", time(), Axis::new("speed [m/s]"))
        .with(Series::line("speed", points(&|s| s.velocity.length())));
    let force = LineChart::new("Resistance", time(), Axis::new("F [MN]"))
        .with(Series::line("resistance", points(&|s| s.resistance * 1e-6)));
    let angle = LineChart::new("Deflection", time(), Axis::new("angle [deg]"))
        .with(Series::line(
            "velocity",
            points(&|s| s.velocity_deflection.to_degrees()),
        ))
        .with(Series::line(
            "axis",
            points(&|s| s.axis_deflection.to_degrees()),
        ));
    Ok(stack(&[speed.svg()?, force.svg()?, angle.svg()?], 1))
}
