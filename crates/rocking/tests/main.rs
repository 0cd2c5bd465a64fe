//! The tests of this crate as one program: each module is one subject.

mod absolute;
mod reference;

mod batch;
mod closed_forms;
mod compliant;
mod experiments;
mod fragility;
mod fragility_margin;
mod fragility_nested;
mod invariants;
mod maps;
mod missed;
mod planar;
mod reference_times;
mod rest;
mod restrained;
mod round;
mod slide_rock;
mod spatial;
