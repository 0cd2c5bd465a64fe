//! Who stays with whom after an impact.

use crate::chain::{Chain, ImpactRule};
use crate::event::Event;
use crate::groups::{Placement, place};
use crate::run::Run;

/// Makes clusters of the bodies of a chain: neighbours that do not part stay together.
pub(crate) fn regroup(run: &mut Run, chain: &Chain, heads: &[usize], at: Placement) {
    let n = run.model.len();
    let Some(&first) = heads.first() else { return };
    for &h in heads {
        if h > first {
            run.schedule.set(h, (f64::INFINITY, true));
        }
        run.schedule.set(n + 1 + h, (f64::INFINITY, true));
    }
    let bodies = chain.mass.len();
    let whole = run.model.rule == ImpactRule::Complementarity;
    let start_of = |k: usize| if whole { heads[k] } else { first + k };
    let last_block = run.state.clusters[heads[heads.len() - 1]].last;
    let mut k = 0;
    while k < bodies {
        let (mut mass, mut momentum) = (chain.mass[k], chain.mass[k] * chain.velocity[k]);
        let begin = k;
        k += 1;
        while k < bodies && chain.opening(k) <= run.model.cutoff {
            mass += chain.mass[k];
            momentum += chain.mass[k] * chain.velocity[k];
            k += 1;
        }
        let (a, z) = (
            start_of(begin),
            if k < bodies {
                start_of(k) - 1
            } else {
                last_block
            },
        );
        // One value stays exactly what it is; the mean of equal ones need not.
        let even = chain.velocity[begin..k]
            .iter()
            .all(|v| *v == chain.velocity[begin]);
        let v = if even {
            chain.velocity[begin]
        } else {
            momentum / mass
        };
        if k - begin > 1 && run.record.log.is_some() {
            let time = run.state.clock.epoch_start() + at.time;
            run.record.note(Event::Join {
                time,
                blocks: (a, z),
            });
        }
        place(
            &run.model,
            &mut run.state,
            &mut run.record,
            a,
            z,
            Placement { v, ..at },
        );
    }
}
