//! Printed numbers, each counted once, by how they are met.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::compare::CellResult;
use crate::print::Shown;
use crate::printed::Met;
use crate::verdict::Verdict;

/// Distinct printed numbers or statements by how they are met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// All of them.
    pub of: usize,
    /// Met with the stated inputs, numbers to half a last printed digit.
    pub stated: usize,
    /// Met with more digits of an input.
    pub more_digits: usize,
    /// Met with fitted settings.
    pub fitted: usize,
    /// Not met.
    pub not: usize,
    /// Of those not met: within a stated tolerance that is wider than half a digit.
    pub within_tolerance: usize,
    /// Of those not met: the print is wrong.
    pub misprints: usize,
}

impl Distinct {
    /// Counts what the cells stand for, each place of a document once: by the cell that meets it best.
    #[must_use]
    pub fn new<'a>(
        cells: impl IntoIterator<Item = (&'a str, &'a CellResult)>,
        shown: Shown,
    ) -> Self {
        let mut best: BTreeMap<(&str, &str), (Met, Verdict)> = BTreeMap::new();
        for (document, cell) in cells {
            let Some(printed) = cell.printed.as_ref().filter(|p| p.shown == shown) else {
                continue;
            };
            let found = (printed.met, cell.verdict);
            let entry = best.entry((document, &printed.at)).or_insert(found);
            *entry = (*entry).min(found);
        }
        let mut count = Self::default();
        for (met, verdict) in best.into_values() {
            count.of += 1;
            *match met {
                Met::Stated => &mut count.stated,
                Met::MoreDigits => &mut count.more_digits,
                Met::Fitted => &mut count.fitted,
                Met::Not => &mut count.not,
            } += 1;
            if met == Met::Not {
                count.within_tolerance += usize::from(verdict == Verdict::Reproduced);
                count.misprints += usize::from(verdict == Verdict::Misprint);
            }
        }
        count
    }

    /// The four classes, in the order of [`Met::ALL`].
    #[must_use]
    pub fn classes(&self) -> [usize; 4] {
        [self.stated, self.more_digits, self.fitted, self.not]
    }

    /// Those that are met, with whatever inputs.
    #[must_use]
    pub fn met(&self) -> usize {
        self.of - self.not
    }

    /// The classes that are not empty, in words: `51 met with stated inputs, 91 with fitted settings, 25 not met`.
    #[must_use]
    pub fn words(&self) -> String {
        let part = |(met, n): (Met, usize)| (n > 0).then(|| format!("{n} {}", met.words()));
        let parts: Vec<_> = Met::ALL
            .into_iter()
            .zip(self.classes())
            .filter_map(part)
            .collect();
        let within = match self.within_tolerance {
            0 => None,
            n => Some(format!("{n} of these within a wider tolerance")),
        };
        let wrong = match self.misprints {
            0 => None,
            n => Some(format!("{n} wrong in print")),
        };
        let why: Vec<_> = [within, wrong].into_iter().flatten().collect();
        match why.is_empty() {
            true => parts.join(", "),
            false => format!("{} ({})", parts.join(", "), why.join(", ")),
        }
    }
}
