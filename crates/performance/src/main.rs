//! `klast-kernels`: the kernels from the command line; `cargo xtask instructions` and `scaling` call it.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use klast_performance::{KERNELS, kernel, scaling};

#[derive(Parser)]
#[command(name = "klast-kernels", version, about)]
struct Arguments {
    /// Threads to use
    #[arg(long, default_value_t = 1, global = true)]
    threads: usize,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Name the kernels
    List,
    /// Prepare a kernel and do its work some times; prints the units done
    Run {
        /// Which kernel
        name: String,
        /// How large, instead of the size that is counted
        #[arg(long)]
        size: Option<usize>,
        /// How often
        #[arg(long, default_value_t = 1)]
        times: u32,
    },
    /// Follow cost over sizes and threads (Markdown), and draw it
    Scaling {
        /// Folder for the picture
        #[arg(long, value_name = "DIR")]
        pictures: PathBuf,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build_global()?;
    match arguments.command {
        Command::List => KERNELS.iter().for_each(|k| println!("{}", k.name)),
        Command::Run { name, size, times } => {
            let kernel = kernel(&name)?;
            let mut work = kernel.prepare(size.unwrap_or(kernel.size))?;
            let mut units = 0;
            for _ in 0..times {
                units += work()?;
            }
            println!("{units} {}", kernel.unit);
        }
        Command::Scaling { pictures } => print!("{}", scaling::report(&pictures)?),
    }
    Ok(())
}
