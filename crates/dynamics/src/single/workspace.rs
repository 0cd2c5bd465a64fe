//! What a run works in.

use super::contact_problem::ContactSolver;
use super::first_contact::Search;
use super::ground_law::Coefficients;
use super::sustained::memory::Buffers;
use glam::DVec3;
use klast_geometry::{ContactPoint, Manifold};

/// Buffers, handed on from run to run: nothing is allocated once they are as long as they get, but by impact laws other
/// than the default one.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) search: Search,
    pub(super) manifold: Manifold,
    /// Of each contact of the manifold, where [`super::follow::Follow::ask_the_ground`] was last asked.
    pub(super) coefficients: Vec<Coefficients>,
    // Apart: a workspace is handed on by value.
    pub(super) solver: Box<ContactSolver>,
    pub(super) impulses: Vec<DVec3>,
    pub(super) patch: Patch,
    pub(super) sustained: Buffers,
}

/// Contacts of the section of a body with ground that yields, and what touched before it.
#[derive(Debug, Default)]
pub(super) struct Patch {
    pub(super) corners: Vec<DVec3>,
    pub(super) touching: Vec<ContactPoint>,
    pub(super) kept: Vec<Coefficients>,
}
