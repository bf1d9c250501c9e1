//! `parlor features`: the numbers by which `columns` judges each column.

use serde_json::{Value, json};

use crate::terminal::{grid, say, say_json};

#[derive(clap::Args, Debug)]
pub struct FeaturesArgs {
    /// The game, e.g. 'connect(width=7, height=6)'
    pub game: String,
    /// The position: the columns played so far (default: the empty board)
    #[arg(long, value_name = "P")]
    pub position: Option<String>,
    /// Whose weights and look-ahead give sums and values
    #[arg(long, value_name = "AGENT", default_value = "columns")]
    pub agent: String,
    /// Print {"features": [[17 numbers], ..], "sums": [..], "values": [..]}; null for a full column
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &FeaturesArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let any = game.column_features()?;
    let columns = any.describe(args.position.as_deref(), &args.agent)?;
    if args.json {
        let list = |show: &dyn Fn(usize) -> Option<Value>| (0..columns.len()).map(show).collect::<Vec<_>>();
        return say_json(&json!({
            "names": any.info().iter().map(|info| info.name).collect::<Vec<_>>(),
            "features": list(&|at| columns[at].map(|column| json!(column.features))),
            "sums": list(&|at| columns[at].map(|column| json!(column.sum))),
            "values": list(&|at| columns[at].map(|column| json!(column.value))),
        }));
    }
    let named = |name: &str| vec![name.to_owned()];
    let mut lines = vec![named("column")];
    lines[0].extend(game.moves(None)?);
    for (at, info) in any.info().iter().enumerate() {
        let mut line = named(info.name);
        line.extend(columns.iter().map(|column| match column.map(|column| column.features[at]) {
            None => "full".to_owned(),
            Some(0) => "·".to_owned(),
            Some(count) => count.to_string(),
        }));
        lines.push(line);
    }
    let numbers = |name: &str, number: &dyn Fn(usize) -> Option<f64>| {
        let mut line = named(name);
        line.extend(
            (0..columns.len()).map(|at| number(at).map_or(String::new(), |number| format!("{number:.3}"))),
        );
        line
    };
    lines.push(numbers("sum", &|at| columns[at].map(|column| column.sum)));
    lines.push(numbers("value", &|at| columns[at].map(|column| column.value)));
    for line in grid(&lines, &[0]) {
        say(line)?;
    }
    Ok(())
}
