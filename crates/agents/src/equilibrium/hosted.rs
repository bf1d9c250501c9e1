//! Equilibria behind the door: by the game's name, as text.

use parlor_core::api::{AnyGame, Hosted};
use parlor_core::{Cancel, Entry, InformationSets, Notation, Phase, Progress, SpecError, Unsolved};

use super::exploit::{Asking, Exploited, NotExploited, Subject, exploit};
use super::form::Form;
use super::regret::{Regrets, Rule};
use super::sequence_form::{Detail, Most, write_out};
use super::solve::{Aim, solve};
use super::strategy::Strategy;

/// What was found out about a game.
pub struct Answer {
    /// How to play it, and what that is worth.
    pub strategy: Strategy,
    /// What the seat that decides first does, and how likely, where it decides before chance does anything; the likeliest first.
    pub best: Vec<(String, f64)>,
    /// How many information sets there are.
    pub information_sets: usize,
    /// Histories that were written out, and information sets that were visited afterwards.
    pub nodes: u64,
    /// Whether it was stopped before the precision was reached.
    pub stopped: bool,
}

/// A game with hidden things that may be small enough to be solved.
pub trait AnyEquilibrium: Send + Sync {
    /// Finds an equilibrium.
    ///
    /// # Errors
    /// If the game is too large, or nobody waits any more before there is anything to show.
    fn solve(&self, aim: &Aim, progress: &mut Progress<'_>) -> Result<Answer, Unsolved>;

    /// Prepares rounds to be measured.
    ///
    /// # Errors
    /// If the game is too large.
    fn rounds(&self) -> Result<Rounds, Unsolved>;

    /// Returns what an agent loses to its best response; its full form, too.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit; inside, why there is no answer.
    fn exploit(
        &self,
        agent: &str,
        asking: &Asking,
        progress: &mut Progress<'_>,
    ) -> Result<(String, Result<Exploited, NotExploited>), SpecError>;
}

/// Rounds of CFR+ on one thread, for measuring.
pub struct Rounds {
    form: Form,
    regrets: Regrets,
}

impl Rounds {
    /// Prepares the rounds of a game.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn of<G: InformationSets>(game: &G, detail: Detail) -> Result<Rounds, Unsolved> {
        let stop = Cancel::new();
        let most = Most::in_megabytes(Aim::default().megabytes);
        let form = write_out(game, detail, most, &mut Progress { cancel: &stop, report: &mut |_| {} })?.form;
        let regrets = Regrets::new(&form, Rule::Plus);
        Ok(Rounds { form, regrets })
    }

    /// Goes so many rounds on.
    pub fn run(&mut self, rounds: u64) {
        (0..rounds).for_each(|_| self.regrets.round(&self.form, 1));
    }
}

/// Makes a player that is asked for its odds if it knows them.
fn player<G: Entry + Notation + InformationSets>(
    hosted: &Hosted<G>,
    full: &str,
) -> Result<Subject<G>, SpecError> {
    Ok(match hosted.policy(full)? {
        Some(policy) => Subject::Weighs(policy),
        None => Subject::Acts(hosted.honest_agent(full)?.0),
    })
}

impl<G: Entry + Notation + InformationSets> AnyEquilibrium for Hosted<G> {
    fn solve(&self, aim: &Aim, progress: &mut Progress<'_>) -> Result<Answer, Unsolved> {
        let game = self.game();
        let solved = solve(game, aim, progress)?;
        let mut best = Vec::new();
        if matches!(game.phase(&game.start()), Phase::Decide(_)) {
            let side = &solved.form.sides[0];
            let root = side.sets.iter().zip(&solved.situations[0]).find(|(set, _)| set.parent == 0);
            let start = game.start();
            let view = game.view(&start, parlor_core::Seat::FIRST);
            if let Some((set, situation)) = root {
                for (&label, &odds) in situation.labels.iter().zip(&solved.plans[0][set.range()]) {
                    let action = game.actions(&start).find(|&action| game.label(&view, action) == label);
                    best.extend(action.map(|action| (game.write_action(action), odds)));
                }
            }
            best.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        let information_sets = solved.form.sets();
        let nodes = solved.histories + solved.rounds * information_sets as u64;
        let strategy = Strategy::new(self.spec(), &solved)?;
        Ok(Answer { strategy, best, information_sets, nodes, stopped: solved.stopped })
    }

    fn rounds(&self) -> Result<Rounds, Unsolved> {
        Rounds::of(self.game(), Detail::Essential)
    }

    fn exploit(
        &self,
        agent: &str,
        asking: &Asking,
        progress: &mut Progress<'_>,
    ) -> Result<(String, Result<Exploited, NotExploited>), SpecError> {
        let full = self.honest_agent(agent)?.1;
        // Whatever can be wrong with it is found here; the threads make the same player again.
        player(self, &full)?;
        let build_player = || player(self, &full).expect("it was made a moment ago");
        let found = exploit(self.game(), &build_player, asking, progress);
        Ok((full, found))
    }
}
