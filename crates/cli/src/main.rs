//! The klast program: scenes in, results and pictures out.
//!
//! Exit codes: 0 the run is complete; 1 it failed; 2 the input is wrong and nothing was written;
//! 130 it was interrupted: what is written is whole, and the run says whether the same command goes on.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use klast_cli::commands::{
    self, assembly, contact, convert, dem, mass, merge, plot, record, rockfall, rocking,
};
use klast_cli::{failure, session};

/// Non-smooth dynamics of rocks and blocks: rockfall, rocking, stacks, basins, rockfill.
#[derive(Parser)]
#[command(name = "klast", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: session::Options,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene file
    Run {
        /// The scene
        scene: std::path::PathBuf,
    },
    /// Validate a scene file and say what it would run
    Check {
        /// The scene
        scene: std::path::PathBuf,
    },
    /// Print a runnable example scene of a kind; with --out, write it and the files it names into a folder
    New {
        /// Kind of scene; without it, the kinds there are
        kind: Option<String>,
    },
    /// Print the JSON Schema of a kind of scene, or of its results
    Schema {
        /// Kind of scene; without it, the kinds there are
        kind: Option<String>,
        /// Of the results in place of the scene
        #[arg(long, requires = "kind")]
        results: bool,
    },
    /// Join the parts of a run (`--shard I/N`): the same results as one run
    Merge(merge::Arguments),
    /// Draw the columns of a CSV file
    Plot(plot::Arguments),
    /// Convert a raster, a mesh or a record to another format; the endings say which
    Convert(convert::Arguments),
    /// Say what is understood of a record: format, components, length, step, peaks, Arias intensity, duration, spectrum
    Record(record::Arguments),
    /// Mass, centre, inertia and standing section of a mesh, ready for a scene
    Mass(mass::Arguments),
    /// Run the verification tables of the source documents on this machine; with --report, a sheet to attach to a report
    #[cfg(feature = "verify")]
    Verify(commands::verify::Arguments),
    /// A row of blocks in a shaken basin: tuned basins
    #[command(subcommand)]
    Assembly(assembly::Command),
    /// Friction and complementarity problems from files
    #[command(subcommand)]
    Contact(contact::Command),
    /// Rockfill of convex polyhedra: layers, the penetration study
    #[command(subcommand)]
    Dem(dem::Command),
    /// Rockfall: observed flights against exact ballistics
    #[command(subcommand)]
    Rockfall(rockfall::Command),
    /// A single rocking block: fit the restitution to a measured history
    #[command(subcommand)]
    Rocking(rocking::Command),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error),
    };
    let options = &arguments.options;
    let result = options.prepare().and_then(|()| match &arguments.command {
        Command::Run { scene } => commands::run(scene, options),
        Command::Check { scene } => commands::check(scene, options),
        Command::New { kind } => commands::new(kind.as_deref(), options),
        Command::Schema { kind, results } => options
            .no_run("schema")
            .and_then(|()| commands::schema(kind.as_deref(), *results)),
        Command::Merge(arguments) => merge::run(arguments, options),
        Command::Plot(arguments) => options.no_run("plot").and_then(|()| plot::run(arguments)),
        Command::Convert(arguments) => options
            .no_run("convert")
            .and_then(|()| convert::run(arguments)),
        Command::Record(arguments) => options
            .no_run("record")
            .and_then(|()| record::run(arguments, options)),
        Command::Mass(arguments) => options
            .no_run("mass")
            .and_then(|()| mass::run(arguments, options)),
        #[cfg(feature = "verify")]
        Command::Verify(arguments) => options
            .no_run("verify")
            .and_then(|()| commands::verify::run(arguments)),
        Command::Assembly(command) => options
            .no_run("assembly")
            .and_then(|()| assembly::run(command)),
        Command::Contact(command) => contact::run(command, options),
        Command::Dem(command) => dem::run(command, options),
        Command::Rockfall(command) => command.run(options),
        Command::Rocking(command) => options.no_run("rocking").and_then(|()| command.run()),
    });
    failure::exit(result)
}
