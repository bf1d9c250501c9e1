//! `parlor odds`: exact odds of mines, and of luck.

use parlor_catalog::{AnyOdds, MineOdds};
use serde_json::{Map, Value, json};

use crate::terminal::{grid, say, say_json};

#[derive(clap::Args, Debug)]
pub struct OddsArgs {
    /// The game, e.g. 'minesweeper(rows=16, columns=30, mines=99)'
    pub game: String,
    /// The position: rows from the top, # covered, digits opened (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Print {"mines": {"a1": x, ..}, "random_win": x}
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &OddsArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let any = game.odds()?;
    let odds = any.odds(args.position.as_deref())?;
    if args.json {
        let mines: Map<String, Value> =
            odds.mines.iter().map(|(cell, odds)| (cell.clone(), json!(odds))).collect();
        return say_json(&json!({ "mines": mines, "random_win": odds.random_win }));
    }
    for line in grid(&board(any, &odds, args.position.as_deref()), &[0]) {
        say(line)?;
    }
    let (count, agree) = (odds.layouts, if odds.layouts == 1.0 { "layout" } else { "layouts" });
    let count = if count < 1e15 { format!("{count}") } else { format!("{count:.3e}") };
    say(format!("Possible: {count} {agree} of the mines."))?;
    say(match odds.random_win {
        Some(win) => format!("Random clicks win {} from here.", percent(win, digits(win))),
        None => format!(
            "How often random clicks win from here is out of reach: it takes a look at every layout, at most {:.0} million.",
            odds.most_layouts / 1e6
        ),
    })?;
    Ok(())
}

/// The board with the odds of covered cells in it.
fn board(game: &dyn AnyOdds, odds: &MineOdds, position: Option<&str>) -> Vec<Vec<String>> {
    let (rows, columns) = game.size();
    let opened: Vec<char> = position.unwrap_or("").trim().chars().filter(|&mark| mark != '/').collect();
    let mut covered = odds.mines.iter();
    let mut lines = vec![vec![String::new()]];
    lines[0].extend((0..columns).map(column_name));
    for row in 0..rows {
        let mut line = vec![(u16::from(row) + 1).to_string()];
        for column in 0..columns {
            let at = usize::from(row) * usize::from(columns) + usize::from(column);
            line.push(match opened.get(at) {
                Some(&mark) if mark.is_ascii_digit() => mark.to_string(),
                _ => covered.next().map_or_else(String::new, |(_, odds)| percent(*odds, 1)),
            });
        }
        lines.push(line);
    }
    lines
}

/// The letters of a column: after `z` come `aa`, `ab` and so on.
fn column_name(column: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    if column < 26 { letter(column).to_string() } else { format!("a{}", letter(column)) }
}

/// How many digits after the point show what a small percentage is.
fn digits(odds: f64) -> usize {
    if odds > 0.0 { (-libm::log10(100.0 * odds).floor()).clamp(0.0, 12.0) as usize + 2 } else { 2 }
}

fn percent(odds: f64, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * odds)
}
