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
pub const KERNELS: [Kernel; 14] = [
    Kernel {
        name: "falling-cubes",
        unit: "rocks",
        sized_by: "rocks",
        size: 20,
        sizes: &[],
        parallel: false,
        build: rockfall::falling_cubes,
    },
    Kernel {
        name: "rigid-rocks",
        unit: "rocks",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        build: rockfall::rigid_rocks,
    },
    Kernel {
        name: "lumped-rocks",
        unit: "rocks",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        build: rockfall::lumped_rocks,
    },
    Kernel {
        name: "lumped-profile",
        unit: "rocks",
        sized_by: "stations",
        size: 100,
        sizes: &[1, 10, 100, 1000],
        parallel: true,
        build: rockfall::rocks_on_a_profile,
    },
    Kernel {
        name: "lumped-path",
        unit: "rocks",
        sized_by: "points of the profile",
        size: 3,
        sizes: &[3, 30, 300, 3000],
        parallel: true,
        build: rockfall::rocks_without_stations,
    },
    Kernel {
        name: "lumped-noise",
        unit: "rocks",
        sized_by: "cells along a side of the raster",
        size: 300,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        build: rockfall::rocks_on_noise,
    },
    Kernel {
        name: "poured-cubes",
        unit: "body-steps",
        sized_by: "cubes",
        size: 64,
        sizes: &[25, 100, 400, 1600, 6400, 25_600],
        parallel: true,
        build: bodies::poured_cubes,
    },
    Kernel {
        name: "friction-wall",
        unit: "contacts",
        sized_by: "courses of the wall",
        size: 8,
        sizes: &[4, 8, 16, 32],
        parallel: false,
        build: contact::friction_wall,
    },
    Kernel {
        name: "rocking-lanes",
        unit: "simulations",
        sized_by: "blocks",
        size: 64,
        sizes: &[64, 640, 6400],
        parallel: false,
        build: rocking::lanes,
    },
    Kernel {
        name: "stack",
        unit: "simulations",
        sized_by: "blocks of the stack",
        size: 2,
        sizes: &[1, 2, 3, 5, 10],
        parallel: false,
        build: rocking::stack,
    },
    Kernel {
        name: "tall-stack",
        unit: "events",
        sized_by: "blocks of the stack",
        size: 10,
        sizes: &[5, 10, 20, 40, 100],
        parallel: false,
        build: rocking::tall_stack,
    },
    Kernel {
        name: "basin",
        unit: "events",
        sized_by: "blocks of the row",
        size: 8,
        sizes: &[8, 64, 1024, 10_000],
        parallel: false,
        build: basin::row,
    },
    Kernel {
        name: "overlap",
        unit: "pairs",
        sized_by: "pairs",
        size: 2000,
        sizes: &[],
        parallel: false,
        build: grains::overlap,
    },
    Kernel {
        name: "grain-heap",
        unit: "body-steps",
        sized_by: "rocks",
        size: 200,
        sizes: &[100, 1000, 10_000, 100_000],
        parallel: true,
        build: grains::heap,
    },
];
