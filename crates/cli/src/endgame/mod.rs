//! `parlor endgame`: databases of positions with few pieces, built, checked and looked into.

pub mod args;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use indicatif::ProgressBar;
use parlor_catalog::OpenedGame;
use parlor_catalog::endgame::folder::{Order, Row, game_of};
use parlor_catalog::endgame::{Checks, Findings};
use parlor_core::{Progress, ProgressUpdate};
use parlor_lab::log;
use serde::Serialize;

use crate::run_support::{stop_on_ctrl_c, threads};
use crate::terminal::{No, grid, progress, say, say_json};

use args::{BuildArgs, EndgameCommand, ProbeArgs, VerifyArgs};

pub fn run(command: &EndgameCommand) -> anyhow::Result<()> {
    match command {
        EndgameCommand::Build(args) => build(args),
        EndgameCommand::Verify(args) => verify(args),
        EndgameCommand::Probe(args) => probe(args),
    }
}

fn follow(bar: &ProgressBar) -> impl FnMut(&ProgressUpdate) + Send + use<> {
    let bar = bar.clone();
    move |progress| {
        bar.set_position(progress.nodes);
        bar.set_message(progress.doing.clone());
    }
}

/// What a build comes to, for scripts.
#[derive(Serialize)]
struct Built {
    game: String,
    folder: PathBuf,
    seconds: f64,
    rows: Vec<Row>,
}

fn build(args: &BuildArgs) -> anyhow::Result<()> {
    let opened = parlor_catalog::open(&args.game)?;
    let endgames = opened.endgames()?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let home = log::home().context("there is no place for the database; name one with --out DIR")?;
            home.join("endgames").join(endgames.meaning())
        }
    };
    let game = opened.spec();
    let stop = stop_on_ctrl_c()?;
    let bar = progress(endgames.positions(args.pieces), "positions");
    let began = Instant::now();
    let order = Order {
        game: &game,
        folder: &folder,
        pieces: args.pieces,
        threads: threads(args.threads),
        memory_mb: args.memory,
    };
    let built = endgames.build(&order, &mut Progress { cancel: &stop, report: &mut follow(&bar) });
    bar.finish_and_clear();
    built.with_context(|| format!("what is finished stays in {}", folder.display()))?;
    let rows = endgames.rows(&folder)?;
    let seconds = began.elapsed().as_secs_f64();
    if args.json {
        return say_json(&Built { game, folder, seconds, rows });
    }
    say(&game)?;
    show(&rows)?;
    say(format!("kept in {}", folder.display()))?;
    Ok(())
}

fn show(rows: &[Row]) -> anyhow::Result<()> {
    let heads = ["pieces", "classes", "positions", "lost", "drawn", "won", "longest", "bytes"];
    let mut lines = vec![heads.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|row| {
        let census = row.census;
        [u64::from(row.pieces), row.classes.into(), census.setups(), census.lost, census.drawn, census.won]
            .into_iter()
            .chain([u64::from(census.longest), row.bytes])
            .map(|number| number.to_string())
            .collect()
    }));
    for line in grid(&lines, &[]) {
        say(line)?;
    }
    Ok(())
}

/// Opens the game that a folder is for.
fn game_for(folder: &Path) -> anyhow::Result<Box<dyn OpenedGame>> {
    Ok(parlor_catalog::open(&game_of(folder)?)?)
}

fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let game = game_for(&args.folder)?;
    let endgames = game.endgames()?;
    let stop = stop_on_ctrl_c()?;
    let all = endgames.rows(&args.folder)?.iter().map(|row| row.census.setups()).sum();
    let bar = progress(all, "positions");
    let checks =
        Checks { threads: threads(args.threads), sample: args.sample, seed: args.seed, depth: args.depth };
    let findings =
        endgames.verify(&args.folder, &checks, &mut Progress { cancel: &stop, report: &mut follow(&bar) });
    bar.finish_and_clear();
    let findings = findings?;
    if args.json {
        say_json(&findings)?;
    } else {
        tell(&findings)?;
    }
    if findings.is_good() { Ok(()) } else { Err(No.into()) }
}

fn tell(findings: &Findings) -> anyhow::Result<()> {
    let Findings { positions, wrong, miscounted, searched, settled, refuted, example } = findings;
    say(format!("{positions} positions: {wrong} do not follow from their moves"))?;
    if *miscounted > 0 {
        say(format!("{miscounted} classes have other numbers than their files say"))?;
    }
    say(format!("{searched} searched: {settled} settled, {refuted} contradicted"))?;
    if let Some(example) = example {
        say(format!("for example {example}"))?;
    }
    say(if findings.is_good() { "good" } else { "not good" })?;
    Ok(())
}

fn probe(args: &ProbeArgs) -> anyhow::Result<()> {
    let game = game_for(&args.folder)?;
    let probed = game.endgames()?.probe(&args.folder, &args.position)?;
    if args.json {
        return say_json(&probed);
    }
    let word = |value: i8| match value {
        1 => "win",
        0 => "draw",
        _ => "loss",
    };
    say(format!("{} for the side to move ({})", word(probed.value), probed.class))?;
    let mut rows = vec![vec!["move".to_owned(), "value".to_owned()]];
    rows.extend(probed.moves.iter().map(|each| vec![each.action.clone(), word(each.value).to_owned()]));
    for line in grid(&rows, &[0, 1]) {
        say(line)?;
    }
    Ok(())
}
