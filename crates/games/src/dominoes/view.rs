//! The knowledge of one seat.

use parlor_core::{BySeat, Seat};
use serde::{Deserialize, Serialize};

use super::Dominoes;
use super::board::{Board, End};
use super::plays::Plays;
use super::rules::{Leading, Rules};
use super::state::{Action, Event, Log, StageEnd, State, Step};
use super::tile::{Tile, TileSet};

/// The next step for a seat. In JSON the words are in lower case.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Awaits {
    /// Chance chooses the leader.
    Lead,
    /// Tiles are being dealt.
    Deal,
    /// This seat is to play.
    Play,
    /// This seat is to draw a tile.
    Draw,
    /// This seat must pass.
    Pass,
    /// It is the other seat's turn. The view does not reveal whether it will play, draw or pass.
    Other,
    /// The match has ended.
    Over,
}

/// The knowledge of one seat: its hand, the table, the number of the other tiles, and the events of this stage.
///
/// After the end of the match it shows both hands, and the log contains every drawn tile.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// The seat of the view.
    pub seat: Seat,
    /// The seat's own tiles.
    pub hand: TileSet,
    /// Number of tiles of the other seat.
    pub other: u8,
    /// The other seat's tiles, after the end of the match.
    pub shown: Option<TileSet>,
    /// Number of tiles in the boneyard; during a deal, of those not dealt yet.
    pub boneyard: u8,
    /// The tiles on the table.
    pub board: Board,
    /// The next step, as far as the seat knows.
    pub awaits: Awaits,
    /// The leader of this stage; `None` until it is known.
    pub leader: Option<Seat>,
    /// The number of the stage, from 1.
    pub stage: u16,
    /// The scores of the contest so far.
    pub scores: BySeat<u16>,
    /// The scores when this stage began.
    pub before: BySeat<u16>,
    /// The end of the last finished stage; `None` in the first.
    pub ended: Option<StageEnd>,
    /// The events of this stage since the deal. The other seat's draws are [`Action::DrawHidden`].
    pub log: Log,
}

impl View {
    /// Returns the seat's actions in order; empty unless it is to play or pass.
    #[must_use]
    pub fn plays(&self, rules: &Rules) -> Plays {
        match self.awaits {
            Awaits::Play => Plays::of(rules, &self.board, self.hand),
            Awaits::Pass => Plays::pass(),
            _ => Plays::none(),
        }
    }

    /// Returns the tiles that the other seat or the boneyard holds.
    #[must_use]
    pub fn unseen(&self, rules: &Rules) -> TileSet {
        TileSet::all(rules.set) - self.hand - self.board.played()
    }
}

impl Dominoes {
    /// Returns the board after a play on it, which must be legal.
    #[inline]
    #[must_use]
    pub fn board_after(&self, board: &Board, tile: Tile, end: End) -> Board {
        board.after(&self.rules, tile, end)
    }

    /// Returns the points of a play by the board count, without those for going out; the play must be legal.
    #[inline]
    #[must_use]
    pub fn points_of(&self, board: &Board, tile: Tile, end: End) -> u8 {
        self.points_for(self.board_after(board, tile, end).count())
    }

    /// Returns the points of a board count for the seat that made it.
    #[inline]
    #[must_use]
    pub fn points_for(&self, count: u8) -> u8 {
        if self.rules.fives && count.is_multiple_of(5) { count } else { 0 }
    }

    pub(super) fn view_of(&self, state: &State, seat: Seat) -> View {
        let over = state.step == Step::Over;
        let other = state.hands[seat.other()];
        let awaits = match state.step {
            Step::Lead => Awaits::Lead,
            Step::Deal => Awaits::Deal,
            Step::Over => Awaits::Over,
            _ if state.turn != seat => Awaits::Other,
            Step::Draw => Awaits::Draw,
            Step::Play => Awaits::Play,
            Step::Pass => Awaits::Pass,
        };
        let masked = |event: &Event| match event.action {
            Action::Draw(_) if event.seat != seat && !over => Event { action: Action::DrawHidden, ..*event },
            _ => *event,
        };
        let mut view = View {
            seat,
            hand: state.hands[seat],
            other: other.len(),
            shown: over.then_some(other),
            boneyard: state.bones,
            board: state.board,
            awaits,
            leader: state.leader,
            stage: state.stage,
            scores: state.scores,
            before: state.before,
            ended: state.ended,
            log: Log::new(),
        };
        // Filled in place, because a log is large and mostly empty.
        view.log.extend(state.log.iter().map(masked));
        view
    }

    /// Returns whether the leader must lead its strongest tile.
    pub(super) fn lead_is_forced(&self) -> bool {
        self.rules.lead == Leading::HighestDouble
    }
}
