//! Games that were recorded in a store.

use anyhow::{Context, bail};
use parlor_catalog::{open, short_form};
use parlor_core::files::check_writable;
use parlor_core::text::shown::shown;
use parlor_lab::format::{counted, grouped};
use parlor_lab::record::export::{ExportFormat, export, pages};
use parlor_lab::tournament::names::{cut, short_agent};
use parlor_store::{GameId, GameQuery, Store, StoreError, StoredGame};
use serde::Serialize;

use super::dates::{date, date_in_table};
use super::store_args::{ExportArgs, HistoryCommand, ReplayArgs, SizesArgs, StoredGamesArgs};
use super::{LONGEST, WIDEST_CELL};
use crate::play::{Again, again};
use crate::terminal::{grid, progress, say, say_aside, say_json};

/// Without --last, a table ends with this many games: a store may hold millions.
const MOST_LISTED: usize = 1000;

pub fn run(command: &HistoryCommand) -> anyhow::Result<()> {
    match command {
        HistoryCommand::Games(args) => games(args),
        HistoryCommand::Replay(args) => replay(args),
        HistoryCommand::Export(args) => write(args),
        HistoryCommand::Sizes(args) => sizes(args),
    }
}

/// A game as scripts read it.
#[derive(Serialize)]
struct Row {
    id: i64,
    ended: u64,
    date: String,
    game: String,
    seats: Vec<String>,
    seed: u64,
    steps: u32,
    ending: String,
    payoffs: Option<Vec<f64>>,
}

impl From<StoredGame> for Row {
    fn from(game: StoredGame) -> Row {
        Row {
            id: game.id.0,
            ended: game.ended,
            date: date(game.ended),
            game: game.saved.game,
            seats: game.saved.seats,
            seed: game.saved.seed,
            steps: game.steps,
            ending: game.saved.ending.to_string(),
            payoffs: game.saved.payoffs,
        }
    }
}

#[derive(Serialize)]
struct Games {
    store: String,
    games: Vec<Row>,
}

fn games(args: &StoredGamesArgs) -> anyhow::Result<()> {
    let store = Store::open(&args.store.store)?;
    let mut history = store.history()?;
    let mut query = args.filter.query();
    if args.json {
        let games = history.games(&query)?.into_iter().map(Row::from).collect();
        return say_json(&Games { store: store.location().to_string(), games });
    }
    if query.limit.is_none() {
        (query.limit, query.newest) = (Some(MOST_LISTED + 1), true);
    }
    let mut games = history.games(&query)?;
    if games.is_empty() {
        say_aside("no game of the store fits");
        return Ok(());
    }
    if args.filter.last.is_none() && games.len() > MOST_LISTED {
        games.remove(0);
        say_aside(format!(
            "the last {} games; --last N lists more, --json and `export` all",
            grouped(MOST_LISTED as u64)
        ));
    }
    let head = ["id", "date (UTC)", "game", "players", "payoffs", "moves", "ending"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    // What a store says is shown, not obeyed.
    rows.extend(
        games.iter().map(|game| row(game).iter().map(|cell| shown(cell, WIDEST_CELL)).collect::<Vec<_>>()),
    );
    for line in grid(&rows, &[1, 2, 3, 6]) {
        say(line)?;
    }
    Ok(())
}

fn row(game: &StoredGame) -> Vec<String> {
    let saved = &game.saved;
    let players: Vec<String> = match open(&saved.game) {
        Ok(opened) => saved.seats.iter().map(|name| short_agent(&*opened, name)).collect(),
        Err(_) => saved.seats.clone(),
    };
    let payoffs = saved.payoffs.as_ref().map_or_else(
        || "–".to_owned(),
        |payoffs| payoffs.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
    );
    vec![
        game.id.to_string(),
        date_in_table(game.ended),
        cut(&short_form(&saved.game), LONGEST),
        cut(&players.join(" – "), LONGEST),
        payoffs,
        game.steps.to_string(),
        saved.ending.to_string(),
    ]
}

fn replay(args: &ReplayArgs) -> anyhow::Result<()> {
    let store = Store::open(&args.store.store)?;
    let id = GameId(args.id as i64);
    let mut history = store.history()?;
    let found = history.games(&GameQuery { id: Some(id), ..GameQuery::default() })?;
    let Some(game) = found.into_iter().next() else {
        bail!("there is no game {id} in {}; its last game is {}", store.location(), history.last()?);
    };
    let place = format!("game {id} of {}", store.location());
    if game.saved.moves.is_empty() && game.steps > 0 {
        bail!(
            "{place} was recorded by a training, which keeps the learner's own decisions but no moves of others or of chance; `parlor history \
             export` writes the decisions"
        );
    }
    again(&Again { saved: &game.saved, place: &place, seat: args.seat, ascii: args.ascii, delay: args.delay })
}

fn write(args: &ExportArgs) -> anyhow::Result<()> {
    // Before anything is read.
    ExportFormat::of(&args.out)?;
    check_writable(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let store = Store::open(&args.store.store)?;
    let mut history = store.history()?;
    let query = args.filter.query();
    let total = if query == GameQuery::default() { history.last()?.0 as u64 } else { count(&store, &query)? };
    if total == 0 {
        bail!("no game of the store fits; nothing was written");
    }
    let bar = progress(total, "games");
    let games = export(&mut *history, &query, &args.out, |games| bar.set_position(games))?;
    bar.finish_and_clear();
    Ok(say(format!("{} in {}", counted(games, "game"), args.out.display()))?)
}

/// Returns the number of games that fit.
fn count(store: &Store, query: &GameQuery) -> Result<u64, StoreError> {
    let mut games = 0;
    pages(&mut *store.history()?, query, |_, page| {
        games += page.len() as u64;
        Ok::<(), StoreError>(())
    })?;
    Ok(games)
}

#[derive(Serialize)]
struct Sizes {
    store: String,
    games: u64,
    steps: u64,
    bytes: u64,
    types: Vec<TypeSizes>,
    models: Vec<ModelSizes>,
}

#[derive(Serialize)]
struct TypeSizes {
    game: String,
    games: u64,
    steps: u64,
}

#[derive(Serialize)]
struct ModelSizes {
    model: String,
    transitions: u64,
    games: u64,
    bytes: u64,
}

fn sizes(args: &SizesArgs) -> anyhow::Result<()> {
    let store = Store::open(&args.store.store)?;
    let history = store.history()?.sizes()?;
    let mut models = Vec::new();
    for model in store.models()? {
        let sizes = store.model(&model)?.sizes()?;
        models.push(ModelSizes {
            model,
            transitions: sizes.transitions,
            games: sizes.games,
            bytes: sizes.bytes,
        });
    }
    let types =
        history.types.into_iter().map(|(game, games, steps)| TypeSizes { game, games, steps }).collect();
    let answer = Sizes {
        store: store.location().to_string(),
        games: history.games,
        steps: history.steps,
        bytes: history.bytes,
        types,
        models,
    };
    if args.json { say_json(&answer) } else { tell(&answer) }
}

fn tell(sizes: &Sizes) -> anyhow::Result<()> {
    let a_row = if sizes.steps > 0 {
        format!(", {:.1} bytes a decision", sizes.bytes as f64 / sizes.steps as f64)
    } else {
        String::new()
    };
    let (games, steps, bytes) = (grouped(sizes.games), grouped(sizes.steps), grouped(sizes.bytes));
    say(format!("{}: {games} games, {steps} decisions, {bytes} bytes{a_row}", sizes.store))?;
    if !sizes.types.is_empty() {
        let mut rows = vec![["game", "games", "decisions"].map(str::to_owned).to_vec()];
        rows.extend(sizes.types.iter().map(|one| {
            let game = shown(&cut(&short_form(&one.game), LONGEST), WIDEST_CELL);
            vec![game, grouped(one.games), grouped(one.steps)]
        }));
        grid(&rows, &[0]).into_iter().try_for_each(say)?;
    }
    if !sizes.models.is_empty() {
        let mut rows = vec![["model", "transitions", "games counted", "bytes"].map(str::to_owned).to_vec()];
        rows.extend(sizes.models.iter().map(|one| {
            vec![one.model.clone(), grouped(one.transitions), grouped(one.games), grouped(one.bytes)]
        }));
        grid(&rows, &[0]).into_iter().try_for_each(say)?;
    }
    Ok(())
}
