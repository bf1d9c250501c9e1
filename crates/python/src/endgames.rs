//! Databases of positions with few pieces.

use std::path::{Path, PathBuf};

use parlor_catalog::OpenedGame;
use parlor_catalog::endgame::Checks;
use parlor_catalog::endgame::folder::{BuildRequest, game_of};
use parlor_core::{Progress, ProgressUpdate, Resources};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors;
use crate::long::{self, Tell, Update};

/// Opens the game that a folder is for.
fn game_for(folder: &Path) -> PyResult<Box<dyn OpenedGame>> {
    let game = game_of(folder).map_err(|error| errors::other(&error))?;
    parlor_catalog::open(&game).map_err(errors::spec)
}

/// Tells how many of all positions are done.
fn counted(tell: Tell<'_>, total: u64) -> impl FnMut(&ProgressUpdate) + Send {
    move |progress| tell(Update::Done { done: progress.nodes, total })
}

/// Works out every position with few pieces, and returns what is in the folder then.
#[pyfunction]
#[pyo3(signature = (game, folder, *, pieces, threads, memory_mb, progress))]
pub fn endgame_build(
    py: Python<'_>,
    game: &str,
    folder: PathBuf,
    pieces: u32,
    threads: usize,
    memory_mb: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let endgames = game.endgames().map_err(|error| errors::other(&error))?;
        let (spec, resources) = (game.spec(), Resources { threads, memory_mb });
        let request = BuildRequest { game: &spec, folder: &folder, pieces, resources };
        let mut report = counted(tell, endgames.positions(pieces));
        let built = endgames.build(&request, &mut Progress { cancel, report: &mut report });
        built.map_err(|error| errors::other(&error))?;
        let rows = endgames.rows(&folder).map_err(|error| errors::other(&error))?;
        Ok(json!({ "game": spec, "folder": folder, "rows": rows }).to_string())
    })
}

/// Checks a database.
#[pyfunction]
#[pyo3(signature = (folder, *, sample, depth, seed, threads, progress))]
pub fn endgame_verify(
    py: Python<'_>,
    folder: PathBuf,
    sample: u32,
    depth: u32,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    long::run(py, progress.as_ref(), |cancel, tell| {
        let game = game_for(&folder)?;
        let endgames = game.endgames().map_err(|error| errors::other(&error))?;
        let rows = endgames.rows(&folder).map_err(|error| errors::other(&error))?;
        let checks = Checks { threads, sample, seed, depth };
        let mut report = counted(tell, rows.iter().map(|row| row.census.setups()).sum());
        let found = endgames.verify(&folder, &checks, &mut Progress { cancel, report: &mut report });
        Ok(json!(found.map_err(|error| errors::other(&error))?).to_string())
    })
}

/// Looks a position up.
#[pyfunction]
pub fn endgame_probe(py: Python<'_>, folder: PathBuf, position: &str) -> PyResult<String> {
    py.detach(|| {
        let game = game_for(&folder)?;
        let endgames = game.endgames().map_err(|error| errors::other(&error))?;
        let probed = endgames.probe(&folder, position).map_err(|error| errors::other(&error))?;
        Ok(json!(probed).to_string())
    })
}
