//! What a study of a rockfall answers.

use super::result::{EffectRow, Results};
use crate::rockfall::stations::StationRow;
use klast_runs::answer::{Answer, Figure, Judgement, counted, short};

/// An outcome in words, and its unit after a space.
fn outcome(name: &str) -> (String, &'static str) {
    const WORDS: [(&str, &str, &str); 6] = [
        ("runout_50_m", "the median runout", " m"),
        ("runout_95_m", "the 95 % runout", " m"),
        (
            "settled_fraction",
            "the fraction of the rocks that stop or are held",
            "",
        ),
        (
            "arrived_fraction",
            "the fraction of the rocks that arrives",
            "",
        ),
        ("energy_95_kj", "the 95 % energy", " kJ"),
        ("top_95_m", "the 95 % passing height", " m"),
    ];
    let (at, what) = match name.rsplit_once(": ") {
        Some((collector, what)) => (format!(" at '{collector}'"), what),
        None => (String::new(), name),
    };
    let known = WORDS.iter().find(|w| w.0 == what);
    let (words, unit) = known.map_or((what, ""), |w| (w.1, w.2));
    (format!("{words}{at}"), unit)
}

impl Results {
    /// The answer of the study: what a back analysis finds, else the number that matters most.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let most = self.most();
        let trials = counted(s.trials as u64, "trial");
        if s.method == "sections" {
            return self.of_sections();
        }
        let verdict = match (self.sentence(), most) {
            (Some(found), _) => found,
            (None, Some(e)) => {
                let (outcome, unit) = outcome(&e.outcome);
                format!(
                    "`{}` has the largest influence: over its range it changes {outcome} by {}{unit} on average ({trials}).",
                    e.key,
                    short(e.mean_absolute)
                )
            }
            (None, None) => format!("{trials}, and nothing to tell of them."),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: "studied".to_owned(),
            figures: [
                Figure::count("trials", s.trials),
                Figure::count("rocks of each", s.rocks),
                Figure::count("sets that are kept", s.retained),
            ],
        }
    }

    /// The section that is worst for each of runout, energy and height.
    fn of_sections(&self) -> Answer {
        let worst = |outcome: &str| {
            let rows = self.sections.iter().filter(|r| r.outcome == outcome);
            let found = rows.filter_map(|r| Some((r.section.as_str(), r.found?)));
            found.reduce(|a, b| if b.1 > a.1 { b } else { a })
        };
        let most = |of: fn(&StationRow) -> Option<f64>| {
            let rows = self.stations.iter();
            let found = rows.filter_map(|r| Some((r.section.as_str(), of(&r.station)?)));
            found.reduce(|a, b| if b.1 > a.1 { b } else { a })
        };
        let (runout, energy) = (worst("runout_95_m"), most(|s| s.max_energy_kj));
        let height = most(|s| s.max_height_m);
        let mut told = Vec::new();
        for (what, found, unit) in [
            ("run farthest", runout, "m (95 % runout)"),
            ("have most energy", energy, "kJ"),
            ("jump highest", height, "m"),
        ] {
            if let Some((section, value)) = found {
                told.push(format!(
                    "{what} on section '{section}', {} {unit}",
                    short(value)
                ));
            }
        }
        let s = &self.summary;
        let sections = counted(s.trials as u64, "section");
        let verdict = match told.is_empty() {
            true => format!("No rock moves on {sections}."),
            false => format!("Of {sections} rocks {}.", told.join("; they ")),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: "studied".to_owned(),
            figures: [
                Figure::new("largest 95 % runout", runout.map(|r| r.1), "m"),
                Figure::new("largest kinetic energy", energy.map(|r| r.1), "kJ"),
                Figure::new("greatest height over the ground", height.map(|r| r.1), "m"),
            ],
        }
    }

    /// The effect that is largest beside the largest value of its outcome: outcomes have units of their own.
    fn most(&self) -> Option<&EffectRow> {
        let part = |e: &EffectRow| e.mean_absolute / e.largest.max(f64::MIN_POSITIVE);
        let rows = self.effects.iter();
        rows.max_by(|a, b| part(a).total_cmp(&part(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_told_in_words_with_their_units() {
        let told = |name: &str| {
            let (words, unit) = outcome(name);
            format!("{words}|{unit}")
        };
        assert_eq!(told("runout_50_m"), "the median runout| m");
        assert_eq!(told("net: energy_95_kj"), "the 95 % energy at 'net'| kJ");
        assert_eq!(
            told("a: b: arrived_fraction"),
            "the fraction of the rocks that arrives at 'a: b'|"
        );
    }

    #[test]
    fn outcomes_of_different_units_are_compared_by_their_size() {
        let effect = |key: &str, outcome: &str, mean_absolute: f64, largest: f64| EffectRow {
            key: key.into(),
            outcome: outcome.into(),
            mean_absolute,
            largest,
            ..EffectRow::default()
        };
        // 10 kJ of 1000 are less than 40 m of 80.
        let results = Results {
            effects: vec![
                effect("density", "energy_95_kj", 10.0, 1000.0),
                effect("friction", "runout_50_m", 4.0, 80.0),
            ],
            ..Results::default()
        };
        assert_eq!(results.most().unwrap().key, "friction");
    }
}
