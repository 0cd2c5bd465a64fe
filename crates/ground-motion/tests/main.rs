//! The tests of this crate as one program: each module is one subject.

mod ground_motion;
