//! What a kernel is.

use anyhow::Result;

/// One repetition of a kernel's work; it returns the number of units done.
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
