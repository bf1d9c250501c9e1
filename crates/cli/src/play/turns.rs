//! An agent's turn at the table, and what the clocks show.

use std::time::Duration;

use parlor_core::{Cancel, Fault, Forfeit, Seat};
use parlor_lab::session::{Decided, Session, TableClocks, forfeited_by};

use super::screen::Screen;
use super::waiting::waiting;

/// Lets the agent to move decide, and says so if it forfeits.
pub fn agent_turn(
    screen: Screen,
    session: &mut Session,
    left: &Cancel,
    names: &[String],
) -> anyhow::Result<Decided> {
    let mut thinking = session.begin_decision()?;
    let name = format!("{} is thinking", names[thinking.seat().index()]);
    waiting(screen, &name, || thinking.decide(left, &mut |_| {}));
    let decided = session.commit(thinking)?;
    if let Decided::Forfeit(forfeit) = &decided {
        tell_forfeit(screen, forfeit, names)?;
    }
    Ok(decided)
}

/// Says whom the agent in `seat` took its opponent for, if a stage has ended since `stages` were over.
pub fn tell_types(
    screen: Screen,
    session: &mut Session,
    seat: Seat,
    names: &[String],
    stages: &mut u32,
) -> anyhow::Result<()> {
    let over = session.table().stages();
    if std::mem::replace(stages, over) < over
        && let Some(mut types) = session.opponent_types(seat)
    {
        types.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        let whom = if names[seat.other().index()] == "you" { "you" } else { "its opponent" };
        let odds = types.iter().map(|kind| format!("{} {:.1} %", kind.name, 100.0 * kind.probability));
        screen.say(format!(
            "  {} takes {whom} for: {}",
            names[seat.index()],
            odds.collect::<Vec<_>>().join(", ")
        ))?;
    }
    Ok(())
}

/// Says that a match has ended against someone.
pub fn tell_forfeit(screen: Screen, forfeit: &Forfeit, names: &[String]) -> anyhow::Result<()> {
    let over = if forfeit.why == Fault::Resigned { "Over: " } else { "" };
    Ok(screen.say(format!("{over}{}", forfeited_by(forfeit, names)))?)
}

/// Returns what the clocks show, one after the other; `None` if there are none.
pub fn in_words(clocks: &TableClocks, names: &[String]) -> Option<String> {
    let shown = |(name, seat): (&String, u8)| Some(format!("{name} {}", minutes(clocks.shown(Seat(seat))?)));
    let all: Option<Vec<String>> = names.iter().zip(0..).map(shown).collect();
    Some(format!("clocks: {}", all?.join(", ")))
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}.{}", seconds / 60, seconds % 60, time.subsec_millis() / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor_core::TimeControl;

    #[test]
    fn clocks_run_down_and_are_shown() {
        let names = ["you".to_owned(), "expert".to_owned()];
        let mut clocks = TableClocks::new(TimeControl::total(Duration::from_secs(125)), 2);
        assert!(clocks.spend(Seat(1), Duration::from_millis(5_300)));
        assert_eq!(in_words(&clocks, &names).unwrap(), "clocks: you 2:05.0, expert 1:59.7");
        assert!(!clocks.spend(Seat(0), Duration::from_secs(126)));
        assert_eq!(in_words(&TableClocks::new(TimeControl::default(), 2), &names), None);
    }
}
