//! `parlor cells`: a position as learners and other languages get it.

use parlor_core::Seat;
use parlor_core::api::{AnyCells, CellsShown};
use parlor_core::{CellLayout, Place};
use serde_json::{Value, json};

use crate::args::whole;
use crate::terminal::{grid, say, say_json};

#[derive(clap::Args, Debug)]
pub struct CellsArgs {
    /// The game, e.g. 'minesweeper(rows=4, columns=4)'
    pub game: String,
    /// The position in the game's own form, see the guide (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Whose view it is (default: the seat to move)
    #[arg(long, value_name = "S", value_parser = whole::<u8>(0, 1))]
    pub seat: Option<u8>,
    /// Deals where chance acts first
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// Print {"width": .., "symbols": [..], "cells": [..], "actions": [..], ..}
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &CellsArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let cells = game.cells()?;
    let shown = cells.show(args.position.as_deref(), args.seat.map(Seat), args.seed)?;
    let layout = cells.layout();
    if args.json {
        return say_json(&document(&game.spec(), cells, &layout, &shown));
    }
    let mover = if shown.actions.is_empty() { "not to move" } else { "to move" };
    say(format!("{}, seat {}, {mover}", game.spec(), shown.seat))?;
    let text = |symbol: u8| layout.symbols[usize::from(symbol)].text.clone();
    let widest = shown.cells[..layout.grid()].iter().map(|&symbol| text(symbol).chars().count()).max();
    for row in shown.cells[..layout.grid()].chunks(usize::from(layout.width)) {
        let row: Vec<String> =
            row.iter().map(|&symbol| format!("{:>1$}", text(symbol), widest.unwrap_or(1))).collect();
        say(format!("  {}", row.join(" ")))?;
    }
    if !layout.beside.is_empty() {
        let beside = layout.beside.iter().zip(&shown.cells[layout.grid()..]);
        let rows = beside.map(|(name, &symbol)| vec![name.clone(), text(symbol)]);
        table(&["beside the grid", "symbol"], rows, &[0, 1])?;
    }
    let mut present = shown.cells.clone();
    present.sort_unstable();
    present.dedup();
    let rows = present.iter().map(|&number| {
        let symbol = &layout.symbols[usize::from(number)];
        vec![number.to_string(), symbol.text.clone(), symbol.meaning.clone()]
    });
    table(&["number", "symbol", "meaning"], rows, &[1, 2])?;
    if !shown.actions.is_empty() {
        let rows = shown.actions.iter().map(|action| {
            let Place { cells, kind } = &action.place;
            let path: Vec<String> = cells.iter().map(u16::to_string).collect();
            let path = if path.is_empty() { "nowhere".to_owned() } else { path.join(" ") };
            vec![action.text.clone(), path, kind.to_string(), action.number.to_string()]
        });
        table(&["action", "cells", "kind", "number"], rows, &[0, 1])?;
    }
    let names: Vec<&str> = cells.symmetries().iter().map(|symmetry| symmetry.name()).collect();
    say(format!(
        "\nSymmetries of the rules: {}. Numbers of actions: 0 … {}.",
        names.join(", "),
        cells.numbers() - 1
    ))?;
    Ok(())
}

/// Prints an empty line and a table.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>, left: &[usize]) -> anyhow::Result<()> {
    say("")?;
    let head = head.iter().map(|&name| name.to_owned()).collect();
    for line in grid(&std::iter::once(head).chain(rows).collect::<Vec<_>>(), left) {
        say(line)?;
    }
    Ok(())
}

fn document(spec: &str, cells: &dyn AnyCells, layout: &CellLayout, shown: &CellsShown) -> Value {
    let symmetries: Vec<&str> = cells.symmetries().iter().map(|symmetry| symmetry.name()).collect();
    let actions = shown.actions.iter().map(|action| {
        json!({
            "action": action.text,
            "number": action.number,
            "cells": action.place.cells.as_slice(),
            "kind": action.place.kind,
        })
    });
    json!({
        "game": spec,
        "seat": shown.seat.0,
        "width": layout.width,
        "height": layout.height,
        "beside": layout.beside,
        "symbols": layout.symbols,
        "cells": shown.cells,
        "actions": actions.collect::<Vec<_>>(),
        "numbers": cells.numbers(),
        "symmetries": symmetries,
    })
}
