//! Reports of runs that nobody played: all sections, nothing from outside, equal bytes.

use parlor_core::rng::GENERATOR;
use parlor_lab::experiment::folder::{ExperimentManifest, VERSION};
use parlor_lab::experiment::report::summary::{Summary, line};
use parlor_lab::experiment::run::ArmSpecs;
use parlor_lab::experiment::{Experiment, Report, TestRow, Verdict};

const FILE: &str = r#"
id = "T1"
title = "Gentle <b>or</b> harsh"
source = "A & B, Table 1"
question = "Is gentle better?"
game = "g"
seed = 7
trainings = 6
notes = ["a note of <i>ours</i>"]
[default]
learner = "l"
against = "self"
rounds = 20
matches = 100
[default.test]
against = "empty"
after = "every"
repeats = 2
matches = 100
[[arm]]
name = "gentle"
[[arm]]
name = "harsh"
[[hypothesis]]
id = "majority"
says = "Gentle wins <most>."
test = "majority"
arm = "gentle"
after = "last"
found = "holds"
explain = "never shown, as both agree"
[[hypothesis]]
id = "reversed"
says = "Harsh is better."
test = "better"
arm = "harsh"
than = "gentle"
measure = "benefit"
after = "last"
found = "holds"
explain = "the <source> was lucky"
[[published]]
place = "Table 1"
arm = "gentle"
measure = "wins"
points = [[1, 52], [20, 60]]
spread = [4, 5]
[[published]]
place = "Table 1"
arm = "gentle"
measure = "win_percent"
points = [[1, 52], [20, 60]]
[[fact]]
says = "final benefit of harsh"
arm = "harsh"
measure = "benefit"
after = "last"
value = 90
[[fact]]
says = "an opening"
value = "6-6"
"#;

fn manifest() -> ExperimentManifest {
    let arm = |name: &str| ArmSpecs {
        name: name.to_owned(),
        game: "g(size=3)".to_owned(),
        learner: "l(depth=2)".to_owned(),
        against: "self".to_owned(),
        tested: "empty".to_owned(),
    };
    ExperimentManifest {
        format: VERSION,
        parlor: "0.0.1".to_owned(),
        rng: GENERATOR.to_owned(),
        id: "T1".to_owned(),
        quick: false,
        seed: 7,
        trainings: 6,
        arms: ["gentle", "harsh"].map(arm).to_vec(),
        text: FILE.to_owned(),
        units: None,
    }
}

/// Returns rows in which gentle climbs to 60 wins of 100 and harsh stays at 45.
fn rows() -> Vec<TestRow> {
    let mut rows = Vec::new();
    for arm in 0..2 {
        for training in 0..6 {
            for round in 1..=20 {
                for repeat in 0..2 {
                    let luck = (3 * training + 5 * round + 7 * repeat) % 5;
                    let wins = if arm == 0 { 48 + round / 2 + luck } else { 43 + luck };
                    rows.push(TestRow {
                        arm,
                        training,
                        round,
                        repeat,
                        matches: 100,
                        results: [u64::from(wins), 0, u64::from(100 - wins)].into(),
                        entries: u64::from(1000 * round + training),
                        bytes: u64::from(30_000 * round),
                        peak_bytes: u64::from(40_000 * round),
                        ..TestRow::default()
                    });
                }
            }
        }
    }
    rows
}

fn report() -> Report {
    Report::of(manifest(), &rows()).unwrap()
}

/// Tells which tag is not closed or closed without having been opened, or has an attribute without quotes.
fn malformed(page: &str) -> Option<String> {
    const ALONE: [&str; 3] = ["!DOCTYPE", "meta", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let Some((tag, after)) = rest[start + 1..].split_once('>') else {
            return Some(rest[start..].to_owned());
        };
        rest = after;
        let name = tag.split_whitespace().next().unwrap_or_default();
        if tag.matches('"').count() % 2 == 1 {
            return Some(format!("quotes in <{tag}>"));
        }
        match name.strip_prefix('/') {
            Some(name) if open.pop() == Some(name) => {}
            Some(_) => return Some(format!("</{name}>")),
            None if ALONE.contains(&name) => {}
            None => open.push(name),
        }
    }
    open.pop().map(|name| format!("<{name}> is not closed"))
}

fn needs_nothing(page: &str) {
    for needs in ["http:", "https:", "src=", "url(", "<script", "@import", "<link"] {
        assert!(!page.contains(needs), "the page needs nothing else: {needs}");
    }
    assert_eq!(malformed(page), None);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("prefers-color-scheme: dark"));
    assert!(!page.contains("NaN") && !page.contains("inf "));
}

#[test]
fn the_checker_sees_what_is_wrong() {
    assert_eq!(malformed("<p>a<br>b</p>"), None);
    for wrong in ["<p>", "<p></b></p>", "</p>", "<p class=\"a></p>"] {
        assert!(malformed(wrong).is_some(), "{wrong}");
    }
}

#[test]
fn a_report_has_everything_in_order() {
    let page = report().page();
    needs_nothing(&page);
    let sections = [
        "T1: Gentle",
        "After A &amp; B, Table 1",
        "1 of 2 hypotheses holds, 1 does not, 0 are undecided; ",
        "The question",
        "Is gentle better?",
        ">Hypotheses<",
        "very strong evidence",
        "Learning curves",
        "gentle, published",
        "Diamonds are printed figures.",
        "harsh minus gentle",
        "the two spreads",
        "transitions known",
        "Printed figures beside ours",
        "range for one training",
        "Single figures and statements",
        "6-6",
        "Two kinds of spread",
        "Metrics at the end",
        "Memory at the end",
        "781.2 KiB",
        ">Settings<",
        "l(depth=2)",
        "every round from 1 to 20",
        ">Notes<",
        "How to reproduce it",
        "parlor experiment run T1.toml --out FOLDER",
        "parlor experiment verify FOLDER",
        "0.0.1",
    ];
    let mut from = 0;
    for section in sections {
        let at = page[from..].find(section);
        from += at.unwrap_or_else(|| panic!("`{section}` is missing or out of order"));
    }
    for raw in ["<b>or", "<most>", "<i>ours", "<source>"] {
        assert!(!page.contains(raw), "{raw} is not escaped");
    }
    assert!(page.contains("the &lt;source&gt; was lucky"), "verdicts differ, so it is explained");
    assert!(!page.contains("never shown"), "where verdicts agree nothing needs to be explained");
}

#[test]
fn counts_do_not_count_twice() {
    let report = report();
    let score = report.score();
    // Two rounds, printed as wins and as percentages, and one fact that is far off.
    assert_eq!((score.printed, score.reproduced), (3, 2));
    assert_eq!((score.hold, score.fail, score.undecided), (1, 1, 0));
    assert_eq!((score.agree, score.of_source), (1, 2));
    let lines: Vec<_> = report.findings.hypotheses.iter().map(line).collect();
    assert_eq!(lines[0][..3], ["majority", "holds", "(source: holds)"]);
    // 58 wins and a mean luck of 22/12.
    assert!(lines[0][3].starts_with("59.8 % ["), "{:?}", lines[0]);
    assert!(lines[0][3].contains("corrected p < 0.0001"), "{:?}", lines[0]);
    assert_eq!(lines[1][1], "does not hold");
}

#[test]
fn an_unfinished_run_says_so() {
    let rows = rows();
    for known in [0, 1, 40, 41, 300] {
        let report = Report::of(manifest(), &rows[..known]).unwrap();
        assert_eq!((report.progress.finished, report.progress.planned), (known as u64 / 40, 12));
        let page = report.page();
        needs_nothing(&page);
        assert!(page.contains(&format!("Not finished: {} of 12 trainings", known / 40)));
        assert_eq!(report.json()["complete"], false);
    }
    let report = Report::of(manifest(), &rows[..40]).unwrap();
    assert!(report.findings.hypotheses.iter().all(|finding| finding.verdict == Verdict::Undecided));
    let mut twice = rows.clone();
    twice.push(rows[0].clone());
    assert!(Report::of(manifest(), &twice).is_err(), "a row that comes twice is no evidence");
}

#[test]
fn files_are_written_and_old_charts_are_removed() {
    let place = tempfile::tempdir().unwrap();
    let plots = place.path().join("plots");
    std::fs::create_dir(&plots).unwrap();
    std::fs::write(plots.join("old.svg"), "").unwrap();
    std::fs::write(plots.join("mine.txt"), "").unwrap();
    let report = report();
    report.write(place.path()).unwrap();
    let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    let first = ["report.html", "findings.json", "plots/benefit.svg", "plots/benefit.png"].map(read);
    assert!(first[3].starts_with(b"\x89PNG"));
    assert!(!plots.join("old.svg").exists() && plots.join("mine.txt").exists());
    let json: serde_json::Value = serde_json::from_slice(&first[1]).unwrap();
    assert_eq!(json["hypotheses"][1]["verdict"], "does_not_hold");
    assert_eq!(json["score"]["printed"], 3);
    // Rows may come in any order.
    let mut turned = rows();
    turned.reverse();
    Report::of(manifest(), &turned).unwrap().write(place.path()).unwrap();
    assert!(first == ["report.html", "findings.json", "plots/benefit.svg", "plots/benefit.png"].map(read));
}

#[test]
fn a_summary_corrects_for_all_and_links() {
    let reports = vec![("t 1".to_owned(), report()), ("t2".to_owned(), report())];
    let summary = Summary::of(reports);
    let alone = report().findings.hypotheses[1].corrected.unwrap();
    let over_all = summary.runs[0].corrected_over_all[1];
    assert!(over_all >= alone && over_all <= 4.0 * alone + 1e-12, "{over_all} and {alone}");
    let page = summary.page();
    needs_nothing(&page);
    assert!(page.contains("href=\"t%201/report.html\"") && page.contains("the &lt;source&gt; was lucky"));
    assert!(page.contains("2 experiments: 2 of 4 hypotheses hold, 2 do not"), "{}", summary.words());
    let text = summary.markdown();
    assert!(text.contains("](t%201/report.html): Gentle \\<b\\>or"), "{text}");
    assert!(text.contains("| does not hold |") && text.contains("the \\<source\\> was lucky"));
    assert!(text.contains("plots/overview.svg"));
    assert_eq!(malformed(&summary.overview().svg()), None);
    assert_eq!(summary.json()["experiments"][1]["folder"], "t2");
}

#[test]
fn an_explanation_is_part_of_the_file() {
    let experiment = Experiment::read(FILE).unwrap();
    assert_eq!(experiment.hypotheses[1].explain.as_deref(), Some("the <source> was lucky"));
    let wrong = FILE.replace("explain = \"the <source> was lucky\"", "explain = 3");
    assert!(Experiment::read(&wrong).unwrap_err().wrong.contains("this does not fit; write explain = "));
}
