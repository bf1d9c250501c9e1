//! What a seat believes about what it cannot see: worlds with weights.
//!
//! Chance and forced events tell something: who drew had nothing to play. Choices tell more: who could have scored and did
//! not, probably could not. A world is weighed by how likely a model of the other seat would have chosen in it as that seat
//! did. Models err, so a part of every choice counts as made at random.

use std::collections::HashMap;

use parlor_core::api::BuildContext;
use parlor_core::{
    Beliefs, Budget, Cancel, Deadline, Decision, Entry, Game, Key, Kind, Policy, Rng, Seat, SpecError,
    Staged, Worlds,
};

/// What beliefs rest on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The numbers of hidden things, and nothing that happened.
    Off,
    /// What chance and forced events tell.
    Seen,
    /// That, and what the other seat chose.
    Choices,
}

/// `beliefs=`: what they rest on.
pub const BELIEFS: Key = Key {
    name: "beliefs",
    kind: Kind::Choice(&["choices", "seen", "off"]),
    default: "choices",
    help: "what the odds of hidden things rest on: draws, passes and choices; draws and passes; their numbers alone",
};

/// `model=`: who the other seat is taken for.
pub const MODEL: Key = Key {
    name: "model",
    kind: Kind::Text,
    default: "expert",
    help: "with beliefs=choices: how the other seat is thought to choose",
};

/// `faith=`: how far the model is trusted.
pub const FAITH: Key = Key {
    name: "faith",
    kind: Kind::Real { min: 0.0, max: 0.99 },
    default: "0.7",
    help: "with beliefs=choices: how often the other seat chooses as its model does, not at random",
};

/// So many worlds can be listed: in double-six at most 352,716 hands are possible.
pub const MOST_WORLDS: i64 = 1_000_000;

/// `worlds=`: how many worlds are looked at.
pub const WORLDS: Key = Key {
    name: "worlds",
    kind: Kind::WholeOrAll { min: 1, max: MOST_WORLDS },
    default: "50",
    help: "hidden worlds that are looked at: all if there are no more, else so many drawn by their odds; fewer where nodes do not suffice",
};

/// For each world that is kept, so many are drawn before they are weighed by choices.
const DRAWN_FOR_ONE: usize = 4;

/// Worlds with weights that add up to 1.
pub struct Believed<S> {
    /// Each world and how likely it is.
    pub worlds: Vec<(S, f64)>,
    /// Whether these are all there are.
    pub all: bool,
}

impl<S> Believed<S> {
    /// Returns how the worlds came about, for people.
    #[must_use]
    pub fn basis(&self) -> String {
        let count = self.worlds.len();
        match (self.all, count) {
            (true, 1) => "the only world".to_owned(),
            (true, _) => format!("all {count} worlds"),
            (false, _) => format!("{count} sampled worlds"),
        }
    }

    /// Returns at most `count` of the worlds, drawn by their weights.
    #[must_use]
    pub fn at_most(self, count: usize, rng: &mut Rng) -> Self {
        if self.worlds.len() <= count {
            return self;
        }
        Believed { worlds: thin(self.worlds, count, rng), all: false }
    }

    /// Returns for every hidden thing the odds of each place.
    #[must_use]
    pub fn odds<G: Worlds<State = S>>(&self, game: &G, view: &G::View) -> Beliefs {
        let odds = game.hidden(view).into_iter().enumerate().map(|(thing, name)| {
            let mut odds = vec![0.0; G::PLACES.len()];
            for (world, weight) in &self.worlds {
                odds[game.place(view, world, thing)] += weight;
            }
            (name, odds)
        });
        Beliefs {
            places: G::PLACES.iter().map(|place| (*place).to_owned()).collect(),
            odds: odds.collect(),
            basis: self.basis(),
        }
    }
}

/// The part of a decision's time that may go into preparing worlds.
const PREPARATION: u32 = 4;

/// Returns the deadline for preparing the worlds of a decision that has this budget, from now on.
#[must_use]
pub fn preparation<'a>(budget: &Budget, cancel: Option<&'a Cancel>) -> Deadline<'a> {
    Deadline::after(budget.time.map(|time| time / PREPARATION), cancel)
}

/// Draws up the worlds that a seat believes in.
pub struct Believer<G: Game> {
    trust: Trust,
    model: Box<dyn Policy<G>>,
    faith: f64,
    most: usize,
    actions: Vec<G::Action>,
    weights: Vec<f64>,
}

impl<G: Entry> Believer<G> {
    /// Reads [`BELIEFS`], [`MODEL`], [`FAITH`] and [`WORLDS`].
    ///
    /// # Errors
    /// If the game has no such model.
    pub fn read(context: &BuildContext<'_, G>) -> Result<Self, SpecError> {
        let settings = context.settings;
        Ok(Believer {
            trust: match settings.text(BELIEFS.name) {
                "off" => Trust::Off,
                "seen" => Trust::Seen,
                _ => Trust::Choices,
            },
            model: context.policy(settings.text(MODEL.name))?,
            faith: settings.real(FAITH.name),
            most: settings.whole_or_all(WORLDS.name).unwrap_or(MOST_WORLDS) as usize,
            actions: Vec::new(),
            weights: Vec::new(),
        })
    }
}

impl<G: Worlds + Staged> Believer<G> {
    /// A believer in what chance and forced events tell; the model is never asked.
    #[must_use]
    pub fn of_what_is_seen(model: Box<dyn Policy<G>>, most: usize) -> Self {
        let (actions, weights) = (Vec::new(), Vec::new());
        Believer { trust: Trust::Seen, model, faith: 0.0, most, actions, weights }
    }

    /// Returns the worlds of a decision: all of them if their number and the deadline allow, else a sample, at least one.
    pub fn believe(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> Believed<G::State> {
        let (game, view) = (decision.game, decision.view);
        // If they turn out to be too many, time is left to draw some.
        let listing = deadline.halfway();
        if self.trust == Trust::Off {
            let Some(worlds) = game.worlds_blindly(view, self.most, &|| !listing.has_passed()) else {
                return self.sample(decision, deadline, rng, G::imagine_blindly);
            };
            let mut worlds: Vec<_> = worlds.into_iter().map(|world| (world, 1.0)).collect();
            normalise(&mut worlds);
            return Believed { worlds, all: true };
        }
        match game.worlds_while(view, self.most, &|| !listing.has_passed()) {
            Some(worlds) => {
                let mut believed = Believed { worlds, all: true };
                if self.trust == Trust::Choices && believed.worlds.len() > 1 {
                    self.weigh_all(decision, deadline, &mut believed.worlds, rng);
                }
                believed
            }
            None if self.trust == Trust::Choices => self.sample_by_choices(decision, deadline, rng),
            None => self.sample(decision, deadline, rng, G::imagine),
        }
    }

    /// Draws worlds by what chance tells, weighs them by choices, and keeps a part of them by these weights.
    fn sample_by_choices(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> Believed<G::State> {
        let (game, view) = (decision.game, decision.view);
        let drawn = DRAWN_FOR_ONE * self.most;
        let mut worlds = Vec::new();
        while worlds.len() < drawn && (worlds.is_empty() || !deadline.has_passed()) {
            let world = game.imagine(view, rng);
            let weight = self.likelihood(game, &world, decision.seat.other());
            worlds.push((world, weight));
        }
        normalise(&mut worlds);
        let kept = self.most.min(worlds.len());
        Believed { worlds: thin(worlds, kept, rng), all: false }
    }

    /// Draws worlds with equal weights; fewer if nobody wants them any more.
    fn sample(
        &self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
        imagine: impl Fn(&G, &G::View, &mut Rng) -> G::State,
    ) -> Believed<G::State> {
        let mut worlds = Vec::new();
        while worlds.len() < self.most && (worlds.is_empty() || !deadline.has_passed()) {
            worlds.push((imagine(decision.game, decision.view, rng), 1.0));
        }
        normalise(&mut worlds);
        Believed { worlds, all: false }
    }

    /// Weighs listed worlds by the other seat's choices. A listed world stands for all the ways in which it can have come
    /// about; choices may be likelier in some of them, so the average over a few is taken.
    fn weigh_all(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        worlds: &mut [(G::State, f64)],
        rng: &mut Rng,
    ) {
        let (game, other) = (decision.game, decision.seat.other());
        let mut found: HashMap<G::Rest, (f64, f64)> = HashMap::new();
        for (world, _) in worlds.iter() {
            // Half of the worlds weighed would be worse than none.
            if deadline.has_passed() {
                return;
            }
            found.insert(game.rest(world), (self.likelihood(game, world, other), 1.0));
        }
        for _ in 0..DRAWN_FOR_ONE * worlds.len() {
            if deadline.has_passed() {
                break;
            }
            let world = game.imagine(decision.view, rng);
            if let Some((sum, count)) = found.get_mut(&game.rest(&world)) {
                *sum += self.likelihood(game, &world, other);
                *count += 1.0;
            }
        }
        for (world, weight) in worlds.iter_mut() {
            let (sum, count) = found[&game.rest(world)];
            *weight *= sum / count;
        }
        normalise(worlds);
    }

    /// Returns how likely the other seat was to choose in this stage as it did, if this world is the truth.
    fn likelihood(&mut self, game: &G, world: &G::State, other: Seat) -> f64 {
        let mut likelihood = 1.0;
        game.retrace(world, |state, seat, chosen| {
            let actions = game.actions(state);
            if seat != other || actions.len() < 2 {
                return;
            }
            self.actions.clear();
            self.actions.extend(actions);
            let view = game.view(state, seat);
            self.model.weigh(&Decision::new(game, seat, &view, &self.actions), &mut self.weights);
            let at = self.actions.iter().position(|&action| action == chosen);
            let by_model = at.map_or(0.0, |at| self.weights[at]);
            likelihood *= self.faith * by_model + (1.0 - self.faith) / self.actions.len() as f64;
        });
        likelihood
    }
}

fn normalise<S>(worlds: &mut [(S, f64)]) {
    let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
    worlds.iter_mut().for_each(|(_, weight)| *weight /= total);
}

/// Returns `count` of the worlds, drawn by their weights at equal distances from a random start; those that are drawn more
/// than once weigh more.
fn thin<S>(worlds: Vec<(S, f64)>, count: usize, rng: &mut Rng) -> Vec<(S, f64)> {
    let step = 1.0 / count as f64;
    let mut next = step * rng.unit();
    let mut sum = 0.0;
    let mut kept = Vec::with_capacity(count);
    for (world, weight) in worlds {
        sum += weight;
        let mut times = 0.0;
        while next < sum {
            times += 1.0;
            next += step;
        }
        if times > 0.0 {
            kept.push((world, times));
        }
    }
    normalise(&mut kept);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_weights() {
        let mut rng = Rng::new(1);
        let worlds = vec![('a', 0.5), ('b', 0.0), ('c', 0.3), ('d', 0.2)];
        let mut sums = HashMap::new();
        for _ in 0..2_000 {
            let kept = thin(worlds.clone(), 3, &mut rng);
            assert!((kept.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-9);
            kept.iter().for_each(|(name, weight)| *sums.entry(*name).or_insert(0.0) += weight / 2_000.0);
        }
        assert!(!sums.contains_key(&'b'));
        for (name, weight) in [('a', 0.5), ('c', 0.3), ('d', 0.2)] {
            assert!((sums[&name] - weight).abs() < 0.02, "{name}: {}", sums[&name]);
        }
    }
}
