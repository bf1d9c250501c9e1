//! The page: tables of what came out.

use std::fmt::Write;

use serde_json::Value;

use super::Results;
use super::plan::{Crosstable, Ladder, Part, Plan};

const HEAD: &str = "\
# How strong the players are

Written by `cargo xtask strength` from `docs/strength/plan.toml` (what is played) and `docs/strength/results.json` (what came
out); change those, not this page. Every match is played in pairs: the same deal or the same random opening twice, seats
swapped. Elo differences carry 95 % intervals; *p* is the exact two-sided p-value of \"no difference\". Where nodes or
simulations are limited the same call gives the same games on every machine; where time is, it does not.

An interval that holds 0 means that the match did not settle the question. Many rows were played, so one or two in forty lie
outside their interval by luck alone.
";

/// Returns the page.
pub fn page(plan: &Plan, results: &Results) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n## Each part, on against off\n\n");
    page.push_str("Counts are from the side of the player with the part.\n\n");
    page.push_str(
        "| part | game | pairs | won · drawn · lost | score | Elo | p |\n|---|---|---|---|---|---|---|\n",
    );
    for part in &plan.part {
        part_row(&mut page, part, results);
    }
    page.push_str("\nThe calls, in the same order; books and equilibria come first:\n\n```sh\n");
    for (_, call) in plan.files() {
        let _ = writeln!(page, "parlor {}", call.key());
    }
    for part in &plan.part {
        let _ = writeln!(page, "parlor {}", part.call().key());
    }
    page.push_str("```\n\n## Everyone against everyone\n");
    for table in &plan.crosstable {
        crosstable(&mut page, table, results);
    }
    page.push_str(
        "\n## Strength against effort\n\nEach row is a player against itself with less to think with.\n",
    );
    for ladder in &plan.ladder {
        steps(&mut page, ladder, results);
    }
    page
}

fn part_row(page: &mut String, part: &Part, results: &Results) {
    let Some(result) = results.get(&part.call().key()) else {
        let _ = writeln!(page, "| {} | `{}` | {} | not played yet | | | |", part.part, part.game, part.pairs);
        return;
    };
    let note = if part.note.is_empty() { String::new() } else { format!(" ({})", part.note) };
    let verdict = verdict(result);
    let _ = writeln!(page, "| {}{note} | `{}` | {} | {verdict} |", part.part, part.game, part.pairs);
}

/// Returns the cells of one match: counts, score, Elo, p.
fn verdict(result: &Value) -> String {
    format!(
        "{} · {} · {} | {} | {} | {}",
        result["wins"],
        result["draws"],
        result["losses"],
        result["score"].as_f64().map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", 100.0 * score)),
        elo(result),
        p_value(result)
    )
}

fn elo(result: &Value) -> String {
    let number = |key: &str| result[key].as_f64();
    let text = |value: Option<f64>, none: &str| value.map_or_else(|| none.to_owned(), signed);
    match (number("elo"), number("elo_low"), number("elo_high")) {
        (None, None, None) => "–".to_owned(),
        (elo, low, high) => {
            // A score of all or nothing has no finite Elo; one end of its interval may exist.
            format!("{} [{} … {}]", text(elo, "∞"), text(low, "−∞"), text(high, "∞"))
        }
    }
}

fn signed(value: f64) -> String {
    let rounded = value.round();
    if rounded < 0.0 { format!("−{}", -rounded) } else { format!("+{}", rounded.abs()) }
}

fn p_value(result: &Value) -> String {
    match result["p_value"].as_f64() {
        None => "–".to_owned(),
        Some(p) if p < 0.0005 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

fn crosstable(page: &mut String, table: &Crosstable, results: &Results) {
    let call = table.call().key();
    let _ = writeln!(page, "\n### `{}`\n\n`parlor {call}`\n", table.game);
    if !table.note.is_empty() {
        let _ = writeln!(page, "{}\n", table.note);
    }
    let Some(standings) = results.get(&call) else {
        page.push_str("Not played yet.\n");
        return;
    };
    let empty = Vec::new();
    let agents = standings["agents"].as_array().unwrap_or(&empty);
    let meetings = standings["meetings"].as_array().unwrap_or(&empty);
    page.push_str("| # | player | Elo | score |");
    (1..=agents.len()).for_each(|rank| {
        let _ = write!(page, " {rank} |");
    });
    page.push_str("\n|---|---|---|---|");
    page.push_str(&"---|".repeat(agents.len()));
    page.push('\n');
    for agent in agents {
        let number = agent["number"].as_u64().unwrap_or(0) as usize;
        let name = table.agents.get(number).map_or("", String::as_str);
        let score = agent["score"].as_f64().map_or_else(String::new, |s| format!("{:.1} %", 100.0 * s));
        let _ = write!(page, "| {} | `{name}` | {} | {score} |", agent["rank"], elo(agent));
        for other in agents {
            let _ = write!(page, " {} |", met(meetings, &agent["number"], &other["number"]));
        }
        page.push('\n');
    }
}

/// Returns one agent's score against another, in percent.
fn met(meetings: &[Value], one: &Value, other: &Value) -> String {
    meetings
        .iter()
        .find_map(|meeting| {
            let [first, second] = [&meeting["numbers"][0], &meeting["numbers"][1]];
            let score = meeting["score"].as_f64()?;
            if (first, second) == (one, other) {
                Some(score)
            } else if (second, first) == (one, other) {
                Some(1.0 - score)
            } else {
                None
            }
        })
        .map_or_else(|| "·".to_owned(), |score| format!("{:.0}", 100.0 * score))
}

fn steps(page: &mut String, ladder: &Ladder, results: &Results) {
    let shown = ladder.agent.replace("{}", "N");
    let _ = writeln!(page, "\n### `{shown}` at `{}`, {} pairs a step\n", ladder.game, ladder.pairs);
    page.push_str("| N | against | won · drawn · lost | score | Elo | p |\n|---|---|---|---|---|---|\n");
    for (pair, call) in ladder.steps.windows(2).zip(ladder.calls()) {
        let cells = results.get(&call.key()).map_or_else(|| "not played yet | | | ".to_owned(), verdict);
        let _ = writeln!(page, "| {} | {} | {cells} |", pair[1], pair[0]);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_say_what_came_out() {
        let text = "
            crosstable = [{ game = 'connect', agents = ['a', 'b(x=1, y=2)'], pairs = 5 }]
            ladder = [{ game = 'connect', agent = 'a(nodes={})', steps = [1, 2], pairs = 3, opening = 2 }]
            [[part]]
            part = 'table'
            game = 'checkers'
            on = 'a'
            off = 'a(table=off)'
            pairs = 2
            time = '1s'
            ponder = true
        ";
        let plan: Plan = toml::from_str(text).unwrap();
        let keys: Vec<String> = plan.calls().iter().map(|call| call.key()).collect();
        assert_eq!(keys[0], "match checkers a 'a(table=off)' --pairs 2 --seed 1 --time 1s --ponder");
        assert_eq!(keys[1], "tournament connect a 'b(x=1, y=2)' --pairs 5 --seed 1");
        assert_eq!(keys[2], "match connect 'a(nodes=2)' 'a(nodes=1)' --pairs 3 --seed 1 --opening 2");

        let won = json!({"wins": 3, "draws": 1, "losses": 0, "score": 0.875, "elo": 338.0, "elo_low": -3.4,
            "elo_high": null, "p_value": 0.25});
        let standings = json!({
            "agents": [{"rank": 1, "number": 1, "score": 0.6, "elo": 10.0, "elo_low": 1.0, "elo_high": 20.0},
                       {"rank": 2, "number": 0, "score": 0.4, "elo": 0.0, "elo_low": 0.0, "elo_high": 0.0}],
            "meetings": [{"numbers": [0, 1], "score": 0.4}],
        });
        let results = Results::from([(keys[0].clone(), won), (keys[1].clone(), standings)]);
        let page = page(&plan, &results);
        assert!(
            page.contains("| table | `checkers` | 2 | 3 · 1 · 0 | 87.5 % | +338 [−3 … ∞] | 0.250 |"),
            "{page}"
        );
        assert!(page.contains("| 1 | `b(x=1, y=2)` | +10 [+1 … +20] | 60.0 % | · | 60 |"), "{page}");
        assert!(page.contains("| 2 | `a` | +0 [+0 … +0] | 40.0 % | 40 | · |"), "{page}");
        assert!(page.contains("| 2 | 1 | not played yet"), "{page}");
    }
}
