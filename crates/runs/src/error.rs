//! Why a scene is not read, run or written.

use std::fmt;

use klast_files::Refusal;
use klast_numerics::ModelError;

use crate::faults::{Fault, Faults};
use crate::progress::Interrupted;

/// What reads, runs or writes a scene.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a scene is not read, run or written. `{}` is the outermost part of it, `{:#}` the whole.
#[derive(Debug)]
pub enum Error {
    /// What is wrong with the scene.
    Scene(Faults),
    /// A file that is not read.
    File(Refusal),
    /// What a model refuses, and the number that it is about.
    Model {
        /// The error of the model.
        source: Box<dyn std::error::Error + Send + Sync>,
        /// The number that is out of its range.
        number: Option<f64>,
    },
    /// The caller stopped it.
    Interrupted(Interrupted),
    /// The disk, or a text that the program did not write.
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// What the command cannot do.
    Said(String),
    /// Any of these, with the name of the file or the part of the scene that it is about.
    Of {
        /// The name.
        name: String,
        /// What is wrong with it.
        source: Box<Self>,
    },
}

impl Error {
    /// What the command cannot do.
    pub fn said(what: impl fmt::Display) -> Self {
        Self::Said(what.to_string())
    }

    /// An error of the disk, or of a text that the program did not write.
    pub fn outside(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Outside(error.into())
    }

    /// The same with the name of what it is about.
    #[must_use]
    pub fn of(self, name: impl fmt::Display) -> Self {
        Self::Of {
            name: name.to_string(),
            source: Box::new(self),
        }
    }

    /// The names before it, from the outermost, and what it is without them.
    pub(crate) fn parted(self) -> (Vec<String>, Self) {
        let (mut names, mut own) = (Vec::new(), self);
        while let Self::Of { name, source } = own {
            names.push(name);
            own = *source;
        }
        (names, own)
    }

    /// What it is without the names before it.
    #[must_use]
    pub fn root(&self) -> &Self {
        match self {
            Self::Of { source, .. } => source.root(),
            own => own,
        }
    }

    fn root_mut(&mut self) -> &mut Self {
        match self {
            Self::Of { source, .. } => source.root_mut(),
            own => own,
        }
    }

    /// What is wrong with the scene, if it is that.
    #[must_use]
    pub fn faults(&self) -> Option<&Faults> {
        match self.root() {
            Self::Scene(faults) => Some(faults),
            _ => None,
        }
    }

    /// Why a file is not read, if it is that.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self.root() {
            Self::File(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// Whether the caller stopped the run.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        matches!(self.root(), Self::Interrupted(_))
    }

    /// The same with the name of a file in the command of its refusal.
    #[must_use]
    pub fn in_command(mut self, file: &str) -> Self {
        if let Self::File(refusal) = self.root_mut() {
            *refusal = refusal.clone().of(file);
        }
        self
    }

    /// The refusal that it is, or that of a file that cannot be read.
    #[must_use]
    pub fn into_refusal(self) -> Refusal {
        match self {
            Self::File(refusal) => refusal,
            other => Refusal::new(klast_files::Kind::Unreadable, format!("{other:#}")),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(faults) => fmt::Display::fmt(faults, f),
            Self::File(refusal) => fmt::Display::fmt(refusal, f),
            Self::Interrupted(stop) => fmt::Display::fmt(stop, f),
            Self::Said(what) => f.write_str(what),
            Self::Model { source, .. } | Self::Outside(source) => {
                write!(f, "{source}")?;
                let mut cause = source.source();
                while let Some(error) = cause.filter(|_| f.alternate()) {
                    write!(f, ": {error}")?;
                    cause = error.source();
                }
                Ok(())
            }
            Self::Of { name, source } if f.alternate() => write!(f, "{name}: {source:#}"),
            Self::Of { name, .. } => f.write_str(name),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model { source, .. } | Self::Outside(source) => source.source(),
            Self::Of { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl<E: ModelError> From<E> for Error {
    fn from(error: E) -> Self {
        let number = error.number();
        let error: Box<dyn std::error::Error + Send + Sync> = Box::new(error);
        let error = match error.downcast::<Refusal>() {
            Ok(refusal) => return Self::File(*refusal),
            Err(error) => error,
        };
        match error.downcast::<klast_files::table::Faults>() {
            Ok(table) => {
                let list = table.told().iter().map(|told| Fault::new("", told));
                Self::Scene(list.collect::<Vec<_>>().into())
            }
            Err(source) => Self::Model { source, number },
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Scene(fault.into())
    }
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Self {
        Self::Scene(faults)
    }
}

impl From<Interrupted> for Error {
    fn from(stop: Interrupted) -> Self {
        Self::Interrupted(stop)
    }
}

/// The name of what an error is about, before it.
pub trait Context<T>: Sized {
    /// The same with a name that is made if it is needed.
    ///
    /// # Errors
    /// That of the result.
    fn with_context<N: fmt::Display>(self, name: impl FnOnce() -> N) -> Result<T>;

    /// The same with a name.
    ///
    /// # Errors
    /// That of the result.
    fn context(self, name: impl fmt::Display) -> Result<T> {
        self.with_context(|| name)
    }
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn with_context<N: fmt::Display>(self, name: impl FnOnce() -> N) -> Result<T> {
        self.map_err(|error| error.into().of(name()))
    }
}

impl<T> Context<T> for Option<T> {
    fn with_context<N: fmt::Display>(self, name: impl FnOnce() -> N) -> Result<T> {
        self.ok_or_else(|| Error::said(name()))
    }
}

/// Results of the disk and of texts that the program did not write.
pub trait Outside<T> {
    /// Its error as that of a scene.
    ///
    /// # Errors
    /// That of the result.
    fn outside(self) -> Result<T>;
}

impl<T, E: Into<Box<dyn std::error::Error + Send + Sync>>> Outside<T> for Result<T, E> {
    fn outside(self) -> Result<T> {
        self.map_err(Error::outside)
    }
}

/// A result of a file, whose name stands in the command of its refusal.
///
/// # Errors
/// That of the result.
pub fn in_command<T, E: Into<Error>>(file: &str, result: Result<T, E>) -> Result<T> {
    result.map_err(|error| error.into().in_command(file))
}

/// A result of a file, whose name stands before its error too.
///
/// # Errors
/// That of the result, of the file.
pub fn of_file<T, E: Into<Error>>(file: &str, result: Result<T, E>) -> Result<T> {
    in_command(file, result).context(file)
}

/// An error that is a sentence.
#[macro_export]
macro_rules! said {
    ($($text:tt)+) => {
        $crate::Error::Said(format!($($text)+))
    };
}

/// Returns an error: a fault, a stop or a sentence.
#[macro_export]
macro_rules! bail {
    ($text:literal $($rest:tt)*) => {
        return Err($crate::said!($text $($rest)*))
    };
    ($error:expr $(,)?) => {
        return Err($crate::Error::from($error))
    };
}

/// Returns an error unless a condition holds.
#[macro_export]
macro_rules! ensure {
    ($holds:expr, $($error:tt)+) => {
        match $holds {
            true => {}
            false => $crate::bail!($($error)+),
        }
    };
}
