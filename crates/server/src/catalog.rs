//! `GET /api/catalog`: games, keys, presets, levels and the agents that may be seated from the web.

use parlor_catalog::{Ability, GAMES, GameEntry, Level, OpenedGame};
use parlor_core::api::AgentInfo;
use parlor_core::{Key, Kind, Resources};
use serde_json::{Value, json};

use crate::agents::{LIMITS, Offered};

/// Returns what a key takes; `None` for keys that nobody from the web may set.
fn key(key: &Key) -> Option<Value> {
    let base = |kind: &str| json!({"name": key.name, "default": key.default, "help": key.help, "kind": kind});
    let bounded = |kind: &str, min: Value, max: Value| {
        let mut value = base(kind);
        value["min"] = min;
        value["max"] = max;
        value
    };
    let most = |max: i64| {
        let limit = LIMITS.iter().find(|(name, _)| *name == key.name);
        limit.map_or(max, |(_, limit)| max.min(*limit as i64))
    };
    Some(match key.kind {
        Kind::Whole { min, max } => bounded("whole", min.into(), most(max).into()),
        Kind::WholeOrNone { min, max } => bounded("whole_or_none", min.into(), most(max).into()),
        Kind::WholeOrAll { min, max } => bounded("whole_or_all", min.into(), most(max).into()),
        Kind::Real { min, max } => bounded("real", min.into(), max.into()),
        Kind::Choice(words) => {
            let mut value = base("choice");
            value["words"] = words.into();
            value
        }
        Kind::Switch => base("switch"),
        Kind::Agent { words, .. } => {
            let mut value = base("agent");
            value["words"] = words.into();
            value
        }
        Kind::Agents => base("agents"),
        Kind::Text => base("text"),
        Kind::File(_)
        | Kind::Folder(_)
        | Kind::Store
        | Kind::Checksum { .. }
        | Kind::Command
        | Kind::WorkingFolder => return None,
    })
}

fn keys(list: &[Key]) -> Vec<Value> {
    list.iter().filter_map(key).collect()
}

fn agent(agent: &AgentInfo) -> Option<Value> {
    // Those that see everything sit in laboratories only; a program is never started from the web.
    let runs_programs = agent.keys.iter().any(|key| matches!(key.kind, Kind::Command));
    (!agent.sees_all && !runs_programs).then(|| {
        json!({
            "name": agent.name,
            "summary": agent.summary,
            "learns": agent.learns,
            "keys": keys(agent.keys),
        })
    })
}

/// Returns whether a game has exact values. How much memory they would take does not matter here.
fn has_solver(game: &dyn OpenedGame) -> bool {
    game.solver(&Resources { memory_mb: 1, ..Resources::default() }).is_ok()
}

/// Returns the names of the games that an offered agent can play.
fn games_of(spec: &str) -> Vec<&'static str> {
    let plays = |entry: &&GameEntry| {
        let usual = entry.table.map_or(entry.name, |plan| plan.usual);
        parlor_catalog::open(usual).is_ok_and(|game| game.agent_spec(spec).is_ok())
    };
    GAMES.iter().filter(plays).map(|entry| entry.name).collect()
}

fn game(entry: &GameEntry) -> Value {
    let usual = entry.table.map_or(entry.name, |plan| plan.usual);
    let opened: Option<Box<dyn OpenedGame>> = parlor_catalog::open(usual).ok();
    let plan = entry.table;
    let levels: Vec<Value> = Level::ALL
        .into_iter()
        .filter_map(|level| {
            let plan = plan?;
            Some(match (plan.opponent(level), plan.board(level)) {
                (Some(agent), _) => json!({"name": level.name(), "agent": agent}),
                (None, Some(board)) => {
                    json!({"name": level.name(), "game": board.game, "summary": board.summary})
                }
                (None, None) => return None,
            })
        })
        .collect();
    let presets: Vec<Value> = plan
        .map_or(&[][..], |plan| plan.presets)
        .iter()
        .map(|preset| json!({"name": preset.name, "summary": preset.summary, "game": preset.game}))
        .collect();
    let agents: Vec<Value> =
        opened.iter().flat_map(|game| game.agents()).filter_map(|info| agent(&info)).collect();
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "aliases": entry.aliases(),
        "seats": opened.as_ref().map(|game| game.seats()),
        "open": opened.as_ref().map(|game| game.is_open()),
        "usual": usual,
        "rules": opened.as_ref().map(|game| game.rules()),
        "keys": keys(entry.keys),
        "presets": presets,
        "levels": levels,
        "hints": plan.map(|plan| plan.hints),
        "solver": opened.as_ref().is_some_and(|game| has_solver(&**game)),
        "odds": entry.has(Ability::Odds),
        "agents": agents,
    })
}

/// Returns the part of the catalog that is the same for everybody.
pub fn catalog(list: &Offered) -> Value {
    let games: Vec<Value> = GAMES.iter().map(game).collect();
    let offered = |(name, spec)| json!({"name": format!("@{name}"), "spec": spec, "games": games_of(spec)});
    let agents: Vec<Value> = list.list().map(offered).collect();
    let limits: serde_json::Map<String, Value> =
        LIMITS.iter().map(|(name, most)| ((*name).to_owned(), (*most).into())).collect();
    json!({"version": env!("CARGO_PKG_VERSION"), "games": games, "agents": agents, "limits": limits})
}
