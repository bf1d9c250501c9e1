//! A game together with the agents that can play it.

use std::any::TypeId;

use crate::play::agent::{Agent, Policy};
use crate::play::solve::{BuildSolver, Progress, Resources, Solver};
use crate::play::thought::Thought;
use crate::play::training::Team;
use crate::rng::Rng;
use crate::rules::abilities::Imagine;
use crate::rules::cells::Cells;
use crate::rules::exercise::DrawExercise;
use crate::rules::game::{Game, Phase};
use crate::rules::numbered::Numbered;
use crate::rules::payoffs::Range;
use crate::rules::perft::perft;
use crate::rules::playout::playout;
use crate::rules::seat::Seat;
use crate::text::notation::{Notation, Position};
use crate::text::spec::{Entry, Settings, Spec, SpecError, Survey};

use super::analysis::{Analysis, Question, analyse};
use super::candidates::Candidates;
use super::cells::{AnyCells, CellsAccess};
use super::duel::{AnyDuel, Duel, Duellist};
use super::engine::Engine;
use super::guest::GuestEntry;
use super::referee::{AnyReferee, Referee};
use super::roster::{AgentEntry, BuildContext, Make};
use super::sampling::AnyFeatures;
use super::solving::{AnySolver, Solving};
use super::strategies::{AnyStrategies, ExpansionParams};
use super::table::Table;
use super::team::HostedTeam;
use super::worlds::ImagineState;
use super::{AgentInfo, AnyEngine, AnyGame, AnyTable, AnyTeam, ApiError, Playouts};

/// A game and its roster behind the dynamic API.
pub struct Hosted<G: Game> {
    game: G,
    roster: Candidates<G>,
    solver: Option<BuildSolver<G>>,
    strategies: Option<ExpandStrategies<G>>,
    features: Option<ShowFeatures<G>>,
    cells: Option<CellsAccess<G>>,
    imagine: Option<ImagineState<G>>,
    exercises: Option<DrawExercise<G>>,
}

/// Shows the features of play of a hosted game.
pub type ShowFeatures<G> = fn(&Hosted<G>) -> &dyn AnyFeatures;

/// Expands a hosted game, for exact numbers about strategies.
pub type ExpandStrategies<G> =
    fn(&Hosted<G>, &ExpansionParams, &mut Progress<'_>) -> Result<Box<dyn AnyStrategies>, ApiError>;

impl<G: Game> Clone for Hosted<G> {
    fn clone(&self) -> Self {
        let Hosted { game, roster, solver, strategies, features, cells, imagine, exercises } = self;
        Hosted {
            game: game.clone(),
            roster: roster.clone(),
            solver: *solver,
            strategies: *strategies,
            features: *features,
            cells: *cells,
            imagine: *imagine,
            exercises: *exercises,
        }
    }
}

impl<G: Entry + Notation> Hosted<G> {
    /// Brings a game and its agents together.
    pub fn new(game: G, roster: impl Into<Vec<AgentEntry<G>>>) -> Self {
        Hosted {
            game,
            roster: Candidates::from(roster.into()),
            solver: None,
            strategies: None,
            features: None,
            cells: None,
            imagine: None,
            exercises: None,
        }
    }

    /// Adds an exact solver.
    #[must_use]
    pub fn with_solver(mut self, build: BuildSolver<G>) -> Self {
        self.solver = Some(build);
        self
    }

    /// Adds what expands the game.
    #[must_use]
    pub fn with_strategies(mut self, expand: ExpandStrategies<G>) -> Self {
        self.strategies = Some(expand);
        self
    }

    /// Adds features of play.
    #[must_use]
    pub fn with_features(mut self, show: ShowFeatures<G>) -> Self {
        self.features = Some(show);
        self
    }

    /// Adds positions with known right actions.
    #[must_use]
    pub fn with_exercises(mut self, draw: DrawExercise<G>) -> Self {
        self.exercises = Some(draw);
        self
    }

    /// Adds what shows views as cells and actions as numbers.
    #[must_use]
    pub fn with_cells(mut self) -> Self
    where
        G: Cells + Numbered,
    {
        self.cells = Some(CellsAccess::new());
        self.roster.cells = self.cells;
        self
    }

    /// Adds what draws states that a view allows.
    #[must_use]
    pub fn with_worlds(mut self) -> Self
    where
        G: Imagine,
    {
        self.imagine = Some(G::imagine);
        self
    }

    /// Returns the exact solver.
    ///
    /// # Errors
    /// If the game has none.
    pub fn build_solver(&self, means: &Resources) -> Result<Box<dyn Solver<G>>, ApiError> {
        let build = self.solver.ok_or(ApiError::NoSolver { game: G::NAME })?;
        Ok(build(&self.game, means))
    }

    /// Returns what draws positions with known right actions.
    pub(super) fn exercises(&self) -> Option<DrawExercise<G>> {
        self.exercises
    }

    /// Returns the game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns the agents that can play it.
    pub(super) fn roster(&self) -> &Candidates<G> {
        &self.roster
    }

    /// Makes an agent that knows no more than its seat may know; returns its full form too.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit.
    pub fn honest_agent(&self, spec: &str) -> Result<(Box<dyn Agent<G>>, String), SpecError> {
        let (player, full) = self.roster.build_honest(&self.game, spec)?;
        Ok((player.into_agent().expect(HONEST), full))
    }

    /// Makes the policy of an agent; `None` if its odds are not known.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit.
    pub fn policy(&self, spec: &str) -> Result<Option<Box<dyn Policy<G>>>, SpecError> {
        let spec = Spec::parse(spec)?;
        let entry = self.roster.find(&spec)?;
        let settings = Settings::read(&spec, entry.keys)?;
        let context = BuildContext::new(&self.game, &settings, &self.roster);
        entry.policy.map(|build| build(&context)).transpose()
    }
}

/// Returns whether a view is the state: then nothing is hidden from any seat.
pub(super) fn hides_nothing<G: Game>() -> bool {
    TypeId::of::<G::State>() == TypeId::of::<G::View>()
}

/// Returns the state that a position describes, or the start.
fn state<G: Entry + Notation>(game: &G, position: Option<&str>) -> Result<G::State, ApiError> {
    let Some(text) = position else { return Ok(game.start()) };
    match game.read_position(text.trim())? {
        Position::State(state) => Ok(state),
        Position::View(_) => Err(ApiError::HiddenPosition { game: G::NAME }),
    }
}

/// Why [`Player::into_agent`](crate::play::training::Player::into_agent) gives an agent.
const HONEST: &str = "an honest player is an agent";

impl<G: Entry + Notation> AnyGame for Hosted<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn spec(&self) -> String {
        self.game.spec().to_string()
    }

    fn seats(&self) -> u8 {
        self.game.seats()
    }

    fn rules(&self) -> String {
        self.game.rules()
    }

    fn is_open(&self) -> bool {
        hides_nothing::<G>()
    }

    fn range(&self) -> Range {
        self.game.range()
    }

    fn agents(&self) -> Vec<AgentInfo> {
        self.roster
            .iter()
            .map(|e| AgentInfo {
                name: e.name,
                summary: e.summary,
                keys: e.keys,
                learns: matches!(e.make, Make::Learner(_)),
                sees_all: matches!(e.make, Make::Oracle(_)),
            })
            .collect()
    }

    fn add_guest(&mut self, guest: GuestEntry) -> Result<(), SpecError> {
        self.roster.add_guest(guest)
    }

    fn agent_spec(&self, spec: &str) -> Result<String, SpecError> {
        self.roster.build(&self.game, spec).map(|(_, full)| full)
    }

    fn survey(&self, spec: &str) -> Result<Survey, SpecError> {
        self.roster.owners().survey(spec)
    }

    fn moves(&self, position: Option<&str>) -> Result<Vec<String>, ApiError> {
        let actions: Vec<G::Action> =
            match position.map(|text| self.game.read_position(text.trim())).transpose()? {
                Some(Position::View(view)) => self.game.view_actions(&view),
                Some(Position::State(state)) => self.game.actions(&state).collect(),
                None => self.game.actions(&self.game.start()).collect(),
            };
        let mut texts: Vec<String> = actions.into_iter().map(|a| self.game.write_action(a)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    fn perft(&self, depth: usize, position: Option<&str>) -> Result<Vec<u64>, ApiError> {
        let game = self.game.for_perft();
        Ok(perft(&game, &state(&game, position)?, depth, G::JOIN_CHANCE))
    }

    fn team(&self, specs: &[&str]) -> Result<Box<dyn AnyTeam>, SpecError> {
        let (players, specs) = specs
            .iter()
            .map(|spec| self.roster.build(&self.game, spec))
            .collect::<Result<(Vec<_>, Vec<_>), _>>()?;
        Ok(Box::new(HostedTeam::new(self, Team::new(players), specs)))
    }

    fn solver(&self, means: &Resources) -> Result<Box<dyn AnySolver>, ApiError> {
        Ok(Box::new(Solving { game: self.game.clone(), solver: self.build_solver(means)? }))
    }

    fn referee(&self, specs: &[&str], means: &Resources) -> Result<Box<dyn AnyReferee>, ApiError> {
        let solver = self.build_solver(means)?;
        let players = specs.iter().map(|spec| Ok(self.roster.build(&self.game, spec)?.0));
        let team = Team::new(players.collect::<Result<_, SpecError>>()?);
        Ok(Box::new(Referee { game: self.game.clone(), team, solver }))
    }

    fn table(&self, seed: u64, position: Option<&str>) -> Result<Box<dyn AnyTable>, ApiError> {
        let state = state(&self.game, position)?;
        let start = position.map(str::to_owned);
        let mut table = Table::new(self.game.clone(), self.roster.clone(), self.solver, state, start, seed);
        table.cells = self.cells;
        table.imagine = self.imagine;
        Ok(Box::new(table))
    }

    fn engine(&self, spec: &str) -> Result<Box<dyn AnyEngine>, SpecError> {
        let (player, _) = self.roster.build_honest(&self.game, spec)?;
        Ok(Box::new(Engine {
            game: self.game.clone(),
            agent: player.into_agent().expect(HONEST),
            seat: Seat::FIRST,
        }))
    }

    fn analyse(
        &self,
        question: &Question<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Analysis, ApiError> {
        analyse(&self.game, &self.roster, question, report)
    }

    fn cells(&self) -> Result<&dyn AnyCells, ApiError> {
        self.cells.map(|access| (access.game)(self)).ok_or(ApiError::NoCells { game: G::NAME })
    }

    fn sampling(&self) -> Result<&dyn AnyFeatures, ApiError> {
        self.features.map(|show| show(self)).ok_or(ApiError::NoFeatures { game: G::NAME })
    }

    fn duel(&self, first: &str, second: &str) -> Result<Box<dyn AnyDuel>, ApiError> {
        let duellist = |spec: &str| -> Result<(Duellist<G>, String), ApiError> {
            let (player, full) = self.roster.build(&self.game, spec)?;
            Ok((Duellist::new(player, self.policy(spec)?), full))
        };
        let [(one, one_name), (other, other_name)] = [duellist(first)?, duellist(second)?];
        Ok(Box::new(Duel::new(self.game.clone(), [one, other], [one_name, other_name])?))
    }

    fn strategies(
        &self,
        params: &ExpansionParams,
        progress: &mut Progress<'_>,
    ) -> Result<Box<dyn AnyStrategies>, ApiError> {
        let expand = self.strategies.ok_or(ApiError::NoSolver { game: G::NAME })?;
        expand(self, params, progress)
    }

    fn playouts(&self, seed: u64, games: u64) -> Playouts {
        let mut rng = Rng::new(seed);
        let mut plies = 0;
        for _ in 0..games {
            let mut state = self.game.start();
            plies += u64::from(playout(&self.game, &mut state, &mut rng));
            debug_assert_eq!(self.game.phase(&state), Phase::Over);
        }
        Playouts { games, plies }
    }
}
