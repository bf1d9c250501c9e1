//! `parlor games`, `parlor agents`, `parlor moves`: what there is.

use parlor_catalog::{GAMES, GameEntry, Level, TablePlan};
use parlor_core::api::AnyGame;
use parlor_core::{Key, Phase, Spec};
use serde_json::{Value, json};

use crate::args::{AgentsArgs, GamesArgs, MovesArgs};
use crate::terminal::{columns, say, say_aside, say_json, say_json_array};

fn keys_json(keys: &[Key]) -> Value {
    keys.iter()
        .map(|key| {
            json!({"key": key.name, "default": key.default, "values": key.kind.describe(), "help": key.help})
        })
        .collect()
}

fn say_keys(keys: &[Key]) -> anyhow::Result<()> {
    let row =
        |key: &Key| [key.name.to_owned(), key.default.to_owned(), key.kind.describe(), key.help.to_owned()];
    let rows: Vec<[String; 4]> = keys.iter().map(row).collect();
    for line in columns(&rows, "    ") {
        say(line)?;
    }
    Ok(())
}

/// The games that were asked for: one, or all.
fn chosen(name: Option<&str>) -> anyhow::Result<Vec<&'static GameEntry>> {
    Ok(match name {
        Some(spec) => vec![parlor_catalog::find(&Spec::parse(spec)?.name)?],
        None => GAMES.iter().collect(),
    })
}

pub fn games(args: &GamesArgs) -> anyhow::Result<()> {
    let entries = chosen(args.game.as_deref())?;
    if args.json {
        let list: Vec<Value> = entries
            .iter()
            .map(|e| {
                let mut entry = json!({"name": e.name, "summary": e.summary, "keys": keys_json(e.keys)});
                entry["aliases"] = json!(e.aliases());
                entry["table"] = e.table.map_or(Value::Null, table_json);
                entry
            })
            .collect();
        return say_json_array(&list);
    }
    for (number, entry) in entries.iter().enumerate() {
        if number > 0 {
            say("")?;
        }
        say(format!("\x1b[1m{}\x1b[0m  {}", entry.name, entry.summary))?;
        say_keys(entry.keys)?;
        if let Some(plan) = entry.table {
            say_table(entry.aliases(), plan)?;
        }
    }
    Ok(())
}

/// Returns how people play a game.
fn table_json(plan: &TablePlan) -> Value {
    let presets = plan.presets.iter().map(|p| json!({"name": p.name, "summary": p.summary, "game": p.game}));
    let levels = Level::ALL.into_iter().filter_map(|level| Some((level.name(), plan.opponent(level)?)));
    json!({
        "usual": plan.usual,
        "levels": levels.map(|(name, agent)| (name.to_owned(), json!(agent))).collect::<serde_json::Map<_, _>>(),
        "presets": presets.collect::<Value>(),
        "hints": plan.hints,
    })
}

/// Prints how people play a game: other names, presets, levels.
fn say_table(aliases: &[&str], plan: &TablePlan) -> anyhow::Result<()> {
    if !aliases.is_empty() {
        say(format!("  also called {}", aliases.join(", ")))?;
    }
    let presets = plan.presets.iter().map(|p| [format!("--preset {}", p.name), p.summary.to_owned()]);
    let levels = Level::ALL
        .into_iter()
        .filter_map(|level| Some([format!("--level {level}"), plan.opponent(level)?.to_owned()]));
    let rows: Vec<[String; 2]> = presets.chain(levels).collect();
    if !rows.is_empty() {
        say("  parlor play:")?;
    }
    for line in columns(&rows, "    ") {
        say(line)?;
    }
    Ok(())
}

pub fn agents(args: &AgentsArgs) -> anyhow::Result<()> {
    let games = match &args.game {
        Some(spec) => vec![parlor_catalog::open(spec)?],
        None => GAMES.iter().map(|e| parlor_catalog::open(e.name)).collect::<Result<_, _>>()?,
    };
    if args.json {
        let list: Vec<Value> = games.iter().map(|game| agents_json(&**game)).collect();
        return say_json_array(&list);
    }
    for (number, game) in games.iter().enumerate() {
        if number > 0 {
            say("")?;
        }
        say(format!("\x1b[1m{}\x1b[0m", game.name()))?;
        for agent in game.agents() {
            let more = match (agent.learns, agent.sees_all) {
                (true, _) => "; can be trained, see parlor train",
                (_, true) => "; for matches and tournaments only",
                _ => "",
            };
            say(format!("  {}  {}{more}", agent.name, agent.summary))?;
            say_keys(agent.keys)?;
        }
    }
    Ok(())
}

fn agents_json(game: &dyn AnyGame) -> Value {
    let agents: Value = game
        .agents()
        .iter()
        .map(|agent| {
            let keys = keys_json(agent.keys);
            json!({"name": agent.name, "summary": agent.summary, "learns": agent.learns, "sees_all": agent.sees_all, "keys": keys})
        })
        .collect();
    json!({"game": game.name(), "agents": agents})
}

pub fn moves(args: &MovesArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let moves = game.moves(args.position.as_deref())?;
    if args.json {
        return say_json(&json!({ "moves": moves }));
    }
    if moves.is_empty() {
        let why = why_nobody_moves(&*game, args.position.as_deref());
        say_aside(format!("no seat is to move here: {why}"));
    }
    for text in moves {
        say(text)?;
    }
    Ok(())
}

/// Says in words why no seat is to move.
fn why_nobody_moves(game: &dyn AnyGame, position: Option<&str>) -> &'static str {
    match game.table(0, position).map(|table| table.phase()) {
        Ok(Phase::Chance) => "chance acts first (a deal, a draw, mines)",
        _ => "the game is over",
    }
}
