//! `POST /api/analysis`: a match that is over, decision by decision: what was played, what was better, and how much it cost.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parlor_catalog::OpenedGame;
use parlor_core::api::ExactValues;
use parlor_core::files::saved::SavedGame;
use parlor_core::{Cancel, Certainty, Phase, Seat};
use parlor_lab::session::{Ask, Hint, HintQuestion, Turn, Worth, hint};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::App;
use crate::hint::Guard;
use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, pieces};
use crate::replay::read;

/// How long an agent thinks about a decision if nothing is said, in milliseconds.
const USUAL_MS: u64 = 100;

/// How long an agent may think about a decision, in milliseconds.
const MOST_MS: u64 = 2_000;

/// How many decisions are looked at.
const MOST_DECISIONS: usize = 400;

/// How many of the worst decisions are listed.
const WORST: usize = 5;

/// An analysis as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    table: Option<String>,
    line: Option<String>,
    ms: Option<u64>,
}

/// What is analysed.
struct Work {
    game: Arc<dyn OpenedGame>,
    saved: SavedGame,
    agent: String,
    time: Duration,
}

/// A decision and what it cost.
struct Judged {
    best: String,
    unit: &'static str,
    /// What the best action is worth to the seat that decides.
    value: f64,
    /// What the action that was taken is worth less; `None` if nothing is known of it.
    loss: Option<f64>,
    certainty: &'static str,
    source: &'static str,
}

/// `POST /api/analysis`.
///
/// # Errors
/// If the match is not over, or the line is not a saved game.
pub async fn start(app: &Arc<App>, request: AnalysisRequest, key: Option<&str>) -> Answer<Reply> {
    let permit = app.hint_permit()?;
    let saved = match (&request.table, &request.line) {
        (Some(id), None) => {
            let table = app.tables.find(id).await?;
            table.viewer(key)?;
            let state = table.lock();
            if !matches!(state.turn, Turn::Over(_)) {
                return Err(Problem::conflict("a match is analysed when it is over"));
            }
            state.session.saved()
        }
        (None, Some(line)) => read(line)?,
        _ => return Err(Problem::bad("an analysis is about a \"table\" or a \"line\"")),
    };
    let game = app.tables.game(&saved.game)?;
    // Estimates of every action, where there is an agent that has them.
    let sees_all_moves = game.agents().iter().any(|agent| agent.name == "mcts");
    let usual = game.table_plan().map_or("random", |plan| plan.hints);
    let agent = app.tables.offered.seatable(&*game, if sees_all_moves { "mcts" } else { usual })?.spec;
    let time = Duration::from_millis(request.ms.unwrap_or(USUAL_MS).clamp(1, MOST_MS));
    let (out, lines) = mpsc::channel(16);
    let cancel = Cancel::new();
    let guard = Box::new(Guard(cancel.clone()));
    let work = Work { game, saved, agent, time };
    tokio::task::spawn_blocking(move || {
        analyse(&work, &cancel, &out);
        drop(permit);
    });
    Ok(pieces("application/x-ndjson", lines, Some(guard)))
}

fn send(out: &mpsc::Sender<Bytes>, value: &Value) {
    let _ = out.blocking_send(format!("{value}\n").into());
}

fn analyse(work: &Work, cancel: &Cancel, out: &mpsc::Sender<Bytes>) {
    let Ok(mut table) = work.game.table(work.saved.seed, work.saved.start.as_deref()) else {
        send(out, &json!({"final": true, "error": "the position is not understood"}));
        return;
    };
    let mut before = String::new();
    let (mut worst, mut decisions) = (Vec::new(), 0);
    for (number, text) in work.saved.moves.split_whitespace().enumerate() {
        if cancel.is_cancelled() {
            return;
        }
        if let Phase::Decide(seat) = table.phase()
            && decisions < MOST_DECISIONS
        {
            decisions += 1;
            let choices = table.actions().len();
            let judged = (choices > 1).then(|| judge(work, &before, seat, text, cancel)).flatten();
            let mut line = json!({"ply": number, "seat": seat.0, "action": text, "choices": choices});
            if let Some(judged) = judged {
                line["best"] = judged.best.into();
                line["value"] = judged.value.into();
                line["loss"] = judged.loss.into();
                line["unit"] = judged.unit.into();
                line["certainty"] = judged.certainty.into();
                line["source"] = judged.source.into();
                if let Some(loss) = judged.loss.filter(|loss| *loss > 0.0) {
                    worst.push((number, seat, loss));
                }
            }
            send(out, &line);
        }
        if let Err(error) = table.replay(text) {
            let error = format!("move {}: {error}", number + 1);
            send(out, &json!({"final": true, "error": error}));
            return;
        }
        if !before.is_empty() {
            before.push(' ');
        }
        before.push_str(text);
    }
    worst.sort_by(|a, b| b.2.total_cmp(&a.2));
    let row = |&(ply, seat, loss): &(usize, Seat, f64)| json!({"ply": ply, "seat": seat.0, "loss": loss});
    let worst: Vec<Value> = worst.iter().take(WORST).map(row).collect();
    send(out, &json!({"final": true, "decisions": decisions, "worst": worst}));
}

/// Judges a decision by what its seat could know.
fn judge(work: &Work, before: &str, seat: Seat, action: &str, cancel: &Cancel) -> Option<Judged> {
    let question = HintQuestion {
        seat: Some(seat),
        ask: Ask::Both,
        agent_time: work.time,
        solver_time: work.time,
        ..HintQuestion::new(work.saved.start.as_deref(), before, &work.agent, cancel)
    };
    let Hint { worth, .. } = hint(&*work.game, &question, &mut |_| {}).ok()?;
    match worth {
        Worth::Exact(ExactValues { unit, values }) => {
            let (best, value) = values.first()?.clone();
            let own = values.iter().find(|(text, _)| text == action).map(|(_, value)| *value);
            let loss = own.map(|own| value - own);
            Some(Judged { best, unit, value, loss, certainty: "proven", source: "exact" })
        }
        Worth::Thought { best, thought, .. } => {
            let thought = thought?;
            let own = thought.moves.iter().find(|considered| considered.action == action);
            // A search may prefer an action that it has tried more often to one whose value looks greater.
            let value = thought.moves.iter().find(|considered| considered.action == best)?.value;
            let certainty = match own.map(|own| own.certainty) {
                Some(Certainty::AtMost) => "at_least",
                _ => "guess",
            };
            let loss = own.map(|own| (value - own.value).max(0.0));
            Some(Judged { best, unit: thought.unit, value, loss, certainty, source: "estimate" })
        }
    }
}
