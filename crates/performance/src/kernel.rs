//! What a kernel is.

use anyhow::Result;

/// One repetition of a kernel's work.
pub type Work = Box<dyn FnMut() -> Result<Done> + Send>;

/// What one repetition did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// Units of work.
    pub units: u64,
    /// The least that any program must do for them.
    pub least: Least,
}

/// Operations that the method cannot do without, whatever the code: a lower bound, from counts of the run itself where
/// they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Least {
    /// Additions and multiplications of doubles.
    pub flops: f64,
    /// Divisions and square roots.
    pub divisions: f64,
    /// Sines or cosines.
    pub sines: f64,
    /// Bytes from beyond the caches.
    pub bytes: f64,
}

impl Least {
    /// Flops alone.
    #[must_use]
    pub fn flops(flops: f64) -> Self {
        Self {
            flops,
            ..Self::default()
        }
    }
}

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
    /// Where the least work comes from, and why the code is as far from it as it is.
    pub reason: &'static str,
    pub(crate) build: fn(usize) -> Result<Work>,
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
