//! The expert's rules: small functions that score one aspect of a move in points.

use parlor_core::{Key, Kind};

use super::weights::Weights;
use crate::dominoes::holdings::Odds;
use crate::dominoes::replies::{MAX_REPLY, mean_best, scorers};
use crate::dominoes::{Action, Board, Dominoes, Tile, TileSet, View};

/// A candidate move, and the seat's knowledge after it.
pub(super) struct Outlook<'a> {
    pub game: &'a Dominoes,
    pub view: &'a View,
    pub odds: &'a Odds,
    pub weights: &'a Weights,
    /// The tile of the move.
    pub tile: Tile,
    /// The board after the move.
    pub after: Board,
    /// The points that the move scores by the board count.
    pub points: u8,
    /// The seat's hand after the move.
    pub left: TileSet,
    /// Probability that the other seat then has no tile to play.
    pub blocked: f64,
}

impl<'a> Outlook<'a> {
    /// Returns the outlook of an action; `None` for a pass.
    pub fn new(
        game: &'a Dominoes,
        view: &'a View,
        odds: &'a Odds,
        weights: &'a Weights,
        action: Action,
    ) -> Option<Outlook<'a>> {
        let Action::Play(tile, end) = action else { return None };
        let after = game.board_after(&view.board, tile, end);
        let points = game.points_for(after.count());
        let left = view.hand - tile.into();
        let blocked = odds.lacks(odds.hidden & after.fits());
        Some(Outlook { game, view, odds, weights, tile, after, points, left, blocked })
    }

    /// Returns the mean pips of a tile of the set: a double-*n* has n + 1 values that are equally frequent.
    fn mean_tile(&self) -> f64 {
        f64::from(self.game.rules().set)
    }

    /// Returns the number of tiles that may still be drawn.
    fn drawable(&self) -> u8 {
        self.view.boneyard.saturating_sub(self.game.rules().reserve)
    }
}

/// A rule that can be switched off.
pub(super) struct Rule {
    /// The switch of the rule.
    pub key: Key,
    /// Returns the points that the rule adds to a move.
    pub worth: fn(&Outlook<'_>) -> f64,
}

const fn rule(name: &'static str, help: &'static str, worth: fn(&Outlook<'_>) -> f64) -> Rule {
    Rule { key: Key { name, kind: Kind::Switch, default: "on", help }, worth }
}

/// Every rule.
pub(super) const RULES: [Rule; 9] = [
    rule("scoring", "score now", scoring),
    rule("danger", "leave no board on which the other seat scores", danger),
    rule("plan", "leave a board on which a tile in hand scores", plan),
    rule("blocking", "leave ends that the other seat cannot play on", blocking),
    rule("doubles", "play doubles early", doubles),
    rule("spread", "keep few different values in hand", spread),
    rule("follow", "leave ends to play on next time", follow),
    rule("pips", "keep few pips when the other seat is about to go out", pips),
    rule("target", "finish the contest, and beware of replies that finish it", target),
];

/// Returns the points that the move scores.
pub(super) fn scoring(o: &Outlook<'_>) -> f64 {
    o.weights.points * f64::from(o.points)
}

/// Returns the expected points of the other seat's best reply.
pub(super) fn danger(o: &Outlook<'_>) -> f64 {
    if !o.game.rules().fives {
        return 0.0;
    }
    let steps = scorers(&o.after, o.odds.hidden);
    -o.weights.danger * mean_best(o.odds, &steps, |points| points)
}

/// Returns the points that a tile in hand would score if the board stayed the same.
pub(super) fn plan(o: &Outlook<'_>) -> f64 {
    if !o.game.rules().fives {
        return 0.0;
    }
    let steps = scorers(&o.after, o.left);
    let best = steps.iter().rposition(|tiles| !tiles.is_empty()).unwrap_or(0);
    o.weights.plan * 5.0 * best as f64
}

/// Returns the expected cost to the other seat of having no tile to play.
pub(super) fn blocking(o: &Outlook<'_>) -> f64 {
    let fitting = (o.odds.hidden & o.after.fits()).len();
    let boneyard = o.drawable();
    let suffers = if boneyard == 0 {
        o.weights.pass
    } else {
        // All fitting tiles are then in the boneyard; the others are spread evenly between and around them.
        let pulls = f64::from(o.view.boneyard + 1) / f64::from(fitting + 1);
        o.weights.pull * pulls.min(f64::from(boneyard))
    };
    o.blocked * suffers
}

/// Scores playing a double: it fits one value only, so it is harder to play than other tiles.
pub(super) fn doubles(o: &Outlook<'_>) -> f64 {
    if o.tile.is_double() { o.weights.double * o.mean_tile() } else { 0.0 }
}

/// Scores the different values left in hand. More values fit more ends, but each odd value is a tile that is hard to
/// play; the weight decides which matters more.
pub(super) fn spread(o: &Outlook<'_>) -> f64 {
    let values = o.left.tiles().fold(0_u16, |values, tile| values | 1 << tile.low() | 1 << tile.high());
    o.weights.suit * f64::from(values.count_ones())
}

/// Scores the probability that a place for the hand is still open at the next turn.
pub(super) fn follow(o: &Outlook<'_>) -> f64 {
    let places = o.after.open().filter(|open| !(o.left & TileSet::touching(open.pips)).is_empty()).count();
    let gone = (0..places).fold(1.0, |gone, _| gone * o.weights.cover);
    o.weights.follow * o.mean_tile() * (1.0 - gone)
}

/// Scores the pips left in hand, weighted by the chance that the other seat goes out.
pub(super) fn pips(o: &Outlook<'_>) -> f64 {
    let soon = (1..o.view.other).fold(1.0 - o.blocked, |soon, _| soon * o.weights.decay);
    -o.weights.pip * f64::from(o.left.pips()) * soon
}

/// More than the sum of all other rules.
const DECIDED: f64 = 1e6;

/// Scores winning the contest with the move, or a reply that wins it.
pub(super) fn target(o: &Outlook<'_>) -> f64 {
    let Some(target) = o.game.rules().target.filter(|_| o.game.rules().fives) else { return 0.0 };
    let own = o.view.scores[o.view.seat] + u16::from(o.points);
    if own > target {
        return DECIDED;
    }
    let missing = f64::from(target) - f64::from(o.view.scores[o.view.seat.other()]);
    if missing >= MAX_REPLY {
        return 0.0;
    }
    let steps = scorers(&o.after, o.odds.hidden);
    -mean_best(o.odds, &steps, |points| if points > missing { o.weights.stake } else { 0.0 })
}
