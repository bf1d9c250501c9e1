//! What a table shows to one viewer. Everything comes from the view of a seat and from what it has seen.

use parlor_core::api::{AnyGame, AnyTable, TableEvent};
use parlor_core::{Actor, Ink, Place, Seat, Spec};
use parlor_lab::session::{Occupant, Session, SessionEnd, Turn, ended_by_rules, forfeited_by};
use serde_json::{Map, Value, json};

use super::table::Viewer;

/// How boards are drawn as text.
const INK: Ink = Ink { ascii: false, colour: false };

/// Returns the JSON of who acts.
pub fn actor(actor: Actor) -> Value {
    match actor {
        Actor::Seat(seat) => seat.0.into(),
        Actor::Chance => "chance".into(),
    }
}

/// Returns the JSON of a place on the grid.
pub fn place(place: &Place) -> Value {
    json!({"cells": place.cells.as_slice(), "kind": place.kind})
}

/// Returns the JSON of an event.
pub fn event(event: &TableEvent) -> Value {
    let mut fields = Map::new();
    fields.insert("actor".to_owned(), actor(event.actor));
    fields.insert("action".to_owned(), event.action.clone().into());
    fields.insert("text".to_owned(), event.told.as_ref().map(|told| told.text.clone()).into());
    if let Some(told) = &event.told {
        fields.insert("who".to_owned(), actor(told.who));
    }
    if let Some(at) = &event.place {
        fields.insert("place".to_owned(), place(at));
    }
    if let Some(reveal) = &event.reveal {
        fields.insert("reveal".to_owned(), reveal.clone().into());
    }
    Value::Object(fields)
}

/// The events of a viewer as JSON, kept so that each is written once.
#[derive(Clone, Debug, Default)]
pub struct Log {
    events: Vec<(Actor, String)>,
}

impl Log {
    /// Adds what has happened since.
    pub fn catch_up(&mut self, table: &dyn AnyTable, seat: Seat) {
        let new = table.events(seat, self.events.len(), INK);
        self.events.extend(new.iter().map(|new| (new.actor, event(new).to_string())));
    }

    /// Forgets everything: something was taken back.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Returns how many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns the events from the last decision of `seat` on, its own included.
    fn since_own(&self, seat: Seat) -> &[(Actor, String)] {
        let own = self.events.iter().rposition(|(actor, _)| *actor == Actor::Seat(seat));
        // Without a decision of its own: the deal and what the other seat has done.
        let first = || self.events.iter().position(|(actor, _)| *actor != Actor::Chance);
        &self.events[own.or_else(first).unwrap_or(self.events.len())..]
    }
}

fn list(events: &[(Actor, String)]) -> String {
    let texts: Vec<&str> = events.iter().map(|(_, text)| text.as_str()).collect();
    format!("[{}]", texts.join(","))
}

/// What a snapshot is made of.
pub struct Sight<'a> {
    /// The table's id.
    pub id: &'a str,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The match.
    pub session: &'a Session,
    /// Whose turn it is.
    pub turn: &'a Turn,
    /// Who looks.
    pub viewer: Viewer,
    /// What the viewer has seen happen.
    pub log: &'a Log,
    /// Further fields.
    pub more: Vec<(&'static str, Value)>,
}

/// Returns the seat whose view a viewer gets; `None` where it gets none.
pub fn shoulder(game: &dyn AnyGame, viewer: Viewer, is_over: bool) -> Option<Seat> {
    match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Watcher => Some(Seat::FIRST),
        // Where one plays alone, there is nobody from whom anything is hidden that the player sees.
        Viewer::Public => (game.is_open() || game.seats() == 1 || is_over).then_some(Seat::FIRST),
    }
}

/// Returns how the match ended, as JSON.
fn over(sight: &Sight<'_>, names: &[String], me: Option<Seat>) -> (Value, Value) {
    let table = sight.session.table();
    match sight.turn {
        Turn::Over(SessionEnd::Finished(payoffs)) => {
            let winner = match payoffs[..] {
                [payoff] => (payoff > 0.0).then_some(0),
                [first, second] if first == second => None,
                _ => Some(u8::from(payoffs[1] > payoffs[0])),
            };
            let text = ended_by_rules(table, payoffs, names, me);
            (json!({"ending": "finished", "winner": winner, "text": text}), json!(payoffs))
        }
        Turn::Over(SessionEnd::Forfeit(forfeit)) => {
            let winner = (sight.game.seats() > 1).then(|| forfeit.seat.other().0);
            let text = forfeited_by(forfeit, names);
            let payoffs = sight.session.table().saved(&[]).payoffs;
            (json!({"ending": forfeit.to_string(), "winner": winner, "text": text}), json!(payoffs))
        }
        Turn::Person(_) | Turn::Agent(_) => (Value::Null, Value::Null),
    }
}

/// Returns a snapshot as text, without its closing brace: the clocks are added when it is sent.
pub fn write(sight: &Sight<'_>) -> String {
    let Sight { id, game, session, turn, viewer, log, .. } = sight;
    let table = session.table();
    let is_over = matches!(turn, Turn::Over(_));
    let me = match viewer {
        Viewer::Seat(seat) => Some(*seat),
        Viewer::Watcher | Viewer::Public => None,
    };
    let shoulder = shoulder(*game, *viewer, is_over);
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("table", (*id).into());
    put("game", game.spec().into());
    put("name", game.name().into());
    put("ply", log.len().into());
    put("seat", me.map(|seat| seat.0).into());
    let seats = session.seats().iter().zip(session.names()).map(|(occupant, name)| match occupant {
        Occupant::Person(name) => json!({"kind": "human", "name": name}),
        Occupant::Agent(spec) => json!({"kind": "agent", "name": Spec::bare_name(name), "agent": spec}),
    });
    put("seats", seats.collect());
    let all = || Seat::all(game.seats());
    if let Some(seat) = shoulder {
        put("sides", all().map(|of| json!(table.side(of, INK))).collect());
        put("points", points(table, seat));
        put("view", table.view_json(seat)["view"].take());
        put("drawing", table.draw_for(seat, INK, &[]).into());
        put("status", table.status_for(seat).into());
        put("position", table.position(seat).into());
        if is_over || *viewer == Viewer::Watcher {
            put("views", all().map(|of| table.view_json(of)["view"].take()).collect());
        }
    } else {
        for name in ["sides", "points", "view", "drawing", "status", "position"] {
            put(name, Value::Null);
        }
    }
    let grid = game.cells().ok().map(|cells| cells.layout());
    put("grid", grid.map_or(Value::Null, |grid| json!({"width": grid.width, "height": grid.height})));
    let is_my_turn = me.is_some_and(|me| **turn == Turn::Person(me));
    let (actions, places) = if is_my_turn { choices(table) } else { (Vec::new(), Vec::new()) };
    put("actions", actions.into());
    put("places", places.into());
    let (to_move, is_agent) = match turn {
        Turn::Person(seat) => (Some(seat.0), false),
        Turn::Agent(seat) => (Some(seat.0), true),
        Turn::Over(_) => (None, false),
    };
    put("to_move", to_move.into());
    put("thinking", is_agent.into());
    let names: Vec<String> = session.names().iter().map(|name| Spec::bare_name(name).to_owned()).collect();
    let names = called(names, session.seats(), me);
    let (end, payoffs) = over(sight, &names, me);
    let hides = game.seats() > 1 && !game.is_open();
    let decided = me.is_some_and(|me| log.events.iter().any(|(actor, _)| *actor == Actor::Seat(me)));
    put(
        "can",
        json!({
            "act": is_my_turn,
            "undo": decided && !hides,
            "resign": me.is_some() && !is_over,
            "saved": is_over || (game.is_open() && shoulder.is_some()),
            "hint": is_my_turn || (*viewer == Viewer::Watcher && !is_over),
        }),
    );
    put("over", end);
    put("payoffs", payoffs);
    for (name, value) in &sight.more {
        put(name, value.clone());
    }
    let mut text = Value::Object(fields).to_string();
    text.pop();
    let nobody = || "[]".to_owned();
    let last = shoulder.map_or_else(nobody, |seat| list(log.since_own(seat)));
    let events = shoulder.map_or_else(nobody, |_| list(&log.events));
    text.push_str(&format!(",\"last\":{last},\"log\":{events}"));
    text
}

/// Returns the points of the seats in their order.
fn points(table: &dyn AnyTable, seat: Seat) -> Value {
    let Some([own, other]) = table.points(seat) else { return Value::Null };
    if seat == Seat::FIRST { json!([own, other]) } else { json!([other, own]) }
}

/// Returns what people are called in sentences: the reader is `you`.
fn called(mut names: Vec<String>, seats: &[Occupant], me: Option<Seat>) -> Vec<String> {
    let doubled = names.len() == 2 && names[0] == names[1];
    for (at, (name, occupant)) in names.iter_mut().zip(seats).enumerate() {
        match occupant {
            Occupant::Person(_) if me.is_some_and(|me| me.index() == at) => "you".clone_into(name),
            Occupant::Person(person) => person.clone_into(name),
            Occupant::Agent(_) if doubled => *name = format!("{name} (seat {at})"),
            Occupant::Agent(_) => {}
        }
    }
    names
}

/// Returns what the seat to move may do, with the places.
fn choices(table: &dyn AnyTable) -> (Vec<String>, Vec<Value>) {
    let actions = table.actions();
    let mut places = Vec::new();
    if let Ok(cells) = table.cells() {
        cells.places(&mut places);
    }
    (actions, places.iter().map(place).collect())
}
