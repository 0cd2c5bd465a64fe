//! What a rockfall run answers: of its weakest barrier; without one, of its collectors; without those, of the runout.

use super::barriers::{self, Sheet};
use super::design::{self, Open, Verdict};
use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, counted, percent, short};

/// A barrier beside what it has seen.
struct Judged<'a> {
    sheet: &'a Sheet,
    /// How many rocks go round it, in words.
    beside: Option<String>,
    /// 95 % energy over capacity; none if no rock arrived.
    use_of_energy: Option<f64>,
    verdict: Verdict,
    /// Whether the ground is one of several that a calibration kept.
    calibrated: bool,
}

/// What is worse is more.
fn rank(judgement: Judgement) -> u8 {
    match judgement {
        Judgement::Fails => 2,
        Judgement::Undecided => 1,
        Judgement::Holds | Judgement::Measured => 0,
    }
}

/// What a verdict adds where many rocks did not come to rest.
pub fn lost_rocks(lost: u64, seeded: u64) -> String {
    let share = lost as f64 / seeded.max(1) as f64;
    match share > 0.01 {
        true => format!(
            " {} of the rocks left the map, ran out of time or are unresolved; the results do not include their further motion.",
            percent(share)
        ),
        false => String::new(),
    }
}

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let measured = self.worst_barrier();
        let measured = measured.map(|judged| {
            let mut answer = barrier(&judged, self.summary.seeded);
            answer.outcome += self.go_round(&judged.sheet.name);
            answer
        });
        let collector = || self.barriers.iter().max_by_key(|s| s.arrived);
        let design = self.design_answer();
        // The sentences of a design carry the caveat.
        let told = design.is_some();
        let mut answer = match (design, measured) {
            (Some(a), Some(b)) => {
                let (mut worse, other) = match rank(b.judgement) > rank(a.judgement) {
                    true => (b, a),
                    false => (a, b),
                };
                worse.verdict += &format!(" {}", other.verdict);
                worse
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => match collector() {
                Some(collector) => reached(collector, self.summary.seeded),
                None => self.runout_answer(),
            },
        };
        if let (Some(caveat), false) = (&self.caveat, told) {
            answer.verdict += &format!(" {caveat}");
        }
        let lost = self.summary.left_map + self.summary.timed_out + self.summary.unresolved;
        answer.verdict += &lost_rocks(lost, self.summary.seeded);
        answer
    }

    /// The answer of the barriers with a design, of which the worst decides.
    fn design_answer(&self) -> Option<Answer> {
        let rows = self.barrier_design.iter();
        let worst = rows.max_by_key(|row| rank(row.verdict.into()))?;
        Some(Answer {
            verdict: self.sentence().unwrap_or_default(),
            judgement: worst.verdict.into(),
            outcome: format!(
                "{} {}{}",
                worst.name,
                worst.verdict.word(),
                self.go_round(&worst.name)
            ),
            figures: [
                Figure::new(
                    "utilisation (design energy over capacity)",
                    worst.energy_utilisation,
                    "",
                ),
                Figure::new(
                    "utilisation (design height over height of the barrier)",
                    worst.height_utilisation,
                    "",
                ),
                Figure::count("rocks that arrive", worst.arrived),
            ],
        })
    }

    /// What a headline adds where many rocks go round a barrier.
    fn go_round(&self, name: &str) -> &'static str {
        let screens = &self.simulation.scene().collectors;
        let number = screens.iter().position(|s| s.name == name);
        let seen = number.and_then(|k| self.statistics.collectors.get(k));
        match seen.is_some_and(barriers::many_beside) {
            true => " with rocks beside it",
            false => "",
        }
    }

    /// Of the barriers without a design the one that fails by most, or holds by least: judged as by a design whose
    /// factors are all one.
    fn worst_barrier(&self) -> Option<Judged<'_>> {
        let screens = self
            .simulation
            .scene()
            .collectors
            .iter()
            .zip(&self.barriers);
        let designed = |name: &str| self.barrier_design.iter().any(|row| row.name == name);
        let judged = screens.enumerate().filter_map(|(number, (screen, sheet))| {
            let barrier = screen.barrier.as_ref()?;
            if designed(&screen.name) {
                return None;
            }
            let [energy, top] = design::seen_at(&self.statistics, number, 0.95);
            let demand = |open: Option<Open>, resistance: f64| {
                open.map(|o| design::judged(o.low, o.high, resistance))
            };
            let demands = [
                demand(energy, barrier.capacity),
                demand(top, barrier.height),
            ];
            Some(Judged {
                sheet,
                beside: self
                    .statistics
                    .collectors
                    .get(number)
                    .and_then(barriers::beside),
                use_of_energy: energy.map(|e| e.value / barrier.capacity),
                verdict: design::together(&demands, None),
                calibrated: self.statistics.sets.is_some(),
            })
        });
        judged.max_by(|a, b| {
            let (u, v) = (
                a.use_of_energy.unwrap_or(0.0),
                b.use_of_energy.unwrap_or(0.0),
            );
            rank(a.verdict.into())
                .cmp(&rank(b.verdict.into()))
                .then(u.total_cmp(&v))
        })
    }

    fn runout_answer(&self) -> Answer {
        let runout = &self.statistics.runout;
        let (half, far, most) = (
            runout.quantile(0.5),
            runout.quantile(0.95),
            runout.greatest(),
        );
        let metres = |x: Option<f64>| x.map_or("no".to_owned(), |x| format!("{} m", short(x)));
        let verdict = match half {
            Some(_) => format!(
                "Half of the rocks run {} or more in plan, one in twenty {} or more, the farthest {}.",
                metres(half),
                metres(far),
                metres(most)
            ),
            None => "No rock came to rest: there is no runout.".to_owned(),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: if half.is_some() {
                "come to rest"
            } else {
                "none comes to rest"
            }
            .to_owned(),
            figures: [
                Figure::new("median runout", half, "m"),
                Figure::new("95 % runout", far, "m"),
                Figure::new("largest runout", most, "m"),
            ],
        }
    }
}

fn barrier(judged: &Judged, seeded: u64) -> Answer {
    let sheet = judged.sheet;
    let name = &sheet.name;
    let passing = sheet.held.map(|held| {
        let passed = sheet.arrived.saturating_sub(held);
        passed as f64 / sheet.arrived.max(1) as f64
    });
    let use_of_energy = judged.use_of_energy;
    let figures = [
        Figure::new("utilisation (95 % energy over capacity)", use_of_energy, ""),
        Figure::new("arriving rocks that pass", passing.map(|p| 100.0 * p), "%"),
        Figure::new("freeboard at 95 %", sheet.clearance_95_m, "m"),
    ];
    let (Some(used), Some(passing)) = (use_of_energy, passing) else {
        return Answer {
            verdict: format!(
                "Undecided whether '{name}' holds: no rock of {} reaches it{}.",
                short(seeded as f64),
                judged
                    .beside
                    .as_ref()
                    .map_or(String::new(), |told| format!(", and {told}"))
            ),
            judgement: Judgement::Undecided,
            outcome: format!("no rock reaches {name}"),
            figures,
        };
    };
    let height = sheet
        .clearance_95_m
        .map_or(String::new(), |clearance| match clearance {
            c if c < 0.0 => format!(
                ", and the 95 % passing height exceeds the barrier by {} m",
                short(-c)
            ),
            c => format!(", and the freeboard at 95 % is {} m", short(c)),
        });
    let basis = format!(
        "95 % energy {} kJ (utilisation {}), {} of the {} pass{height}",
        short(sheet.energy_95_kj.unwrap_or(f64::NAN)),
        short((100.0 * used).round() / 100.0),
        percent(passing),
        match sheet.arrived {
            1 => "one rock that arrives".to_owned(),
            n => format!("{} rocks that arrive", short(n as f64)),
        },
    );
    let (mut verdict, outcome) = match judged.verdict {
        Verdict::Fails => (format!("'{name}' fails: {basis}."), "fails"),
        Verdict::Undecided => (
            format!(
                "Undecided whether '{name}' holds: {basis}, but {}{} leave open whether the 95 % energy is below its capacity and the 95 % height below its top.",
                counted(sheet.arrived, "rock"),
                if judged.calibrated {
                    " and the sets of the ground"
                } else {
                    ""
                }
            ),
            "is undecided",
        ),
        Verdict::Holds => (
            match &judged.beside {
                Some(told) => format!(
                    "'{name}' holds the rocks that arrive at it at the 95 % level, but {told}: {basis}."
                ),
                None => format!("'{name}' holds at the 95 % level: {basis}."),
            },
            "holds",
        ),
    };
    if let (Some(told), true) = (&judged.beside, judged.verdict != Verdict::Holds) {
        verdict += &format!(" In addition, {told}.");
    }
    Answer {
        verdict,
        judgement: judged.verdict.into(),
        outcome: format!("{name} {outcome}"),
        figures,
    }
}

fn reached(collector: &Sheet, seeded: u64) -> Answer {
    let name = &collector.name;
    let share = collector.arrived as f64 / seeded.max(1) as f64;
    let verdict = match (collector.arrived, collector.energy_95_kj) {
        (0, _) | (_, None) => format!("No rock of {} reaches '{name}'.", short(seeded as f64)),
        (_, Some(energy)) => {
            let bounds = match (collector.energy_95_low_kj, collector.energy_95_high_kj) {
                (Some(low), Some(high)) => format!("{} to {} kJ", short(low), short(high)),
                _ => "too few rocks to bound it".to_owned(),
            };
            format!(
                "{} of the rocks reach '{name}', 95 % of them with at most {} kJ (95 % confidence: {bounds}).",
                percent(share),
                short(energy)
            )
        }
    };
    Answer {
        verdict,
        judgement: Judgement::Measured,
        outcome: match collector.arrived {
            0 => format!("no rock reaches {name}"),
            _ => format!("rocks reach {name}"),
        },
        figures: [
            Figure::new("rocks that arrive", 100.0 * share, "%"),
            Figure::new("95 % energy", collector.energy_95_kj, "kJ"),
            Figure::new("95 % top height", collector.top_95_m, "m"),
        ],
    }
}
