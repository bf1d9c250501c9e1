//! An agent that plays both sides of a board, for protocols that set up positions and ask for moves.

use std::time::{SystemTime, UNIX_EPOCH};

use parlor_core::api::{AnyEngine, AnyGame, AnyTable, ApiError};
use parlor_core::text::protocol::Clocks;
use parlor_core::{Actor, Cancel, Fault, Forfeit, Phase, Rng, Seat};

/// A board that hides nothing, and an agent that is asked about it.
pub struct Opponent {
    game: Box<dyn AnyGame>,
    name: String,
    engine: Box<dyn AnyEngine>,
    pub table: Box<dyn AnyTable>,
    dice: Rng,
}

impl Opponent {
    /// Sets up the start of a game. Without a seed the agent's randomness comes from the time of day.
    pub fn new(game: Box<dyn AnyGame>, agent: &str, seed: Option<u64>) -> anyhow::Result<Opponent> {
        let seed = seed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
        });
        let engine = game.engine(agent)?;
        let table = game.table(0, None)?;
        Ok(Opponent { name: agent.to_owned(), game, engine, table, dice: Rng::new(seed) })
    }

    /// Returns the game's full form.
    pub fn spec(&self) -> String {
        self.game.spec()
    }

    /// Returns what the agent is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets up a position, or the start, and returns the board as it was.
    pub fn set_up(&mut self, position: Option<&str>) -> Result<Box<dyn AnyTable>, ApiError> {
        let table = self.game.table(0, position)?;
        Ok(std::mem::replace(&mut self.table, table))
    }

    /// Returns the seat to move.
    pub fn mover(&self) -> Result<Seat, ApiError> {
        match self.table.phase() {
            Phase::Decide(seat) => Ok(seat),
            Phase::Chance => Err(ApiError::ChanceFirst),
            Phase::Over => Err(ApiError::Over { plies: None }),
        }
    }

    /// Returns how many decisions the seat has taken on this board.
    pub fn decisions(&self, seat: Seat) -> u32 {
        self.table.sights(seat).iter().filter(|(actor, _)| *actor == Actor::Seat(seat)).count() as u32
    }

    /// Asks the agent for a move of the side to move. The board stays as it is.
    pub fn think(&mut self, clocks: &Clocks) -> Result<String, ApiError> {
        let seat = self.mover()?;
        self.engine.begin(seat)?;
        for (actor, action) in self.table.sights(seat) {
            self.engine.see(actor, &action)?;
        }
        let view = self.table.view_json(seat)["view"].to_string();
        let answer = self.engine.answer(&view, clocks, self.dice.bits(), &Cancel::new())?;
        if !self.table.actions().contains(&answer) {
            return Err(Forfeit { seat, why: Fault::Illegal(answer) }.into());
        }
        Ok(answer)
    }

    /// Plays a move of the side to move.
    pub fn act(&mut self, text: &str) -> Result<String, ApiError> {
        self.table.act(self.mover()?, text)
    }
}
