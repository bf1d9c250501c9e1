//! Games by name.

use std::sync::Arc;

use parlor_catalog::OpenedGame;
use parlor_core::CellLayout;
use pyo3::prelude::*;

use crate::errors;
use crate::table::Table;

/// Returns plain data from JSON.
pub fn loads<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

/// Returns the names of all games with a line about each.
#[pyfunction]
pub fn games() -> Vec<(&'static str, &'static str)> {
    parlor_catalog::GAMES.iter().map(|entry| (entry.name, entry.summary)).collect()
}

/// A game with its rules.
#[pyclass(frozen, module = "parlor._native", subclass)]
pub struct Game {
    pub game: Arc<dyn OpenedGame>,
    layout: CellLayout,
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &str) -> PyResult<Game> {
        let game: Arc<dyn OpenedGame> = parlor_catalog::open(spec).map_err(errors::spec)?.into();
        let layout = game.cells().map_err(errors::api)?.layout();
        Ok(Game { game, layout })
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.game.name()
    }

    #[getter]
    fn spec(&self) -> String {
        self.game.spec()
    }

    #[getter]
    fn seats(&self) -> u8 {
        self.game.seats()
    }

    #[getter]
    fn rules(&self) -> String {
        self.game.rules()
    }

    #[getter]
    fn is_open(&self) -> bool {
        self.game.is_open()
    }

    #[getter]
    fn payoff_range(&self) -> (f64, f64) {
        let range = self.game.range();
        (range.low, range.high)
    }

    /// Name, summary, whether it learns and whether it sees what is hidden, of each agent.
    fn agents(&self) -> Vec<(&'static str, &'static str, bool, bool)> {
        let agents = self.game.agents().into_iter();
        agents.map(|agent| (agent.name, agent.summary, agent.learns, agent.sees_all)).collect()
    }

    fn agent_spec(&self, spec: &str) -> PyResult<String> {
        self.game.agent_spec(spec).map_err(errors::spec)
    }

    /// The number of numbers that actions have.
    #[getter]
    fn actions(&self) -> PyResult<usize> {
        Ok(self.game.cells().map_err(errors::api)?.numbers())
    }

    fn action_text(&self, number: usize) -> PyResult<Option<String>> {
        Ok(self.game.cells().map_err(errors::api)?.numbered(number))
    }

    /// Rows and columns of the grid.
    #[getter]
    fn grid(&self) -> (u16, u16) {
        (self.layout.height, self.layout.width)
    }

    /// The names of the cells beside the grid.
    #[getter]
    fn beside(&self) -> Vec<String> {
        self.layout.beside.clone()
    }

    /// Text and meaning of each symbol.
    #[getter]
    fn symbols(&self) -> Vec<(String, String)> {
        self.layout.symbols.iter().map(|symbol| (symbol.text.clone(), symbol.meaning.clone())).collect()
    }

    fn perft(&self, py: Python<'_>, depth: usize, position: Option<&str>) -> PyResult<Vec<u64>> {
        py.detach(|| self.game.perft(depth, position)).map_err(errors::api)
    }

    #[pyo3(signature = (seed, position=None, *, auto_chance=true, sandbox=false))]
    fn open_table(
        &self,
        seed: u64,
        position: Option<String>,
        auto_chance: bool,
        sandbox: bool,
    ) -> PyResult<Table> {
        Table::open(&self.game, seed, position, auto_chance, sandbox)
    }
}
