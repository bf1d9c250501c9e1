//! Runs on the disk: a folder each.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, Weak};

use parlor_core::Cancel;
use parlor_core::files::reading::{make_folder, read_folder, read_text};
use parlor_core::files::replace;

use super::{Facts, Phase, Places, Run, Runs, lock};
use crate::App;

/// The file of what is known.
const FACTS: &str = "run.json";

/// The file of the points, one a line.
const POINTS: &str = "points.jsonl";

impl Runs {
    /// Reads the runs of a folder. Those that were at work when the program ended can be resumed.
    pub fn new(folder: Option<PathBuf>, threads: usize, places: Places, app: &Weak<App>) -> Runs {
        let mut runs = BTreeMap::new();
        for folder in folder.iter().flat_map(|folder| read_folder(folder).unwrap_or_default()) {
            if let Some(run) = read(folder, app) {
                runs.insert(run.id, Arc::new(run));
            }
        }
        Runs { runs: Mutex::new(runs), at_work: Arc::new(AtomicUsize::new(0)), folder, threads, places }
    }
}

fn read(folder: PathBuf, app: &Weak<App>) -> Option<Run> {
    let id = folder.file_name()?.to_str()?.parse().ok()?;
    let mut facts: Facts = serde_json::from_str(&read_text(&folder.join(FACTS)).ok()?).ok()?;
    if facts.phase == Phase::Running {
        facts.phase = Phase::Stopped;
    }
    let points = read_text(&folder.join(POINTS)).unwrap_or_default();
    Some(Run {
        id,
        folder,
        facts: Mutex::new(facts),
        points: Mutex::new(points.lines().map(str::to_owned).collect()),
        cancel: Mutex::new(Cancel::new()),
        app: Weak::clone(app),
    })
}

impl Run {
    /// Writes what is known to the run's folder.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn keep(&self) -> std::io::Result<()> {
        make_folder(&self.folder)?;
        let facts = serde_json::to_vec(&*lock(&self.facts)).expect("plain data always becomes JSON");
        replace(&self.folder.join(FACTS), &facts)?;
        let points = self.points_from(0).join("\n");
        replace(&self.folder.join(POINTS), points.as_bytes())
    }
}
