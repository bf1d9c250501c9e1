//! Golden games: every step with the view of each seat, the legal actions and the action played.
//!
//! A change in rules, views, notation or random streams shows up as a difference to review.

use std::fmt::Write;

use parlor_core::api::{AnyGame, AnyTable};
use parlor_core::{Phase, Rng, Seat};

/// Plays a random game from `seed` and returns a full transcript.
///
/// # Panics
/// If the game cannot be played to its end.
#[must_use]
pub fn playthrough(game: &dyn AnyGame, seed: u64) -> String {
    let mut table = game.table(seed, None).expect("the start is a position");
    let mut rng = Rng::forked(seed, 77);
    let mut text = format!("game: {}\nseed: {seed}\n", game.spec());
    let mut step = 0;
    loop {
        writeln!(text, "\nstep {step}: {}", phase_words(table.phase())).expect("a string takes all");
        views(game, &*table, &mut text);
        let actor_saw = |table: &dyn AnyTable| {
            Seat::all(game.seats())
                .map(|seat| table.sights(seat).last().map_or("-".to_owned(), |(_, text)| text.clone()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        match table.phase() {
            Phase::Over => break,
            Phase::Chance => {
                table.chance().expect("no agent sits here");
            }
            Phase::Decide(seat) => {
                let actions = table.actions();
                writeln!(text, "actions: {}", actions.join(" ")).expect("a string takes all");
                let action = rng.choose(&actions).clone();
                table.act(seat, &action).expect("a listed action is legal");
            }
        }
        writeln!(text, "seen: {}", actor_saw(&*table)).expect("a string takes all");
        step += 1;
    }
    let payoffs = table.payoffs().expect("the game is over");
    let list: Vec<String> = payoffs.iter().map(f64::to_string).collect();
    writeln!(text, "payoffs: {}", list.join(" ")).expect("a string takes all");
    text
}

fn phase_words(phase: Phase) -> String {
    match phase {
        Phase::Decide(seat) => format!("seat {seat} decides"),
        Phase::Chance => "chance".to_owned(),
        Phase::Over => "over".to_owned(),
    }
}

fn views(game: &dyn AnyGame, table: &dyn AnyTable, text: &mut String) {
    let shown = if game.is_open() { 1 } else { game.seats() };
    for seat in Seat::all(shown) {
        let who = if game.is_open() { "everyone".to_owned() } else { format!("seat {seat}") };
        let json = table.view_json(seat);
        writeln!(text, "view of {who}: {}", json["view"]).expect("a string takes all");
        writeln!(text, "status: {}", table.status(seat)).expect("a string takes all");
    }
}
