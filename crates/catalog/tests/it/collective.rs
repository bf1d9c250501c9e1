//! The collective learner at real games: it learns, it keeps what it learns, and its numbers are those of the source.

#![allow(clippy::disallowed_methods, reason = "compared within a tolerance")]

use std::path::PathBuf;

use parlor_agents::collective::matrix::{Matrix, Pair, number_of, weight_of};
use parlor_agents::collective::policies::{
    Compensation, Draws, Evaluation, Judged, Policies, Selection, Update, Weighed,
};
use parlor_core::api::AnyTeam;
use parlor_core::files::knowledge::{About, Knowledge};
use parlor_core::play::training::{TrainingMatch, TrainingRow};
use parlor_core::rng::fork;
use parlor_core::text::spec::FileProblem;
use parlor_core::{BySeat, Entry, Episode, Game, Seat, Settings, Spec, SpecError, StageResult};
use parlor_games::tictactoe::TicTacToe;

/// Member 0 learns, member 1 is `random`.
fn seat(game: &str, learner: &str) -> Box<dyn AnyTeam> {
    parlor_catalog::open(game).unwrap().team(&[learner, "random"]).unwrap()
}

fn play(
    team: &mut dyn AnyTeam,
    other: usize,
    matches: u64,
    seed: u64,
    frozen: bool,
) -> Vec<(Seat, TrainingRow)> {
    team.learner(0).unwrap().freeze(frozen);
    let row = |number: u64| {
        let seat = Seat((number % 2) as u8);
        let seating = if number.is_multiple_of(2) { [0, other] } else { [other, 0] };
        let chance = fork(seed, number);
        (seat, team.train_match(&TrainingMatch { seating: &seating, chance, agent_seed: fork(chance, 1) }))
    };
    (0..matches).map(row).collect()
}

fn save(team: &mut dyn AnyTeam) -> Vec<u8> {
    let mut bytes = Vec::new();
    team.learner(0).unwrap().save(&mut bytes).unwrap();
    bytes
}

/// Points a match against `random`, a draw counts half.
fn score(team: &mut dyn AnyTeam, matches: u64) -> f64 {
    let rows = play(team, 1, matches, 99, true);
    let points = rows.iter().map(|(seat, row)| {
        let difference = row.payoffs[*seat] - row.payoffs[seat.other()];
        0.5 + 0.5 * difference.clamp(-1.0, 1.0).signum() * f64::from(u8::from(difference != 0.0))
    });
    points.sum::<f64>() / matches as f64
}

const MEANS: &str = "evaluate=linear, gamma=1, update=mean, prior=2, ties=half, epsilon=0.1";

#[test]
fn it_gets_better_than_random_at_three_games() {
    for (game, state, matches, least) in [
        ("tictactoe", "board", 20_000, 0.75),
        ("connect(width=4, height=4, row=3)", "board", 20_000, 0.70),
        ("dominoes(set=3, hand=3, target=none)", "gsp1", 10_000, 0.54),
    ] {
        let mut team = seat(game, &format!("collective(state={state}, {MEANS})"));
        let before = score(&mut *team, 2_000);
        assert!((before - 0.5).abs() < 0.05, "{game}: {before} without knowledge");
        play(&mut *team, 1, matches, 5, false);
        let after = score(&mut *team, 2_000);
        assert!(after > least, "{game}: {after} after {matches} matches");
    }
}

#[test]
fn equal_seeds_give_equal_bytes_and_a_frozen_learner_learns_nothing() {
    let learnt = |seed| {
        let mut team = seat("dominoes(target=none)", "collective(epsilon=0.2)");
        play(&mut *team, 0, 200, seed, false);
        let bytes = save(&mut *team);
        play(&mut *team, 1, 50, 3, true);
        assert!(save(&mut *team) == bytes, "frozen");
        bytes
    };
    assert!(learnt(1) == learnt(1));
    assert!(learnt(1) != learnt(2));
}

#[test]
fn a_learner_from_a_file_has_its_settings_and_what_it_knows_if_it_recalls() {
    let mut team = seat("tictactoe", "collective(win=1.5, loss=0.7)");
    play(&mut *team, 0, 100, 1, false);
    let game = parlor_catalog::open("tictactoe").unwrap();
    let about = About::new(game.spec(), team.spec(0).to_owned(), 1);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("recalled.parlor");
    Knowledge { about, payload: save(&mut *team) }.write(&file).unwrap();

    let with = |more: &str| seat("tictactoe", &format!("collective(file={}{more})", file.display()));
    let mut recalled = with("");
    assert!(save(&mut *recalled) == save(&mut *team));
    let full = recalled.spec(0).to_owned();
    assert!(full.contains("win=1.5, loss=0.7"), "{full}");
    assert_eq!(game.agent_spec(&full).unwrap(), full, "the full form can be read again");

    let mut empty = with(", recall=off");
    assert_eq!(empty.learner(0).unwrap().size().entries, 0);
    assert!(empty.spec(0).contains("win=1.5, loss=0.7"));
    let wrong = game.agent_spec(&format!("collective(file={}, win=2)", file.display())).unwrap_err();
    assert!(wrong.to_string().contains("`win` comes from the file"), "{wrong}");

    // A full form names what it knew: a run that goes on with another file would count two players as one.
    play(&mut *team, 0, 100, 2, false);
    let about = Knowledge::open(&file).unwrap().about;
    Knowledge { about, payload: save(&mut *team) }.write(&file).unwrap();
    let changed = game.agent_spec(&full).unwrap_err();
    assert!(matches!(changed, SpecError::Changed { .. }), "{changed}");
    let dominoes = parlor_catalog::open("dominoes").unwrap();
    let elsewhere = dominoes.agent_spec(&format!("collective(file={})", file.display())).unwrap_err();
    assert!(matches!(elsewhere, SpecError::File { problem: FileProblem::Elsewhere, .. }), "{elsewhere}");
}

/// Returns how often transitions were updated in all.
fn uses(team: &mut dyn AnyTeam) -> u64 {
    let mut text = Vec::new();
    team.learner(0).unwrap().write_text(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn the_result_of_the_match_teaches_all_its_stages() {
    let after_one_match = |result: &str| {
        let mut team = seat("dominoes", &format!("collective(select=random, result={result})"));
        let rows = play(&mut *team, 1, 1, 8, false);
        assert!(rows[0].1.stages >= 2, "a match of several stages");
        uses(&mut *team)
    };
    // It plays at random, so it plays alike whatever it learns.
    assert_eq!(after_one_match("match"), after_one_match("stage"));
    assert!(after_one_match("match") > 5);
}

#[test]
fn a_small_memory_forgets_and_says_so() {
    let mut team = seat("dominoes", "collective(state=gsp3, memory_mb=1, select=random)");
    play(&mut *team, 0, 1_500, 2, false);
    let size = team.learner(0).unwrap().size();
    assert!(size.forgotten > 1_000 && size.entries > 1_000, "{size:?}");
    assert!(size.peak_bytes <= 1024 * 1024, "{size:?}");
}

fn policies(evaluation: Evaluation, update: Update) -> Policies {
    Policies {
        weighed: Weighed::Transition,
        selection: Selection::Greatest,
        judged: Judged::Stage,
        evaluation,
        gamma: 30.0,
        translate: 0.775,
        scale: 0.081,
        compensation: Compensation::Simple,
        round: 50,
        rounds: 50,
        update,
        draws: Draws::Second,
        explore: 0.0,
    }
}

const CONSTANT: Evaluation = Evaluation::Constant { win: 1.06, loss: 0.98 };

/// What a stage changes for a seat, as a number, after so many matches; the first seat began.
fn change(policies: &Policies, seat: Seat, winner: Option<Seat>, scores: [f64; 2], matches: u64) -> f64 {
    let bare = Spec { name: TicTacToe::NAME.to_owned(), pairs: Vec::new() };
    let game = TicTacToe::open(&Settings::read(&bare, TicTacToe::KEYS).unwrap()).unwrap();
    let result = StageResult { winner, points: BySeat(scores), scores: BySeat(scores) };
    let last = game.view(&game.start(), seat);
    let first = Seat::FIRST;
    let episode =
        Episode { game: &game, seat, first, steps: &[], earlier: 0, last: &last, result, payoffs: None };
    number_of(policies.change(&episode, BySeat::default(), matches).unwrap())
}

fn near(is: f64, should: f64) {
    assert!((is - should).abs() < 1e-6, "{is}, not {should}");
}

#[test]
fn evaluations_are_those_worked_out_by_hand() {
    let (one, two) = (Seat::FIRST, Seat::SECOND);
    // (101² − 0²)/(100·30) = 3.400333…, (101 − 0)/30 = 3.366666…
    let polynomial = policies(Evaluation::Polynomial, Update::Additive);
    near(change(&polynomial, one, Some(one), [101.0, 0.0], 0), 3.400_333_333);
    near(change(&polynomial, two, Some(one), [101.0, 0.0], 0), -3.400_333_333);
    let linear = policies(Evaluation::Linear, Update::Additive);
    near(change(&linear, one, Some(one), [101.0, 0.0], 0), 3.366_666_667);
    near(change(&linear, two, Some(one), [60.0, 45.0], 0), -0.5);
    // Factors: 0.775 + 0.081·3.400333… = 1.050427, 0.775 − 0.081·3.400333… = 0.499573.
    let factor = policies(Evaluation::Polynomial, Update::Multiplicative);
    near(change(&factor, one, Some(one), [101.0, 0.0], 0), 1.050_427_f64.ln());
    near(change(&factor, two, Some(one), [101.0, 0.0], 0), 0.499_573_f64.ln());
}

#[test]
fn ramps_rise_by_rounds() {
    let one = Seat::FIRST;
    let with = |compensation| Policies { compensation, ..policies(CONSTANT, Update::Multiplicative) };
    let at = |compensation, matches| change(&with(compensation), one, Some(one), [1.0, 0.0], matches).exp();
    near(at(Compensation::Simple, 0), 1.06);
    // Round 1 of 50: 1 + 0.06/50; round 25: 1 + 0.06/2; round 51 is beyond face value only where it grows.
    for compensation in [Compensation::Ramp, Compensation::Growing] {
        near(at(compensation, 0), 1.0012);
        near(at(compensation, 49), 1.0012);
        near(at(compensation, 24 * 50), 1.03);
    }
    near(at(Compensation::Ramp, 50 * 50), 1.06);
    near(at(Compensation::Growing, 50 * 50), 1.0612);
}

#[test]
fn a_draw_is_a_win_of_the_second_player() {
    let second = policies(CONSTANT, Update::Multiplicative);
    near(change(&second, Seat::FIRST, None, [1.0, 1.0], 0).exp(), 0.98);
    near(change(&second, Seat::SECOND, None, [1.0, 1.0], 0).exp(), 1.06);
    let half = Policies { draws: Draws::Half, ..second };
    near(change(&half, Seat::FIRST, None, [1.0, 1.0], 0).exp(), 1.02);
}

/// Whoever always wins stays above whoever wins now and then, and that one above whoever never does.
#[test]
fn a_million_updates_keep_weights_finite_and_in_order() {
    let extreme = Evaluation::Constant { win: 1000.0, loss: -1000.0 };
    let factors = Evaluation::Constant { win: 1000.0, loss: 1e-9 };
    for (evaluation, update) in [
        (CONSTANT, Update::Multiplicative),
        (factors, Update::Multiplicative),
        (extreme, Update::Additive),
        (extreme, Update::Mean { prior: 0 }),
        (extreme, Update::Mean { prior: 10 }),
    ] {
        let policies = Policies { compensation: Compensation::Growing, ..policies(evaluation, update) };
        let mut matrix = Matrix::<u64>::new(None);
        // A million matches later the growing ramp is 400 times face value.
        let [win, loss] = [Seat::FIRST, Seat::SECOND]
            .map(|seat| weight_of(change(&policies, seat, Some(Seat::FIRST), [1.0, 0.0], 1_000_000)));
        for number in 0..1_000_000_u32 {
            let changes = [win, if number % 2 == 0 { win } else { loss }, loss];
            let who = number % 3;
            let transition = matrix.update(u64::pack(1, u128::from(who)), 0);
            policies.apply(transition, changes[who as usize]);
        }
        let [always, sometimes, never] =
            [0, 1, 2].map(|who| number_of(matrix.get(u64::pack(1, who)).unwrap().weight));
        assert!([always, sometimes, never].iter().all(|weight| weight.is_finite()));
        assert!(always > sometimes && sometimes > never, "{update:?}: {always} {sometimes} {never}");
    }
}

#[test]
fn what_was_scored_before_a_decision_is_not_its_merit() {
    let mut policies = policies(Evaluation::Linear, Update::Additive);
    policies.judged = Judged::Rest;
    let bare = Spec { name: TicTacToe::NAME.to_owned(), pairs: Vec::new() };
    let game = TicTacToe::open(&Settings::read(&bare, TicTacToe::KEYS).unwrap()).unwrap();
    let scores = BySeat([40.0, 25.0]);
    let result = StageResult { winner: Some(Seat::FIRST), points: scores, scores };
    let last = game.view(&game.start(), Seat::FIRST);
    let episode = Episode {
        game: &game,
        seat: Seat::FIRST,
        first: Seat::FIRST,
        steps: &[],
        earlier: 0,
        last: &last,
        result,
        payoffs: None,
    };
    // 40:25 at the end, 30:0 before: 10 points for the one and 25 for the other are still to come.
    let change = policies.change(&episode, BySeat([30.0, 0.0]), 0).unwrap();
    near(number_of(change), -0.5);
    policies.judged = Judged::Points;
    near(number_of(policies.change(&episode, BySeat([30.0, 0.0]), 0).unwrap()), 0.5);
}

/// Weights of respondents alone know each respondent once: as many as there are different ones among the transitions of
/// the same matches.
#[test]
fn respondents_alone_are_the_different_respondents() {
    let known = |weigh: &str| {
        let mut team = seat("tictactoe", &format!("collective(weigh={weigh}, select=random)"));
        play(&mut *team, 0, 3_000, 5, false);
        let mut text = Vec::new();
        team.learner(0).unwrap().write_text(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let respondents: Vec<String> =
            text.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().to_owned()).collect();
        respondents
    };
    let (transitions, respondents) = (known("transition"), known("respondent"));
    let different: std::collections::BTreeSet<&String> = transitions.iter().collect();
    assert!(respondents.len() < transitions.len());
    assert_eq!(different, respondents.iter().collect());
    assert_eq!(different.len(), respondents.len(), "each once");
}
