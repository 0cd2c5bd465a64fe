//! What a kernel is, and the list of them.

use anyhow::{Result, bail};

use crate::kernels::{basin, bodies, contact, grains, rockfall, rocking};

/// One repetition of a kernel's work; says how many units it did.
pub type Work = Box<dyn FnMut() -> Result<u64> + Send>;

/// A piece of work with a size.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// What the size is.
    pub sized_by: &'static str,
    /// The size that is counted and timed.
    pub size: usize,
    /// Sizes over which the cost is followed.
    pub sizes: &'static [usize],
    /// Whether the work is spread over threads.
    pub parallel: bool,
    build: fn(usize) -> Result<Work>,
}

impl Kernel {
    /// Makes the inputs for a size; what is called afterwards is the work alone.
    ///
    /// # Errors
    /// A size that the kernel cannot have.
    pub fn prepare(&self, size: usize) -> Result<Work> {
        (self.build)(size)
    }
}

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
        build: rockfall::falling_cubes,
    },
    Kernel {
        name: "rigid-rocks",
        unit: "trajectories",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        build: rockfall::rigid_rocks,
    },
    Kernel {
        name: "lumped-rocks",
        unit: "trajectories",
        sized_by: "cells along a side of the raster",
        size: 100,
        sizes: &[30, 100, 300, 1000],
        parallel: true,
        build: rockfall::lumped_rocks,
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
        sizes: &[4, 8, 16, 32, 64],
        parallel: false,
        build: contact::friction_wall,
    },
    Kernel {
        name: "rocking-lanes",
        unit: "simulations",
        sized_by: "blocks",
        size: 64,
        sizes: &[64, 640, 6400],
        parallel: true,
        build: rocking::lanes,
    },
    Kernel {
        name: "stack",
        unit: "runs",
        sized_by: "blocks of the stack",
        size: 2,
        sizes: &[1, 2, 3, 5, 10],
        parallel: false,
        build: rocking::stack,
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
        unit: "particle-steps",
        sized_by: "grains",
        size: 200,
        sizes: &[100, 1000, 10_000, 100_000],
        parallel: true,
        build: grains::heap,
    },
];
