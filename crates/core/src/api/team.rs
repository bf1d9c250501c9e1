//! Agents that play whole matches with each other.

use crate::files::saved::{SavedGame, VERSION};
use crate::play::matches::{Match, Observer};
use crate::play::outcome::{Actor, Ending, Outcome};
use crate::play::stepper::{Seated, Seats, own_and_other};
use crate::play::training::{Player, Team, TrainingMatch, TrainingRow};
use crate::rng::{GENERATOR, Rng};
use crate::rules::exercise::{DrawExercise, Exercise};
use crate::rules::game::{Game, Phase};
use crate::rules::seat::{BySeat, Seat};
use crate::text::notation::Notation;
use crate::text::spec::{Entry, SpecError};
use crate::time::deadline::Cancel;

use super::candidates::Candidates;
use super::hosted::Hosted;
use super::learner::HostedLearner;
use super::recognising::RecognisingSeats;
use super::referee::answer;
use super::search::{Measured, MeasuredSeats};
use super::{AnyLearner, AnyTeam, MatchSetup, Searched};

/// Agents of a game that play whole matches with each other.
pub(super) struct HostedTeam<G: Game> {
    game: G,
    roster: Candidates<G>,
    exercises: Option<DrawExercise<G>>,
    spec: String,
    /// The full forms.
    specs: Vec<String>,
    /// The names in saved games.
    names: Vec<String>,
    team: Team<G>,
}

impl<G: Entry + Notation> HostedTeam<G> {
    /// Brings players and their full forms together.
    pub(super) fn new(hosted: &Hosted<G>, team: Team<G>, specs: Vec<String>) -> Self {
        HostedTeam {
            game: hosted.game().clone(),
            roster: hosted.roster().clone(),
            exercises: hosted.exercises(),
            spec: hosted.game().spec().to_string(),
            names: specs.clone(),
            specs,
            team,
        }
    }

    /// Returns the game.
    pub(super) fn game(&self) -> &G {
        &self.game
    }

    /// Plays one match before an observer; `None` if it was abandoned.
    pub(super) fn play_watched(
        &mut self,
        setup: &MatchSetup<'_>,
        observer: &mut dyn Observer<G>,
    ) -> Option<SavedGame> {
        let MatchSetup { seating, chance, .. } = setup;
        let mut seats = RecognisingSeats {
            seats: TeamSeats(seated(&mut self.team, &self.game, seating)),
            game: &self.game,
            specs: seating.iter().map(|&member| self.specs[member].as_str()).collect(),
            counts: Vec::new(),
        };
        let mut recorder = Recorder { actions: Vec::new(), observer };
        let outcome = settings(setup).host(&self.game, self.game.start(), &mut seats, &mut recorder);
        if outcome.ending == Ending::Abandoned {
            return None;
        }
        Some(SavedGame {
            parlor: VERSION,
            game: self.spec.clone(),
            seats: seating.iter().map(|&member| self.names[member].clone()).collect(),
            seed: *chance,
            rng: GENERATOR.to_owned(),
            start: None,
            moves: join(recorder.actions.iter().map(|&action| self.game.write_action(action))),
            ending: (&outcome.ending).into(),
            payoffs: Some(payoff_list(&self.game, &outcome)),
            recognised: seats.counts,
            table: None,
        })
    }
}

/// Writes down every action, beside another observer.
struct Recorder<'a, G: Game> {
    actions: Vec<G::Action>,
    observer: &'a mut dyn Observer<G>,
}

impl<G: Game> Observer<G> for Recorder<'_, G> {
    fn before(&mut self, game: &G, state: &G::State, actor: Actor, action: G::Action) {
        self.actions.push(action);
        self.observer.before(game, state, actor, action);
    }
}

impl<G: Entry + Notation> AnyTeam for HostedTeam<G> {
    fn play(&mut self, setup: &MatchSetup<'_>) -> Option<SavedGame> {
        self.play_watched(setup, &mut ())
    }

    fn search(&mut self, setup: &MatchSetup<'_>) -> Searched {
        let players = seated(&mut self.team, &self.game, setup.seating);
        let measured = players.into_iter().map(|player| Measured { player, searched: Searched::default() });
        let mut seats = MeasuredSeats(measured.collect());
        let settings = Match { ponder: false, ..settings(setup) };
        settings.host(&self.game, self.game.start(), &mut seats, &mut ());
        let mut all = Searched::default();
        seats.0.iter().for_each(|measured| all += measured.searched);
        all
    }

    fn train_match(&mut self, setup: &TrainingMatch<'_>) -> TrainingRow {
        self.team.train_match(&self.game, setup)
    }

    fn spec(&self, member: usize) -> &str {
        &self.specs[member]
    }

    fn set_name(&mut self, member: usize, name: &str) {
        name.clone_into(&mut self.names[member]);
    }

    fn reseat(&mut self, member: usize, spec: &str) -> Result<(), SpecError> {
        let (player, full) = self.roster.build(&self.game, spec)?;
        self.team.members[member] = player;
        self.names[member].clone_from(&full);
        self.specs[member] = full;
        Ok(())
    }

    fn exercise(&mut self, member: usize, seed: u64) -> Option<bool> {
        let mut rng = Rng::new(seed);
        let Exercise { state, right } = self.exercises?(&self.game, &mut rng);
        let Phase::Decide(seat) = self.game.phase(&state) else { return None };
        let mut player = self.team.members[member].seated();
        let answer = answer(&self.game, &mut player, seat, &state, &mut rng, &Cancel::new());
        Some(answer.is_ok_and(|action| right.contains(&action)))
    }

    fn learner(&mut self, member: usize) -> Option<Box<dyn AnyLearner + '_>> {
        let learner = self.team.members[member].learner()?;
        Some(Box::new(HostedLearner { game: &self.game, learner }))
    }
}

/// Returns the players that a seating names.
pub(super) fn seated<'a, G: Game>(
    team: &'a mut Team<G>,
    game: &G,
    seating: &[usize],
) -> Vec<&'a mut Player<G>> {
    assert_eq!(seating.len(), usize::from(game.seats()), "one agent for each seat");
    let mut order: Vec<Option<&mut Player<G>>> = team.members.iter_mut().map(Some).collect();
    seating.iter().map(|&member| order[member].take().expect("an agent has one seat at a time")).collect()
}

/// Returns the match that a setup asks for.
pub(super) fn settings(setup: &MatchSetup<'_>) -> Match {
    let MatchSetup { seating: _, chance, agent_seed, time, opening, ponder, continues, cancel } = setup;
    Match {
        agent_rngs: BySeat::from_fn(|seat| Rng::forked(*agent_seed, 1 + u64::from(seat.0))),
        time: BySeat::from_fn(|_| *time),
        opening: *opening,
        ponder: *ponder,
        continues: *continues,
        cancel: cancel.clone(),
        ..Match::seeded(*chance)
    }
}

/// Players at a table, one a seat.
pub(super) struct TeamSeats<'a, G: Game>(pub(super) Vec<&'a mut Player<G>>);

impl<G: Game> Seats<G> for TeamSeats<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(self.0[seat.index()].seated())
    }

    fn mover_and_ponderer(&mut self, seat: Seat) -> (Option<Seated<'_, G>>, Option<Seated<'_, G>>) {
        let (own, other) = own_and_other(&mut self.0, seat);
        (Some(own.seated()), other.map(|player| player.seated()))
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
