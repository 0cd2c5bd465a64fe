//! The shot as a time series for ParaView: bodies with their speeds, contacts with their forces.

use klast_dem::{Flight, World};
use klast_geometry::Pose;
use klast_runs::error::Result;

use klast_files::mesh::frame::Frame;
use klast_files::mesh::vtk::{PolyData, Values, pvd};
use klast_files::mesh::vtu::Solids;
use klast_runs::files::{Files, FilesExt as _};

/// Frames over a whole shot, the first and the last included.
const FRAMES: u64 = 20;

/// The files with their times, and the poses of the bodies at these times.
pub type Film = (Vec<(f64, String)>, Vec<Vec<Pose>>);

/// Collects frames as the shot goes on.
#[derive(Default)]
pub struct Frames {
    files: Vec<(f64, String)>,
    /// Poses of all bodies at the frames, the projectile last.
    pub poses: Vec<Vec<Pose>>,
}

impl Frames {
    /// Writes a frame if the shot has come far enough since the last.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn take(&mut self, flight: &Flight, files: &mut dyn Files) -> Result<()> {
        if flight.progress() * FRAMES as f64 >= self.files.len() as f64 {
            let file = format!("frame-{:03}.vtp", self.files.len());
            files.text(&file, &frame(flight.world()).vtp())?;
            self.files.push((flight.world().time(), file));
            let motions = flight.world().motions().iter();
            self.poses.push(motions.map(|m| m.pose()).collect());
        }
        Ok(())
    }

    /// Writes the bodies at the end as solids and the list of frames, and gives it.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self, flight: &Flight, files: &mut dyn Files) -> Result<Film> {
        files.text("end.vtu", &solids(flight.world()).vtu())?;
        files.text("shot.pvd", &pvd(&self.files))?;
        Ok((self.files, self.poses))
    }
}

/// The bodies as solids, one cell each: number, mass and velocity.
fn solids(world: &World) -> Solids {
    let mut solids = Solids::default();
    let (mut numbers, mut masses, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
    for (particle, motion) in world.particles().iter().zip(world.motions()) {
        solids.add(&particle.shape, &motion.pose());
        numbers.push(numbers.len() as f64 + 1.0);
        masses.push(particle.mass);
        velocities.extend(motion.velocity.to_array());
    }
    solids.values = vec![
        Values::new("body", 1, numbers),
        Values::new("mass_kg", 1, masses),
        Values::new("velocity_m_s", 3, velocities),
    ];
    solids
}

/// Contacts as vertices, then bodies as polygons: speeds on bodies, forces on contacts, zero elsewhere.
fn frame(world: &World) -> PolyData {
    let mut frame = Frame::new(&[("speed_m_s", 1), ("contact_force_n", 3)]);
    for contact in world.contacts() {
        frame.contact(contact.point, &[&[0.0], &contact.force.to_array()]);
    }
    for (particle, motion) in world.particles().iter().zip(world.motions()) {
        let numbers: [&[f64]; 2] = [&[motion.velocity.length()], &[0.0; 3]];
        frame.body(&particle.shape, &motion.pose(), &numbers);
    }
    frame.finish()
}
