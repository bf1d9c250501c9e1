//! Searchers of hidden games: against brute force, against each other, and what they say of what they cannot see.

mod contests;
mod open_hands;
mod pondering;

use std::time::Duration;

use parlor_agents::beliefs::{WorldSampler, preparation};
use parlor_agents::{Random, ismcts, pimc};
use parlor_catalog::roster;
use parlor_core::api::{BuildContext, Hosted};
use parlor_core::{
    Agent, Budget, Cancel, Context, Deadline, Decision, Entry, Game, HiddenThings, Key, ListWorlds, Match,
    Notation, Objective, Phase, Position, Retrace, Rng, Seat, Settings, Spec, Staged,
};
use parlor_games::dominoes::{Dominoes, State, players};
use parlor_games::minesweeper::Minesweeper;

use open_hands::by_trying;

fn open(text: &str) -> Dominoes {
    let spec = Spec::parse(text).unwrap();
    Dominoes::open(&Settings::read(&spec, Dominoes::KEYS).unwrap()).unwrap()
}

fn settings(text: &str, keys: &'static [Key]) -> Settings {
    Settings::read(&Spec::parse(text).unwrap(), keys).unwrap()
}

fn build_player(game: &Dominoes, text: &str) -> Box<dyn Agent<Dominoes>> {
    Hosted::new(game.clone(), roster::dominoes()).honest_agent(text).unwrap().0
}

/// Makes what draws up worlds for `pimc` with these keys.
fn sampler(game: &Dominoes, text: &str) -> WorldSampler<Dominoes> {
    let settings = settings(text, pimc::KEYS);
    WorldSampler::read(&BuildContext::new(game, &settings, &roster::dominoes())).unwrap()
}

/// Plays at random until `stop` says so; `None` if the match ends first.
fn somewhere(game: &Dominoes, rng: &mut Rng, stop: impl Fn(&State, Seat) -> bool) -> Option<(State, Seat)> {
    let mut state = game.start();
    loop {
        let action = match game.phase(&state) {
            Phase::Over => return None,
            Phase::Decide(seat) if stop(&state, seat) => return Some((state, seat)),
            Phase::Decide(_) => game.pick(&state, rng),
            Phase::Chance => game.sample(&state, rng),
        };
        game.apply(&mut state, action);
    }
}

#[test]
fn all_worlds_are_all_that_there_are() {
    let game = open("dominoes(target=none, set=4, hand=4)");
    let mut rng = Rng::new(5);
    let choice = |state: &State, _| game.actions(state).len() > 1;
    let (state, seat) = somewhere(&game, &mut rng, choice).unwrap();
    let view = game.view(&state, seat);
    let actions: Vec<_> = game.actions(&state).collect();
    let decision = Decision::new(&game, seat, &view, &actions);
    let believe = |text, rng: &mut Rng| sampler(&game, text).posterior(&decision, Deadline::default(), rng);
    let all = believe("pimc(worlds=all, beliefs=seen)", &mut rng);
    assert!(all.is_complete() && all.worlds().len() == game.worlds(&view, 1_000_000).unwrap().len());
    assert!(all.worlds().len() > 7);
    let some = believe("pimc(worlds=7, beliefs=seen)", &mut rng);
    assert!(!some.is_complete() && some.worlds().len() == 7);
    // Who has no time for it makes do with one.
    for text in ["pimc(worlds=all, beliefs=seen)", "pimc(worlds=all)", "pimc(worlds=all, beliefs=off)"] {
        let mut sampler = sampler(&game, text);
        let deadline = preparation(&Budget::time(Duration::ZERO), None);
        let hurried = sampler.posterior(&decision, deadline, &mut rng);
        assert!(!hurried.is_complete() && hurried.worlds().len() == 1, "{text}");
    }
}

/// One world after the other and all actions of each: what `expectimax` does is this, where it may search to the end.
#[test]
fn expectimax_takes_the_best_average_over_all_worlds() {
    let game = open("dominoes(rules=myers)");
    let mut rng = Rng::new(2);
    let mut agent = build_player(&game, "expectimax(nodes=10000000)");
    let mut checked = 0;
    while checked < 12 {
        let choice = |state: &State, _| game.actions(state).len() > 1 && state.board().played().len() >= 2;
        let Some((state, seat)) = somewhere(&game, &mut rng, choice) else { continue };
        let view = game.view(&state, seat);
        let actions: Vec<_> = game.actions(&state).collect();
        let worlds = game.worlds(&view, 1_000).unwrap();
        let mean = |&action: &_| -> f64 {
            let in_world = |(world, odds): &(_, f64)| {
                let mut next: State = Clone::clone(world);
                game.apply(&mut next, action);
                odds * (game.lead(Objective::Stage, &next) - game.lead(Objective::Stage, world)
                    + by_trying(&game, &next))
            };
            let first = worlds.iter().map(in_world).sum::<f64>();
            if seat == Seat::FIRST { first } else { -first }
        };
        let best = actions.iter().map(mean).fold(f64::NEG_INFINITY, f64::max);
        let chosen = agent.act(&Decision::new(&game, seat, &view, &actions), &mut Context::new(&mut rng));
        assert!(mean(&chosen) > best - 1e-4, "{chosen:?} is worth {} and not {best}", mean(&chosen));
        checked += 1;
    }
}

/// Plays pairs with swapped seats and returns wins minus losses of the first agent.
fn duel(game: &Dominoes, one: &mut dyn Agent<Dominoes>, two: &mut dyn Agent<Dominoes>, pairs: u64) -> i32 {
    let mut balance = 0;
    for pair in 0..pairs {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let table = Match::seeded(pair);
            let outcome = match seat {
                Seat::FIRST => table.play(game, &mut [&mut *one, &mut *two], &mut ()),
                _ => table.play(game, &mut [&mut *two, &mut *one], &mut ()),
            };
            let payoff = outcome.payoffs.of(seat);
            balance += i32::from(payoff > 0.0) - i32::from(payoff < 0.0);
        }
    }
    balance
}

#[test]
fn searchers_beat_random_play() {
    let game = open("dominoes(rules=myers)");
    // Between equals, wins minus losses of n matches has a standard deviation of at most √n; three of them are clear.
    for (text, pairs) in
        [("pimc(worlds=20, nodes=4000)", 200), ("expectimax(nodes=4000)", 200), ("ismcts(sims=200)", 200)]
    {
        let mut agent = build_player(&game, text);
        let balance = duel(&game, &mut *agent, &mut Random, pairs);
        assert!(f64::from(balance) > 3.0 * f64::from(2 * pairs as u32).sqrt(), "{text}: {balance}");
    }
}

#[test]
fn beliefs_are_odds_and_choices_move_them() {
    let game = open("dominoes(target=none, set=4, hand=4)");
    let mut rng = Rng::new(4);
    let mut moved = 0;
    for _ in 0..20 {
        let late = |state: &State, _| game.actions(state).len() > 1 && state.board().played().len() >= 5;
        let Some((state, seat)) = somewhere(&game, &mut rng, late) else { continue };
        let view = game.view(&state, seat);
        let actions: Vec<_> = game.actions(&state).collect();
        let decision = Decision::new(&game, seat, &view, &actions);
        let mut told = Vec::new();
        for text in ["pimc(beliefs=choices)", "pimc(beliefs=seen)", "pimc(beliefs=off)", "ismcts(worlds=50)"]
        {
            let beliefs =
                build_player(&game, text).beliefs(&decision, &mut Context::new(&mut Rng::new(1))).unwrap();
            assert_eq!(beliefs.places, ["other hand", "boneyard"]);
            assert_eq!(beliefs.odds.len(), game.hidden(&view).len());
            for (tile, odds) in &beliefs.odds {
                assert!((odds.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{text}: {tile} is somewhere");
            }
            let held: f64 = beliefs.odds.iter().map(|(_, odds)| odds[0]).sum();
            assert!((held - f64::from(view.other)).abs() < 1e-9, "{text}: the other hand is full");
            told.push(beliefs);
        }
        let apart = |one: usize, other: usize| {
            let pairs = told[one].odds.iter().zip(&told[other].odds);
            pairs.map(|((_, one), (_, other))| (one[0] - other[0]).abs()).fold(0.0, f64::max)
        };
        moved += usize::from(apart(0, 1) > 0.02);
    }
    assert!(moved > 3, "choices moved the odds {moved} times");
}

/// What a choice tells, by Bayes' rule over every way in which the hand can have come about.
#[test]
fn choices_weigh_worlds_by_their_likelihood() {
    let game = open("dominoes(rules=myers, lead=free)");
    let mut rng = Rng::new(6);
    let mut checked = 0;
    while checked < 10 {
        // The other seat has led and nobody has drawn: every hand has one past.
        let led = |state: &State, seat| state.log().len() == 1 && state.leader() != Some(seat);
        let Some((state, seat)) = somewhere(&game, &mut rng, led) else { continue };
        let view = game.view(&state, seat);
        let actions: Vec<_> = game.actions(&state).collect();
        let decision = Decision::new(&game, seat, &view, &actions);
        let mut sampler = sampler(&game, "pimc(model=scoring, model_trust=0.6)");
        let believed = sampler.posterior(&decision, Deadline::default(), &mut rng);
        assert!(believed.is_complete(), "double-three can be listed");
        let led = state.log()[0].action;
        let mut expected: Vec<f64> = Vec::new();
        for (world, odds) in game.worlds(&view, 100).unwrap() {
            game.retrace(&world, |before, _, _| {
                let leads: Vec<_> = game.actions(before).collect();
                let view = game.view(before, seat.other());
                let lead = Decision::new(&game, seat.other(), &view, &leads);
                let choice = players::Scoring::default().act(&lead, &mut Context::new(&mut Rng::new(0)));
                let likely = 0.6 * f64::from(u8::from(choice == led)) + 0.4 / leads.len() as f64;
                expected.push(odds * likely);
            });
        }
        let total: f64 = expected.iter().sum();
        for ((_, odds), expected) in believed.worlds().iter().zip(&expected) {
            assert!((odds - expected / total).abs() < 1e-9, "{odds} is not {}", expected / total);
        }
        checked += 1;
    }
}

#[test]
fn a_search_answers_when_told_to_stop_and_tells_what_it_thinks() {
    let game = open("dominoes");
    let mut rng = Rng::new(8);
    let (state, seat) = somewhere(&game, &mut rng, |state: &State, _| game.actions(state).len() > 2).unwrap();
    let view = game.view(&state, seat);
    let actions: Vec<_> = game.actions(&state).collect();
    let stop = Cancel::cancelled();
    let untimed = Decision::new(&game, seat, &view, &actions);
    for name in ["pimc", "expectimax", "ismcts"] {
        let unlimited = if name == "ismcts" { "sims=100000000000" } else { "nodes=100000000000" };
        let mut agent = build_player(&game, &format!("{name}({unlimited})"));
        assert!(
            actions.contains(&agent.act(&untimed, &mut Context::new(&mut rng).with_cancel(&stop))),
            "{name}"
        );

        let small = if name == "ismcts" { "sims=200" } else { "nodes=20000, worlds=5" };
        let limit = if name == "ismcts" { 200 } else { 20_000 };
        let (mut thoughts, mut last) = (0, None);
        let chosen = build_player(&game, &format!("{name}({small})")).act(
            &untimed,
            &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| {
                thoughts += 1;
                last = Some((thought.nodes, thought.line[0]));
                assert_eq!(thought.moves.len(), actions.len());
                assert_eq!(thought.line[0], thought.moves[0].action);
            }),
        );
        assert!(thoughts > 0, "{name} tells");
        assert_eq!(
            last,
            Some((limit, chosen)),
            "{name}: the last thought is the answer, with all that it took"
        );
        let again = build_player(&game, &format!("{name}({small})"))
            .act(&untimed, &mut Context::new(&mut Rng::new(1)));
        assert_eq!(chosen, again, "{name}: thinking aloud changes nothing");
    }
}

/// A click tells a number, and what to do next depends on it. Best play wins 11 of 15 from here; clicks that are settled
/// beforehand win a third.
#[test]
fn what_a_click_shows_is_told_apart() {
    let spec = Spec::parse("minesweeper").unwrap();
    let game = Minesweeper::<u64>::open(&Settings::read(&spec, Minesweeper::<u64>::KEYS).unwrap()).unwrap();
    let Ok(Position::View(view)) = game.read_position("1##/###/###") else { panic!() };
    let actions = game.view_actions(&view);
    let decision = Decision::new(&game, Seat::FIRST, &view, &actions);
    for seed in 0..3 {
        let keys = settings("ismcts(sims=20000, explore=0.7)", ismcts::PLAIN_KEYS);
        let mut agent = ismcts::build_plain(&BuildContext::new(&game, &keys, &[]), None).unwrap();
        let mut value = 0.0;
        agent.act(
            &decision,
            &mut Context::new(&mut Rng::new(seed)).with_reporter(&mut |thought| value = thought.value),
        );
        assert!((0.45..=11.0 / 15.0 + 0.02).contains(&value), "{value}");
    }
}
