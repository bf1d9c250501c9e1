//! What can be typed after `parlor classify`.

use std::path::PathBuf;

use clap::Subcommand;
use parlor_lab::classify::{ForestParams, Kind, MOST_FEATURES, MOST_TREES};

use crate::args::{result_path, whole};

#[derive(Subcommand, Debug)]
pub enum ClassifyCommand {
    /// Fit a classifier to labelled rows and keep it in a file
    #[command(after_help = "Examples:\n  \
        parlor classify train rows.csv --kind mda --out mda.model\n  \
        parlor classify train rows.csv --kind forest --trees 100 --holdout 0.2 --out forest.model")]
    Train(TrainArgs),
    /// Test a classifier on labelled rows: accuracy, confusion matrix, precision and recall, calibration
    #[command(after_help = "Example: parlor classify test mda.model rows.csv")]
    Test(TestArgs),
    /// Cross-validate a kind of classifier: fit it to all folds but one, test it on that one, in turn
    #[command(after_help = "Example: parlor classify cross rows.csv --kind forest --folds 5")]
    Cross(CrossArgs),
}

#[derive(clap::Args, Debug)]
pub struct FitArgs {
    /// The kind of classifier: mda (multiple discriminant analysis) or forest (random forest)
    #[arg(long, value_name = "KIND", value_parser = |text: &str| text.parse::<Kind>())]
    pub kind: Kind,
    /// Number of trees of a forest
    #[arg(long, value_name = "T", default_value_t = 100, value_parser = whole::<usize>(1, MOST_TREES as u64))]
    pub trees: usize,
    /// Least number of rows in a leaf of a tree: larger leaves make smaller files and smoother probabilities
    #[arg(long, value_name = "ROWS", default_value_t = 1, value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    pub min_leaf: u32,
    /// Largest number of splits on the way to a leaf (default: no limit)
    #[arg(long, value_name = "SPLITS", value_parser = whole::<u32>(1, 1000))]
    pub depth: Option<u32>,
    /// Number of random features among which each split is chosen (default: the square root of all)
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, MOST_FEATURES as u64))]
    pub tried: Option<usize>,
    /// Seed of bootstrap samples, splits and folds; equal seeds give equal results with any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many threads grow trees (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// The game that the rows come from; names its classes (default: the game whose features the file has)
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

impl FitArgs {
    pub fn forest(&self) -> ForestParams {
        ForestParams { trees: self.trees, min_leaf: self.min_leaf, depth: self.depth, tried: self.tried }
    }
}

#[derive(clap::Args, Debug)]
pub struct TrainArgs {
    /// Rows with their classes in the column `target`, as `parlor samples` writes them
    #[arg(value_name = "FILE.csv")]
    pub rows: PathBuf,
    #[command(flatten)]
    pub fit: FitArgs,
    /// The file for the classifier
    #[arg(long, short, value_name = "MODEL", value_parser = result_path())]
    pub out: PathBuf,
    /// Hold out this share of each class, and test the classifier on it
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub holdout: Option<f64>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct TestArgs {
    /// The classifier's file
    pub model: PathBuf,
    /// Rows with their classes in the column `target`
    #[arg(value_name = "FILE.csv")]
    pub rows: PathBuf,
    /// With --json, list the predicted class of each row
    #[arg(long, requires = "json")]
    pub predictions: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct CrossArgs {
    /// Rows with their classes in the column `target`, as `parlor samples` writes them
    #[arg(value_name = "FILE.csv")]
    pub rows: PathBuf,
    #[command(flatten)]
    pub fit: FitArgs,
    /// Number of folds
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = whole::<u32>(2, 1000))]
    pub folds: u32,
    /// With --json, list the predicted class of each row
    #[arg(long, requires = "json")]
    pub predictions: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&share: &f64| share > 0.0 && share < 1.0);
    number.ok_or_else(|| "a number between 0 and 1, such as 0.2".to_owned())
}
