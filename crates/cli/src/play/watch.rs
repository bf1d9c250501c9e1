//! Two agents play, a person watches.

use anyhow::bail;
use parlor_core::api::{AnyGame, AnyTable};
use parlor_core::{Phase, Seat};

use crate::args::PlayArgs;
use crate::terminal::say;

use super::input::leaving;
use super::turns::{AgentTurn, Timer, agent_turn};
use super::{ink, pause, save, show, tell_result, tell_sights};

pub fn run(
    game: &dyn AnyGame,
    mut table: Box<dyn AnyTable>,
    agents: &[String],
    args: &PlayArgs,
) -> anyhow::Result<()> {
    if agents.len() != usize::from(game.seats()) {
        bail!("{} has {} seats: --watch takes as many agents", game.name(), game.seats());
    }
    let (mut names, mut seats) = (Vec::new(), Vec::new());
    for (spec, seat) in agents.iter().zip(Seat::all(game.seats())) {
        seats.push(table.seat_agent(seat, spec)?);
        names.push(if game.seats() == 1 { spec.clone() } else { format!("{spec} (seat {seat})") });
    }
    say(format!("{}: {}", game.spec(), names.join(" against ")))?;
    if !game.is_open() && game.seats() > 1 {
        say(format!("You see what seat {} sees.", args.seat))?;
    }
    let seat = Seat(args.seat);
    let mut seen = 0;
    let mut timer = Timer::new(args.time, game.seats());
    let left = leaving()?;
    let keep = |table: &dyn AnyTable| args.save.as_deref().map_or(Ok(()), |path| save(table, &seats, path));
    loop {
        match table.phase() {
            Phase::Chance => drop(table.chance()?),
            Phase::Over => break,
            Phase::Decide(mover) => {
                seen = tell_sights(&*table, seat, &names, seen)?;
                show(&*table, seat, ink(args))?;
                pause(args);
                match agent_turn(&mut *table, mover, &mut timer, &left, &names)? {
                    AgentTurn::Moved => {}
                    AgentTurn::Left => {
                        say("Left unfinished.")?;
                        return keep(&*table);
                    }
                    AgentTurn::Forfeit => return keep(&*table),
                }
            }
        }
    }
    tell_sights(&*table, seat, &names, seen)?;
    show(&*table, seat, ink(args))?;
    tell_result(game, &table.payoffs().expect("the match is over"), &names)?;
    keep(&*table)
}
