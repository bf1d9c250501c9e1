//! Matches, tournaments, trainings and experiments.

use std::path::PathBuf;
use std::time::Duration;

use parlor_core::TimeControl;
use parlor_core::files::knowledge::Stage;
use parlor_core::files::reading::read_text;
use parlor_lab::PairRow;
use parlor_lab::experiment::library;
use parlor_lab::pairs::GameRow;
use parlor_lab::run::experiments::Changes;
use parlor_lab::run::{
    Event, ExperimentRun, Keep, MatchRequest, MatchRun, RunOptions, TournamentRequest, TournamentRun,
    TrainingRun,
};
use parlor_lab::tournament::Kind;
use parlor_lab::training::{DEFAULT_MEMORY_MB, ITSELF, Request};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{self, ParlorError};
use crate::guests::{GuestList, entries, open_with};
use crate::long::{self, Listening};

/// How a run is carried out, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    pub threads: usize,
    pub minutes: Option<f64>,
    pub out: Option<PathBuf>,
}

impl How {
    pub fn options(&self) -> RunOptions {
        RunOptions {
            threads: self.threads,
            time_limit: self.minutes.and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok()),
            keep: self.out.clone().map_or(Keep::Nowhere, Keep::In),
            home: None,
            record: None,
        }
    }
}

/// A match or a tournament, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PairsAsked {
    game: String,
    agents: Vec<String>,
    pairs: u64,
    seed: u64,
    time: Option<String>,
    opening: u32,
    session: u64,
    ponder: bool,
    sprt: Option<[f64; 2]>,
    gauntlet: bool,
}

impl PairsAsked {
    fn time(&self) -> PyResult<TimeControl> {
        let time = self.time.as_deref().map(str::parse::<TimeControl>).transpose();
        Ok(time.map_err(|error| errors::other(&error))?.unwrap_or_default())
    }

    pub fn of_match(&self) -> PyResult<MatchRequest> {
        let agents = <[String; 2]>::try_from(self.agents.clone());
        Ok(MatchRequest {
            game: self.game.clone(),
            agents: agents.map_err(|_| ParlorError::new_err("a match is between two agents"))?,
            seed: self.seed,
            pairs: self.pairs,
            sprt: self.sprt,
            time: self.time()?,
            opening: self.opening,
            ponder: self.ponder,
            session: self.session,
        })
    }

    pub fn of_tournament(&self) -> PyResult<TournamentRequest> {
        Ok(TournamentRequest {
            game: self.game.clone(),
            agents: self.agents.clone(),
            kind: if self.gauntlet { Kind::Gauntlet } else { Kind::RoundRobin },
            pairs: self.pairs,
            seed: self.seed,
            time: self.time()?,
            opening: self.opening,
            session: self.session,
        })
    }
}

/// The games of pairs, game by game.
#[derive(Default)]
struct GameRows(Vec<Value>);

impl GameRows {
    fn add(&mut self, row: &PairRow) {
        for (number, GameRow { score, forfeit, saved }) in row.games.iter().enumerate() {
            for game in saved {
                self.0.push(json!({
                    "pair": row.pair,
                    "game": number,
                    "score": score,
                    "forfeit": forfeit,
                    "seats": game.seats,
                    "payoffs": game.payoffs,
                    "plies": game.moves.split_whitespace().count(),
                    "moves": game.moves,
                    "ending": game.ending,
                }));
            }
        }
    }
}

/// Plays a match, or goes on with the one in a folder.
#[pyfunction]
#[pyo3(signature = (asked, resume, how, guests, *, rows, progress))]
pub fn run_match(
    py: Python<'_>,
    asked: Option<PairsAsked>,
    resume: Option<PathBuf>,
    how: How,
    guests: GuestList,
    rows: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let request = asked.as_ref().map(PairsAsked::of_match).transpose()?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let guests = entries(guests, cancel);
        let open = open_with(&guests);
        let run = match (&request, &resume) {
            (Some(request), _) => MatchRun::new(request, &open, how.options()),
            (None, Some(folder)) => MatchRun::resume(folder, &open, how.options()),
            (None, None) => return Err(ParlorError::new_err("which match?")),
        };
        let (mut listening, mut games) = (Listening::new(tell), GameRows::default());
        let report = run.map_err(errors::run)?.run(cancel, &mut |event| {
            if let Event::MatchPair { row, .. } = event
                && rows
            {
                games.add(row);
            }
            listening.hear(event);
        });
        let report = report.map_err(errors::run)?;
        Ok(json!({
            "manifest": report.manifest,
            "verdict": report.verdict,
            "stopped": report.stop.early_word(),
            "folder": report.folder,
            "games": games.0,
        })
        .to_string())
    })
}

/// Plays a tournament, or goes on with the one in a folder.
#[pyfunction]
#[pyo3(signature = (asked, resume, how, guests, *, rows, progress))]
pub fn run_tournament(
    py: Python<'_>,
    asked: Option<PairsAsked>,
    resume: Option<PathBuf>,
    how: How,
    guests: GuestList,
    rows: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let request = asked.as_ref().map(PairsAsked::of_tournament).transpose()?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let guests = entries(guests, cancel);
        let open = open_with(&guests);
        let run = match (&request, &resume) {
            (Some(request), _) => TournamentRun::new(request, &open, how.options()),
            (None, Some(folder)) => TournamentRun::resume(folder, &open, how.options()),
            (None, None) => return Err(ParlorError::new_err("which tournament?")),
        };
        let (mut listening, mut games) = (Listening::new(tell), GameRows::default());
        let report = run.map_err(errors::run)?.run(cancel, &mut |event| {
            if let Event::TournamentPair { row, .. } = event
                && rows
            {
                games.add(row);
            }
            listening.hear(event);
        });
        let report = report.map_err(errors::run)?;
        Ok(json!({
            "plan": report.plan,
            "names": report.names,
            "standings": report.standings,
            "stopped": report.stop.early_word(),
            "folder": report.folder,
            "games": games.0,
        })
        .to_string())
    })
}

/// A training, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct TrainingAsked {
    game: String,
    learner: String,
    against: Vec<String>,
    testers: Vec<String>,
    rounds: u64,
    round: u64,
    test_matches: u64,
    seed: u64,
    file: PathBuf,
    overwrite: bool,
}

/// Trains a learner, or goes on with the training in a file.
#[pyfunction]
#[pyo3(signature = (asked, resume, threads, *, progress))]
pub fn run_training(
    py: Python<'_>,
    asked: Option<TrainingAsked>,
    resume: Option<PathBuf>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    long::run(py, progress.as_ref(), |cancel, tell| {
        let open = open_with(&[]);
        let run = match (asked, resume) {
            (Some(asked), _) => {
                let game = open(&asked.game).map_err(errors::spec)?;
                let mut testers = asked.testers;
                if testers.is_empty() && asked.test_matches > 0 {
                    testers.push(if game.seats() == 1 { ITSELF } else { "random" }.to_owned());
                }
                let stage = Stage {
                    rounds: asked.rounds,
                    round: asked.round,
                    against: asked.against,
                    settings: std::collections::BTreeMap::new(),
                };
                let request = Request {
                    learner: asked.learner,
                    stages: vec![stage],
                    patience: None,
                    regret_deals: 0,
                    testers,
                    test_matches: asked.test_matches,
                    seed: asked.seed,
                    memory_mb: DEFAULT_MEMORY_MB,
                };
                TrainingRun::new(&*game, &request, &asked.file, asked.overwrite)
            }
            (None, Some(file)) => TrainingRun::resume(&file, &open),
            (None, None) => return Err(ParlorError::new_err("which training?")),
        };
        let mut run = run.map_err(errors::run)?;
        run.training().trainee().use_threads(threads);
        let mut listening = Listening::new(tell);
        run.run(cancel, &mut |event| listening.hear(event)).map_err(errors::run)?;
        let size = run.training().trainee().size();
        Ok(json!({
            "finished": !run.about().is_unfinished(),
            "about": run.about(),
            "entries": size.entries,
            "bytes": size.bytes,
            "file": run.file(),
        })
        .to_string())
    })
}

/// Returns the text of an experiment that comes with parlor, or of a file.
pub fn experiment_text(experiment: &str) -> PyResult<String> {
    if let Some(text) = library::text_of(experiment) {
        return Ok(text.to_owned());
    }
    read_text(experiment.as_ref())
        .map_err(|error| ParlorError::new_err(format!("{experiment} cannot be read: {error}")))
}

/// Runs an experiment, or goes on with it. What it finds is in the files of its folder.
#[pyfunction]
#[pyo3(signature = (experiment, out, *, quick, trainings, seed, threads, resume, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn run_experiment(
    py: Python<'_>,
    experiment: &str,
    out: PathBuf,
    quick: bool,
    trainings: Option<u32>,
    seed: Option<u64>,
    threads: usize,
    resume: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let text = experiment_text(experiment)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let open = open_with(&[]);
        let run = if resume && ExperimentRun::is_in(&out) {
            ExperimentRun::resume(&text, quick, &out, &open)
        } else {
            ExperimentRun::new(&text, Changes { quick, trainings, seed }, &out, &open)
        };
        let mut listening = Listening::new(tell);
        let report = run.map_err(errors::run)?.run(threads, cancel, &mut |event| listening.hear(event));
        let report = report.map_err(errors::run)?;
        Ok(json!({ "folder": report.folder, "stopped": report.stop.early_word() }).to_string())
    })
}
