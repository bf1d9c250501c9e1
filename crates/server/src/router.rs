//! Which call answers which request.

use std::sync::Arc;

use hyper::{Method, StatusCode};

use crate::App;
use crate::hint;
use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, json, json_text, nothing};
use crate::http::request::Request;
use crate::streams::Topics;
use crate::tables::calls;
use crate::{analysis, guide, recorded, replay, runs};

/// How large a body may be.
const BODY: usize = 16 << 10;

/// How large the body of a replay may be: a long match is one line.
const LINE: usize = 64 << 10;

/// How large the body of a new run may be.
const RUN: usize = 256 << 10;

/// Pages whose addresses the page itself understands.
const PAGES: &[&str] = &["", "play", "t", "replay", "watch", "lab"];

/// Answers a request.
///
/// # Errors
/// If it is refused.
pub async fn route(app: &Arc<App>, mut request: Request) -> Answer<Reply> {
    let method = match request.method() {
        &Method::HEAD => Method::GET,
        other => other.clone(),
    };
    if method == Method::GET {
        if let Some(reply) = app.owner.welcome(&request) {
            return Ok(reply);
        }
        if PAGES.contains(&request.first_part()) {
            return app.page.file(&request, "index.html");
        }
    }
    let path = request.path()?;
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    match (method.as_str(), &parts[..]) {
        ("GET", ["assets", name @ ..]) if !name.is_empty() => app.page.file(&request, &name.join("/")),
        ("GET", ["favicon.ico"]) => {
            Ok(app.page.file(&request, "icon.svg").unwrap_or_else(|_| nothing(StatusCode::NO_CONTENT)))
        }
        ("GET", ["api", "catalog"]) => Ok(catalog(app, &request)),
        ("POST", ["api", "tables"]) => calls::create(&app.tables, request.read(BODY).await?).await,
        (_, ["api", "tables", id, rest @ ..]) => {
            let (id, rest) = ((*id).to_owned(), rest.iter().map(|&part| part.to_owned()).collect::<Vec<_>>());
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            table(app, &mut request, method.as_str(), &id, &rest).await
        }
        ("POST", ["api", "hint"]) => {
            let key = request.seat_key()?;
            let asked = request.read(BODY).await?;
            hint::start(app, asked, key.as_deref()).await
        }
        ("POST", ["api", "replay"]) => {
            let asked = request.read(LINE).await?;
            replay::replay(app, asked).await
        }
        ("POST", ["api", "analysis"]) => {
            let key = request.seat_key()?;
            let asked = request.read(LINE).await?;
            analysis::start(app, asked, key.as_deref()).await
        }
        ("GET", ["guide", name @ ..]) => guide::page(&name.join("/")),
        ("POST", ["api", "streams"]) => {
            let topics: Topics = request.read(BODY).await?;
            let id = app.streams.create(app, &topics, app.owner.is_owner(&request)).await?;
            Ok(json(StatusCode::CREATED, &serde_json::json!({"stream": id.to_string()})))
        }
        ("PUT", ["api", "streams", id]) => {
            let topics: Topics = request.read(BODY).await?;
            app.streams.replace(app, id, &topics, app.owner.is_owner(&request)).await?;
            Ok(nothing(StatusCode::NO_CONTENT))
        }
        ("GET", ["api", "history"]) => {
            app.owner.check(&request)?;
            runs::history(&app.runs)
        }
        ("GET", ["api", "games"]) => {
            app.owner.check(&request)?;
            recorded::list(app.runs.places.record.as_ref()).await
        }
        ("GET", ["api", "games", number]) => {
            app.owner.check(&request)?;
            recorded::show(app.runs.places.record.as_ref(), number).await
        }
        (_, ["api", "runs", rest @ ..]) => {
            app.owner.check(&request)?;
            run_call(app, &mut request, method.as_str(), rest).await
        }
        ("GET", ["reports", id, path @ ..]) => {
            app.owner.check(&request)?;
            runs::report(&app.runs, id, path)
        }
        ("GET", ["api", "events", id]) => app.streams.events(app, id),
        (_, parts) => Err(unknown(parts)),
    }
}

/// Returns the refusal of a path, or of a method where another one would be right.
fn unknown(parts: &[&str]) -> Problem {
    let method = |method: &str| {
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, format!("only {method} is possible here"))
    };
    match parts {
        ["api", "catalog" | "games" | "history"]
        | ["api", "games" | "events", _]
        | ["assets", ..]
        | ["guide", ..]
        | ["favicon.ico"] => method("GET"),
        ["api", "tables" | "hint" | "replay" | "analysis" | "streams"] => method("POST"),
        ["api", "streams", _] => method("PUT"),
        _ => Problem::missing("there is no such page"),
    }
}

async fn run_call(app: &Arc<App>, request: &mut Request, method: &str, rest: &[&str]) -> Answer<Reply> {
    match (method, rest) {
        ("GET", []) => Ok(runs::list(&app.runs)),
        ("POST", []) => {
            let asked = request.read(RUN).await?;
            runs::start(app, asked).await
        }
        ("GET", ["templates"]) => Ok(runs::templates()),
        ("GET", [id]) => runs::show(&app.runs, id),
        ("DELETE", [id]) => runs::delete(&app.runs, id),
        ("POST", [id, "stop"]) => runs::stop(&app.runs, id),
        ("POST", [id, "resume"]) => runs::resume(app, id).await,
        (_, [] | [_]) => {
            Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not possible here"))
        }
        (_, [_, "stop" | "resume"]) => {
            Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "only POST is possible here"))
        }
        _ => Err(Problem::missing("there is no such page")),
    }
}

fn catalog(app: &App, request: &Request) -> Reply {
    let mut text = app.catalog.to_vec();
    text.pop();
    text.extend_from_slice(if app.owner.is_owner(request) {
        b",\"owner\":true}"
    } else {
        b",\"owner\":false}"
    });
    json_text(StatusCode::OK, text)
}

async fn table(
    app: &Arc<App>,
    request: &mut Request,
    method: &str,
    id: &str,
    rest: &[&str],
) -> Answer<Reply> {
    let key = request.seat_key()?;
    let key = key.as_deref();
    let tables = &app.tables;
    let table = tables.find(id).await?;
    match (method, rest) {
        ("GET", []) => calls::show(tables, &table, key),
        ("DELETE", []) => calls::delete(tables, &table, key),
        ("GET", ["saved"]) => calls::saved(&table, key),
        ("POST", ["act"]) => {
            let asked = request.read(BODY).await?;
            calls::act(tables, &table, key, &asked).await
        }
        ("POST", [call @ ("undo" | "resign" | "move-now")]) => {
            let calls::Empty {} = request.read(BODY).await?;
            match *call {
                "undo" => calls::undo(tables, &table, key).await,
                "resign" => calls::resign(tables, &table, key).await,
                _ => calls::move_now(tables, &table, key).await,
            }
        }
        ("POST", ["pace"]) => {
            let asked = request.read(BODY).await?;
            calls::pace(tables, &table, key, &asked)
        }
        (_, []) => Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "only GET and DELETE are possible here")),
        (_, ["saved"]) => Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "only GET is possible here")),
        (_, ["act" | "undo" | "resign" | "move-now" | "pace"]) => {
            Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "only POST is possible here"))
        }
        _ => Err(Problem::missing("there is no such page")),
    }
}
