//! What is held: independent of how many rocks have run, and a stated number of bytes for each body and grain.
//!
//! Counted on the thread that works: the pool has one.

use klast_performance::kernel;

fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(work)
}

#[test]
fn peak_memory_of_a_monte_carlo_run_does_not_grow_with_the_rocks() {
    for name in ["rigid-rocks", "lumped-rocks"] {
        on_one_thread(|| {
            let kernel = kernel(name).unwrap();
            let mut work = kernel.prepare(4).unwrap();
            // A raster of few cells is soon filled; the first rocks let buffers grow to the longest path.
            for _ in 0..6 {
                work().unwrap();
            }
            let mut peak = |repetitions: usize| {
                let counted = allocation_counter::measure(|| {
                    for _ in 0..repetitions {
                        work().unwrap();
                    }
                });
                // What stays are bins of the histograms of the cells that a rarer rock is the first to fill; a record of each
                // of 200 rocks would be more.
                assert!(
                    counted.bytes_current.abs() < 40_000,
                    "{name}: {} bytes are kept",
                    counted.bytes_current
                );
                // Working memory: the peak less what stays.
                counted.bytes_max as f64 - counted.bytes_current.max(0) as f64
            };
            let (few, many) = (peak(1), peak(10));
            // A block of results is held at a time, and a longer path among more rocks is a longer list: not twice.
            assert!(
                many < 2.0 * few,
                "{name}: {few} bytes for few rocks, {many} for ten times as many"
            );
        });
    }
}

/// Bytes that one more of them costs, between two sizes.
fn each(name: &str, sizes: [usize; 2]) -> f64 {
    let held = |size: usize| {
        on_one_thread(|| {
            let mut work = None;
            let counted = allocation_counter::measure(|| {
                let mut made = kernel(name).unwrap().prepare(size).unwrap();
                made().unwrap();
                work = Some(made);
            });
            drop(work);
            counted.bytes_current as f64
        })
    };
    (held(sizes[1]) - held(sizes[0])) / (sizes[1] - sizes[0]) as f64
}

#[test]
fn a_body_and_a_grain_cost_what_is_stated() {
    // The figures of docs/src/performance.md, which hold for cubes (8 vertices, 4 to 5 contacts each) and for Voronoi grains
    // (some 24 vertices, 14 neighbours); buffers double, so a factor of 1.5 is left.
    for (name, sizes, stated) in [
        ("poured-cubes", [40, 120], 12_000.0),
        ("grain-heap", [100, 300], 20_000.0),
    ] {
        let bytes = each(name, sizes);
        println!("{name}: {bytes:.0} bytes each");
        assert!(
            bytes < 1.5 * stated,
            "{name}: {bytes} bytes each, stated {stated}"
        );
    }
}
