//! Whether one side can force a win from a position that is in no table: depth-first proof-number search down to the tables.
//!
//! A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*, 2002; J. Pawlewicz, Ł. Lew, *Improving
//! depth-first PN-search: 1 + ε trick*, 2006.
//!
//! A position that occurs again on the way counts as not won. So a proof never rests on a repetition and is sound as it stands.
//! A refutation may rest on one, and may then be remembered where the way was another (A. Kishimoto, M. Müller, *A general
//! solution to the graph history interaction problem*, 2004). It is *firm* if all that it rests on lies below it. One that is
//! not is used all the same, as it is nearly always right; so what the search says is checked in the end ([`super::fortress`]).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use parlor_core::{GameValue, Progress, ProgressUpdate, Reversible, Unsolved};

use super::table::Tables;
use crate::table::{Mixer, hash_of};

/// What a search needs to prove, or to refute; [`NEVER`] if that cannot be done.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    /// Leaves at least to be proven won for the side to move.
    pub(super) prove: u32,
    /// Leaves at least to be refuted.
    pub(super) refute: u32,
}

/// More leaves than there are.
pub(super) const NEVER: u32 = u32::MAX / 4;

impl Effort {
    pub(super) const PROVEN: Effort = Effort { prove: 0, refute: NEVER };
    pub(super) const REFUTED: Effort = Effort { prove: NEVER, refute: 0 };
    const UNKNOWN: Effort = Effort { prove: 1, refute: 1 };

    pub(super) fn is_settled(self) -> bool {
        self.prove == 0 || self.refute == 0
    }
}

/// What is known about a position on the way that leads to it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) effort: Effort,
    /// The first ply of the way that a refutation rests on; [`FIRM`] if it rests on none.
    rests_on: usize,
}

/// Rests on nothing that could change.
const FIRM: usize = usize::MAX;

impl Found {
    pub(super) const PROVEN: Found = Found { effort: Effort::PROVEN, rests_on: FIRM };
    const UNKNOWN: Found = Found { effort: Effort::UNKNOWN, rests_on: FIRM };
}

/// A position that was looked at.
#[derive(Copy, Clone, Debug, Default)]
struct Slot {
    hash: u64,
    prove: u32,
    refute: u32,
    /// How much was searched below it; 0 for an empty slot.
    work: u32,
    /// Whether a refutation holds however the position was reached.
    firm: bool,
}

/// Slots among which a position is kept.
const WAYS: usize = 4;

/// What the search remembers.
#[derive(Debug)]
pub(super) struct Memory {
    slots: Vec<[Slot; WAYS]>,
}

impl Memory {
    pub(super) fn new(mebibytes: usize) -> Memory {
        let lines = (mebibytes << 20) / size_of::<[Slot; WAYS]>();
        Memory { slots: vec![[Slot::default(); WAYS]; lines.max(1)] }
    }

    #[inline]
    fn line(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Found> {
        let slot = self.slots[self.line(hash)].iter().find(|slot| slot.work > 0 && slot.hash == hash)?;
        let rests_on = if slot.firm { FIRM } else { 0 };
        Some(Found { effort: Effort { prove: slot.prove, refute: slot.refute }, rests_on })
    }

    pub(super) fn put(&mut self, hash: u64, Found { effort, rests_on }: Found, work: u32) {
        let line = self.line(hash);
        let line = &mut self.slots[line];
        let at = match line.iter().position(|slot| slot.hash == hash) {
            Some(at) => at,
            None => (0..WAYS).min_by_key(|&at| line[at].work).expect("a line has slots"),
        };
        line[at] = Slot {
            hash,
            prove: effort.prove,
            refute: effort.refute,
            work: work.max(1),
            firm: rests_on == FIRM,
        };
    }

    /// Forgets every refutation that may rest on the way by which its position was reached.
    pub(super) fn keep_what_is_firm(&mut self) {
        for slot in self.slots.iter_mut().flatten().filter(|slot| slot.refute == 0 && !slot.firm) {
            *slot = Slot::default();
        }
    }
}

/// A position as the search meets it: whether the attacker is to move makes another question of it.
pub(super) type Asked<S> = (S, bool);

pub(super) fn hash_asked<S: std::hash::Hash>(asked: &Asked<S>) -> u64 {
    hash_of(asked)
}

/// Questions of one kind: can the attacker force a win?
pub(super) struct Proof<'a, G: Reversible> {
    pub(super) game: &'a G,
    pub(super) tables: &'a Tables<G::Class>,
    pub(super) memory: &'a mut Memory,
    pub(super) nodes: u64,
    /// How many nodes are allowed in all.
    pub(super) most_nodes: u64,
    /// The positions between the first and the one that is looked at, each with its ply.
    way: HashMap<Asked<G::Setup>, usize, BuildHasherDefault<Mixer>>,
}

/// Nodes between two looks at the stop flag.
const LOOK_EVERY: u64 = 4096;

impl<'a, G: Reversible> Proof<'a, G> {
    pub(super) fn new(
        game: &'a G,
        tables: &'a Tables<G::Class>,
        memory: &'a mut Memory,
        most_nodes: u64,
    ) -> Self {
        Proof { game, tables, memory, nodes: 0, most_nodes, way: HashMap::default() }
    }

    /// Returns whether the attacker wins, where the tables say so.
    #[inline]
    pub(super) fn looked_up(&self, &(setup, attacking): &Asked<G::Setup>) -> Option<Effort> {
        let wins = if attacking { GameValue::Won } else { GameValue::Lost };
        let known = self.tables.value(self.game, &setup)?;
        Some(if known == wins { Effort::PROVEN } else { Effort::REFUTED })
    }

    /// Returns what is known from the way, the tables, the memory, or a first guess.
    #[inline]
    fn found(&self, asked: &Asked<G::Setup>, hash: u64) -> Found {
        if let Some(&ply) = self.way.get(asked) {
            return Found { effort: Effort::REFUTED, rests_on: ply };
        }
        if let Some(effort) = self.looked_up(asked) {
            return Found { effort, rests_on: FIRM };
        }
        self.memory.get(hash).unwrap_or(Found::UNKNOWN)
    }

    /// Searches until it is settled whether the attacker wins. Returns whether he does.
    pub(super) fn settle(
        &mut self,
        asked: Asked<G::Setup>,
        progress: &mut Progress<'_>,
    ) -> Result<bool, Unsolved> {
        let hash = hash_asked(&asked);
        self.way.clear();
        loop {
            let Found { effort, .. } = self.found(&asked, hash);
            if effort.is_settled() {
                return Ok(effort.prove == 0);
            }
            self.deepen(asked, hash, Effort { prove: NEVER, refute: NEVER }, progress)?;
        }
    }

    /// Searches below a position until proving or refuting it takes at least as much as `limit` says.
    fn deepen(
        &mut self,
        asked: Asked<G::Setup>,
        hash: u64,
        limit: Effort,
        progress: &mut Progress<'_>,
    ) -> Result<(), Unsolved> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_EVERY) {
            progress.check()?;
            if self.nodes > self.most_nodes {
                return Err(Unsolved::OutOfReach(format!(
                    "no proof was found within {} nodes",
                    self.most_nodes
                )));
            }
            if self.nodes.is_multiple_of(256 * LOOK_EVERY) {
                (progress.report)(&ProgressUpdate {
                    doing: "searching for a proof".to_owned(),
                    done: None,
                    nodes: self.nodes,
                });
            }
        }
        let before = self.nodes;
        let (setup, attacking) = asked;
        // Plies count from 1: 0 is what came before, which nothing is known about.
        let ply = self.way.len() + 1;
        self.way.insert(asked, ply);
        let mut children: Vec<(Asked<G::Setup>, u64)> = Vec::new();
        self.game.onward(&setup, |next, _| {
            let child = (next, !attacking);
            let hash = hash_asked(&child);
            if !children.iter().any(|&(_, other)| other == hash) {
                children.push((child, hash));
            }
        });
        let found = loop {
            // From the attacker's side: one proof among the children is enough where he moves, all are needed elsewhere.
            // `least` is what must be done for one child, `every` what must be done for all. Different moves lead to the same
            // positions, so what all take is not the sum: the largest, and one for each of the others (T. Ueda and others, *Weak
            // proof-number search*, 2008). Sums would grow beyond all bounds.
            let (mut best, mut least, mut second) = (usize::MAX, NEVER, NEVER);
            let (mut most, mut open) = (0, 0_u32);
            let (mut on_best, mut on_any) = (0, FIRM);
            for (at, (child, hash)) in children.iter().enumerate() {
                let Found { effort: Effort { prove, refute }, rests_on } = self.found(child, *hash);
                let (one, all) = if attacking { (prove, refute) } else { (refute, prove) };
                most = most.max(all);
                open += u32::from(all > 0);
                on_any = on_any.min(rests_on);
                if one < least || best == usize::MAX || one == 0 && rests_on > on_best {
                    second = least;
                    (best, least, on_best) = (at, one, rests_on);
                } else if one < second {
                    second = one;
                }
            }
            let others = open.saturating_sub(1);
            let every = if least == 0 || most == NEVER { NEVER } else { (most + others).min(NEVER - 1) };
            let effort = if attacking {
                Effort { prove: least, refute: every }
            } else {
                Effort { prove: every, refute: least }
            };
            if effort.prove >= limit.prove || effort.refute >= limit.refute || effort.is_settled() {
                // What rests on this very position, or on something below it, rests on nothing that could change.
                let rests_on = if attacking { on_any } else { on_best };
                let rests_on = if effort.refute > 0 || rests_on >= ply { FIRM } else { rests_on };
                break Found { effort, rests_on };
            }
            let (one_limit, all_limit) =
                if attacking { (limit.prove, limit.refute) } else { (limit.refute, limit.prove) };
            // A little more than the second best: going back and forth between two costs more.
            let one = one_limit.min(second.saturating_add(second / 4).saturating_add(1));
            let all = all_limit.saturating_sub(others);
            let next = if attacking {
                Effort { prove: one, refute: all }
            } else {
                Effort { prove: all, refute: one }
            };
            let (child, hash) = children[best];
            self.deepen(child, hash, next, progress)?;
        };
        self.way.remove(&asked);
        let work = (self.nodes - before + 1).min(u64::from(u32::MAX)) as u32;
        self.memory.put(hash, found, work);
        Ok(())
    }
}
