//! Files as programs write them, each with its right answer, which was written down before the file was tried: what is
//! read, or what is said where it is refused. None may be misread in silence.

mod case;
mod meshes;
mod rasters;
mod records;
mod shapes;

use case::{Case, Right, judge};

#[test]
fn files_of_programs_are_read_or_refused_as_is_right() {
    let mut cases = rasters::cases();
    cases.extend(meshes::cases());
    cases.extend(records::cases());
    cases.extend(shapes::cases());
    judge(&cases);
}

#[test]
fn more_files_of_programs_are_read_or_refused_as_is_right() {
    let mut cases = rasters::more();
    cases.extend(meshes::more());
    cases.extend(records::more());
    cases.extend(shapes::more());
    judge(&cases);
}
