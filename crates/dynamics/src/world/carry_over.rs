//! Contacts start from the impulses of the last step.

use super::contacts::WorldContact;
use glam::DVec3;

/// Contacts of one pair that can be told apart while they are matched; of more the last are matched by name alone.
const TOLD_APART: usize = 64;

/// Starts each contact from the impulse that the same features had in the last step. Where a corner has gone over an
/// edge in line with it, by as little as rounding, features have other names: what is left of a pair is matched by the
/// nearest point.
pub(super) fn carry_over(
    old: &[WorldContact],
    new: &mut [WorldContact],
    reach: impl Fn(&WorldContact) -> (DVec3, f64),
) {
    let mut k = 0;
    for of_pair in new.chunk_by_mut(|a, b| a.pair() == b.pair()) {
        let Some(pair) = of_pair.first().map(WorldContact::pair) else {
            continue;
        };
        while old.get(k).is_some_and(|o| o.pair() < pair) {
            k += 1;
        }
        let rest = old.get(k..).unwrap_or_default();
        let count = rest.iter().take_while(|o| o.pair() == pair).count();
        start_pair(&rest[..count], of_pair, &reach);
        k += count;
    }
}

/// The same for the contacts of one pair.
fn start_pair(
    old: &[WorldContact],
    new: &mut [WorldContact],
    reach: &impl Fn(&WorldContact) -> (DVec3, f64),
) {
    let (mut taken, mut named) = (0u64, 0u64);
    let mut k = 0;
    for (j, c) in new.iter_mut().enumerate() {
        while old.get(k).is_some_and(|o| o.feature < c.feature) {
            k += 1;
        }
        if let Some(o) = old.get(k).filter(|o| o.feature == c.feature) {
            c.impulse = o.impulse;
            taken |= bit(k);
            named |= bit(j);
        }
    }
    for (j, c) in new.iter_mut().enumerate().take(TOLD_APART) {
        if named & bit(j) != 0 {
            continue;
        }
        let free = old.iter().enumerate().take(TOLD_APART);
        let near = free.filter(|(k, _)| taken & bit(*k) == 0).map(|(k, o)| {
            let (point, within) = reach(o);
            (point.distance(c.point) - within, k)
        });
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, k)) = nearest.filter(|(beyond, _)| *beyond <= 0.0) {
            c.impulse = old[k].impulse;
            taken |= bit(k);
        }
    }
}

fn bit(k: usize) -> u64 {
    match k < TOLD_APART {
        true => 1 << k,
        false => 0,
    }
}
