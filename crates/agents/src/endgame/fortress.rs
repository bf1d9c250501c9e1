//! Verifies a refutation by a fortress: a set of positions that the defender never has to leave for a loss.
//!
//! In every position of the set, if the attacker is to move, all his moves stay in the set or reach a table that says he
//! does not win; if the defender is to move, one of her moves does. The attacker cannot win by moving within such a set,
//! repetitions or not, so it proves what the search only made likely.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use parlor_core::{Progress, Reversible, Unsolved};

use super::proof::{ProofPosition, ProofResult, ProofSearch, hash_position};
use crate::table::Mixer;

/// Returns whether the attacker wins, verified.
pub(super) fn solve_verified<G: Reversible>(
    proof: &mut ProofSearch<'_, G>,
    position: ProofPosition<G::Setup>,
    progress: &mut Progress<'_>,
) -> Result<bool, Unsolved> {
    let mut before = None;
    loop {
        progress.check()?;
        if before.replace(proof.nodes) == Some(proof.nodes) {
            return Err(Unsolved::OutOfReach("found no refutation that could be verified".to_owned()));
        }
        if proof.solve_position(position, progress)? {
            return Ok(true);
        }
        if verify_refutation(proof, position, progress)? {
            return Ok(false);
        }
        // A refutation rested on a repetition that is not one here. Proofs found meanwhile are kept, so this terminates.
        proof.table.drop_path_dependent();
    }
}

/// Returns whether a fortress can be built around a position that the search has refuted.
fn verify_refutation<G: Reversible>(
    proof: &mut ProofSearch<'_, G>,
    position: ProofPosition<G::Setup>,
    progress: &mut Progress<'_>,
) -> Result<bool, Unsolved> {
    let mut fortress: HashSet<ProofPosition<G::Setup>, BuildHasherDefault<Mixer>> = HashSet::default();
    let mut open = vec![position];
    let mut children: Vec<ProofPosition<G::Setup>> = Vec::new();
    while let Some(position) = open.pop() {
        if let Some(known) = proof.probe_tables(&position) {
            if known.proof == 0 {
                return Ok(false);
            }
            continue;
        }
        if !fortress.insert(position) {
            continue;
        }
        let (setup, attacking) = position;
        children.clear();
        proof.game.onward(&setup, |next, _| children.push((next, !attacking)));
        if attacking {
            open.append(&mut children);
            continue;
        }
        let refuted = |proof: &ProofSearch<'_, G>, child: &ProofPosition<G::Setup>| {
            let remembered = || proof.table.get(hash_position(child)).map(|found| found.numbers);
            let known = proof.probe_tables(child).or_else(remembered);
            fortress.contains(child) || known.is_some_and(|known| known.disproof == 0)
        };
        let mut held = children.iter().copied().find(|child| refuted(proof, child));
        // The entry may have been replaced in the table.
        for &child in &children {
            if held.is_some() {
                break;
            }
            held = (!proof.solve_position(child, progress)?).then_some(child);
        }
        match held {
            Some(child) => open.push(child),
            None => {
                // Every defence was just proven to lose.
                proof.table.put(hash_position(&position), ProofResult::PROVEN, u32::MAX);
                return Ok(false);
            }
        }
    }
    Ok(true)
}
