//! The tests of this crate as one program: each module is one subject.

mod coverage_can_fail;
mod errata;
mod it_can_fail;
mod printed_numbers;
mod rocfall3_printed_cells;
mod second_readers;
mod tables_open;
