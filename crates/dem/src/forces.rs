//! The forces of a state.
//!
//! Forces of pairs are found in parallel, each into its own slot; then each particle adds its slots in the order of the
//! list. No sum depends on threads, so the bits are the same on any number of them.

use super::load::evaluate;
use crate::link::{Options, Side};
use crate::world::{Total, World};
use glam::DVec3;
use klast_geometry::NarrowPhase;
use rayon::prelude::*;

/// Most parts that the pairs are dealt out in, each with its own workspace.
const WORKSPACES: usize = 64;

impl World {
    pub(crate) fn forces(&mut self, options: Options) {
        self.pair_loads(options);
        self.gather();
        if !self.walls.is_empty() {
            self.add_walls(options);
        }
    }

    /// The load of each pair, each in its own slot.
    fn pair_loads(&mut self, options: Options) {
        let mut links = std::mem::take(&mut self.links);
        let mut loads = std::mem::take(&mut self.loads);
        let mut workspaces = std::mem::take(&mut self.workspaces);
        let chunk = links.len().div_ceil(WORKSPACES).max(64);
        workspaces.resize_with(WORKSPACES, NarrowPhase::default);
        links
            .par_chunks_mut(chunk)
            .zip(loads.par_chunks_mut(chunk))
            .zip(self.neighbours.pairs().par_chunks(chunk))
            .zip(workspaces.par_iter_mut())
            .for_each(|(((links, loads), pairs), workspace)| {
                for ((link, load), (i, j)) in links.iter_mut().zip(loads).zip(pairs) {
                    let (a, b) = (self.side(*i as usize), self.side(*j as usize));
                    let law = self.laws.between(a.material, b.material);
                    *load = evaluate(&a, &b, law, options, link, workspace);
                }
            });
        self.workspaces = workspaces;
        (self.links, self.loads) = (links, loads);
    }

    /// The sum of the slots of each particle, in the order of the list.
    fn gather(&mut self) {
        let (neighbours, loads, poses) = (&self.neighbours, &self.loads, &self.poses);
        self.totals
            .par_iter_mut()
            .enumerate()
            .with_min_len(128)
            .for_each(|(i, total)| {
                *total = Total::default();
                for (k, second) in neighbours.of(i) {
                    if let Some(load) = &loads[k] {
                        let force = if second { load.force } else { -load.force };
                        total.force += force;
                        total.torque += (load.point - poses[i].translation).cross(force);
                    }
                }
            });
    }

    fn add_walls(&mut self, options: Options) {
        let mut wall_links = std::mem::take(&mut self.wall_links);
        let mut totals = std::mem::take(&mut self.totals);
        wall_links
            .par_chunks_mut(self.walls.len())
            .zip(totals.par_iter_mut())
            .enumerate()
            .with_min_len(128)
            .for_each(|(i, (links, total))| {
                let side = self.side(i);
                for (wall, link) in self.walls.iter().zip(links) {
                    let law = self.laws.between(side.material, wall.material);
                    let load = wall.load(&side, law, options, link);
                    (link.force, link.potential) = (DVec3::ZERO, 0.0);
                    if let Some(load) = load {
                        (link.force, link.potential) = (load.force, load.potential);
                        total.force += load.force;
                        total.torque += (load.point - side.pose.translation).cross(load.force);
                    }
                }
            });
        (self.wall_links, self.totals) = (wall_links, totals);
    }

    fn side(&self, i: usize) -> Side<'_> {
        let particle = &self.particles[i];
        Side {
            shape: &particle.shape,
            mass: particle.mass,
            material: particle.material,
            pose: &self.poses[i],
            before: &self.before[i],
            travel: self.travel[i],
            now: self.now[i],
            half: self.half[i],
        }
    }
}
