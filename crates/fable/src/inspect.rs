//! What the models know, in words.

use std::collections::{BTreeMap, HashSet};
use std::io;

use parlor_core::{KnowledgeTable, Place};

use crate::board::{Board, Frame, Model};
use crate::decision::Answer;
use crate::engine::Engine;
use crate::evidence::Tally;
use crate::heuristics::HEURISTICS;
use crate::history::{FramedStep, GameLog};
use crate::state_keys::End;

/// Returns what a frame shows of a view: rows from the top with `/` between them, then the cells beside the grid.
pub(crate) fn state_in_words(board: &Board, frame: Frame, cells: &[u8]) -> String {
    let layout = &board.layout;
    let symbol = |cell: usize| layout.symbols[usize::from(cells[cell])].text.as_str();
    // Symbols of one character need no space between them.
    let space = if layout.symbols.iter().all(|symbol| symbol.text.chars().count() == 1) { "" } else { " " };
    let width = usize::from(layout.width);
    let rows = |left: usize, top: usize, columns: usize, rows: usize| -> String {
        let row = |row: usize| {
            let cells: Vec<&str> =
                (left..left + columns).map(|column| symbol(row * width + column)).collect();
            cells.join(space)
        };
        (top..top + rows).map(row).collect::<Vec<_>>().join("/")
    };
    match frame {
        Frame::Window { left, top, size } => {
            rows(usize::from(left), usize::from(top), usize::from(size), usize::from(size))
        }
        Frame::Whole | Frame::Turned(_) => {
            let mut text = rows(0, 0, width, usize::from(layout.height));
            for (at, name) in layout.beside.iter().enumerate() {
                text += &format!(" {name} {}", symbol(board.grid() + at));
            }
            text
        }
    }
}

/// Returns an action: who moves, the cells by column letter and row from the top, counted in the frame, and its kind.
pub(crate) fn input_in_words(board: &Board, frame: Frame, seat: u8, place: &Place) -> String {
    let cell = |&cell: &u16| {
        let width = board.layout.width;
        let (mut row, mut column) = (cell / width, cell % width);
        if let Frame::Window { left, top, .. } = frame {
            (row, column) = (row - top, column - left);
        }
        format!("{}{}", column_name(column), row + 1)
    };
    let cells: Vec<String> = place.cells.iter().map(cell).collect();
    let place_in_words = if cells.is_empty() { "nowhere".to_owned() } else { cells.join("-") };
    let kind = if place.kind == 0 { String::new() } else { format!(" kind {}", place.kind) };
    format!("seat {} {place_in_words}{kind}", seat + 1)
}

/// Returns `a`, `b` … `z`, `aa`, `ab` ….
fn column_name(column: u16) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", column_name(more - 1)),
    }
}

/// A transition of a model.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Arc {
    pub state: u64,
    pub input: u64,
    pub next: u64,
}

/// Counts all transitions of a model.
pub(crate) fn transitions(board: &Board, model: Model, games: &GameLog) -> BTreeMap<Arc, Tally> {
    let mut counts: BTreeMap<Arc, Tally> = BTreeMap::new();
    games.for_each(board, |game| {
        game.observe(board, model, |seen| {
            let arc = Arc { state: seen.state, input: seen.input, next: seen.next };
            counts.entry(arc).or_default().add(seen.end);
        });
    });
    counts
}

/// Texts of states and inputs; keys are hashes, so the words are found again in the history.
#[derive(Default)]
pub(crate) struct Words {
    states: BTreeMap<u64, String>,
    inputs: BTreeMap<u64, String>,
}

impl Words {
    /// Finds the words of the states and inputs that are wanted.
    pub(crate) fn find(
        board: &Board,
        model: Model,
        games: &GameLog,
        is_wanted: impl Fn(u64, u64) -> bool,
    ) -> Words {
        let mut words = Words::default();
        games.for_each(board, |game| {
            game.observe_framed(board, model, |framed| {
                let FramedStep { seen, frame, step, cells, next_cells } = *framed;
                if !is_wanted(seen.state, seen.input) {
                    return;
                }
                words.states.entry(seen.state).or_insert_with(|| state_in_words(board, frame, cells));
                if let Some(next) = next_cells {
                    words.states.entry(seen.next).or_insert_with(|| state_in_words(board, frame, next));
                }
                let input_words = || input_in_words(board, frame, step.seat, &step.place);
                words.inputs.entry(seen.input).or_insert_with(input_words);
            });
        });
        words
    }

    /// Returns the words of a state.
    pub(crate) fn state(&self, key: u64) -> String {
        let end = End::ALL.into_iter().find(|end| end.key() == key);
        match end {
            Some(end) => end.word().to_owned(),
            None => self.states.get(&key).cloned().unwrap_or_else(|| format!("{key:016x}")),
        }
    }

    /// Returns the words of an input.
    pub(crate) fn input(&self, key: u64) -> String {
        self.inputs.get(&key).cloned().unwrap_or_else(|| format!("{key:016x}"))
    }
}

const SIZES_NOTE: &str = "An entry is an input in a state; a transition is an entry and the state it led to. Ends are the games of the steps.";

const STRONGEST_NOTE: &str =
    "Value is probability × confidence, greatest magnitude first. Windows count cells from their own corner.";

/// Returns the sizes of all models, and the strongest evidence of each.
pub(crate) fn tables(engine: &Engine, games: &GameLog, rows: usize) -> Vec<KnowledgeTable> {
    let mut sizes = KnowledgeTable {
        title: format!("Models of {} games", games.len()),
        columns: vec!["model", "read by", "states", "entries", "transitions", "wins", "ties", "losses"],
        rows: Vec::new(),
        note: SIZES_NOTE,
    };
    let mut strongest = Vec::new();
    for &model in engine.models() {
        let table = engine.table(model);
        let arcs = transitions(&engine.board, model, games);
        let mut ends = Tally::default();
        arcs.values().for_each(|tally| ends.merge(*tally));
        let readers = engine.heuristics.iter().filter(|&at| HEURISTICS[at].model() == model);
        let readers: Vec<&str> = readers.map(|at| HEURISTICS[at].name()).collect();
        let mut row = vec![model.name().to_owned(), readers.join(", ")];
        let counts = [table.states(), table.len(), arcs.len()].map(|count| count.to_string());
        row.extend(counts);
        row.extend([ends.wins, ends.ties, ends.losses].map(|count| count.to_string()));
        sizes.rows.push(row);
        strongest.push(strongest_of(engine, model, games, rows));
    }
    let mut all = vec![sizes];
    all.extend(strongest);
    all
}

/// Returns a table that says why there are none.
pub(crate) fn trouble(error: &io::Error) -> KnowledgeTable {
    KnowledgeTable {
        title: "The store cannot be read".to_owned(),
        columns: vec!["reason"],
        rows: vec![vec![error.to_string()]],
        note: "",
    }
}

/// Returns the entries of a model whose values are greatest in magnitude; of equal ones those with more evidence.
fn strongest_of(engine: &Engine, model: Model, games: &GameLog, rows: usize) -> KnowledgeTable {
    let rules = &engine.rules;
    let discount =
        HEURISTICS.iter().find(|heuristic| heuristic.model() == model).map_or(1.0, |one| one.discount());
    let mut entries: Vec<(Answer, Tally, u64, u64)> = Vec::new();
    for (state, input, evidence) in engine.table(model).sorted() {
        let tally = evidence.credited(rules.credit);
        entries.push((rules.answer(tally, discount), tally, state, input));
    }
    entries.sort_by(|a, b| {
        let by_value = b.0.value().abs().total_cmp(&a.0.value().abs());
        by_value.then(b.1.total().cmp(&a.1.total())).then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    entries.truncate(rows);
    let wanted: HashSet<(u64, u64)> = entries.iter().map(|&(_, _, state, input)| (state, input)).collect();
    let words = Words::find(&engine.board, model, games, |state, input| wanted.contains(&(state, input)));
    let row = |(answer, tally, state, input): &(Answer, Tally, u64, u64)| {
        let mut row = vec![words.state(*state), words.input(*input)];
        row.extend([tally.wins, tally.ties, tally.losses].map(|count| count.to_string()));
        row.push(format!("{:.3}", answer.value()));
        row
    };
    KnowledgeTable {
        title: format!("Strongest evidence of {}", model.name()),
        columns: vec!["state", "input", "wins", "ties", "losses", "value"],
        rows: entries.iter().map(row).collect(),
        note: STRONGEST_NOTE,
    }
}

/// Writes every transition of every model, one a line, columns apart by tabs.
pub(crate) fn write_all(engine: &Engine, games: &GameLog, to: &mut dyn io::Write) -> io::Result<()> {
    writeln!(to, "model\tstate\tinput\tnext\twins\tties\tlosses")?;
    for &model in engine.models() {
        let words = Words::find(&engine.board, model, games, |_, _| true);
        let mut lines: Vec<String> = transitions(&engine.board, model, games)
            .iter()
            .map(|(arc, tally)| {
                let [state, next] = [arc.state, arc.next].map(|key| words.state(key));
                let input = words.input(arc.input);
                let Tally { wins, ties, losses } = tally;
                format!("{}\t{state}\t{input}\t{next}\t{wins}\t{ties}\t{losses}", model.name())
            })
            .collect();
        lines.sort_unstable();
        for line in lines {
            writeln!(to, "{line}")?;
        }
    }
    Ok(())
}
