//! `parlor experiment`: published experiments and one's own, run, reported and verified.

mod args;
mod print;
mod run;
mod show;
mod verify;

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use parlor_core::files::reading::read_text;
use parlor_core::text::suggest::closest;
use parlor_lab::experiment::run::Opened;
use parlor_lab::experiment::{Experiment, PUBLISHED, Report, library};
use parlor_lab::run::RunError;

use crate::run_support::open;
use crate::terminal::say_json;

pub use args::ExperimentCommand;

pub fn run(command: &ExperimentCommand) -> anyhow::Result<()> {
    match command {
        ExperimentCommand::List(args) => show::list(args),
        ExperimentCommand::Show(args) => show::show(args),
        ExperimentCommand::Run(args) => run::run(args),
        ExperimentCommand::Report(args) => print::report(args),
        ExperimentCommand::Verify(args) => verify::run(args),
    }
}

/// Prints a report.
pub fn tell(report: &Report, folder: &Path, json: bool) -> anyhow::Result<()> {
    if json { say_json(&print::one(report, folder)) } else { Ok(print::tell(report, folder)?) }
}

/// Adds the file to an error that names a place in it.
fn in_file(error: RunError, file: &str) -> anyhow::Error {
    match error {
        RunError::File(_) => anyhow::Error::new(error).context(file.to_owned()),
        error => error.into(),
    }
}

/// An experiment's text and where it comes from, for errors.
struct Text {
    text: String,
    place: String,
}

impl Text {
    /// Finds an experiment that comes with the program, or reads a file.
    fn find(name: &str) -> anyhow::Result<Text> {
        if let Some(text) = library::text_of(name) {
            return Ok(Text { text: text.to_owned(), place: format!("experiment {name}") });
        }
        if Path::new(name).extension().is_some_and(|ending| ending == "toml") {
            let text = read_text(Path::new(name)).with_context(|| format!("{name} cannot be read"))?;
            return Ok(Text { text, place: name.to_owned() });
        }
        let known: Vec<String> = PUBLISHED.iter().map(|(id, _)| id.to_uppercase()).collect();
        let near = closest(&name.to_uppercase(), known.iter().map(String::as_str));
        let near = near.map(|word| format!(" (did you mean `{word}`?)")).unwrap_or_default();
        bail!(
            "there is no experiment named `{name}`{near}; known: {}; a file's name ends in .toml",
            known.join(", ")
        );
    }

    fn read(&self) -> anyhow::Result<Experiment> {
        Experiment::read(&self.text).map_err(|error| anyhow!("{}: {error}", self.place))
    }

    /// Opens every game and seats every agent once, so that errors have their place in the file.
    fn open(&self, experiment: Experiment) -> anyhow::Result<Opened> {
        Opened::new(experiment, open).map_err(|error| anyhow!("{}: {error}", self.place))
    }
}
