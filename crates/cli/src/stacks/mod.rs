//! Scenes of stacks of blocks: one motion by any engine, overturning maps, overturning scale factors.

mod base;
mod map;
mod report;
mod run;
mod scale;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use crate::failure::input;
use crate::kinds::Kind;
use crate::scene::SceneText;
use crate::session::Options;

/// One motion with its events and history.
pub const RUN: Kind = Kind {
    name: "stack",
    summary: "a stack of up to ten blocks under base motion: events, history, pictures; without slip, by Newmark or with friction",
    example: include_str!("../../../../examples/stack.json"),
    schema: || schemars::schema_for!(run::Scene),
    prepare: run::prepare,
};

/// An overturning map.
pub const MAP: Kind = Kind {
    name: "stack-map",
    summary: "partial and total overturning of a stack over amplitude and frequency",
    example: include_str!("../../../../examples/stack-map.json"),
    schema: || schemars::schema_for!(map::Scene),
    prepare: map::prepare,
};

/// Outcomes over the scale of a motion.
pub const SCALE: Kind = Kind {
    name: "stack-scale",
    summary: "outcomes of a stack over the scale factor of a motion, and the least that overturns",
    example: include_str!("../../../../examples/stack-scale.json"),
    schema: || schemars::schema_for!(scale::Scene),
    prepare: scale::prepare,
};

/// Commands of `klast rocking stack`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene of kind stack: the same as `klast run`
    Run {
        /// The scene
        scene: PathBuf,
    },
    /// Run a scene of kind stack-map: the same as `klast run`
    Map {
        /// The scene
        scene: PathBuf,
    },
    /// Run a scene of kind stack-scale: the same as `klast run`
    Scale {
        /// The scene
        scene: PathBuf,
    },
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad input, another kind of scene, a folder that cannot be written, an interruption.
    pub fn run(&self, options: &Options) -> Result<()> {
        let (scene, kind) = match self {
            Self::Run { scene } => (scene, RUN.name),
            Self::Map { scene } => (scene, MAP.name),
            Self::Scale { scene } => (scene, SCALE.name),
        };
        let found = input(SceneText::read(scene))?.kind;
        if found != kind {
            return input(Err(anyhow::anyhow!(
                "{}: kind '{found}'; accepted: '{kind}'",
                scene.display()
            )));
        }
        crate::commands::run(scene, options)
    }
}
