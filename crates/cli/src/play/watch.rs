//! Two agents play, a person watches.

use anyhow::bail;
use parlor_catalog::OpenedGame;
use parlor_core::{Seat, Spec};
use parlor_lab::session::{Decided, Occupant, Session, SessionEnd, Turn};

use crate::args::PlayArgs;
use crate::run_support::{leave_on_ctrl_c, store_to_record};

use super::events::{tell, tell_result};
use super::keep::Keep;
use super::screen::Screen;
use super::turns::agent_turn;
use super::{pause, setup, show};

pub fn run(
    screen: Screen,
    game: &dyn OpenedGame,
    seed: u64,
    agents: &[String],
    args: &PlayArgs,
) -> anyhow::Result<()> {
    if agents.len() != usize::from(game.seats()) {
        bail!("{} has {} seats: --watch takes as many agents", game.name(), game.seats());
    }
    let seats = agents.iter().cloned().map(Occupant::Agent).collect();
    let record = store_to_record(args.record.as_deref())?;
    let session = Session::new(game, &setup(seed, seats, args))?;
    screen.say(format!("{}: {}", game.spec(), with_seats(agents).join(" against ")))?;
    let keep = Keep { file: args.save.clone(), record, ..Keep::default() };
    watch(screen, game, session, &keep, args)
}

/// Watches the rest of a match that was left.
pub fn resume(
    screen: Screen,
    game: &dyn OpenedGame,
    session: Session,
    keep: &Keep,
    args: &PlayArgs,
) -> anyhow::Result<()> {
    let names: Vec<String> = session.names().iter().map(|name| Spec::bare_name(name).to_owned()).collect();
    screen.say(format!("{}: {}, resumed", game.spec(), with_seats(&names).join(" against ")))?;
    watch(screen, game, session, keep, args)
}

/// Returns names with their seats where there are two.
fn with_seats(names: &[String]) -> Vec<String> {
    if names.len() == 1 {
        return names.to_vec();
    }
    names.iter().enumerate().map(|(seat, name)| format!("{name} (seat {seat})")).collect()
}

fn watch(
    screen: Screen,
    game: &dyn OpenedGame,
    mut session: Session,
    keep: &Keep,
    args: &PlayArgs,
) -> anyhow::Result<()> {
    let bare: Vec<String> = session.names().iter().map(|name| Spec::bare_name(name).to_owned()).collect();
    let names = with_seats(&bare);
    if !game.is_open() && game.seats() > 1 {
        screen.say(format!("You see what seat {} sees.", args.seat))?;
    }
    let seat = Seat(args.seat.min(game.seats() - 1));
    let mut seen = session.table().sights(seat).len();
    let left = leave_on_ctrl_c()?;
    let payoffs = loop {
        match session.turn()? {
            Turn::Over(SessionEnd::Finished(payoffs)) => break payoffs,
            Turn::Over(SessionEnd::Forfeit(_)) => return keep.ended(screen, &session),
            Turn::Agent(_) | Turn::Person(_) => {
                seen = tell(screen, session.table(), seat, &names, seen)?.events;
                show(screen, session.table(), seat, &[])?;
                pause(args.delay);
                if agent_turn(screen, &mut session, &left, &names)? == Decided::Cancelled {
                    return keep.left(screen, &session, true);
                }
            }
        }
    };
    if !tell(screen, session.table(), seat, &names, seen)?.revealed {
        show(screen, session.table(), seat, &[])?;
    }
    tell_result(screen, session.table(), &payoffs, &names, None)?;
    keep.ended(screen, &session)
}
