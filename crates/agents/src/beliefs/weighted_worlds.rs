//! What is believed: how likely each world is, and how likely each type of opponent is in it.

use std::collections::HashMap;
use std::hash::Hash;

use parlor_core::{Beliefs, HiddenThings, Rng};

/// Worlds with their probabilities, jointly with the types that the other seat may be of. All of them add up to 1.
///
/// A type is a way to play. Where there is one type, the joint probabilities are those of the worlds.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightedWorlds<S> {
    /// Each world and how likely it is, summed over the types.
    worlds: Vec<(S, f64)>,
    /// How likely each type is together with each world: a row a world, a column a type.
    joint: Vec<f64>,
    /// How likely chance made each world; what the other seat chose is not part of it.
    chance: Vec<f64>,
    /// How many types there are, at least one.
    types: usize,
    /// Whether these are all worlds that there are.
    is_complete: bool,
    /// Whether what the other seat chose is part of the probabilities.
    is_weighed: bool,
}

impl<S> WeightedWorlds<S> {
    /// Takes worlds with the odds that chance gave them; what was seen says nothing about the type, whose probabilities are
    /// `priors`.
    pub(super) fn by_chance(worlds: Vec<(S, f64)>, is_complete: bool, priors: &[f64]) -> Self {
        let joint =
            worlds.iter().flat_map(|(_, odds)| priors.iter().map(move |prior| odds * prior)).collect();
        let chance = worlds.iter().map(|(_, odds)| *odds).collect();
        WeightedWorlds { worlds, joint, chance, types: priors.len(), is_complete, is_weighed: false }
    }

    /// Takes worlds of equal odds.
    pub(super) fn equal(worlds: Vec<S>, is_complete: bool, priors: &[f64]) -> Self {
        let worlds = worlds.into_iter().map(|world| (world, 1.0)).collect();
        let mut equal = WeightedWorlds::by_chance(worlds, is_complete, priors);
        equal.normalise();
        equal.chance.fill(1.0 / equal.worlds.len() as f64);
        equal
    }

    /// Multiplies the probabilities by how likely each type in each world was to choose as the other seat did: `likelihoods` has
    /// a row a world.
    pub(super) fn weigh(&mut self, likelihoods: impl IntoIterator<Item = f64>) {
        self.joint.iter_mut().zip(likelihoods).for_each(|(both, likelihood)| *both *= likelihood);
        self.is_weighed = true;
        self.normalise();
    }

    /// Makes one world of all that have the same identity, in the place of the first of them.
    pub(super) fn merged<K: Eq + Hash>(mut self, identity: impl Fn(&S) -> K) -> Self {
        let mut places: HashMap<K, usize> = HashMap::with_capacity(self.worlds.len());
        let types = self.types;
        let mut kept = 0;
        for at in 0..self.worlds.len() {
            let place = *places.entry(identity(&self.worlds[at].0)).or_insert(kept);
            if place == kept {
                self.worlds.swap(kept, at);
                self.joint.copy_within(at * types..(at + 1) * types, kept * types);
                self.chance[kept] = self.chance[at];
                kept += 1;
            } else {
                self.worlds[place].1 += self.worlds[at].1;
                self.chance[place] += self.chance[at];
                for kind in 0..types {
                    self.joint[place * types + kind] += self.joint[at * types + kind];
                }
            }
        }
        self.worlds.truncate(kept);
        self.chance.truncate(kept);
        self.joint.truncate(kept * types);
        self
    }

    /// Gives the types these probabilities, which add up to 1. Of a world only the part is kept that says something about the type:
    /// with `inferred`, how likely each world is if the other seat is of a type; otherwise the worlds have the odds of chance, and say
    /// nothing about the type.
    pub fn with_types(mut self, probabilities: &[f64], inferred: bool) -> Self {
        let types = probabilities.len();
        if inferred && types == self.types {
            let sums = self.types();
            for (row, chance) in self.joint.chunks_exact_mut(types).zip(&self.chance) {
                for ((both, sum), probability) in row.iter_mut().zip(&sums).zip(probabilities) {
                    // A type that was ruled out says nothing about worlds.
                    *both = probability * if *sum > 0.0 { *both / sum } else { *chance };
                }
            }
        } else {
            let rows = self.chance.iter();
            self.joint = rows.flat_map(|chance| probabilities.iter().map(move |one| chance * one)).collect();
            (self.types, self.is_weighed) = (types, false);
        }
        for ((_, weight), row) in self.worlds.iter_mut().zip(self.joint.chunks_exact(types)) {
            *weight = row.iter().sum();
        }
        self
    }

    /// Replaces every world by what `next` makes of it: worlds with factors for each type. Worlds that lead nowhere vanish; `None`
    /// if all do.
    pub(super) fn stepped(self, mut next: impl FnMut(&S, &mut dyn FnMut(S, f64, &[f64]))) -> Option<Self> {
        let WeightedWorlds { worlds, joint, chance, types, is_complete, is_weighed } = self;
        let mut after = WeightedWorlds {
            worlds: Vec::with_capacity(worlds.len()),
            joint: Vec::with_capacity(joint.len()),
            chance: Vec::with_capacity(chance.len()),
            types,
            is_complete,
            is_weighed,
        };
        for (((world, _), row), chance) in worlds.iter().zip(joint.chunks_exact(types)).zip(chance) {
            next(world, &mut |state, odds, likelihoods| {
                after.worlds.push((state, 0.0));
                after.chance.push(chance * odds);
                after.joint.extend(
                    row.iter()
                        .enumerate()
                        .map(|(kind, both)| both * odds * likelihoods.get(kind).copied().unwrap_or(1.0)),
                );
            });
        }
        if after.joint.iter().sum::<f64>() <= 0.0 {
            return None;
        }
        let total: f64 = after.chance.iter().sum();
        after.chance.iter_mut().for_each(|odds| *odds /= total);
        after.normalise();
        Some(after)
    }

    /// Returns the worlds that can be the truth; all of them if none can.
    pub(crate) fn retained(self, mut is_possible: impl FnMut(&S) -> bool) -> Self
    where
        S: Clone,
    {
        if self.worlds.iter().all(|(world, _)| is_possible(world)) {
            return self;
        }
        let retained = self.clone().stepped(|world, found| {
            if is_possible(world) {
                found(world.clone(), 1.0, &[]);
            }
        });
        retained.unwrap_or(self)
    }

    /// Lets the probabilities add up to 1.
    fn normalise(&mut self) {
        let total: f64 = self.joint.iter().sum();
        self.joint.iter_mut().for_each(|both| *both /= total);
        for ((_, weight), row) in self.worlds.iter_mut().zip(self.joint.chunks_exact(self.types)) {
            *weight = row.iter().sum();
        }
    }

    /// Returns each world and how likely it is, summed over the types.
    #[must_use]
    pub fn worlds(&self) -> &[(S, f64)] {
        &self.worlds
    }

    /// Returns each world and how likely it is, summed over the types.
    #[must_use]
    pub fn into_worlds(self) -> Vec<(S, f64)> {
        self.worlds
    }

    /// Returns how likely each type is, summed over the worlds.
    #[must_use]
    pub fn types(&self) -> Vec<f64> {
        (0..self.types).map(|kind| self.joint[kind..].iter().step_by(self.types).sum()).collect()
    }

    /// Returns how likely each type is together with the world of this number; these add up to the world's probability.
    #[must_use]
    pub fn types_with(&self, world: usize) -> &[f64] {
        &self.joint[world * self.types..][..self.types]
    }

    /// Returns whether these are all worlds that there are.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns whether what the other seat chose is part of the probabilities.
    #[must_use]
    pub fn is_weighed(&self) -> bool {
        self.is_weighed
    }

    /// Returns how the worlds came about, for people.
    #[must_use]
    pub fn basis(&self) -> String {
        let count = self.worlds.len();
        match (self.is_complete, count) {
            (true, 1) => "the only world".to_owned(),
            (true, _) => format!("all {count} worlds"),
            (false, _) => format!("{count} sampled worlds"),
        }
    }

    /// Returns at most `count` of the worlds, drawn by their probabilities.
    #[must_use]
    pub fn at_most(self, count: usize, rng: &mut Rng) -> Self {
        if self.worlds.len() <= count { self } else { self.thinned(count, rng) }
    }

    /// Returns `count` worlds, drawn by their probabilities at equal distances from a random start; those that are drawn more
    /// than once weigh more.
    pub(super) fn thinned(self, count: usize, rng: &mut Rng) -> Self {
        let WeightedWorlds { worlds, joint, chance, types, is_weighed, .. } = self;
        let step = 1.0 / count as f64;
        let mut next = step * rng.unit();
        let mut sum = 0.0;
        let mut kept = Vec::with_capacity(count);
        let mut kept_joint = Vec::with_capacity(count * types);
        let mut kept_chance = Vec::with_capacity(count);
        for (((world, weight), row), odds) in worlds.into_iter().zip(joint.chunks_exact(types)).zip(chance) {
            sum += weight;
            let mut times = 0.0;
            while next < sum {
                times += 1.0;
                next += step;
            }
            if times > 0.0 {
                kept.push((world, times));
                // Worlds are drawn by all that is known of them; what choices add to their odds is taken off again.
                kept_chance.push(times * odds / weight);
                // What a world tells about the type does not change.
                kept_joint.extend(row.iter().map(|both| times * (both / weight)));
            }
        }
        let total: f64 = kept_chance.iter().sum();
        kept_chance.iter_mut().for_each(|odds| *odds /= total);
        let (joint, chance) = (kept_joint, kept_chance);
        let mut thinned =
            WeightedWorlds { worlds: kept, joint, chance, types, is_complete: false, is_weighed };
        thinned.normalise();
        thinned
    }

    /// Returns for every hidden thing the probability of each place.
    #[must_use]
    pub fn odds<G: HiddenThings<State = S>>(&self, game: &G, view: &G::View) -> Beliefs {
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
            types: Vec::new(),
            sample_size: (!self.is_complete).then(|| self.sample_size()),
        }
    }

    /// Returns how many equally likely worlds tell as much as these (Kish's effective sample size).
    fn sample_size(&self) -> f64 {
        let squares: f64 = self.worlds.iter().map(|(_, weight)| weight * weight).sum();
        1.0 / squares
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn thinning_keeps_the_weights() {
        let mut rng = Rng::new(1);
        let worlds = vec![('a', 0.5), ('b', 0.0), ('c', 0.3), ('d', 0.2)];
        let weighted = WeightedWorlds::by_chance(worlds, true, &[1.0]);
        let mut sums = HashMap::new();
        for _ in 0..2_000 {
            let kept = weighted.clone().at_most(3, &mut rng);
            assert!(!kept.is_complete());
            let kept = kept.into_worlds();
            assert!((kept.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-9);
            kept.iter().for_each(|(name, weight)| *sums.entry(*name).or_insert(0.0) += weight / 2_000.0);
        }
        assert!(!sums.contains_key(&'b'));
        for (name, weight) in [('a', 0.5), ('c', 0.3), ('d', 0.2)] {
            assert!((sums[&name] - weight).abs() < 0.02, "{name}: {}", sums[&name]);
        }
    }

    #[test]
    fn unequal_worlds_tell_less() {
        let worlds = |weights: &[f64]| {
            let worlds = weights.iter().map(|&weight| ('a', weight)).collect();
            WeightedWorlds::by_chance(worlds, false, &[1.0]).sample_size()
        };
        assert!((worlds(&[0.25; 4]) - 4.0).abs() < 1e-12);
        assert!((worlds(&[0.5, 0.5, 0.0, 0.0]) - 2.0).abs() < 1e-12);
        assert!((worlds(&[0.7, 0.1, 0.1, 0.1]) - 1.923).abs() < 1e-3);
    }

    /// Two worlds, two types: what each marginal must be can be counted by hand.
    #[test]
    fn types_and_worlds_are_weighed_together() {
        let mut weighted = WeightedWorlds::by_chance(vec![('a', 0.5), ('b', 0.5)], true, &[0.8, 0.2]);
        assert_eq!(weighted.types(), [0.8, 0.2]);
        // The first type would have done so in world a only, the second in both.
        weighted.weigh([1.0, 1.0, 0.0, 1.0]);
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{weighted:?}");
        close(weighted.worlds()[0].1, 5.0 / 6.0);
        close(weighted.worlds()[1].1, 1.0 / 6.0);
        close(weighted.types()[0], 4.0 / 6.0);
        close(weighted.types()[1], 2.0 / 6.0);
        assert_eq!(weighted.types_with(1)[0], 0.0);
        close(weighted.types_with(1)[1], 1.0 / 6.0);
        assert!(weighted.is_weighed());
        // Thinning to a world keeps what is known of the type in it.
        let one = weighted.clone().at_most(1, &mut Rng::new(0));
        let (kept, _) = one.worlds()[0];
        close(one.worlds()[0].1, 1.0);
        close(one.types()[0], if kept == 'a' { 0.8 } else { 0.0 });
    }
}
