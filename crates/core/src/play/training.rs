//! Matches from which agents learn: learners get every stage as it ends, and go on with what they have learnt.

use crate::play::agent::{Agent, Episode, Learner, StageResult, Step};
use crate::play::matches::Match;
use crate::play::oracle::Oracle;
use crate::play::outcome::Ending;
use crate::play::stepper::{Seated, Seats};
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::seat::{BySeat, Seat};

/// A player that can be seated: an agent, an agent that learns, or an oracle.
pub enum Player<G: Game> {
    /// It stays as it is.
    Fixed(Box<dyn Agent<G>>),
    /// It can get better.
    Learning(Box<dyn Learner<G>>),
    /// It sees everything; only matches of the laboratory seat it.
    Oracle(Box<dyn Oracle<G>>),
}

impl<G: Game> Player<G> {
    /// Returns the player as it sits in a seat.
    pub fn seated(&mut self) -> Seated<'_, G> {
        match self {
            Player::Fixed(agent) => Seated::Agent(&mut **agent),
            Player::Learning(learner) => Seated::Agent(&mut **learner),
            Player::Oracle(oracle) => Seated::Oracle(&mut **oracle),
        }
    }

    /// Returns the agent; `None` for an oracle.
    pub fn agent(&mut self) -> Option<&mut dyn Agent<G>> {
        match self.seated() {
            Seated::Agent(agent) => Some(agent),
            Seated::Oracle(_) => None,
        }
    }

    /// Returns the learner, if it is one.
    pub fn learner(&mut self) -> Option<&mut dyn Learner<G>> {
        match self {
            Player::Fixed(_) | Player::Oracle(_) => None,
            Player::Learning(learner) => Some(&mut **learner),
        }
    }

    /// Returns whether it is a learner that learns now.
    pub fn is_learning(&mut self) -> bool {
        self.learner().is_some_and(|learner| !learner.is_frozen())
    }

    /// Returns the agent without what is known about its learning; `None` for an oracle.
    #[must_use]
    pub fn into_agent(self) -> Option<Box<dyn Agent<G>>> {
        match self {
            Player::Fixed(agent) => Some(agent),
            Player::Learning(learner) => Some(learner),
            Player::Oracle(_) => None,
        }
    }
}

/// One training match: who sits where, and the seeds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrainingMatch<'a> {
    /// Which member has each seat. A learner can have several: it plays against itself.
    pub seating: &'a [usize],
    /// The seed of deals, draws and flips.
    pub chance: u64,
    /// The seed of the agents' random streams.
    pub agent_seed: u64,
}

/// How a training match came out.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct TrainingRow {
    /// What each seat got.
    pub payoffs: BySeat<f64>,
    /// How many stages there were.
    pub stages: u32,
    /// How many each seat won.
    pub stages_won: BySeat<u32>,
    /// The points of each seat at the end.
    pub scores: BySeat<f64>,
    /// Who forfeited, if anyone.
    pub forfeit: Option<Seat>,
}

/// Players that meet again and again. Learners that are not frozen learn; the others just play.
pub struct Team<G: Game> {
    /// The players, in the order by which a [`TrainingMatch`] names them.
    pub members: Vec<Player<G>>,
    notes: EpisodeRecorder<G>,
}

impl<G: Game> Team<G> {
    /// Makes a team of players.
    #[must_use]
    pub fn new(members: Vec<Player<G>>) -> Self {
        Team { members, notes: EpisodeRecorder::default() }
    }

    /// Plays one match; learners learn after each stage.
    ///
    /// # Panics
    /// If the seating does not name a member for each seat.
    pub fn train_match(&mut self, game: &G, setup: &TrainingMatch<'_>) -> TrainingRow {
        assert_eq!(setup.seating.len(), usize::from(game.seats()), "one member for each seat");
        let mut settings = Match::seeded(setup.chance);
        settings.agent_rngs = BySeat::from_fn(|seat| Rng::forked(setup.agent_seed, 1 + u64::from(seat.0)));
        let learns = BySeat::from_fn(|seat| {
            let member = setup.seating.get(seat.index()).map(|&member| &mut self.members[member]);
            member.is_some_and(Player::is_learning)
        });
        self.notes.open(learns);
        let mut seats =
            TrainingSeats { team: self, seating: setup.seating, rng: Rng::forked(setup.agent_seed, 0) };
        let outcome = settings.host(game, game.start(), &mut seats, &mut ());
        for (at, &member) in setup.seating.iter().enumerate() {
            if !setup.seating[..at].contains(&member)
                && let Some(learner) = self.members[member].learner()
            {
                learner.match_ended();
            }
        }
        let mut row = self.notes.row;
        row.payoffs = outcome.payoffs.0;
        row.forfeit = match outcome.ending {
            Ending::Finished | Ending::Abandoned => None,
            Ending::Forfeit(forfeit) => Some(forfeit.seat),
        };
        row
    }
}

/// Records a match while it is played, so that learners can learn from each stage.
pub(crate) struct EpisodeRecorder<G: Game> {
    logs: BySeat<StepLog<G>>,
    learns: BySeat<bool>,
    /// Who took the first decision.
    first: Option<Seat>,
    row: TrainingRow,
}

impl<G: Game> Default for EpisodeRecorder<G> {
    fn default() -> Self {
        EpisodeRecorder {
            logs: BySeat::from_fn(|_| StepLog { steps: Vec::new(), used: 0, earlier: 0 }),
            learns: BySeat::default(),
            first: None,
            row: TrainingRow::default(),
        }
    }
}

impl<G: Game> EpisodeRecorder<G> {
    /// Begins a match in which these seats learn.
    pub(crate) fn open(&mut self, learns: BySeat<bool>) {
        for log in &mut self.logs.0 {
            (log.used, log.earlier) = (0, 0);
        }
        self.learns = learns;
        self.first = None;
        self.row = TrainingRow::default();
    }

    /// A seat has decided.
    pub(crate) fn decided(&mut self, seat: Seat, view: &G::View, legal: &[G::Action], action: G::Action) {
        self.first.get_or_insert(seat);
        if self.learns[seat] {
            self.logs[seat].note(view, legal, action);
        }
    }

    /// An action has led to `state`; if a stage is over, calls `teach` for every seat that learns.
    pub(crate) fn applied(
        &mut self,
        game: &G,
        state: &G::State,
        mut teach: impl FnMut(Seat, &Episode<'_, G>),
    ) {
        let stages = game.stages(state);
        if stages == self.row.stages {
            return;
        }
        let scores = game.scores(state);
        let points = BySeat::from_fn(|seat| scores[seat] - self.row.scores[seat]);
        let winner = game.stage_winner(state);
        if let Some(winner) = winner {
            self.row.stages_won[winner] += 1;
        }
        (self.row.stages, self.row.scores) = (stages, scores);
        let payoffs = (game.phase(state) == Phase::Over).then(|| game.payoffs(state));
        for seat in Seat::all(game.seats()).filter(|&seat| self.learns[seat]) {
            let log = &mut self.logs[seat];
            let episode = Episode {
                game,
                seat,
                first: self.first.unwrap_or(Seat::FIRST),
                steps: &log.steps[..log.used],
                earlier: log.earlier,
                last: &game.view(state, seat),
                result: StageResult { winner, points, scores },
                payoffs,
            };
            teach(seat, &episode);
            log.earlier = log.used;
        }
    }
}

/// The decisions of one seat. Steps are kept from match to match, so that their lists are not allocated anew.
struct StepLog<G: Game> {
    steps: Vec<Step<G>>,
    used: usize,
    earlier: usize,
}

impl<G: Game> StepLog<G> {
    fn note(&mut self, view: &G::View, legal: &[G::Action], action: G::Action) {
        if let Some(step) = self.steps.get_mut(self.used) {
            step.view.clone_from(view);
            step.action = action;
            step.actions.clear();
            step.actions.extend_from_slice(legal);
        } else {
            self.steps.push(Step { view: view.clone(), actions: legal.to_vec(), action });
        }
        self.used += 1;
    }
}

/// The seats of a training match in progress.
struct TrainingSeats<'a, G: Game> {
    team: &'a mut Team<G>,
    seating: &'a [usize],
    rng: Rng,
}

impl<G: Game> Seats<G> for TrainingSeats<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(self.team.members[self.seating[seat.index()]].seated())
    }

    fn decided(&mut self, seat: Seat, view: &G::View, legal: &[G::Action], action: G::Action) {
        self.team.notes.decided(seat, view, legal, action);
    }

    fn applied(&mut self, game: &G, state: &G::State) {
        let Team { members, notes } = &mut *self.team;
        notes.applied(game, state, |seat, episode| {
            if let Some(learner) = members[self.seating[seat.index()]].learner() {
                learner.learn(episode, &mut self.rng);
            }
        });
    }
}
