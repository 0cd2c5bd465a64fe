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
        unit: "rocks",
        sized_by: "rocks",
        size: 20,
        sizes: &[],
        parallel: false,
        reason: "for each second of each flight, the heights of eight corners twice (rotation matrix, 2 sines) and one impulse. Difference: sliding and rolling on edges and facets, integrated to a tolerance",
        build: rockfall::falling_cubes,
    },
    Kernel {
        name: "rigid-rocks",
        unit: "rocks",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        reason: "as above, and the ground under eight corners at each time. Difference: contact with edges and ridges of the terrain, and a record in each cell that the rock passes",
        build: rockfall::rigid_rocks,
    },
    Kernel {
        name: "lumped-rocks",
        unit: "rocks",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        reason: "for each cell, one parabola intersected with one facet, and one record. Difference: each facet is intersected exactly, including ridges",
        build: rockfall::lumped_rocks,
    },
    Kernel {
        name: "poured-cubes",
        unit: "body-steps",
        sized_by: "cubes",
        size: 64,
        sizes: &[25, 100, 400, 1600, 6400, 25_600],
        parallel: true,
        reason: "20 sweeps over the contacts (175 flops each), and one axis test and one clip for each pair. Difference: in a sweep each contact needs the result of the contact before",
        build: bodies::poured_cubes,
    },
    Kernel {
        name: "friction-wall",
        unit: "contacts",
        sized_by: "courses of the wall",
        size: 8,
        sizes: &[4, 8, 16, 32],
        parallel: false,
        reason: "one assembly and one factorisation of the matrix of the bodies by nested dissection (George 1973). Difference: several factorisations in small blocks, until it is known which contacts stick, slip or open",
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
        unit: "simulations",
        sized_by: "blocks of the stack",
        size: 2,
        sizes: &[1, 2, 3, 5, 10],
        parallel: false,
        reason: "twelve stages of an eighth-order step, each with N sines and cosines, one N by N solution and the sums of the stages. Difference: dense output and root searches between impacts that follow each other closely",
        build: rocking::stack,
    },
    Kernel {
        name: "basin",
        unit: "events",
        sized_by: "blocks of the row",
        size: 8,
        sizes: &[8, 64, 1024, 10_000],
        parallel: false,
        reason: "for each event two predictions, one impulse, and two moves in a queue. Difference: comparisons whose branches the processor predicts wrongly",
        build: basin::row,
    },
    Kernel {
        name: "overlap",
        unit: "pairs",
        sized_by: "pairs",
        size: 2000,
        sizes: &[],
        parallel: false,
        reason: "for each facet of one shape, the extreme vertex of the other shape, found among three vertices. Difference: the search starts without a guess and checks all candidates that could be nearer",
        build: grains::overlap,
    },
    Kernel {
        name: "grain-heap",
        unit: "body-steps",
        sized_by: "rocks",
        size: 200,
        sizes: &[100, 1000, 10_000, 100_000],
        parallel: true,
        reason: "one test of a separating axis for each touching pair, with force and moment, and one rotation for each rock",
        build: grains::heap,
    },
];
