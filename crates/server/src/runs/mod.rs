//! Runs of the laboratory: the owner starts, watches, stops and resumes them.

mod calls;
mod kept;
mod work;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{SystemTime, UNIX_EPOCH};

use parlor_core::Cancel;
use parlor_lab::record::Location;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::problem::{Answer, Problem};
use crate::ids::Token;
use crate::{App, Settings};

pub use calls::{delete, history, list, report, resume, show, start, stop, templates};

/// How many runs may be at work at a time.
const MOST_AT_WORK: usize = 2;

/// How many runs are kept.
const MOST_RUNS: usize = 1_000;

/// The most points of a run; later ones are left out.
const MOST_POINTS: usize = 20_000;

/// What is run.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Two agents in pairs.
    Match,
    /// Many agents.
    Tournament,
    /// A learner.
    Training,
    /// An experiment of a file.
    Experiment,
}

/// How a run stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is at work.
    Running,
    /// It is finished.
    Done,
    /// It was stopped and can be resumed.
    Stopped,
    /// Something went wrong.
    Failed,
}

/// What is known about a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// What is run.
    pub kind: Kind,
    /// Its text.
    pub toml: String,
    /// What it is about, in a line.
    pub title: String,
    /// The game's spec.
    pub game: String,
    /// How it stands.
    pub phase: Phase,
    /// How much is done.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
    /// What the steps are.
    pub unit: String,
    /// When it was started, in seconds since 1970.
    pub started: u64,
    /// What went wrong.
    pub error: Option<String>,
    /// What it came to.
    pub result: Option<Value>,
    /// The report's file.
    pub report: Option<String>,
    /// What the axes of its curves are.
    pub axes: [String; 2],
    /// What others have published about it.
    pub published: Value,
}

/// One run.
pub struct Run {
    /// Its id.
    pub id: Token,
    /// Where it is kept.
    folder: PathBuf,
    facts: Mutex<Facts>,
    points: Mutex<Vec<String>>,
    cancel: Mutex<Cancel>,
    app: Weak<App>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl Run {
    /// Returns its row in the list.
    pub fn row(&self) -> Value {
        let facts = lock(&self.facts);
        let report = facts.report.as_ref().map(|file| format!("/reports/{}/{file}", self.id));
        json!({
            "run": self.id.to_string(),
            "kind": facts.kind,
            "title": facts.title,
            "game": facts.game,
            "state": facts.phase,
            "done": facts.done,
            "total": facts.total,
            "unit": facts.unit,
            "started": facts.started,
            "error": facts.error,
            "report": report,
            "resumable": facts.phase == Phase::Stopped || facts.phase == Phase::Failed,
        })
    }

    /// Returns everything that is known.
    fn whole(&self) -> Value {
        let mut value = self.row();
        let facts = lock(&self.facts);
        value["toml"] = facts.toml.clone().into();
        value["result"] = json!(facts.result);
        value["axes"] = json!({"x": facts.axes[0], "y": facts.axes[1]});
        value["published"] = facts.published.clone();
        drop(facts);
        let points = self.points_from(0);
        let points: Vec<Value> = points.iter().filter_map(|point| serde_json::from_str(point).ok()).collect();
        value["points"] = points.into();
        value
    }

    /// Returns its points, without the first `from`.
    pub fn points_from(&self, from: usize) -> Vec<String> {
        lock(&self.points).get(from..).unwrap_or_default().to_vec()
    }

    /// Changes what is known, and tells everybody who follows.
    fn change(&self, change: impl FnOnce(&mut Facts)) {
        change(&mut lock(&self.facts));
        self.tell();
    }

    fn tell(&self) {
        if let Some(app) = self.app.upgrade() {
            app.streams.run_changed(self.id);
        }
    }

    fn add_points(&self, new: impl IntoIterator<Item = Value>) {
        let mut points = lock(&self.points);
        for mut point in new {
            if points.len() < MOST_POINTS {
                point["run"] = self.id.to_string().into();
                points.push(point.to_string());
            }
        }
    }
}

/// All runs.
pub struct Runs {
    runs: Mutex<BTreeMap<Token, Arc<Run>>>,
    at_work: Arc<AtomicUsize>,
    folder: Option<PathBuf>,
    threads: usize,
    /// Where else results go.
    pub places: Places,
}

/// Where the results of runs go beside their own folders.
#[derive(Clone, Debug)]
pub struct Places {
    /// The store in which the games of matches and tournaments are recorded.
    pub record: Option<Location>,
    /// The program's own place, with the log.
    pub home: Option<PathBuf>,
}

impl Places {
    /// Returns the places that a server is set up with.
    pub fn of(settings: &Settings) -> Places {
        Places { record: settings.record.clone(), home: settings.home.clone() }
    }
}

/// The right to be at work.
struct Turn(Arc<AtomicUsize>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Runs {
    /// Returns a run.
    ///
    /// # Errors
    /// If no run has that id.
    pub fn find(&self, id: &str) -> Answer<Arc<Run>> {
        let found = id.parse().ok().and_then(|id: Token| lock(&self.runs).get(&id).cloned());
        found.ok_or_else(|| Problem::missing("there is no such run"))
    }

    fn turn(&self) -> Answer<Turn> {
        let more = |now: usize| (now < MOST_AT_WORK).then_some(now + 1);
        let taken = self.at_work.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        taken.map_err(|_| {
            Problem::full(format!(
                "{MOST_AT_WORK} runs are at work already: stop one, or wait until one ends"
            ))
        })?;
        Ok(Turn(Arc::clone(&self.at_work)))
    }

    /// Stops every run. For the end of the program.
    pub fn stop_all(&self) {
        let all: Vec<Arc<Run>> = lock(&self.runs).values().cloned().collect();
        all.iter().for_each(|run| lock(&run.cancel).cancel());
        // What is done is written down before the program ends.
        for _ in 0..100 {
            if self.at_work.load(Ordering::Acquire) == 0 {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}
