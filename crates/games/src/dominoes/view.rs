//! What one seat knows.

use parlor_core::{BySeat, Seat};
use serde::{Deserialize, Serialize};

use super::Dominoes;
use super::board::{Board, End};
use super::plays::Plays;
use super::rules::{Leading, Rules};
use super::state::{Action, Event, Log, StageEnd, State, Step};
use super::tile::{Tile, TileSet};

/// What a seat is waiting for. In JSON the words are in lower case.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Awaits {
    /// Chance says who leads.
    Lead,
    /// Tiles are being dealt.
    Deal,
    /// This seat is to play.
    Play,
    /// This seat is to be given a tile.
    Draw,
    /// This seat must pass.
    Pass,
    /// It is the other seat's turn. Whether that one will play, draw or pass is not known.
    Other,
    /// Nothing: the match has ended.
    Over,
}

/// What one seat knows: its hand, the table, how many tiles the others are, and what has happened in this stage.
///
/// When the match has ended both hands are shown, and the log tells every tile that was drawn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// Whose view it is.
    pub seat: Seat,
    /// The seat's own tiles.
    pub hand: TileSet,
    /// How many tiles the other seat holds.
    pub other: u8,
    /// The other seat's tiles, once the match has ended.
    pub shown: Option<TileSet>,
    /// How many tiles are in the boneyard; during a deal, how many are not dealt yet.
    pub boneyard: u8,
    /// The tiles on the table.
    pub board: Board,
    /// What happens next, as far as the seat can tell.
    pub awaits: Awaits,
    /// Who leads this stage, once that is known.
    pub leader: Option<Seat>,
    /// The number of the stage, from 1.
    pub stage: u16,
    /// The scores of the contest so far.
    pub scores: BySeat<u16>,
    /// The scores when this stage began.
    pub before: BySeat<u16>,
    /// How the last finished stage ended; `None` in the first.
    pub ended: Option<StageEnd>,
    /// What has happened in this stage since the deal. The other seat's draws are [`Action::DrawHidden`].
    pub log: Log,
}

impl View {
    /// Returns what the seat may do: [`Plays`] in order; empty unless it is to play or pass.
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
    /// Returns the board after a play on it; the play must be possible there.
    #[inline]
    #[must_use]
    pub fn board_after(&self, board: &Board, tile: Tile, end: End) -> Board {
        board.after(&self.rules, tile, end)
    }

    /// Returns what a play scores by the board count, going out not included; the play must be possible there.
    #[inline]
    #[must_use]
    pub fn points_of(&self, board: &Board, tile: Tile, end: End) -> u8 {
        self.points_for(self.board_after(board, tile, end).count())
    }

    /// Returns what a board count scores for the seat that made it.
    #[inline]
    #[must_use]
    pub fn points_for(&self, count: u8) -> u8 {
        if self.rules.fives && count.is_multiple_of(5) { count } else { 0 }
    }

    pub(super) fn look(&self, state: &State, seat: Seat) -> View {
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
        // Filled where it lies: a log is large, and most of it is empty.
        view.log.extend(state.log.iter().map(masked));
        view
    }

    /// Returns whether a lead must be the strongest tile of the seat that leads.
    pub(super) fn lead_is_forced(&self) -> bool {
        self.rules.lead == Leading::HighestDouble
    }
}
