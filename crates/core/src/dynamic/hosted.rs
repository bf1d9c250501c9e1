//! A game together with the agents that can play it.

use std::any::TypeId;

use crate::agent::{Agent, Learner};
use crate::game::{Game, Phase};
use crate::lesson::{Lesson, LessonRow, Mind, School};
use crate::notation::{Notation, Position};
use crate::oracle::{Oracle, SeatedOracle};
use crate::perft::perft;
use crate::play::{Actor, Crowd, Ending, Match, Outcome, own_and_other};
use crate::playout::playout;
use crate::rng::{GENERATOR, Rng};
use crate::saved::{SavedGame, VERSION};
use crate::seat::{BySeat, Seat};
use crate::solve::{BuildSolver, Means, Solver};
use crate::spec::{Entry, Key, Settings, Spec, SpecError};
use crate::thought::Thought;

use super::analysis::{Analysis, Question, analyse};
use super::engine::Engine;
use super::pupil::Pupil;
use super::referee::{AnyReferee, Referee};
use super::search::{Listener, Overheard};
use super::solving::{AnySolver, Solving};
use super::table::Table;
use super::{
    AgentInfo, AnyCrew, AnyEngine, AnyGame, AnyLearner, AnyTable, DoorError, MatchRow, Playouts, Searched,
    Sitting,
};

/// Makes an agent for a game from checked settings.
pub type Build<G> = fn(&G, &Settings) -> Result<Box<dyn Agent<G>>, SpecError>;

/// Makes an agent that learns.
pub type BuildLearner<G> = fn(&G, &Settings) -> Result<Box<dyn Learner<G>>, SpecError>;

/// Makes a player that sees everything.
pub type BuildOracle<G> = fn(&G, &Settings) -> Result<Box<dyn Oracle<G>>, SpecError>;

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
}

impl<G: Game> Clone for AgentEntry<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for AgentEntry<G> {}

/// A game and its roster, behind the door.
pub struct Hosted<G: Game> {
    game: G,
    roster: Vec<AgentEntry<G>>,
    solver: Option<BuildSolver<G>>,
}

impl<G: Entry + Notation> Hosted<G> {
    /// Brings a game and its agents together.
    pub fn new(game: G, roster: Vec<AgentEntry<G>>) -> Self {
        Hosted { game, roster, solver: None }
    }

    /// Adds someone who knows what positions are worth.
    #[must_use]
    pub fn with_solver(mut self, build: BuildSolver<G>) -> Self {
        self.solver = Some(build);
        self
    }

    fn build_solver(&self, means: &Means) -> Result<Box<dyn Solver<G>>, DoorError> {
        let build = self.solver.ok_or_else(|| {
            DoorError::Unfit(format!("nobody knows what positions of {} are worth, exactly", G::NAME))
        })?;
        Ok(build(&self.game, means))
    }

    /// Returns the game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Makes an agent that knows no more than its seat may know; returns its full form too.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit.
    pub fn honest_agent(&self, spec: &str) -> Result<(Box<dyn Agent<G>>, String), SpecError> {
        let (mind, full) = hire_honest(&self.game, G::NAME, &self.roster, spec)?;
        Ok((mind.into_agent(), full))
    }
}

/// Returns whether a view is the state: then every seat sees everything that anyone knows.
pub(super) fn hides_nothing<G: Game>() -> bool {
    TypeId::of::<G::State>() == TypeId::of::<G::View>()
}

/// Returns the state that a position describes, or the start.
fn state<G: Entry + Notation>(game: &G, position: Option<&str>) -> Result<G::State, DoorError> {
    let Some(text) = position else { return Ok(game.start()) };
    match game.read_position(text.trim())? {
        Position::State(state) => Ok(state),
        Position::View(_) => Err(DoorError::Unfit(format!(
            "a position of {} leaves hidden things open, so no game can be played from it",
            G::NAME
        ))),
    }
}

/// Finds a mind by its spec; returns its full form too.
pub(super) fn hire<G: Game>(
    game: &G,
    game_name: &'static str,
    roster: &[AgentEntry<G>],
    spec: &str,
) -> Result<(Mind<G>, String), SpecError> {
    let spec = Spec::parse(spec)?;
    let Some(entry) = roster.iter().find(|entry| entry.name == spec.name) else {
        return Err(SpecError::Name {
            kind: format!("agent for {game_name}"),
            name: spec.name,
            known: roster.iter().map(|entry| entry.name.to_owned()).collect(),
        });
    };
    let settings = Settings::read(&spec, entry.keys)?;
    Ok(match entry.make {
        Make::Agent(build) => (Mind::Fixed(build(game, &settings)?), settings.full_form().to_string()),
        Make::Learner(build) => {
            // A learner that was read from a file has the file's settings, not the defaults.
            let learner = build(game, &settings)?;
            let spec = learner.spec();
            (Mind::Learning(learner), spec)
        }
        Make::Oracle(build) => {
            (Mind::Oracle(SeatedOracle(build(game, &settings)?)), settings.full_form().to_string())
        }
    })
}

/// Finds a mind that knows no more than its seat may know.
pub(super) fn hire_honest<G: Game>(
    game: &G,
    game_name: &'static str,
    roster: &[AgentEntry<G>],
    spec: &str,
) -> Result<(Mind<G>, String), SpecError> {
    let (mind, full) = hire(game, game_name, roster, spec)?;
    if let Mind::Oracle(_) = mind {
        let owner = full.split('(').next().unwrap_or_default().to_owned();
        let wrong = "it sees what is hidden, so only matches, tournaments and experiments can seat it";
        return Err(SpecError::Together { owner, wrong: wrong.to_owned() });
    }
    Ok((mind, full))
}

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

    fn is_open(&self) -> bool {
        hides_nothing::<G>()
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

    fn agent_spec(&self, spec: &str) -> Result<String, SpecError> {
        hire(&self.game, G::NAME, &self.roster, spec).map(|(_, full)| full)
    }

    fn moves(&self, position: Option<&str>) -> Result<Vec<String>, DoorError> {
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

    fn perft(&self, depth: usize, position: Option<&str>) -> Result<Vec<u64>, DoorError> {
        let game = self.game.for_perft();
        Ok(perft(&game, &state(&game, position)?, depth, G::JOIN_CHANCE))
    }

    fn crew(&self, specs: &[&str]) -> Result<Box<dyn AnyCrew>, SpecError> {
        let (minds, names) = specs
            .iter()
            .map(|spec| hire(&self.game, G::NAME, &self.roster, spec))
            .collect::<Result<(Vec<_>, Vec<_>), _>>()?;
        Ok(Box::new(Crew { game: self.game.clone(), spec: self.spec(), names, school: School::new(minds) }))
    }

    fn solver(&self, means: &Means) -> Result<Box<dyn AnySolver>, DoorError> {
        Ok(Box::new(Solving { game: self.game.clone(), solver: self.build_solver(means)? }))
    }

    fn referee(&self, specs: &[&str], means: &Means) -> Result<Box<dyn AnyReferee>, DoorError> {
        let solver = self.build_solver(means)?;
        let minds = specs.iter().map(|spec| Ok(hire(&self.game, G::NAME, &self.roster, spec)?.0));
        let school = School::new(minds.collect::<Result<_, SpecError>>()?);
        Ok(Box::new(Referee { game: self.game.clone(), school, solver }))
    }

    fn table(&self, seed: u64, position: Option<&str>) -> Result<Box<dyn AnyTable>, DoorError> {
        let state = state(&self.game, position)?;
        let start = position.map(str::to_owned);
        Ok(Box::new(Table::new(self.game.clone(), self.roster.clone(), state, start, seed)))
    }

    fn engine(&self, spec: &str) -> Result<Box<dyn AnyEngine>, SpecError> {
        let (mind, _) = hire_honest(&self.game, G::NAME, &self.roster, spec)?;
        Ok(Box::new(Engine { game: self.game.clone(), agent: mind.into_agent(), seat: Seat::FIRST }))
    }

    fn analyse(
        &self,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Analysis, DoorError> {
        analyse(&self.game, &self.roster, question, tell)
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

struct Crew<G: Game> {
    game: G,
    spec: String,
    names: Vec<String>,
    school: School<G>,
}

impl<G: Entry + Notation> AnyCrew for Crew<G> {
    fn play(&mut self, sitting: &Sitting<'_>) -> Option<MatchRow> {
        let Sitting { seating, chance, .. } = sitting;
        let mut seated = Seated(seated(&mut self.school, &self.game, seating));
        let mut actions: Vec<(Actor, G::Action)> = Vec::new();
        let outcome = settings(sitting).host(&self.game, self.game.start(), &mut seated, &mut actions);
        if outcome.ending == Ending::Abandoned {
            return None;
        }

        let saved = SavedGame {
            parlor: VERSION,
            game: self.spec.clone(),
            seats: seating.iter().map(|&member| self.names[member].clone()).collect(),
            seed: *chance,
            rng: GENERATOR.to_owned(),
            start: None,
            moves: join(actions.iter().map(|&(_, action)| self.game.write_action(action))),
            ending: outcome.ending.to_string(),
            payoffs: Some(payoff_list(&self.game, &outcome)),
        };
        Some(MatchRow {
            payoffs: payoff_list(&self.game, &outcome),
            plies: outcome.plies,
            forfeit: match outcome.ending {
                Ending::Finished | Ending::Abandoned => None,
                Ending::Forfeit { seat, .. } => Some(seat),
            },
            saved,
        })
    }

    fn search(&mut self, sitting: &Sitting<'_>) -> Searched {
        let minds = seated(&mut self.school, &self.game, sitting.seating);
        let mut overheard =
            Overheard(minds.into_iter().map(|mind| Listener { mind, heard: Searched::default() }).collect());
        let settings = Match { ponder: false, ..settings(sitting) };
        settings.host(&self.game, self.game.start(), &mut overheard, &mut ());
        let mut all = Searched::default();
        overheard.0.iter().for_each(|listener| all += listener.heard);
        all
    }

    fn lesson(&mut self, lesson: &Lesson<'_>) -> LessonRow {
        self.school.hold(&self.game, lesson)
    }

    fn spec(&self, member: usize) -> &str {
        &self.names[member]
    }

    fn learner(&mut self, member: usize) -> Option<Box<dyn AnyLearner + '_>> {
        let learner = self.school.members[member].learner()?;
        Some(Box::new(Pupil { game: &self.game, learner }))
    }
}

/// Returns the minds that a seating names.
pub(super) fn seated<'a, G: Game>(
    school: &'a mut School<G>,
    game: &G,
    seating: &[usize],
) -> Vec<&'a mut Mind<G>> {
    assert_eq!(seating.len(), usize::from(game.seats()), "one agent for each seat");
    let mut order: Vec<Option<&mut Mind<G>>> = school.members.iter_mut().map(Some).collect();
    seating.iter().map(|&member| order[member].take().expect("an agent has one seat at a time")).collect()
}

/// Returns the match that a sitting asks for.
pub(super) fn settings(sitting: &Sitting<'_>) -> Match {
    let Sitting { seating: _, chance, minds, time, opening, ponder, stop } = sitting;
    Match {
        minds: BySeat::from_fn(|seat| Rng::forked(*minds, 1 + u64::from(seat.0))),
        time: BySeat::from_fn(|_| *time),
        opening: *opening,
        ponder: *ponder,
        stop: stop.clone(),
        ..Match::seeded(*chance)
    }
}

/// Minds at a table, one a seat.
pub(super) struct Seated<'a, G: Game>(pub(super) Vec<&'a mut Mind<G>>);

impl<G: Game> Crowd<G> for Seated<'_, G> {
    fn agent(&mut self, seat: Seat) -> &mut dyn Agent<G> {
        self.0[seat.index()].agent()
    }

    fn mover_and_ponderer(&mut self, seat: Seat) -> (&mut dyn Agent<G>, Option<&mut dyn Agent<G>>) {
        let (own, other) = own_and_other(&mut self.0, seat);
        (own.agent(), other.map(|mind| mind.agent()))
    }

    fn oracle(&mut self, seat: Seat) -> Option<&mut dyn Oracle<G>> {
        self.0[seat.index()].oracle()
    }
}

fn payoff_list<G: Game>(game: &G, outcome: &Outcome) -> Vec<f64> {
    Seat::all(game.seats()).map(|seat| outcome.payoffs.of(seat)).collect()
}

pub(super) fn join(words: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word);
    }
    text
}
