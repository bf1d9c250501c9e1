//! The players at constructed positions, the law of agents, and their relative strength.

use parlor_core::api::{BuildContext, Make};
use parlor_core::{
    Agent, Context, Decision, Entry, Game, Match, Notation, Phase, Policy, Position, Rng, Seat,
};
use parlor_core::{Settings, Spec, SpecError};

use super::*;
use crate::dominoes::{Action, State, View};

/// Opens a game by its text form.
pub(in crate::dominoes) fn open(text: &str) -> Dominoes {
    let spec = Spec::parse(text).unwrap();
    Dominoes::open(&Settings::read(&spec, Dominoes::KEYS).unwrap()).unwrap()
}

/// Returns the state after a deal and some actions.
pub(in crate::dominoes) fn after(game: &Dominoes, deal: &str, actions: &str) -> State {
    let Ok(Position::State(mut state)) = game.read_position(deal) else { panic!("{deal} is not a deal") };
    for text in actions.split_whitespace() {
        game.try_apply(&mut state, game.read_action(text).unwrap()).unwrap();
    }
    state
}

/// Calls `visit` at every decision of some random games.
pub(in crate::dominoes) fn walk(game: &Dominoes, games: u64, mut visit: impl FnMut(&State, &View)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        loop {
            let action = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => game.sample(&state, &mut rng),
                Phase::Decide(seat) => {
                    visit(&state, &game.view(&state, seat));
                    game.pick(&state, &mut rng)
                }
            };
            game.apply(&mut state, action);
        }
    }
}

/// Returns a player by its text form.
pub(super) fn build_player(text: &str) -> Box<dyn Agent<Dominoes>> {
    let spec = Spec::parse(text).unwrap();
    let roster = agents();
    let entry = roster.iter().find(|entry| entry.name == spec.name).unwrap();
    let Make::Agent(build) = entry.make else { panic!("{text} learns") };
    let settings = Settings::read(&spec, entry.keys).unwrap();
    build(&BuildContext::new(&open("dominoes"), &settings, &roster)).unwrap()
}

/// Returns a model by its text form.
fn model(game: &Dominoes, text: &str) -> Result<Box<dyn Policy<Dominoes>>, SpecError> {
    // Who asks for the model does not matter.
    let settings = Settings::read(&Spec::parse("anyone").unwrap(), &[]).unwrap();
    BuildContext::new(game, &settings, &agents()).policy(text)
}

/// Calls `ask` with the decision of the seat to move.
fn at_decision<T>(game: &Dominoes, state: &State, ask: impl FnOnce(&Decision<'_, Dominoes>) -> T) -> T {
    let Phase::Decide(seat) = game.phase(state) else { panic!("no seat decides here") };
    let view = game.view(state, seat);
    let actions: Vec<Action> = game.actions(state).collect();
    ask(&Decision::new(game, seat, &view, &actions))
}

/// Returns the text of a player's action.
pub(super) fn does(player: &str, game: &Dominoes, state: &State) -> String {
    at_decision(game, state, |decision| {
        game.write_action(build_player(player).act(decision, &mut Context::new(&mut Rng::new(0))))
    })
}

/// Returns the moves of a policy with their probabilities.
fn odds(mut policy: impl Policy<Dominoes>, game: &Dominoes, state: &State) -> Vec<(String, f64)> {
    at_decision(game, state, |decision| {
        let mut weights = vec![9.0; 3];
        policy.weigh(decision, &mut weights);
        let texts = decision.actions.iter().map(|&action| game.write_action(action));
        texts.zip(weights).filter(|&(_, weight)| weight > 0.0).collect()
    })
}

/// Double-three with free leads and closed arms.
const SMALL: &str = "dominoes(rules=myers, lead=free)";

#[test]
fn scoring_takes_the_most_points() {
    let game = open(SMALL);
    // 33 has the highest count, 23 scores 5.
    let state = after(&game, "33 23 01 | 00 02 11 | 03 12 13 22", "");
    assert_eq!(does("scoring", &game, &state), "23@start");
    // The ends are 1 and the spinner's 4. 23 on the spinner makes 1 + 3, 13 to the left 3 + 4.
    let state = after(&game, "22 23 13 | 12 02 11 | 03 00 01 33", "22@start 12@left");
    assert_eq!(does("scoring", &game, &state), "13@left", "no move scores, so the higher count wins");
}

#[test]
fn scoring_without_points_raises_the_count() {
    let game = open(SMALL);
    let state = after(&game, "01 13 02 | 00 03 11 | 33 12 23 22", "");
    assert_eq!(does("scoring", &game, &state), "13@start");
    // 23 scores 5 with fives; without, 33 counts more.
    let plain = open("dominoes(rules=myers, lead=free, fives=off)");
    let state = after(&plain, "33 23 01 | 00 02 11 | 03 12 13 22", "");
    assert_eq!(does("scoring", &plain, &state), "33@start");
}

#[test]
fn defense_leaves_few_values() {
    // After 22 and 23 to the left the ends are 3 and the spinner's open side. 33 keeps two values. 12 on the spinner's
    // other side would open the arms: 3, 1 and 2 could be played on.
    let deal = "22 33 12 | 23 00 01 | 02 03 11 13";
    let game = open(SMALL);
    let state = after(&game, deal, "22@start 23@left");
    assert_eq!(does("defense", &game, &state), "33@left");
    // Without a spinner both leave two values, and 3 + 1 is less than 6 + 2.
    let game = open("dominoes(rules=myers, lead=free, spinner=none)");
    let state = after(&game, deal, "22@start 23@left");
    assert_eq!(does("defense", &game, &state), "12@right");
}

#[test]
fn defensive_scores() {
    let game = open("dominoes(set=3, hand=3)");
    let state = after(&game, "22 33 12 | 23 00 01 | 02 03 11 13", "22@start");
    assert_eq!(defensive_score(state.board()), 3, "a lone double is one value");
    let state = after(&game, "22 33 12 | 23 00 01 | 02 03 11 13", "22@start 23@up 12@left");
    assert_eq!(defensive_score(state.board()), 1, "1, 3, the spinner's right side and its lower arm");
}

#[test]
fn ties_go_to_the_first_or_to_any() {
    // On a lone 11 with open arms, 12 makes a count of 4 at each of four places.
    let game = open("dominoes(set=2, hand=2, target=none)");
    let state = after(&game, "11 00 | 12 01 | 02 22", "11@start");
    let first = vec![("12@left".to_owned(), 1.0)];
    assert_eq!(odds(Scoring::default(), &game, &state), first);
    let places = ["left", "right", "up", "down"].map(|place| (format!("12@{place}"), 0.25));
    assert_eq!(odds(Scoring { ties: Ties::Random }, &game, &state), places);
    // The defender prefers 01 there: as many values, a lower count.
    let places = ["left", "right", "up", "down"].map(|place| (format!("01@{place}"), 0.25));
    assert_eq!(odds(Defense { ties: Ties::Random }, &game, &state), places);
    assert_eq!(odds(Defense::default(), &game, &state), vec![("01@left".to_owned(), 1.0)]);
}

#[test]
fn random_tile_chooses_tiles_before_places() {
    // 12 fits at three sides of the spinner, 02 at one place: both are equally likely. Uniform over moves it would be
    // 3 : 1.
    let game = open("dominoes(set=3, hand=3)");
    let state = after(&game, "11 12 02 | 01 22 03 | 00 13 33 23", "11@start 01@left");
    let expected =
        [("02@left", 1.0 / 2.0), ("12@right", 1.0 / 6.0), ("12@up", 1.0 / 6.0), ("12@down", 1.0 / 6.0)];
    assert_eq!(odds(TileRandom, &game, &state), expected.map(|(text, weight)| (text.to_owned(), weight)));
}

#[test]
fn a_forced_pass_is_played() {
    let game = open("dominoes(set=2, hand=2, draw=one-then-play)");
    let state = after(&game, "00 01 | 12 22 | 11 02", "00@start draw:11");
    for player in ["expert", "scoring", "defense(tie_break=random)", "random-tile"] {
        assert_eq!(does(player, &game, &state), "pass");
    }
    assert_eq!(odds(TileRandom, &game, &state), [("pass".to_owned(), 1.0)]);
    assert_eq!(odds(Defense::default(), &game, &state), [("pass".to_owned(), 1.0)]);
}

#[test]
fn acts_follow_their_odds() {
    /// Five standard deviations of a share of 2,000.
    fn close(share: f64, weight: f64) -> bool {
        (share - weight).abs() <= 5.0 * (weight * (1.0 - weight) / 2000.0).sqrt()
    }
    fn check<P: Agent<Dominoes> + Policy<Dominoes>>(game: &Dominoes, mut player: P, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        let mut weights = Vec::new();
        while game.phase(&state) != Phase::Over {
            let action = if game.phase(&state) == Phase::Chance {
                game.sample(&state, &mut rng)
            } else {
                at_decision(game, &state, |decision| {
                    player.weigh(decision, &mut weights);
                    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                    let mut counts = vec![0_u32; weights.len()];
                    for _ in 0..2000 {
                        let action = player.act(decision, &mut Context::new(&mut rng));
                        counts[decision.actions.iter().position(|&a| a == action).unwrap()] += 1;
                    }
                    for (&count, &weight) in counts.iter().zip(&weights) {
                        assert!(close(f64::from(count) / 2000.0, weight), "{counts:?} but {weights:?}");
                    }
                });
                game.pick(&state, &mut rng)
            };
            game.apply(&mut state, action);
        }
    }
    let game = open("dominoes(target=none)");
    for seed in 0..3 {
        check(&game, TileRandom, seed);
        check(&game, Scoring { ties: Ties::Random }, seed);
        check(&game, Defense { ties: Ties::Random }, seed);
        check(&game, Scoring::default(), seed);
        check(&game, Expert::default(), seed);
    }
}

/// Games that differ in every switch that players depend on.
pub(in crate::dominoes) const SETTINGS: [&str; 6] = [
    "dominoes",
    "dominoes(rules=myers)",
    "dominoes(target=none, fives=off, spinner=none)",
    "dominoes(set=2, hand=2, arms=both, draw=one-then-play, blocked=difference, bonus=five, target=none)",
    "dominoes(rules=myers, set=4, hand=5, draw=one-ends-turn, reserve=2, target=30)",
    "dominoes(set=9, hand=9, blocked=lower, lead=highest-double, target=none)",
];

#[test]
fn players_never_peek() {
    for text in SETTINGS {
        let game = open(text);
        for player in
            ["expert", "scoring(tie_break=random)", "defense", "defense(tie_break=random)", "random-tile"]
        {
            assert!(parlor_testkit::equal_views_equal_answers(&game, 6, || build_player(player)) > 0);
        }
    }
}

#[test]
fn names_and_keys() {
    let names: Vec<&str> = agents().iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["expert", "scoring", "defense", "random-tile"]);
    for entry in agents() {
        for key in entry.keys {
            let values: &[&str] = if key.name == "tie_break" { &["first", "random"] } else { &["on", "off"] };
            for value in values {
                build_player(&format!("{}({}={value})", entry.name, key.name));
            }
        }
    }
}

/// Returns the share of matches that `one` wins, draws counting half; every deal is played twice, seats swapped.
fn share(game: &Dominoes, one: &str, two: &str, pairs: u64) -> f64 {
    let (mut one, mut two) = (build_player(one), build_player(two));
    let mut points = 0.0;
    for seed in 0..pairs {
        for seat in Seat::all(2) {
            let mut agents: [&mut dyn Agent<Dominoes>; 2] = [&mut *one, &mut *two];
            if seat == Seat::SECOND {
                agents.reverse();
            }
            let won = Match::seeded(seed).play(game, &mut agents, &mut ()).payoffs.of(seat);
            points += if won == 0.0 { 0.5 } else { f64::from(u8::from(won > 0.0)) };
        }
    }
    points / (2 * pairs) as f64
}

#[test]
fn the_expert_beats_the_others() {
    // Fixed seeds, so this cannot flake; the margins are several standard deviations below the measured ones.
    for (text, least) in [
        ("dominoes(target=none)", [0.75, 0.55, 0.68]),
        ("dominoes(target=none, fives=off)", [0.65, 0.55, 0.58]),
    ] {
        let game = open(text);
        for (other, least) in ["random-tile", "scoring", "defense"].into_iter().zip(least) {
            let share = share(&game, "expert", other, 200);
            assert!(share > least, "{text}: {share} against {other}");
        }
    }
}

#[test]
fn models_are_the_players_of_their_names() {
    let game = open(SMALL);
    let state = after(&game, "22 23 13 | 12 02 11 | 03 00 01 33", "22@start 12@left");
    for name in agents().iter().filter(|entry| entry.policy.is_some()).map(|entry| entry.name) {
        let mut model = model(&game, name).unwrap();
        let odds = at_decision(&game, &state, |decision| {
            let mut weights = vec![9.0; 3];
            model.weigh(decision, &mut weights);
            assert_eq!(weights.len(), decision.actions.len(), "{name}");
            weights
        });
        assert!((odds.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name}: {odds:?}");
        let done = does(name, &game, &state);
        let actions: Vec<Action> = game.actions(&state).collect();
        let at = actions.iter().position(|&action| game.write_action(action) == done).unwrap();
        assert!(odds[at] > 0.0, "{name} does {done}");
    }
    // The model breaks ties like the player: 12 at any of four places of a lone 11.
    let game = open("dominoes(set=2, hand=2, target=none)");
    let state = after(&game, "11 00 | 12 01 | 02 22", "11@start");
    let mut scoring = model(&game, "scoring(tie_break=random)").unwrap();
    let mut weights = Vec::new();
    at_decision(&game, &state, |decision| scoring.weigh(decision, &mut weights));
    assert_eq!(weights.iter().filter(|&&weight| (weight - 0.25).abs() < 1e-12).count(), 4);
    assert!(model(&game, "scorin").err().unwrap().to_string().contains("did you mean `scoring`?"));
    assert!(
        model(&game, "random-tile(tie_break=first)").is_err() && model(&game, "defense(tie=first)").is_err()
    );
}
