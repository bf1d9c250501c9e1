//! The agents of a game by name, and what their builders may use.

use crate::play::agent::{Agent, Learner, Policy};
use crate::play::oracle::Oracle;
use crate::rules::game::Game;
use crate::text::spec::{Entry, Key, Settings, Spec, SpecError};

/// What a builder may use: the game, the checked settings, and the other entries of the roster.
///
/// Everything that agents are to be given when they are made belongs here, so that builders keep their signature.
pub struct BuildContext<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The agent's own settings.
    pub settings: &'a Settings,
    roster: &'a [AgentEntry<G>],
}

impl<G: Game> Clone for BuildContext<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for BuildContext<'_, G> {}

impl<'a, G: Game> BuildContext<'a, G> {
    /// Makes the context of an agent with these settings.
    #[must_use]
    pub fn new(game: &'a G, settings: &'a Settings, roster: &'a [AgentEntry<G>]) -> Self {
        BuildContext { game, settings, roster }
    }
}

impl<G: Entry> BuildContext<'_, G> {
    /// Returns the policy of the agent that a spec names: a model of an opponent.
    ///
    /// # Errors
    /// If no agent of that name has known odds, or its settings do not fit.
    pub fn policy(&self, spec: &str) -> Result<Box<dyn Policy<G>>, SpecError> {
        let spec = Spec::parse(spec)?;
        let entry = self.roster.iter().find(|entry| entry.name == spec.name);
        let Some((entry, build)) = entry.and_then(|entry| Some((entry, entry.policy?))) else {
            let known = self.roster.iter().filter(|entry| entry.policy.is_some());
            return Err(SpecError::Name {
                kind: format!("model for {}", G::NAME),
                name: spec.name,
                known: known.map(|entry| entry.name.to_owned()).collect(),
            });
        };
        let settings = Settings::read(&spec, entry.keys)?;
        build(&BuildContext { settings: &settings, ..*self })
    }

    /// Returns the agent that a spec names, to be asked what it would do, and its full form.
    ///
    /// # Errors
    /// If there is no agent of that name that keeps to what its seat can see, or its settings do not fit.
    pub fn agent(&self, spec: &str) -> Result<Box<dyn Agent<G>>, SpecError> {
        let spec = Spec::parse(spec)?;
        let honest = |entry: &&AgentEntry<G>| !matches!(entry.make, Make::Oracle(_));
        let Some(entry) = self.roster.iter().filter(honest).find(|entry| entry.name == spec.name) else {
            return Err(SpecError::Name {
                kind: format!("agent for {}", G::NAME),
                name: spec.name,
                known: self.roster.iter().filter(honest).map(|entry| entry.name.to_owned()).collect(),
            });
        };
        let settings = Settings::read(&spec, entry.keys)?;
        let context = BuildContext { settings: &settings, ..*self };
        match entry.make {
            Make::Agent(build) => build(&context),
            Make::Learner(build) => build(&context).map(|learner| learner as Box<dyn Agent<G>>),
            Make::Oracle(_) => unreachable!("oracles are left out above"),
        }
    }

    /// Returns whether the agent of this name has known odds.
    #[must_use]
    pub fn has_policy(&self, name: &str) -> bool {
        self.roster.iter().any(|entry| entry.name == name && entry.policy.is_some())
    }

    /// Returns the full form of an agent's spec, defaults included.
    ///
    /// # Errors
    /// If there is no agent of that name, or its settings do not fit.
    pub fn full_form(&self, spec: &Spec) -> Result<String, SpecError> {
        let entry = self.roster.iter().find(|entry| entry.name == spec.name);
        let entry = entry.ok_or_else(|| SpecError::Name {
            kind: format!("agent for {}", G::NAME),
            name: spec.name.clone(),
            known: self.roster.iter().map(|entry| entry.name.to_owned()).collect(),
        })?;
        Ok(Settings::read(spec, entry.keys)?.full_form().to_string())
    }
}

/// Makes an agent for a game.
pub type Build<G> = fn(&BuildContext<'_, G>) -> Result<Box<dyn Agent<G>>, SpecError>;

/// Makes an agent that learns.
pub type BuildLearner<G> = fn(&BuildContext<'_, G>) -> Result<Box<dyn Learner<G>>, SpecError>;

/// Makes a player that sees everything.
pub type BuildOracle<G> = fn(&BuildContext<'_, G>) -> Result<Box<dyn Oracle<G>>, SpecError>;

/// Makes the policy of an agent whose odds are known.
pub type BuildPolicy<G> = fn(&BuildContext<'_, G>) -> Result<Box<dyn Policy<G>>, SpecError>;

/// How an agent is made.
pub enum Make<G: Game> {
    /// One that stays as it is.
    Agent(Build<G>),
    /// One that learns.
    Learner(BuildLearner<G>),
    /// One that sees everything. Its name should say so.
    Oracle(BuildOracle<G>),
}

impl<G: Game> Clone for Make<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Make<G> {}

/// An agent that can be seated by name at `G`'s table.
pub struct AgentEntry<G: Game> {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Every key.
    pub keys: &'static [Key],
    /// Makes one from checked settings.
    pub make: Make<G>,
    /// Makes the policy that it plays by, where its odds are known: such an agent can be a model of an opponent.
    pub policy: Option<BuildPolicy<G>>,
}

impl<G: Game> Clone for AgentEntry<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for AgentEntry<G> {}
