//! `POST /api/replay`: a saved game again, a view a ply.

use std::sync::Arc;

use hyper::StatusCode;
use parlor_core::api::AnyTable;
use parlor_core::files::saved::SavedGame;
use parlor_core::{Ink, Phase, Seat};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, json};
use crate::tables::snapshot::event;

/// The largest reply, in bytes of views.
const LARGEST: usize = 16 << 20;

/// How boards are drawn as text.
const INK: Ink = Ink { ascii: false, colour: false };

/// A replay as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    line: String,
    #[serde(default)]
    seat: u8,
}

/// Reads a saved game.
///
/// # Errors
/// If it is not one.
pub fn read(line: &str) -> Answer<SavedGame> {
    SavedGame::parse(line.trim())
        .map_err(|error| Problem::field("line", crate::http::problem::sentence(&error)))
}

/// `POST /api/replay`.
///
/// # Errors
/// If the line is no saved game, or its moves are not possible.
pub async fn replay(app: &Arc<App>, request: ReplayRequest) -> Answer<Reply> {
    let permit = app.hint_permit()?;
    let app = Arc::clone(app);
    let replayed = tokio::task::spawn_blocking(move || {
        let replayed = plies(&app, &request);
        drop(permit);
        replayed
    });
    let value = replayed.await.map_err(|_| Problem::bad("the line cannot be replayed"))??;
    Ok(json(StatusCode::OK, &value))
}

fn plies(app: &App, request: &ReplayRequest) -> Answer<Value> {
    let saved = read(&request.line)?;
    let game = app.tables.game(&saved.game)?;
    let seat = Seat(request.seat);
    if request.seat >= game.seats() {
        let seats = game.seats();
        return Err(Problem::field("seat", format!("{} has {seats} seats", game.name())));
    }
    let mut table = game.table(saved.seed, saved.start.as_deref())?;
    let mut plies = vec![shown(&*table, seat, 0, Value::Null)];
    let (mut seen, mut size) = (0, 0);
    for (number, text) in saved.moves.split_whitespace().enumerate() {
        let problem = |error| {
            let problem = Problem::from(error);
            Problem { error: format!("move {}: {}", number + 1, problem.error), ..problem }
        };
        table.replay(text).map_err(problem)?;
        // What the seat has not seen is a ply, too, so that both shoulders have equal numbers.
        let new = table.events(seat, seen, INK);
        seen += new.len();
        let ply = shown(&*table, seat, number + 1, new.last().map_or(Value::Null, event));
        size += ply.to_string().len();
        if size > LARGEST {
            return Err(Problem::field("line", "the match is too long to be shown at once"));
        }
        plies.push(ply);
    }
    let grid = game.cells().ok().map(|cells| cells.layout());
    Ok(json!({
        "game": game.spec(),
        "name": game.name(),
        "seat": seat.0,
        "seats": saved.seats,
        "ending": saved.ending,
        "payoffs": saved.payoffs,
        "grid": grid.map(|grid| json!({"width": grid.width, "height": grid.height})),
        "plies": plies,
    }))
}

fn shown(table: &dyn AnyTable, seat: Seat, ply: usize, event: Value) -> Value {
    let mut value = json!({
        "ply": ply,
        "to_move": match table.phase() {
            Phase::Decide(seat) => Some(seat.0),
            Phase::Chance | Phase::Over => None,
        },
        "view": table.view_json(seat)["view"].take(),
        "drawing": table.draw_for(seat, INK, &[]),
        "status": table.status_for(seat),
        "position": table.position(seat),
    });
    if let Value::Object(event) = event {
        for (name, field) in event {
            value[name] = field;
        }
    }
    value
}
