//! Section 9.3: the block of Figures 9.2 to 9.4 cut into four and eight, with and without gaps; phase planes of the
//! centroid and of the inertia index; the kick at the start stands in the list of events.

use std::f64::consts::TAU;

use anyhow::{Context as _, Result, bail};
use klast_assembly::analysis::{
    AssemblyIndices, ContactPoint, FirstCollision, IndexReference, history,
};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Event, Frequency, ImpactRule, Restitution,
    Start, StartVelocity,
};
use klast_plot::{Axis, LineChart, Series, stack};

use super::scene::tuned;
use crate::{Context, Outcome, Table};

/// A block of size 1 cut into `count`, in the basin d_π of the whole block, with equal gaps between the parts.
fn cut(count: usize, gap: f64, e: (f64, f64)) -> Result<Assembly> {
    let travel = FirstCollision::new(ContactPoint::Against, 0, e.0)?.ratio();
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU))?;
    let basin = Basin::new(1.0 + travel, motion, Restitution::new(e.0, e.1)?)?;
    let part = 1.0 / count as f64;
    let block = Block {
        size: part,
        mass: part,
        friction: 0.0,
    };
    let row = BlockRow::uniform(count, block)?;
    let mut start = Start::touching(count, StartVelocity::AtRest);
    for between in start.gaps.iter_mut().skip(1) {
        *between = gap;
    }
    Ok(Assembly::new(
        basin,
        &row,
        &start,
        ImpactRule::Complementarity,
    )?)
}

/// The value that a row asks for.
fn reached(run: &mut Assembly, time: f64, what: &str) -> Result<f64> {
    let reference = IndexReference::present(run);
    run.advance_to(time)?;
    let found = AssemblyIndices::of(run, &reference);
    Ok(match what {
        "centroid" => found.centroid,
        "inertia index" => found.inertia_index,
        "kinetic energy" => found.kinetic,
        other => bail!("row of '{other}'; accepted: centroid, inertia index, kinetic energy"),
    })
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let e = (
        table.input("restitution_wall")?,
        table.input("restitution_block")?,
    );
    let gap = table.input("gap")?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        // `4 gaps: centroid at 1 T`
        let Some((which, rest)) = row.id.split_once(": ") else {
            continue;
        };
        let Some((what, time)) = rest.split_once(" at ") else {
            continue;
        };
        let (count, kind) = which.split_once(' ').context("count and kind")?;
        let gap = if kind == "gaps" { gap } else { 0.0 };
        let mut run = cut(count.parse()?, gap, e)?;
        let periods: f64 = time.trim_end_matches(" T").parse()?;
        outcome.set(&row.id, "computed", reached(&mut run, periods * TAU, what)?);
    }
    whole(e, &mut outcome)?;
    kick(e, &mut outcome)?;
    pictures(e, gap, &mut outcome).map(|()| outcome)
}

/// Touching parts under the complementarity rule stay one block.
fn whole(e: (f64, f64), outcome: &mut Outcome) -> Result<()> {
    for count in [4, 8] {
        let (mut parts, mut one) = (cut(count, 0.0, e)?, tuned(ContactPoint::Against, e.0)?);
        let reference = (
            IndexReference::present(&parts),
            IndexReference::compact(&one),
        );
        let mut worst = 0.0_f64;
        for k in 1..=40 {
            let time = 0.25 * TAU * f64::from(k);
            parts.advance_to(time)?;
            one.advance_to(time)?;
            let a = AssemblyIndices::of(&parts, &reference.0).centroid;
            worst = worst.max((a - AssemblyIndices::of(&one, &reference.1).centroid).abs());
        }
        outcome.set(
            &format!("{count} touching against one block"),
            "computed",
            worst,
        );
    }
    Ok(())
}

/// The first event of a row that is pushed by its wall.
fn kick(e: (f64, f64), outcome: &mut Outcome) -> Result<()> {
    let mut run = cut(4, 0.0, e)?;
    run.record_events();
    run.advance_to(0.5)?;
    let first = run.take_events().into_iter().next();
    let (time, interface, approach) = match first {
        Some(Event::Impact(c)) => (c.time, c.interface as f64, c.approach),
        _ => (f64::NAN, f64::NAN, f64::NAN),
    };
    outcome.set("kick: time", "computed", time);
    outcome.set("kick: interface", "computed", interface);
    outcome.set("kick: speed of approach", "computed", approach);
    Ok(())
}

fn pictures(e: (f64, f64), gap: f64, outcome: &mut Outcome) -> Result<()> {
    for (figure, count) in [("figure-9.5", 4), ("figure-9.6", 8)] {
        let mut charts = Vec::new();
        for (title, gap) in [("touching", 0.0), ("with gaps", gap)] {
            let mut run = cut(count, gap, e)?;
            let reference = IndexReference::present(&run);
            let samples = history(&mut run, 6.0 * TAU, TAU / 100.0, &reference)?;
            let mut chart = LineChart::new(
                &format!("{count} parts, {title}"),
                Axis::new("t / T"),
                Axis::new("x / u0"),
            );
            for part in 0..count {
                let left = samples
                    .iter()
                    .filter_map(|s| Some((s.time / TAU, s.blocks.get(part)?.left)));
                chart = chart.with(Series::line("", left.collect()));
            }
            charts.push(chart.svg()?);
            if figure == "figure-9.5" && title == "with gaps" {
                planes(&samples, outcome)?;
            }
        }
        let caption = format!("The block cut into {count}: left edges");
        outcome.draw(figure, &caption, stack(&charts, 1));
    }
    Ok(())
}

/// Phase planes of the mass centre and of the inertia index; the rate of the index by differences of the samples.
fn planes(samples: &[klast_assembly::analysis::Sample], outcome: &mut Outcome) -> Result<()> {
    let centroid = samples
        .iter()
        .map(|s| (s.indices.centroid, s.indices.centroid_velocity))
        .collect();
    let chart = LineChart::new("Mass centre", Axis::new("x / u0"), Axis::new("x' / (u0 Ω)"))
        .with(Series::line("", centroid));
    outcome.draw(
        "plane-centroid",
        "Phase plane of the mass centre",
        chart.svg()?,
    );
    let index: Vec<(f64, f64)> = samples
        .windows(3)
        .map(|w| {
            let rate =
                (w[2].indices.inertia_index - w[0].indices.inertia_index) / (w[2].time - w[0].time);
            (w[1].indices.inertia_index, rate)
        })
        .collect();
    let most = index.iter().map(|p| p.0).fold(0.0, f64::max);
    let chart = LineChart::new(
        "Inertia index",
        Axis::new("index"),
        Axis::new("rate of the index"),
    )
    .with(Series::line("", index));
    outcome.draw(
        "plane-inertia",
        "Phase plane of the inertia index",
        chart.svg()?,
    );
    outcome.set(
        "plane: index leaves 1",
        "computed",
        if most > 1.0 { "yes" } else { "no" },
    );
    Ok(())
}
