//! From event to event of the eight configurations.

use super::Config::{A3, B3};
use super::{Config, Dual, State};
use klast_ground_motion::Component;
use klast_numerics::ode::{Arrival, Dopri853, OdeOptions, OdeSystem};

struct Motion<'a> {
    dual: Dual,
    config: Config,
    base: &'a Component,
    until: f64,
}

impl Motion<'_> {
    /// ü by the law that holds before `until`.
    fn push(&self, t: f64) -> f64 {
        self.base
            .piece_at(t.min(self.until - 1e-9 * self.until.abs()))
            .acceleration(t)
    }
}

impl OdeSystem for Motion<'_> {
    fn dimension(&self) -> usize {
        4
    }
    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let (d1, d2) = self.dual.accelerations(
            self.config,
            y[0],
            y[0] + y[1],
            y[2],
            y[2] + y[3],
            self.push(t),
        );
        (dy[0], dy[1], dy[2], dy[3]) = (y[2], y[3], d1, d2 - d1);
    }
}

/// Time and configuration after each event, up to `end`, the first closing sequence or a quarter turn.
pub fn simulate(
    dual: Dual,
    base: &Component,
    start: (Config, State),
    end: f64,
) -> Vec<(f64, Config)> {
    let (mut config, mut s) = start;
    let mut t = 0.0;
    let mut events = Vec::new();
    let mut breaks: Vec<f64> = base
        .discontinuities()
        .into_iter()
        .filter(|at| *at > 0.0 && *at < end)
        .collect();
    breaks.push(end);
    for until in breaks {
        open_at_once(&dual, base, &mut config, &s, t, &mut events);
        while t < until {
            let motion = Motion {
                dual,
                config,
                base,
                until,
            };
            let mut slope = [0.0; 4];
            motion.derivative(t, &s, &mut slope);
            // A hop seen from its start, so that no step can jump over it.
            let hop = |angle: f64, rate: f64, turn: f64| {
                if angle == 0.0 && rate * turn < 0.0 {
                    -2.0 * rate / turn
                } else {
                    f64::INFINITY
                }
            };
            let short = 0.3 * hop(s[0], s[2], slope[2]).min(hop(s[1], s[3], slope[3]));
            let options = OdeOptions {
                max_step: short.min(0.05),
                first_step: Some(short.min(1e-3)),
                ..OdeOptions::default()
            };
            let mut method = Dopri853::new(4, options).expect("options");
            method.reset(t, &s).expect("a state");
            let base_down = |_: f64, y: &[f64]| y[0];
            let upper_down = |_: f64, y: &[f64]| y[1];
            let quarter = |_: f64, y: &[f64]| {
                std::f64::consts::FRAC_PI_2 - y[0].abs().max((y[0] + y[1]).abs())
            };
            let names: Vec<Config> = dual
                .reserves(config, &s, motion.push(t))
                .iter()
                .map(|(to, _)| *to)
                .collect();
            let reserve = |index: usize| {
                let motion = &motion;
                move |t: f64, y: &[f64]| {
                    dual.reserves(config, &[y[0], y[1], y[2], y[3]], motion.push(t))[index].1
                }
            };
            let releases: Vec<_> = (0..names.len()).map(reserve).collect();
            let mut watched: Vec<&dyn klast_numerics::ode::Event> =
                vec![&base_down, &upper_down, &quarter];
            for release in &releases {
                watched.push(release);
            }
            let arrival = method
                .advance(&motion, until, &watched)
                .expect("an integration");
            t = method.time();
            s.copy_from_slice(method.state());
            match arrival {
                Arrival::End => break,
                Arrival::Event { index: 2 } => return events,
                Arrival::Event {
                    index: index @ (0 | 1),
                } => {
                    let (to, v1, v2) = dual.impact(config, index == 1, &s);
                    let (v1, v2) = (dual.keeps[index] * v1, dual.keeps[index] * v2);
                    s[index] = 0.0;
                    let shut = matches!(to, A3 | B3);
                    if shut {
                        s[1] = 0.0;
                    }
                    (s[2], s[3]) = (v1, if shut { 0.0 } else { v2 - v1 });
                    config = to;
                    events.push((t, config));
                    if (index == 1 && s[3].abs() < 1e-9) || (index == 0 && s[2].abs() < 1e-9) {
                        return events;
                    }
                    open_at_once(&dual, base, &mut config, &s, t, &mut events);
                }
                Arrival::Event { index } => {
                    config = names[index - 3];
                    events.push((t, config));
                }
            }
        }
    }
    events
}

/// After a jump of forces a shut interface may be past its opening.
fn open_at_once(
    dual: &Dual,
    base: &Component,
    config: &mut Config,
    s: &State,
    t: f64,
    events: &mut Vec<(f64, Config)>,
) {
    let past = dual
        .reserves(*config, s, base.acceleration(t))
        .into_iter()
        .filter(|(_, reserve)| *reserve < 0.0)
        .min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((to, _)) = past {
        *config = to;
        events.push((t, to));
    }
}
