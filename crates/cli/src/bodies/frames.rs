//! The run as a time series for ParaView: bodies with their speeds, contacts with their forces.

use klast_dynamics::World;

use crate::formats::vtk::{PolyData, Values};
use crate::formats::vtu::{Solids, placed};

/// Contacts as vertices, then bodies as polygons: speeds and numbers on bodies, forces on contacts, zero elsewhere.
pub fn frame(world: &World) -> PolyData {
    let mut data = PolyData::default();
    let (mut speeds, mut numbers, mut forces) = (Vec::new(), Vec::new(), Vec::new());
    let step = world.settings().step;
    for contact in world.contacts() {
        data.vertices.push(data.points.len());
        data.points.push(contact.point.to_array());
        speeds.push(contact.velocity.length());
        numbers.push(f64::from(contact.first) + 1.0);
        forces.extend((contact.impulse / step).to_array());
    }
    for (i, state) in world.states().enumerate() {
        let Some(body) = world.body(i) else { continue };
        let shape = body.shape();
        let (corners, facets) = placed(shape, &state.pose);
        let cells = data.add_body(&corners, &facets);
        speeds.extend(std::iter::repeat_n(state.velocity.linear.length(), cells));
        numbers.extend(std::iter::repeat_n(i as f64 + 1.0, cells));
        forces.extend(std::iter::repeat_n(0.0, 3 * cells));
    }
    let field = |name: &str, components, numbers| Values {
        name: name.into(),
        components,
        numbers,
    };
    data.cell_values = vec![
        field("speed_m_per_s", 1, speeds),
        field("body", 1, numbers),
        field("contact_force_n", 3, forces),
    ];
    data
}

/// The bodies as solids, one cell each: number and velocity.
pub fn solids(world: &World) -> Solids {
    let mut solids = Solids::default();
    let (mut numbers, mut velocities) = (Vec::new(), Vec::new());
    for (i, state) in world.states().enumerate() {
        let Some(body) = world.body(i) else { continue };
        solids.add(body.shape(), &state.pose);
        numbers.push(i as f64 + 1.0);
        velocities.extend(state.velocity.linear.to_array());
    }
    let value = |name: &str, components, numbers| Values {
        name: name.into(),
        components,
        numbers,
    };
    solids.values = vec![
        value("body", 1, numbers),
        value("velocity_m_per_s", 3, velocities),
    ];
    solids
}
