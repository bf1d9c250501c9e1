//! Experiments whose measure is the training itself, agents that do not learn beside learners, exact values and fitted curves.

use parlor_core::{Cancel, Seat};
use parlor_lab::experiment::run::{Opened, UnitRows};
use parlor_lab::experiment::{Evidence, Experiment, Findings, Measure, TestRow};

const ONLINE: &str = r#"
id = "T2"
title = "While it learns"
question = "Does it win while it learns?"
seed = 6
trainings = 2
game = "tictactoe"

[default]
learner = "collective"
against = "random"
rounds = 6
matches = 30
test = { against = "training", after = "every" }

[[arm]]
name = "first"
seat = "first"

[[arm]]
name = "second"
seat = "second"

[[arm]]
name = "both"

[[arm]]
name = "random"
learner = "random"
seat = "first"

[[arm]]
name = "some rounds"
seat = "first"
test = { against = "training", after = [2, 6] }

[quick]
trainings = 1
rounds = 3
matches = 10
test_matches = 5

[[reference]]
says = "random play, exact"
arms = ["first", "random"]
measure = "win_percent"
value = 49.2063
place = "counted"
"#;

fn open(text: &str) -> Result<Opened, String> {
    let experiment = Experiment::read(text).map_err(|error| error.to_string())?;
    Opened::new(experiment, crate::open).map_err(|error| error.to_string())
}

fn rows(opened: &Opened, arm: u64) -> Vec<TestRow> {
    match opened.play(arm, &Cancel::new(), &mut |_| ()).unwrap().unwrap() {
        UnitRows::Tests(rows) => rows,
        UnitRows::Study(_) => panic!("it is no study"),
    }
}

#[test]
fn the_matches_of_training_are_the_test() {
    let opened = open(ONLINE).unwrap();
    let experiment = opened.experiment();
    assert_eq!(experiment.matches(), [2 * 5 * 180, 0], "nothing is played beside the training");
    assert_eq!(experiment.arms[1].seat, Some(Seat::SECOND));
    assert_eq!(opened.specs()[0].tested, "training");
    let [first, second, both, random, some] = [0, 1, 2, 3, 4].map(|arm| rows(&opened, arm));
    for rows in [&first, &second, &both, &random] {
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(|row| row.matches == 30 && row.results.total() == 30));
    }
    let won = |rows: &[TestRow]| rows.iter().map(|row| row.results.wins).sum::<u64>();
    // X has a cell more: random play wins half of its matches as X and a tenth as O.
    assert!(won(&first) > won(&second) + 20, "{} and {}", won(&first), won(&second));
    assert!(first.iter().all(|row| row.entries > 0), "it learns");
    assert!(random.iter().all(|row| row.entries == 0), "random play does not");
    // The same training, of which other rounds are kept.
    let kept: Vec<_> = some.iter().map(|row| (row.round, row.results)).collect();
    assert_eq!(kept, [(2, first[1].results), (6, first[5].results)]);
    let quick = experiment.quick();
    assert_eq!((quick.arms[0].matches, quick.arms[0].test.matches), (10, 10));
}

#[test]
fn what_does_not_fit_is_refused() {
    let says = |from: &str, to: &str| {
        assert!(ONLINE.contains(from), "{from}");
        open(&ONLINE.replacen(from, to, 1)).err().unwrap()
    };
    let tested = says(
        "test = { against = \"training\", after = \"every\" }",
        "test = { against = \"empty\", after = \"every\", repeats = 1, matches = 5 }",
    );
    assert!(tested.contains("`random` does not learn, so it cannot be trained"), "{tested}");
    let repeats = says("after = \"every\" }", "after = \"every\", repeats = 2 }");
    assert!(
        repeats.contains("the matches of the training are the test, so `repeats` has no meaning here"),
        "{repeats}"
    );
    let seat = says("seat = \"second\"", "seat = \"third\"");
    assert!(seat.contains("\"first\", \"second\" or \"both\""), "{seat}");
    let taught =
        says("[[arm]]\nname = \"some rounds\"", "[[arm]]\nname = \"t\"\nagainst = \"trained: random\"");
    assert!(taught.contains("`random` does not learn"), "{taught}");
    let arm = says("arms = [\"first\", \"random\"]", "arms = [\"frist\"]");
    assert!(arm.contains("there is no arm `frist` (did you mean `first`?)"), "{arm}");
}

/// Rows of a single arm with these percentages of 1,000 matches, the same in both trainings.
fn findings(percent: &[f64], claims: &str) -> Findings {
    let text = format!(
        "id = \"T\"\ntitle = \"t\"\nquestion = \"q\"\ngame = \"g\"\nseed = 1\ntrainings = 2\n\
         [[arm]]\nname = \"a\"\nlearner = \"l\"\nagainst = \"self\"\nrounds = {}\nmatches = 1000\n\
         test = {{ against = \"training\", after = \"every\" }}\n{claims}",
        percent.len()
    );
    let experiment = Experiment::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let row = |training: u32, round: u32, percent: f64| {
        let wins = (10.0 * percent).round() as u64;
        let results = [wins, 0, 1000 - wins].into();
        TestRow { training, round, matches: 1000, results, ..TestRow::default() }
    };
    let rows: Vec<TestRow> = [0, 1]
        .into_iter()
        .flat_map(|training| (1..).zip(percent).map(move |(round, &percent)| row(training, round, percent)))
        .collect();
    Findings::of(&Evidence::new(&experiment, &rows).unwrap())
}

#[test]
fn fits_and_exact_values_stand_beside_ours() {
    let curve = [
        12.0, 22.0, 27.0, 35.0, 38.0, 44.0, 45.0, 50.0, 52.0, 51.0, 56.0, 55.0, 58.0, 57.0, 60.0, 59.0, 61.0,
        60.0, 62.0, 61.0,
    ];
    let claims = "[[fact]]\nsays = 'asymptote'\nvalue = 62.8\narm = 'a'\nmeasure = 'win_percent'\n\
                  statistic = 'fit_asymptote'\nafter = 'all'\n\
                  [[reference]]\nsays = 'perfect play'\narms = ['a']\nmeasure = 'win_percent'\nvalue = 70\n";
    let found = findings(&curve, claims);
    // The numbers are those of scipy for these points.
    let fit = &found.fits[0];
    assert_eq!((fit.measure, &*fit.name), (Measure::WinPercent, "a"));
    let close = |is: f64, should: f64| assert!((is - should).abs() < 1e-3 * should, "{is} is not {should}");
    close(fit.a.value, 60.438_46);
    close(fit.c.value, 0.184_567);
    close(fit.asymptote.high - fit.asymptote.value, 2.109_816 * 0.709_117);
    close(fit.at(1), 60.438_46 * (1.038_854_5 - libm::exp(-0.184_567)));
    close(found.facts[0].ours.as_ref().unwrap().mean, 62.786_77);
    let exact = &found.references[0];
    // The last two of twenty rounds: 62 and 61.
    assert_eq!((exact.over.from, exact.over.to), (19, 20));
    assert_eq!(exact.ours.as_ref().unwrap().mean, 61.5);
    assert_eq!(exact.distance.as_ref().unwrap().mean, 8.5);
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!((&json["references"][0]["value"], &json["fits"][0]["name"]), (&70.0.into(), &"a".into()));
}

#[test]
fn a_straight_curve_has_no_fit() {
    let claims = "[[fact]]\nsays = 'rate'\nvalue = 0.1\narm = 'a'\nmeasure = 'wins'\nstatistic = 'fit_c'\nafter = 'all'\n";
    let found = findings(&[10.0, 20.0, 30.0, 40.0, 50.0, 60.0], claims);
    assert!(found.fits.is_empty() && found.facts[0].ours.is_none());
    let json = serde_json::to_value(&found).unwrap();
    assert!(json.get("references").is_none() && json.get("fits").is_none(), "nothing new in other runs");
}
