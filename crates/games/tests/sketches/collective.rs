//! The collective learner: weights of transitions from a stimulant to a respondent. Needs codecs of views, which are an
//! ability of a game; here the trait is local, later it lives with the learner's other needs.

use std::collections::BTreeMap;
use std::io;

use parlor_core::{
    Actor, Agent, Decision, Episode, Game, Learner, Match, Observer, Outcome, Rng, Seat, Step,
};
use parlor_games::connect::{Column, Connect};
use parlor_games::dominoes::{self, Board, Dominoes, End};
use parlor_games::tictactoe::{Cell, TicTacToe};

use crate::{Random, Tally, double_three, duel, four_in_a_row, three_by_three};

/// A game whose views can be coded as a stimulant, and the outcome of an own action as a respondent.
trait Stimulus: Game {
    /// Returns the code of what the seat knows.
    fn stimulant(&self, view: &Self::View) -> u128;

    /// Returns the code of what the seat expects to see after its own action, before anyone else acts.
    fn respondent(&self, view: &Self::View, action: Self::Action) -> u128;
}

impl Stimulus for TicTacToe {
    fn stimulant(&self, view: &Self::View) -> u128 {
        u128::from(view.x) << 64 | u128::from(view.o)
    }
    fn respondent(&self, view: &Self::View, action: Cell) -> u128 {
        let mut next = *view;
        self.apply(&mut next, action);
        self.stimulant(&next)
    }
}

impl Stimulus for Connect<u64> {
    fn stimulant(&self, view: &Self::View) -> u128 {
        u128::from(self.taken(view)) << 64 | u128::from(self.discs(view, Seat::FIRST))
    }
    fn respondent(&self, view: &Self::View, action: Column) -> u128 {
        let mut next = *view;
        self.apply(&mut next, action);
        self.stimulant(&next)
    }
}

/// The source's LSP2: which pips lie at each of the four ends, one bit each, or that nothing lies there.
fn lsp2(board: &Board) -> u128 {
    [End::Left, End::Right, End::Up, End::Down].into_iter().fold(0, |code, end| {
        let bit = board.end(end).map_or(10, |open| open.pips);
        code << 11 | 1 << bit
    })
}

impl Stimulus for Dominoes {
    fn stimulant(&self, view: &Self::View) -> u128 {
        lsp2(&view.board)
    }
    fn respondent(&self, view: &Self::View, action: dominoes::Action) -> u128 {
        match action {
            dominoes::Action::Play(tile, end) => lsp2(&self.board_after(&view.board, tile, end)),
            _ => lsp2(&view.board),
        }
    }
}

/// The state transition matrix with constant evaluation, simple compensation and multiplicative update.
#[derive(Clone, Default, PartialEq, Debug)]
struct Collective {
    /// Sorted, so that equal knowledge gives equal bytes. What is not in it weighs 1.
    weights: BTreeMap<(u128, u128), f64>,
    frozen: bool,
}

const REWARD: f64 = 1.05;
const PUNISHMENT: f64 = 0.5;

impl<G: Stimulus> Agent<G> for Collective {
    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        let from = decision.game.stimulant(decision.view);
        let weigh = |action: &G::Action| {
            let to = decision.game.respondent(decision.view, *action);
            self.weights.get(&(from, to)).copied().unwrap_or(1.0)
        };
        let best = decision.actions.iter().map(weigh).fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<G::Action> = decision.actions.iter().copied().filter(|a| weigh(a) == best).collect();
        *rng.choose(&ties)
    }
}

impl<G: Stimulus> Learner<G> for Collective {
    fn learn(&mut self, episode: &Episode<'_, G>, _: &mut Rng) {
        if self.frozen {
            return;
        }
        // A draw counts as a win of the second player.
        let payoff = episode.payoffs.of(episode.seat);
        let won = payoff > 0.0 || (payoff == 0.0 && episode.seat == Seat::SECOND);
        for step in episode.steps {
            let from = episode.game.stimulant(&step.view);
            let to = episode.game.respondent(&step.view, step.action);
            *self.weights.entry((from, to)).or_insert(1.0) *= if won { REWARD } else { PUNISHMENT };
        }
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn save(&self, to: &mut dyn io::Write) -> io::Result<()> {
        for ((from, respondent), weight) in &self.weights {
            writeln!(to, "{from} {respondent} {weight}")?;
        }
        Ok(())
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        let mut weights = BTreeMap::new();
        for line in io::read_to_string(from)?.lines() {
            let bad = || io::Error::new(io::ErrorKind::InvalidData, format!("no transition: {line}"));
            let [from, to, weight] = line.split(' ').collect::<Vec<_>>()[..] else { return Err(bad()) };
            let code = |text: &str| text.parse::<u128>().map_err(|_| bad());
            weights.insert((code(from)?, code(to)?), weight.parse().map_err(|_| bad())?);
        }
        self.weights = weights;
        Ok(())
    }
}

/// Writes down one seat's decisions: an observer sees everything, and keeps only what its seat saw.
struct Diary<G: Game> {
    seat: Seat,
    steps: Vec<Step<G>>,
    last: Option<G::View>,
}

impl<G: Game> Observer<G> for Diary<G> {
    fn before(&mut self, game: &G, state: &G::State, actor: Actor, action: G::Action) {
        if actor == Actor::Seat(self.seat) {
            let (view, actions) = (game.view(state, self.seat), game.actions(state).collect());
            self.steps.push(Step { view, actions, action });
        }
    }
    fn over(&mut self, game: &G, state: &G::State, _: &Outcome) {
        self.last = Some(game.view(state, self.seat));
    }
}

/// Plays against random play from both seats in turn, and learns after each match.
fn train<G: Game>(game: &G, learner: &mut dyn Learner<G>, matches: u64) {
    for number in 0..matches {
        let seat = Seat((number % 2) as u8);
        let mut diary = Diary { seat, steps: Vec::new(), last: None };
        let settings = Match::seeded(1_000_000 + number);
        let outcome = if seat == Seat::FIRST {
            settings.play(game, &mut [&mut *learner, &mut Random], &mut diary)
        } else {
            settings.play(game, &mut [&mut Random, &mut *learner], &mut diary)
        };
        let last = diary.last.as_ref().expect("a match that was played is over");
        let episode = Episode { game, seat, steps: &diary.steps, last, payoffs: outcome.payoffs };
        learner.learn(&episode, &mut Rng::forked(number, 9));
    }
}

#[test]
fn learns_from_episodes() {
    let game = three_by_three();
    let mut learner = Collective::default();
    let before = duel(&game, &mut learner, &mut Random, 200);
    train(&game, &mut learner, 4_000);
    Learner::<TicTacToe>::freeze(&mut learner, true);
    let known = learner.weights.clone();
    let after = duel(&game, &mut learner, &mut Random, 200);
    train(&game, &mut learner, 10);
    assert_eq!(known, learner.weights, "nothing is learnt while frozen");
    assert!(after.wins > before.wins + 60, "{before:?}, then {after:?}");
}

#[test]
fn knowledge_is_saved_and_recalled() {
    let game = four_in_a_row();
    let mut learner = Collective::default();
    train(&game, &mut learner, 50);
    assert!(learner.weights.len() > 100, "another game, the same learner");
    let save = |learner: &Collective| {
        let mut bytes = Vec::new();
        Learner::<Connect<u64>>::save(learner, &mut bytes).expect("a list of bytes takes everything");
        bytes
    };
    let bytes = save(&learner);
    let mut again = Collective::default();
    Learner::<Connect<u64>>::load(&mut again, &mut bytes.as_slice()).expect("what was saved can be loaded");
    assert_eq!(again.weights, learner.weights);
    assert_eq!(save(&again), bytes, "equal knowledge, equal bytes");
    let refused = Learner::<Connect<u64>>::load(&mut again, &mut "1 2".as_bytes()).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    assert_eq!(again.weights, learner.weights, "a refused file changes nothing");
    let Tally { wins, draws, losses } = duel(&game, &mut again, &mut Random, 5);
    assert_eq!(wins + draws + losses, 10);
}

/// Hidden hands change nothing for the learner: it codes what its seat sees.
#[test]
fn the_same_learner_learns_a_hidden_game() {
    let game = double_three();
    let mut learner = Collective::default();
    train(&game, &mut learner, 500);
    assert!(learner.weights.len() > 50, "{} transitions", learner.weights.len());
    let tally = duel(&game, &mut learner, &mut Random, 50);
    assert_eq!(tally.wins + tally.draws + tally.losses, 100);
}
