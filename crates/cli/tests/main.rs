//! The tests of this crate as one program: each module is one subject.

mod review;

mod attacks;
mod basin_input;
mod bodies;
mod book;
mod broken_scenes;
mod browser;
mod folders;
mod pages;
mod program;
mod rockfall_parts;
mod rockyfor3d;
mod shards;
mod sixty_scenes;
mod streams;
