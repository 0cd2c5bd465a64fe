//! What every run counts of its rocks.

use klast_rockfall::Results as Statistics;
use klast_runs::job::Run;

/// The count of rocks that ended in missing data within the terrain, by which parts hand it on.
const SWALLOWED: &str = "swallowed";

/// Counts how the rocks ended, and what the computation met.
pub fn tell_counts(run: &mut Run, statistics: &Statistics) {
    let account = &statistics.account;
    run.count("rocks", account.seeded);
    run.count("stopped", account.stopped);
    run.count("left_map", account.left_map);
    run.count("timed_out", account.timed_out);
    run.count("unresolved", account.unresolved);
    run.count("caught", account.caught.iter().sum::<u64>());
    run.count("unconverged", statistics.unconverged);
    run.count("energy_gains", statistics.energy_gains);
    run.count("energy_rises", statistics.energy_rises);
    run.count("forced_steps", statistics.forced);
    run.count("swinging", statistics.swinging);
}

/// Counts and warns of rocks that ended in missing data within the terrain.
pub fn tell_swallowed(run: &mut Run, swallowed: u64, of: u64) {
    if swallowed > 0 {
        run.count(SWALLOWED, swallowed);
        run.warning(&format!(
            "{swallowed} of {of} rocks ended where heights are missing inside the terrain: fill the holes, or take them for lost"
        ));
    }
}
