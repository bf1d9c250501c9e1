//! What can be typed behind `parlor experiment`.

use std::path::PathBuf;

use clap::Subcommand;

use parlor_lab::run::Shard;

use crate::args::{result_path, shard, whole};

#[derive(Subcommand, Debug)]
pub enum ExperimentCommand {
    /// List the experiments that come with the program
    #[command(after_help = "Example: parlor experiment list --json")]
    List(ListArgs),
    /// Show an experiment: what it asks, its arms, its hypotheses, what the source printed
    #[command(after_help = "Examples:\n  \
        parlor experiment show A1\n  \
        parlor experiment show A1 --toml > mine.toml   begin one of your own")]
    Show(ShowArgs),
    /// Run an experiment: train and test every arm again and again, or play and compute a study; report
    #[command(after_help = "Examples:\n  \
        parlor experiment run A1 --quick --out quick-a1   a smaller version, under a minute\n  \
        parlor experiment run mine.toml                   your own, see the guide\n  \
        parlor experiment run quadrants --out FOLDER      m2 to m5, with a summary\n  \
        parlor experiment run --all --out replication     every published one, with a summary\n  \
        parlor experiment run A1 --out FOLDER --resume    go on after a break\n  \
        parlor experiment run A1 --shard 0/16 --out DIR   a part of it, for many machines")]
    Run(RunArgs),
    /// Write the report of a run again: one HTML file, plots as SVG and PNG
    #[command(after_help = "Examples:\n  \
        parlor experiment report FOLDER                   of one run, finished or not\n  \
        parlor experiment report replication              of all runs in a folder, with a summary")]
    Report(ReportArgs),
    /// Replay some trainings of a run and compare every row; exit code 1 if one differs
    #[command(after_help = "Example: parlor experiment verify FOLDER --trainings 3")]
    Verify(VerifyArgs),
}

#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// An experiment's name, such as A1, or a FILE.toml
    pub experiment: String,
    /// Print the file itself
    #[arg(long)]
    pub toml: bool,
    /// Print one JSON document
    #[arg(long, conflicts_with = "toml")]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct RunArgs {
    /// Names of experiments, such as A1, of groups (collective, myers, quadrants), or FILE.toml; several share a summary
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "EXPERIMENT")]
    pub experiments: Vec<String>,
    /// Every published experiment, one folder each, and a summary
    #[arg(long)]
    pub all: bool,
    /// The smaller version that the file describes
    #[arg(long)]
    pub quick: bool,
    /// Where the run is kept (default: a folder of its own in the program's data folder)
    #[arg(long, value_name = "DIR", value_parser = result_path())]
    pub out: Option<PathBuf>,
    /// How many trainings, or parts, go on at once (default: all cores); the rows do not depend on it
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Play only part I of N, 0 … N − 1, and keep it as a file in the folder of --out; `parlor merge` makes one run of all parts. For
    /// many machines, see the guide
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "out", conflicts_with_all = ["resume", "all"])]
    pub shard: Option<Shard>,
    /// Go on with what is in the folder
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// How many times each arm is trained (default: what the file says)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 10_000), conflicts_with = "resume")]
    pub trainings: Option<u32>,
    /// Another seed than the file's
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// The folder of a run, or of many: then a summary is written too
    pub folder: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    /// The folder of a run
    pub folder: PathBuf,
    /// How many trainings are replayed, drawn from all of them
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<u32>(1, 1_000_000))]
    pub trainings: u32,
    /// How many at once (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
