//! Draws one chart of each kind from made-up numbers: `cargo run -p parlor-lab --example charts -- FOLDER`.
//!
//! For looking at the drawings after a change: SVG and PNG files, and a page with both.

#![allow(clippy::disallowed_methods, reason = "made-up numbers, to look at")]

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use maud::{DOCTYPE, PreEscaped, html};
use parlor_lab::chart::{
    Band, ForestChart, ForestRow, LineChart, Point, Published, Reference, Scale, Series, page_style,
};

const PAGE: &str = "
:root { color-scheme: light dark; --page: #fbfaf8; --card: #fff; --ink: #1f2328; --soft: #626a73; --line: #e3e1dc; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14161a; --card: #1c1f25; --ink: #e4e6ea; --soft: #9aa3ad; --line: #31363e; }
}
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 24px auto; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; margin: 16px 0; }
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("where to? Name a folder")?);
    fs::create_dir_all(&folder)?;
    let (few, many, forest) = (curves(3, false), curves(12, true), estimates());
    for (name, svg) in [("curves", few.svg()), ("many", many.svg()), ("forest", forest.svg())] {
        fs::write(folder.join(format!("{name}.svg")), &svg)?;
        #[cfg(feature = "png")]
        fs::write(folder.join(format!("{name}.png")), parlor_lab::chart::png(&svg, 2.0)?)?;
    }
    let page = html! {
        (DOCTYPE)
        meta charset="utf-8";
        style { (PreEscaped(PAGE)) (PreEscaped(page_style())) }
        @for chart in [few.markup(), many.markup(), forest.markup()] { .card { (chart) } }
    };
    fs::write(folder.join("page.html"), page.into_string())?;
    Ok(())
}

/// Curves that rise and level off, with a wobble that is always the same.
fn curves(count: usize, log: bool) -> LineChart {
    let rate = |number: usize, x: f64| {
        let number = number as f64;
        let wobble = 0.008 * (x * 1.7 + number).sin() + 0.006 * (x * 0.61 + 2.0 * number).cos();
        0.5 + (0.33 - 0.03 * number) * (1.0 - (-x / (6.0 + 3.0 * number)).exp()) + wobble
    };
    let series = (0..count).map(|number| Series {
        name: format!("LSP{}, {} compensation", number + 1, ["simple", "time-based", "growing"][number % 3]),
        points: (1..=50).map(f64::from).map(|x| Point { x, y: rate(number, x) }).collect(),
        band: if count > 4 {
            Vec::new()
        } else {
            let width = |x: f64| 0.02 + 0.02 * (-x / 15.0).exp();
            let band = |x: f64| Band { x, low: rate(number, x) - width(x), high: rate(number, x) + width(x) };
            (1..=50).map(f64::from).map(band).collect()
        },
    });
    let figures = |number: usize| {
        (1..=5)
            .map(|n| f64::from(10 * n))
            .map(move |x| Point { x, y: rate(number, x) + 0.015 * (x * 0.3).sin() })
    };
    LineChart {
        title: "Collective learning of dominoes against a random player".to_owned(),
        x: if log { Scale::new("tournaments played").log() } else { Scale::new("tournaments played") },
        y: Scale::percent("matches won"),
        series: series.collect(),
        published: vec![
            Published {
                name: "LSP1, published".to_owned(),
                series: Some(0),
                points: figures(0).collect(),
                labelled: false,
            },
            Published {
                name: "other sources".to_owned(),
                series: None,
                points: figures(2).collect(),
                labelled: false,
            },
        ],
        references: vec![Reference { value: 0.5, name: "as good as random".to_owned() }],
    }
}

fn estimates() -> ForestChart {
    let row = |label: &str, estimate: f64, half: f64, published: Option<f64>| ForestRow {
        label: label.to_owned(),
        estimate: Some(estimate),
        interval: Some([estimate - half, estimate + half]),
        published,
    };
    ForestChart {
        title: "Matches won after 200 tournaments".to_owned(),
        x: Scale::percent("matches won"),
        rows: vec![
            row("LSP1, simple", 0.742, 0.013, Some(0.751)),
            row("LSP2, time-based", 0.781, 0.011, Some(0.74)),
            row("LSP2, growing compensation, 100 rounds", 0.684, 0.022, None),
            row("GSP3", 0.532, 0.017, Some(0.545)),
            row("random", 0.499, 0.009, None),
        ],
        estimates: "ours, 95 % interval over 20 trainings".to_owned(),
        published: "published".to_owned(),
        reference: Some(Reference { value: 0.5, name: "as good as random".to_owned() }),
    }
}
