//! Games, counts and values from an independent program.

use super::*;
use parlor_core::rules::perft::perft;
use serde_json::Value;

const GAMES: &str = include_str!("../../../tests/vectors/dominoes-games.jsonl");
const PERFT: &str = include_str!("../../../tests/vectors/dominoes-perft.csv");
pub(super) const VALUES: &str = include_str!("../../../tests/vectors/dominoes-values.csv");

/// Returns the deal whose boneyard holds the tiles that the hands do not.
fn deal_of(game: &Dominoes, hand0: &str, hand1: &str) -> State {
    let set = |text: &str| text.split_whitespace().map(tile).collect::<TileSet>();
    game.dealt(BySeat([set(hand0), set(hand1)])).unwrap()
}

/// Returns the kind of a place at `end`, in the words of the vectors.
fn against(state: &State, end: End) -> &'static str {
    let at = |event: &&Event| matches!(event.action, Action::Play(_, e) if e == end);
    let last = state.log.iter().rev().find(at).or(state.log.first().filter(|_| end <= End::Right));
    match last.map(|event| event.action) {
        None if state.board.is_empty() => "none",
        Some(Action::Play(tile, _)) if !tile.is_double() => "tile",
        Some(Action::Play(tile, _)) if Some(tile.low()) != state.board.spinner() => "double",
        _ => "spinner",
    }
}

/// Returns the first legal play of an event. The vectors contain the value and the kind of an end, not its place;
/// places that share both are mirror images of each other.
fn play_of(game: &Dominoes, state: &State, event: &Value) -> Action {
    let wanted = tile(event["play"].as_str().unwrap());
    let arm = event["at"] == "arm";
    let on = event["on"].as_u64();
    game.actions(state)
        .find(|&action| {
            let Action::Play(tile, end) = action else { return false };
            let pips = state.board.end(end).map(|open| u64::from(open.pips));
            let place = pips == on && matches!(end, End::Up | End::Down) == arm;
            tile == wanted && place && against(state, end) == event["against"]
        })
        .unwrap_or_else(|| panic!("{event} is not legal after {:?}", state.log))
}

fn replay(line: &str) {
    let record: Value = serde_json::from_str(line).unwrap();
    let text = |field: &str| record[field].as_str().unwrap();
    let rules = match text("rules") {
        "double3_3-3-4" => "set=3, hand=3, arms=both",
        "double6_7-7-14" => "arms=both",
        "double6_7-7-14_arms_immediate" => "arms=immediate",
        "double6_7-7-14_fiveoff" => "arms=both, fives=off",
        other => panic!("{other}"),
    };
    let blocked = match text("blocked") {
        "LowerOpp" => "lower",
        "EachOpp" => "each",
        other => panic!("{other}"),
    };
    let game = open(&format!("dominoes({rules}, blocked={blocked}, target=none)"));
    let mut state = deal_of(&game, text("hand0"), text("hand1"));
    for event in record["events"].as_array().unwrap() {
        assert_eq!(u64::from(state.turn.0), event["p"].as_u64().unwrap(), "{event}");
        if let Some(drawn) = event.get("draw") {
            assert_eq!(game.phase(&state), Phase::Chance);
            game.try_apply(&mut state, Action::Draw(tile(drawn.as_str().unwrap()))).unwrap();
        } else if event.get("pass").is_some() {
            assert_eq!(game.actions(&state).collect::<Vec<_>>(), [Action::Pass]);
            game.try_apply(&mut state, Action::Pass).unwrap();
        } else {
            assert_eq!(game.actions(&state).len() as u64, event["legal"].as_u64().unwrap(), "{event}");
            let action = play_of(&game, &state, event);
            game.try_apply(&mut state, action).unwrap();
            let mut ends: Vec<u8> = state.board.exposed().collect();
            ends.sort_unstable();
            assert_eq!(serde_json::json!(ends), event["ends"], "{event}");
            assert_eq!(u64::from(state.board.count()), event["count"].as_u64().unwrap());
            assert_eq!(u64::from(state.log.last().unwrap().points), event["points"].as_u64().unwrap());
        }
    }
    assert_eq!(game.phase(&state), Phase::Over);
    let end = &record["end"];
    let (how, points) = match end["reason"].as_str().unwrap() {
        "domino" => {
            let seat = Seat(end["by"].as_u64().unwrap() as u8);
            let mut points = BySeat([0, 0]);
            points[seat] = end["bonus"].as_u64().unwrap() as u16;
            (How::Out(seat), points)
        }
        _ => (How::Blocked, BySeat([0, 1].map(|i| end["points"][i].as_u64().unwrap() as u16))),
    };
    assert_eq!(state.ended, Some(StageEnd { how, points }));
    assert_eq!(serde_json::json!(state.scores.0), record["score"]);
}

#[test]
fn games_move_by_move() {
    assert_eq!(GAMES.lines().map(replay).count(), 58);
}

#[test]
fn perft_counts() {
    let mut rows = 0;
    for row in PERFT.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        // Rows with `dedupe` count plays by their effect; ours count places, and `13@left` is not `13@right`.
        if cells[4] == "true" {
            continue;
        }
        let set = cells[0].strip_prefix("double-").unwrap();
        let spinner = match cells[1] {
            "FirstDouble" => "first-double",
            "FirstTile" => "first-tile",
            _ => "none",
        };
        let arms = if cells[2] == "Immediate" { "immediate" } else { "both" };
        let draw = if cells[3] == "OneThenPlay" { "one-then-play" } else { "until" };
        let game = open(&format!(
            "dominoes(set={set}, hand=3, spinner={spinner}, arms={arms}, draw={draw}, target=none)"
        ));
        let state = deal(&game, &cells[5..8].join(" | "));
        let counts: Vec<u64> = cells[8..].iter().filter_map(|cell| cell.parse().ok()).collect();
        assert_eq!(perft(&game, &state, counts.len(), false), counts, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 54);
}

/// Returns the gain of seat 0 with open hands and optimal play by both.
pub(super) fn value_with_open_hands(game: &Dominoes, state: &State) -> f64 {
    let after = |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        value_with_open_hands(game, &next)
    };
    match game.phase(state) {
        Phase::Over => game.payoffs(state).of(Seat::FIRST),
        Phase::Chance => game.chances(state).map(|(action, weight)| weight * after(action)).sum(),
        Phase::Decide(Seat::FIRST) => game.actions(state).map(after).fold(f64::MIN, f64::max),
        Phase::Decide(_) => game.actions(state).map(after).fold(f64::MAX, f64::min),
    }
}

#[test]
fn values_with_open_hands() {
    let header: Vec<&str> = VALUES.lines().next().unwrap().split(',').collect();
    for row in VALUES.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        for (name, cell) in header.iter().zip(&cells) {
            let Some((_, blocked)) = name.rsplit_once('_').filter(|(_, word)| *word != "tile") else {
                continue;
            };
            let blocked = match blocked {
                "nothing" => "nothing",
                "lowerdiff" => "difference",
                _ => "lower",
            };
            let lead = if name.starts_with("forced") { "highest-double" } else { "free" };
            let spinner = if name.contains("FT") { "first-tile" } else { "first-double" };
            let game =
                open(&format!("dominoes(rules=myers, lead={lead}, spinner={spinner}, blocked={blocked})"));
            let state = deal(&game, &cells[..3].join(" | "));
            // The columns with a forced lead contain the leader's value.
            let value = value_with_open_hands(&game, &state);
            let got = if state.leader == Some(Seat::FIRST) { value } else { -value };
            assert!((got - cell.parse::<f64>().unwrap()).abs() < 1e-8, "{name}: {got} in {row}");
            if lead == "highest-double" {
                assert_eq!(state.leader.unwrap().0.to_string(), cells[7]);
                assert_eq!(
                    game.actions(&state).collect::<Vec<_>>(),
                    [Action::Play(tile(cells[8]), End::Start)]
                );
            }
        }
    }
}
