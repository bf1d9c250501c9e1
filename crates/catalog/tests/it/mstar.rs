//! M* and its oracles at dominoes: exact values, what models gain, and what can be typed.

use parlor_catalog::roster;
use parlor_core::api::{BuildContext, Hosted, Make};
use parlor_core::{
    Agent, Context, Decision, Entry, Game, Notation, Oracle, Phase, Position, Rng, Seat, Settings, Spec,
    SpecError, Thought,
};
use parlor_games::dominoes::{Action, Dominoes, State, Tile};

pub(super) fn open(text: &str) -> Dominoes {
    let spec = Spec::parse(text).unwrap();
    Dominoes::open(&Settings::read(&spec, Dominoes::KEYS).unwrap()).unwrap()
}

pub(super) fn oracle(game: &Dominoes, text: &str) -> Result<Box<dyn Oracle<Dominoes>>, SpecError> {
    let spec = Spec::parse(text)?;
    let roster = roster::dominoes();
    let entry = roster.iter().find(|entry| entry.name == spec.name).unwrap();
    let Make::Oracle(build) = entry.make else { panic!("{text} is no oracle") };
    build(&BuildContext::new(game, &Settings::read(&spec, entry.keys)?, &roster))
}

pub(super) fn agent(game: &Dominoes, text: &str) -> Box<dyn Agent<Dominoes>> {
    let spec = Spec::parse(text).unwrap();
    let roster = roster::dominoes();
    let entry = roster.iter().find(|entry| entry.name == spec.name).unwrap();
    let Make::Agent(build) = entry.make else { panic!("{text} is no agent") };
    build(&BuildContext::new(game, &Settings::read(&spec, entry.keys).unwrap(), &roster)).unwrap()
}

fn deal(game: &Dominoes, text: &str) -> State {
    let Ok(Position::State(state)) = game.read_position(text) else { panic!("{text} is no deal") };
    state
}

/// What seat 0 gets on average: the score differential, and how often it does not lose.
#[derive(Copy, Clone, Default, PartialEq, Debug)]
struct Worth {
    points: f64,
    unbeaten: f64,
}

impl Worth {
    fn add(&mut self, odds: f64, worth: Worth) {
        self.points += odds * worth.points;
        self.unbeaten += odds * worth.unbeaten;
    }
}

/// Somebody in seat 0, and the odds of what seat 1 does.
struct Pairing<'a> {
    game: &'a Dominoes,
    decide: &'a mut dyn FnMut(&State, &[Action]) -> Action,
    reply: &'a mut dyn FnMut(&State, &[Action]) -> Vec<f64>,
}

impl Pairing<'_> {
    /// Plays every course that chance and the odds allow.
    fn worth(&mut self, state: &State) -> Worth {
        let game = self.game;
        let phase = game.phase(state);
        let odds: Vec<(Action, f64)> = match phase {
            Phase::Over => {
                let points = game.payoffs(state).of(Seat::FIRST);
                return Worth { points, unbeaten: f64::from(u8::from(points >= 0.0)) };
            }
            Phase::Chance => game.chances(state).collect(),
            Phase::Decide(seat) => {
                let actions: Vec<Action> = game.actions(state).collect();
                if seat == Seat::FIRST {
                    vec![((self.decide)(state, &actions), 1.0)]
                } else {
                    let odds = (self.reply)(state, &actions);
                    actions.into_iter().zip(odds).collect()
                }
            }
        };
        let mut mean = Worth::default();
        for (action, odds) in odds.into_iter().filter(|&(_, odds)| odds > 0.0) {
            let mut next = state.clone();
            game.apply(&mut next, action);
            mean.add(odds, self.worth(&next));
        }
        mean
    }
}

/// Returns what an oracle in seat 0 decides.
fn sighted<'a>(game: &'a Dominoes, spec: &str) -> impl FnMut(&State, &[Action]) -> Action + use<'a> {
    let mut oracle = oracle(game, spec).unwrap();
    move |state, actions| {
        let view = game.view(state, Seat::FIRST);
        let decision = Decision::new(game, Seat::FIRST, &view, actions);
        oracle.act(&decision, state, &mut Context::new(&mut Rng::new(0)))
    }
}

/// Returns the odds of a target in seat 1.
fn target<'a>(game: &'a Dominoes, spec: &str) -> impl FnMut(&State, &[Action]) -> Vec<f64> + use<'a> {
    let mut policy = Hosted::new(game.clone(), roster::dominoes()).policy(spec).unwrap().unwrap();
    move |state, actions| {
        let view = game.view(state, Seat::SECOND);
        let mut weights = Vec::new();
        policy.weigh(&Decision::new(game, Seat::SECOND, &view, actions), &mut weights);
        weights
    }
}

/// Every `step`-th of the 4,200 deals of double-three, three tiles to each hand.
pub(super) fn deals(game: &Dominoes, step: usize) -> Vec<State> {
    let tiles: Vec<Tile> = game.all().tiles().collect();
    let write = |set: u32| {
        let among = |at: &usize| set >> at & 1 == 1;
        (0..tiles.len()).filter(among).map(|at| tiles[at].to_string()).collect::<Vec<_>>().join(" ")
    };
    let threes =
        |free: u32| (0..1_u32 << tiles.len()).filter(move |set| set.count_ones() == 3 && set & !free == 0);
    let all = (1 << tiles.len()) - 1;
    let mut texts = Vec::new();
    for first in threes(all) {
        for second in threes(all & !first) {
            texts.push(format!("{} | {} | {}", write(first), write(second), write(all & !first & !second)));
        }
    }
    assert_eq!(texts.len(), 4200);
    texts.iter().step_by(step).map(|text| deal(game, text)).collect()
}

fn mean(game: &Dominoes, states: &[State], player: &str, against: &str) -> Worth {
    let mut pairing = Pairing { game, decide: &mut sighted(game, player), reply: &mut target(game, against) };
    let mut mean = Worth::default();
    for state in states {
        mean.add(1.0 / states.len() as f64, pairing.worth(state));
    }
    mean
}

#[test]
fn expectimax_finds_the_values_of_another_program() {
    let rows = include_str!("../../../games/tests/vectors/dominoes-values.csv");
    let mut checked = 0;
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        for (column, rules) in
            [(11, "spinner=first-tile"), (5, "lead=free"), (6, "lead=free, spinner=first-tile")]
        {
            let game = open(&format!("dominoes(rules=myers, {rules})"));
            let state = deal(&game, &cells[..3].join(" | "));
            // Both seats play by it, so what comes out is the value.
            let mut other = oracle(&game, "expectimax-oracle").unwrap();
            let mut reply = |state: &State, actions: &[Action]| {
                let view = game.view(state, Seat::SECOND);
                let decision = Decision::new(&game, Seat::SECOND, &view, actions);
                let chosen = other.act(&decision, state, &mut Context::new(&mut Rng::new(0)));
                actions.iter().map(|&action| f64::from(u8::from(action == chosen))).collect()
            };
            let mut decide = sighted(&game, "expectimax-oracle");
            let value = Pairing { game: &game, decide: &mut decide, reply: &mut reply }.worth(&state).points;
            // The columns tell the leader's value.
            let value = if state.leader() == Some(Seat::FIRST) { value } else { -value };
            assert!(
                (value - cells[column].parse::<f64>().unwrap()).abs() < 1e-8,
                "{value} with {rules} in {row}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 45);
}

#[test]
fn cuts_and_draws_of_the_oracle_leave_its_play_as_it_is() {
    let game = open("dominoes(rules=myers)");
    let states = deals(&game, 53);
    let plain = mean(&game, &states, "expectimax-oracle", "scoring");
    for text in [
        "expectimax-oracle(star=1)",
        "expectimax-oracle(star=2)",
        "expectimax-oracle(chance=weighed, memory_mb=1)",
    ] {
        assert_eq!(mean(&game, &states, text, "scoring"), plain, "{text}");
    }
    let hasty = mean(&game, &states, "expectimax-oracle(nodes=1, playout=off)", "scoring");
    assert!(hasty.points < plain.points - 0.05, "{hasty:?} without looking, {plain:?} with it");
}

#[test]
fn a_true_model_gains() {
    let game = open("dominoes(rules=myers)");
    let states = deals(&game, 97);
    for against in ["random", "scoring", "defense"] {
        let careful = mean(&game, &states, "expectimax-oracle", against);
        let knowing = mean(&game, &states, &format!("mstar-oracle(model={against})"), against);
        // Knowing the target, it has the best of all replies; on some deals that is more than the careful one has.
        assert!(knowing.points > careful.points + 0.02, "{against}: {knowing:?} against {careful:?}");
        let nobody = mean(&game, &states, "mstar-oracle(model=expectimax)", against);
        assert_eq!(nobody, careful, "a minimax opponent is what expectimax expects");
        // The worst that a wrong model can do is to be wrong: nothing beats the right one.
        for wrong in ["random", "scoring", "defense", "mstar(model=scoring)"] {
            let misled = mean(&game, &states, &format!("mstar-oracle(model={wrong})"), against);
            assert!(misled.points < knowing.points + 1e-9, "{wrong} for {against}: {misled:?}");
        }
    }
}

#[test]
fn nested_models_outwit_whoever_has_the_inner_one() {
    // Seat 1 looks ahead, taking seat 0 for a scorer. Who knows that has the best reply to it.
    let game = open("dominoes(rules=myers)");
    let states = deals(&game, 41);
    let against_scorer = |player: &str| {
        let mut other = oracle(&game, "mstar-oracle(model=scoring)").unwrap();
        let mut reply = |state: &State, actions: &[Action]| {
            let view = game.view(state, Seat::SECOND);
            let decision = Decision::new(&game, Seat::SECOND, &view, actions);
            let chosen = other.act(&decision, state, &mut Context::new(&mut Rng::new(0)));
            actions.iter().map(|&action| f64::from(u8::from(action == chosen))).collect()
        };
        let mut decide = sighted(&game, player);
        let mut pairing = Pairing { game: &game, decide: &mut decide, reply: &mut reply };
        states.iter().map(|state| pairing.worth(state).points).sum::<f64>() / states.len() as f64
    };
    let knowing = against_scorer("mstar-oracle(model=mstar(model=scoring))");
    for other in ["expectimax-oracle", "mstar-oracle(model=scoring)", "mstar-oracle(model=random)"] {
        let points = against_scorer(other);
        assert!(points < knowing + 1e-9, "{other} gets {points}, who knows better {knowing}");
    }
    let careful = against_scorer("expectimax-oracle");
    assert!(careful + 1e-3 < knowing, "{careful} without knowing, {knowing} with it");
}

#[test]
fn with_one_world_left_the_agent_does_what_the_oracle_does() {
    // Every tile but the other hand is seen once the boneyard is empty.
    let game = open("dominoes(rules=myers, hand=5)");
    let mut compared = 0;
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        let mut honest = agent(&game, "mstar(model=defense)");
        let mut seeing = oracle(&game, "mstar-oracle(model=defense)").unwrap();
        loop {
            let action = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => game.sample(&state, &mut rng),
                Phase::Decide(seat) => {
                    let actions: Vec<Action> = game.actions(&state).collect();
                    let view = game.view(&state, seat);
                    let decision = Decision::new(&game, seat, &view, &actions);
                    let mut thoughts: Vec<Thought<Action>> = Vec::new();
                    let action = honest.act(
                        &decision,
                        &mut Context::new(&mut Rng::new(0))
                            .with_reporter(&mut |thought| thoughts.push(thought.clone())),
                    );
                    assert_eq!(action, seeing.act(&decision, &state, &mut Context::new(&mut Rng::new(0))));
                    assert_eq!(action, honest.act(&decision, &mut Context::new(&mut Rng::new(0))));
                    assert_eq!(thoughts.is_empty(), actions.len() == 1, "one action needs no thought");
                    if let Some(last) = thoughts.last() {
                        assert_eq!((last.line[0], last.moves.len()), (action, actions.len()));
                        compared += 1;
                    }
                    action
                }
            };
            game.apply(&mut state, action);
        }
    }
    assert!(compared > 50, "{compared} decisions");
}

#[test]
fn beliefs_are_the_worlds() {
    let game = open("dominoes(rules=myers)");
    let state = deal(&game, "33 01 02 | 03 11 12 | 00 13 22 23");
    let view = game.view(&state, Seat::FIRST);
    let actions: Vec<Action> = game.actions(&state).collect();
    let decision = Decision::new(&game, Seat::FIRST, &view, &actions);
    let beliefs = agent(&game, "mstar").beliefs(&decision, &mut Context::new(&mut Rng::new(1))).unwrap();
    assert_eq!((beliefs.basis.as_str(), beliefs.odds.len()), ("all 35 worlds", 7));
    assert!(beliefs.odds.iter().all(|(_, odds)| (odds[0] - 3.0 / 7.0).abs() < 1e-12), "{beliefs:?}");
    let basis =
        |text| agent(&game, text).beliefs(&decision, &mut Context::new(&mut Rng::new(1))).unwrap().basis;
    assert_eq!(basis("mstar(worlds=10)"), "10 sampled worlds");
    assert_eq!(basis("mstar(worlds=all)"), "all 35 worlds");
}

#[test]
fn models_that_are_not_understood_get_a_sentence() {
    let game = open("dominoes");
    let says = |spec: &str| oracle(&game, spec).err().unwrap().to_string();
    assert!(says("mstar-oracle(model=scorin)").contains("did you mean `scoring`?"));
    assert!(says("mstar-oracle(model=expectimx)").contains("did you mean `expectimax`?"));
    assert!(says("mstar-oracle(model=mstar(model=defence))").contains("did you mean `defense`?"));
    assert!(says("mstar-oracle(model=mstar(modle=defense))").contains("did you mean `model`?"));
    assert!(says("mstar-oracle(model=scoring(tie_break=none))").contains("first / random"));
    let nested = "mstar-oracle(model=mstar(model=mstar(model=mstar(model=scoring(tie_break=random)))))";
    assert!(oracle(&game, nested).is_ok());
}

#[test]
fn a_model_inside_can_be_sampled() {
    let game = open("dominoes(rules=myers, lead=free)");
    let values = |text| last_thought(&game, text, "33 01 02 | 03 11 12 | 00 13 22 23").1;
    let inside = values("mstar(model=mstar(model=random, sampled=on))");
    assert_eq!(inside, values("mstar(model=mstar(model=random), sampled=on)"));
    assert_ne!(inside, values("mstar(model=mstar(model=random))"), "draws are not averages");
}

#[test]
fn what_the_other_seat_did_tells_what_it_holds() {
    // Seat 1 scores as much as it can. Whoever knows that believes more in what it holds than whoever counts worlds.
    let game = open("dominoes(rules=myers, set=4, hand=5)");
    let mut believed = [0.0; 2];
    let mut decisions = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        let mut reply = target(&game, "scoring");
        let mut counting = agent(&game, "mstar(model=scoring, worlds=300)");
        let mut inferring = agent(&game, "mstar(model=scoring, worlds=300, infer=on)");
        while game.phase(&state) != Phase::Over {
            let actions: Vec<Action> = game.actions(&state).collect();
            let action = match game.phase(&state) {
                Phase::Decide(Seat::FIRST) => {
                    let view = game.view(&state, Seat::FIRST);
                    let decision = Decision::new(&game, Seat::FIRST, &view, &actions);
                    for (agent, believed) in [&mut counting, &mut inferring].into_iter().zip(&mut believed) {
                        let beliefs =
                            agent.beliefs(&decision, &mut Context::new(&mut Rng::new(seed))).unwrap();
                        let held = |name: &str| {
                            state.hand(Seat::SECOND).tiles().any(|tile| tile.to_string() == name)
                        };
                        let all: f64 = beliefs.odds.iter().map(|(_, odds)| odds[0]).sum();
                        assert!((all - f64::from(view.other)).abs() < 1e-9, "{beliefs:?}");
                        let right = beliefs.odds.iter().filter(|(name, _)| held(name));
                        *believed += right.map(|(_, odds)| odds[0]).sum::<f64>() / f64::from(view.other);
                    }
                    decisions += 1;
                    *rng.choose(&actions)
                }
                Phase::Decide(_) => {
                    let odds = reply(&state, &actions);
                    actions[odds.iter().position(|&odds| odds == 1.0).unwrap()]
                }
                _ => game.sample(&state, &mut rng),
            };
            game.apply(&mut state, action);
        }
    }
    let [counted, inferred] = believed.map(|sum| sum / f64::from(decisions));
    assert!(inferred > counted + 0.02, "{inferred} against {counted} over {decisions} decisions");
}

/// What an agent thinks of a deal last: the depth, and the values of its moves.
pub(super) fn last_thought(game: &Dominoes, text: &str, position: &str) -> (u32, Vec<(String, f64)>) {
    let state = deal(game, position);
    let Phase::Decide(seat) = game.phase(&state) else { panic!("{position} is a decision") };
    let (view, actions) = (game.view(&state, seat), game.actions(&state).collect::<Vec<_>>());
    let decision = Decision::new(game, seat, &view, &actions);
    let mut last = None;
    agent(game, text).act(
        &decision,
        &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| last = Some(thought.clone())),
    );
    let last = last.expect("a search tells");
    let moves = last.moves.iter().map(|told| (game.write_action(told.action), told.value));
    (last.depth, moves.collect())
}

/// In double-six everything that can be drawn is too much to look at even once: a fixed order is not.
#[test]
fn double_six_is_looked_at() {
    let game = open("dominoes(target=none)");
    let position = "00 01 02 12 25 46 55 | 03 11 14 26 33 45 66 | 04 05 06 13 15 16 22 23 24 34 35 36 44 56";
    let (depth, scoring) = last_thought(&game, "mstar(nodes=100000)", position);
    assert!(depth >= 1, "not even one decision");
    let (_, defense) = last_thought(&game, "mstar(model=defense, nodes=100000)", position);
    assert_ne!(scoring, defense, "the model matters");
}

/// Whoever expects the worst is searched for as `expectimax` is, and finds the same in the same number of nodes.
#[test]
fn expecting_the_worst_is_expectimax() {
    let game = open("dominoes(rules=myers, lead=free)");
    for position in ["00 01 02 | 03 11 12 | 13 22 23 33", "12 13 33 | 00 02 22 | 01 03 11 23"] {
        let wanted = last_thought(&game, "expectimax(nodes=400000)", position);
        assert_eq!(last_thought(&game, "mstar(model=expectimax)", position), wanted, "{position}");
        // Without a table, 400,000 nodes would not suffice.
        let blind = last_thought(&game, "pimc(worlds=all, beliefs=off)", position);
        assert_eq!(blind.1[0].0, wanted.1[0].0, "before the first play nothing has been told: {position}");
    }
}
