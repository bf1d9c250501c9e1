//! How a match came out, in words.

use parlor_core::api::AnyTable;
use parlor_core::{Fault, Forfeit, Seat};

/// Returns who won by the rules, and by how many points: `you won, 103 : 85`. `me` is the seat of the person who reads it, if one plays.
#[must_use]
pub fn ended_by_rules(table: &dyn AnyTable, payoffs: &[f64], names: &[String], me: Option<Seat>) -> String {
    let verdict = match *payoffs {
        [payoff] => format!("{} {}", names[0], if payoff > 0.0 { "won" } else { "lost" }),
        [first, second] if first == second => "a draw".to_owned(),
        _ => {
            let winner = Seat(u8::from(payoffs[1] > payoffs[0]));
            match me {
                Some(me) if me != winner => "you lost".to_owned(),
                Some(_) => "you won".to_owned(),
                None => format!("{} won", names[winner.index()]),
            }
        }
    };
    let points = table.points(me.unwrap_or(Seat::FIRST));
    let points = points.map_or_else(String::new, |[own, other]| format!(", {own} : {other}"));
    verdict + &points
}

/// Returns who lost by a fault, and why: `you resigned`, `random forfeits: ran out of time`.
#[must_use]
pub fn forfeited_by(forfeit: &Forfeit, names: &[String]) -> String {
    let Forfeit { seat, why } = forfeit;
    let name = &names[seat.index()];
    match why {
        Fault::Resigned => format!("{name} resigned"),
        _ => format!("{name} {}: {why}", if name == "you" { "forfeit" } else { "forfeits" }),
    }
}
