//! `parlor stats plan`: how long to think.

use std::time::Duration;

use anyhow::{anyhow, bail};
use parlor_core::time::planner::{Method, Plan, Planner, PlannerParams, Situation};
use parlor_core::{Clock, TimeControl};
use serde_json::{Value, json};

use super::args::PlanArgs;
use crate::terminal::{columns, say, say_json, say_json_array};

/// A planner asks between how many actions there is to choose only to see whether there is a choice.
const SEVERAL: usize = 2;

/// How many moves lie between two rows of a whole game.
const STEP: u32 = 10;

pub fn run(args: &PlanArgs) -> anyhow::Result<()> {
    if !args.control.is_limited() {
        bail!("`none` is no limit, so there is nothing to plan: limit nodes or depth instead");
    }
    let planner = PlannerParams {
        literal: args.literal,
        method: if args.fixed { Method::Fixed } else { Method::Dynamic },
        expected: args.expected,
        ..PlannerParams::default()
    }
    .check()?;
    let opponent = args.opponent.map(|left| opponent_clock(args.control, left)).transpose()?;
    let asker = Asker { args, planner, opponent };
    if args.game {
        return whole_game(&asker);
    }
    let clock = asker.clock()?;
    let plan = asker.plan(&clock);
    if args.json {
        return say_json(&row(args.played + 1, &clock, &plan));
    }
    let left = clock.left().map_or_else(String::new, |left| format!(", {} left", seconds(left)));
    say(format!("{}, move {}{left}", args.control, args.played + 1))?;
    let rows = [
        ["target", &seconds(plan.target), "what it should take"],
        ["most", &seconds(plan.most), "what it may take if it turns out to be hard"],
        ["hard", &seconds(plan.hard), "what it must not exceed"],
    ];
    for line in columns(&rows.map(|row| row.map(str::to_owned)), "    ") {
        say(line)?;
    }
    Ok(())
}

/// Everything about the question that stays the same from move to move.
struct Asker<'a> {
    args: &'a PlanArgs,
    planner: Planner,
    opponent: Option<Clock>,
}

impl Asker<'_> {
    fn plan(&self, clock: &Clock) -> Plan {
        let situation = Situation {
            stage: self.args.stage.into(),
            danger: self.args.danger,
            ..Situation::new(*clock, self.opponent, SEVERAL)
        };
        self.planner.plan(&situation).expect("the time is limited")
    }

    /// Returns the clock after the moves that were played.
    fn clock(&self) -> anyhow::Result<Clock> {
        let PlanArgs { played, used, control, .. } = self.args;
        let mut clock = Clock::new(*control);
        if let Some(used) = used
            && *played == 0
            && !used.is_zero()
        {
            bail!("no moves were played, so no time was used; say how many with --played");
        }
        for _ in 0..*played {
            let took = used.map_or_else(|| self.plan(&clock).target, |used| used / *played);
            if !clock.spend(took) {
                bail!("{played} moves in {} overrun `{control}`", seconds(used.unwrap_or(took)));
            }
        }
        Ok(clock)
    }
}

/// Returns a clock that shows `left`.
fn opponent_clock(control: TimeControl, left: Duration) -> anyhow::Result<Clock> {
    let total =
        control.total.ok_or_else(|| anyhow!("`{control}` has no total that an opponent could run out of"))?;
    let Some(used) = total.checked_sub(left) else {
        bail!("the opponent cannot have {} left of `{control}`", seconds(left));
    };
    // Without increments and periods, which would be added as soon as the time is booked.
    let mut clock = Clock::new(TimeControl::total(total));
    clock.spend(used);
    Ok(clock)
}

fn whole_game(asker: &Asker<'_>) -> anyhow::Result<()> {
    let mut clock = Clock::new(asker.args.control);
    let last = asker.args.expected.saturating_add(asker.args.expected / 2).min(100_000);
    let mut shown = Vec::new();
    for number in 1..=last {
        let plan = asker.plan(&clock);
        if number == 1 || number % STEP == 0 || number == last {
            shown.push((number, clock, plan));
        }
        clock.spend(plan.target);
    }
    if asker.args.json {
        return say_json_array(
            &shown.iter().map(|(n, clock, plan)| row(*n, clock, plan)).collect::<Vec<_>>(),
        );
    }
    let mut rows = vec![["move", "left", "target", "most", "hard"].map(str::to_owned)];
    for (number, clock, plan) in &shown {
        let left = clock.left().map_or_else(|| "-".to_owned(), seconds);
        rows.push([number.to_string(), left, seconds(plan.target), seconds(plan.most), seconds(plan.hard)]);
    }
    for line in columns(&rows, "") {
        say(line)?;
    }
    Ok(())
}

fn row(number: u32, clock: &Clock, plan: &Plan) -> Value {
    json!({
        "move": number,
        "left": clock.left().map(|left| left.as_secs_f64()),
        "target": plan.target.as_secs_f64(),
        "most": plan.most.as_secs_f64(),
        "hard": plan.hard.as_secs_f64(),
    })
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
