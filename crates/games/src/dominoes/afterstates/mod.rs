//! Values of plays for the learner `ntuple`: what a seat knows after its play, as active entries of a table of weights.
//!
//! The numbers are what players talk about: tiles and pips in hand, what the other seat may hold after its draws and passes, what it
//! could score, what would fit then, and the scores of the contest. No weight is given: which of them matter, and how much, is learnt.

mod numbers;
mod plays;
#[cfg(test)]
mod tests;

use parlor_core::{Afterstates, CodecInfo, Payoffs, Seat, StageResult, no_such_codec};

use super::{Action, Dominoes, View};
use crate::facts;
use numbers::{ALL, DOUBLES, ENDS, Facts, GROUPS, NUMBERS, PLAY, SCORES, STARTS, TILES, VALUES};
use plays::{Knowledge, Left};

/// The entries of a play; there is one layout.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Layout;

/// A seat of one stage aims at this margin at the most, in parts of the pips of the set.
pub(super) const MOST_MARGIN: f64 = 1.0 / 3.0;

/// The first group of each kind.
const FIRST_PLAY: usize = SCORES.len();
const FIRST_VALUE: usize = FIRST_PLAY + PLAY.len();
const FIRST_DOUBLE: usize = FIRST_VALUE + VALUES.len();
const FIRST_END: usize = FIRST_DOUBLE + DOUBLES.len();
const FIRST_TILE: usize = FIRST_END + ENDS.len();

/// Returns the entry of these numbers in a group.
#[inline]
fn entry(facts: &Facts, group: usize) -> u32 {
    STARTS[group] + facts.entry(ALL[group])
}

/// Appends the active entries of a play.
fn append(left: &Left<'_>, out: &mut Vec<u32>) {
    let mut facts = left.facts();
    out.extend((0..FIRST_PLAY).map(|group| entry(&facts, group)));
    if left.hand.is_empty() {
        return;
    }
    left.add_play(&mut facts);
    out.extend((FIRST_PLAY..FIRST_VALUE).map(|group| entry(&facts, group)));
    left.each_value(&mut facts, |facts, double| {
        let groups = if double { FIRST_VALUE..FIRST_END } else { FIRST_VALUE..FIRST_DOUBLE };
        out.extend(groups.map(|group| entry(facts, group)));
    });
    left.each_end(&mut facts, |facts| out.extend((FIRST_END..FIRST_TILE).map(|group| entry(facts, group))));
    left.each_tile(&mut facts, |facts| out.extend((FIRST_TILE..GROUPS).map(|group| entry(facts, group))));
}

impl Afterstates for Dominoes {
    type Layout = Layout;
    type Scratch = Vec<u32>;

    const LAYOUTS: &'static [CodecInfo] = &[CodecInfo {
        name: "facts",
        summary: "what is in hand, fits and could score, what the other seat may hold, and the scores",
    }];

    fn table_layout(&self, name: &str) -> Result<Layout, String> {
        if name == Self::LAYOUTS[0].name { Ok(Layout) } else { Err(no_such_codec(name, Self::LAYOUTS)) }
    }

    fn layout_meaning(&self, _: &Layout) -> String {
        let contest = if self.rules.target.is_some() { "contest" } else { "stage" };
        format!("1 {contest}")
    }

    fn entries(&self, _: &Layout) -> usize {
        STARTS[GROUPS] as usize
    }

    fn most_active(&self, _: &Layout) -> usize {
        let values = usize::from(self.rules.set) + 1;
        let tiles = usize::from(self.all.len());
        SCORES.len()
            + PLAY.len()
            + values * (VALUES.len() + DOUBLES.len())
            + 4 * ENDS.len()
            + tiles * TILES.len()
    }

    fn active(&self, _: &Layout, view: &View, action: Action, out: &mut Vec<u32>) {
        if let Action::Play(tile, end) = action {
            append(&Left::new(&Knowledge::new(self, view), tile, end), out);
        }
    }

    fn sums(
        &self,
        _: &Layout,
        active: &mut Vec<u32>,
        weights: &[f32],
        view: &View,
        actions: &[Action],
        out: &mut Vec<f32>,
    ) {
        let known = Knowledge::new(self, view);
        out.clear();
        out.extend(actions.iter().map(|&action| {
            let Action::Play(tile, end) = action else { return 0.0 };
            let left = Left::new(&known, tile, end);
            if left.wins() {
                return f32::INFINITY;
            }
            active.clear();
            append(&left, active);
            active.iter().map(|&entry| weights[entry as usize]).sum()
        }));
    }

    fn known(&self, _: &Layout, view: &View, action: Action) -> Option<f32> {
        let Action::Play(tile, end) = action else { return None };
        let target = self.rules.target?;
        let score = view.scores[view.seat] + u16::from(self.points_of(&view.board, tile, end));
        (score > target).then_some(1.0)
    }

    /// A contest is won or lost, and the stages of it are one chain. One stage is worth its points.
    fn target(&self, _: &Layout, seat: Seat, _: &StageResult, payoffs: Option<&Payoffs>) -> Option<f32> {
        let payoff = payoffs?.of(seat);
        if self.rules.target.is_some() {
            return Some(payoff as f32);
        }
        let most = MOST_MARGIN * f64::from(self.all.pips());
        Some((payoff / most).clamp(-1.0, 1.0) as f32)
    }

    fn entry_in_words(&self, _: &Layout, entry: u32) -> String {
        let group = STARTS.partition_point(|&start| start <= entry) - 1;
        facts::in_words(ALL[group].iter().map(|&number| NUMBERS[number as usize]), entry - STARTS[group])
    }

    fn is_choice(&self, _: &View, action: Action) -> bool {
        action != Action::Pass
    }
}
