//! What the player sees.

use crate::board::bits::Word;

/// What the player sees: opened cells with their numbers, and how the match stands.
///
/// Nothing about covered cells is in here, and nothing about the order of the clicks.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct View<W> {
    opened: W,
    /// Numbers in binary, 0 outside `opened`: bit *i* of plane *p* is worth 2ᵖ for cell *i*.
    numbers: [W; 4],
    standing: Standing,
}

/// How a match stands for its player.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// A click is due.
    ToMove,
    /// Mines are being laid. A first click that waits for them is open but has no number yet.
    Laying,
    /// This cell was clicked and is a mine.
    Lost(u16),
    /// Every cell without a mine is open.
    Won,
}

impl<W: Word> View<W> {
    /// Makes a view; numbers outside `opened` are dropped.
    pub(super) fn new(opened: W, numbers: [W; 4], standing: Standing) -> Self {
        View { opened, numbers: numbers.map(|plane| plane & opened), standing }
    }

    /// What the player sees before the first click.
    #[must_use]
    pub fn untouched() -> Self {
        View::new(W::ZERO, [W::ZERO; 4], Standing::ToMove)
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

    /// Returns the opened cells, an exploded one not among them.
    #[must_use]
    pub const fn opened(&self) -> W {
        self.opened
    }

    /// Returns how the match stands.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// Returns the number in a cell: how many of its neighbours are mines; `None` where none is shown.
    #[must_use]
    pub fn number(&self, cell: u16) -> Option<u8> {
        let cell = u32::from(cell);
        let shown = self.opened.has(cell) && self.standing != Standing::Laying;
        shown.then(|| (0..4).map(|p| u8::from(self.numbers[p].has(cell)) << p).sum())
    }

    /// Returns whether this can have come out of `earlier` by opening more cells, or none.
    #[must_use]
    pub fn follows(&self, earlier: &Self) -> bool {
        let still = |now: W, then: W| now & earlier.opened == then;
        self.standing == Standing::ToMove
            && earlier.standing == Standing::ToMove
            && still(self.opened, earlier.opened)
            && self.numbers.iter().zip(earlier.numbers).all(|(&now, then)| still(now, then))
    }

    /// Returns the mine that was clicked, if one was.
    #[must_use]
    pub const fn exploded(&self) -> Option<u16> {
        match self.standing {
            Standing::Lost(cell) => Some(cell),
            _ => None,
        }
    }

    /// Returns the opened cells that show a 0.
    #[must_use]
    pub fn zeros(&self) -> W {
        if self.standing == Standing::Laying {
            return W::ZERO;
        }
        self.numbers.iter().fold(self.opened, |zeros, &plane| zeros & !plane)
    }
}
