//! The game for people at a table: rules in a few lines, plays in words, and the end of a stage with both hands.

use parlor_core::{Actor, Ended, Happening, Notation, Seat, Sketch, Told};

use super::rules::{Arms, Blocked, Bonus, Drawing, Leading, Spinner};
use super::state::{Action, Event, How, State, Step};
use super::view::{Awaits, View};
use super::{Dominoes, TileSet};

impl Dominoes {
    pub(super) fn rules_text(&self) -> String {
        let rules = &self.rules;
        let spinner = match (rules.spinner, rules.arms) {
            (Spinner::None, _) => "The line has two ends, left and right.",
            (Spinner::FirstTile, _) => {
                "If the first tile is a double, two more arms grow from it, up and down."
            }
            (Spinner::FirstDouble, Arms::Immediate) => {
                "From the first double, the spinner, two more arms grow: up and down."
            }
            (Spinner::FirstDouble, Arms::Both) => {
                "From the first double, the spinner, two more arms grow, up and down, once\nboth its sides are covered."
            }
        };
        let fives = if rules.fives {
            "If the open ends add up to a multiple of five, you score that sum; a double\nat an end counts twice.\n"
        } else {
            ""
        };
        let draw = match rules.draw {
            Drawing::Until => {
                "If no tile fits, you draw from the boneyard until one does; if it is empty,\nyou pass."
            }
            Drawing::OneThenPlay => "If no tile fits, you draw one, and pass if that does not fit either.",
            Drawing::OneEndsTurn => "If no tile fits, you draw one, and your turn is over.",
        };
        let bonus = match rules.bonus {
            Bonus::Pips => {
                "Who plays the last tile of a hand ends the stage and scores the pips that the\nother still holds."
            }
            Bonus::Five => {
                "Who plays the last tile of a hand ends the stage and scores the pips that the\nother still holds, rounded to a multiple of five."
            }
            Bonus::None => "Who plays the last tile of a hand ends the stage.",
        };
        let blocked = match rules.blocked {
            Blocked::Each => "If nobody can play, each scores the other's pips.",
            Blocked::Lower => "If nobody can play, the lower hand scores the other's pips.",
            Blocked::Difference => "If nobody can play, the lower hand scores the difference of the pips.",
            Blocked::Nothing => "If nobody can play, the stage ends without further points.",
        };
        let lead = match rules.lead {
            Leading::Free => "",
            Leading::HighestDouble => " The highest double leads.",
        };
        let target = match rules.target {
            Some(target) => format!("The first score above {target} wins the contest."),
            None => "There is one stage; more points win.".to_owned(),
        };
        format!(
            "Each player has {} of the {} tiles of double-{}; the rest is the boneyard.{lead}\n\
             In turn, you put a tile with its matching half at an open end.\n\
             {spinner}\n\
             {fives}{draw}\n\
             {bonus} {blocked}\n\
             {target}\n\
             \n\
             `13@left` puts the tile [1|3] at the left end; `13` is enough if it fits once.",
            rules.hand,
            self.all.len(),
            rules.set
        )
    }

    pub(super) fn tell_play(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        let before = happening.before;
        // A draw is a seat's affair to people, though chance chooses the tile.
        let drawing = match before.awaits {
            Awaits::Other => happening.seat.other(),
            _ => happening.seat,
        };
        let (who, text) = match happening.action {
            Action::Lead(_) | Action::Deal(_) | Action::DealHidden => return None,
            Action::Draw(tile) => (Actor::Seat(drawing), format!("drew {tile}")),
            Action::DrawHidden => (Actor::Seat(drawing), "drew a tile".to_owned()),
            Action::Pass => (happening.actor, "passed".to_owned()),
            Action::Play(tile, end) => {
                let mut text = self.write_action(happening.action);
                match self.points_of(&before.board, tile, end) {
                    0 => {}
                    points => text.push_str(&format!(", +{points} for fives")),
                }
                (happening.actor, text)
            }
        };
        Some(Told { who, text })
    }

    pub(super) fn reveal_stage(
        &self,
        ended: &Ended<'_, Self>,
        sketch: &Sketch<'_, Action>,
    ) -> Option<String> {
        let &Ended { before, action, after } = ended;
        if after.stage == before.stage && after.step != Step::Over {
            return None;
        }
        // The table as the last action left it: the state may be that of the next stage already.
        let mut last = before.clone();
        let mover = before.turn;
        let mut points = 0;
        if let Action::Play(tile, end) = action {
            points = self.points_of(&before.board, tile, end);
            last.hands[mover] -= tile.into();
            last.board = self.board_after(&before.board, tile, end);
        }
        last.log.push(Event { seat: mover, action, points });
        let seat = sketch.seat;
        let view = View { shown: Some(last.hands[seat.other()]), ..self.view_of(&last, seat) };
        let [own, other] = [seat, seat.other()].map(|seat| after.scores[seat]);
        Some(format!(
            "{}stage {}: {}\nscore     {own} : {other}\n",
            self.draw_view(&view, sketch.ink),
            before.stage,
            self.end_in_words(before, &last, after, seat, points)
        ))
    }

    /// Returns how a stage ended and what that brought, to the person in `seat`.
    fn end_in_words(&self, before: &State, last: &State, after: &State, seat: Seat, points: u8) -> String {
        let mover = before.turn;
        let score = before.scores[mover] + u16::from(points);
        let name = if mover == seat { "you" } else { "the other" };
        if let Some(target) = self.rules.target.filter(|&target| score > target) {
            return format!("{name} passed {target} points");
        }
        match after.ended {
            Some(end) if end.how == How::Blocked => {
                let [own, other] = [seat, seat.other()].map(|seat| end.points[seat]);
                let [pips, others] = [seat, seat.other()].map(|seat| last.hands[seat]).map(TileSet::pips);
                format!("blocked with {pips} pips against {others}: you +{own}, the other +{other}")
            }
            Some(end) if end.points[mover] > 0 => {
                format!("{name} went out, +{} for the tiles that are left", end.points[mover])
            }
            _ => format!("{name} went out"),
        }
    }
}
