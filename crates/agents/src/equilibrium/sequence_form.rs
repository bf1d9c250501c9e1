//! Writing a game out: every history once, until nothing is left but information sets and payoffs.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use parlor_core::{InformationSets, Phase, Progress, ProgressUpdate, Seat, Unsolved};

use super::form::{End, Form, Role, Set};

/// What makes two situations of a seat one information set.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// What matters: mirror images are one, and so are the two seats.
    Essential,
    /// Everything that a seat sees, in each seat: for players that may take mirror images differently.
    Everything,
}

/// How large a game may get.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Most {
    /// Deals: what chance may have done before the first decision.
    pub deals: usize,
    /// Ends of the game, before those that are alike are put together.
    pub ends: usize,
}

impl Most {
    /// Returns what fits in so many mebibytes, as far as that can be told beforehand.
    #[must_use]
    pub fn in_megabytes(megabytes: usize) -> Most {
        // A deal is there up to three times while deals are put together. An end is 16 bytes while it is gathered and 24
        // later; sets and their names come on top.
        Most { deals: (megabytes << 20) / 4096, ends: (megabytes << 20) / 64 }
    }
}

/// An information set as the game knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Situation<A> {
    /// What the role remembers; empty where everything counts.
    pub memory: Box<[u8]>,
    /// The labels of its choices, rising.
    pub labels: Box<[u32]>,
    /// The actions that lead to it from the start, in one of its histories.
    pub path: Box<[A]>,
}

/// A game that was written out.
pub struct Written<A> {
    /// The numbers.
    pub form: Form,
    /// What the information sets of each role are, in the order of the form.
    pub situations: [Vec<Situation<A>>; 2],
    /// How many histories there were.
    pub histories: u64,
}

/// Histories between two looks at the clock.
const BETWEEN_LOOKS: u64 = 1 << 14;

struct Writer<'a, 'p, G: InformationSets> {
    game: &'a G,
    detail: Detail,
    most: Most,
    progress: &'a mut Progress<'p>,
    numbers: [HashMap<u128, u32>; 2],
    sets: [Vec<Set>; 2],
    sequences: [u32; 2],
    situations: [Vec<Situation<G::Action>>; 2],
    ends: Vec<End>,
    histories: u64,
    deals: (usize, usize),
    path: Vec<G::Action>,
    memory: Vec<u8>,
}

/// Where a history stands.
#[derive(Copy, Clone)]
struct Standing {
    odds: f64,
    at: [u32; 2],
    /// Who has role 0, once that is known.
    first: Option<Seat>,
}

/// Writes a game out.
///
/// # Errors
/// If the game is too large or forgets something, or nobody waits any more.
pub fn write_out<G: InformationSets>(
    game: &G,
    detail: Detail,
    most: Most,
    progress: &mut Progress<'_>,
) -> Result<Written<G::Action>, Unsolved> {
    if game.seats() != 2 || game.range().sum != Some(0.0) {
        let wrong = "an equilibrium is for two seats of which one gains what the other loses";
        return Err(Unsolved::OutOfReach(wrong.to_owned()));
    }
    game.recalls().map_err(Unsolved::OutOfReach)?;
    let mut writer = Writer {
        game,
        detail,
        most,
        progress,
        numbers: Default::default(),
        sets: Default::default(),
        sequences: [1; 2],
        situations: Default::default(),
        ends: Vec::new(),
        histories: 0,
        deals: (0, 0),
        path: Vec::new(),
        memory: Vec::new(),
    };
    let deals = writer.deals()?;
    writer.deals.1 = deals.len();
    for (state, odds, path) in deals {
        writer.path = path;
        writer.walk(&state, Standing { odds, at: [0; 2], first: None })?;
        writer.deals.0 += 1;
    }
    let Writer { sets, ends, situations, histories, .. } = writer;
    let (form, orders) = Form::new(sets, ends);
    let mut by_role = situations.into_iter();
    let situations = orders.map(|order| {
        let mut old: Vec<Option<Situation<G::Action>>> =
            by_role.next().expect("there are two roles").into_iter().map(Some).collect();
        order.iter().map(|&number| old[number as usize].take().expect("every set has one place")).collect()
    });
    Ok(Written { form, situations, histories })
}

/// A state that chance can bring about, its odds, and one way to it.
type Deal<G> = (<G as parlor_core::Game>::State, f64, Vec<<G as parlor_core::Game>::Action>);

impl<G: InformationSets> Writer<'_, '_, G> {
    /// Returns everything that chance can have done before the first decision. Ways to the same state are put together.
    fn deals(&mut self) -> Result<Vec<Deal<G>>, Unsolved> {
        let mut now: Vec<Deal<G>> = vec![(self.game.start(), 1.0, Vec::new())];
        while now.iter().any(|(state, ..)| self.game.phase(state) == Phase::Chance) {
            let mut places: HashMap<G::State, usize> = HashMap::new();
            let mut next: Vec<Deal<G>> = Vec::new();
            for (state, odds, path) in now {
                self.progress.check()?;
                if self.game.phase(&state) != Phase::Chance {
                    next.push((state, odds, path));
                    continue;
                }
                for (outcome, weight) in self.game.chances(&state) {
                    let mut after = state.clone();
                    self.game.apply(&mut after, outcome);
                    match places.entry(after) {
                        Entry::Occupied(known) => next[*known.get()].1 += odds * weight,
                        Entry::Vacant(new) => {
                            let mut path = path.clone();
                            path.push(outcome);
                            next.push((new.key().clone(), odds * weight, path));
                            new.insert(next.len() - 1);
                        }
                    }
                }
                if next.len() > self.most.deals {
                    return Err(too_large(&format!("more than {} deals", self.most.deals)));
                }
            }
            now = next;
        }
        Ok(now)
    }

    fn look_around(&mut self) -> Result<(), Unsolved> {
        self.histories += 1;
        if !self.histories.is_multiple_of(BETWEEN_LOOKS) {
            return Ok(());
        }
        self.progress.check()?;
        if self.ends.len() > self.most.ends {
            return Err(too_large(&format!("more than {} ends", self.most.ends)));
        }
        (self.progress.report)(&ProgressUpdate {
            doing: "writing the game out".to_owned(),
            done: Some(self.deals.0 as f64 / self.deals.1 as f64),
            nodes: self.histories,
        });
        Ok(())
    }

    fn step(&mut self, state: &G::State, action: G::Action, standing: Standing) -> Result<(), Unsolved> {
        let mut next = state.clone();
        self.game.apply(&mut next, action);
        self.path.push(action);
        self.walk(&next, standing)?;
        self.path.pop();
        Ok(())
    }

    fn walk(&mut self, state: &G::State, standing: Standing) -> Result<(), Unsolved> {
        self.look_around()?;
        match self.game.phase(state) {
            Phase::Over => {
                let payoff = self.game.payoffs(state).of(standing.first.unwrap_or(Seat::FIRST));
                self.ends.push(End { at: standing.at, worth: payoff * standing.odds });
                Ok(())
            }
            Phase::Chance => {
                for (outcome, weight) in self.game.chances(state) {
                    self.step(state, outcome, Standing { odds: standing.odds * weight, ..standing })?;
                }
                Ok(())
            }
            Phase::Decide(seat) => self.decide(state, seat, standing),
        }
    }

    fn decide(&mut self, state: &G::State, seat: Seat, standing: Standing) -> Result<(), Unsolved> {
        let first = standing.first.unwrap_or(seat);
        let role = usize::from(seat != first);
        let standing = Standing { first: Some(first), ..standing };
        let view = self.game.view(state, seat);
        let choices = choices(self.game, self.detail, &view, self.game.actions(state));
        if let [(_, only)] = choices[..] {
            return self.step(state, only, standing);
        }
        let set = self.set(&view, role, standing.at[role], &choices)?;
        for ((_, action), sequence) in choices.into_iter().zip(set.first..) {
            let mut at = standing.at;
            at[role] = sequence;
            self.step(state, action, Standing { at, ..standing })?;
        }
        Ok(())
    }

    /// Returns the information set of a view; a new one if it was not met before.
    fn set(
        &mut self,
        view: &G::View,
        role: Role,
        parent: u32,
        choices: &[(u32, G::Action)],
    ) -> Result<Set, Unsolved> {
        self.memory.clear();
        let key = match self.detail {
            Detail::Essential => {
                self.game.recall(view, &mut self.memory);
                hash(&self.memory)
            }
            Detail::Everything => hash(view),
        };
        let number = match self.numbers[role].entry(key) {
            Entry::Occupied(known) => {
                let set = self.sets[role][*known.get() as usize];
                if set.parent != parent || set.choices as usize != choices.len() {
                    let wrong =
                        "the game forgets what a seat has seen or done, so it has no information sets";
                    return Err(Unsolved::OutOfReach(wrong.to_owned()));
                }
                return Ok(set);
            }
            Entry::Vacant(new) => *new.insert(self.sets[role].len() as u32),
        };
        let count = choices.len() as u32;
        let set = Set { parent, first: self.sequences[role], choices: count };
        debug_assert_eq!(number as usize, self.sets[role].len());
        self.sets[role].push(set);
        self.sequences[role] =
            self.sequences[role].checked_add(count).ok_or_else(|| too_large("too many information sets"))?;
        self.situations[role].push(Situation {
            memory: self.memory.as_slice().into(),
            labels: choices.iter().map(|&(label, _)| label).collect(),
            path: self.path.as_slice().into(),
        });
        Ok(set)
    }
}

/// Returns the choices of a view by rising label, and for each the first action that has it.
pub fn choices<G: InformationSets>(
    game: &G,
    detail: Detail,
    view: &G::View,
    actions: impl Iterator<Item = G::Action>,
) -> Vec<(u32, G::Action)> {
    let mut choices: Vec<(u32, G::Action)> = match detail {
        Detail::Essential => actions.map(|action| (game.label(view, action), action)).collect(),
        Detail::Everything => (0..).zip(actions).collect(),
    };
    choices.sort_by_key(|&(label, _)| label);
    choices.dedup_by_key(|&mut (label, _)| label);
    choices
}

/// 128 bits, so that no two of a few million things meet by accident.
fn hash(thing: &(impl Hash + ?Sized)) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        thing.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}

fn too_large(how: &str) -> Unsolved {
    Unsolved::OutOfReach(format!(
        "the game is too large to be written out: {how}; give it more memory, or make it smaller"
    ))
}
