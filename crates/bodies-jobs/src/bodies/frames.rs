//! The run as a time series for ParaView: bodies with their speeds, contacts with their forces.

use klast_dynamics::World;

use klast_files::mesh::frame::Frame;
use klast_files::mesh::vtk::{PolyData, Values};
use klast_files::mesh::vtu::Solids;

/// Contacts as vertices, then bodies as polygons: speeds and numbers on bodies, forces on contacts, zero elsewhere.
pub fn frame(world: &World) -> PolyData {
    let mut frame = Frame::new(&[("speed_m_s", 1), ("body", 1), ("contact_force_n", 3)]);
    let step = world.settings().step;
    for contact in world.contacts() {
        let (speed, number) = (contact.velocity.length(), f64::from(contact.first) + 1.0);
        let force = (contact.impulse / step).to_array();
        frame.contact(contact.point, &[&[speed], &[number], &force]);
    }
    for (i, state) in world.states().enumerate() {
        let Some(body) = world.body(i).filter(|_| world.is_present(i)) else {
            continue;
        };
        let speed = state.velocity.linear.length();
        let numbers: [&[f64]; 3] = [&[speed], &[i as f64 + 1.0], &[0.0; 3]];
        frame.body(body.shape(), &state.pose, &numbers);
    }
    frame.finish()
}

/// The bodies as solids, one cell each: number and velocity.
pub fn solids(world: &World) -> Solids {
    let mut solids = Solids::default();
    let (mut numbers, mut velocities) = (Vec::new(), Vec::new());
    for (i, state) in world.states().enumerate() {
        let Some(body) = world.body(i).filter(|_| world.is_present(i)) else {
            continue;
        };
        solids.add(body.shape(), &state.pose);
        numbers.push(i as f64 + 1.0);
        velocities.extend(state.velocity.linear.to_array());
    }
    solids.values = vec![
        Values::new("body", 1, numbers),
        Values::new("velocity_m_s", 3, velocities),
    ];
    solids
}
