//! A match in progress, and its actions.

use arrayvec::ArrayVec;
use parlor_core::{BySeat, Seat};

use super::board::{Board, End};
use super::tile::{Tile, TileSet};

/// An action of a seat or of chance. Two bytes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Chance: the seat leads the first stage.
    Lead(Seat),
    /// Chance: a tile is dealt; seat 0 gets its whole hand first.
    Deal(Tile),
    /// A tile is dealt face down: [`Action::Deal`] as the other seat sees it.
    DealHidden,
    /// Chance: the seat to move draws a tile.
    Draw(Tile),
    /// A tile is drawn face down: [`Action::Draw`] as the other seat sees it.
    DrawHidden,
    /// The seat to move puts a tile at an end.
    Play(Tile, End),
    /// The seat to move can neither play nor draw.
    Pass,
}

/// A public action of a seat in this stage: a play, draw or pass.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The seat.
    pub seat: Seat,
    /// A play, a draw (in views of the other seat [`Action::DrawHidden`]), or a pass.
    pub action: Action,
    /// The points of a play by the board count.
    pub points: u8,
}

/// The largest number of events of a stage.
///
/// 55 tiles are played and at most 53 of them drawn (each seat is dealt one or more); a pass follows a draw or
/// precedes a play, except one that blocks.
pub const MAX_EVENTS: usize = 55 + 53 + (55 + 53 + 1);

/// The events of this stage since the deal, in order.
pub type Log = ArrayVec<Event, MAX_EVENTS>;

/// Reason for the end of a stage.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// The seat played its last tile.
    Out(Seat),
    /// Neither seat could play.
    Blocked,
}

/// The end of a stage.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct StageEnd {
    /// The reason.
    pub how: How,
    /// The points of each seat for it, without earlier board counts.
    pub points: BySeat<u16>,
}

/// The next step.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    /// Chance chooses the leader.
    Lead,
    /// Chance deals a tile.
    Deal,
    /// Chance draws a tile of the boneyard for the seat to move.
    Draw,
    /// The seat to move plays.
    Play,
    /// The seat to move must pass.
    Pass,
    /// The match has ended.
    Over,
}

/// The full state of a match, with both hands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) hands: BySeat<TileSet>,
    /// Before and during the deal, the tiles that are not dealt yet.
    pub(super) boneyard: TileSet,
    /// Number of tiles in the boneyard.
    pub(super) bones: u8,
    pub(super) board: Board,
    pub(super) step: Step,
    /// Meaningful while a seat plays, passes or draws.
    pub(super) turn: Seat,
    pub(super) leader: Option<Seat>,
    pub(super) stage: u16,
    pub(super) scores: BySeat<u16>,
    /// The scores when this stage began.
    pub(super) before: BySeat<u16>,
    /// The end of the last finished stage.
    pub(super) ended: Option<StageEnd>,
    pub(super) log: Log,
}

impl State {
    /// Returns the tiles in a hand.
    #[inline]
    #[must_use]
    pub fn hand(&self, seat: Seat) -> TileSet {
        self.hands[seat]
    }

    /// Returns the tiles of the boneyard; during a deal, those that are not dealt yet.
    #[inline]
    #[must_use]
    pub fn boneyard(&self) -> TileSet {
        self.boneyard
    }

    /// Returns the tiles on the table.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the scores of the contest so far.
    #[inline]
    #[must_use]
    pub fn scores(&self) -> BySeat<u16> {
        self.scores
    }

    /// Returns the scores when this stage began.
    #[inline]
    #[must_use]
    pub fn before(&self) -> BySeat<u16> {
        self.before
    }

    /// Returns the number of the stage, from 1.
    #[inline]
    #[must_use]
    pub fn stage(&self) -> u16 {
        self.stage
    }

    /// Returns the leader of this stage; `None` until it is known.
    #[inline]
    #[must_use]
    pub fn leader(&self) -> Option<Seat> {
        self.leader
    }

    /// Returns the end of the last finished stage; `None` in the first.
    #[inline]
    #[must_use]
    pub fn ended(&self) -> Option<StageEnd> {
        self.ended
    }

    /// Returns the events of this stage since the deal, including drawn tiles.
    #[inline]
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log
    }
}
