//! Saving a match in the middle, and resuming it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use parlor_core::api::AnyGame;
use parlor_core::files::reading::{MAX_STREAM, open_regular, read_text};
use parlor_core::files::saved::{SavedEnding, SavedGame, SavedTable};
use parlor_core::files::write_atomically;
use parlor_core::{Actor, Fault, Forfeit, Seat};

use super::{Occupant, Session, SessionError, SessionSetup};

/// The name of a person in saved games, by which older lines tell people from agents.
pub const PERSON: &str = "you";

impl Session {
    /// Sits down at an interrupted match again: seats, agents, clocks and random streams are as they were. The clock of a person
    /// who was to move starts at the beginning of that turn.
    ///
    /// Agents see everything again that they had seen, but do not think again: one that decides by what it has seen and by its random
    /// stream goes on as if nothing had happened; one that keeps a search tree or a table between its decisions begins with an empty one.
    ///
    /// # Errors
    /// If the match has ended, its moves are not possible, or an agent cannot be seated.
    pub fn resume(
        game: &dyn AnyGame,
        saved: &SavedGame,
        autosave: Option<PathBuf>,
    ) -> Result<Session, SessionError> {
        if saved.ending != SavedEnding::Unfinished {
            return Err(SessionError::Ended(saved.ending.clone()));
        }
        Session::restore(game, saved, autosave)
    }

    /// Sits down at a match as [`resume`](Session::resume) does, or lays the table of one that has ended so that it can be looked at.
    ///
    /// # Errors
    /// If its moves are not possible, or an agent cannot be seated.
    pub fn restore(
        game: &dyn AnyGame,
        saved: &SavedGame,
        autosave: Option<PathBuf>,
    ) -> Result<Session, SessionError> {
        let table = saved.table.clone().unwrap_or_else(|| SavedTable {
            people: Seat::all(game.seats())
                .filter(|seat| saved.seats.get(seat.index()).is_some_and(|name| name == PERSON))
                .collect(),
            ..SavedTable::default()
        });
        let seats = saved.seats.iter().zip(Seat::all(u8::MAX)).map(|(name, seat)| {
            if table.people.contains(&seat) {
                Occupant::Person(name.clone())
            } else {
                Occupant::Agent(name.clone())
            }
        });
        let setup = SessionSetup {
            seed: saved.seed,
            position: saved.start.clone(),
            seats: seats.collect(),
            time: table.time,
            ponder: table.ponder,
            autosave: None,
        };
        let mut session = Session::new(game, &setup)?;
        for (number, text) in saved.moves.split_whitespace().enumerate() {
            session.table.replay(text).map_err(|cause| SessionError::Move { number: number + 1, cause })?;
        }
        session.table.set_streams(&table.streams);
        for (spent, seat) in table.spent_us.iter().zip(Seat::all(game.seats())) {
            for &micros in spent {
                session.spend(seat, Duration::from_micros(micros));
            }
        }
        if let SavedEnding::Forfeit { seat, why } = &saved.ending {
            let resigned = *why == Fault::Resigned.to_string();
            let why = if resigned { Fault::Resigned } else { Fault::ProgramFailed(why.clone()) };
            session.forfeited(Forfeit { seat: *seat, why })?;
        }
        session.autosave = autosave;
        session.save_as_it_goes()?;
        Ok(session)
    }

    /// Returns the match so far, with what resuming it needs.
    #[must_use]
    pub fn saved(&self) -> SavedGame {
        let saved = self.saved_with_table();
        if saved.ending == SavedEnding::Unfinished { saved } else { SavedGame { table: None, ..saved } }
    }

    /// Returns the match so far, with what [`restore`](Session::restore) needs, also after its end.
    #[must_use]
    pub fn saved_with_table(&self) -> SavedGame {
        let people = Seat::all(u8::MAX).zip(&self.seats);
        let people = people.filter(|(_, occupant)| matches!(occupant, Occupant::Person(_)));
        let table = SavedTable {
            people: people.map(|(seat, _)| seat).collect(),
            ponder: self.ponder,
            time: self.time,
            spent_us: if self.time.is_limited() { self.spent_us.clone() } else { Vec::new() },
            streams: self.table.streams(),
        };
        SavedGame { table: Some(table), ..self.table.saved(&self.names) }
    }

    /// Appends the match so far to a file, one line a game. Returns the number of its line, from 1.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<usize, SessionError> {
        let wrong = |cause| SessionError::Write { path: path.to_owned(), cause };
        let line = self.saved().line() + "\n";
        let mut file = File::options().create(true).append(true).open(path).map_err(wrong)?;
        file.write_all(line.as_bytes()).map_err(wrong)?;
        let mut lines = BufReader::new(open_regular(path, MAX_STREAM).map_err(wrong)?);
        let mut number = 0;
        while lines.skip_until(b'\n').map_err(wrong)? > 0 {
            number += 1;
        }
        Ok(number)
    }

    /// Puts the match so far in the place of the line from which it was resumed. If the file has changed meanwhile, the match is
    /// appended. Returns the number of its line, from 1.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_over(&self, path: &Path, number: usize, old: &SavedGame) -> Result<usize, SessionError> {
        let wrong = |cause| SessionError::Write { path: path.to_owned(), cause };
        let text = read_text(path).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        match number.checked_sub(1).and_then(|at| lines.get_mut(at)) {
            Some(line) if SavedGame::parse(line).is_ok_and(|saved| saved == *old) => {
                *line = self.saved().line();
            }
            _ => return self.save(path),
        }
        write_atomically(path, (lines.join("\n") + "\n").as_bytes()).map_err(wrong)?;
        Ok(number)
    }

    /// From now on, writes the match so far to `path` after every action.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_as_it_goes_to(&mut self, path: Option<PathBuf>) -> Result<(), SessionError> {
        self.autosave = path;
        self.save_as_it_goes()
    }

    /// Returns whether a person has decided anything yet.
    #[must_use]
    pub fn has_decisions_of_people(&self) -> bool {
        let people = Seat::all(u8::MAX).zip(&self.seats);
        let mut people = people.filter(|(_, occupant)| matches!(occupant, Occupant::Person(_)));
        people.any(|(seat, _)| self.table.sights(seat).iter().any(|(actor, _)| *actor == Actor::Seat(seat)))
    }

    pub(super) fn save_as_it_goes(&self) -> Result<(), SessionError> {
        let Some(path) = &self.autosave else { return Ok(()) };
        let line = self.saved().line() + "\n";
        write_atomically(path, line.as_bytes())
            .map_err(|cause| SessionError::Write { path: path.clone(), cause })
    }
}
