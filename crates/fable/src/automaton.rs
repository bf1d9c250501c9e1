//! The automaton of a model, or its most used part.

use std::collections::BTreeMap;

use parlor_core::play::automaton::{Automaton, AutomatonArc, AutomatonQuery, AutomatonState, StateKind};

use crate::board::Model;
use crate::engine::Engine;
use crate::history::GameLog;
use crate::inspect::{Words, transitions};
use crate::state_keys::End;

/// Returns the automaton of a model that the engine counts.
pub(crate) fn automaton(
    engine: &Engine,
    games: &GameLog,
    query: &AutomatonQuery<'_>,
) -> Result<Automaton, String> {
    let models = engine.models();
    let model = match query.model {
        None => models.first(),
        Some(name) => models.iter().find(|model| model.name() == name),
    };
    let Some(&model) = model else {
        let known: Vec<&str> = models.iter().map(|model| model.name()).collect();
        return Err(format!(
            "`{}` is not a model of this learner; it has {}",
            query.model.unwrap_or(""),
            known.join(", ")
        ));
    };
    Ok(of_model(engine, model, games, query.states))
}

fn of_model(engine: &Engine, model: Model, games: &GameLog, most: usize) -> Automaton {
    let board = &engine.board;
    let arcs = transitions(board, model, games);
    let mut visits: BTreeMap<u64, u64> = BTreeMap::new();
    for (arc, tally) in &arcs {
        *visits.entry(arc.state).or_default() += tally.total();
    }
    let mut starts: BTreeMap<u64, u64> = BTreeMap::new();
    games.for_each(board, |game| {
        let mut begun = [false; 2];
        for (step, cells) in game.steps() {
            if !std::mem::replace(&mut begun[usize::from(step.seat)], true) {
                board.frames(model, |frame| *starts.entry(board.state(frame, cells)).or_default() += 1);
            }
        }
    });
    let mut used: Vec<(u64, u64)> = visits.iter().map(|(&state, &count)| (state, count)).collect();
    used.sort_by_key(|&(state, count)| (std::cmp::Reverse(count), state));
    let left_out_states = used.len().saturating_sub(most) as u64;
    used.truncate(most);
    let mut number: BTreeMap<u64, usize> =
        used.iter().enumerate().map(|(at, &(state, _))| (state, at)).collect();
    for (at, end) in End::ALL.iter().enumerate() {
        number.insert(end.key(), used.len() + at);
    }
    let words = Words::find(board, model, games, |state, _| number.contains_key(&state));
    let mut states: Vec<AutomatonState> = used
        .iter()
        .map(|&(state, visits)| AutomatonState {
            text: words.state(state),
            kind: StateKind::Decision,
            visits,
            starts: starts.get(&state).copied().unwrap_or(0),
        })
        .collect();
    for (end, kind) in End::ALL.into_iter().zip([StateKind::Win, StateKind::Tie, StateKind::Loss]) {
        states.push(AutomatonState { text: end.word().to_owned(), kind, visits: 0, starts: 0 });
    }
    let mut drawn: Vec<AutomatonArc> = Vec::new();
    let mut left_out_arcs = 0;
    for (arc, tally) in &arcs {
        let (Some(&from), Some(&to)) = (number.get(&arc.state), number.get(&arc.next)) else {
            left_out_arcs += 1;
            continue;
        };
        let count = tally.total();
        if states[to].kind != StateKind::Decision {
            states[to].visits += count;
        }
        let (wins, losses) = (tally.wins, tally.losses);
        drawn.push(AutomatonArc { from, to, text: words.input(arc.input), count, wins, losses });
    }
    drawn.sort_by(|a, b| {
        b.count.cmp(&a.count).then_with(|| (a.from, a.to, &a.text).cmp(&(b.from, b.to, &b.text)))
    });
    Automaton {
        title: format!("{} of {}", model.name(), board.game),
        states,
        arcs: drawn,
        left_out: [left_out_states, left_out_arcs],
    }
}
