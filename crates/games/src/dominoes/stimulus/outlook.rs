//! `outlook`: the score of a play, the remaining hand, and the next options. Not from the source.
//!
//! The vectors of the source contain which pips lie where; a learner must find out for each of thousands of tables
//! what is good about it. This code contains what usually matters, and many tables share a code, so experience
//! generalises:
//!
//! ```text
//! bit 0      1: the table is not empty
//! then       3 points of the play, in fives      3 own tiles left             3 tiles of the other
//!            2 own tiles that fit                2 unseen tiles that fit, in quarters
//!            2 points that unseen tiles could score, by class                 2 best points of the own next play, in fives
//!            2 pips left in hand, in dozens      1 the boneyard can be drawn from
//!
//! A number that is too large for its field becomes the largest that fits.
//! ```

use super::super::board::{Board, End};
use super::super::tile::{Tile, TileSet};
use super::super::view::View;
use super::Dominoes;
use crate::codes::fields::Field;

/// The code of an empty table.
pub(super) const OPENING: u128 = 0;

/// The fields from bit 1 on.
const POINTS: Field = Field::new(1, 3);
const OWN: Field = POINTS.next(3);
const OTHER: Field = OWN.next(3);
const FITTING: Field = OTHER.next(2);
const REPLIES: Field = FITTING.next(2);
const THREAT: Field = REPLIES.next(2);
const FOLLOWING: Field = THREAT.next(2);
const PIPS: Field = FOLLOWING.next(2);
const DRAWS: Field = PIPS.next(1);

/// Number of bits of a code.
pub(super) const WIDTH: u32 = DRAWS.end();

/// Class bounds of threats: sums of the best points, in fives, of each unseen tile.
const THREATS: [u32; 3] = [3, 7, 13];

/// Returns the code of a seat that has not played yet: only whether the table is empty.
#[inline]
pub(super) fn before(view: &View) -> u128 {
    u128::from(!view.board.is_empty())
}

impl Dominoes {
    /// Returns the code of a play.
    pub(super) fn outlook(&self, view: &View, tile: Tile, end: End) -> u128 {
        let board = self.board_after(&view.board, tile, end);
        let hand = view.hand - tile.into();
        let unseen = self.all - view.hand - view.board.played();
        let fits = board.fits();
        let quarters = 4 * u32::from((unseen & fits).len()) / u32::from(unseen.len()).max(1);
        let (threat, _) = self.scores_of(&board, unseen);
        let (_, following) = self.scores_of(&board, hand);
        let code = 1
            | POINTS.put(u32::from(self.points_for(board.count())) / 5)
            | OWN.put(u32::from(hand.len()))
            | OTHER.put(u32::from(view.other))
            | FITTING.put(u32::from((hand & fits).len()))
            | REPLIES.put(quarters)
            | THREAT.put(THREATS.iter().filter(|&&least| threat >= least).count() as u32)
            | FOLLOWING.put(following)
            | PIPS.put(u32::from(hand.pips()) / 12)
            | DRAWS.put(u32::from(view.boneyard > self.rules().reserve));
        u128::from(code)
    }

    /// Returns the points that tiles could score on a board, in fives: the sum of each tile's best, and the best of
    /// all.
    fn scores_of(&self, board: &Board, tiles: TileSet) -> (u32, u32) {
        let (mut sum, mut most) = (0, 0);
        for tile in (tiles & board.fits()).tiles() {
            let best = End::PLACES
                .into_iter()
                .filter(|&end| board.fits_at(end).contains(tile))
                .map(|end| {
                    let values = board.ends_after(self.rules(), tile, end).values;
                    u32::from(self.points_for(values.iter().sum())) / 5
                })
                .max()
                .unwrap_or(0);
            sum += best;
            most = most.max(best);
        }
        (sum, most)
    }
}

/// Returns the text of a code; every number has one.
pub(super) fn in_words(code: u128) -> String {
    if code == OPENING {
        return "an empty table".to_owned();
    }
    let code = code as u32;
    if code == 1 {
        return "a table".to_owned();
    }
    let own = match OWN.get(code) {
        0 => "goes out".to_owned(),
        tiles => format!("keeps {tiles} tiles of {}+ pips, {} fit", 12 * PIPS.get(code), FITTING.get(code)),
    };
    format!(
        "scores {}, {own}, could score {} next; the other has {} tiles, {}/4 of the unseen fit, threat {}{}",
        5 * POINTS.get(code),
        5 * FOLLOWING.get(code),
        OTHER.get(code),
        REPLIES.get(code),
        THREAT.get(code),
        if DRAWS.get(code) == 1 { "" } else { ", nothing to draw" }
    )
}
