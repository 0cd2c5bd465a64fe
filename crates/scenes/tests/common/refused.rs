//! What is wrong with a scene: its paths, the kinds of what is wrong with files, and the commands that cure them.

use klast_files::Kind;
use klast_runs::error::{Error, Result};
use klast_runs::faults::Fault;

/// The path of each fault of a scene that is refused; what is no fault of a scene is an empty list.
///
/// # Panics
/// A scene that is accepted.
pub fn paths<T>(read: Result<T>) -> Vec<String> {
    let error = read.err().expect("a scene that is refused");
    Refused::from(error).paths()
}

/// Whether names and numbers stand in a text one after the other, whatever the words between them.
pub fn names(text: &str, marks: &[&str]) -> bool {
    let rest = marks
        .iter()
        .try_fold(text, |rest, mark| Some(rest.split_once(mark)?.1));
    rest.is_some()
}

/// Whether one of several lines has names and numbers one after the other.
pub fn one_names(lines: &[String], marks: &[&str]) -> bool {
    lines.iter().any(|line| names(line, marks))
}

/// An error with what can be asked of it.
#[derive(Debug)]
pub struct Refused {
    faults: Vec<Fault>,
    kind: Option<Kind>,
    text: String,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        let faults = error
            .faults()
            .map_or(Vec::new(), |found| found.list.clone());
        let kinds = faults.iter().find_map(|fault| fault.kind);
        Self {
            kind: kinds.or(error.refusal().map(|refusal| refusal.kind)),
            faults,
            text: format!("{error:#}"),
        }
    }
}

impl Refused {
    pub fn paths(&self) -> Vec<String> {
        let path = |fault: &Fault| fault.path.clone();
        self.faults.iter().map(path).collect()
    }

    /// What is wrong with the first file that it is about.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Whether it has names and numbers one after the other.
    pub fn names(&self, marks: &[&str]) -> bool {
        names(&self.text, marks)
    }

    /// Whether it names a command with these words, one after the other.
    pub fn is_cured_by(&self, words: &[&str]) -> bool {
        let commands = self.text.split('`').skip(1).step_by(2);
        let begins = |command: &&str| command.split(' ').next() == words.first().copied();
        commands.filter(begins).any(|command| names(command, words))
    }
}
