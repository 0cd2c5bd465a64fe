//! The tests of this crate as one program: each module is one subject.

mod common;

mod as_programs_write;
mod assembly;
mod bodies_galilean;
mod bodies_impacts;
mod bodies_limits;
mod bodies_moving;
mod bodies_verdict_property;
mod bodies_verdicts;
mod column;
mod corpus;
mod files_in;
mod fragility_scenes;
mod gdal_rasters;
mod model_ends;
mod named;
mod orthophoto;
mod printed_commands;
mod releases;
mod resumed;
mod rockfall_classes;
mod rockfall_input;
mod rockfall_job;
mod rockfall_lumped;
mod rockfall_meshes;
mod rockfall_practice;
mod rockfall_section;
mod rockfall_study;
mod rocking;
mod rocking_records;
mod rocking_restrained;
mod spelling;
mod thrown;
mod verdicts_of_blocks;
