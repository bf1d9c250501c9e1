//! Expands a game into its sequence form: visits every history once and keeps only information sets and payoffs.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use parlor_core::rules::deals::{Deal, NoDeals, deals};
use parlor_core::{InformationSets, Phase, Progress, ProgressUpdate, Seat, Unsolved};

use super::form::{Role, SequenceForm, Set, Terminal};

/// What distinguishes two information sets.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Strategic content only: mirror images and the two seats are identified.
    Essential,
    /// Everything a seat sees, for each seat: for agents that may treat mirror images differently.
    Everything,
}

/// The size limits of an expanded game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SizeLimits {
    /// Deals: states before the first decision.
    pub deals: usize,
    /// Ends of the game, before equal ones are merged.
    pub ends: usize,
}

impl SizeLimits {
    /// Returns limits that fit into `megabytes` MiB, by estimate.
    #[must_use]
    pub fn for_memory_mb(megabytes: usize) -> SizeLimits {
        // A deal is stored up to three times while deals are merged. An end takes 16 bytes while it is collected and 24
        // later; sets and their names come on top.
        SizeLimits { deals: (megabytes << 20) / 4096, ends: (megabytes << 20) / 64 }
    }
}

/// An information set in the terms of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Situation<A> {
    /// What the role remembers.
    pub memory: Box<[u8]>,
    /// The labels of the choices, ascending.
    pub labels: Box<[u32]>,
    /// The actions of one history that leads to it.
    pub path: Box<[A]>,
}

/// An expanded game.
pub struct ExpandedGame<A> {
    /// The sequence form.
    pub form: SequenceForm,
    /// The information sets of each role, in the order of the form.
    pub situations: [Vec<Situation<A>>; 2],
    /// The number of histories.
    pub histories: u64,
}

/// Histories between two checks for cancellation.
const CHECK_INTERVAL: u64 = 1 << 14;

struct Expansion<'a, 'p, G: InformationSets> {
    game: &'a G,
    detail: Detail,
    most: SizeLimits,
    progress: &'a mut Progress<'p>,
    numbers: [HashMap<u128, u32>; 2],
    sets: [Vec<Set>; 2],
    sequences: [u32; 2],
    situations: [Vec<Situation<G::Action>>; 2],
    ends: Vec<Terminal>,
    histories: u64,
    deals: (usize, usize),
    path: Vec<G::Action>,
    memory: Vec<u8>,
}

/// A node of the expansion.
#[derive(Copy, Clone)]
struct HistoryNode {
    odds: f64,
    at: [u32; 2],
    /// The seat that has role 0, once known.
    first: Option<Seat>,
}

/// Expands a game.
///
/// # Errors
/// If the game is too large or lacks perfect recall, or the expansion is cancelled.
pub fn expand<G: InformationSets>(
    game: &G,
    detail: Detail,
    most: SizeLimits,
    progress: &mut Progress<'_>,
) -> Result<ExpandedGame<G::Action>, Unsolved> {
    if game.seats() != 2 || game.range().sum != Some(0.0) {
        let wrong = "equilibria need two seats with a constant sum of payoffs";
        return Err(Unsolved::OutOfReach(wrong.to_owned()));
    }
    game.recalls().map_err(Unsolved::OutOfReach)?;
    let mut writer = Expansion {
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
    for Deal { state, odds, path } in deals {
        writer.path = path;
        writer.walk(&state, HistoryNode { odds, at: [0; 2], first: None })?;
        writer.deals.0 += 1;
    }
    let Expansion { sets, ends, situations, histories, .. } = writer;
    let (form, orders) = SequenceForm::new(sets, ends);
    let mut by_role = situations.into_iter();
    let situations = orders.map(|order| {
        let mut old: Vec<Option<Situation<G::Action>>> =
            by_role.next().expect("there are two roles").into_iter().map(Some).collect();
        order.iter().map(|&number| old[number as usize].take().expect("every set has one place")).collect()
    });
    Ok(ExpandedGame { form, situations, histories })
}

impl<G: InformationSets> Expansion<'_, '_, G> {
    /// Returns all states before the first decision.
    fn deals(&mut self) -> Result<Vec<Deal<G>>, Unsolved> {
        let most = self.most.deals;
        deals(self.game, most, || self.progress.check()).map_err(|error| match error {
            NoDeals::TooMany => too_large(&format!("more than {most} deals")),
            NoDeals::Stopped(error) => error,
        })
    }

    fn check_limits(&mut self) -> Result<(), Unsolved> {
        self.histories += 1;
        if !self.histories.is_multiple_of(CHECK_INTERVAL) {
            return Ok(());
        }
        self.progress.check()?;
        if self.ends.len() > self.most.ends {
            return Err(too_large(&format!("more than {} ends", self.most.ends)));
        }
        (self.progress.report)(&ProgressUpdate {
            doing: "expanding the game".to_owned(),
            done: Some(self.deals.0 as f64 / self.deals.1 as f64),
            nodes: self.histories,
        });
        Ok(())
    }

    fn step(&mut self, state: &G::State, action: G::Action, node: HistoryNode) -> Result<(), Unsolved> {
        let mut next = state.clone();
        self.game.apply(&mut next, action);
        self.path.push(action);
        self.walk(&next, node)?;
        self.path.pop();
        Ok(())
    }

    fn walk(&mut self, state: &G::State, node: HistoryNode) -> Result<(), Unsolved> {
        self.check_limits()?;
        match self.game.phase(state) {
            Phase::Over => {
                let payoff = self.game.payoffs(state).of(node.first.unwrap_or(Seat::FIRST));
                self.ends.push(Terminal { at: node.at, worth: payoff * node.odds });
                Ok(())
            }
            Phase::Chance => {
                for (outcome, weight) in self.game.chances(state) {
                    self.step(state, outcome, HistoryNode { odds: node.odds * weight, ..node })?;
                }
                Ok(())
            }
            Phase::Decide(seat) => self.decide(state, seat, node),
        }
    }

    fn decide(&mut self, state: &G::State, seat: Seat, node: HistoryNode) -> Result<(), Unsolved> {
        let first = node.first.unwrap_or(seat);
        let role = usize::from(seat != first);
        let node = HistoryNode { first: Some(first), ..node };
        let view = self.game.view(state, seat);
        let choices = choices(self.game, self.detail, &view, self.game.actions(state));
        if let [(_, only)] = choices[..] {
            return self.step(state, only, node);
        }
        let set = self.set(&view, role, node.at[role], &choices)?;
        for ((_, action), sequence) in choices.into_iter().zip(set.first..) {
            let mut at = node.at;
            at[role] = sequence;
            self.step(state, action, HistoryNode { at, ..node })?;
        }
        Ok(())
    }

    /// Returns the information set of a view, adding it if it is new.
    fn set(
        &mut self,
        view: &G::View,
        role: Role,
        parent: u32,
        choices: &[(u32, G::Action)],
    ) -> Result<Set, Unsolved> {
        self.memory.clear();
        remember(self.game, self.detail, view, &mut self.memory);
        let key = match self.detail {
            Detail::Essential => hash(&self.memory),
            Detail::Everything => hash(view),
        };
        let number = match self.numbers[role].entry(key) {
            Entry::Occupied(known) => {
                let set = self.sets[role][*known.get() as usize];
                if set.parent != parent || set.choices as usize != choices.len() {
                    let wrong = "the game lacks perfect recall: a seat forgets what it has seen or done";
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

/// Appends what tells the information set of a view from others.
pub fn remember<G: InformationSets>(game: &G, detail: Detail, view: &G::View, memory: &mut Vec<u8>) {
    match detail {
        Detail::Essential => game.recall(view, memory),
        Detail::Everything => game.recall_everything(view, memory),
    }
}

/// Returns the choices of a view by ascending label, and the first action with each label.
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

/// Returns a hash of 128 bits, so that collisions among a few million values are negligible.
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
        "the game is too large to solve: {how}; allow more memory, or choose a smaller game"
    ))
}
