//! `parlor solve --hidden`, `parlor exploit`, `parlor respond`, `parlor deals`: what scripts rely on.

use crate::place;

use place::Place;

const FREE: &str = "dominoes(rules=myers, set=2, hand=2, lead=free)";

#[test]
fn an_equilibrium_is_found_kept_and_seated() {
    let place = Place::new();
    let [one, two] = ["one.nash", "two.nash"].map(|name| place.path(name));
    let solve = ["solve", FREE, "--hidden", "--precision", "1e-6"];
    let found = place.json(&[&solve[..], &["--json", "--out", &one, "--threads", "1"]].concat());
    assert!((found["value"].as_f64().unwrap() - 19.0 / 9.0).abs() < 1e-5, "{found}");
    assert!(
        found["low"].as_f64() <= found["value"].as_f64() && found["value"].as_f64() <= found["high"].as_f64()
    );
    assert!(found["exploitability"].as_f64().unwrap() <= 1e-6);
    assert_eq!((&found["information_sets"], &found["stopped"]), (&102.into(), &false.into()));
    assert_eq!(found["best"].as_array().unwrap().len(), 0, "chance acts first");
    assert!(found["nodes"].as_u64().unwrap() > 0 && found["seconds"].as_f64().unwrap() > 0.0);

    let said = place.stdout(&[&solve[..], &["--out", &two, "--threads", "3"]].concat());
    assert!(said.starts_with("value: 2.11") && said.contains("for the seat that decides first"), "{said}");
    assert!(said.ends_with(&format!("kept in {two}; nash(file={two}) plays it\n")), "{said}");
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap(), "threads change nothing");
    assert!(place.sentence(&[&solve[..], &["--out", &one]].concat()).contains("--force overwrites it"));

    let nash = format!("nash(file={one})");
    let row = place.json(&["match", FREE, &nash, "random", "--pairs", "300", "--json", "--no-games"]);
    assert!(row["score"].as_f64().unwrap() > 0.5, "{row}");
    let lost = place.json(&["exploit", FREE, &nash, "--json"]);
    assert!(lost["exploitability"].as_f64().unwrap() < 2e-6 && lost["exact"] == true, "{lost}");
}

#[test]
fn agents_are_exploited() {
    let place = Place::new();
    let lost = place.json(&["exploit", FREE, "random", "--json"]);
    let full = place.json(&["exploit", FREE, "random", "--full", "--json"]);
    let [lost, full] = [lost, full].map(|found| found["exploitability"].as_f64().unwrap());
    assert!(lost > 0.5 && (lost - full).abs() < 1e-9, "mirror images are alike to it: {lost} {full}");
    let said = place.stdout(&["exploit", FREE, "ismcts(sims=10)", "--samples", "2"]);
    assert!(
        said.starts_with("ismcts loses ") && said.contains("asked 2 times in each: an estimate"),
        "{said}"
    );
    assert!(
        place
            .sentence(&["exploit", "connect", "random"])
            .contains("connect has no equilibrium solver; available for dominoes")
    );
    assert!(place.sentence(&["exploit", "dominoes", "random"]).contains("take target=none"));
    assert!(place.sentence(&["exploit", FREE, "nash"]).contains("file="));
    assert!(place.sentence(&["exploit", FREE, "expectimax-oracle"]).contains("it sees what is hidden"));
    assert!(place.sentence(&["solve", FREE, "--precision", "1e-3"]).contains("--hidden"));
    let sentence = place.sentence(&["solve", FREE, "--hidden", "--precision", "-1"]);
    assert!(sentence.contains("precision"), "{sentence}");
}

#[test]
fn responses_are_computed_and_kept() {
    let place = Place::new();
    let most = place.json(&["exploit", FREE, "scoring", "--json"])["exploitability"].as_f64().unwrap();
    let greedy = place.json(&["respond", FREE, "scoring", "--weight", "1", "--out", "none", "--json"]);
    assert!((greedy["gain"].as_f64().unwrap() - most).abs() < 1e-9, "{greedy}");
    let half = place.path("half.nash");
    let careful = place.json(&["respond", FREE, "scoring", "--weight", "0.5", "--out", &half, "--json"]);
    let number = |key: &str| careful[key].as_f64().unwrap();
    assert!(number("gain") < most + 1e-9 && number("ceiling") > most - 1e-9, "{careful}");
    assert!(number("low") <= number("high") && careful["exact"] == true && careful["stopped"] == false);
    let seated = format!("nash(file=\"{half}\")");
    let lost = place.json(&["exploit", FREE, &seated, "--json"])["exploitability"].as_f64();
    assert!((lost.unwrap() - number("exploitability")).abs() < 1e-5, "{lost:?} and {careful}");
    // What cannot be kept is noticed before anything is computed.
    let again = ["respond", FREE, "scoring", "-p", "0.5", "--out", &half];
    assert!(place.sentence(&again).contains("--force overwrites it"));
    let nowhere = ["respond", FREE, "scoring", "-p", "0.5", "--out", "missing/half.nash"];
    assert!(place.sentence(&nowhere).contains("cannot be written"));
    let strange = ["respond", FREE, "scoring", "--weight", "1.5", "--out", "x.nash"];
    assert!(place.sentence(&strange).contains("a number from 0 to 1"));
    let said = place.stdout(&["respond", FREE, "random", "-p", "0.5", "--out", "none"]);
    assert!(said.contains("points a game from random") && said.contains("its own best response"), "{said}");
}

#[test]
fn deals_are_counted() {
    let place = Place::new();
    let text = place.stdout(&["deals", "dominoes(set=9, hand=18)", "--json"]);
    assert!(text.starts_with("{\"deals\":2546267632195745700742500,"), "every digit: {text}");
    let said = place.stdout(&["deals", "dominoes(rules=myers)"]);
    assert!(said.contains("deals of 10 tiles: 3 and 3 in the hands, 4 in the boneyard"), "{said}");
    for (game, deals) in
        [("set=2, hand=2", 90), ("set=4, hand=5", 756_756), ("set=5, hand=7", 399_072_960_u64)]
    {
        let found = place.json(&["deals", &format!("dominoes({game})"), "--json"]);
        assert_eq!(found["deals"], deals, "{game}");
    }
    assert!(
        place
            .sentence(&["deals", "checkers"])
            .contains("checkers has no hidden hands; available for dominoes")
    );
}
