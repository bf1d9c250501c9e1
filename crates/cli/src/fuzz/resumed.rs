//! Matches at a table that were left in the middle, and studies that were stopped: what resuming and reporting read.

use std::fs;

use parlor_catalog::GAMES;
use parlor_core::files::saved::{SavedEnding, SavedGame};
use parlor_core::{Cancel, TimeControl};
use parlor_lab::experiment::Report;
use parlor_lab::experiment::folder::ExperimentFolder;
use parlor_lab::run::ExperimentRun;
use parlor_lab::run::experiments::Changes;
use parlor_lab::session::{Occupant, Session, SessionSetup, Turn};

use super::games::asks_for_much;
use super::runs::{BETWEEN, parts};
use super::{Read, Reader, equal, explained, run, scrap};
use crate::run_support::open;

/// Decisions before a match of the corpus is left.
const DECISIONS: u32 = 7;

/// Returns a line of a match that a person has left, for every game; with clocks or without.
fn left_matches() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for (entry, time) in GAMES.iter().flat_map(|entry| ["none", "5m+2s"].map(|time| (entry, time))) {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        let mut seats = vec![Occupant::Person("you".to_owned())];
        seats.resize(usize::from(game.seats()), Occupant::Agent("random".to_owned()));
        let time: TimeControl = time.parse().expect("it is a time control");
        let setup = SessionSetup { seed: 3, position: None, seats, time, ponder: false, autosave: None };
        let mut session = Session::new(&*game, &setup).expect("everybody sits down");
        for _ in 0..DECISIONS {
            match session.turn().expect("the table is laid") {
                Turn::Over(_) => break,
                Turn::Person(seat) => {
                    let legal = session.table().actions();
                    // The last one, because the first click of minesweeper may end a match of a few cells.
                    session.act(seat, legal.last().expect("there is a choice")).expect("it is legal");
                }
                Turn::Agent(_) => {
                    let mut thinking = session.begin_decision().expect("it is the agent's turn");
                    thinking.decide(&Cancel::new(), &mut |_| ());
                    session.commit(thinking).expect("it plays by the rules");
                }
            }
            let saved = session.saved();
            if saved.ending == SavedEnding::Unfinished {
                corpus.push(saved.line().into_bytes());
            }
        }
    }
    corpus
}

#[test]
fn resumed_match() {
    let corpus = left_matches();
    for entry in GAMES {
        let of_game = |line: &Vec<u8>| String::from_utf8_lossy(line).contains(&format!("\"{}(", entry.name));
        assert!(corpus.iter().any(of_game), "no match of {} was left in the middle", entry.name);
    }
    let mut check = |input: &[u8]| -> Read {
        let Some(saved) = explained(SavedGame::parse(&String::from_utf8_lossy(input)))? else {
            return Ok(false);
        };
        let Some(game) = explained(parlor_catalog::open(&saved.game))? else { return Ok(false) };
        // What a stranger's file names (files, programs, all memory) is not opened, started or taken.
        let is_outside = |agent: &String| game.survey(agent).is_ok_and(|survey| !survey.outside.is_empty());
        if saved.seats.iter().any(|agent| asks_for_much(agent) || is_outside(agent)) {
            return Ok(false);
        }
        let Some(mut session) = explained(Session::resume(&*game, &saved, None))? else { return Ok(false) };
        let now = session.saved();
        let line = now.line();
        let read = SavedGame::parse(&line).map_err(|error| format!("its own line is refused: {error}"))?;
        equal(&read, &now, "the saved match")?;
        if now.ending == SavedEnding::Unfinished {
            let again = Session::resume(&*game, &now, None)
                .map_err(|error| format!("what was resumed cannot be resumed again: {error}"))?;
            equal(&again.saved(), &now, "the match that was resumed again")?;
        }
        if let Turn::Person(seat) = session.turn().map_err(|error| error.to_string())? {
            let legal = session.table().actions();
            let first = legal.first().ok_or("a person is to move and has no action")?;
            session.act(seat, first).map_err(|error| format!("a legal action is refused: {error}"))?;
        }
        Ok(true)
    };
    run(Reader { name: "resumed_match", corpus, words: Vec::new(), repair: None }, &mut check);
}

const STUDY: &str = r#"game = "dominoes(rules=myers)"
id = "F"
title = "A small study"
question = "Can it be read?"
seed = 5
[[target]]
agent = "random"
[[target]]
agent = "scoring"
[[player]]
agent = "expert"
[[player]]
agent = "random-tile"
[matches]
baseline = "random-tile"
blocks = 2
pairs = 3
sessions = true
[[hypothesis]]
id = "F1"
says = "The expert scores more."
test = "above"
player = "expert"
target = "random"
measure = "match score"
value = 0.5
"#;

/// Returns the manifest and the rows of a small study.
fn study() -> (String, String) {
    let place = scrap("study");
    let folder = place.path().join("run");
    let run = ExperimentRun::new(STUDY, Changes::default(), &folder, &open).expect("the study is understood");
    run.run(1, &Cancel::new(), &mut |_| ()).expect("it can be played");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("a run writes its files");
    (read("run.json"), read("rows.csv"))
}

#[test]
fn study_rows() {
    let folder = scrap("study-rows");
    let corpus = vec![study().1.into_bytes()];
    let mut check = |input: &[u8]| -> Read {
        fs::write(folder.path().join("rows.csv"), input).map_err(|error| error.to_string())?;
        Ok(explained(ExperimentFolder::study_rows(folder.path()))?.is_some())
    };
    run(Reader { name: "study_rows", corpus, words: Vec::new(), repair: None }, &mut check);
}

/// The report of a study from a changed folder: the manifest, then the rows.
#[test]
fn study_folder() {
    let folder = scrap("study-folder");
    let (manifest, rows) = study();
    let corpus = vec![[manifest.as_bytes(), BETWEEN, rows.as_bytes()].concat()];
    let mut check = |input: &[u8]| -> Read {
        let (manifest, rows) = parts(input);
        for (file, bytes) in [("run.json", manifest), ("rows.csv", rows)] {
            fs::write(folder.path().join(file), bytes).map_err(|error| error.to_string())?;
        }
        let Some(report) = explained(Report::read(folder.path()))? else { return Ok(false) };
        Ok(report.json().is_object())
    };
    run(Reader { name: "study_folder", corpus, words: Vec::new(), repair: None }, &mut check);
}
