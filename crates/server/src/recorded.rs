//! The games that were recorded in the owner's store.

use hyper::StatusCode;
use parlor_lab::record::{Location, StoreError, StoredGame, newest, numbered};
use serde_json::{Value, json};

use crate::http::problem::{Answer, Problem, sentence};
use crate::http::reply::{Reply, json as reply, json_text};

/// How many games are listed.
const MOST: usize = 500;

fn problem(error: &StoreError) -> Problem {
    Problem::full(sentence(error))
}

/// Reads the store on a thread that may wait: it may be a database on another machine.
async fn read<T: Send + 'static>(
    store: &Location,
    work: impl FnOnce(&Location) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let store = store.clone();
    let read = tokio::task::spawn_blocking(move || work(&store));
    read.await.map_err(|_| Problem::full("the store cannot be read"))?
}

/// `GET /api/games`: the newest games; none without a store.
///
/// # Errors
/// If the store cannot be read.
pub async fn list(store: Option<&Location>) -> Answer<Reply> {
    let games = match store {
        Some(store) => read(store, |store| newest(store, MOST).map_err(|error| problem(&error))).await?,
        None => Vec::new(),
    };
    let row = |game: &StoredGame| {
        json!({
            "id": game.id.0,
            "ended": game.ended,
            "game": game.saved.game,
            "seats": game.saved.seats,
            "steps": game.steps,
            "ending": game.saved.ending.to_string(),
            "payoffs": game.saved.payoffs,
            "replay": !game.saved.moves.is_empty(),
        })
    };
    Ok(reply(StatusCode::OK, &json!({"games": games.iter().map(row).collect::<Vec<Value>>()})))
}

/// `GET /api/games/N`: one of them, as its line.
///
/// # Errors
/// If there is no such game, or the store cannot be read.
pub async fn show(store: Option<&Location>, number: &str) -> Answer<Reply> {
    let unknown = || Problem::missing("the store has no game of that number");
    let number: i64 = number.parse().map_err(|_| unknown())?;
    let store = store.ok_or_else(unknown)?;
    let game = read(store, move |store| numbered(store, number).map_err(|error| problem(&error))).await?;
    let line = serde_json::to_vec(&game.ok_or_else(unknown)?.saved).expect("plain data always becomes JSON");
    Ok(json_text(StatusCode::OK, line))
}
