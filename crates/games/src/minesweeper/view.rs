//! The player's view.

use crate::board::bits::Word;

/// The player's view: opened cells with their numbers, and the status of the match.
///
/// It contains nothing about covered cells or the order of the clicks.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct View<W> {
    opened: W,
    /// Bit planes of the numbers, 0 outside `opened`: bit *i* of plane *p* is worth 2ᵖ for cell *i*.
    numbers: [W; 4],
    status: Status,
}

/// The status of a match for its player.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The player is to click.
    ToMove,
    /// Mines are being laid. A pending first click is open but has no number yet.
    Laying,
    /// This cell was clicked and is a mine.
    Lost(u16),
    /// Every cell without a mine is open.
    Won,
}

impl<W: Word> View<W> {
    /// Returns a view; numbers outside `opened` are dropped.
    pub(super) fn new(opened: W, numbers: [W; 4], status: Status) -> Self {
        View { opened, numbers: numbers.map(|plane| plane & opened), status }
    }

    /// Returns the view before the first click.
    #[must_use]
    pub fn untouched() -> Self {
        View::new(W::ZERO, [W::ZERO; 4], Status::ToMove)
    }

    /// Returns this view with one more cell open, which shows `number`; a 0 opens nothing beside it.
    pub(super) fn with(&self, cell: u16, number: u8) -> Self {
        let cell = W::bit(u32::from(cell));
        let mut view = *self;
        view.opened |= cell;
        for (p, plane) in view.numbers.iter_mut().enumerate() {
            *plane = if number >> p & 1 == 1 { *plane | cell } else { *plane & !cell };
        }
        view
    }

    /// Returns the opened cells, without an exploded one.
    #[must_use]
    pub const fn opened(&self) -> W {
        self.opened
    }

    /// Returns the status of the match.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns the number that a cell shows: its neighbours that are mines; `None` if it shows no number.
    #[must_use]
    pub fn number(&self, cell: u16) -> Option<u8> {
        let cell = u32::from(cell);
        let shown = self.opened.has(cell) && self.status != Status::Laying;
        shown.then(|| (0..4).map(|p| u8::from(self.numbers[p].has(cell)) << p).sum())
    }

    /// Returns whether opening more cells, or none, can lead from `earlier` to this view.
    #[must_use]
    pub fn follows(&self, earlier: &Self) -> bool {
        let still = |now: W, then: W| now & earlier.opened == then;
        self.status == Status::ToMove
            && earlier.status == Status::ToMove
            && still(self.opened, earlier.opened)
            && self.numbers.iter().zip(earlier.numbers).all(|(&now, then)| still(now, then))
    }

    /// Returns the mine that was clicked; `None` before.
    #[must_use]
    pub const fn exploded(&self) -> Option<u16> {
        match self.status {
            Status::Lost(cell) => Some(cell),
            _ => None,
        }
    }

    /// Returns the opened cells that show a 0.
    #[must_use]
    pub fn zeros(&self) -> W {
        if self.status == Status::Laying {
            return W::ZERO;
        }
        self.numbers.iter().fold(self.opened, |zeros, &plane| zeros & !plane)
    }
}
