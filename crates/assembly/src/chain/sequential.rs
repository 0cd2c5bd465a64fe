//! Pairs of neighbours, one after the other.

use super::bodies::{Chain, MOST_PAIR_IMPACTS, Workspace};
use super::small_gaps::finish;
use crate::queue::EventQueue;

/// The lowest closing contact first.
pub(super) fn lowest_first(chain: &mut Chain, workspace: &mut Workspace) {
    let contacts = chain.contacts();
    let mut j = contacts.start;
    let mut done = 0;
    while j < contacts.end {
        if -chain.opening(j) <= chain.cutoff {
            j += 1;
            continue;
        }
        if done == MOST_PAIR_IMPACTS {
            chain.cut_off = true;
            break;
        }
        chain.collide(j);
        done += 1;
        // Only the neighbours of j have changed, and all below j − 1 were open.
        j = j.saturating_sub(1).max(contacts.start);
    }
    finish(chain, workspace);
}

/// The contact that closes fastest first, the lower of two equal ones.
pub(super) fn fastest_first(chain: &mut Chain, workspace: &mut Workspace) {
    let contacts = chain.contacts();
    let mut queue = EventQueue::new(chain.mass.len() + 1);
    let key = |chain: &Chain, j: usize| {
        let u = chain.opening(j);
        if -u > chain.cutoff { u } else { f64::INFINITY }
    };
    for j in contacts.clone() {
        queue.set(j, key(chain, j));
    }
    let mut done = 0;
    loop {
        let (j, u) = queue.first();
        if u == f64::INFINITY {
            break;
        }
        if done == MOST_PAIR_IMPACTS {
            chain.cut_off = true;
            break;
        }
        chain.collide(j);
        done += 1;
        for k in j.saturating_sub(1).max(contacts.start)..(j + 2).min(contacts.end) {
            queue.set(k, key(chain, k));
        }
    }
    finish(chain, workspace);
}
