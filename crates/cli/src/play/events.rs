//! What happened at the table, and how it came out, in words.

use parlor_core::api::{AnyTable, TableEvent};
use parlor_core::{Actor, Seat};
use parlor_lab::session::ended_by_rules;

use super::screen::Screen;

/// What was printed of the table so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// How many events of the seat.
    pub events: usize,
    /// Whether the last one revealed what was hidden, table included.
    pub revealed: bool,
}

/// Prints what `seat` has seen since `from`, and returns how much it has seen by now. What a seat does in a row without choosing, such as
/// drawing tiles, is one line.
pub fn tell(
    screen: Screen,
    table: &dyn AnyTable,
    seat: Seat,
    names: &[String],
    from: usize,
) -> anyhow::Result<Shown> {
    let events = table.events(seat, from, screen.ink);
    let same = |a: &TableEvent, b: &TableEvent| {
        let who = |event: &TableEvent| event.told.as_ref().map(|told| told.who);
        a.actor == Actor::Chance && b.actor == Actor::Chance && who(a) == who(b) && a.reveal.is_none()
    };
    let mut revealed = false;
    for run in events.chunk_by(same) {
        if revealed {
            // A new stage begins.
            screen.say("")?;
        }
        let told: Vec<&str> =
            run.iter().filter_map(|event| Some(event.told.as_ref()?.text.as_str())).collect();
        if let Some(told_first) = &run[0].told {
            screen.say(format!("  {}: {}", name(told_first.who, names), counted(&told, ", ")))?;
        }
        let reveal = run.iter().find_map(|event| event.reveal.as_ref());
        revealed = reveal.is_some();
        if let Some(reveal) = reveal {
            screen.draw(reveal)?;
        }
    }
    Ok(Shown { events: from + events.len(), revealed })
}

/// Prints everything that `seat` has seen, as saved games write it; what chance does in a row is one line.
pub fn log(screen: Screen, table: &dyn AnyTable, seat: Seat, names: &[String]) -> anyhow::Result<()> {
    let sights = table.sights(seat);
    for run in sights.chunk_by(|(a, _), (b, _)| *a == Actor::Chance && *b == Actor::Chance) {
        let texts: Vec<&str> = run.iter().map(|(_, text)| text.as_str()).collect();
        screen.say(format!("  {}: {}", name(run[0].0, names), counted(&texts, " ")))?;
    }
    Ok(())
}

fn name(actor: Actor, names: &[String]) -> &str {
    match actor {
        Actor::Seat(seat) => &names[seat.index()],
        Actor::Chance => "chance",
    }
}

/// Joins texts; one that is repeated is written once, with its number.
fn counted(texts: &[&str], between: &str) -> String {
    let runs = texts.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => run[0].to_owned(),
        times => format!("{} ({times} times)", run[0]),
    });
    runs.collect::<Vec<_>>().join(between)
}

/// Prints how the match came out: who won, and by how many points. `me` is the person's seat, if one plays.
pub fn tell_result(
    screen: Screen,
    table: &dyn AnyTable,
    payoffs: &[f64],
    names: &[String],
    me: Option<Seat>,
) -> anyhow::Result<()> {
    screen.say("")?;
    Ok(screen.say(format!("Over: {}", ended_by_rules(table, payoffs, names, me)))?)
}
