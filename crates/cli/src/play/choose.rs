//! Which game is meant, and against whom.

use anyhow::{Context, bail};
use parlor_catalog::{GAMES, Level, OpenedGame, TablePlan};
use parlor_core::Spec;

use super::screen::Screen;
use crate::args::PlayArgs;

/// The opponent if nothing is said.
const USUAL_LEVEL: Level = Level::Medium;

/// Lists the games, with how to start.
pub fn list(screen: Screen) -> anyhow::Result<()> {
    screen.say("Which game? For example: parlor play connect --level easy\n\n")?;
    for game in GAMES {
        let names = [&[game.name], game.aliases()].concat().join(", ");
        screen.say(format!("  {names}: {}", game.summary))?;
    }
    screen.say("")?;
    let levels = Level::ALL.map(|level| {
        if level == USUAL_LEVEL { format!("{level} (if nothing is said)") } else { level.to_string() }
    });
    screen.say(format!("Levels: {}", levels.join(", ")))?;
    screen.say("Boards: --preset NAME; `parlor games GAME` lists them")?;
    screen.say("Rules:  parlor play GAME --rules")?;
    Ok(screen.say("To go on with the match that you left last: parlor play --resume")?)
}

/// Opens the game that a player means: by its name alone, with a preset or a level, or by its full form.
pub fn game(args: &PlayArgs, text: &str) -> anyhow::Result<Box<dyn OpenedGame>> {
    let spec = Spec::parse(text)?;
    let entry = parlor_catalog::find(&spec.name)?;
    let Some(plan) = entry.table else {
        if args.preset.is_some() || args.level.is_some() {
            bail!("{} has no presets and no levels", entry.name);
        }
        return Ok(parlor_catalog::open(text)?);
    };
    let bare = spec.pairs.is_empty();
    let board = match (&args.preset, args.level) {
        (Some(name), _) => Some(preset(entry.name, plan, name)?),
        (None, Some(level)) if plan.levels.is_none() => Some(
            plan.board(level)
                .with_context(|| {
                    let levels = Level::ALL.iter().zip(plan.presets);
                    let levels: Vec<String> =
                        levels.map(|(level, preset)| format!("{level} ({})", preset.name)).collect();
                    format!("{} is played alone; its levels are boards: {}", entry.name, levels.join(", "))
                })?
                .game,
        ),
        _ => None,
    };
    Ok(match board {
        Some(_) if !bare => {
            bail!("{text}: a preset or a board's level names all keys; give either that or keys")
        }
        Some(board) => parlor_catalog::open(board)?,
        None if bare => parlor_catalog::open(plan.usual)?,
        None => parlor_catalog::open(text)?,
    })
}

/// Returns the shortest form by which `parlor play` opens a game: by its name alone it may open another board.
pub fn form_to_play(full: &str) -> String {
    let short = parlor_catalog::short_form(full);
    let (Ok(spec), Ok(mut whole)) = (Spec::parse(&short), Spec::parse(full)) else { return short };
    let usual = parlor_catalog::find(&spec.name).ok().and_then(|entry| entry.table).map(|plan| plan.usual);
    let is_usual =
        usual.is_none_or(|usual| parlor_catalog::open(usual).is_ok_and(|game| game.spec() == full));
    if !spec.pairs.is_empty() || is_usual {
        return short;
    }
    // The other keys have their defaults: the name alone would do elsewhere.
    whole.pairs.truncate(1);
    whole.to_string()
}

fn preset(game: &str, plan: &'static TablePlan, name: &str) -> anyhow::Result<&'static str> {
    let found = plan.preset(name);
    let names: Vec<&str> = plan.presets.iter().map(|preset| preset.name).collect();
    let known =
        if names.is_empty() { "it has none".to_owned() } else { format!("presets: {}", names.join(", ")) };
    Ok(found.with_context(|| format!("{game} has no preset `{}`; {known}", name.escape_debug()))?.game)
}

/// Returns the spec of the agent that a text names: an agent's spec, or a level.
pub fn agent(game: &dyn OpenedGame, text: &str) -> String {
    let level = text.trim().parse::<Level>().ok();
    let opponent = level.and_then(|level| game.table_plan()?.opponent(level));
    opponent.map_or_else(|| text.to_owned(), str::to_owned)
}

/// Returns the opponent's spec, and what to call it at the beginning.
pub fn opponent(game: &dyn OpenedGame, args: &PlayArgs) -> (String, String) {
    if let Some(text) = &args.agent {
        return (agent(game, text), text.clone());
    }
    let level = args.level.unwrap_or(USUAL_LEVEL);
    match game.table_plan().and_then(|plan| plan.opponent(level)) {
        Some(spec) => (spec.to_owned(), format!("{spec}, level {level}")),
        None => {
            let first = game.agents().first().expect("every game has an agent").name;
            (first.to_owned(), first.to_owned())
        }
    }
}

/// Returns the spec of the agent that gives hints.
pub fn hint_agent(game: &dyn OpenedGame) -> String {
    match game.table_plan() {
        Some(plan) => plan.hints.to_owned(),
        None => game.agents().first().expect("every game has an agent").name.to_owned(),
    }
}
