//! Twenty cubes dropped on one slope from 2 to 21 m, each with its own draw of the ground: how far they run.
//!
//! `cargo run -p klast-rockfall --example slope`

use std::ops::ControlFlow;

use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State};
use klast_geometry::{Pose, Solid, terrain::Slope};
use klast_rockfall::glam::DVec3;
use klast_rockfall::{Ground, GroundCoefficients, RigidRock, SlopeMaterial};
use klast_sampling::{Purpose, Streams};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let slope = Slope::downhill_x(30f64.to_radians())?;
    let ground = Ground::uniform(SlopeMaterial::constant(
        "meadow",
        GroundCoefficients {
            normal_restitution: 0.35,
            tangential_restitution: 0.8,
            friction: 0.75,
        },
    ))?;
    let engine = RigidRock::new(&slope, &ground);
    let body = Body::uniform(&Solid::Cube.with_volume(1.0)?, 2700.0)?;
    let mut workspace = Workspace::default();
    for index in 0..20 {
        let samples = ground.sample(&mut Streams::new(1).rng(Purpose::Material, index));
        let height = 2.0 + index as f64;
        let start = State::at_rest(Pose::from_translation(DVec3::new(0.0, 0.0, height)));
        let mut path = |_: &klast_rockfall::Arc| ControlFlow::Continue(());
        let (outcome, end, _) = engine.run(&body, &samples, start, None, &mut path, &mut workspace);
        println!(
            "from {height} m: {outcome:?} at x = {:.2} m",
            end.pose.translation.x
        );
    }
    Ok(())
}
