//! Positions, actions and views as text.
//!
//! A position is a deal: `hand 0 | hand 1 | boneyard`. An action is one word: `13@left`, `draw:13`, `pass`.

use parlor_core::text::notation::quoted;
use parlor_core::{BySeat, Ended, Happening, Ink, Notation, Position, ReadError, Seat, Sketch, Told};

use super::Dominoes;
use super::board::End;
use super::sheet::Sheet;
use super::state::{Action, How, State};
use super::tile::{Tile, TileSet};
use super::view::{Awaits, View};

/// The text of a hidden tile.
const HIDDEN: &str = "??";

/// Names of the parts of a position.
const PARTS: [&str; 3] = ["hand 0", "hand 1", "the boneyard"];

impl Dominoes {
    /// Returns the tile of this set with this text.
    pub(super) fn read_tile(&self, what: &'static str, text: &str) -> Result<Tile, ReadError> {
        let set = self.rules.set;
        let hint = format!("tiles run from 00 to {set}{set}, the smaller half first, like `12`");
        Tile::read(text).filter(|&tile| self.all.contains(tile)).ok_or_else(|| {
            ReadError::new(what, format!("{} is not a tile of double-{set}", quoted(text))).hint(hint)
        })
    }

    /// Returns the deal as a position text; `None` after the first play, or while tiles are dealt.
    #[must_use]
    pub fn write_deal(&self, state: &State) -> Option<String> {
        let ready = state.board.is_empty() && !state.hands.0.iter().any(|hand| hand.is_empty());
        let dealt = ready && state.step == super::Step::Play;
        let [first, second] = state.hands.0;
        dealt.then(|| format!("{first} | {second} | {}", state.boneyard).trim_end().to_owned())
    }

    /// Returns the state with these hands dealt; `None` if a hand is empty, or a tile is in both or not in this set.
    /// Seat 0 leads unless the rules determine the leader.
    #[must_use]
    pub fn dealt(&self, hands: BySeat<TileSet>) -> Option<State> {
        let [first, second] = hands.0;
        let apart = (first & second).is_empty() && ((first | second) - self.all).is_empty();
        if first.is_empty() || second.is_empty() || !apart {
            return None;
        }
        let boneyard = self.all - first - second;
        let mut state =
            State { hands, boneyard, bones: boneyard.len(), leader: Some(Seat::FIRST), ..self.fresh() };
        self.begin(&mut state);
        Some(state)
    }

    fn read_deal(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |wrong: String| ReadError::new("position", wrong);
        let found = text.split('|').count();
        if found != 3 {
            return Err(wrong(format!("{found} parts where a position has three")).hint(
                "a position is `hand 0 | hand 1 | boneyard`, like `00 01 02 | 03 11 12 | 13 22 23 33`",
            ));
        }
        let mut parts = [TileSet::EMPTY; 3];
        let mut at = 1;
        for (part, words) in text.split('|').enumerate() {
            for (start, word) in words_with_places(words) {
                let place = at + start;
                let tile = self.read_tile("position", word).map_err(|e| e.at(place))?;
                if let Some(twice) = parts.iter().position(|set| set.contains(tile)) {
                    let wrong = wrong(format!("tile {tile} is already in {}", PARTS[twice]));
                    return Err(wrong.at(place).hint("every tile is in one place"));
                }
                parts[part] |= tile.into();
            }
            at += words.chars().count() + 1;
        }
        let [first, second, boneyard] = parts;
        let missing = self.all - first - second - boneyard;
        if !missing.is_empty() {
            let tiles = if missing.len() == 1 { "tile" } else { "tiles" };
            return Err(wrong(format!("{tiles} {missing} of double-{} missing", self.rules.set))
                .hint("tiles that neither seat holds belong to the boneyard, the third part"));
        }
        self.dealt(BySeat([first, second])).ok_or_else(|| {
            let empty = if first.is_empty() { PARTS[0] } else { PARTS[1] };
            wrong(format!("{empty} is empty")).hint("each seat holds at least one tile")
        })
    }
}

/// Returns the words of a text with their positions, counted in characters from 0.
fn words_with_places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| {
        let bytes = word.as_ptr() as usize - text.as_ptr() as usize;
        (text[..bytes].chars().count(), word)
    })
}

impl Notation for Dominoes {
    type Sheet = Sheet;

    fn sheet(&self, view: &View) -> Sheet {
        self.write_sheet(view)
    }

    fn read_view(&self, sheet: &Sheet) -> Result<View, ReadError> {
        self.read_sheet(sheet)
    }

    fn write_action(&self, action: Action) -> String {
        match action {
            Action::Lead(seat) => format!("leads:{seat}"),
            Action::Deal(tile) => format!("deal:{tile}"),
            Action::DealHidden => format!("deal:{HIDDEN}"),
            Action::Draw(tile) => format!("draw:{tile}"),
            Action::DrawHidden => format!("draw:{HIDDEN}"),
            Action::Play(tile, end) => format!("{tile}@{}", end.word()),
            Action::Pass => "pass".to_owned(),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadError> {
        let tile = |text: &str| self.read_tile("move", text);
        if let Some((played, end)) = text.split_once('@') {
            let tile = tile(played)?;
            let end = End::read(end).ok_or_else(|| {
                ReadError::new("move", format!("{} is not an end", quoted(end)))
                    .hint("ends are start, left, right, up and down")
            })?;
            return Ok(Action::Play(tile, end));
        }
        match text.split_once(':') {
            None if text == "pass" => Ok(Action::Pass),
            Some(("leads", "0")) => Ok(Action::Lead(Seat::FIRST)),
            Some(("leads", "1")) => Ok(Action::Lead(Seat::SECOND)),
            Some(("deal", HIDDEN)) => Ok(Action::DealHidden),
            Some(("draw", HIDDEN)) => Ok(Action::DrawHidden),
            Some(("deal", dealt)) => tile(dealt).map(Action::Deal),
            Some(("draw", drawn)) => tile(drawn).map(Action::Draw),
            _ => Err(ReadError::new("move", format!("{} is not a move", quoted(text)))
                .hint("a move is a tile and an end, like `12@left`, or `pass`")),
        }
    }

    /// Returns the play that a text denotes: the whole text, or the tile alone if it fits at one end only.
    fn understand(&self, legal: &[Action], text: &str) -> Result<Action, ReadError> {
        let text = text.trim();
        if let Some(tile) = Tile::read(text) {
            let mut plays = legal.iter().filter(|a| matches!(a, Action::Play(t, _) if *t == tile));
            if let (Some(&only), None) = (plays.next(), plays.next()) {
                return Ok(only);
            }
            if legal.iter().any(|a| matches!(a, Action::Play(t, _) if *t == tile)) {
                return Err(ReadError::new("move", format!("`{tile}` fits at more than one end"))
                    .hint(format!("name the end, like `{tile}@left`")));
            }
            return Err(self.not_legal(legal, text));
        }
        let action = self.read_action(text)?;
        if legal.contains(&action) { Ok(action) } else { Err(self.not_legal(legal, text)) }
    }

    fn view_actions(&self, view: &View) -> Vec<Action> {
        view.plays(&self.rules).collect()
    }

    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError> {
        self.read_deal(text).map(Position::State)
    }

    /// Returns `None`: a position text contains both hands, which a seat does not know. See [`Dominoes::write_deal`].
    fn write_position(&self, _: &View) -> Option<String> {
        None
    }

    fn draw(&self, view: &View, ink: Ink) -> String {
        self.draw_view(view, ink)
    }

    fn status(&self, view: &View) -> String {
        let me = view.seat;
        // Shown until the seat has acted in the new stage, because the board of the last one is gone by then.
        let news = match view.ended {
            Some(end) if view.awaits != Awaits::Over && view.log.iter().all(|event| event.seat != me) => {
                let how = match end.how {
                    How::Out(seat) if seat == me => "you went out",
                    How::Out(_) => "the other went out",
                    How::Blocked => "blocked",
                };
                let points = format!("you +{}, other +{}", end.points[me], end.points[me.other()]);
                format!("last stage: {how}, {points}; ")
            }
            _ => String::new(),
        };
        format!("{news}{}", self.standing(view))
    }

    fn rules(&self) -> String {
        self.rules_text()
    }

    /// The end of the last stage is left out: it was shown with its table.
    fn status_for(&self, view: &View, _: Seat) -> String {
        self.standing(view)
    }

    fn points(&self, view: &View, seat: Seat) -> Option<[u32; 2]> {
        Some([seat, seat.other()].map(|seat| u32::from(view.scores[seat])))
    }

    fn tell(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        self.tell_play(happening)
    }

    fn reveal(&self, ended: &Ended<'_, Self>, sketch: &Sketch<'_, Action>) -> Option<String> {
        self.reveal_stage(ended, sketch)
    }
}

impl Dominoes {
    /// Returns stage, scores and whose turn it is.
    fn standing(&self, view: &View) -> String {
        let me = view.seat;
        let scores = format!("you {}; other {}", view.scores[me], view.scores[me.other()]);
        let stage = match self.rules.target {
            Some(target) => format!("stage {}, target {target}; ", view.stage),
            None => String::new(),
        };
        let next = match view.awaits {
            Awaits::Lead | Awaits::Deal => "dealing".to_owned(),
            Awaits::Play => "your turn".to_owned(),
            Awaits::Draw => "you draw".to_owned(),
            Awaits::Pass => "you must pass".to_owned(),
            Awaits::Other => "the other's turn".to_owned(),
            Awaits::Over => "over".to_owned(),
        };
        format!("{stage}{scores}; {next}")
    }
}
