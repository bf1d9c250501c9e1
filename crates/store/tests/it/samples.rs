//! Games and counts to store.

use parlor_core::files::saved::{Recognised, SavedEnding, SavedGame, VERSION};
use parlor_core::rng::GENERATOR;
use parlor_core::{Place, Seat};
use parlor_store::{GameRecord, GameType, History, Origin, Steps, TransitionCount, TypeId, write_place};

/// A game type with cells.
pub fn game_type() -> GameType {
    GameType {
        game: "tictactoe(rows=3, columns=3, lines=windows)".to_owned(),
        layout: r#"{"width":3,"height":3}"#.to_owned(),
    }
}

/// Game `number`, with everything that a game can have.
pub fn record(game_type: TypeId, number: u64, origin: Option<Origin>) -> GameRecord {
    let mut steps = Steps::default();
    let length = 1 + (number % 9) as usize;
    for step in 0..length {
        let mut cells = [0_u8; 9];
        cells.iter_mut().take(step).for_each(|cell| *cell = 1 + (number % 2) as u8);
        let mut place = Vec::new();
        write_place(&Place { kind: (step % 2) as u16, ..Place::along([step as u16]) }, &mut place);
        steps.push(Seat((step % 2) as u8), &cells, &format!("a{step}"), &place);
    }
    let moves: Vec<&str> = steps.iter().map(|step| step.input).collect();
    let moves = moves.join(" ");
    let forfeit = SavedEnding::Forfeit { seat: Seat(1), why: "ran out of time".to_owned() };
    GameRecord {
        game_type,
        saved: SavedGame {
            parlor: VERSION,
            game: "tictactoe(rows=3, columns=3, lines=windows)".to_owned(),
            seats: vec!["random".to_owned(), format!("mcts(sims={})", number % 3)],
            seed: number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            rng: GENERATOR.to_owned(),
            start: (number % 5 == 4).then(|| "x2o/3/3 \"x\"".to_owned()),
            moves,
            ending: if number % 7 == 6 { forfeit } else { SavedEnding::Finished },
            payoffs: Some(vec![1.0 / 3.0, -(number as f64)]),
            recognised: if number % 4 == 3 { vec![Recognised { turns: 9, right: 2 }] } else { Vec::new() },
            table: None,
        },
        steps,
        ended: 1_700_000_000 + number,
        origin,
    }
}

/// Records games `from..to` without an origin.
pub fn records(history: &mut dyn History, from: u64, to: u64) -> Vec<GameRecord> {
    let game_type = history.game_type(&game_type()).unwrap();
    (from..to).map(|number| record(game_type, number, None)).collect()
}

/// The counts of game `number`: of a few states, so that games share them.
pub fn counts(number: u64) -> Vec<TransitionCount> {
    let mut rows: Vec<TransitionCount> = (0..5)
        .map(|step| TransitionCount {
            state: (number % 3 + step).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            input: step % 2,
            next: u64::MAX - step,
            count: 1,
            wins: u32::from(number.is_multiple_of(2)),
            ties: 0,
            losses: u32::from(number % 4 == 1),
        })
        .collect();
    rows.sort_unstable_by_key(TransitionCount::key);
    rows
}
