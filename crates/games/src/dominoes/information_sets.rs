//! Information sets of a stage, for solving it with hidden hands.
//!
//! An information set is the dealt hand followed by the events in order: the plays with the kind of their place, the
//! own draws as a set, the number of the other's draws. Boards that are mirror images of each other share information
//! sets, and so do draws in another order: tiles that do not fit are equivalent until one does.

use parlor_core::{InformationSets, Seat};

use super::Dominoes;
use super::board::Board;
use super::state::{Action, Event};
use super::tile::TileSet;
use super::view::View;

/// Tags of events. The lowest bit is set for events of the other seat.
const PLAYED: u8 = 64;
const DRAWN: u8 = 66;
const PASSED: u8 = 68;

impl Dominoes {
    /// Returns the hand that was dealt to the seat of a view.
    fn dealt_hand(view: &View) -> TileSet {
        let mut hand = view.hand;
        let mut drawn = TileSet::EMPTY;
        for event in view.log.iter().filter(|event| event.seat == view.seat) {
            match event.action {
                Action::Play(tile, _) => hand |= tile.into(),
                Action::Draw(tile) => drawn |= tile.into(),
                _ => {}
            }
        }
        hand - drawn
    }

    fn write_tiles(tiles: TileSet, memory: &mut Vec<u8>) {
        memory.push(tiles.len());
        memory.extend(tiles.tiles().map(|tile| tile.index() as u8));
    }

    /// Writes a run of draws by one seat.
    fn write_draws(&self, run: &[Event], seat: Seat, memory: &mut Vec<u8>) {
        let other = run[0].seat != seat;
        memory.push(DRAWN | u8::from(other));
        if other {
            memory.push(run.len() as u8);
            return;
        }
        let tile = |event: &Event| if let Action::Draw(tile) = event.action { Some(tile) } else { None };
        Self::write_tiles(run.iter().filter_map(tile).collect(), memory);
    }
}

impl InformationSets for Dominoes {
    fn recalls(&self) -> Result<(), String> {
        if self.rules.target.is_some() {
            let wrong = "a contest has too many stages to enumerate; take target=none, one stage";
            return Err(wrong.to_owned());
        }
        Ok(())
    }

    fn recall(&self, view: &View, memory: &mut Vec<u8>) {
        Self::write_tiles(Self::dealt_hand(view), memory);
        let mut board = Board::default();
        let is_draw = |event: &Event| matches!(event.action, Action::Draw(_) | Action::DrawHidden);
        for run in view.log.chunk_by(|one, next| is_draw(one) && is_draw(next) && one.seat == next.seat) {
            let other = u8::from(run[0].seat != view.seat);
            match run[0].action {
                Action::Play(tile, end) => {
                    memory.extend([PLAYED | other, tile.index() as u8]);
                    memory.extend(board.kind_of(end).to_le_bytes());
                    board.put(&self.rules, tile, end);
                }
                Action::Pass => memory.push(PASSED | other),
                _ => self.write_draws(run, view.seat, memory),
            }
        }
    }

    fn recall_everything(&self, view: &View, memory: &mut Vec<u8>) {
        memory.push(view.seat.0);
        Self::write_tiles(Self::dealt_hand(view), memory);
        for event in &view.log {
            let other = u8::from(event.seat != view.seat);
            match event.action {
                Action::Play(tile, end) => memory.extend([PLAYED | other, tile.index() as u8, end as u8]),
                Action::Draw(tile) => memory.extend([DRAWN | other, tile.index() as u8]),
                Action::DrawHidden => memory.push(DRAWN | other),
                _ => memory.push(PASSED | other),
            }
        }
    }

    fn label(&self, view: &View, action: Action) -> u32 {
        match action {
            Action::Play(tile, end) => (tile.index() as u32) << 16 | u32::from(view.board.kind_of(end)),
            _ => u32::MAX,
        }
    }
}
