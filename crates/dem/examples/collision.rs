//! Two cubes that collide with a stiff elastic law: equal masses exchange their velocities.
//!
//! `cargo run -p klast-dem --example collision`

use klast_dem::glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Settings, World};
use klast_geometry::{Pose, Solid};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (cube, _) = Particle::solid(&Solid::Cube.with_volume(1.0)?, 1000.0, 0)?;
    let mut motions = [0.0, 1.01].map(|x| Motion::at(&Pose::from_translation(DVec3::X * x)));
    motions[1].velocity.x = -1.0;
    let laws = LawTable::new(1, PenaltyLaw::elastic(1e7, 1.0)?)?;
    let cubes = vec![cube.clone(), cube];
    let mut world = World::new(cubes, motions.to_vec(), vec![], laws, Settings::new(1e-4))?;
    world.run_until(0.1)?;
    for motion in world.motions() {
        println!("{:.5} m/s", motion.velocity.x);
    }
    Ok(())
}
