//! The list of kernels.

use super::kernel::Kernel;
use crate::kernels::{basin, bodies, contact, grains, rockfall, rocking};
use anyhow::{Result, bail};

/// The kernel of this name.
///
/// # Errors
/// No kernel has the name; the message lists them.
pub fn kernel(name: &str) -> Result<&'static Kernel> {
    match KERNELS.iter().find(|k| k.name == name) {
        Some(kernel) => Ok(kernel),
        None => {
            let names: Vec<&str> = KERNELS.iter().map(|k| k.name).collect();
            bail!("no kernel '{name}'; accepted: {}", names.join(", "))
        }
    }
}

/// Every kernel.
pub const KERNELS: [Kernel; 10] = [
    Kernel {
        name: "falling-cubes",
        unit: "trajectories",
        sized_by: "rocks",
        size: 20,
        sizes: &[],
        parallel: false,
        reason: "each second of each flight: the height of eight corners twice (turning matrix, 2 sines) and one impulse. The rest is sliding and rolling on edges and faces, integrated to the tolerance of the exact flights",
        build: rockfall::falling_cubes,
    },
    Kernel {
        name: "rigid-rocks",
        unit: "trajectories",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        reason: "as above, and the ground under eight corners at each time looked at. Contact with a terrain of facets takes edges and ridges in, and each cell passed is recorded",
        build: rockfall::rigid_rocks,
    },
    Kernel {
        name: "lumped-rocks",
        unit: "trajectories",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        reason: "one parabola against the facet under it for each cell passed, one record. Each facet passed is intersected exactly, ridges included",
        build: rockfall::lumped_rocks,
    },
    Kernel {
        name: "poured-cubes",
        unit: "body-steps",
        sized_by: "cubes",
        size: 64,
        sizes: &[25, 100, 400, 1600, 6400, 25_600],
        parallel: true,
        reason: "20 sweeps over the contacts (175 flops each with its share of the pair), one axis test and one clip a pair. Sweeps are a chain: each contact waits for the last",
        build: bodies::poured_cubes,
    },
    Kernel {
        name: "friction-wall",
        unit: "contacts",
        sized_by: "courses of the wall",
        size: 8,
        sizes: &[4, 8, 16, 32],
        parallel: false,
        reason: "one assembly and one factorisation of the bodies' matrix by nested dissection (George 1973). Which contacts stick, slip or open takes several, in small blocks",
        build: contact::friction_wall,
    },
    Kernel {
        name: "rocking-lanes",
        unit: "simulations",
        sized_by: "blocks",
        size: 64,
        sizes: &[64, 640, 6400],
        parallel: false,
        reason: "the recurrences of the Taylor series of order 20 (three convolutions) and one polynomial for the impact",
        build: rocking::lanes,
    },
    Kernel {
        name: "stack",
        unit: "runs",
        sized_by: "blocks of the stack",
        size: 2,
        sizes: &[1, 2, 3, 5, 10],
        parallel: false,
        reason: "twelve stages of an eighth-order step: N sines and cosines, one N by N solution, the sums of the stages. Runs are short between impacts, so dense output and root searches weigh",
        build: rocking::stack,
    },
    Kernel {
        name: "basin",
        unit: "events",
        sized_by: "blocks of the row",
        size: 8,
        sizes: &[8, 64, 1024, 10_000],
        parallel: false,
        reason: "two new predictions and one impulse an event, two moves in a queue. Everything is a chain of comparisons that the processor guesses wrong",
        build: basin::row,
    },
    Kernel {
        name: "overlap",
        unit: "pairs",
        sized_by: "pairs",
        size: 2000,
        sizes: &[],
        parallel: false,
        reason: "the support of one shape for each face of the other by a walk of three vertices, once. Found from nothing, with all candidates that could be nearer checked",
        build: grains::overlap,
    },
    Kernel {
        name: "grain-heap",
        unit: "particle-steps",
        sized_by: "grains",
        size: 200,
        sizes: &[100, 1000, 10_000, 100_000],
        parallel: true,
        reason: "one certificate for each touching pair from its last facet (four times the walk), force and moment, one turn a particle",
        build: grains::heap,
    },
];
