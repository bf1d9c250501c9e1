//! The report of a tournament: one HTML file that needs nothing else, in light and dark.
//!
//! It has no date in it, and no path but those of the agents, so equal runs give equal bytes.

use maud::{Markup, html};
use parlor_core::Spec;

use crate::forfeits;
use crate::format::{counted, likelihood, percent, results, sees_all, shell, signed};
use crate::page;

use super::standings::{Standing, Standings};
use super::{Kind, Plan, plot};

/// How strongly a cell of the crosstable is tinted at most, in percent.
const STRONGEST_TINT: f64 = 55.0;

/// Returns the page; `names` are the agents' short names in the order of the plan.
#[must_use]
pub fn page(plan: &Plan, standings: &Standings, names: &[String]) -> String {
    let game = Spec::bare_name(&plan.game);
    let title = format!("{game}: {} of {} agents", plan.kind.words(), plan.agents.len());
    let body = html! {
        h1 { (title) }
        p.soft { (plan.game) }
        p { (summary(plan, standings, names)) }
        @for warning in warnings(standings, names) {
            p.warning { (warning) }
        }
        h2 { "Ratings" }
        .card { (plot::ratings(&standings.agents, names)) }
        p {}
        .card { (rating_table(standings, names)) }
        (seats_and_draws(standings))
        p.note {
            "All agents are rated at once from who beat whom (Bradley–Terry with draws and the first seat’s advantage). "
            "Intervals hold 95 %; the pair is their unit, so what luck its two games share is allowed for. "
            "“Above next” is the likelihood that an agent is stronger than the one below it."
        }
        h2 { "Crosstable" }
        .card { (crosstable(standings, names)) }
        p.note { "Each cell is the row’s score against the column, with games won, drawn and lost below it." }
        h2 { "Settings" }
        .card { (settings(plan)) }
        h2 { "How to reproduce it" }
        .card {
            pre { (command(plan)) }
        }
        p.note {
            "Any number of threads gives the same games"
            @if plan.time.is_limited() { ", as far as agents’ thinking does not depend on the clock" }
            ". In the folder of this report are all games (games.jsonl; “parlor play --replay” shows them) and all "
            "numbers (result.json)."
        }
    };
    page::page(&title, include_str!("plot.css"), &body)
}

/// What it comes to, in a sentence or two.
fn summary(plan: &Plan, standings: &Standings, names: &[String]) -> String {
    let games: u64 = standings.agents.iter().map(|agent| agent.games).sum::<u64>() / 2;
    let mut text = if standings.is_complete() {
        format!("{}, {} in each pairing.", counted(games, "game"), counted(plan.pairs, "pair"))
    } else {
        let games = counted(games, "game");
        format!("Not finished: {} of {}, {games}.", standings.pairs, counted(standings.pairs_planned, "pair"))
    };
    if let [best, next, ..] = &standings.agents[..]
        && let Some(los) = best.above_next
    {
        let [best, next] = [best, next].map(|agent| &names[agent.number]);
        text += &if los >= 0.975 {
            format!(" {best} is the strongest (likelihood {} against {next}).", likelihood(Some(los)))
        } else {
            format!(
                " {best} leads, but whether it is stronger than {next} is open (likelihood {}).",
                percent(Some(los))
            )
        };
    }
    text
}

/// Returns what a reader must know before believing the numbers.
#[must_use]
pub fn warnings(standings: &Standings, names: &[String]) -> Vec<String> {
    let alike = standings.meetings.iter().filter(|meeting| meeting.all_alike).map(|meeting| {
        let [first, second] = meeting.numbers.map(|number| &names[number]);
        let pairs: u64 = meeting.verdict.pentanomial.iter().sum();
        format!(
            "All {pairs} pairs of {first} and {second} are the same two games: they count as one, and the intervals are too narrow."
        )
    });
    let forfeits = standings.agents.iter().filter(|agent| agent.forfeits > 0).map(|agent| {
        let reasons = forfeits::in_words(&agent.forfeit_reasons).join("; ");
        let name = &names[agent.number];
        format!("{name} forfeited {} of {} games. {reasons}.", agent.forfeits, agent.games)
    });
    let oracles = standings.oracles.iter().map(|agent| sees_all(agent));
    alike.chain(forfeits).chain(oracles).collect()
}

fn rating_table(standings: &Standings, names: &[String]) -> Markup {
    let elo = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), signed);
    let forfeits = standings.agents.iter().any(|agent| agent.forfeits > 0);
    html! {
        table {
            thead { tr {
                th { "#" } th.name { "agent" } th { "Elo" } th { "95 %" } th { "games" } th { "score" } th { "above next" }
                @if forfeits { th { "forfeits" } }
            } }
            tbody {
                @for agent in &standings.agents {
                    tr {
                        td { (agent.rank) }
                        td.name { (names[agent.number]) }
                        td { strong { (elo(agent.elo)) } }
                        td { (elo(agent.elo_low)) " … " (elo(agent.elo_high)) }
                        td { (agent.games) small { (results(agent.results)) } }
                        td { (percent(agent.score)) }
                        td { (likelihood(agent.above_next)) }
                        @if forfeits { td { (agent.forfeits) } }
                    }
                }
            }
        }
    }
}

fn seats_and_draws(standings: &Standings) -> Markup {
    html! {
        @if let Some(seat) = standings.first_seat {
            p {
                "The first seat is worth " (signed(seat.elo)) " Elo [" (signed(seat.elo_low)) " … " (signed(seat.elo_high)) "]; "
                "equals would draw " (percent(standings.draw_rate)) " of their games."
            }
        }
    }
}

fn crosstable(standings: &Standings, names: &[String]) -> Markup {
    html! {
        table.cross {
            thead { tr {
                th { "#" } th.name { "agent" }
                @for agent in &standings.agents { th { (agent.rank) } }
                th { "score" }
            } }
            tbody {
                @for agent in &standings.agents {
                    tr {
                        td { (agent.rank) }
                        td.name { (names[agent.number]) }
                        @for other in &standings.agents { (cell(standings, agent, other)) }
                        td { strong { (percent(agent.score)) } }
                    }
                }
            }
        }
    }
}

fn cell(standings: &Standings, agent: &Standing, other: &Standing) -> Markup {
    let games = standings.between(agent.number, other.number);
    html! {
        @match games.and_then(|games| Some((games, games.score()?))) {
            Some((games, rate)) => {
                td class=(if rate >= 0.5 { "good" } else { "bad" })
                    style=(format!("--weight:{:.0}%", 2.0 * (rate - 0.5).abs() * STRONGEST_TINT)) {
                    (percent(Some(rate))) small { (results(games)) }
                }
            }
            None => td.self { (if agent.number == other.number { "■" } else { "·" }) }
        }
    }
}

fn settings(plan: &Plan) -> Markup {
    html! {
        table.settings {
            tr { th { "game" } td { (plan.game) } }
            tr { th { "agents" } td { @for agent in &plan.agents { div { (agent) } } } }
            tr { th { "kind" } td {
                (plan.kind.words())
                @if plan.kind == Kind::Gauntlet { ": the first agent meets all others" }
            } }
            tr { th { "pairs" } td { (plan.pairs) " in each pairing; the same deal twice, seats swapped" } }
            tr { th { "seed" } td { (plan.seed) } }
            tr { th { "time" } td { (plan.time) } }
            @if plan.opening > 0 {
                tr { th { "opening" } td { (plan.opening) " random moves, the same in both games of a pair" } }
            }
            @if plan.session > 0 {
                tr { th { "session" } td { (counted(plan.session, "pair")) " in a session; agents forget their opponent between sessions" } }
            }
            tr { th { "program" } td { "parlor " (plan.version) ", generator " (plan.rng) } }
        }
    }
}

/// Returns the call that plays the same games.
#[must_use]
pub fn command(plan: &Plan) -> String {
    let mut words = vec!["parlor tournament".to_owned(), shell(&plan.game)];
    words.extend(plan.agents.iter().map(|agent| shell(agent)));
    words.push(format!("--pairs {} --seed {}", plan.pairs, plan.seed));
    if plan.kind == Kind::Gauntlet {
        words.push("--gauntlet".to_owned());
    }
    if plan.time.is_limited() {
        words.push(format!("--time {}", plan.time));
    }
    if plan.opening > 0 {
        words.push(format!("--opening {}", plan.opening));
    }
    if plan.session > 0 {
        words.push(format!("--session {}", plan.session));
    }
    words.join(" ")
}
