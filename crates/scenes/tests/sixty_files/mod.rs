//! Sixty files as programs write them, each with its right answer, which was written down before the file was tried:
//! what is read, or what is said where it is refused. None may be misread in silence.

mod meshes;
#[path = "../common/plane.rs"]
mod plane;
mod rasters;
mod records;
mod releases;
#[path = "../common/rockfall_scene.rs"]
mod rockfall_scene;
mod shapes;

/// What is right.
pub enum Right {
    /// It is read so.
    Read(&'static str),
    /// It is refused, and the message has all of these.
    Refused(&'static [&'static str]),
}

use Right::{Read, Refused};

/// A file, the program that writes such files, and what came of it.
pub struct Case {
    name: &'static str,
    came: Result<String, String>,
    right: Right,
}

impl Case {
    /// What came of a file, beside what is right.
    pub fn new(name: &'static str, came: anyhow::Result<String>, right: Right) -> Self {
        let came = came.map_err(|e| format!("{e:#}"));
        Self { name, came, right }
    }

    fn holds(&self) -> bool {
        match (&self.came, &self.right) {
            (Ok(came), Read(right)) => came == right,
            (Err(came), Refused(all)) => all.iter().all(|part| came.contains(part)),
            _ => false,
        }
    }

    fn told(&self) -> String {
        let right = match &self.right {
            Read(right) => format!("read as {right}"),
            Refused(all) => format!("refused with {all:?}"),
        };
        format!("{}: {:?}; right: {right}", self.name, self.came)
    }
}

fn judge(cases: &[Case]) {
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter(|c| !c.holds())
        .map(Case::told)
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} came out wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn sixty_files_are_read_or_refused_as_is_right() {
    let mut cases = rasters::cases();
    cases.extend(meshes::cases());
    cases.extend(records::cases());
    cases.extend(shapes::cases());
    cases.extend(releases::cases());
    judge(&cases);
}

#[test]
fn sixty_more_files_are_read_or_refused_as_is_right() {
    let mut cases = rasters::more();
    cases.extend(meshes::more());
    cases.extend(records::more());
    cases.extend(shapes::more());
    cases.extend(releases::more());
    judge(&cases);
}
