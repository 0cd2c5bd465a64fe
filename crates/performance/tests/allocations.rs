//! How often a kernel asks for memory once its buffers have grown.
//!
//! Counted on the thread that works: the pool has one.

use klast_performance::{KERNELS, Kernel};

/// Repetitions before the one that counts: by then every buffer is as large as it will be. The classes of a raster's cells
/// fill more slowly, with the rocks that pass them; a raster of few cells is soon filled. Poured cubes find new neighbours
/// until they lie: six seconds.
fn repetitions(kernel: &Kernel) -> u32 {
    match kernel.name {
        "poured-cubes" => 40,
        name if name.ends_with("-rocks") => 100,
        _ => 2,
    }
}

/// Allocations and units of a repetition in steady state.
fn steady(kernel: &Kernel) -> (u64, u64) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let size = if kernel.name.ends_with("-rocks") {
        4
    } else {
        kernel.size
    };
    pool.install(|| {
        let mut work = kernel.prepare(size).unwrap();
        for _ in 0..repetitions(kernel) {
            work().unwrap();
        }
        let mut units = 0;
        let counted = allocation_counter::measure(|| units = work().unwrap().units);
        (counted.count_total, units)
    })
}

#[test]
fn steady_work_asks_for_no_memory() {
    for kernel in KERNELS {
        let (allocations, units) = steady(&kernel);
        println!("{}: {allocations} in {units} {}", kernel.name, kernel.unit);
        assert_eq!(
            allocations, 0,
            "{}: allocations in {units} {}",
            kernel.name, kernel.unit
        );
    }
}
