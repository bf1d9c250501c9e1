//! Depth-first proof-number search: can one side force a win from a position that is in no table?
//!
//! A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*, 2002; J. Pawlewicz, Ł. Lew, *Improving
//! depth-first PN-search: 1 + ε trick*, 2006.
//!
//! A position that repeats on the path counts as not won. Hence a proof never rests on a repetition and is sound. A
//! refutation may rest on one, and is then stored although it verify_refutation only for the path that led there (A. Kishimoto, M.
//! Müller, *A general solution to the graph history interaction problem*, 2004). It is *path-independent* if everything
//! it rests on lies below it. Other refutations are used as well, because they are nearly always right; so the final
//! result is verified ([`super::fortress`]).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use parlor_core::{GameValue, Progress, ProgressUpdate, Reversible, Unsolved};

use super::table::Tables;
use crate::table::{Mixer, hash_of};

/// The proof and disproof numbers of a position; [`INFINITE`] if impossible.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    /// The minimum number of leaves that must be proven for a win of the attacker.
    pub(super) proof: u32,
    /// The minimum number of leaves that must be refuted.
    pub(super) disproof: u32,
}

/// Infinity: above every number of leaves.
pub(super) const INFINITE: u32 = u32::MAX / 4;

impl ProofNumbers {
    pub(super) const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
    pub(super) const REFUTED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };
    const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };

    pub(super) fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The result of a position, given the path that leads to it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ProofResult {
    pub(super) numbers: ProofNumbers,
    /// The first ply of the path that a refutation depends on; [`PATH_INDEPENDENT`] if none.
    depends_on: usize,
}

/// Depends on no position of the path.
const PATH_INDEPENDENT: usize = usize::MAX;

impl ProofResult {
    pub(super) const PROVEN: ProofResult =
        ProofResult { numbers: ProofNumbers::PROVEN, depends_on: PATH_INDEPENDENT };
    const UNKNOWN: ProofResult = ProofResult { numbers: ProofNumbers::UNKNOWN, depends_on: PATH_INDEPENDENT };
}

/// An entry of the table.
#[derive(Copy, Clone, Debug, Default)]
struct Slot {
    hash: u64,
    proof: u32,
    disproof: u32,
    /// The size of the search below; 0 for an empty slot.
    work: u32,
    /// Whether the result verify_refutation for every path to the position.
    path_independent: bool,
}

/// Slots per line. A position can be in any slot of its line.
const WAYS: usize = 4;

/// The transposition table of the proof search.
#[derive(Debug)]
pub(super) struct ProofTable {
    slots: Vec<[Slot; WAYS]>,
}

impl ProofTable {
    pub(super) fn new(mebibytes: usize) -> ProofTable {
        let lines = (mebibytes << 20) / size_of::<[Slot; WAYS]>();
        ProofTable { slots: vec![[Slot::default(); WAYS]; lines.max(1)] }
    }

    #[inline]
    fn line(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<ProofResult> {
        let slot = self.slots[self.line(hash)].iter().find(|slot| slot.work > 0 && slot.hash == hash)?;
        let depends_on = if slot.path_independent { PATH_INDEPENDENT } else { 0 };
        Some(ProofResult { numbers: ProofNumbers { proof: slot.proof, disproof: slot.disproof }, depends_on })
    }

    pub(super) fn put(&mut self, hash: u64, ProofResult { numbers, depends_on }: ProofResult, work: u32) {
        let line = self.line(hash);
        let line = &mut self.slots[line];
        let at = match line.iter().position(|slot| slot.hash == hash) {
            Some(at) => at,
            None => (0..WAYS).min_by_key(|&at| line[at].work).expect("a line has slots"),
        };
        line[at] = Slot {
            hash,
            proof: numbers.proof,
            disproof: numbers.disproof,
            work: work.max(1),
            path_independent: depends_on == PATH_INDEPENDENT,
        };
    }

    /// Removes every refutation that may depend on the path to its position.
    pub(super) fn drop_path_dependent(&mut self) {
        for slot in
            self.slots.iter_mut().flatten().filter(|slot| slot.disproof == 0 && !slot.path_independent)
        {
            *slot = Slot::default();
        }
    }
}

/// A setup, and whether the attacker is to move in it.
pub(super) type ProofPosition<S> = (S, bool);

pub(super) fn hash_position<S: std::hash::Hash>(position: &ProofPosition<S>) -> u64 {
    hash_of(position)
}

/// A search for a forced win of the attacker.
pub(super) struct ProofSearch<'a, G: Reversible> {
    pub(super) game: &'a G,
    pub(super) tables: &'a Tables<G::Class>,
    pub(super) table: &'a mut ProofTable,
    pub(super) nodes: u64,
    /// The node limit.
    pub(super) most_nodes: u64,
    /// The positions from the root to the present one, with their plies.
    path: HashMap<ProofPosition<G::Setup>, usize, BuildHasherDefault<Mixer>>,
}

/// Nodes between two checks for cancellation.
const CHECK_INTERVAL: u64 = 4096;

impl<'a, G: Reversible> ProofSearch<'a, G> {
    pub(super) fn new(
        game: &'a G,
        tables: &'a Tables<G::Class>,
        table: &'a mut ProofTable,
        most_nodes: u64,
    ) -> Self {
        ProofSearch { game, tables, table, nodes: 0, most_nodes, path: HashMap::default() }
    }

    /// Returns the proof numbers of a position that is in the tables.
    #[inline]
    pub(super) fn probe_tables(&self, &(setup, attacking): &ProofPosition<G::Setup>) -> Option<ProofNumbers> {
        let wins = if attacking { GameValue::Won } else { GameValue::Lost };
        let known = self.tables.value(self.game, &setup)?;
        Some(if known == wins { ProofNumbers::PROVEN } else { ProofNumbers::REFUTED })
    }

    /// Returns the result from the path, the tables, the transposition table, or the initial numbers.
    #[inline]
    fn found(&self, position: &ProofPosition<G::Setup>, hash: u64) -> ProofResult {
        if let Some(&ply) = self.path.get(position) {
            return ProofResult { numbers: ProofNumbers::REFUTED, depends_on: ply };
        }
        if let Some(numbers) = self.probe_tables(position) {
            return ProofResult { numbers, depends_on: PATH_INDEPENDENT };
        }
        self.table.get(hash).unwrap_or(ProofResult::UNKNOWN)
    }

    /// Searches until the position is proven or refuted. Returns whether the attacker wins.
    pub(super) fn solve_position(
        &mut self,
        position: ProofPosition<G::Setup>,
        progress: &mut Progress<'_>,
    ) -> Result<bool, Unsolved> {
        let hash = hash_position(&position);
        self.path.clear();
        loop {
            let ProofResult { numbers, .. } = self.found(&position, hash);
            if numbers.is_solved() {
                return Ok(numbers.proof == 0);
            }
            self.deepen(position, hash, ProofNumbers { proof: INFINITE, disproof: INFINITE }, progress)?;
        }
    }

    /// Searches below a position until its proof or disproof number reaches `limit`.
    fn deepen(
        &mut self,
        position: ProofPosition<G::Setup>,
        hash: u64,
        limit: ProofNumbers,
        progress: &mut Progress<'_>,
    ) -> Result<(), Unsolved> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            progress.check()?;
            if self.nodes > self.most_nodes {
                return Err(Unsolved::OutOfReach(format!(
                    "no proof was found within {} nodes",
                    self.most_nodes
                )));
            }
            if self.nodes.is_multiple_of(256 * CHECK_INTERVAL) {
                (progress.report)(&ProgressUpdate {
                    doing: "searching for a proof".to_owned(),
                    done: None,
                    nodes: self.nodes,
                });
            }
        }
        let before = self.nodes;
        let (setup, attacking) = position;
        // Plies count from 1; 0 stands for positions before the root, of which nothing is known.
        let ply = self.path.len() + 1;
        self.path.insert(position, ply);
        let mut children: Vec<(ProofPosition<G::Setup>, u64)> = Vec::new();
        self.game.onward(&setup, |next, _| {
            let child = (next, !attacking);
            let hash = hash_position(&child);
            if !children.iter().any(|&(_, other)| other == hash) {
                children.push((child, hash));
            }
        });
        let found = loop {
            // From the attacker's point of view: if he is to move, one proven child suffices, else all are reachable_classes.
            // `least` is the numbers for one child, `every` for all. Different moves lead to the same positions, so the
            // numbers for all is not the sum but the largest plus one for each of the others (T. Ueda and others, *Weak
            // proof-number search*, 2008). Sums would grow without bound.
            let (mut best, mut least, mut second) = (usize::MAX, INFINITE, INFINITE);
            let (mut most, mut open) = (0, 0_u32);
            let (mut on_best, mut on_any) = (0, PATH_INDEPENDENT);
            for (at, (child, hash)) in children.iter().enumerate() {
                let ProofResult { numbers: ProofNumbers { proof, disproof }, depends_on } =
                    self.found(child, *hash);
                let (one, all) = if attacking { (proof, disproof) } else { (disproof, proof) };
                most = most.max(all);
                open += u32::from(all > 0);
                on_any = on_any.min(depends_on);
                if one < least || best == usize::MAX || one == 0 && depends_on > on_best {
                    second = least;
                    (best, least, on_best) = (at, one, depends_on);
                } else if one < second {
                    second = one;
                }
            }
            let others = open.saturating_sub(1);
            let every =
                if least == 0 || most == INFINITE { INFINITE } else { (most + others).min(INFINITE - 1) };
            let numbers = if attacking {
                ProofNumbers { proof: least, disproof: every }
            } else {
                ProofNumbers { proof: every, disproof: least }
            };
            if numbers.proof >= limit.proof || numbers.disproof >= limit.disproof || numbers.is_solved() {
                // A dependence on this position or one below it is no dependence on the path above.
                let depends_on = if attacking { on_any } else { on_best };
                let depends_on =
                    if numbers.disproof > 0 || depends_on >= ply { PATH_INDEPENDENT } else { depends_on };
                break ProofResult { numbers, depends_on };
            }
            let (one_limit, all_limit) =
                if attacking { (limit.proof, limit.disproof) } else { (limit.disproof, limit.proof) };
            // Slightly above the second best (1 + ε): switching back and forth between two children costs more.
            let one = one_limit.min(second.saturating_add(second / 4).saturating_add(1));
            let all = all_limit.saturating_sub(others);
            let next = if attacking {
                ProofNumbers { proof: one, disproof: all }
            } else {
                ProofNumbers { proof: all, disproof: one }
            };
            let (child, hash) = children[best];
            self.deepen(child, hash, next, progress)?;
        };
        self.path.remove(&position);
        let work = (self.nodes - before + 1).min(u64::from(u32::MAX)) as u32;
        self.table.put(hash, found, work);
        Ok(())
    }
}
