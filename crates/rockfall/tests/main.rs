//! The tests of this crate as one program: each module is one subject.

mod apart;
mod field;
mod scenes;

mod accounting;
mod bodies_and_barriers;
mod calibration;
mod chant_sura;
mod closed_slide;
mod collectors;
mod cut_areas;
mod cut_ground;
mod first_touch;
mod given_starts;
mod ground_laws;
mod gutters;
mod heights;
mod lumped_impact;
mod odd_scenes;
mod on_the_ground;
mod penetration;
mod posterior_band;
mod rebound_laws;
mod refusals;
mod sliding;
mod sliding_over_borders;
mod stations;
mod steep_stairs;
mod thrown;
mod tschamut;
mod uphill;
