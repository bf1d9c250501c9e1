//! What people read at a table: rules, words about what happened, levels and boards with names.

use std::collections::HashSet;

use parlor_catalog::{GAMES, Level, find, open};
use parlor_core::api::{AnyTable, TableEvent};
use parlor_core::{Ink, Phase, Rng, Seat};

const PLAIN: Ink = Ink { ascii: true, colour: false };

/// Plays the texts in turn, chance by the table's seed.
fn table(game: &str, seed: u64, position: Option<&str>, moves: &[&str]) -> Box<dyn AnyTable> {
    let mut table = open(game).unwrap().table(seed, position).unwrap();
    for text in moves {
        while table.chance().unwrap() {}
        let Phase::Decide(seat) = table.phase() else { panic!("{game} is over before {text}") };
        table.act(seat, text).unwrap();
    }
    while table.chance().unwrap() {}
    table
}

fn told(events: &[TableEvent]) -> Vec<String> {
    events.iter().filter_map(|event| Some(event.told.as_ref()?.text.clone())).collect()
}

#[test]
fn every_game_has_rules_that_fit_a_screen() {
    for entry in GAMES {
        let usual = entry.table.map_or(entry.name, |plan| plan.usual);
        for spec in [entry.name, usual] {
            let rules = open(spec).unwrap().rules();
            let lines = rules.lines().count();
            assert!((6..=16).contains(&lines), "{spec}: {lines} lines");
            assert!(rules.lines().all(|line| line.chars().count() <= 80), "{rules}");
        }
    }
}

#[test]
fn levels_presets_and_aliases_are_understood() {
    let mut names = HashSet::new();
    for entry in GAMES {
        let plan = entry.table.expect("people play every game");
        let game = open(plan.usual).unwrap();
        assert_eq!(game.name(), entry.name);
        assert_eq!(plan.levels.is_none(), game.seats() == 1, "who plays alone has no opponent");
        for agent in Level::ALL.into_iter().filter_map(|level| plan.opponent(level)).chain([plan.hints]) {
            game.agent_spec(agent).unwrap();
        }
        for preset in plan.presets {
            assert_eq!(open(preset.game).unwrap().name(), entry.name);
        }
        if plan.levels.is_none() {
            assert!(plan.board(Level::Easy).is_some() && plan.board(Level::Hard).is_some());
        }
        for alias in plan.aliases {
            assert_eq!(find(alias).unwrap().name, entry.name);
            assert_eq!(open(alias).unwrap().spec(), open(entry.name).unwrap().spec());
        }
        assert!([&[entry.name], plan.aliases].concat().into_iter().all(|name| names.insert(name)));
    }
    assert_eq!(open("c4(width=7)").unwrap().spec(), open("connect(width=7)").unwrap().spec());
}

/// The levels below the strongest do not depend on the speed of the machine.
#[test]
fn levels_are_reproducible() {
    for plan in GAMES.iter().filter_map(|entry| entry.table) {
        for level in [Level::Easy, Level::Medium, Level::Hard] {
            assert!(plan.opponent(level).is_none_or(|agent| !agent.contains("time_ms")));
        }
    }
}

#[test]
fn moves_in_words() {
    let row = table("tictactoe", 1, Some("XX./OO./..."), &["c1"]);
    assert_eq!(told(&row.events(Seat(0), 0, PLAIN)), ["c1, a point"]);
    assert_eq!(row.points(Seat(1)), Some([0, 1]));
    assert_eq!(row.side(Seat(1), PLAIN).as_deref(), Some("O"));

    let jump = table("checkers", 1, Some("B:W18,K22:B14,15"), &[]);
    let jumps: Vec<String> = jump.actions().into_iter().filter(|text| text.contains('x')).collect();
    let jump = table("checkers", 1, Some("B:W18,K22:B14,15"), &[&jumps[0]]);
    assert!(told(&jump.events(Seat(1), 0, PLAIN))[0].contains(", takes a man"), "{jumps:?}");
    let last_step = "-.-.-.-./.-r-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-w/.-.-.-.-/-.-.-.-./.-.-.-.- r";
    let crowned = table("checkers", 1, Some(last_step), &["c7-b8"]);
    assert!(told(&crowned.events(Seat(0), 0, PLAIN))[0].ends_with(", becomes a king"));

    let flip = table("darkchess", 4, None, &["a8"]);
    let words = told(&flip.events(Seat(1), 0, PLAIN));
    assert!(words.len() == 1 && words[0].starts_with("a8 is "), "{words:?}");
    assert!(["red", "black"].contains(&flip.side(Seat(0), PLAIN).unwrap().as_str()));
    let taken = table("darkchess", 1, Some("K--k/R---/p---/----/----/----/----/---- r"), &["a7-a6"]);
    assert_eq!(told(&taken.events(Seat(1), 0, PLAIN)), ["a7-a6, R takes p"]);

    let fives = table(
        "dominoes(target=none)",
        1,
        Some("55 01 02 | 15 03 04 | 00 11 22 33 44 66 12 13 14 16 23 24 25 26 34 35 36 45 46 56 05 06"),
        &["55"],
    );
    assert_eq!(told(&fives.events(Seat(0), 0, PLAIN)), ["55@start, +10 for fives"]);
    assert_eq!(fives.points(Seat(1)), Some([0, 10]));
}

#[test]
fn white_sees_the_board_from_its_side() {
    let checkers = table("checkers", 1, None, &[]);
    let [red, white] = [Seat(0), Seat(1)].map(|seat| checkers.draw_for(seat, PLAIN, &[]));
    assert_eq!(red, checkers.draw(Seat(0), PLAIN));
    let turned: Vec<String> = red
        .lines()
        .filter(|line| line.contains('|'))
        .map(|line| line[4..line.len() - 1].chars().rev().collect::<String>())
        .rev()
        .collect();
    let rows: Vec<String> = white
        .lines()
        .filter(|line| line.contains('|'))
        .map(|line| line[4..line.len() - 1].to_owned())
        .collect();
    assert_eq!(rows, turned);
    assert!(white.lines().next().unwrap().trim_start().starts_with("h g f"));
    assert!(white.lines().nth_back(1).unwrap().starts_with(" 8"), "{white}");
}

#[test]
fn flags_are_drawn_on_covered_cells() {
    let spec = "minesweeper(rows=4, columns=4, mines=3, first=safe)";
    let mut mines = table(spec, 1, None, &[]);
    assert_eq!(mines.markable(Seat(0)).len(), 16);
    let flagged = mines.draw_for(Seat(0), PLAIN, &["b2".to_owned()]);
    assert_eq!(flagged.matches('F').count(), 1);
    assert_eq!(mines.draw_for(Seat(0), PLAIN, &[]), mines.draw(Seat(0), PLAIN));
    mines.act(Seat(0), "a1").unwrap();
    while mines.chance().unwrap() {}
    assert!(mines.markable(Seat(0)).len() < 16);
}

/// Plays a random match and returns what each seat was told; what was revealed comes only when something has ended.
#[test]
fn hidden_things_are_revealed_when_a_stage_has_ended_and_no_sooner() {
    for (game, seeds) in [
        ("dominoes", 6),
        ("dominoes(rules=myers)", 10),
        ("minesweeper(rows=4, columns=4, mines=3, first=safe)", 10),
    ] {
        for seed in 0..seeds {
            let mut rng = Rng::new(seed);
            let mut table = table(game, seed, None, &[]);
            let stage = |table: &dyn AnyTable| table.view_json(Seat(0))["view"]["stage"].as_u64();
            let mut ended = 0;
            while let Phase::Decide(seat) = table.phase() {
                let before = stage(&*table);
                let actions = table.actions();
                let text = rng.choose(&actions).clone();
                table.act(seat, &text).unwrap();
                ended += usize::from(stage(&*table) != before || table.phase() == Phase::Over);
                while table.chance().unwrap() {}
            }
            for seat in Seat::all(open(game).unwrap().seats()) {
                let events = table.events(seat, 0, PLAIN);
                let revealed: Vec<&String> =
                    events.iter().filter_map(|event| event.reveal.as_ref()).collect();
                assert_eq!(revealed.len(), ended, "{game}, seed {seed}");
                assert!(events.last().unwrap().reveal.is_some());
                let more = table.events(seat, events.len() - 1, PLAIN);
                assert_eq!(more, events[events.len() - 1..]);
            }
        }
    }
}

/// The words about the other seat's draws are the same whatever was drawn.
#[test]
fn drawn_tiles_stay_hidden() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut table = table("dominoes(target=none)", seed, None, &[]);
        while let Phase::Decide(seat) = table.phase() {
            let actions = table.actions();
            let text = rng.choose(&actions).clone();
            table.act(seat, &text).unwrap();
            while table.chance().unwrap() {}
        }
        for seat in Seat::all(2) {
            let draws = |viewer: Seat| {
                let events = table.events(viewer, 0, PLAIN);
                let told = events.into_iter().filter_map(|event| event.told);
                told.filter(|told| {
                    told.who == parlor_core::Actor::Seat(seat) && told.text.starts_with("drew")
                })
                .map(|told| told.text)
                .collect::<Vec<_>>()
            };
            assert_eq!(draws(seat).len(), draws(seat.other()).len());
            assert!(draws(seat.other()).iter().all(|text| text == "drew a tile"));
            assert!(draws(seat).iter().all(|text| text.len() == "drew 00".len()));
        }
    }
}
