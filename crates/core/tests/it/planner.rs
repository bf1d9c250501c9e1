//! The planner as a whole: the smoothed form, the pace of a search, and promises that hold for any numbers.

use std::num::NonZeroU32;
use std::time::Duration;

use parlor_core::time::planner::{
    Fails, Iteration, Method, Next, Outlook, Pace, Plan, Planner, PlannerParams, Situation, Stage, Verdict,
    Why,
};
use parlor_core::{Clock, Periods, TimeControl};
use proptest::prelude::*;

fn clock(text: &str) -> Clock {
    Clock::new(text.parse().unwrap())
}

fn seconds(s: f64) -> Duration {
    Duration::from_secs_f64(s)
}

fn after(text: &str, spent: &[f64]) -> Clock {
    let mut clock = clock(text);
    assert!(spent.iter().all(|s| clock.spend(seconds(*s))), "the example keeps its time");
    clock
}

fn plan(clock: Clock) -> Plan {
    Planner::default().plan(&Situation::new(clock, None, 20)).unwrap()
}

/// The target of each of `plies` decisions if each takes its target.
fn targets(planner: &Planner, mut clock: Clock, plies: usize) -> Vec<f64> {
    (0..plies)
        .map(|_| {
            let base = planner.base(&clock).unwrap();
            assert!(clock.spend(base));
            base.as_secs_f64()
        })
        .collect()
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.005
}

/// The figures in the guide.
#[test]
fn fifteen_minutes_smoothed_and_literal() {
    let literal = PlannerParams { literal: true, ..PlannerParams::default() }.check().unwrap();
    let cliffs = targets(&literal, clock("15m"), 100);
    let smooth = targets(&Planner::default(), clock("15m"), 100);
    for (ply, jagged, even) in [
        (1, 15.0, 18.0),
        (30, 15.0, 15.743),
        (54, 15.0, 6.202),
        (55, 5.0, 5.674),
        (66, 1.591, 2.353),
        (100, 0.158, 0.325),
    ] {
        assert!(near(cliffs[ply - 1], jagged), "ply {ply}: literal {}", cliffs[ply - 1]);
        assert!(near(smooth[ply - 1], even), "ply {ply}: smoothed {}", smooth[ply - 1]);
    }
    let steepest = |plans: &[f64]| plans.windows(2).map(|two| two[1] / two[0]).fold(1.0, f64::min);
    assert!(near(steepest(&cliffs), 0.31), "{}", steepest(&cliffs));
    assert!(near(steepest(&smooth), 0.90), "{}", steepest(&smooth));
    assert!(smooth.windows(2).all(|two| two[1] <= two[0]), "plans fall slowly and never rise");
}

#[test]
fn each_kind_of_control_is_divided_sensibly() {
    for (clock, target) in [
        // Nothing can be saved: everything but the margin.
        (clock("10s/move"), 9.5),
        (clock("1s/move"), 0.9),
        // Five minutes over sixty decisions, 1.2 shares; with an increment 59 of them more.
        (clock("5m"), 6.0),
        (clock("5m+2s"), 8.36),
        (clock("5m@4s/move"), 3.6),
        // Counted decisions: 1.2 shares of what is left.
        (clock("40/5m:20/2m"), 9.0),
        (after("40/5m:20/2m", &[7.5; 39]), 7.0),
        (after("40/5m:20/2m", &[7.5; 40]), 7.2),
        // Overtime gives six seconds a decision for ever, so less is never planned before it.
        (clock("5m:20/2m"), 6.0),
        (after("5m:20/2m", &[10.0; 29]), 6.0),
        (after("5m:20/2m", &[10.0; 31]), 6.947),
        (clock("0s:1/30s"), 29.5),
    ] {
        let plan = plan(clock);
        assert!(near(plan.target.as_secs_f64(), target), "{}: {plan:?}, not {target}", clock.control());
    }
    assert_eq!(Planner::default().plan(&Situation::new(Clock::default(), None, 20)), None);
}

#[test]
fn a_short_decision_survives_an_interruption() {
    for (control, milliseconds) in
        [("200ms/move", 180), ("100ms/move", 90), ("50ms/move", 40), ("20ms/move", 10), ("10ms/move", 5)]
    {
        let kept = plan(clock(control));
        assert_eq!(kept.hard, Duration::from_millis(milliseconds), "{control}");
        assert_eq!(kept.target, kept.hard, "{control}: what is saved is lost");
    }
}

#[test]
fn the_fixed_method_does_not_look_back() {
    let planner = PlannerParams { method: Method::Fixed, ..PlannerParams::default() }.check().unwrap();
    for clock in [clock("15m"), after("15m", &[1.0; 20])] {
        assert_eq!(planner.base(&clock), Some(seconds(15.0)));
    }
    assert_eq!(planner.base(&clock("40/5m:20/2m")), Some(seconds(7.5)));
    assert_eq!(planner.base(&after("40/5m:20/2m", &[7.5; 40])), Some(seconds(6.0)));
}

#[test]
fn a_match_of_a_second_is_planned_like_one_of_an_hour() {
    let (short, long) = (plan(clock("1s")), plan(clock("1000s")));
    assert!(near(long.target.as_secs_f64() / 1000.0, short.target.as_secs_f64()), "{short:?} {long:?}");
}

#[test]
fn nothing_to_decide_takes_no_time() {
    let situation = Situation::new(clock("5m"), None, 20);
    let planner = Planner::default();
    for easy in [Situation { actions: 1, ..situation }, Situation { stage: Stage::Book, ..situation }] {
        let plan = planner.plan(&Situation { danger: true, ..easy }).unwrap();
        assert_eq!((plan.target, plan.most), (Duration::ZERO, Duration::ZERO));
    }
}

#[test]
fn danger_and_the_endgame() {
    let planner = Planner::default();
    let situation = Situation::new(clock("15m"), None, 20);
    let times = |situation: Situation| {
        let plan = planner.plan(&situation).unwrap();
        (plan.target.as_secs_f64(), plan.most.as_secs_f64())
    };
    assert_eq!(times(situation), (18.0, 27.0));
    assert_eq!(times(Situation { danger: true, ..situation }), (27.0, 27.0));
    let endgame = Situation { stage: Stage::Endgame, ..situation };
    assert_eq!(times(endgame), (9.0, 54.0));
    assert_eq!(times(Situation { danger: true, ..endgame }), (54.0, 54.0));
    let lost_anyway = Situation { clock: clock("10s/move"), ..endgame };
    assert_eq!(times(lost_anyway), (9.5, 9.5));
}

#[test]
fn low_time_slows_down_gradually() {
    let planner = Planner::default();
    let factor = |left: f64| {
        let clock = after("15m", &[900.0 - left]);
        plan(clock).target.as_secs_f64() / planner.base(&clock).unwrap().as_secs_f64()
    };
    assert!(near(factor(90.0), 1.0) && near(factor(45.0), 0.75) && near(factor(9.0), 0.55));
    // Before the end of a period little time is as it should be.
    let counted = after("40/5m", &[7.5; 38]);
    assert_eq!(plan(counted).target, planner.base(&counted).unwrap());
}

#[test]
fn an_opponent_without_time_gets_none_of_ours() {
    let target = |own: Clock, opponent: Clock| {
        let plan = Planner::default().plan(&Situation::new(own, Some(opponent), 20)).unwrap();
        plan.target.as_secs_f64()
    };
    let own = clock("5m");
    assert!(near(target(own, after("5m", &[289.0])), 6.0), "11 s are enough");
    assert!(near(target(own, after("5m", &[291.0])), 3.0), "9 s are not");
    assert!(near(target(own, after("5m:20/2m", &[291.0])), 6.0), "overtime waits behind them");
    assert!(near(target(own, clock("5s/move")), 6.0), "it cannot run out of what comes anew");
    let poor = after("5m", &[293.0]);
    let alone = plan(poor).target.as_secs_f64();
    assert!(near(target(poor, after("5m", &[291.0])), alone), "we have even less");
}

#[test]
fn many_failures_have_a_meaning() {
    let outlook = |searches, low, high| Planner::default().outlook(Fails { searches, low, high });
    assert_eq!(outlook(10, 6, 0), Outlook::TooOptimistic);
    assert_eq!(outlook(10, 0, 6), Outlook::TooPessimistic);
    assert_eq!(outlook(10, 5, 5), Outlook::Balanced);
    assert_eq!(outlook(10, 6, 9), Outlook::TooPessimistic);
    assert_eq!(outlook(3, 3, 0), Outlook::Balanced, "too few to say");
    assert_eq!(outlook(0, 0, 0), Outlook::Balanced);
}

#[test]
fn values_that_are_no_numbers_agree_with_nothing() {
    let planner = Planner::default();
    let verdict = |values: [f64; 5]| planner.verdict(&values.map(|value| ("a", value)));
    assert_eq!(verdict([1.0, 1.0, f64::NAN, 1.0, 1.0]), Verdict::Open);
    assert_eq!(verdict([1.0, 1.0, 1.0, 1.0, f64::NAN]), Verdict::Disagree);
    assert_eq!(verdict([f64::INFINITY; 5]), Verdict::Agree);
    assert_eq!(verdict([1.0, 1.0, 1.0, 1.0, f64::INFINITY]), Verdict::Disagree);
}

fn found(best: char, value: f64) -> Iteration<char> {
    Iteration { best, value, won: false, fails: Fails::default() }
}

/// Runs a search whose depths take 0.1, 0.2, 0.4 … seconds; returns what ended it and after how many depths.
fn search(plan: Plan, iterations: impl Fn(usize) -> Iteration<char>) -> (Why, usize) {
    let planner = Planner::default();
    let mut pace = Pace::new(&planner, plan);
    let mut used = 0.0;
    for depth in 1_u32.. {
        used += 0.1 * f64::from(1 << (depth - 1));
        match pace.finished(iterations(depth as usize), seconds(used)) {
            Next::Deeper(until) => assert!(until <= plan.hard),
            Next::Stop(why) => return (why, depth as usize),
        }
    }
    unreachable!("depths have an end")
}

#[test]
fn a_search_is_paced() {
    // Depth 7 ends after 12.7 s, depth 8 would end after 25.5 s, depth 9 after 51.1 s.
    let plan = Plan { target: seconds(18.0), most: seconds(27.0), hard: seconds(40.0) };
    let drifting = |depth: usize| found('a', depth as f64 * 20.0);
    assert_eq!(search(plan, drifting), (Why::Time, 7));
    assert_eq!(search(plan, |_| found('a', 0.0)), (Why::Agreed, 4));
    let wavering = |depth: usize| found(if depth.is_multiple_of(2) { 'a' } else { 'b' }, 0.0);
    assert_eq!(search(plan, wavering), (Why::Time, 8), "disagreement is worth more time");
    let failing = Fails { searches: 8, low: 0, high: 6 };
    assert_eq!(search(plan, |_| Iteration { fails: failing, ..found('a', 0.0) }), (Why::Time, 8));
    assert_eq!(search(plan, |depth| Iteration { won: depth == 2, ..found('a', 0.0) }), (Why::Won, 2));
    let hurried = Plan { target: Duration::ZERO, most: Duration::ZERO, ..plan };
    assert_eq!(search(hurried, wavering), (Why::Time, 4), "the least depth is reached");
    let desperate = Plan { hard: seconds(0.3), ..hurried };
    assert_eq!(search(desperate, wavering), (Why::Time, 2), "but the hard limit beats it");
    let over = Plan { hard: seconds(0.1), ..hurried };
    assert_eq!(search(over, wavering), (Why::Time, 1), "even where nothing can be predicted yet");
}

#[test]
fn the_greatest_depth_ends_a_search() {
    let planner = PlannerParams { max_depth: 5, ..PlannerParams::default() }.check().unwrap();
    let hour = seconds(3600.0);
    let mut pace = Pace::new(&planner, Plan { target: hour, most: hour, hard: hour });
    let results: Vec<Next> =
        (1..=5u32).map(|depth| pace.finished(found('a', f64::from(depth) * 40.0), Duration::ZERO)).collect();
    assert_eq!(results[3], Next::Deeper(hour));
    assert_eq!(results[4], Next::Stop(Why::Depth));
}

fn times() -> impl Strategy<Value = Duration> {
    (1u64..20_000_000_000_000, 0u32..12)
        .prop_map(|(n, fewer)| Duration::from_nanos((n >> (3 * fewer)).max(1)))
}

fn controls() -> impl Strategy<Value = TimeControl> {
    let counts = || (1u32..80).prop_map(|n| NonZeroU32::new(n).unwrap());
    let periods = prop_oneof![
        2 => Just(None),
        1 => (counts(), counts(), times())
            .prop_map(|(first, moves, time)| Some(Periods::Sessions { first, moves, time })),
        1 => (counts(), times()).prop_map(|(moves, time)| Some(Periods::Overtime { moves, time })),
    ];
    let increments = prop_oneof![Just(Duration::ZERO), times()];
    (proptest::option::weighted(0.8, times()), proptest::option::of(times()), increments, periods)
        .prop_map(|(total, per_move, increment, periods)| TimeControl { total, per_move, increment, periods })
}

fn planners() -> impl Strategy<Value = Planner> {
    let flags = (any::<bool>(), any::<bool>());
    let sizes = (1u32..200, times(), proptest::option::of(times()), times());
    let factors = (1.0..10.0, 1.0..10.0, 0.0..1.0, 0.0..1.0, 0.0..1.0, 0.05..1.0);
    (flags, sizes, factors).prop_map(|((literal, fixed), (expected, min_time, longer, margin), factors)| {
        let (front, extra, low_share, low_factor, opponent_factor, endgame_factor) = factors;
        PlannerParams {
            literal,
            method: if fixed { Method::Fixed } else { Method::Dynamic },
            expected,
            min_time,
            max_time: longer.map(|longer| min_time + longer),
            margin,
            front,
            extra,
            low_share,
            low_factor,
            opponent_factor,
            endgame_factor,
            ..PlannerParams::default()
        }
        .check()
        .unwrap()
    })
}

proptest! {
    /// A game of any length, by any control and settings: a seat that keeps to its plans, even to the hard limit, never
    /// overruns. Durations cannot be negative or no number, and every plan is one.
    #[test]
    fn plans_are_always_in_time(
        planner in planners(),
        controls in (controls(), controls()),
        moments in proptest::collection::vec((0u8..4, 0usize..3, 0u8..3, any::<bool>()), 1..400),
    ) {
        let (mut clock, mut opponent) = (Clock::new(controls.0), Clock::new(controls.1));
        for (choice, actions, stage, danger) in moments {
            let stage = [Stage::Book, Stage::Middle, Stage::Endgame][usize::from(stage)];
            let situation = Situation { clock, opponent: Some(opponent), actions, stage, danger };
            let Some(plan) = planner.plan(&situation) else {
                prop_assert!(!clock.is_limited());
                break;
            };
            prop_assert!(plan.target <= plan.most && plan.most <= plan.hard, "{:?}", plan);
            prop_assert!(Some(plan.hard) <= clock.allowance(), "{:?}", plan);
            prop_assert!(planner.base(&clock) <= Some(plan.hard));
            let spent = [Duration::ZERO, plan.target, plan.most, plan.hard][usize::from(choice)];
            prop_assert!(clock.spend(spent), "{:?} overruns", plan);
            opponent.spend(spent / 2);
        }
    }

    /// With a total alone, all plans together stay below it, however long the game.
    #[test]
    fn plans_add_up_to_less_than_the_total(planner in planners(), total in times(), plies in 1usize..3000) {
        let mut clock = Clock::new(TimeControl::total(total));
        let mut sum = Duration::ZERO;
        for _ in 0..plies {
            let plan = planner.plan(&Situation::new(clock, None, 2)).unwrap();
            sum += plan.most;
            prop_assert!(clock.spend(plan.most));
        }
        prop_assert!(sum <= total);
    }

    /// The smoothed form never plans itself into zero time while a game goes on no longer than ten times as expected.
    #[test]
    fn something_is_left_in_long_games(total in 1.0f64..10_000.0, expected in 1u32..100) {
        let planner = PlannerParams { expected, margin: Duration::ZERO, ..PlannerParams::default() }.check().unwrap();
        let mut clock = Clock::new(TimeControl::total(seconds(total)));
        for ply in 0..10 * expected.min(20) {
            let plan = planner.plan(&Situation::new(clock, None, 2)).unwrap();
            prop_assert!(clock.spend(plan.target));
            prop_assert!(clock.left().unwrap() > Duration::ZERO, "ply {}", ply);
        }
    }
}
