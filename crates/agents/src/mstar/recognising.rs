//! A model whose type is recognised while playing.

use parlor_core::{Deadline, Decision, Game, Rng};

use crate::beliefs::{PossibleWorlds, WeightedWorlds};
use crate::recognise::Recognition;

/// What is made of the probabilities of types.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Style {
    /// The likeliest type is taken for the truth.
    Guess,
    /// Every type counts by its probability.
    Mix,
}

/// Recognises the type of the other seat, and says how likely each is in each world.
pub struct Recognising<G: Game> {
    recognition: Recognition<G>,
    style: Style,
    /// Whether worlds are weighed by what the other seat chose.
    inferred: bool,
    /// How likely each type is, as the style has it.
    chosen: Vec<f64>,
    /// The same in each world, a row a world.
    rows: Vec<f64>,
}

impl<G: Game> Recognising<G> {
    /// Makes it from its parts.
    #[must_use]
    pub fn new(recognition: Recognition<G>, style: Style, inferred: bool) -> Self {
        Recognising { recognition, style, inferred, chosen: Vec::new(), rows: Vec::new() }
    }

    /// Returns what keeps the evidence.
    pub fn recognition(&mut self) -> &mut Recognition<G> {
        &mut self.recognition
    }

    /// Returns how likely each type is in each world of the last look, a row a world.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    fn choose(&mut self) {
        let found = self.recognition.found();
        self.chosen.clear();
        match self.style {
            Style::Mix => self.chosen.extend_from_slice(found),
            Style::Guess => {
                let likeliest =
                    (1..found.len()).fold(0, |best, at| if found[at] > found[best] { at } else { best });
                self.chosen.extend((0..found.len()).map(|at| f64::from(u8::from(at == likeliest))));
            }
        }
    }
}

impl<G: PossibleWorlds> Recognising<G> {
    /// Returns the worlds of a decision as they are if the types are what they were found to be.
    pub fn look(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> WeightedWorlds<G::State> {
        let worlds = self.recognition.look(decision, deadline, rng);
        self.choose();
        let worlds = worlds.with_types(&self.chosen, self.inferred);
        self.rows.clear();
        for (at, (_, weight)) in worlds.worlds().iter().enumerate() {
            let row = worlds.types_with(at);
            // A world that is ruled out has no weight, whatever the type.
            let ruled_out = *weight <= 0.0;
            let certain = row.iter().zip(&self.chosen);
            self.rows.extend(certain.map(|(both, chosen)| match (ruled_out, *chosen) {
                (true, chosen) => chosen,
                // What is certain stays certain, without rounding.
                (false, 1.0) => 1.0,
                (false, _) => both / weight,
            }));
        }
        worlds
    }

    /// Recognises the type for a player that sees the state.
    pub fn look_at_truth(&mut self, decision: &Decision<'_, G>, state: &G::State) {
        self.recognition.look_at_truth(decision, state);
        self.choose();
        self.rows.clone_from(&self.chosen);
    }
}
