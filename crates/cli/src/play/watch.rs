//! Two agents play, a person watches.

use anyhow::bail;
use parlor_core::Seat;
use parlor_core::api::AnyGame;
use parlor_lab::session::{Decided, Occupant, Session, SessionEnd, Turn};

use crate::args::PlayArgs;
use crate::run_support::leave_on_ctrl_c;
use crate::terminal::say;

use super::turns::agent_turn;
use super::{ink, pause, save, setup, show, tell_result, tell_sights};

pub fn run(game: &dyn AnyGame, seed: u64, agents: &[String], args: &PlayArgs) -> anyhow::Result<()> {
    if agents.len() != usize::from(game.seats()) {
        bail!("{} has {} seats: --watch takes as many agents", game.name(), game.seats());
    }
    let seats = agents.iter().cloned().map(Occupant::Agent).collect();
    let mut session = Session::new(game, &setup(seed, seats, args))?;
    let name = |(spec, seat): (&String, Seat)| match game.seats() {
        1 => spec.clone(),
        _ => format!("{spec} (seat {seat})"),
    };
    let names: Vec<String> = agents.iter().zip(Seat::all(game.seats())).map(name).collect();
    say(format!("{}: {}", game.spec(), names.join(" against ")))?;
    if !game.is_open() && game.seats() > 1 {
        say(format!("You see what seat {} sees.", args.seat))?;
    }
    let seat = Seat(args.seat);
    let mut seen = 0;
    let left = leave_on_ctrl_c()?;
    let keep = |session: &Session| args.save.as_deref().map_or(Ok(()), |path| save(session, path));
    let payoffs = loop {
        match session.turn()? {
            Turn::Over(SessionEnd::Finished(payoffs)) => break payoffs,
            Turn::Over(SessionEnd::Forfeit(_)) => return keep(&session),
            Turn::Agent(_) | Turn::Person(_) => {
                seen = tell_sights(session.table(), seat, &names, seen)?;
                show(session.table(), seat, ink(args))?;
                pause(args);
                if agent_turn(&mut session, &left, &names)? == Decided::Cancelled {
                    say("Left unfinished.")?;
                    return keep(&session);
                }
            }
        }
    };
    tell_sights(session.table(), seat, &names, seen)?;
    show(session.table(), seat, ink(args))?;
    tell_result(game, &payoffs, &names)?;
    keep(&session)
}
