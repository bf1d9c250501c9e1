//! Text forms of positions and actions, drawings for terminals, and the typed JSON of a view.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::rules::game::Game;
use crate::rules::seat::Seat;
use crate::text::people::{Ended, Happening, Sketch, Told};
use crate::text::shown::cut_and_mapped;

/// Text from outside that could not be understood: what is wrong, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct ReadError {
    /// What was being read: "column string", "move", "hand".
    pub what: &'static str,
    /// What is wrong, as the second half of a sentence.
    pub wrong: String,
    /// Where, counted in characters from 1.
    pub at: Option<usize>,
    /// What would be right.
    pub hint: Option<String>,
}

impl ReadError {
    /// An error without a place or a hint.
    pub fn new(what: &'static str, wrong: impl Into<String>) -> Self {
        ReadError { what, wrong: wrong.into(), at: None, hint: None }
    }

    /// Adds the place, counted in characters from 1.
    #[must_use]
    pub fn at(mut self, at: usize) -> Self {
        self.at = Some(at);
        self
    }

    /// Adds what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn sentence(&self) -> String {
        let place = self.at.map(|at| format!(", character {at}")).unwrap_or_default();
        let hint = self.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{}{place}: {}{hint}", self.what, self.wrong)
    }
}

/// Shortens text from outside so that an error message stays a sentence.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    format!("`{}`", cut_and_mapped(text, LONGEST, |c, shown| shown.extend(c.escape_debug())))
}

/// How a board is drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ink {
    /// Plain ASCII instead of Unicode.
    pub ascii: bool,
    /// Colours by ANSI escapes; for terminals only.
    pub colour: bool,
}

impl Ink {
    /// Returns `unicode`, or `ascii` if that is asked for.
    #[must_use]
    pub const fn pick<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.ascii { ascii } else { unicode }
    }

    /// Returns `text` in an ANSI style such as `"31"` (red) or `"1;34"` (bold blue), if colours are on.
    #[must_use]
    pub fn paint(&self, style: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// What a position text describes: the whole truth, or only what one seat sees of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Position<G: Game> {
    /// Nothing is left open.
    State(G::State),
    /// The text leaves hidden things open (mines under covered cells).
    View(G::View),
}

/// How a game is written and drawn.
///
/// # Promises
/// - `read_action(write_action(a)) == a` for every action, masked ones included; the text has no white space.
/// - `read_view(sheet(v)) == v` for every view, also after a round trip through JSON.
/// - Readers answer nonsense with a [`ReadError`], never with a panic.
pub trait Notation: Game {
    /// The JSON form of a view: plain data with named fields, documented in the guide.
    type Sheet: Serialize + DeserializeOwned;

    /// Returns the JSON form of a view.
    fn sheet(&self, view: &Self::View) -> Self::Sheet;

    /// Returns the view that a sheet describes.
    ///
    /// # Errors
    /// If the sheet's fields do not fit each other or the rules.
    fn read_view(&self, sheet: &Self::Sheet) -> Result<Self::View, ReadError>;

    /// Returns an action's text.
    fn write_action(&self, action: Self::Action) -> String;

    /// Returns the action that a text stands for, whether or not it is allowed anywhere just now.
    ///
    /// # Errors
    /// If the text is not an action of this game on this board.
    fn read_action(&self, text: &str) -> Result<Self::Action, ReadError>;

    /// Returns what a seat may do, in the order in which [`Game::actions`] lists it, from its view alone; empty unless
    /// the seat is to move.
    fn view_actions(&self, view: &Self::View) -> Vec<Self::Action>;

    /// Returns the one of `legal` that a person means by `text`. Games with looser conventions (the square numbers of
    /// draughts) override this.
    ///
    /// # Errors
    /// If the text is not an action, or not a legal one.
    fn understand(&self, legal: &[Self::Action], text: &str) -> Result<Self::Action, ReadError> {
        let text = text.trim();
        let action = self.read_action(text)?;
        if legal.contains(&action) { Ok(action) } else { Err(self.not_legal(legal, text)) }
    }

    /// Returns the error for a well-formed action that is not allowed here.
    fn not_legal(&self, legal: &[Self::Action], text: &str) -> ReadError {
        const SHOWN: usize = 8;
        let mut some: Vec<String> = legal.iter().take(SHOWN).map(|&a| self.write_action(a)).collect();
        if legal.len() > SHOWN {
            some.push("…".to_owned());
        }
        let hint = if some.is_empty() {
            "no seat is to move".to_owned()
        } else {
            format!("legal: {}", some.join(" "))
        };
        ReadError::new("move", format!("{} is not legal here", quoted(text))).hint(hint)
    }

    /// Returns the position that a text describes, in the form that the guide defines for the game.
    ///
    /// # Errors
    /// If the text is not a position of this game.
    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError>;

    /// Returns the position text of what a seat sees, where the game's position form can express it. Reading the text and
    /// writing it again gives the same text.
    fn write_position(&self, view: &Self::View) -> Option<String>;

    /// Draws what a seat sees, with a newline after each row. Nothing that the view does not hold can be drawn.
    fn draw(&self, view: &Self::View, ink: Ink) -> String;

    /// Returns the running score and other facts that a player wants beside the board, in one line.
    fn status(&self, view: &Self::View) -> String;

    /// Returns the rules for a person who has never played, with what moves look like: about ten lines of at most 78 characters.
    /// Empty if none are written.
    fn rules(&self) -> String {
        String::new()
    }

    /// Returns what a seat plays with, in its own words: `X`, `red`; `None` if it has no name, or none yet.
    fn side(&self, _view: &Self::View, _seat: Seat, _ink: Ink) -> Option<String> {
        None
    }

    /// Draws what a seat sees for the person who sits there, as [`draw`](Notation::draw) does.
    fn draw_for(&self, view: &Self::View, sketch: &Sketch<'_, Self::Action>) -> String {
        self.draw(view, sketch.ink)
    }

    /// Returns [`status`](Notation::status) for the person in `seat`, who is `you`.
    fn status_for(&self, view: &Self::View, _seat: Seat) -> String {
        self.status(view)
    }

    /// Returns the points of `seat` and of the other one so far, in games that count points.
    fn points(&self, _view: &Self::View, _seat: Seat) -> Option<[u32; 2]> {
        None
    }

    /// Returns what happened in words; `None` for what is shown only on request, such as a deal.
    fn tell(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        Some(Told { who: happening.actor, text: self.write_action(happening.action) })
    }

    /// Returns what `seat` may see now that a stage or the match has ended: the last table with both hands, the mines. `None` if
    /// nothing has ended, or nothing was hidden.
    fn reveal(&self, _ended: &Ended<'_, Self>, _sketch: &Sketch<'_, Self::Action>) -> Option<String> {
        None
    }

    /// Returns the actions that a person may mark on the board to remember something, as flags do in minesweeper.
    fn markable(&self, _view: &Self::View) -> Vec<Self::Action> {
        Vec::new()
    }
}
