//! Samples of games between styles, and classifiers of their turns.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use parlor_catalog::{GAMES, OpenedGame};
use parlor_core::Cancel;
use parlor_core::files::model::ModelFile;
use parlor_lab::classify::{
    Classes, ClassifyError, Dataset, FitPlan, ForestParams, Kind, LabelledRows, Model, cross_validate, fit,
    hold_out, model_file, open_model,
};
use parlor_lab::samples::{SamplePlan, Samples};

const MYERS: &str = "dominoes(rules=myers)";

fn sample(game: &dyn OpenedGame, rows: usize, threads: usize) -> Samples {
    let plan = SamplePlan { game: game.features().unwrap(), rows, seed: 1, threads, keep_games: true };
    plan.run(&Cancel::new(), |_| {}).unwrap()
}

fn plan(kind: Kind, threads: usize) -> FitPlan {
    FitPlan { kind, forest: ForestParams { trees: 20, ..ForestParams::default() }, seed: 1, threads }
}

fn fitted(data: &Dataset, plan: &FitPlan) -> Model {
    fit(data, plan, &Cancel::new(), &mut || {}).unwrap().unwrap()
}

/// Every game with features: its pairings in turn, the styles' names in the saved lines, the row's own style as its label.
#[test]
fn rows_are_labelled_by_the_style_of_their_player() {
    let games: Vec<&str> = GAMES
        .iter()
        .filter(|entry| entry.has(parlor_catalog::Ability::Features))
        .map(|entry| entry.name)
        .collect();
    assert!(games.len() >= 2, "{games:?}");
    for name in games {
        let game = parlor_catalog::open(name).unwrap();
        let features = game.features().unwrap();
        let samples = sample(&*game, 2000, 2);
        assert_eq!(samples.sheet.rows(), 2000);
        let [number, turn, player, label] =
            ["game", "turn", "player", "target"].map(|column| samples.sheet.wholes(column).unwrap());
        let mut turns = BTreeMap::new();
        for row in 0..2000 {
            let [number, player] = [number[row].unwrap() as usize, player[row].unwrap() as usize];
            let pairing = features.pairings()[(number - 1) % features.pairings().len()];
            assert_eq!(label[row], Some(pairing[player] as u64));
            let seat = &samples.games[number - 1].seats[player];
            let style = features.styles()[pairing[player]];
            assert!(seat == style || seat.starts_with(&format!("{style}(")), "{seat} is not {style}");
            let due = turns.entry((number, player)).or_insert(0);
            *due += 1;
            assert_eq!(turn[row], Some(*due), "turns of a player are counted from 1");
        }
        assert_eq!(number[1999].unwrap() as usize, samples.games.len());
        // A style is a model of an opponent as well.
        let rows = LabelledRows::of(&samples, features).unwrap();
        assert_eq!(rows.data.class_rows().iter().sum::<u64>(), 2000);
        assert!(rows.data.class_rows().iter().all(|&rows| rows > 300), "{:?}", rows.data.class_rows());
    }
}

#[test]
fn table_9_is_followed() {
    let game = parlor_catalog::open(MYERS).unwrap();
    let pairings = game.features().unwrap().pairings();
    let names: Vec<String> = pairings
        .iter()
        .map(|pairing| pairing.map(|style| game.features().unwrap().styles()[style]).join("-"))
        .collect();
    let table = "random-random defense-random scoring-random random-defense defense-defense scoring-defense random-scoring \
        defense-scoring scoring-scoring";
    assert_eq!(names.join(" "), table);
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let game = parlor_catalog::open(MYERS).unwrap();
    let mut written = Vec::new();
    for threads in [1, 2, 8] {
        let samples = sample(&*game, 700, threads);
        for (name, write) in [("a.csv", true), ("a.parquet", true), ("a.jsonl", false)] {
            let path = file(name);
            if write {
                samples.write(&path).unwrap();
            } else {
                samples.write_games(&path).unwrap();
            }
            written.push(fs::read(path).unwrap());
        }
        let rows = LabelledRows::of(&samples, game.features().unwrap()).unwrap();
        for kind in Kind::ALL {
            written.push(fitted(&rows.data, &plan(kind, threads)).encode());
        }
    }
    let (one, others) = written.split_at(5);
    for other in others.chunks_exact(5) {
        assert!(one == other, "bytes differ");
    }
    let text = String::from_utf8(one[0].clone()).unwrap();
    assert_eq!(
        text.lines().next().unwrap(),
        "game,turn,player,points_per_turn,defensive_score,draws_caused_per_turn,scoring_plays_per_turn,board_count,target"
    );
    assert_eq!(text.lines().count(), 701);
    // A larger sample begins with the smaller one.
    let more = sample(&*game, 900, 2);
    more.write(&file("b.csv")).unwrap();
    assert!(fs::read_to_string(file("b.csv")).unwrap().starts_with(&text));
    // What is read back is what was in memory.
    let classes: Vec<String> = ["random", "scoring", "defense"].map(str::to_owned).to_vec();
    let read = LabelledRows::read(&file("b.csv"), Classes::Known(&classes)).unwrap();
    assert_eq!(read, LabelledRows::of(&more, game.features().unwrap()).unwrap());
    assert!(
        more.write(&file("b.txt")).unwrap_err().to_string().ends_with("ends neither in .csv nor in .parquet")
    );
    more.write(&file("missing/b.csv")).unwrap_err();
}

#[test]
fn a_raised_flag_keeps_whole_games() {
    let game = parlor_catalog::open("tictactoe").unwrap();
    let stop = Cancel::new();
    let plan =
        SamplePlan { game: game.features().unwrap(), rows: 1_000_000, seed: 1, threads: 2, keep_games: true };
    let samples = plan
        .run(&stop, |rows| {
            if rows > 100 {
                stop.cancel();
            }
        })
        .unwrap();
    assert!(samples.sheet.rows() > 100 && samples.sheet.rows() < 1_000_000);
    assert_eq!(samples.sheet.rows(), 9 * samples.games.len(), "nine turns fill the board");
    // A fit is whole or is not.
    let rows = LabelledRows::of(&samples, game.features().unwrap()).unwrap();
    for kind in Kind::ALL {
        assert_eq!(fit(&rows.data, &self::plan(kind, 2), &stop, &mut || {}).unwrap(), None);
        assert_eq!(cross_validate(&rows.data, 3, &self::plan(kind, 2), &stop, &mut || {}).unwrap(), None);
    }
}

/// Three styles of tic-tac-toe are recognised much better than by chance.
#[test]
fn styles_are_recognised() {
    let game = parlor_catalog::open("tictactoe(rows=5, columns=5)").unwrap();
    let samples = sample(&*game, 6000, 2);
    let rows = LabelledRows::of(&samples, game.features().unwrap()).unwrap();
    for kind in Kind::ALL {
        let held = hold_out(&rows.data, 0.2, &plan(kind, 2), &Cancel::new(), &mut || {}).unwrap().unwrap();
        assert_eq!(held.scores.confusion.total() + held.fitted.rows() as u64, 6000);
        assert!(held.scores.confusion.accuracy().unwrap() > 0.6, "{kind}: {:?}", held.scores.confusion);
        let crossed =
            cross_validate(&rows.data, 5, &plan(kind, 2), &Cancel::new(), &mut || {}).unwrap().unwrap();
        assert_eq!((crossed.accuracies.len(), crossed.scores.predictions.len()), (5, 6000));
        let mean = crossed.accuracies.iter().sum::<f64>() / 5.0;
        assert!((mean - crossed.scores.confusion.accuracy().unwrap()).abs() < 1e-3);
    }
}

fn write(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("rows.csv");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn files_of_others_are_read_and_bad_ones_get_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let read = |text: &str| LabelledRows::read(&write(folder.path(), text), Classes::FromLabels);
    // No line end at the end, names for classes, in any order.
    let rows = read("target,height\nworm,1\nbird,2.5\nworm,1e3").unwrap();
    assert_eq!(
        (rows.features.join(","), rows.classes.join(","), rows.data.rows()),
        ("height".into(), "bird,worm".into(), 3)
    );
    assert_eq!(rows.data.labels(), [1, 0, 1]);
    assert_eq!(
        read("a,target\n1,10\n2,9\n3,10\n").unwrap().classes,
        ["9", "10"],
        "numbers are sorted by size"
    );

    let sentence = |text: &str| {
        let error = read(text).unwrap_err();
        let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}").replace(&*folder.path().join("rows.csv").to_string_lossy(), "FILE")
    };
    assert_eq!(sentence(""), "cannot use FILE: a sheet needs at least one column");
    assert_eq!(sentence("a,b\n1,2\n"), "FILE has no column `target`; its columns are a, b");
    assert_eq!(sentence("a,target\n"), "0 classes; a classifier tells 2 to 64 apart");
    assert_eq!(sentence("target\n1\n2\n"), "0 features; a classifier takes 1 to 64");
    assert_eq!(sentence("a,target\n1,0\n"), "1 classes; a classifier tells 2 to 64 apart");
    assert_eq!(sentence("a,target\n1,0\nNaN,1\n"), "line 3: `a` is not a finite number");
    assert_eq!(sentence("a,target\n1,0\n-inf,1\n"), "line 3: `a` is not a finite number");
    assert_eq!(
        sentence("a,target\n1,0\n2,\"x\n"),
        "cannot use FILE: line 3: the row does not end; a quote may not be closed"
    );
    assert_eq!(sentence("a,target\n1,0\nx,1\n"), "cannot use FILE: line 3: `a` takes a number, not `x`");
    assert_eq!(
        sentence("a,target\n1,0\n1\n"),
        "cannot use FILE: line 3: the row has 1 cells, but there are 2 columns"
    );
    assert_eq!(sentence("a,target\n1,0\n,1\n"), "cannot use FILE: line 3: `a` takes a number, not nothing");
    assert_eq!(sentence("a,a,target\n1,1,0\n"), "cannot use FILE: two columns are named `a`");
    assert!(LabelledRows::read(&folder.path().join("none.csv"), Classes::FromLabels).is_err());

    let styles = ["random", "scoring"].map(str::to_owned);
    let known = |text: &str| LabelledRows::read(&write(folder.path(), text), Classes::Known(&styles));
    assert_eq!(known("a,target\n1,1\n2,random\n").unwrap().data.labels(), [1, 0]);
    let error = known("a,target\n1,2\n").unwrap_err().to_string();
    assert_eq!(error, "line 2: `target` is `2`; classes are random, scoring");
    let one = known("a,target\n1,0\n2,0\n3,0\n").unwrap();
    let error = one.explain(fit(&one.data, &plan(Kind::Mda, 1), &Cancel::new(), &mut || {}).unwrap_err());
    assert_eq!(error.to_string(), "the class `scoring` has too few rows (0) to learn it and to test it");
    let few = known("a,target\n1,0\n2,0\n3,1\n").unwrap();
    let error = cross_validate(&few.data, 2, &plan(Kind::Forest, 1), &Cancel::new(), &mut || {}).unwrap_err();
    assert!(matches!(few.explain(error), ClassifyError::SmallClass { rows: 1, .. }));
}

#[test]
fn models_come_back_and_foreign_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.model");
    let rows = LabelledRows::read(
        &write(folder.path(), "a,b,target\n1,2,x\n2,1,x\n5,5,y\n6,4,y\n7,3,x\n"),
        Classes::FromLabels,
    )
    .unwrap();
    for kind in Kind::ALL {
        let plan = plan(kind, 1);
        let model = fitted(&rows.data, &plan);
        let file = model_file(&model, &rows, &plan, Some(MYERS.to_owned()));
        file.write(&path).unwrap();
        let (about, read) = open_model(&path).unwrap();
        assert_eq!((&about, &read), (&file.about, &model));
        assert_eq!((about.rows, about.game.as_deref()), (vec![3, 2], Some(MYERS)));

        // Features in another order are other features.
        let text = "b,a,target\n1,2,x\n";
        let error = LabelledRows::read_for(&write(folder.path(), text), &file.about).unwrap_err().to_string();
        assert_eq!(error, "the model is for the features a, b, not for b, a");

        let bytes = file.to_bytes();
        for damaged in [&bytes[..bytes.len() - 1], &bytes[..20], b"", b"nonsense"] {
            fs::write(&path, damaged).unwrap();
            assert!(matches!(open_model(&path), Err(ClassifyError::Model { .. })));
        }
        // The checksum matches, but the model is of another kind, or for more features.
        for change in [0, 1] {
            let mut other = file.clone();
            match change {
                0 => {
                    other.about.kind =
                        Kind::ALL.into_iter().find(|other| *other != kind).unwrap().name().to_owned();
                }
                _ => other.about.features.push("c".to_owned()),
            }
            other.write(&path).unwrap();
            let error = open_model(&path).unwrap_err();
            let cause = std::error::Error::source(&error).unwrap().to_string();
            assert!(cause.starts_with("the content of the model file is not understood"), "{cause}");
        }
    }
}

/// What `cargo xtask shipped classifiers` makes is what is shipped, on any machine and with any number of threads.
#[test]
fn shipped_classifiers_are_made_again() {
    let game = parlor_catalog::open(MYERS).unwrap();
    let features = game.features().unwrap();
    let samples = SamplePlan { game: features, rows: 129_724, seed: 1, threads: 2, keep_games: false };
    let samples = samples.run(&Cancel::new(), |_| {}).unwrap();
    let rows = LabelledRows::of(&samples, features).unwrap();
    let shipped = game.classifiers();
    assert_eq!(shipped.iter().map(|model| model.name).collect::<Vec<_>>(), ["mda", "forest"]);
    for model in shipped {
        let forest = ForestParams { trees: 50, min_leaf: 50, ..ForestParams::default() };
        let plan = FitPlan { kind: model.name.parse().unwrap(), forest, seed: 1, threads: 2 };
        let again = model_file(&fitted(&rows.data, &plan), &rows, &plan, Some(game.spec()));
        let mut there = ModelFile::parse(model.bytes).unwrap();
        there.about.parlor.clone_from(&again.about.parlor);
        assert!(there == again, "cargo xtask shipped classifiers makes {} anew", model.name);
    }
    assert!(shipped.iter().map(|model| model.bytes.len()).sum::<usize>() < 300_000);
}
