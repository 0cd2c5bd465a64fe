//! Coefficients of restitution over the slenderness: figures 4.2, 4.6 and 4.21.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series, stack};
use klast_rocking::{RestitutionModel, RockingBlock};

use crate::Outcome;
use crate::rocking::inputs::eta;

/// η over h/b.
fn curve(model: RestitutionModel, from: f64, to: f64) -> Result<Vec<(f64, f64)>> {
    (0..=200)
        .map(|k| {
            let slenderness = from + (to - from) * f64::from(k) / 200.0;
            let block = RockingBlock::rectangle(1.0, slenderness, 9.81)?;
            Ok((slenderness, eta(&block, model)?))
        })
        .collect()
}

fn chart(title: &str) -> LineChart {
    LineChart::new(title, Axis::new("h/b"), Axis::new("η"))
}

/// Figures 4.2 and 4.6 with the measured (h/b, η).
pub(in crate::rocking) fn earlier_experiments(
    outcome: &mut Outcome,
    measured: &[(f64, f64)],
) -> Result<()> {
    let housner = curve(RestitutionModel::Housner, 1.5, 9.0)?;
    let dots = || Series::points("measured", measured.to_vec());
    let figure = chart("Housner's coefficient")
        .with(Series::line("η_H", housner.clone()))
        .with(dots());
    outcome.draw(
        "figure-4.2",
        "Figure 4.2: η_H and earlier experiments",
        figure.svg()?,
    );
    let mut figure = chart("Improved coefficient").with(Series::line("η_H (k = 1)", housner));
    for k in [0.25, 0.5, 0.75] {
        let model = RestitutionModel::Improved { k };
        figure = figure.with(Series::line(&format!("k = {k}"), curve(model, 1.5, 9.0)?));
    }
    let figure = figure.with(dots()).svg()?;
    outcome.draw(
        "figure-4.6",
        "Figure 4.6: η_M for several k and earlier experiments",
        figure,
    );
    Ok(())
}

/// The blocks of one scale: its name, the mean k and (h/b, η_RB) of each.
pub(in crate::rocking) struct Scale {
    pub(in crate::rocking) name: &'static str,
    pub(in crate::rocking) k: f64,
    pub(in crate::rocking) rigid: Vec<(f64, f64)>,
}

/// Figure 4.21: η_RB of the blocks of a scale beside η_M with the mean k of that scale.
pub(in crate::rocking) fn inverse_analysis(outcome: &mut Outcome, scales: &[Scale]) -> Result<()> {
    let mut pictures = Vec::new();
    for Scale { name, k, rigid } in scales {
        let model = RestitutionModel::Improved { k: *k };
        let figure = chart(&format!("Scale {name}"))
            .with(Series::line(
                &format!("η_M, k = {k:.4}"),
                curve(model, 1.4, 10.0)?,
            ))
            .with(Series::points("η_RB", rigid.clone()));
        pictures.push(figure.svg()?);
    }
    outcome.draw(
        "figure-4.21",
        "Figure 4.21: η_RB and η_M",
        stack(&pictures, 1),
    );
    Ok(())
}
