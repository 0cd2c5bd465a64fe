//! Where two cubes touch, and the mass of one.
//!
//! `cargo run -p klast-geometry --example touch`

use klast_geometry::glam::DVec3;
use klast_geometry::{GeometryError, Manifold, NarrowPhase, Placed, Pose, Solid};

fn main() -> Result<(), GeometryError> {
    let cube = Solid::Cube.with_volume(1.0)?;
    println!("mass {:.0} kg", cube.mass_properties(2700.0)?.mass);
    let under = Pose::from_translation(DVec3::ZERO);
    let upper = Pose::from_translation(DVec3::new(0.25, 0.0, 1.0));
    let mut contact = Manifold::default();
    NarrowPhase::default().manifold(
        Placed {
            shape: &cube,
            pose: &upper,
        },
        Placed {
            shape: &cube,
            pose: &under,
        },
        1e-3,
        None,
        &mut contact,
    );
    for point in &contact.points {
        println!("contact at {:.3}, gap {:.1e} m", point.point, point.gap);
    }
    Ok(())
}
