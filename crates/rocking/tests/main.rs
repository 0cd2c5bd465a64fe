//! The tests of this crate as one program: each module is one subject.

mod absolute;
mod eight;
mod redundant;
mod reference;

mod batch;
mod closed_forms;
mod column;
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
mod restrained;
mod slide_rock;
mod slide_rock_contact;
mod spatial;
mod stack_closing;
mod stack_contact;
mod stack_eight;
mod stack_energy;
mod stack_equivalence;
mod stack_impacts;
mod stack_kounadis;
mod stack_map;
mod stack_records;
mod stack_redundant;
mod stack_relative;
mod stack_samples;
