//! Experiments in TOML: what is read, and what is said of a wrong file.

use parlor_lab::experiment::claims::Verdict;
use parlor_lab::experiment::measure::{MEASURES, STATISTICS};
use parlor_lab::experiment::{Claim, Experiment, Measure, Opponent, Quantity, Said, Statistic, Window};

const WHOLE: &str = r#"id = "T1"
title = "Two learners"
question = """Is the first
  better?"""
game = "tictactoe"
seed = 7
trainings = 8
notes = ["A note."]

[default]
against = "self"
rounds = 20
matches = 10
[default.test]
against = "empty"
after = "every"
repeats = 3
matches = 100

[[arm]]
name = "first"
learner = "collective"

[[arm]]
name = "second"
learner = "collective(win=2)"
against = "learner: collective(win=3)"
[arm.test]
against = "rival"
after = [1, 5, 20]

[[arm]]
name = "third"
game = "tictactoe"
learner = "collective(win=4)"
against = "trained: first"
rounds = 40
[arm.test]
against = "random"
after = "every 10"

[quick]
trainings = 2
rounds = 5
after = [4, 5]
repeats = 1
test_matches = 20

[[hypothesis]]
id = "T1.1"
says = "The first wins."
test = "majority"
arm = "first"
after = "last"
found = "does not hold"

[[hypothesis]]
id = "T1.2"
says = "The first passes sooner."
test = "faster"
arm = "first"
than = "second"
measure = "benefit"
levels = [0, 5.5]
after = [1, 10]

[[hypothesis]]
id = "T1.3"
says = "The first fades."
test = "better"
arm = "first"
measure = "win_percent"
after = 5
than_after = "last"

[[published]]
place = "Table 1"
arm = "first"
measure = "wins"
points = [[1, 53], [2, 56.5]]
spread = [4, 5]

[[fact]]
says = "the peak"
measure = "benefit"
statistic = "peak"
arm = "third"
after = "all"
value = -9.5

[[fact]]
says = "the order"
value = "a > b"
"#;

#[test]
fn reads_every_part() {
    let whole = Experiment::read(WHOLE).unwrap();
    assert_eq!((whole.id.as_str(), whole.seed, whole.trainings), ("T1", 7, 8));
    assert_eq!(whole.question, "Is the first better?");
    let [first, second, third] = &whole.arms[..] else { panic!("three arms") };
    assert_eq!((&first.against, &first.test.against), (&Opponent::Itself, &Opponent::Empty));
    assert_eq!(
        (first.game.text.as_str(), first.game.at.to_string().as_str()),
        ("tictactoe", "line 5, column 8")
    );
    assert_eq!(first.test.after, (1..=20).collect::<Vec<_>>());
    let Some(rival) = &second.rival else { panic!("a rival") };
    assert_eq!(second.against, Opponent::Rival);
    assert_eq!((rival.text.as_str(), rival.at.line), ("collective(win=3)", 27));
    assert_eq!((&second.test.against, &second.test.after[..]), (&Opponent::Rival, &[1, 5, 20][..]));
    assert_eq!(
        (second.test.repeats, second.test.matches),
        (3, 100),
        "what a test does not say is the default's"
    );
    assert_eq!((&third.against, third.rounds), (&Opponent::Trained { arm: 0 }, 40));
    assert_eq!(third.test.after, [10, 20, 30, 40]);

    let quantity = Quantity {
        measure: Measure::WinPercent,
        statistic: Statistic::Mean,
        arm: 0,
        window: Window::at(20),
        minus: None,
    };
    assert_eq!(whole.hypotheses[0].claim, Claim::Above(quantity.clone(), 50.0));
    assert_eq!(whole.hypotheses[0].found, Some(Verdict::DoesNotHold));
    let window = Window { from: 1, to: 10 };
    let Claim::Below(faster, 0.0) = &whole.hypotheses[1].claim else { panic!("below 0") };
    assert_eq!(faster.statistic, Statistic::RoundsTo(vec![0.0, 5.5]));
    assert_eq!((faster.window, faster.minus), (window, Some((1, window))));
    let fades = Quantity { window: Window::at(5), minus: Some((0, Window::at(20))), ..quantity };
    assert_eq!(whole.hypotheses[2].claim, Claim::Above(fades, 0.0));
    assert_eq!(whole.published[0].points, [(1, 53.0), (2, 56.5)]);
    assert_eq!(whole.facts[0].said, Said::Number(-9.5));
    assert_eq!(whole.facts[0].ours.as_ref().unwrap().window, Window { from: 1, to: 40 });
    assert_eq!((&whole.facts[1].said, &whole.facts[1].ours), (&Said::Text("a > b".to_owned()), &None));
    assert_eq!(whole.rows(), 8 * 3 * (20 + 3 + 4));
    assert_eq!(whole.matches(), [8 * (200 + 200 + 400), 8 * 300 * 27]);
}

#[test]
fn the_smaller_version_asks_the_same_with_less() {
    let quick = Experiment::read(WHOLE).unwrap().quick();
    assert_eq!((quick.trainings, quick.arms[0].rounds, quick.arms[0].matches), (2, 5, 10));
    assert_eq!(quick.arms[0].test.after, [4, 5]);
    assert_eq!(quick.arms[1].test.after, [5]);
    assert_eq!(quick.arms[2].test.after, [5], "the last round, where none is left");
    assert_eq!((quick.arms[0].test.repeats, quick.arms[0].test.matches), (1, 20));
    assert!(quick.published.is_empty(), "wins of 100 matches are no wins of 20");
    assert_eq!((quick.facts.len(), &quick.facts[0].ours), (2, &None), "40 rounds are not reached");
    assert_eq!(quick.hypotheses.len(), 3);
}

/// Returns what is said when the first `from` of the file is replaced.
fn says(from: &str, to: &str) -> String {
    assert!(WHOLE.contains(from), "{from}");
    Experiment::read(&WHOLE.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn says_where_and_what_would_be_right() {
    for (from, to, wanted) in [
        ("seed", "sed", "line 6, column 1: there is no key `sed` (did you mean `seed`?); keys: id,"),
        (
            "learner =",
            "lerner =",
            "line 22, column 1: there is no key `lerner` (did you mean `learner`?); [[arm]]: name,",
        ),
        (
            "repeats = 3",
            "repeat = 3",
            "line 17, column 1: there is no key `repeat` (did you mean `repeats`?)",
        ),
        (
            "[quick]\ntrainings",
            "[quick]\ntraining",
            "line 43, column 1: there is no key `training` (did you mean `trainings`?); [quick]",
        ),
        (
            "trainings = 8",
            "trainings = 0",
            "line 7, column 13: this does not fit; write trainings = 12, a whole number",
        ),
        (
            "learner = \"collective\"\n",
            "",
            "line 20, column 1: `learner` is missing in [[arm]]; write learner = \"",
        ),
        ("title = \"Two learners\"\n", "", "`title` is missing; write title = "),
        ("name = \"second\"", "name = \"first\"", "line 25, column 8: there are two arms named `first`"),
        ("name = \"second\"", "name = \"a/b\"", "line 25, column 8: a name begins with"),
        (
            "trained: first",
            "trained: frist",
            "line 36, column 11: there is no arm `frist` above this one (did you mean `first`?); arms above: first, second",
        ),
        ("trained: first", "trained: third", "line 36, column 11: there is no arm `third` above this one"),
        (
            "game = \"tictactoe\"\nlearner",
            "game = \"connect\"\nlearner",
            "line 36, column 11: `first` plays tictactoe, but this arm plays connect",
        ),
        ("learner: collective(win=3)", "self", "line 29, column 11: there is no rival"),
        ("[1, 5, 20]", "[1, 5, 21]", "line 30, column 16: round 21 is beyond the last one, 20"),
        ("[1, 5, 20]", "[1, 5, 5]", "line 30, column 16: rounds must rise"),
        ("every 10", "every 50", "line 40, column 9: this does not fit; write after = "),
        (
            "\"majority\"",
            "\"majorty\"",
            "line 52, column 8: there is no test `majorty` (did you mean `majority`?); tests: majority,",
        ),
        (
            "after = \"last\"",
            "after = \"last\"\nmargin = 2",
            "line 55, column 10: `majority` does not take `margin`; it takes arm, after",
        ),
        (
            "after = \"last\"",
            "after = 21",
            "line 54, column 9: round 21 is beyond the last one of `first`, 20",
        ),
        (
            "arm = \"first\"\nthan",
            "arm = \"frst\"\nthan",
            "line 61, column 7: there is no arm `frst` (did you mean `first`?); arms: first, second, third",
        ),
        ("than = \"second\"\n", "", "`than` is missing in [[hypothesis]]; write than = "),
        ("than = \"second\"", "than = \"first\"", "line 62, column 8: this compares an arm with itself"),
        (
            "\"benefit\"",
            "\"benfit\"",
            "line 63, column 11: there is no measure `benfit` (did you mean `benefit`?)",
        ),
        ("\"T1.2\"", "\"T1.1\"", "there are two hypotheses `T1.1`"),
        ("\"does not hold\"", "\"no\"", "line 55, column 9: this does not fit; write found = "),
        ("after = [1, 10]", "after = [2, 4]", "line 65, column 9: `second` is not tested over rounds 2 to 4"),
        ("[4, 5]\n\n[[fact]]", "[4]\n\n[[fact]]", "line 81, column 10: there are 2 points, but 1 spreads"),
        ("[2, 56.5]", "[21, 5]", "line 80, column 21: this does not fit; write points = "),
        ("\"peak\"", "\"top\"", "there is no statistic `top`; statistics: mean,"),
        ("value = -9.5", "value = nan", "this does not fit; write value = "),
        ("[[arm]]", "[[ram]]", "line 20, column 3: there is no key `ram`"),
        ("[quick]", "[[quick]]", "this must be a table; write [quick]"),
        ("seed = 7", "seed = ", "line 6, column 8: this is not TOML"),
    ] {
        let said = says(from, to);
        assert!(said.contains(wanted), "{from} → {to}\n{said}\n{wanted}");
    }
}

#[test]
fn never_panics_on_mutations() {
    for at in 0..WHOLE.len() {
        for c in ['"', '\n', '[', '=', 'é', '\0', '9', '-'] {
            let mut chars: Vec<char> = WHOLE.chars().collect();
            chars[at] = c;
            if let Ok(experiment) = Experiment::read(&chars.into_iter().collect::<String>()) {
                let quick = experiment.quick();
                assert!(quick.rows() <= experiment.rows());
            }
        }
        let _ = Experiment::read(&WHOLE[..at]);
    }
}

/// The guide's example is read, its complaint is what is said, and no name is left unexplained.
#[test]
fn the_guide_is_right() {
    let file = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/experiments.md");
    let page = std::fs::read_to_string(file).unwrap();
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let mine = Experiment::read(example).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((mine.rows(), mine.quick().rows()), (500, 30));
    let wrong = Experiment::read(&example.replacen("arm = \"gentle\"", "arm = \"gentel\"", 1)).unwrap_err();
    assert!(page.contains(&format!("error: mine.toml: {wrong}\n")), "{wrong}");

    let untested = says("\"majority\"", "\"?\"");
    let tests = untested.split("tests: ").nth(1).unwrap().split(", ");
    let unknown = says("seed", "sed");
    let keys = unknown.split("keys: ").nth(1).unwrap().split(", ");
    let measures = MEASURES.iter().map(|(name, _)| *name);
    for word in tests.chain(keys).chain(measures).chain(STATISTICS.iter().copied()) {
        let explained = [format!("`{word}`"), format!("`[{word}]`"), format!("`[[{word}]]`")];
        assert!(explained.iter().any(|form| page.contains(form)), "the guide does not explain `{word}`");
    }
}
