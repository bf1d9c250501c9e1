//! `parlor stats`: the vectors through the command line, and what nonsense gets.

use assert_cmd::Command;
use serde_json::Value;

fn parlor(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("parlor").expect("the program was built");
    command.arg("stats").args(words);
    command
}

fn stdout(words: &[&str]) -> String {
    let output = parlor(words).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text is UTF-8")
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[words, &["--json"]].concat())).expect("--json prints one JSON document")
}

fn sentence(words: &[&str]) -> String {
    let output = parlor(words).assert().code(2).get_output().clone();
    assert!(output.stdout.is_empty(), "errors go to standard error");
    String::from_utf8(output.stderr).expect("text is UTF-8")
}

fn vectors(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("the vectors are JSON")
}

/// Nine digits, as the vectors are checked in the library; `null` and absent are the same.
fn same(got: &Value, want: &Value, what: &str) {
    match (got.as_f64(), want.as_f64()) {
        (None, None) => assert!(got.is_null(), "{what} is {got}"),
        (Some(got), Some(want)) => {
            let off = (got - want).abs();
            assert!(off <= 1e-9 * want.abs().max(1e-3) || off <= 1e-9, "{what}: {got}, expected {want}");
        }
        _ => panic!("{what}: {got}, expected {want}"),
    }
}

#[test]
fn pairs_give_the_exact_p_values() {
    for row in vectors(include_str!("../../../stats/tests/vectors/pair-pvalues.json")) {
        let word = |key: &str| row[key].to_string();
        let (p, q, n, s) = (word("p"), word("q"), word("n_pairs"), word("score"));
        let got = json(&["pairs", "--p", &p, "--q", &q, "--n", &n, "--s", &s]);
        for (field, key) in [
            ("p_value", "p_two_sided"),
            ("p_value_one_sided", "p_one_sided"),
            ("p_value_normal", "p_two_sided_normal_cc"),
            ("sigma", "sigma_n"),
            ("exactly", "pmf"),
            ("within", "cdf_abs_le"),
        ] {
            same(&got[field], &row[key], &format!("{field} of {row}"));
        }
    }
}

/// Compares everything that a vector says of counts.
fn check(row: &Value, words: &[String]) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let test = &row["sprt"];
    let hypotheses = format!("{},{}", test["elo0"], test["elo1"]);
    let (alpha, beta) = (test["alpha"].to_string(), test["beta"].to_string());
    let sprt = ["--sprt", &hypotheses, "--alpha", &alpha, "--beta", &beta];
    let got = json(&[&words[..], &sprt].concat());
    for (field, want) in [
        ("score", &row["score"]),
        ("elo", &row["elo"]),
        ("elo_low", &row["elo_lo95"]),
        ("elo_high", &row["elo_hi95"]),
        ("nelo", &row["nelo"]),
        ("nelo_error", &row["nelo_err95"]),
        ("los", &row["los"]),
        ("llr", &test["llr_logistic"]),
        ("lower", &test["lower"]),
        ("upper", &test["upper"]),
    ] {
        same(&got[field], want, &format!("{field} of {row}"));
    }
    let word = got["accepted"].as_str().unwrap_or("continue");
    assert_eq!(test["state_logistic"], word, "{row}");
    let got = json(&[&words[..], &sprt, &["--normalised"]].concat());
    same(&got["llr"], &test["llr_normalized_converged"], &format!("normalised llr of {row}"));
}

#[test]
fn games_and_pairs_give_elo_and_tests() {
    for row in vectors(include_str!("../../../stats/tests/vectors/elo-sprt-trinomial.json")) {
        let words = ["W", "D", "L"].map(|key| row[key].to_string());
        check(&row, &[&["elo".to_owned()][..], &words].concat());
    }
    for row in vectors(include_str!("../../../stats/tests/vectors/elo-sprt-pentanomial.json")) {
        let counts = row["penta"].as_array().unwrap().iter().map(Value::to_string);
        check(&row, &std::iter::once("penta".to_owned()).chain(counts).collect::<Vec<_>>());
    }
}

#[test]
fn what_does_not_exist_is_null() {
    let nothing = json(&["elo", "0", "0", "0"]);
    for field in
        ["p_value", "sigma", "elo", "elo_low", "elo_high", "nelo", "los", "llr", "lower", "upper", "accepted"]
    {
        assert_eq!(nothing.get(field), Some(&Value::Null), "{field}");
    }
    let sweep = json(&["penta", "0", "0", "0", "0", "5"]);
    assert!(sweep["elo"].is_null() && sweep["nelo"].is_null());
    assert_eq!(sweep["los"].as_f64(), Some(1.0));
    same(&sweep["p_value"], &Value::from(0.0625), "the p-value of five sweeps");
    let huge = json(&["elo", &u64::MAX.to_string(), "1", &u64::MAX.to_string()]);
    assert!(huge["score"].as_f64().unwrap() > 0.0);
    assert_eq!(json(&["pairs", "--p", "0.4", "--q", "0.3", "--n", "10"])["p_value"], Value::Null);
}

#[test]
fn words_for_people() {
    let text = stdout(&["pairs", "--p", "0.75", "--q", "0", "--n", "10", "--s", "8"]);
    assert!(text.contains("standard deviation 3.8730") && text.contains("0.0676"), "{text}");
    let text = stdout(&["pairs", "--p", "0.3918", "--q", "0.3161", "--n", "50"]);
    assert!(text.contains("5 %    ±17"), "{text}");
    assert_eq!(json(&["pairs", "--p", "0.3918", "--q", "0.3161", "--n", "50"])["critical"]["0.05"], 17);
    let even = json(&["pairs", "--p", "0.75", "--q", "0", "--n", "10"]);
    assert_eq!(even["critical"]["0.1"], 8, "7 cannot occur without draws");
    let text = stdout(&["elo", "136", "111", "96", "--sprt", "0,10"]);
    assert!(text.contains("Elo +40.7 [") && text.contains("undecided"), "{text}");
    let text = stdout(&["elo", "10", "0", "0"]);
    assert!(text.contains("Elo +∞ [unknown … +∞]"), "{text}");
    let text = stdout(&["penta", "50", "200", "500", "250", "60", "--level", "0.99"]);
    assert!(text.contains("1060 pairs") && text.contains("(99 %)"), "{text}");
    let all = json(&["pairs", "--p", "0.4", "--q", "0.3", "--n", "3", "--all"]);
    let list = all["distribution"].as_array().unwrap();
    let mass = |i: usize| list[i][1].as_f64().unwrap();
    assert_eq!(list.len(), 7);
    assert!((mass(0) + 2.0 * (1..7).map(mass).sum::<f64>() - 1.0).abs() < 1e-12);
}

/// The table of the guide's page on clocks.
#[test]
fn plans_are_those_of_the_guide() {
    let target = |words: &[&str]| {
        let plan = json(&[&["plan", "15m"], words].concat());
        let time = |field: &str| plan[field].as_f64().unwrap();
        assert!(time("target") <= time("most") && time("most") <= time("hard"));
        format!("{:.2}", time("target"))
    };
    assert_eq!(target(&[]), "18.00");
    assert_eq!(target(&["--literal"]), "15.00");
    assert_eq!(target(&["--played", "53", "--used", "795s", "--literal"]), "15.00");
    assert_eq!(target(&["--played", "54", "--used", "810s", "--literal"]), "5.00");
    assert_eq!(target(&["--danger"]), "27.00");
    assert_eq!(target(&["--stage", "endgame"]), "9.00");
    assert_eq!(target(&["--stage", "book"]), "0.00");
    assert_eq!(target(&["--opponent", "5s"]), "9.00");
    assert_eq!(target(&["--fixed", "--literal", "--expected", "90"]), "10.00");
    let rows = json(&["plan", "15m", "--game"]);
    assert_eq!(rows.as_array().unwrap().len(), 10, "moves 1, 10, 20 … 90");
    assert_eq!(format!("{:.2}", rows[3]["target"].as_f64().unwrap()), "15.74");
    assert!(stdout(&["plan", "10s/move"]).contains("target  9.50 s"));
}

#[test]
fn nonsense_gets_a_sentence() {
    let pairs =
        |p: &str, q: &str, n: &str, s: &str| sentence(&["pairs", "--p", p, "--q", q, "--n", n, "--s", s]);
    assert!(pairs("0.7", "0.4", "5", "1").contains("are not probabilities"));
    assert!(pairs("NaN", "0.4", "5", "1").contains("are not probabilities"));
    assert!(pairs("-1", "0.4", "5", "1").contains("are not probabilities"));
    assert!(pairs("0.3", "0.4", "5", "11").contains("scores lie between -10 and 10"));
    assert!(pairs("0.3", "0.4", "99999999", "11").contains("too many"));
    assert!(pairs("0.3", "0.4", "-5", "11").contains("a whole number from 0"));
    assert!(sentence(&["elo", "1", "-2", "3"]).contains("a whole number from 0"));
    assert!(sentence(&["elo", "1", "2"]).contains("required"));
    assert!(sentence(&["penta", "1", "2", "3", "4"]).contains("5 values required"));
    assert!(sentence(&["elo", "1", "2", "3", "--sprt", "5,0"]).contains("do not make a test"));
    assert!(sentence(&["elo", "1", "2", "3", "--sprt", "5"]).contains("two numbers with a comma"));
    assert!(sentence(&["elo", "1", "2", "3", "--sprt", "0,5", "--alpha", "1"]).contains("error rates"));
    assert!(sentence(&["elo", "1", "2", "3", "--level", "95"]).contains("confidence level"));
    assert!(sentence(&["plan", "15"]).contains("time control"));
    assert!(sentence(&["plan", "none"]).contains("nothing to plan"));
    assert!(sentence(&["plan", "15m", "--expected", "0"]).contains("expect at least 1"));
    assert!(sentence(&["plan", "1m", "--played", "3", "--used", "2m"]).contains("overrun"));
    assert!(sentence(&["plan", "1m", "--used", "2s"]).contains("no moves were played"));
    assert!(sentence(&["plan", "1m", "--used", "5s/move", "--played", "1"]).contains("a bare time"));
    assert!(sentence(&["plan", "1m", "--opponent", "2m"]).contains("cannot have"));
    assert!(sentence(&["plan", "1s/move", "--opponent", "2m"]).contains("no total"));
}

/// What the guide shows is what is printed.
#[test]
fn the_guide_does_not_rot() {
    let pages = [
        include_str!("../../../../docs/guide/statistics.md"),
        include_str!("../../../../docs/guide/clocks.md"),
    ];
    for page in pages {
        let shown: Vec<&str> = page.split("```console\n$ parlor stats ").skip(1).collect();
        assert!(!shown.is_empty());
        for block in shown {
            let (call, rest) = block.split_once('\n').unwrap();
            let words: Vec<&str> = call.split('#').next().unwrap().split_whitespace().collect();
            assert_eq!(stdout(&words), rest.split("```").next().unwrap(), "{call}");
        }
    }
}
