//! What a run works in.

use super::contact_problem::ContactSolver;
use super::first_contact::Search;
use super::sustained::memory::Buffers;
use glam::DVec3;
use klast_geometry::Manifold;

/// Buffers, handed on from run to run: nothing is allocated once they are as long as they get, but by impact laws other
/// than the default one.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) search: Search,
    pub(super) manifold: Manifold,
    // Apart: a workspace is handed on by value.
    pub(super) solver: Box<ContactSolver>,
    pub(super) impulses: Vec<DVec3>,
    pub(super) sustained: Buffers,
}
