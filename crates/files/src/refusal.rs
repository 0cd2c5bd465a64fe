//! Why a file is not read: a value with what was found, where, what is accepted in its place, and the command that
//! makes it so. `Display` makes the sentence; nothing reads it back.

use std::borrow::Cow;
use std::fmt;

use klast_geometry::terrain::TerrainError;
use klast_ground_motion::GroundMotionError;
use klast_numerics::{ModelError, OutOfRange};
use thiserror::Error;

use crate::command::Command;

/// What of this crate.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It is not there, no file, or cannot be read.
    Unreadable,
    /// It holds no data of any kind: an empty file, a web page, a pointer of Git LFS, a document.
    NoData,
    /// It is packed as a whole.
    Packed,
    /// It is of another format than those that are read here.
    Foreign,
    /// A part of its format that is not read: a version, a compression, a type.
    Unsupported,
    /// It ends before what it announces, or holds more.
    Truncated,
    /// Its text or its bytes are not what the format says.
    Syntax,
    /// Its letters are not known.
    Letters,
    /// A number that is none, or outside its range.
    Value,
    /// Something that is needed is not there: a column, a geometry, a place, a unit.
    Missing,
    /// Several of what there may be one.
    Several,
    /// Two statements that contradict each other.
    Contradiction,
    /// It asks for more memory than it is worth.
    TooLarge,
    /// A unit that is not known, or none of what is read.
    Unit,
    /// Values of another quantity: velocities, colours, depths, a spectrum.
    Quantity,
    /// The step of values, or what stands in the place of times.
    Step,
    /// A coordinate reference system that is not known or is none of a map for mechanics.
    Crs,
    /// Cells that are turned, not square or nowhere.
    Placement,
}

/// A file that is not read.
#[derive(Debug, Clone, PartialEq, Error)]
pub struct Refusal {
    /// What is wrong.
    pub kind: Kind,
    /// Where: the format, the line, the feature; empty for the file as a whole.
    pub place: String,
    /// What stands there.
    pub found: String,
    /// What would do; empty where nothing else would.
    pub accepted: Cow<'static, str>,
    /// The command that makes what is accepted.
    pub remedy: Option<Box<Command>>,
}

impl ModelError for Refusal {}

impl Refusal {
    /// A refusal of what was found.
    #[must_use]
    pub fn new(kind: Kind, found: impl Into<String>) -> Self {
        Self {
            kind,
            place: String::new(),
            found: found.into(),
            accepted: Cow::Borrowed(""),
            remedy: None,
        }
    }

    /// With what would do.
    #[must_use]
    pub fn accepting(mut self, accepted: impl Into<Cow<'static, str>>) -> Self {
        self.accepted = accepted.into();
        self
    }

    /// With the command that makes what is accepted.
    #[must_use]
    pub fn cured_by(mut self, command: Command) -> Self {
        self.remedy = Some(Box::new(command));
        self
    }

    /// At a place around the one that is known.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        let around = place.into();
        self.place = match self.place.is_empty() {
            true => around,
            false => format!("{around}: {}", self.place),
        };
        self
    }

    /// Of a file: its name stands in the command.
    #[must_use]
    pub fn of(mut self, file: &str) -> Self {
        if let Some(command) = &mut self.remedy {
            command.name(file);
        }
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.found)?;
        if !self.accepted.is_empty() {
            write!(f, "; accepted: {}", self.accepted)?;
        }
        match &self.remedy {
            Some(command) => write!(f, " ({command})"),
            None => Ok(()),
        }
    }
}

/// A place around a refusal.
pub(crate) trait Context<T> {
    /// At a place.
    ///
    /// # Errors
    /// That of the result, at the place.
    fn context(self, place: impl Into<String>) -> Result<T>;

    /// At a place that is made where it is needed.
    ///
    /// # Errors
    /// That of the result, at the place.
    fn with_context<P: Into<String>>(self, place: impl FnOnce() -> P) -> Result<T>;

    /// Of a file, whose name stands in the command.
    ///
    /// # Errors
    /// That of the result, of the file.
    fn in_command(self, file: &str) -> Result<T>;
}

impl<T, E: Into<Refusal>> Context<T> for std::result::Result<T, E> {
    fn context(self, place: impl Into<String>) -> Result<T> {
        self.map_err(|e| e.into().at(place))
    }

    fn with_context<P: Into<String>>(self, place: impl FnOnce() -> P) -> Result<T> {
        self.map_err(|e| e.into().at(place()))
    }

    fn in_command(self, file: &str) -> Result<T> {
        self.map_err(|e| e.into().of(file))
    }
}

/// Errors of other libraries, each of one kind.
macro_rules! from {
    ($($error:ty => $kind:ident),+ $(,)?) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self::new(Kind::$kind, error.to_string())
            }
        }
    )+};
}

from! {
    OutOfRange => Value,
    TerrainError => Value,
    GroundMotionError => Value,
    std::num::TryFromIntError => TooLarge,
    std::io::Error => Unreadable,
    roxmltree::Error => Syntax,
    serde_json::Error => Syntax,
    ::geojson::Error => Syntax,
    ::shapefile::Error => Syntax,
    ::laz::LasZipError => Syntax,
}

#[cfg(feature = "geopackage")]
from! { rusqlite::Error => Syntax }

/// A refusal of a kind: what was found, then, behind a semicolon, what is accepted, then the command that makes it.
macro_rules! refusal {
    ($kind:ident, $found:literal $(, $arg:expr)* $(,)?) => {
        $crate::refusal::Refusal::new($crate::refusal::Kind::$kind, format!($found $(, $arg)*))
    };
    ($kind:ident, $found:literal $(, $arg:expr)* ; $accepted:literal $(, $more:expr)* $(,)? $(=> $command:expr)?) => {
        $crate::refusal::refusal!($kind, $found $(, $arg)*)
            .accepting(format!($accepted $(, $more)*))
            $(.cured_by($command))?
    };
    ($kind:ident, $found:literal $(, $arg:expr)* $(,)? => $command:expr) => {
        $crate::refusal::refusal!($kind, $found $(, $arg)*).cured_by($command)
    };
}

/// Returns a refusal.
macro_rules! bail {
    ($($refusal:tt)+) => {
        return Err($crate::refusal::refusal!($($refusal)+))
    };
}

/// Returns a refusal unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($refusal:tt)+) => {
        match $condition {
            true => {}
            false => return Err($crate::refusal::refusal!($($refusal)+)),
        }
    };
}

pub(crate) use {bail, ensure, refusal};
