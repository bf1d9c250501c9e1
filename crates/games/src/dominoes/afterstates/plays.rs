//! The numbers of one play: what the seat knows after it, computed from its view alone.

use super::numbers::{Facts, GOAL, Number as N};
use crate::dominoes::board::{CLOSED, Ends};
use crate::dominoes::holdings::Odds;
use crate::dominoes::replies::{fives_at, mean_best, scorers};
use crate::dominoes::{Board, Bonus, Dominoes, End, MAX_PIPS, MAX_TILES, Tile, TileSet, View};

/// A reply is more likely by this part for each point that it scores. A guess that was kept: training learns what follows from it.
const EAGERNESS: f64 = 0.2;

/// The multiples of five as bits.
const FIVES: u128 = {
    let (mut bits, mut at) = (0, 0);
    while at < 128 {
        bits |= 1 << at;
        at += 5;
    }
    bits
};

/// What a seat knows at a decision, whatever it plays.
pub(super) struct Knowledge<'a> {
    game: &'a Dominoes,
    view: &'a View,
    odds: Odds,
    /// The probability that the other seat holds a tile, by its number.
    holds: [f64; MAX_TILES],
    /// The expected pips of the other hand.
    pips: f64,
    /// Number of tiles that the other seat may hold.
    possible: u32,
    /// Pips of a tile of this set to those of double-six.
    scale: f64,
}

impl<'a> Knowledge<'a> {
    pub fn new(game: &'a Dominoes, view: &'a View) -> Knowledge<'a> {
        let odds = Odds::new(game, view, true);
        let mut holds = [0.0; MAX_TILES];
        let (mut pips, mut possible) = (0.0, 0);
        for tile in odds.hidden.tiles() {
            let chance = 1.0 - odds.lacks(tile.into());
            holds[tile.index()] = chance;
            pips += chance * f64::from(tile.pips());
            possible += u32::from(chance > 0.0);
        }
        Knowledge { game, view, odds, holds, pips, possible, scale: f64::from(game.rules.set) / 6.0 }
    }
}

#[cfg(test)]
impl Knowledge<'_> {
    /// Returns the probability that the other seat holds a tile.
    pub fn chance(&self, tile: Tile) -> f64 {
        self.holds[tile.index()]
    }
}

/// A play and what is left after it.
pub(super) struct Left<'a> {
    known: &'a Knowledge<'a>,
    after: Board,
    pub hand: TileSet,
    /// The own score with everything that the play scores for certain, and the other's.
    scores: [u16; 2],
}

impl<'a> Left<'a> {
    pub fn new(known: &'a Knowledge<'a>, tile: Tile, end: End) -> Left<'a> {
        let Knowledge { game, view, .. } = *known;
        let after = game.board_after(&view.board, tile, end);
        let hand = view.hand - tile.into();
        let points = u16::from(game.points_for(after.count()));
        let scores = [view.scores[view.seat] + points, view.scores[view.seat.other()]];
        Left { known, after, hand, scores }
    }

    /// Returns whether the play wins a contest by its points.
    pub fn wins(&self) -> bool {
        self.known.game.rules.target.is_some_and(|target| self.scores[0] > target)
    }

    /// Returns the expected points for going out.
    fn bonus(&self) -> u16 {
        let pips = (self.known.pips + 0.5) as u16;
        match self.known.game.rules.bonus {
            _ if !self.hand.is_empty() => 0,
            Bonus::Pips => pips,
            Bonus::Five => (pips + 2) / 5 * 5,
            Bonus::None => 0,
        }
    }

    /// Returns the numbers of the scores.
    pub fn facts(&self) -> Facts {
        let target = self.known.game.rules.target;
        let [own, other] = [self.scores[0] + self.bonus(), self.scores[1]];
        let on_scale = |score: u16| match target.map(u32::from) {
            None => u32::from(score).min(GOAL),
            Some(target) if target <= GOAL => GOAL - (target - u32::from(score).min(target)),
            Some(target) => (u32::from(score) * GOAL / target).min(GOAL),
        };
        let class = |score: u16| match target.map(|target| (target + 1).saturating_sub(score)) {
            Some(0..=15) => 0_u32,
            Some(16..=30) => 1,
            Some(31..=55) => 2,
            _ => 3,
        };
        let mut facts = Facts::new();
        let (mine, theirs) = (on_scale(own), on_scale(other));
        facts.put(N::GoesOut, self.hand.is_empty());
        facts.put(N::OwnScore, mine);
        facts.put(N::OtherScore, theirs);
        for number in [N::OwnQuarter, N::OwnShifted] {
            facts.put_amount(number, f64::from(mine));
        }
        for number in [N::OtherQuarter, N::OtherShifted] {
            facts.put_amount(number, f64::from(theirs));
        }
        facts.put(N::Margin, GOAL + mine - theirs);
        facts.put_amount(N::Progress, f64::from(mine.max(theirs)));
        facts.put(N::Closeness, 4 * class(own) + class(other));
        facts
    }

    /// Adds the numbers of the play; tiles are left in hand.
    pub fn add_play(&self, facts: &mut Facts) {
        let Knowledge { view, odds, scale, .. } = self.known;
        let fits = self.after.fits();
        let (own, other) = (u32::from(self.hand.len()), u32::from(view.other));
        for (number, value) in [
            (N::OwnTiles, own),
            (N::OwnFew, own),
            (N::OtherTiles, other),
            (N::OtherFew, other),
            (N::OtherClass, [0, 0, 1, 2, 2, 3][view.other.min(5) as usize]),
            (N::Boneyard, u32::from(view.boneyard)),
            (N::BoneyardClass, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4][view.boneyard.min(10) as usize]),
            (N::Count, u32::from(self.after.count())),
            (N::Fitting, u32::from((self.hand & fits).len())),
            (N::UnseenFitting, u32::from((odds.hidden & fits).len())),
            (N::Possible, self.known.possible),
        ] {
            facts.put(number, value);
        }
        let pips = f64::from(self.hand.pips()) / scale;
        facts.put_amount(N::OwnPips, pips);
        facts.put_amount(N::OwnPipsCoarse, pips);
        facts.put_amount(N::OtherPips, self.known.pips / scale);
        let blocked = odds.lacks(odds.hidden & fits);
        facts.put_chance(N::Blocked, blocked);
        facts.put_chance(N::BlockedFine, blocked);
        if self.known.game.rules.fives {
            self.add_scoring(facts);
        }
        self.add_replies(facts);
        let mut ends = self.after.ends().pips.map(|pips| pips.min(MAX_PIPS + 1));
        ends.sort_unstable();
        for (number, pips) in [N::EndA, N::EndB, N::EndC, N::EndD].into_iter().zip(ends) {
            facts.put(number, pips);
        }
        let values =
            self.hand.tiles().fold(0_u16, |values, tile| values | 1 << tile.low() | 1 << tile.high());
        facts.put(N::Values, values.count_ones());
        facts.put(N::Doubles, self.hand.tiles().filter(|tile| tile.is_double()).count() as u32);
    }

    /// Adds what the other seat and this one could score next.
    fn add_scoring(&self, facts: &mut Facts) {
        let Knowledge { game, odds, .. } = self.known;
        let theirs = scorers(&self.after, odds.hidden);
        facts.put_amount(N::Reply, mean_best(odds, &theirs, |points| points));
        let mine = scorers(&self.after, self.hand);
        let best = mine.iter().rposition(|tiles| !tiles.is_empty()).unwrap_or(0) as u32;
        facts.put(N::Following, best);
        let scoring = mine.iter().skip(1).fold(TileSet::EMPTY, |all, &tiles| all | tiles);
        facts.put(N::Scorers, scoring.len());
        if let Some(target) = game.rules.target {
            let missing = u32::from(target.saturating_sub(self.scores[1]));
            let win =
                theirs.iter().skip(missing as usize / 5 + 1).fold(TileSet::EMPTY, |all, &tiles| all | tiles);
            facts.put_chance(N::Wins, 1.0 - odds.lacks(win));
            facts.put(N::Winning, u32::from(self.scores[0]) + 5 * best > u32::from(target));
        }
    }

    /// Adds what this seat could do after the other's reply, over all replies.
    fn add_replies(&self, facts: &mut Facts) {
        let Knowledge { game, odds, holds, .. } = self.known;
        // The values that the tiles in hand would add at an end of these pips, as bits; and the pips in hand.
        let mut adds = [0_u128; 16];
        let mut values = 0_u16;
        for tile in self.hand.tiles() {
            let (low, high) = (tile.low(), tile.high());
            values |= 1 << low | 1 << high;
            let [add_at_low, add_at_high] = if low == high { [2 * low; 2] } else { [high, low] };
            adds[usize::from(low)] |= 1 << add_at_low;
            adds[usize::from(high)] |= 1 << add_at_high;
        }
        let now = self.after.ends();
        let (mut all, mut stuck, mut points) = (0.0, 0.0, 0.0);
        for (place, &end) in End::PLACES.iter().enumerate() {
            let repeated = place & 1 == 1 && now.pips[place] == now.pips[place - 1];
            let pips = now.pips[place];
            if pips == CLOSED || repeated && [now.values[place - 1], 0].contains(&now.values[place]) {
                continue;
            }
            // The double's value stays when one of its sides is covered.
            let lone = self.after.is_lone() && place > 1;
            for tile in (odds.hidden & TileSet::touching(pips)).tiles() {
                let chance = holds[tile.index()];
                if chance <= 0.0 {
                    continue;
                }
                let Ends { pips, values: mut exposed } = self.after.ends_after(&game.rules, tile, end);
                let count: u8 = exposed.iter().sum();
                let weight = chance * (1.0 + EAGERNESS * f64::from(game.points_for(count)));
                all += weight;
                if pips.iter().all(|&pips| values >> pips & 1 == 0) {
                    stuck += weight;
                } else if game.rules.fives {
                    if lone {
                        // Its value has the left place.
                        exposed[0] = 0;
                    }
                    let counts = pips.iter().zip(exposed).fold(0, |counts, (&pips, exposed)| {
                        counts | adds[usize::from(pips)] << (count - exposed)
                    });
                    let best = (counts & FIVES).checked_ilog2().unwrap_or(0);
                    points += weight * f64::from(best);
                }
            }
        }
        if all > 0.0 {
            facts.put_chance(N::Stuck, stuck / all);
            facts.put_amount(N::Answer, points / all);
        }
    }

    /// Calls `each` with the numbers of every value of the set; `true` for one whose double is in hand.
    pub fn each_value(&self, facts: &mut Facts, mut each: impl FnMut(&Facts, bool)) {
        let Knowledge { game, odds, .. } = self.known;
        let mut ends = [0_u32; 16];
        self.after.ends().pips.iter().for_each(|&pips| ends[usize::from(pips)] += 1);
        for value in 0..=game.rules.set {
            let tiles = TileSet::touching(value);
            facts.put(N::Value, value);
            facts.put(N::ValueOwn, (self.hand & tiles).len());
            facts.put(N::ValueUnseen, (odds.hidden & tiles).len());
            facts.put(N::ValueEnds, ends[usize::from(value)]);
            facts.put(N::ValueOpen, ends[usize::from(value)] > 0);
            facts.put_chance(N::ValueLacked, odds.lacks(odds.hidden & tiles));
            let double = Tile::new(value, value).is_some_and(|double| self.hand.contains(double));
            each(facts, double);
        }
    }

    /// Calls `each` with the numbers of every open end; ends that are equal come once.
    pub fn each_end(&self, facts: &mut Facts, mut each: impl FnMut(&Facts)) {
        let Knowledge { game, odds, .. } = self.known;
        let mut arms = 0_u16;
        for open in self.after.open() {
            if open.value == 0 && arms >> open.pips & 1 == 1 {
                continue;
            }
            arms |= 1 << open.pips;
            let tiles = TileSet::touching(open.pips);
            let scoring = if game.rules.fives { fives_at(&self.after, open) } else { TileSet::EMPTY };
            facts.put(N::EndOwn, (self.hand & tiles).len());
            facts.put(N::EndUnseen, (odds.hidden & tiles).len());
            facts.put(N::EndScores, !(self.hand & scoring).is_empty());
            facts.put(N::EndScorers, (odds.hidden & scoring).len());
            each(facts);
        }
    }

    /// Calls `each` with the numbers of every tile in hand.
    pub fn each_tile(&self, facts: &mut Facts, mut each: impl FnMut(&Facts)) {
        let hidden = self.known.odds.hidden;
        for tile in self.hand.tiles() {
            let linked = TileSet::touching(tile.low()) | TileSet::touching(tile.high());
            facts.put(N::Tile, tile.index() as u32);
            facts.put(N::TileFits, self.after.fits().contains(tile));
            facts.put(N::TileDouble, tile.is_double());
            facts.put(N::OwnLinks, (self.hand & linked).len());
            facts.put(N::UnseenLinks, (hidden & linked).len());
            each(facts);
        }
    }
}
