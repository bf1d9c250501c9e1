//! Many matches in one call.

use std::sync::{Mutex, MutexGuard};

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use parlor_core::api::{AnyBatch, BatchArrays, BatchError, BatchOpponent, BatchResults};
use parlor_core::{Cancel, Seat};
use pyo3::prelude::*;

use crate::errors;
use crate::game::Game;
use crate::guests::{GuestList, entries, open_with};
use crate::long;

/// Matches of one game that are stepped together. Arrays are flat; Python gives them their shapes.
#[pyclass(frozen, module = "parlor._native")]
pub struct Batch {
    inner: Mutex<Box<dyn AnyBatch>>,
    /// The full form of the agent that has the other seat.
    opponent: Option<String>,
}

impl Batch {
    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn AnyBatch>>> {
        errors::locked(&self.inner, "batch")
    }

    /// Does something with the matches. With an opponent it may take long, so it hears Ctrl-C.
    fn work(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, &Cancel) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        let mut guard = self.lock()?;
        let batch = &mut **guard;
        if self.opponent.is_none() {
            return py.detach(|| work(batch, &Cancel::new())).map_err(failed);
        }
        long::run(py, None, |cancel, _| work(batch, cancel).map_err(failed))
    }
}

fn failed(error: BatchError) -> PyErr {
    match error {
        BatchError::Illegal { .. } => errors::other(&error),
        BatchError::NoDecision { .. } => errors::AgentFault::new_err(errors::sentence(&error)),
        BatchError::Interrupted => errors::Conflict::new_err(errors::sentence(&error)),
    }
}

/// An array that is written to, match after match.
type Bytes<'py> = PyReadwriteArray1<'py, u8>;

#[pymethods]
impl Batch {
    /// Begins matches. With an opponent, `reset` has to be called first.
    #[new]
    #[pyo3(signature = (game, matches, seed, *, opponent=None, guests=Vec::new(), seat=None, threads=1))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &Game,
        matches: usize,
        seed: u64,
        opponent: Option<&str>,
        guests: GuestList,
        seat: Option<u8>,
        threads: usize,
    ) -> PyResult<Batch> {
        let batch = match opponent {
            None => {
                let cells = game.game.cells().map_err(errors::api)?;
                py.detach(|| cells.batch(matches, seed))
            }
            Some(spec) => py.detach(|| {
                // The game of the caller has no guests, and may be in use.
                let game = open_with(&entries(guests, &Cancel::new()))(&game.game.spec());
                let game = game.map_err(errors::spec)?;
                let opponent = BatchOpponent { spec, seat: seat.map(Seat), threads };
                game.cells().and_then(|cells| cells.batch_against(matches, &opponent)).map_err(errors::api)
            })?,
        };
        Ok(Batch { opponent: batch.opponent().map(str::to_owned), inner: Mutex::new(batch) })
    }

    /// The full form of the agent that has the other seat.
    #[getter]
    fn opponent(&self) -> Option<&str> {
        self.opponent.as_deref()
    }

    /// How many matches that agent has forfeited, and how it forfeited one of them.
    fn forfeits(&self) -> PyResult<(u64, Option<String>)> {
        let forfeits = self.lock()?.forfeits();
        Ok((forfeits.count, forfeits.example.map(|forfeit| forfeit.to_string())))
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.work(py, |batch, cancel| batch.reset(seed, cancel))
    }

    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, u32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut over: Bytes<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let mut results = BatchResults { rewards: rewards.as_slice_mut()?, over: over.as_slice_mut()? };
        self.work(py, |batch, cancel| batch.step(actions, &mut results, cancel))
    }

    #[pyo3(signature = (movers=None, cells=None, planes=None, masks=None))]
    fn show(
        &self,
        py: Python<'_>,
        mut movers: Option<Bytes<'_>>,
        mut cells: Option<Bytes<'_>>,
        mut planes: Option<Bytes<'_>>,
        mut masks: Option<Bytes<'_>>,
    ) -> PyResult<()> {
        let mut guard = self.lock()?;
        let batch = &mut **guard;
        let mut arrays = BatchArrays {
            movers: movers.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            cells: cells.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            planes: planes.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            masks: masks.as_mut().map(|array| array.as_slice_mut()).transpose()?,
        };
        py.detach(|| batch.show(&mut arrays));
        Ok(())
    }

    fn pick(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, u32>) -> PyResult<()> {
        let mut guard = self.lock()?;
        let batch = &mut **guard;
        let actions = actions.as_slice_mut()?;
        py.detach(|| batch.pick(actions));
        Ok(())
    }
}
