//! Who can be seated at a game: the entries of its roster, and guests.

use std::ops::Deref;
use std::sync::Arc;

use crate::play::training::Player;
use crate::rules::game::Game;
use crate::text::notation::Notation;
use crate::text::spec::{Entry, Owners, Settings, Spec, SpecError};

use super::cells::CellsAccess;
use super::guest::{GuestEntry, SeatedGuest};
use super::roster::{AgentEntry, BuildContext, Make};

/// The agents of a game by name. Copies share the roster.
pub(super) struct Candidates<G: Game> {
    entries: Arc<[AgentEntry<G>]>,
    guests: Vec<GuestEntry>,
    /// What guests see of views as cells.
    pub(super) cells: Option<CellsAccess<G>>,
}

impl<G: Game> Clone for Candidates<G> {
    fn clone(&self) -> Self {
        Candidates { entries: self.entries.clone(), guests: self.guests.clone(), cells: self.cells }
    }
}

impl<G: Game> Deref for Candidates<G> {
    type Target = [AgentEntry<G>];

    fn deref(&self) -> &Self::Target {
        &self.entries
    }
}

impl<G: Game> From<Vec<AgentEntry<G>>> for Candidates<G> {
    fn from(entries: Vec<AgentEntry<G>>) -> Self {
        Candidates { entries: entries.into(), guests: Vec::new(), cells: None }
    }
}

impl<G: Entry + Notation> Candidates<G> {
    /// Adds a guest. One of the same name gives way to it.
    ///
    /// # Errors
    /// If the name is not one that specs can hold, or belongs to an agent of the roster.
    pub(super) fn add_guest(&mut self, guest: GuestEntry) -> Result<(), SpecError> {
        let spec = Spec::parse(&guest.name)?;
        if spec.name != guest.name || self.iter().any(|entry| entry.name == spec.name) {
            return Err(SpecError::Taken { name: guest.name, game: G::NAME });
        }
        self.guests.retain(|known| known.name != guest.name);
        self.guests.push(guest);
        Ok(())
    }

    /// Finds the entry that a spec names.
    pub(super) fn find(&self, spec: &Spec) -> Result<&AgentEntry<G>, SpecError> {
        self.iter().find(|entry| entry.name == spec.name).ok_or_else(|| {
            let guests = self.guests.iter().map(|guest| guest.name.clone());
            SpecError::Name {
                kind: format!("agent for {}", G::NAME),
                name: spec.name.clone(),
                known: self.iter().map(|entry| entry.name.to_owned()).chain(guests).collect(),
            }
        })
    }

    /// Returns the agents of the roster with their keys.
    pub(super) fn owners(&self) -> Owners {
        Owners {
            kind: format!("agent for {}", G::NAME),
            keys: self.iter().map(|entry| (entry.name, entry.keys)).collect(),
        }
    }

    /// Builds a player from its spec; returns its full form too.
    pub(super) fn build(&self, game: &G, spec: &str) -> Result<(Player<G>, String), SpecError> {
        let spec = Spec::parse(spec)?;
        if let Some(guest) = self.guests.iter().find(|guest| guest.name == spec.name) {
            Settings::read(&spec, &[])?;
            return Ok((Player::Fixed(Box::new(SeatedGuest::new(game, guest, self.cells))), spec.name));
        }
        let spec = self.owners().with_absolute_paths(&spec);
        let entry = self.find(&spec)?;
        let settings = Settings::read(&spec, entry.keys)?;
        // The full form says which files it rests on, so that a run resumes from any folder, and not with other files.
        let with_checksums = || Settings::read(&self.owners().with_checksums(&spec)?, entry.keys);
        Ok(match entry.make {
            Make::Agent(build) => {
                let settings = with_checksums()?;
                let agent = build(&BuildContext::new(game, &settings, self))?;
                (Player::Fixed(agent), settings.full_form().to_string())
            }
            Make::Learner(build) => {
                // A learner that was read from a file has the file's settings and checksum, not the defaults.
                let learner = build(&BuildContext::new(game, &settings, self))?;
                let spec = learner.spec();
                (Player::Learning(learner), spec)
            }
            Make::Oracle(build) => {
                let settings = with_checksums()?;
                let oracle = build(&BuildContext::new(game, &settings, self))?;
                (Player::Oracle(oracle), settings.full_form().to_string())
            }
        })
    }

    /// Builds a player that knows no more than its seat may know.
    pub(super) fn build_honest(&self, game: &G, spec: &str) -> Result<(Player<G>, String), SpecError> {
        let (player, full) = self.build(game, spec)?;
        if let Player::Oracle(_) = player {
            return Err(SpecError::Oracle { owner: Spec::bare_name(&full).to_owned() });
        }
        Ok((player, full))
    }
}
