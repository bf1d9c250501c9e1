//! What a chain of choices teaches.

use parlor_core::{Afterstates, Seat};
use parlor_ml::{Entries, Link, Rates, lambda_returns};

/// How weights change.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Rule {
    /// The part of an error that one update removes, before the rates of the entries.
    pub step: f32,
    /// The share of what comes later in a value's target.
    pub lambda: f32,
    /// The factor by which a value is smaller for each choice that is still to come.
    pub gamma: f32,
    /// The step sizes of single entries.
    pub rates: Rates,
    /// The maximum number of active entries.
    pub active: f32,
}

/// What an afterstate is worth.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Worth {
    /// The weights of the entries between two places of a list.
    Weights(u32, u32),
    /// This, for certain.
    Known(f32),
}

/// A choice: what was chosen and what looked best.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Choice {
    pub seat: Seat,
    pub chosen: Worth,
    pub best: Worth,
    pub explored: bool,
}

/// Returns what an action is worth, and appends its entries to the list.
#[inline]
pub(super) fn note<G: Afterstates>(
    game: &G,
    layout: &G::Layout,
    view: &G::View,
    action: G::Action,
    entries: &mut Vec<u32>,
) -> Worth {
    if let Some(value) = game.known(layout, view, action) {
        return Worth::Known(value);
    }
    let from = entries.len() as u32;
    game.active(layout, view, action, entries);
    Worth::Weights(from, entries.len() as u32)
}

/// Learns from chains of choices; a set of buffers.
#[derive(Default)]
pub(super) struct Student {
    /// The active entries of the choices below.
    pub entries: Vec<u32>,
    /// The chain.
    pub choices: Vec<Choice>,
    links: Vec<Link>,
    returns: Vec<f32>,
}

impl Student {
    /// Begins a chain.
    pub fn begin(&mut self) {
        self.entries.clear();
        self.choices.clear();
    }

    /// Changes the weights by the chain, which ended with this result for the seat that chose last.
    pub fn learn(&mut self, table: &mut Entries, rule: &Rule, result: f32) {
        let Student { entries, choices, links, returns } = self;
        learn(table, rule, entries, choices, result, links, returns);
    }

    /// Changes the weights by a chain of someone else's list.
    pub fn learn_chain(
        &mut self,
        table: &mut Entries,
        rule: &Rule,
        entries: &[u32],
        choices: &[Choice],
        result: f32,
    ) {
        learn(table, rule, entries, choices, result, &mut self.links, &mut self.returns);
    }
}

fn learn(
    table: &mut Entries,
    rule: &Rule,
    entries: &[u32],
    choices: &[Choice],
    result: f32,
    links: &mut Vec<Link>,
    returns: &mut Vec<f32>,
) {
    let value = |worth: Worth| match worth {
        Worth::Known(value) => value,
        Worth::Weights(from, to) => libm::tanhf(table.sum(&entries[from as usize..to as usize])),
    };
    links.clear();
    links.extend(choices.iter().map(|choice| {
        let chosen = value(choice.chosen);
        let best = if choice.best == choice.chosen { chosen } else { value(choice.best) };
        Link { chosen, best, explored: choice.explored, side: choice.seat.0 }
    }));
    lambda_returns(links, result, rule.lambda, rule.gamma, returns);
    for ((choice, link), target) in choices.iter().zip(&*links).zip(&*returns).rev() {
        if let Worth::Weights(from, to) = choice.chosen {
            // The slope of the sigmoid is 1 − v².
            let slope = 1.0 - link.chosen * link.chosen;
            let change = rule.step * (target - link.chosen) * slope / rule.active;
            table.update(&entries[from as usize..to as usize], change, rule.rates);
        }
    }
}
