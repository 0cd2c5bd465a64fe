//! The arguments of the program, and the command that they name. The binary and the console script of the Python wheel
//! both begin here.
//!
//! Exit codes: 0 the run is complete; 1 it failed; 2 the input is wrong and nothing was written;
//! 130 it was interrupted: what is written is whole, and the run says whether the same command goes on.

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::commands::{self, contact, convert, desk, ground_classes, mass, merge, record, search};
use crate::{VERSION, failure, session};

/// Non-smooth dynamics of rocks and blocks: rockfall, rocking, stacks, basins, rockfill.
#[derive(Parser)]
#[command(name = "klast", version = VERSION, arg_required_else_help = true)]
#[command(
    after_help = "Examples:\n  klast new rockfall --out slope      writes an example with its files\n  klast run slope/rockfall.json       runs it and prints the verdict\n  klast open rockfall                 shows the report\n  klast run --help                    lists the options of a command"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: session::Options,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene file, print the verdict, and write the results and a report into a folder
    #[command(
        after_help = "Examples:\n  klast run slope.json\n  klast run slope.json --out out/wet --set materials.0.friction=0.4\n  cat slope.json | klast run - --json"
    )]
    Run {
        /// Path of the scene; - for the standard input
        scene: std::path::PathBuf,
        /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// Check a scene file and say what it would run; with --json, print this as JSON
    #[command(
        after_help = "Examples:\n  klast check slope.json\n  klast check slope.json --json\n  klast check - < slope.json"
    )]
    Check {
        /// Path of the scene; - for the standard input
        scene: std::path::PathBuf,
        /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// Print a scene that runs; with --out, write the scene, its schema and the files that it names into a folder
    #[command(
        after_help = "Examples:\n  klast new                           lists the kinds\n  klast new stack > stack.json\n  klast new rockfall --out slope\n  klast new stack --comments          prints a .jsonc file that explains every key"
    )]
    New {
        /// Kind of scene; if it is left out, the command lists all kinds
        kind: Option<String>,
        /// Explain every key in a comment (a .jsonc file)
        #[arg(long, requires = "kind")]
        comments: bool,
    },
    /// Print the JSON Schema of a kind of scene, or of its results
    #[command(
        after_help = "Examples:\n  klast schema stack > stack.schema.json\n  klast schema stack --results"
    )]
    Schema {
        /// Kind of scene; if it is left out, the command lists all kinds
        kind: Option<String>,
        /// Print the schema of the results in place of that of the scene
        #[arg(long, requires = "kind")]
        results: bool,
    },
    /// Run a scene for several values of one or two keys, and write a table and a chart of the verdicts
    #[command(
        after_help = "Examples:\n  klast sweep block.json --over horizontal.amplitude_m_s2=3:6:13\n  klast sweep block.json --over friction=0.2,0.4,0.6 --over horizontal.frequency_hz=1:4:7"
    )]
    Sweep(search::Sweep),
    /// Find the value of a key at which the verdict of a scene changes, by bisection
    #[command(
        after_help = "Examples:\n  klast limit block.json --over horizontal.amplitude_m_s2 --from 3 --to 12"
    )]
    Limit(search::Limit),
    /// Run a scene again whenever it, or a file that it names, is saved
    #[command(after_help = "Examples:\n  klast watch slope.json --out out/slope")]
    Watch(desk::Watch),
    /// Open the report of a run in the browser
    #[command(after_help = "Examples:\n  klast open out/slope\n  klast open slope.json --print")]
    Open(desk::Open),
    /// Merge the parts of a run (`--shard I/N`) into the results of one run
    Merge(merge::Arguments),
    /// Convert a raster, a point cloud, a mesh or a record to another format, which the ending of the file name states
    Convert(convert::Arguments),
    /// Print how klast reads a record: format, components, length, step, peaks, Arias intensity, duration, spectrum
    Record(record::Arguments),
    /// Print mass, mass centre, inertia and base of a mesh, and the block of a scene that follows from them
    Mass(mass::Arguments),
    /// Run the verification tables of the source documents on this machine; with --report, write a sheet to attach to a
    /// report
    #[cfg(feature = "verify")]
    Verify(commands::verify::Arguments),
    /// Solve contact problems and linear complementarity problems from files
    #[command(subcommand)]
    Contact(contact::Command),
    /// List the classes of ground with their numbers and sources
    GroundClasses,
    /// Print the completions for a shell
    #[command(after_help = "Examples:\n  klast completions bash > /etc/bash_completion.d/klast")]
    Completions(desk::Completions),
    /// Print the manual page
    #[command(after_help = "Examples:\n  klast man > klast.1")]
    Man,
}

/// Options of runs that a command has no use for: its help does not list them, and those that would change what it does
/// are refused.
const WITHOUT: [(&str, &[&str]); 15] = [
    ("check", &["out"]),
    ("new", &["threads", "seed", "shard", "json", "verbose"]),
    (
        "schema",
        &["threads", "seed", "shard", "json", "verbose", "out"],
    ),
    ("sweep", &["shard"]),
    ("limit", &["shard"]),
    (
        "open",
        &["threads", "seed", "shard", "json", "verbose", "out"],
    ),
    ("merge", &["seed", "shard"]),
    (
        "convert",
        &["threads", "seed", "shard", "json", "verbose", "out"],
    ),
    ("record", &["threads", "seed", "shard", "verbose", "out"]),
    ("mass", &["threads", "seed", "shard", "verbose", "out"]),
    ("verify", &["seed", "shard", "json", "verbose", "out"]),
    ("contact", &["threads", "seed", "shard", "verbose"]),
    (
        "ground-classes",
        &["threads", "seed", "shard", "json", "verbose", "out"],
    ),
    (
        "completions",
        &[
            "threads", "seed", "shard", "json", "verbose", "out", "quiet",
        ],
    ),
    (
        "man",
        &[
            "threads", "seed", "shard", "json", "verbose", "out", "quiet",
        ],
    ),
];

fn useless(command: &str) -> &'static [&'static str] {
    let found = WITHOUT.iter().find(|(name, _)| *name == command);
    found.map_or(&[], |(_, options)| options)
}

/// The commands with helps that list what applies: an argument of its own keeps a command from the one that all have.
fn program() -> clap::Command {
    let program = Arguments::command();
    let hidden = |option: &str| {
        let mut common = program.get_arguments();
        let found = common.find(|argument| argument.get_id() == option);
        found.map(|argument| argument.clone().hide(true))
    };
    let all = WITHOUT.map(|(name, options)| {
        let arguments = options.iter().filter_map(|option| hidden(option));
        (name, arguments.collect::<Vec<_>>())
    });
    let all = all
        .into_iter()
        .filter(|(name, _)| program.find_subcommand(name).is_some());
    let all: Vec<_> = all.collect();
    all.into_iter().fold(program, |program, (name, arguments)| {
        program.mut_subcommand(name, |command| command.args(arguments))
    })
}

/// Runs the command that the arguments name, the first of which is the program's own name; the exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let parsed = program()
        .try_get_matches_from(arguments)
        .and_then(|matches| {
            let name = matches.subcommand_name().unwrap_or_default().to_owned();
            Ok((name, Arguments::from_arg_matches(&matches)?))
        });
    let (name, arguments) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return failure::usage(&error),
    };
    let options = &arguments.options;
    let result = options
        .refuse(&name, useless(&name))
        .and_then(|()| options.prepare())
        .and_then(|()| run(&arguments.command, options));
    failure::exit(result, options.json)
}

fn run(command: &Command, options: &session::Options) -> anyhow::Result<()> {
    match command {
        Command::Run { scene, set } => commands::run(scene, set, options),
        Command::Check { scene, set } => commands::check(scene, set, options),
        Command::New { kind, comments } => commands::new(kind.as_deref(), *comments, options),
        Command::Schema { kind, results } => commands::schema(kind.as_deref(), *results),
        Command::Sweep(arguments) => search::sweep(arguments, options),
        Command::Limit(arguments) => search::limit(arguments, options),
        Command::Watch(arguments) => desk::watch(arguments, options),
        Command::Open(arguments) => desk::open(arguments),
        Command::Completions(arguments) => desk::completions(arguments, Arguments::command()),
        Command::Man => desk::man(program()),
        Command::Merge(arguments) => merge::run(arguments, options),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Record(arguments) => record::run(arguments, options),
        Command::Mass(arguments) => mass::run(arguments, options),
        #[cfg(feature = "verify")]
        Command::Verify(arguments) => commands::verify::run(arguments),
        Command::Contact(command) => contact::run(command, options),
        Command::GroundClasses => ground_classes::list(),
    }
}
