//! What the laboratory reads: TOML of experiments and tournaments, folders of runs, tables, the log.

use std::fs;

use parlor_core::Cancel;
use parlor_core::TimeControl;
use parlor_lab::experiment::folder::ExperimentFolder;
use parlor_lab::experiment::{Experiment, PUBLISHED};
use parlor_lab::log::{self, Entry};
use parlor_lab::run::{Keep, MatchRequest, MatchRun, RunOptions, TournamentRequest, TournamentRun};
use parlor_lab::sheet::{Column, Kind, Sheet};
use parlor_lab::tournament::file::Request;

use super::{Read, Reader, equal, explained, run, scrap};
use crate::run_support::open;

#[test]
fn experiment() {
    let corpus = PUBLISHED.iter().map(|(_, text)| text.as_bytes().to_vec()).collect();
    let mut check = |input: &[u8]| -> Read {
        let Some(experiment) = explained(Experiment::read(&String::from_utf8_lossy(input)))? else {
            return Ok(false);
        };
        let _ = (experiment.quick().rows(), experiment.matches(), experiment.rows());
        Ok(true)
    };
    run(Reader { name: "experiment", corpus, words: Vec::new(), repair: None }, &mut check);
}

const TOURNAMENT: &str = r#"
game = "dominoes(target=none)"
agents = ["expert", "scoring", "random"]
pairs = 10
seed = 4
time = "5m+2s"
opening = 2
kind = "gauntlet"
"#;

#[test]
fn tournament() {
    let short = "game = \"tictactoe\"\nagents = [\"random\", \"mcts(sims=10)\"]\n";
    let corpus = vec![TOURNAMENT.as_bytes().to_vec(), short.as_bytes().to_vec()];
    let mut check =
        |input: &[u8]| -> Read { Ok(explained(Request::read(&String::from_utf8_lossy(input)))?.is_some()) };
    run(Reader { name: "tournament", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn csv() {
    let folder = scrap("csv");
    let file = folder.path().join("rows.csv");
    let columns = || {
        vec![
            Column::new("agent", Kind::Text).optional(),
            Column::new("count", Kind::Whole),
            Column::new("change", Kind::Signed).optional(),
            Column::new("score", Kind::Real).optional(),
        ]
    };
    let corpus = vec![
        b"agent,count,change,score\nexpert,1,-2,0.5\n\"a \"\"b\"\", c\",3,,\n,18446744073709551615,4,1e300\n"
            .to_vec(),
        b"agent,count,change,score\r\n\"two\nlines\",0,0,-0.0\r\n".to_vec(),
    ];
    let mut check = |input: &[u8]| -> Read {
        let Some(sheet) = explained(Sheet::read_csv(input, columns()))? else { return Ok(false) };
        fs::write(&file, "").map_err(|error| error.to_string())?;
        let mut open =
            fs::OpenOptions::new().read(true).write(true).open(&file).map_err(|error| error.to_string())?;
        sheet.append_csv(&mut open, 0).map_err(|error| error.to_string())?;
        let written = fs::read(&file).map_err(|error| error.to_string())?;
        let again = Sheet::read_csv(&written, columns())
            .map_err(|error| format!("its own text is refused: {error}"))?;
        equal(&again.texts("agent"), &sheet.texts("agent"), "a column of text")?;
        equal(&again.wholes("count"), &sheet.wholes("count"), "a column of whole numbers")?;
        equal(&again.signeds("change"), &sheet.signeds("change"), "a column of signed numbers")?;
        let bits = |sheet: &Sheet| -> Option<Vec<Option<u64>>> {
            Some(sheet.reals("score")?.iter().map(|real| real.map(f64::to_bits)).collect())
        };
        equal(&bits(&again), &bits(&sheet), "a column of real numbers")?;
        Ok(true)
    };
    run(Reader { name: "csv", corpus, words: Vec::new(), repair: None }, &mut check);
}

/// The manifest and the rows of a run as one input.
pub(super) const BETWEEN: &[u8] = b"\n----\n";

/// Splits an input into the manifest and the rows.
pub(super) fn parts(input: &[u8]) -> (&[u8], &[u8]) {
    let at = input.windows(BETWEEN.len()).position(|part| part == BETWEEN);
    at.map_or((input, &[]), |at| (&input[..at], &input[at + BETWEEN.len()..]))
}

fn options(keep: Keep) -> RunOptions {
    RunOptions { threads: 1, keep, ..RunOptions::default() }
}

/// Resumes a changed folder. What a stranger's manifest names (files, programs) is not opened or started.
fn resumes(
    name: &'static str,
    files: [&str; 2],
    corpus: Vec<Vec<u8>>,
    resume: impl Fn(&std::path::Path) -> Result<bool, String>,
) {
    let folder = scrap(name);
    let mut check = |input: &[u8]| -> Read {
        let (manifest, rows) = parts(input);
        if manifest.windows(3).any(|part| part == b"cmd") || manifest.windows(4).any(|part| part == b"file") {
            return Ok(false);
        }
        for (file, bytes) in files.iter().zip([manifest, rows]) {
            fs::write(folder.path().join(file), bytes).map_err(|error| error.to_string())?;
        }
        resume(folder.path())
    };
    run(Reader { name, corpus, words: Vec::new(), repair: None }, &mut check);
}

fn whole_folder(folder: &std::path::Path, manifest: &str) -> Vec<u8> {
    let read = |file: &str| fs::read(folder.join(file)).expect("a run writes its files");
    [&read(manifest)[..], BETWEEN, &read("games.jsonl")].concat()
}

#[test]
fn match_folder() {
    let place = scrap("match");
    let folder = place.path().join("run");
    let request = MatchRequest {
        game: "tictactoe".to_owned(),
        agents: ["random", "alphabeta(depth=1)"].map(str::to_owned),
        seed: 7,
        pairs: 3,
        sprt: None,
        time: TimeControl::default(),
        opening: 1,
        ponder: false,
        session: 0,
    };
    let run = MatchRun::new(&request, &open, options(Keep::In(folder.clone()))).expect("it can be started");
    run.run(&Cancel::new(), &mut |_| ()).expect("it can be played");
    let corpus = vec![whole_folder(&folder, "match.json")];
    resumes("match_folder", ["match.json", "games.jsonl"], corpus, |folder| {
        Ok(explained(MatchRun::resume(folder, &open, options(Keep::Nowhere)))?.is_some())
    });
}

#[test]
fn tournament_folder() {
    let place = scrap("tournament");
    let folder = place.path().join("run");
    let agents = ["random", "alphabeta(depth=1)", "mcts(sims=2)"].map(str::to_owned).to_vec();
    let request =
        TournamentRequest { game: "tictactoe".to_owned(), agents, pairs: 2, ..TournamentRequest::default() };
    let run =
        TournamentRun::new(&request, &open, options(Keep::In(folder.clone()))).expect("it can be started");
    run.run(&Cancel::new(), &mut |_| ()).expect("it can be played");
    let corpus = vec![whole_folder(&folder, "tournament.json")];
    resumes("tournament_folder", ["tournament.json", "games.jsonl"], corpus, |folder| {
        Ok(explained(TournamentRun::resume(folder, &open, options(Keep::Nowhere)))?.is_some())
    });
}

#[test]
fn experiment_rows() {
    let folder = scrap("experiment-rows");
    let header = "arm,training,round,repeat,matches,wins,draws,losses,stages,stages_won,stages_lost,points,points_other,\
        entries,bytes,peak_bytes,forgotten,forfeits\n";
    let corpus =
        vec![format!("{header}0,0,1,0,100,40,10,50,100,50,40,1.5,-0.25,12,345,678,0,0\n").into_bytes()];
    let mut check = |input: &[u8]| -> Read {
        fs::write(folder.path().join("rows.csv"), input).map_err(|error| error.to_string())?;
        Ok(explained(ExperimentFolder::rows(folder.path(), false))?.is_some())
    };
    run(Reader { name: "experiment_rows", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn history() {
    let place = scrap("history");
    let home = place.path().to_owned();
    let folder = home.join("run");
    let request = TournamentRequest {
        game: "tictactoe".to_owned(),
        agents: vec!["random".to_owned(), "alphabeta(depth=1)".to_owned()],
        pairs: 2,
        ..TournamentRequest::default()
    };
    let kept = RunOptions { home: Some(home.clone()), ..options(Keep::In(folder)) };
    let played = TournamentRun::new(&request, &open, kept).expect("it can be started");
    played.run(&Cancel::new(), &mut |_| ()).expect("it can be played");
    let log_file = home.join("log.jsonl");
    let corpus = vec![fs::read(&log_file).expect("the run is in the log")];
    let mut check = |input: &[u8]| -> Read {
        fs::write(&log_file, input).map_err(|error| error.to_string())?;
        let Some((entries, _)) = explained(log::read(&home))? else { return Ok(false) };
        for entry in &entries {
            let line = serde_json::to_string(entry).map_err(|error| error.to_string())?;
            let again: Entry =
                serde_json::from_str(&line).map_err(|error| format!("its own line is refused: {error}"))?;
            equal(&again, entry, "the entry")?;
            crate::history::row(entry);
        }
        Ok(!entries.is_empty())
    };
    run(Reader { name: "history", corpus, words: Vec::new(), repair: None }, &mut check);
}
