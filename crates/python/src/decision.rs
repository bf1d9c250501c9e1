//! A decision as an agent written in Python gets it.

use numpy::PyArray1;
use parlor_core::Ink;
use parlor_core::api::AnyDecision;
use pyo3::prelude::*;

use crate::game::loads;

/// What one seat knows when it has to decide, and what it may do.
#[pyclass(frozen, module = "parlor")]
pub struct Decision {
    pub decision: Box<dyn AnyDecision>,
    /// The seed of the agent's randomness: equal matches give equal seeds.
    #[pyo3(get)]
    pub seed: u64,
    /// How many seconds it may take; `None` for as long as it likes.
    #[pyo3(get)]
    pub seconds: Option<f64>,
}

#[pymethods]
impl Decision {
    /// The game's full form.
    #[getter]
    fn game(&self) -> String {
        self.decision.game()
    }

    /// The seat that decides.
    #[getter]
    fn seat(&self) -> u8 {
        self.decision.seat().0
    }

    /// What it may do, as texts.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.decision.actions()
    }

    /// The numbers of what it may do, in the same order.
    #[getter]
    fn numbers(&self) -> Vec<usize> {
        self.decision.legal_numbers().unwrap_or_default()
    }

    /// Everything that the seat sees, as plain data.
    #[getter]
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.decision.view_json().to_string())
    }

    /// The position text of what the seat sees; `None` where the position form cannot express it.
    #[getter]
    fn position(&self) -> Option<String> {
        self.decision.position()
    }

    /// Returns the symbol of each cell of what the seat sees.
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_vec(py, self.decision.cells().unwrap_or_default())
    }

    /// Returns true for every number that it may choose.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mask = self.decision.mask().unwrap_or_default();
        PyArray1::from_vec(py, mask.into_iter().map(|bit| bit == 1).collect())
    }

    /// Returns a drawing of what the seat sees.
    fn draw(&self) -> String {
        self.decision.draw(Ink::default())
    }

    fn __repr__(&self) -> String {
        format!("<parlor.Decision of seat {}: {}>", self.decision.seat(), self.decision.actions().join(" "))
    }
}
