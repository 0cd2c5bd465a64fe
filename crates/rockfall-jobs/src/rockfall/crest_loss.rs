//! What the cells of a raster leave of the crest of an embankment, or of the depth of a ditch.

use glam::DVec2;
use klast_geometry::terrain::{Grid, Terrain};

use super::scene::{Earthwork, Form};
use klast_files::digits::short;
use klast_runs::text::SceneText;

/// Part of the stated height or depth that a raster may lose without a warning.
const SHARE_LOST: f64 = 0.05;

/// The crest of an embankment or the bed of a ditch, as stated and as it stands in a raster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crest {
    form: Form,
    /// Height or depth as stated (m).
    pub stated: f64,
    /// The least along the line in the raster (m).
    pub least: f64,
    /// Where that is, local coordinates (m).
    at: DVec2,
    /// Cells (m) that carry all but the share that may be lost, over plane ground.
    pub carried_by: f64,
}

impl Crest {
    /// Measures an earthwork: at each place of its line, farther from its ends than a cell and a half, the highest
    /// point (of a ditch the lowest) across the stated crest and half a cell to either side, over the ground that was
    /// under the line. `None` where the line is too short or the cross-section has no crest.
    pub fn of(work: &Earthwork, line: &[DVec2], before: &Grid, after: &Grid) -> Option<Crest> {
        let sign = match work.form {
            Form::Embankment => 1.0,
            Form::Ditch => -1.0,
        };
        let section = &work.cross_section_m;
        let stated = section.iter().map(|p| sign * p[1]).fold(0.0, f64::max);
        let (low, high) = wide(section, sign, stated)?;
        let (from, to) = wide(section, sign, (1.0 - SHARE_LOST) * stated)?;
        let middle = 0.5 * (low + high);
        let cell = after.cell();
        let across = (low - 0.5 * cell, high + 0.5 * cell);
        let places = places(line, 1.5 * cell, 0.5 * cell);
        let found = places.filter_map(|(p, left)| {
            let base = before.surface(p.x, p.y)?.height;
            let (right, left) = (p + left * across.0, p + left * across.1);
            let (mut facets, mut shares) = (Vec::new(), vec![0.0, 1.0]);
            after.breaks(right, left, &mut facets, &mut shares);
            let height = |share: f64| {
                let q = right.lerp(left, share);
                Some(sign * (after.surface(q.x, q.y)?.height - base))
            };
            let most = shares.into_iter().filter_map(height).reduce(f64::max)?;
            Some((most, p))
        });
        let (least, at) = found.min_by(|a, b| a.0.total_cmp(&b.0))?;
        // The facets under the middle of the crest reach no farther from it than their longest side.
        let carried_by = (middle - from).min(to - middle) / std::f64::consts::SQRT_2;
        let form = work.form;
        (stated > 0.0).then_some(Crest {
            form,
            stated,
            least,
            at,
            carried_by,
        })
    }

    /// Notes the crest, and warns of one that the raster does not carry.
    pub fn tell(&self, work: &Earthwork, grid: &Grid, text: &SceneText) {
        let what = match self.form {
            Form::Embankment => "crest",
            Form::Ditch => "depth",
        };
        let metres = |x: f64| short((x * 100.0).round() / 100.0);
        let at = self.at + grid.origin().truncate();
        let found = format!(
            "earthwork '{}': {what} of {} m in cells of {} m, {} m as stated; least at ({}, {}) m",
            work.name,
            metres(self.least),
            short(grid.cell()),
            short(self.stated),
            metres(at.x),
            metres(at.y)
        );
        if self.least >= (1.0 - SHARE_LOST) * self.stated {
            text.note(found);
            return;
        }
        // Rounded down, so that what is said holds.
        let digit = 10f64.powf(self.carried_by.log10().floor() - 1.0);
        let cell = (self.carried_by / digit).floor() * digit;
        text.note(found.clone());
        text.caution(format!(
            "{found}; a raster with cells of {} m or less carries it",
            short((cell * 1e9).round() / 1e9)
        ));
    }
}

/// The offsets from the first to the last at which a cross-section is at least so high.
fn wide(section: &[[f64; 2]], sign: f64, least: f64) -> Option<(f64, f64)> {
    let crossed = section.windows(2).flat_map(|w| {
        let (a, b) = (sign * w[0][1] - least, sign * w[1][1] - least);
        let crossing = (a < 0.0) != (b < 0.0);
        let between = crossing.then(|| w[0][0] + (w[1][0] - w[0][0]) * (a / (a - b)));
        let ends = [(a, w[0][0]), (b, w[1][0])];
        ends.into_iter()
            .filter_map(|(over, offset)| (over >= 0.0).then_some(offset))
            .chain(between)
    });
    crossed.fold(None, |span: Option<(f64, f64)>, x| match span {
        None => Some((x, x)),
        Some((low, high)) => Some((low.min(x), high.max(x))),
    })
}

/// Places along a line with the direction to its left, not nearer to its ends than a margin.
fn places(line: &[DVec2], margin: f64, spacing: f64) -> impl Iterator<Item = (DVec2, DVec2)> {
    let length: f64 = line.windows(2).map(|w| w[0].distance(w[1])).sum();
    let spacing = spacing.max(length * 1e-5);
    line.windows(2)
        .scan(0.0, move |before, w| {
            let begin = *before;
            let along = w[0].distance(w[1]);
            *before += along;
            Some((begin, along, w[0], w[1]))
        })
        .flat_map(move |(begin, along, a, b)| {
            let count = (along / spacing).ceil().max(1.0);
            let left = (b - a).normalize_or_zero().perp();
            (0..=count as u32).filter_map(move |k| {
                let share = f64::from(k) / count;
                let at = begin + share * along;
                let inside = at >= margin && at <= length - margin;
                inside.then(|| (a.lerp(b, share), left))
            })
        })
}
