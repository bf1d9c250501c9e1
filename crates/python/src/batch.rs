//! Many matches in one call.

use std::sync::{Mutex, MutexGuard};

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use parlor_core::api::{AnyBatch, BatchArrays, BatchResults};
use pyo3::prelude::*;

use crate::errors;
use crate::game::Game;

/// Matches of one game that are stepped together. Arrays are flat; Python gives them their shapes.
#[pyclass(frozen, module = "parlor._native")]
pub struct Batch(Mutex<Box<dyn AnyBatch>>);

impl Batch {
    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn AnyBatch>>> {
        errors::locked(&self.0, "batch")
    }
}

/// An array that is written to, match after match.
type Bytes<'py> = PyReadwriteArray1<'py, u8>;

#[pymethods]
impl Batch {
    #[new]
    fn new(py: Python<'_>, game: &Game, matches: usize, seed: u64) -> PyResult<Batch> {
        let cells = game.game.cells().map_err(errors::api)?;
        Ok(Batch(Mutex::new(py.detach(|| cells.batch(matches, seed)))))
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        let mut guard = self.lock()?;
        let batch = &mut **guard;
        py.detach(|| batch.reset(seed));
        Ok(())
    }

    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, u32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut over: Bytes<'_>,
    ) -> PyResult<()> {
        let mut guard = self.lock()?;
        let batch = &mut **guard;
        let actions = actions.as_slice()?;
        let mut results = BatchResults { rewards: rewards.as_slice_mut()?, over: over.as_slice_mut()? };
        py.detach(|| batch.step(actions, &mut results)).map_err(|error| errors::other(&error))
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
