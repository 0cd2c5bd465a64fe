//! One scene, many runs: a scene of any kind over values of its keys.
//!
//! The design ([`design`]) says which combinations of values are run; a combination is one piece of work, so that parts
//! and interrupted studies are those of any other run. A bisection follows the runs before it and has no parts.

mod bisection;
mod collected;
pub mod design;
pub mod indices;
mod inner;
mod job;
mod limits;
mod point;
pub mod result;
pub mod scene;
mod verdict;

pub use inner::Find;
pub use job::prepare;
pub use scene::NAME;

use crate::error::Result;
use crate::job::Job;
use crate::kind::Kind;
use crate::text::SceneText;

/// The kind; `prepare` is [`prepare`] with the list of the kinds that can be studied.
#[must_use]
pub const fn kind(prepare: fn(&SceneText) -> Result<Box<dyn Job>>) -> Kind {
    Kind {
        name: NAME,
        summary: "a scene of any kind for many values of its keys: curves, maps, limits by bisection, sensitivities",
        example: include_str!("../../../../examples/study.json"),
        files: &[],
        limits: limits::LIMITS,
        scene: || schemars::schema_for!(scene::Scene),
        results: || schemars::schema_for!(result::Results),
        prepare,
    }
}
