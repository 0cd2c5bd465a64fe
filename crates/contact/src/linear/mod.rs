//! Sparse linear algebra by small dense blocks: elimination order, pattern of the factors, LU.

pub(crate) mod block3;
pub(crate) mod block6;
pub(crate) mod block_lu;
pub(crate) mod minimum_degree;
pub(crate) mod ordering;
pub(crate) mod vectors;
