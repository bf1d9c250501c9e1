//! Checking a refutation: a set of positions that the defender never has to leave for a loss.
//!
//! In every position of the set in which the attacker is to move, each of his moves stays in it or ends in a table that says he
//! does not win; where the defender is to move, one of hers does. Nobody wins by walking about in such a set, whatever is
//! repeated, so it proves what the search only made likely.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use parlor_core::{Progress, Reversible, Unsolved};

use super::proof::{Asked, Found, Proof, hash_asked};
use crate::table::Mixer;

/// Returns whether the attacker wins, beyond doubt.
pub(super) fn certain<G: Reversible>(
    proof: &mut Proof<'_, G>,
    asked: Asked<G::Setup>,
    progress: &mut Progress<'_>,
) -> Result<bool, Unsolved> {
    let mut before = None;
    loop {
        progress.check()?;
        if before.replace(proof.nodes) == Some(proof.nodes) {
            return Err(Unsolved::OutOfReach("no proof was found that stands".to_owned()));
        }
        if proof.settle(asked, progress)? {
            return Ok(true);
        }
        if holds(proof, asked, progress)? {
            return Ok(false);
        }
        // Some refutation rested on a repetition that did not stand. What was proven meanwhile stays, so this ends.
        proof.memory.keep_what_is_firm();
    }
}

/// Returns whether a set as above can be built around a position that the search has refuted.
fn holds<G: Reversible>(
    proof: &mut Proof<'_, G>,
    asked: Asked<G::Setup>,
    progress: &mut Progress<'_>,
) -> Result<bool, Unsolved> {
    let mut fortress: HashSet<Asked<G::Setup>, BuildHasherDefault<Mixer>> = HashSet::default();
    let mut open = vec![asked];
    let mut children: Vec<Asked<G::Setup>> = Vec::new();
    while let Some(asked) = open.pop() {
        if let Some(known) = proof.looked_up(&asked) {
            if known.prove == 0 {
                return Ok(false);
            }
            continue;
        }
        if !fortress.insert(asked) {
            continue;
        }
        let (setup, attacking) = asked;
        children.clear();
        proof.game.onward(&setup, |next, _| children.push((next, !attacking)));
        if attacking {
            open.append(&mut children);
            continue;
        }
        let refuted = |proof: &Proof<'_, G>, child: &Asked<G::Setup>| {
            let remembered = || proof.memory.get(hash_asked(child)).map(|found| found.effort);
            let known = proof.looked_up(child).or_else(remembered);
            fortress.contains(child) || known.is_some_and(|known| known.refute == 0)
        };
        let mut held = children.iter().copied().find(|child| refuted(proof, child));
        // The memory may have lost what it knew.
        for &child in &children {
            if held.is_some() {
                break;
            }
            held = (!proof.settle(child, progress)?).then_some(child);
        }
        match held {
            Some(child) => open.push(child),
            None => {
                // Every move of hers has just been proven to lose.
                proof.memory.put(hash_asked(&asked), Found::PROVEN, u32::MAX);
                return Ok(false);
            }
        }
    }
    Ok(true)
}
