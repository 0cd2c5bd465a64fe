use anyhow::Result;
use glam::DVec3;
use klast_dem::{Flight, Packing, Store, Voronoi, World};
use klast_plot::{
    Axis, Colour, Face, LineChart, ROCK, STEEL, Series, Solids, class_colour, ramp, stack,
};
use klast_sampling::{Purpose, Streams, open_uniform};

use super::plan::{RunSummary, StudyPlan, Variation};
use crate::Outcome;

/// Figures 3 to 8 of the paper from our own shots.
pub fn draw(
    plan: &StudyPlan,
    store: &Store,
    runs: &[RunSummary],
    outcome: &mut Outcome,
) -> Result<()> {
    outcome.draw(
        "voronoi",
        "Figure 3: a Voronoi tessellation, the cells before they are shrunk",
        tessellation()?,
    );
    if let Some(run) = runs.iter().find(|r| r.run.variation == Variation::Base) {
        let spec = run.run.packing()?;
        let (layer, _) = store.packing(&spec, |_| {})?;
        outcome.draw(
            "layer",
            "Figures 4 to 6: the layer at rest and the projectile before it",
            before(run, &layer)?,
        );
        outcome.draw(
            "instants",
            "Figure 7: the middle plane at four instants, coloured by speed",
            instants(run, &layer)?,
        );
    }
    outcome.draw(
        "histories",
        "Figure 8: velocity, resistance and deflections over time, one line a size",
        histories(plan, runs)?,
    );
    Ok(())
}

fn tessellation() -> Result<String> {
    let mut rng = Streams::new(1).rng(Purpose::Position, 3);
    let seeds: Vec<DVec3> = (0..120)
        .map(|_| {
            let mut draw = || open_uniform(&mut rng);
            DVec3::new(draw(), draw(), draw())
        })
        .collect();
    let mut picture = Solids::new("Voronoi cells");
    for (k, cell) in (0..).zip(Voronoi::new(DVec3::ZERO, DVec3::ONE, &seeds)?.cells) {
        let corner = |v: &u32| cell.vertices[*v as usize].to_array();
        picture.add(cell.faces.iter().map(|face| Face {
            corners: face.vertices.iter().map(corner).collect(),
            colour: class_colour(k % 8),
        }));
    }
    Ok(picture.svg()?)
}

/// Adds the bodies of a world that are kept.
fn add_bodies(
    picture: &mut Solids,
    world: &World,
    colour: impl Fn(usize) -> Colour,
    keep: impl Fn(usize) -> bool,
) {
    for (k, (p, m)) in world.particles().iter().zip(world.motions()).enumerate() {
        if !keep(k) {
            continue;
        }
        let pose = m.pose();
        let corner = |v: &u32| {
            pose.transform_point(p.shape.vertices()[*v as usize])
                .to_array()
        };
        picture.add((0..p.shape.facets().len()).map(|f| Face {
            corners: p.shape.facet_vertices(f).iter().map(corner).collect(),
            colour: colour(k),
        }));
    }
}

fn before(run: &RunSummary, layer: &Packing) -> Result<String> {
    let flight = Flight::new(layer, &run.run.variation.shot(run.mass)?)?;
    let projectile = layer.particles.len();
    let mut picture = Solids::new(&format!("Layer of {:.0} mm", run.run.size * 1e3));
    let colour = |k: usize| if k == projectile { STEEL } else { ROCK };
    add_bodies(&mut picture, flight.world(), colour, |_| true);
    Ok(picture.svg()?)
}

/// The half of the layer behind the plane of fire, seen from the side.
fn instants(run: &RunSummary, layer: &Packing) -> Result<String> {
    let projectile = layer.particles.len();
    let middle = 0.5 * layer.edges.y;
    let mut pictures = Vec::new();
    let mut times = [5e-4, 1.5e-3, 2.5e-3, 3.5e-3].into_iter().peekable();
    run.run.shoot(layer, run.mass, |flight| {
        let world = flight.world();
        if times.next_if(|t| world.time() >= *t).is_some() {
            let title = format!("t = {:.2} ms", world.time() * 1e3);
            let mut picture = Solids::new(&title);
            picture.eye = (-std::f64::consts::FRAC_PI_2, 0.0);
            let colour = |k: usize| match k == projectile {
                true => STEEL,
                // The scale ends at 50 m/s: few rocks are faster.
                false => ramp((world.motions()[k].velocity.length() / 50.0).min(1.0)),
            };
            let behind = |k: usize| k == projectile || world.motions()[k].position.y > middle;
            add_bodies(&mut picture, world, colour, behind);
            pictures.push(picture.svg()?);
        }
        Ok(())
    })?;
    Ok(stack(&pictures, 2))
}

fn histories(plan: &StudyPlan, runs: &[RunSummary]) -> Result<String> {
    let base: Vec<&RunSummary> = runs
        .iter()
        .filter(|r| r.run.variation == Variation::Base && r.run.seed == 1)
        .collect();
    let chart = |title: &str, y: &str, value: &dyn Fn(&klast_dem::Sample) -> f64| {
        let mut chart = LineChart::new(title, Axis::new("t [ms]"), Axis::new(y)).height(280);
        for run in &base {
            let points = run
                .history
                .iter()
                .map(|s| (s.time * 1e3, value(s)))
                .collect();
            let label = format!("{:.0} mm", run.run.size * 1e3);
            chart = chart.with(Series::line(&label, points));
        }
        chart
    };
    let layer = plan.runs.first().map_or(DVec3::ZERO, |r| r.layer);
    let title = format!("Velocity, layer {} × {} × {} m", layer.x, layer.y, layer.z);
    let pictures = [
        chart(&title, "speed [m/s]", &|s| s.velocity.length()),
        chart("Resistance", "F [MN]", &|s| s.resistance * 1e-6),
        chart("Deflection of the velocity", "angle [°]", &|s| {
            s.velocity_deflection.to_degrees()
        }),
        chart("Deflection of the axis", "angle [°]", &|s| {
            s.axis_deflection.to_degrees()
        }),
    ];
    Ok(LineChart::panels(&pictures)?)
}
