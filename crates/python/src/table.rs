//! A match, step by step.

use std::sync::{Arc, Mutex, MutexGuard};

use numpy::PyArray1;
use parlor_catalog::OpenedGame;
use parlor_core::api::{AnyTable, ApiError};
use parlor_core::text::protocol::Clocks;
use parlor_core::{Actor, Cancel, Ink, Phase, Seat};
use pyo3::prelude::*;

use crate::errors::{self, AgentFault, Conflict, ParlorError};
use crate::game::loads;
use crate::guests::{GuestList, entries};
use crate::long;

/// A part of a table's past that an imagined one begins behind: its actions, and the seat and the seed of the imagination.
type Segment = (String, u8, u64);

/// One match, step by step.
#[pyclass(frozen, module = "parlor._native", subclass)]
pub struct Table {
    inner: Mutex<Inner>,
    seats: u8,
    numbers: usize,
    cells: usize,
}

struct Inner {
    table: Box<dyn AnyTable>,
    spec: String,
    /// The seed of the first table.
    seed: u64,
    position: Option<String>,
    segments: Vec<Segment>,
    /// Whether chance acts by itself.
    auto_chance: bool,
    /// Whether the first table is a sandbox.
    sandbox: bool,
    /// Whether an agent has forfeited.
    forfeited: bool,
}

impl Inner {
    fn let_chance_act(&mut self) -> Result<(), ApiError> {
        while self.auto_chance && self.table.chance()? {}
        Ok(())
    }

    fn mover(&self) -> Option<Seat> {
        match self.table.phase() {
            Phase::Decide(seat) if !self.forfeited => Some(seat),
            _ => None,
        }
    }

    fn moves(&self) -> String {
        self.table.saved(&[]).moves
    }

    fn with(&self, table: Box<dyn AnyTable>, segments: Vec<Segment>) -> Inner {
        Inner { table, segments, spec: self.spec.clone(), position: self.position.clone(), ..*self }
    }

    fn replay(&mut self, moves: &str) -> Result<(), ApiError> {
        moves.split_whitespace().try_for_each(|text| self.table.replay(text))
    }
}

/// What a player chooses.
#[derive(FromPyObject)]
enum Choice {
    Text(String),
    Number(usize),
}

/// Everything that a table can be made from again.
type State = (String, u64, Option<String>, bool, bool, Vec<Segment>, String);

/// Makes a table again from what it was pickled as.
#[pyfunction]
pub fn restore_table(state: State) -> PyResult<Table> {
    let (spec, seed, position, auto_chance, sandbox, segments, moves) = state;
    let game: Arc<dyn OpenedGame> = parlor_catalog::open(&spec).map_err(errors::spec)?.into();
    let table = Table::open(&game, seed, position, false, sandbox)?;
    {
        let mut inner = table.lock()?;
        for (moves, seat, seed) in &segments {
            inner.replay(moves).map_err(errors::api)?;
            inner.table = inner.table.imagine(Seat(*seat), *seed).map_err(errors::api)?;
        }
        inner.segments = segments;
        inner.replay(&moves).map_err(errors::api)?;
        inner.auto_chance = auto_chance;
    }
    Ok(table)
}

impl Table {
    pub fn open(
        game: &Arc<dyn OpenedGame>,
        seed: u64,
        position: Option<String>,
        auto_chance: bool,
        sandbox: bool,
    ) -> PyResult<Table> {
        let mut table = game.table(seed, position.as_deref()).map_err(errors::api)?;
        if sandbox {
            table.make_sandbox();
        }
        let cells = game.cells().map_err(errors::api)?;
        let spec = game.spec();
        let mut inner = Inner {
            table,
            spec,
            seed,
            position,
            segments: Vec::new(),
            auto_chance,
            sandbox,
            forfeited: false,
        };
        inner.let_chance_act().map_err(errors::api)?;
        Ok(Table {
            inner: Mutex::new(inner),
            seats: game.seats(),
            numbers: cells.numbers(),
            cells: cells.layout().count(),
        })
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        errors::locked(&self.inner, "table")
    }

    fn seat(&self, inner: &Inner, seat: Option<u8>) -> PyResult<Seat> {
        let seat = seat.map_or_else(|| inner.mover().unwrap_or(Seat::FIRST), Seat);
        if seat.0 < self.seats {
            return Ok(seat);
        }
        Err(ParlorError::new_err(format!("{} has no seat {seat}", inner.spec)))
    }

    fn like(&self, inner: Inner) -> Table {
        Table { inner: Mutex::new(inner), seats: self.seats, numbers: self.numbers, cells: self.cells }
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn spec(&self) -> PyResult<String> {
        Ok(self.lock()?.spec.clone())
    }

    #[getter]
    fn seats(&self) -> u8 {
        self.seats
    }

    #[getter]
    fn mover(&self) -> PyResult<Option<u8>> {
        Ok(self.lock()?.mover().map(|seat| seat.0))
    }

    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        let inner = self.lock()?;
        Ok(inner.forfeited || inner.table.phase() == Phase::Over)
    }

    #[getter]
    fn is_chance(&self) -> PyResult<bool> {
        let inner = self.lock()?;
        Ok(!inner.forfeited && inner.table.phase() == Phase::Chance)
    }

    #[getter]
    fn is_sandbox(&self) -> PyResult<bool> {
        Ok(self.lock()?.table.is_sandbox())
    }

    #[getter]
    fn actions(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.table.actions())
    }

    #[getter]
    fn numbers(&self) -> PyResult<Vec<usize>> {
        let mut numbers = Vec::new();
        self.lock()?.table.cells().map_err(errors::api)?.legal_numbers(&mut numbers);
        Ok(numbers)
    }

    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![0; self.numbers];
        self.lock()?.table.cells().map_err(errors::api)?.mask(&mut mask);
        Ok(PyArray1::from_vec(py, mask.into_iter().map(|bit| bit == 1).collect()))
    }

    #[pyo3(signature = (seat=None))]
    fn cells<'py>(&self, py: Python<'py>, seat: Option<u8>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        let mut cells = vec![0; self.cells];
        inner.table.cells().map_err(errors::api)?.cells(seat, &mut cells);
        Ok(PyArray1::from_vec(py, cells))
    }

    #[pyo3(signature = (action, seat=None))]
    fn act(&self, action: Choice, seat: Option<u8>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        match action {
            Choice::Text(text) => inner.table.act(seat, &text).map(drop),
            Choice::Number(number) => {
                inner.table.cells_mut().and_then(|cells| cells.act_by_number(seat, number))
            }
        }
        .map_err(errors::api)?;
        inner.let_chance_act().map_err(errors::api)
    }

    fn chance(&self) -> PyResult<bool> {
        self.lock()?.table.chance().map_err(errors::api)
    }

    fn chances(&self) -> PyResult<Vec<(String, f64)>> {
        self.lock()?.table.chances().map_err(errors::api)
    }

    /// Carries out an action of a recorded game, of a seat or of chance.
    fn replay(&self, text: &str) -> PyResult<()> {
        let mut inner = self.lock()?;
        inner.replay(text).map_err(errors::api)?;
        inner.let_chance_act().map_err(errors::api)
    }

    fn undo(&self) -> PyResult<bool> {
        let mut inner = self.lock()?;
        let undone = inner.table.undo().map_err(errors::api)?;
        inner.forfeited &= !undone;
        Ok(undone)
    }

    fn seat_agent(&self, py: Python<'_>, seat: u8, spec: String, guests: GuestList) -> PyResult<String> {
        let mut guard = self.lock()?;
        let seat = self.seat(&guard, Some(seat))?;
        let inner = &mut *guard;
        let guests = entries(guests, &Cancel::new());
        // An agent is shown what its seat has seen, and one in Python needs the interpreter for that.
        py.detach(|| {
            guests.into_iter().try_for_each(|guest| inner.table.add_guest(guest))?;
            inner.table.seat_agent(seat, &spec)
        })
        .map_err(errors::spec)
    }

    /// Lets the agent in the seat to move decide. Returns the action's text.
    fn agent_act(&self, py: Python<'_>) -> PyResult<String> {
        let mut guard = self.lock()?;
        let inner = &mut *guard;
        let acted = long::run(py, None, |cancel, _| {
            let mover = inner.mover().ok_or_else(|| errors::api(ApiError::NobodyToMove))?;
            let mut thinker = inner.table.thinker(mover).map_err(errors::api)?;
            thinker.decide(&Clocks::default(), cancel, &mut |_| {});
            let action = inner.table.commit(thinker).map_err(errors::api)?;
            let action = action.ok_or_else(|| Conflict::new_err("interrupted"))?;
            inner.let_chance_act().map_err(errors::api)?;
            Ok(action)
        });
        inner.forfeited |= acted.as_ref().is_err_and(|error| error.is_instance_of::<AgentFault>(py));
        acted
    }

    #[pyo3(signature = (seat=None))]
    fn view<'py>(&self, py: Python<'py>, seat: Option<u8>) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        loads(py, &inner.table.view_json(seat).to_string())
    }

    #[pyo3(signature = (seat=None))]
    fn draw(&self, seat: Option<u8>) -> PyResult<String> {
        let inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        Ok(inner.table.draw(seat, Ink::default()))
    }

    #[pyo3(signature = (seat=None))]
    fn status(&self, seat: Option<u8>) -> PyResult<String> {
        let inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        Ok(inner.table.status(seat))
    }

    #[pyo3(signature = (seat=None))]
    fn position(&self, seat: Option<u8>) -> PyResult<Option<String>> {
        let inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        Ok(inner.table.position(seat))
    }

    #[pyo3(signature = (seat=None))]
    fn seen(&self, seat: Option<u8>) -> PyResult<Vec<(Option<u8>, String)>> {
        let inner = self.lock()?;
        let seat = self.seat(&inner, seat)?;
        let sights = inner.table.sights(seat).into_iter();
        Ok(sights
            .map(|(actor, text)| match actor {
                Actor::Seat(seat) => (Some(seat.0), text),
                Actor::Chance => (None, text),
            })
            .collect())
    }

    /// What each seat got; `None` before the end.
    #[getter]
    fn payoffs(&self) -> PyResult<Option<Vec<f64>>> {
        let inner = self.lock()?;
        Ok(if inner.forfeited { inner.table.saved(&[]).payoffs } else { inner.table.payoffs() })
    }

    fn saved<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.lock()?;
        if !inner.segments.is_empty() {
            return Err(ParlorError::new_err("an imagined match has not happened and cannot be saved"));
        }
        loads(py, &inner.table.saved(&names).line())
    }

    fn copy(&self) -> PyResult<Table> {
        let inner = self.lock()?;
        Ok(self.like(inner.with(inner.table.copy(), inner.segments.clone())))
    }

    fn imagine(&self, seat: u8, seed: u64) -> PyResult<Table> {
        let inner = self.lock()?;
        let table = inner.table.imagine(Seat(seat), seed).map_err(errors::api)?;
        let mut segments = inner.segments.clone();
        segments.push((inner.moves(), seat, seed));
        let mut imagined = inner.with(table, segments);
        imagined.forfeited = false;
        imagined.let_chance_act().map_err(errors::api)?;
        Ok(self.like(imagined))
    }

    fn state(&self) -> PyResult<State> {
        let inner = self.lock()?;
        let Inner { spec, seed, position, auto_chance, sandbox, segments, forfeited, .. } = &*inner;
        if *forfeited {
            return Err(ParlorError::new_err(
                "a match that ended by a forfeit cannot be pickled; save it instead",
            ));
        }
        let moves = inner.moves();
        Ok((spec.clone(), *seed, position.clone(), *auto_chance, *sandbox, segments.clone(), moves))
    }
}
