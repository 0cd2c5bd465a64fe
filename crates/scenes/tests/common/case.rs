//! A file as a program writes it, with its right answer.

/// What is right.
pub enum Right {
    /// It is read so.
    Read(&'static str),
    /// It is refused, and the message has all of these.
    Refused(&'static [&'static str]),
}

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
            (Ok(came), Right::Read(right)) => came == right,
            (Err(came), Right::Refused(all)) => all.iter().all(|part| came.contains(part)),
            _ => false,
        }
    }

    fn told(&self) -> String {
        let right = match &self.right {
            Right::Read(right) => format!("read as {right}"),
            Right::Refused(all) => format!("refused with {all:?}"),
        };
        format!("{}: {:?}; right: {right}", self.name, self.came)
    }
}

/// Every case holds.
pub fn judge(cases: &[Case]) {
    assert!(!cases.is_empty());
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
