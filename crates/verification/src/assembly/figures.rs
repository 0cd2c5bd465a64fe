//! The statements of Figures 9.2 to 9.4.

use std::f64::consts::TAU;

use anyhow::{Context as _, Result};
use klast_assembly::analysis::{ContactPoint, PeriodSearch, find_period, floquet};
use klast_assembly::{Assembly, Event};

use super::pictures;
use super::scene::{single, tuned};
use crate::{Context, Outcome, Table};

const SERIES: &str = "computed";

/// An impact: time in drive periods and the kinetic index after it.
#[derive(Debug, Clone, Copy)]
struct Impact {
    time: f64,
    index: f64,
}

/// Impacts during `periods`; of those slower than 1e-6 u0 Ω only the first of a sequence (a bounce that dies) counts.
fn impacts(start: &Assembly, e: f64, periods: f64) -> Result<Vec<Impact>> {
    let mut first = start.clone();
    first.record_events();
    first.advance_to(periods * TAU)?;
    let mut again = start.clone();
    let mut previous = 0.0;
    // The index after the kick at the release is that of the start: it comes before any time that a run could be
    // advanced to.
    let mut all = vec![Impact {
        time: 0.0,
        index: index(start, e)?,
    }];
    for event in first.take_events() {
        if let Event::Impact(c) = event
            && c.time > 0.0
            && (c.approach > 1e-6 || c.time > previous + 0.01 * TAU)
        {
            previous = c.time;
            again.advance_to((c.time + 1e-9).max(again.time()))?;
            all.push(Impact {
                time: c.time / TAU,
                index: index(&again, e)?,
            });
        }
    }
    Ok(all)
}

fn index(run: &Assembly, e: f64) -> Result<f64> {
    let v = run.state().first().context("one block")?.velocity;
    Ok((v / (1.0 + e)).powi(2))
}

fn highest(impacts: &[Impact]) -> f64 {
    impacts.iter().fold(0.0, |m, i| m.max(i.index))
}

fn period(start: &Assembly, transient: u64) -> Result<Option<u64>> {
    let mut run = start.clone();
    // A quarter period away from the impacts at whole periods.
    run.advance_to_section(transient)?;
    Ok(find_period(&mut run, &PeriodSearch::default())?.period)
}

fn word(period: Option<u64>) -> String {
    period.map_or_else(|| "none".to_owned(), |p| p.to_string())
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

pub fn run(_: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    elastic_against(&mut outcome)?;
    elastic_along(&mut outcome, context)?;
    plastic(&mut outcome)?;
    intermediate(&mut outcome)?;
    pictures::single_block(&mut outcome)?;
    Ok(outcome)
}

fn elastic_against(outcome: &mut Outcome) -> Result<()> {
    let name = "e=1 d_pi";
    let start = tuned(ContactPoint::Against, 1.0)?;
    let all = impacts(&start, 1.0, 100.0)?;
    let mut record = f64::NEG_INFINITY;
    let mut count = 0;
    for i in &all {
        if i.index > record + 1e-9 {
            record = i.index;
            if count < 4 {
                outcome.set(&format!("{name}/record {count}/time"), SERIES, i.time);
                outcome.set(&format!("{name}/record {count}/index"), SERIES, i.index);
            }
            count += 1;
        }
    }
    let top = highest(&all);
    outcome.set(&format!("{name}/highest in 100 T"), SERIES, top);
    outcome.set(&format!("{name}/period"), SERIES, word(period(&start, 0)?));
    let claim = if (5.0..=7.0).contains(&top) {
        "5 to 7".to_owned()
    } else {
        top.to_string()
    };
    outcome.set(&format!("{name}/claim: index up to 6"), SERIES, claim);
    outcome.note(format!(
        "e = 1, d_pi: largest kinetic index in 100 periods {top:.4}; chaotic"
    ));
    Ok(())
}

fn elastic_along(outcome: &mut Outcome, _: &Context) -> Result<()> {
    let name = "e=1 d_2pi";
    let start = tuned(ContactPoint::Along, 1.0)?;
    let all = impacts(&start, 1.0, 60.0)?;
    for (k, i) in all.iter().take(9).enumerate() {
        outcome.set(&format!("{name}/impact {k}/time"), SERIES, i.time);
        outcome.set(&format!("{name}/impact {k}/index"), SERIES, i.index);
    }
    let top = highest(&all);
    outcome.set(&format!("{name}/highest in 60 T"), SERIES, top);
    let found = period(&start, 0)?;
    outcome.set(&format!("{name}/period"), SERIES, word(found));
    outcome.set(
        &format!("{name}/claim: periodic"),
        SERIES,
        yes(found.is_some()),
    );
    outcome.set(
        &format!("{name}/claim: index never above 1"),
        SERIES,
        yes(top < 1.0 + 1e-9),
    );
    let mut run = start.clone();
    run.advance_to(3.2 * TAU)?;
    outcome.set(
        &format!("{name}/modulus"),
        SERIES,
        floquet(&run, 3)?.spectral_radius(),
    );
    let travel = start.free_travel();
    for change in [1e-4, -1e-4, 1e-3, -1e-3, 1e-2, -1e-2] {
        let detuned = single(travel * (1.0 + change), 1.0)?;
        let all = impacts(&detuned, 1.0, 3000.0)?;
        let key = format!(
            "{name}/detuned {}{:e}",
            if change > 0.0 { "+" } else { "-" },
            change.abs()
        );
        let key = key
            .replace("1e-4", "0.0001")
            .replace("1e-3", "0.001")
            .replace("1e-2", "0.01");
        outcome.set(&format!("{key}/highest in 3000 T"), SERIES, highest(&all));
        if let Some(first) = all.iter().find(|i| i.index > 1.01) {
            outcome.set(&format!("{key}/first above 1.01"), SERIES, first.time);
        }
    }
    Ok(())
}

fn plastic(outcome: &mut Outcome) -> Result<()> {
    for (name, point) in [
        ("e=0 d_pi", ContactPoint::Against),
        ("e=0 d_2pi", ContactPoint::Along),
    ] {
        let start = tuned(point, 0.0)?;
        let all = impacts(&start, 0.0, 60.0)?;
        for (k, i) in all.iter().take(6).enumerate() {
            outcome.set(&format!("{name}/impact {k}/time"), SERIES, i.time);
        }
        let top = highest(&all);
        outcome.set(&format!("{name}/highest in 60 T"), SERIES, top);
        let found = period(&start, 3)?;
        outcome.set(&format!("{name}/period"), SERIES, word(found));
        let claim = found.is_some() && top < 1.0 + 1e-9;
        outcome.set(
            &format!("{name}/claim: periodic and never above 1"),
            SERIES,
            yes(claim),
        );
    }
    Ok(())
}

fn intermediate(outcome: &mut Outcome) -> Result<()> {
    let e = 0.8;
    for (name, point) in [
        ("e=0.8 d_pi", ContactPoint::Against),
        ("e=0.8 d_2pi", ContactPoint::Along),
    ] {
        let start = tuned(point, e)?;
        let all = impacts(&start, e, 100.0)?;
        for (k, i) in all.iter().take(12).enumerate() {
            outcome.set(&format!("{name}/impact {k}/time"), SERIES, i.time);
            outcome.set(&format!("{name}/impact {k}/index"), SERIES, i.index);
        }
        outcome.set(&format!("{name}/highest in 100 T"), SERIES, highest(&all));
        outcome.set(
            &format!("{name}/share above 1 in 10 T"),
            SERIES,
            share_above(&all, 10.0),
        );
        // Between impacts the velocity is constant, so the index changes at impacts only.
        let last = all
            .windows(2)
            .filter(|w| w[0].index < 1.0 - 1e-12)
            .map(|w| w[1].time)
            .next_back();
        if let Some(last) = last {
            outcome.set(&format!("{name}/last below 1"), SERIES, last);
        }
        let found = period(&start, 200)?;
        outcome.set(&format!("{name}/period"), SERIES, word(found));
        let mut run = start.clone();
        run.advance_to_section(200)?;
        outcome.set(&format!("{name}/final index"), SERIES, index(&run, e)?);
        let multipliers = floquet(&run, 1)?;
        outcome.set(
            &format!("{name}/modulus"),
            SERIES,
            multipliers.spectral_radius(),
        );
        if let Some(m) = multipliers.multipliers.first() {
            outcome.set(&format!("{name}/multiplier re"), SERIES, m.re);
            outcome.set(&format!("{name}/multiplier im"), SERIES, m.im.abs());
        }
        if point == ContactPoint::Along {
            outcome.set(
                &format!("{name}/claim: not periodic"),
                SERIES,
                yes(found.is_none()),
            );
            let stays = all.iter().all(|i| i.index > 1.0 - 1e-12);
            outcome.set(
                &format!("{name}/claim: index stays above 1"),
                SERIES,
                yes(stays),
            );
        }
    }
    Ok(())
}

/// Share of the first `end` periods in which the index is above 1 (equal counts as not above).
fn share_above(impacts: &[Impact], end: f64) -> f64 {
    let mut above = 0.0;
    for (k, i) in impacts.iter().enumerate() {
        let until = impacts.get(k + 1).map_or(end, |n| n.time.min(end));
        if i.index > 1.0 + 1e-9 && until > i.time {
            above += until - i.time;
        }
    }
    above / end
}
