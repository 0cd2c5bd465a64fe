//! The job of a designer that the example makes: a public grid's size of terrain, two classes of ground of which one is
//! calibrated, a net with a design, a road.

#[path = "../examples/rockfall_job.rs"]
#[allow(dead_code, reason = "the example also runs on its own")]
mod job;

use klast_rockfall_jobs::rockfall::part::Part;
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_runs::files::Memory;
use klast_runs::shard::Shard;
use klast_runs::{Results, Run, Silent};
use klast_scenes::Scene;
use serde_json::{Value, json};
use std::path::Path;

/// A hundredth of the job.
const ROCKS: u64 = 100;

fn run<R: Results>(scene: &Value, folder: &Path, shard: Option<Shard>) -> Box<R> {
    let (scene, _) = Scene::parse(&scene.to_string(), folder).unwrap();
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    run.shard = shard;
    let results = scene.job().unwrap().run(&mut run).unwrap();
    run.end(results).results.take().unwrap()
}

#[test]
fn the_job_accounts_for_every_rock_and_says_what_its_verdict_rests_on() {
    let folder = tempfile::tempdir().unwrap();
    job::make(folder.path()).unwrap();
    let scene = std::fs::read_to_string(folder.path().join("scene.json")).unwrap();
    let mut scene: Value = serde_json::from_str(&scene).unwrap();
    scene["sources"][0]["rocks"] = json!(ROCKS);
    scene["write_trajectories"] = json!(0);
    let whole: Box<Rockfall> = run(&scene, folder.path(), None);
    let account = &whole.statistics.account;
    assert_eq!(account.seeded, ROCKS);
    assert!(account.balances(), "{account:?}");
    let [net, road] = &whole.statistics.collectors[..] else {
        panic!("a net and a road");
    };
    assert!(net.arrived() > 0 && road.arrived() > 0);
    assert_eq!(account.caught[0], net.held);
    let [design] = &whole.barrier_design[..] else {
        panic!("one design");
    };
    let said = &design.sentence;
    assert!(
        said.contains("net") && said.contains("calibrated to 12 sets"),
        "{said}"
    );
    // Each of two parts runs its own rocks; together they are the whole, bit for bit.
    let part = |index| run::<Part>(&scene, folder.path(), Some(Shard { index, count: 2 }));
    let (mut sum, second) = (part(1).statistics, part(2).statistics);
    sum.merge(&second).unwrap();
    assert_eq!(sum, whole.statistics);
}
