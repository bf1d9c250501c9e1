//! Recognising by features of play: a classifier that was fitted to turns of known players.

use parlor_core::{Features, Seat, Sight};

use super::{Memory, Recogniser, Seen};
use crate::classifier::StyleClassifier;

/// Asks a classifier about the last turn of the other seat. Its features count the match so far, or the stage so far if memory ends
/// with it.
///
/// The classifier's probabilities rest on the shares of the classes in its training; they are taken off, and the prior counts instead.
pub struct Classified<G: Features> {
    classifier: StyleClassifier,
    /// The class of each type; `None` for a type that is not one of the classes.
    classes: Vec<Option<usize>>,
    /// The share of each class in the training.
    shares: Vec<f64>,
    /// How long the counts run on.
    memory: Memory,
    /// What was counted in the match or stage so far.
    tracker: Option<G::Tracker>,
    features: Vec<f64>,
    probabilities: Vec<f64>,
}

impl<G: Features> Classified<G> {
    /// Takes a classifier and the class of each type; `None` for a type that is not one of the classes: features say nothing about it.
    #[must_use]
    pub fn new(classifier: StyleClassifier, classes: Vec<Option<usize>>, memory: Memory) -> Self {
        let shares = classifier.priors();
        let (features, probabilities) = (vec![0.0; G::FEATURES.len()], vec![0.0; shares.len()]);
        Classified { classifier, classes, shares, memory, tracker: None, features, probabilities }
    }

    /// Returns whether a turn of `seat` was seen, and asks the classifier about the last one.
    fn classify(&mut self, game: &G, seat: Seat) -> bool {
        let Some(tracker) = self.tracker.as_ref().filter(|tracker| game.turns(tracker, seat) > 0) else {
            return false;
        };
        game.features(tracker, seat, &mut self.features);
        self.classifier.probabilities(&self.features, &mut self.probabilities);
        true
    }
}

impl<G: Features> Recogniser<G> for Classified<G> {
    fn weighs_choices(&self) -> bool {
        false
    }

    fn runs_on(&self) -> bool {
        true
    }

    fn begin(&mut self, game: &G) {
        self.tracker = Some(game.tracker());
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        // Forgotten when the next stage is prepared, not at the own next decision: the other seat may move before it.
        if self.memory == Memory::Stage && game.prepares_stage(sight) {
            self.tracker = Some(game.tracker());
        }
        if let Some(tracker) = &mut self.tracker {
            game.observe(tracker, sight);
        }
    }

    fn recognise(&mut self, seen: &Seen<'_, G>, prior: &[f64], types: &mut Vec<f64>) {
        types.clear();
        types.extend_from_slice(prior);
        if !self.classify(seen.game, seen.seat.other()) {
            return;
        }
        for (kind, class) in types.iter_mut().zip(&self.classes) {
            if let Some(class) = *class {
                *kind *= self.probabilities[class] / self.shares[class];
            }
        }
        let total: f64 = types.iter().sum();
        if total > 0.0 {
            types.iter_mut().for_each(|kind| *kind /= total);
        } else {
            types.copy_from_slice(prior);
        }
    }
}
