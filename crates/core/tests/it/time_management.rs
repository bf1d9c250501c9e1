//! Every row of `vectors/time-management.json`, in the literal form of the rules.

use std::collections::BTreeMap;
use std::time::Duration;

use parlor_core::time::planner::rules;
use parlor_core::time::planner::{Bank, PlannerParams, Ponder, Pressure, Situation, Verdict, ponder};
use parlor_core::{Clock, TimeControl};
use serde_json::Value;

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key} in {row}"))
}

fn whole(row: &Value, key: &str) -> u32 {
    let n = row[key].as_u64().unwrap_or_else(|| panic!("{key} in {row}"));
    u32::try_from(n).unwrap()
}

fn flag(row: &Value, key: &str) -> bool {
    row[key].as_bool().unwrap_or_else(|| panic!("{key} in {row}"))
}

fn numbers(row: &Value, key: &str) -> Vec<f64> {
    let list = row[key].as_array().unwrap_or_else(|| panic!("{key} in {row}"));
    list.iter().map(|n| n.as_f64().unwrap()).collect()
}

fn seconds(s: f64) -> Duration {
    Duration::from_secs_f64(s)
}

/// Rows hold nine decimals at least, clocks hold nanoseconds.
fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

/// What the rows without these keys were made with.
fn literal() -> PlannerParams {
    PlannerParams {
        literal: true,
        min_time: seconds(0.1),
        max_time: Some(seconds(60.0)),
        margin: seconds(0.5),
        max_depth: 30,
        ..PlannerParams::default()
    }
}

fn total(row: &Value) -> TimeControl {
    TimeControl::total(seconds(number(row, "T")))
}

fn dynamic(row: &Value) {
    let spent = numbers(row, "spent");
    let played = whole(row, "j") - 1;
    assert_eq!(spent.len(), played as usize, "{row}");
    let left = number(row, "T") - spent.iter().sum::<f64>();
    let plan = rules::dynamic(left, f64::from(whole(row, "N") - played));
    assert!(close(plan, number(row, "plan")), "{plan} in {row}");
}

fn planned(row: &Value) {
    let (expected, played) = (whole(row, "N"), whole(row, "plys_played"));
    assert_eq!(rules::grown(expected, played), u64::from(whole(row, "N_used")), "{row}");
    let planner = PlannerParams {
        expected,
        min_time: seconds(number(row, "tmin")),
        max_time: Some(seconds(number(row, "tmax"))),
        margin: seconds(number(row, "margin")),
        ..literal()
    }
    .check()
    .unwrap();
    let mut clock = Clock::new(total(row));
    for _ in 0..played {
        assert!(clock.spend(seconds(number(row, "time_spent") / f64::from(played))));
    }
    let actions = whole(row, "legal_moves") as usize;
    let plan = if actions > 1 {
        planner.base(&clock).unwrap()
    } else {
        planner.plan(&Situation::new(clock, None, actions)).unwrap().target
    };
    assert!(close(plan.as_secs_f64(), number(row, "plan")), "{plan:?} in {row}");
}

fn start_next(row: &Value) {
    let params = PlannerParams { min_depth: whole(row, "dmin"), max_depth: whole(row, "dmax"), ..literal() };
    let (times, used, budget) = (numbers(row, "t"), number(row, "used"), number(row, "budget"));
    let starts = params.check().unwrap().starts_next(&times, used, budget, f64::INFINITY);
    assert_eq!(starts, flag(row, "start"), "{row}");
}

fn stability(row: &Value) {
    let planner = PlannerParams {
        agreeing: whole(row, "k"),
        tolerance: number(row, "eps"),
        min_depth: whole(row, "dmin"),
        jump: number(row, "jump"),
        ..literal()
    }
    .check()
    .unwrap();
    let list = row["iterations"].as_array().unwrap();
    let iterations: Vec<(&str, f64)> =
        list.iter().map(|pair| (pair[0].as_str().unwrap(), pair[1].as_f64().unwrap())).collect();
    let verdict = planner.verdict(&iterations);
    assert_eq!(verdict == Verdict::Agree, flag(row, "stop_early"), "{row}");
    assert_eq!(verdict == Verdict::Disagree, flag(row, "extend"), "{row}");
}

fn adjust(row: &Value) {
    let planner = PlannerParams {
        extra: number(row, "extra"),
        low_share: number(row, "low_frac"),
        low_factor: number(row, "low_factor"),
        opponent_low: seconds(number(row, "opp_low")),
        opponent_factor: number(row, "opp_factor"),
        ..literal()
    }
    .check()
    .unwrap();
    let (all, left) = (number(row, "T"), number(row, "remaining"));
    let pressure = Pressure {
        own: Bank { total: all, left },
        opponent: Some(Bank { total: all, left: number(row, "opponent_remaining") }),
        counted: false,
        stretch: flag(row, "danger") || flag(row, "unstable"),
    };
    let mut clock = Clock::new(total(row));
    assert!(clock.spend(seconds(all - left)));
    let hard = planner.hard_limit(&clock).unwrap();
    let plan = planner.clamp(planner.adjust(number(row, "plan"), &pressure), hard);
    assert!(close(plan.as_secs_f64(), number(row, "result")), "{plan:?} in {row}");
}

fn pondering(row: &Value) {
    let line: Vec<&str> = row["pv"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    let (word, _) = row["expected"].as_str().unwrap().split_once(':').unwrap();
    let expected = match word {
        "hit" => Ponder::Hit,
        "miss" => Ponder::Miss,
        "no second PV move" => Ponder::Idle,
        other => panic!("unknown answer {other}"),
    };
    assert_eq!(ponder(&line, &row["opponent_plays"].as_str().unwrap()), expected, "{row}");
}

fn trajectory(row: &Value) {
    let expected = whole(row, "N");
    let planner = PlannerParams { expected, ..literal() }.check().unwrap();
    let mut clock = Clock::new(total(row));
    let (plans, lengths) = (numbers(row, "plans"), numbers(row, "N_used"));
    assert_eq!(plans.len(), lengths.len());
    for (ply, (known, length)) in plans.into_iter().zip(lengths).enumerate() {
        assert_eq!(rules::grown(expected, ply as u32) as f64, length, "ply {ply}");
        let plan = planner.base(&clock).unwrap();
        assert!(close(plan.as_secs_f64(), known), "ply {ply}: {plan:?}, not {known}");
        assert!(clock.spend(plan));
    }
}

#[test]
fn every_row_passes() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../vectors/time-management.json")).unwrap();
    let mut seen = BTreeMap::<&str, u32>::new();
    for row in &rows {
        let rule = row["rule"].as_str().unwrap();
        *seen.entry(rule).or_default() += 1;
        match rule {
            "R1 fixed" => {
                let plan = rules::fixed(number(row, "T"), whole(row, "N"));
                assert!(close(plan, number(row, "plan")), "{plan} in {row}");
            }
            "R2 dynamic" => dynamic(row),
            "R3 enlarge" => {
                let length = rules::grown(whole(row, "N"), whole(row, "h"));
                assert_eq!(length, u64::from(whole(row, "N_after")), "{row}");
            }
            "R2+R3+R4+R5 plan" => planned(row),
            "R7 predict" => match (rules::predict(&numbers(row, "t")), row["prediction"].as_f64()) {
                (Some(next), Some(known)) => assert!(close(next, known), "{next} in {row}"),
                (next, known) => assert_eq!(next, known, "{row}"),
            },
            "R7 start next depth" => start_next(row),
            "R8/R9 stability" => stability(row),
            "R10-R12 adjust" => adjust(row),
            "R13 ponder" => pondering(row),
            "R15 MCTS" => {
                let fit = rules::simulations(number(row, "budget"), number(row, "seconds_per_simulation"));
                assert_eq!(fit, row["simulations"].as_u64(), "{row}");
            }
            "trajectory (used = plan)" => trajectory(row),
            other => panic!("no test for the rule {other}"),
        }
    }
    assert_eq!((seen.len(), rows.len()), (11, 79), "{seen:?}");
}
