//! Every way in which a view can have come about.
//!
//! A hand can have been acquired in several ways: which of its tiles were dealt, which were drawn, and when. The other
//! seat chose by what it held at the time, so its choices can be likelier in one history than in another. Deals are
//! equally likely, and so are the tiles of a boneyard whose size everybody knows: all histories of a view have equal
//! probabilities.

use arrayvec::ArrayVec;
use parlor_core::Seat;

use super::Dominoes;
use super::board::Board;
use super::hand_counts::{HandCounts, World};
use super::state::{Action, Event};
use super::tile::{MAX_TILES, Tile, TileSet};
use super::view::View;

/// Number of steps between two polls for cancellation.
const STEPS_PER_POLL: u32 = 4096;

/// The course of a stage as far as the other seat is concerned.
#[derive(Copy, Clone)]
struct Course {
    /// The other seat's tiles.
    hand: TileSet,
    /// The tiles that it has yet to draw.
    left: TileSet,
    board: Board,
}

/// The search for the histories of one view.
struct Search<'a> {
    game: &'a Dominoes,
    me: Seat,
    log: &'a [Event],
    /// The histories found so far: the tiles received and, in order, those drawn.
    found: Vec<World>,
    drawn: ArrayVec<Tile, MAX_TILES>,
    /// The largest number of histories.
    most: usize,
    /// Steps so far.
    steps: u32,
    /// The largest number of steps.
    most_steps: u32,
    wanted: &'a dyn Fn() -> bool,
}

/// Returns the histories in which the other seat holds one of `hands` now. `None` if there are more than `most`, finding
/// them takes more than `most_steps` steps, or as soon as `wanted` returns false.
pub(super) fn of(
    game: &Dominoes,
    view: &View,
    hands: impl Iterator<Item = TileSet>,
    (most, most_steps): (usize, u32),
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<World>> {
    let me = view.seat;
    let theirs = || view.log.iter().filter(|event| event.seat != me);
    let played: TileSet = theirs()
        .filter_map(|event| if let Action::Play(tile, _) = event.action { Some(tile) } else { None })
        .collect();
    let draws = theirs().filter(|event| event.action == Action::DrawHidden).count() as u8;
    let ruled_out = HandCounts::ruled_out_by_the_lead(game, view);
    let mut search = Search {
        game,
        me,
        log: &view.log,
        found: Vec::new(),
        drawn: ArrayVec::new(),
        most,
        steps: 0,
        most_steps,
        wanted,
    };
    for hand in hands {
        let got = hand | played;
        let dealt = got.len().checked_sub(draws)?;
        if !search.deal(got, TileSet::EMPTY, got - ruled_out, dealt) {
            return None;
        }
    }
    Some(search.found)
}

impl Search<'_> {
    /// Tries every set of `missing` more tiles among `able` as the rest of the dealt hand. Returns whether the search goes on.
    fn deal(&mut self, got: TileSet, dealt: TileSet, mut able: TileSet, missing: u8) -> bool {
        if missing == 0 {
            return self.follow(0, Course { hand: dealt, left: got - dealt, board: Board::default() }, got);
        }
        while able.len() >= missing {
            let tile = able.nth(0);
            able -= tile.into();
            if !self.deal(got, dealt | tile.into(), able, missing - 1) {
                return false;
            }
        }
        true
    }

    /// Follows the stage from its `at`-th event on. Returns whether the search goes on.
    fn follow(&mut self, mut at: usize, mut course: Course, got: TileSet) -> bool {
        if self.steps == self.most_steps || (self.steps.is_multiple_of(STEPS_PER_POLL) && !(self.wanted)()) {
            return false;
        }
        self.steps += 1;
        while let Some(event) = self.log.get(at) {
            let theirs = event.seat != self.me;
            match event.action {
                Action::Play(tile, end) => {
                    if theirs {
                        if !course.hand.contains(tile) {
                            return true;
                        }
                        course.hand -= tile.into();
                    }
                    course.board.put(&self.game.rules, tile, end);
                }
                Action::DrawHidden | Action::Pass if theirs => {
                    if !(course.hand & course.board.fits()).is_empty() {
                        return true;
                    }
                    if event.action == Action::DrawHidden {
                        for tile in course.left.tiles() {
                            self.drawn.push(tile);
                            let next = Course {
                                hand: course.hand | tile.into(),
                                left: course.left - tile.into(),
                                ..course
                            };
                            let goes_on = self.follow(at + 1, next, got);
                            self.drawn.pop();
                            if !goes_on {
                                return false;
                            }
                        }
                        return true;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.found.push(World { got, drawn: self.drawn.clone() });
        self.found.len() <= self.most
    }
}
