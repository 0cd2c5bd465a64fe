//! Rows of the tables of a run.

use klast_dynamics::WorldContact;
use schemars::JsonSchema;
use serde::Serialize;

use super::build::Built;
use super::history::{BodyLine, Line, Record};

/// One row of the energy balance. Kinetic, potential and elastic energy are values at this time; the other energies are
/// sums since the start.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct EnergyRow {
    /// Time t (s).
    pub time_s: f64,
    /// Kinetic energy (J).
    pub kinetic_j: f64,
    /// Potential energy (J).
    pub potential_j: f64,
    /// Energy of compliant contacts (J).
    pub elastic_j: f64,
    /// Energy dissipated by contacts (J).
    pub dissipated_by_contacts_j: f64,
    /// Energy dissipated by impacts and time steps (J), not counted in `dissipated_by_contacts_j`.
    pub dissipated_by_impacts_and_scheme_j: f64,
    /// Kinetic energy that is removed when islands begin to sleep (J).
    pub dissipated_by_sleep_j: f64,
    /// Energy dissipated by compliant contacts that open (J).
    pub dissipated_by_springs_j: f64,
    /// Energy of the ties (J).
    pub tied_j: f64,
    /// Energy dissipated by ties (J): by yielding, breaking and the damping of the time steps.
    pub dissipated_by_ties_j: f64,
    /// Energy that left with removed bodies (J), less that of ties that were tightened at the start.
    pub removed_j: f64,
    /// Work of the loads (J).
    pub load_work_j: f64,
    /// Boundary work (J): work of bodies and planes that the scene moves.
    pub boundary_work_j: f64,
    /// Stabilisation work (J): work of the removal of overlaps.
    pub stabilisation_work_j: f64,
    /// Energy residual (J): the sum of all terms of the balance, which is zero for an exact solution.
    pub energy_residual_j: f64,
    /// Number of contacts.
    pub contacts: usize,
    /// Largest residual of a contact problem since the row before.
    pub residual: f64,
    /// Largest overlap of a contact since the row before (m).
    pub overlap_m: f64,
    /// Largest speed of a mass centre at this time (m/s).
    pub max_centre_speed_m_s: f64,
    /// Largest displacement of a body up to this time (m).
    pub max_displacement_m: f64,
}

/// A step that gained energy.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct GainRow {
    /// Time t (s).
    pub time_s: f64,
    /// Energy that the step gained (J).
    pub gain_j: f64,
}

/// One body at one time.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct BodyRow {
    /// Time t (s).
    pub time_s: f64,
    /// Number of the body, from 1.
    pub body: usize,
    /// Name of the body.
    pub name: String,
    /// Position of the origin of the shape, x (m).
    pub x_m: f64,
    /// Position of the origin of the shape, y (m).
    pub y_m: f64,
    /// Position of the origin of the shape, z (m).
    pub z_m: f64,
    /// Attitude as a unit quaternion, w part.
    pub quaternion_w: f64,
    /// Attitude as a unit quaternion, x part.
    pub quaternion_x: f64,
    /// Attitude as a unit quaternion, y part.
    pub quaternion_y: f64,
    /// Attitude as a unit quaternion, z part.
    pub quaternion_z: f64,
    /// Velocity of the mass centre along x (m/s).
    pub velocity_x_m_s: f64,
    /// Velocity of the mass centre along y (m/s).
    pub velocity_y_m_s: f64,
    /// Velocity of the mass centre along z (m/s).
    pub velocity_z_m_s: f64,
    /// Spin in the laboratory frame about x (rad/s).
    pub spin_x_rad_s: f64,
    /// Spin in the laboratory frame about y (rad/s).
    pub spin_y_rad_s: f64,
    /// Spin in the laboratory frame about z (rad/s).
    pub spin_z_rad_s: f64,
}

/// One contact with its bodies, its point and its force.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ContactRow {
    /// First body of the contact.
    pub first: String,
    /// Second body or plane of the contact.
    pub second: String,
    /// Contact point, x (m).
    pub x_m: f64,
    /// Contact point, y (m).
    pub y_m: f64,
    /// Contact point, z (m).
    pub z_m: f64,
    /// Normal from the second body to the first, x part.
    pub normal_x: f64,
    /// Normal from the second body to the first, y part.
    pub normal_y: f64,
    /// Normal from the second body to the first, z part.
    pub normal_z: f64,
    /// Gap (m); a negative gap is an overlap.
    pub gap_m: f64,
    /// Force on the first body, x part (N).
    pub force_x_n: f64,
    /// Force on the first body, y part (N).
    pub force_y_n: f64,
    /// Force on the first body, z part (N).
    pub force_z_n: f64,
    /// Relative speed at the contact (m/s).
    pub speed_m_s: f64,
}

/// Lines of the audit.
pub(super) fn energy(record: &Record) -> Vec<EnergyRow> {
    let row = |l: &Line| {
        let (energy, exchange) = (&l.energy, &l.exchange);
        EnergyRow {
            time_s: l.time,
            kinetic_j: energy.kinetic,
            potential_j: energy.potential,
            elastic_j: energy.elastic,
            dissipated_by_contacts_j: exchange.contact_loss,
            dissipated_by_impacts_and_scheme_j: exchange.scheme_loss,
            dissipated_by_sleep_j: exchange.sleep_loss,
            dissipated_by_springs_j: exchange.spring_loss,
            tied_j: energy.tied,
            dissipated_by_ties_j: exchange.tie_loss,
            removed_j: l.taken_out,
            load_work_j: exchange.load_work,
            boundary_work_j: exchange.boundary_work,
            stabilisation_work_j: exchange.stabilisation,
            energy_residual_j: energy.kinetic + energy.potential + energy.elastic
                - record.start_energy
                + exchange.contact_loss
                + exchange.scheme_loss
                + exchange.sleep_loss
                + exchange.spring_loss
                + energy.tied
                + exchange.tie_loss
                + l.taken_out
                - exchange.load_work
                - exchange.boundary_work
                - exchange.stabilisation,
            contacts: l.contacts,
            residual: l.residual,
            overlap_m: l.overlap,
            max_centre_speed_m_s: l.fastest,
            max_displacement_m: l.way,
        }
    };
    record.lines.iter().map(row).collect()
}

/// Bodies at the times that were kept.
pub(super) fn bodies(built: &Built, record: &Record) -> Vec<BodyRow> {
    let row = |s: &BodyLine| {
        let [x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = s.numbers;
        BodyRow {
            time_s: s.time,
            body: s.body + 1,
            name: built.names.get(s.body).cloned().unwrap_or_default(),
            x_m: x,
            y_m: y,
            z_m: z,
            quaternion_w: qw,
            quaternion_x: qx,
            quaternion_y: qy,
            quaternion_z: qz,
            velocity_x_m_s: vx,
            velocity_y_m_s: vy,
            velocity_z_m_s: vz,
            spin_x_rad_s: wx,
            spin_y_rad_s: wy,
            spin_z_rad_s: wz,
        }
    };
    record.states.iter().map(row).collect()
}

/// Contacts of the last step.
pub(super) fn contacts(built: &Built) -> Vec<ContactRow> {
    let world = &built.world;
    let step = world.settings().step;
    let name = |i: u32| built.names.get(i as usize).cloned().unwrap_or_default();
    let row = |c: &WorldContact| {
        let force = c.impulse / step;
        ContactRow {
            first: name(c.first),
            second: c
                .plane()
                .map_or_else(|| name(c.second), |k| format!("plane {}", k + 1)),
            x_m: c.point.x,
            y_m: c.point.y,
            z_m: c.point.z,
            normal_x: c.normal.x,
            normal_y: c.normal.y,
            normal_z: c.normal.z,
            gap_m: c.gap,
            force_x_n: force.x,
            force_y_n: force.y,
            force_z_n: force.z,
            speed_m_s: c.velocity.length(),
        }
    };
    world.contacts().iter().map(row).collect()
}
