//! Keys of all agents together: one name, one meaning; old names; files and their checksums.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use parlor_catalog::book::{Book, BookHeader};
use parlor_catalog::endgame::folder::{BuildRequest, build};
use parlor_catalog::equilibria::solve::SolveParams;
use parlor_core::text::spec::{FileProblem, Outside};
use parlor_core::{Cancel, Entry, Evaluate, Key, Kind, Progress, Resources, Settings, Spec, SpecError};
use parlor_games::checkers::Checkers;
use parlor_games::connect::Connect;

/// A folder that is gone when the test is over. Its name needs quotes.
struct Scrap(PathBuf);

impl Scrap {
    fn new(name: &str) -> Scrap {
        let path = std::env::temp_dir().join(format!("parlor, {name} (1) {}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scrap(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scrap {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns every agent's keys, with the game and the agent, and those of forms that may stand in an agent's place.
fn all_keys() -> Vec<(&'static str, &'static str, &'static [Key])> {
    let games = parlor_catalog::GAMES.iter().map(|entry| parlor_catalog::open(entry.name).unwrap());
    let mut all: Vec<_> = games
        .flat_map(|game| game.agents().into_iter().map(move |agent| (game.name(), agent.name, agent.keys)))
        .collect();
    for (game, _, keys) in all.clone() {
        for key in keys {
            if let Kind::Agent { forms, .. } = key.kind {
                all.extend(forms.iter().map(|form| (game, form.name, form.keys)));
            }
        }
    }
    all
}

/// Returns what kind of thing a key takes: bounds may differ from agent to agent, meanings may not.
fn sort_of_value(key: &Key) -> String {
    match key.kind {
        Kind::Whole { .. } | Kind::WholeOrNone { .. } | Kind::WholeOrAll { .. } => "whole number".to_owned(),
        Kind::Real { .. } => "number".to_owned(),
        // Encodings have a name in each game.
        Kind::Choice(_) if ["state", "layout"].contains(&key.name) => "encoding".to_owned(),
        Kind::Choice(words) => format!("one of {words:?}"),
        // One number, or a schedule of numbers.
        Kind::Text if key.name == "epsilon" => "number".to_owned(),
        Kind::Switch => "switch".to_owned(),
        Kind::File(_) => "file".to_owned(),
        Kind::Folder(_) => "folder".to_owned(),
        Kind::Checksum { of } => format!("checksum of {of}"),
        Kind::Command => "command".to_owned(),
        Kind::Store => "store".to_owned(),
        Kind::WorkingFolder => "folder of a program".to_owned(),
        Kind::Agent { .. } => "agent".to_owned(),
        Kind::Agents => "agents".to_owned(),
        Kind::Text => "text".to_owned(),
    }
}

#[test]
fn a_key_means_one_thing_everywhere() {
    let mut meanings: BTreeMap<&str, String> = BTreeMap::new();
    for (game, agent, keys) in all_keys() {
        for key in keys {
            let sort = sort_of_value(key);
            let known = meanings.entry(key.name).or_insert_with(|| sort.clone());
            assert_eq!(*known, sort, "`{}` of {agent} at {game}", key.name);
        }
    }
    // One thing has one name, too: mebibytes are `memory_mb`.
    let mebibytes =
        all_keys().into_iter().flat_map(|(.., keys)| keys).filter(|key| key.help.contains("mebibytes"));
    assert!(mebibytes.into_iter().all(|key| key.name == "memory_mb"));
}

#[test]
fn every_file_has_a_checksum() {
    for (game, agent, keys) in all_keys() {
        for key in keys {
            match key.kind {
                Kind::File(on_disk) | Kind::Folder(on_disk) => {
                    let sum = |other: &&Key| matches!(other.kind, Kind::Checksum { of } if of == key.name);
                    assert_eq!(keys.iter().filter(sum).count(), 1, "{} of {agent} at {game}", key.name);
                    let nothing = key.default.is_empty() || on_disk.words.contains(&key.default);
                    assert!(nothing, "{} of {agent} at {game} names a file by default", key.name);
                }
                Kind::Checksum { of } => assert!(keys.iter().any(|other| other.name == of)),
                // Whatever takes free text could name a file unseen.
                Kind::Text => assert!(
                    ["initial", "priors", "heuristics", "mean", "deviation", "epsilon"].contains(&key.name),
                    "{} of {agent}",
                    key.name
                ),
                _ => {}
            }
        }
    }
}

#[test]
fn full_forms_of_the_version_before_are_read() {
    for line in include_str!("full_forms_before_renames.txt").lines() {
        let (game, old) = line.split_once(' ').unwrap();
        let game = parlor_catalog::open(game).unwrap();
        let full = game.agent_spec(old).unwrap();
        assert_eq!(full, game.agent_spec(Spec::bare_name(old)).unwrap(), "{old}");
        let new_names = game.survey(old).unwrap().old_keys.len();
        // Keys that came later are added with their defaults.
        let pairs = Spec::parse(&full).unwrap().pairs;
        let is_whole = Spec::parse(old).unwrap().pairs.iter().all(|pair| pairs.contains(pair));
        assert_eq!(new_names == 0, is_whole, "{old}");
        assert!(game.survey(&full).unwrap().old_keys.is_empty());
    }
}

#[test]
fn servers_see_what_a_spec_touches() {
    let outside = |game: &str, spec: &str| -> Vec<Outside> {
        let survey = parlor_catalog::open(game).unwrap().survey(spec).unwrap();
        survey.outside.into_iter().map(|reference| reference.what).collect()
    };
    let file = |path: &str| Outside::File(path.into());
    for (game, agent, _) in all_keys() {
        // A form stands in the place of a model.
        let form = ["guess", "mix"].contains(&agent).then(|| format!("mstar(model={agent})"));
        assert_eq!(
            outside(game, form.as_deref().unwrap_or(agent)),
            [],
            "{agent} at {game} touches nothing by default"
        );
    }
    assert_eq!(outside("dominoes", "collective(file=shipped)"), []);
    assert_eq!(outside("dominoes", "collective(file=a.parlor)"), [file("a.parlor")]);
    assert_eq!(outside("connect", r#"mcts(book="a, b (1).book")"#), [file("a, b (1).book")]);
    assert_eq!(outside("connect", "alphabeta(weights=w.toml)"), [file("w.toml")]);
    assert_eq!(outside("checkers", "alphabeta(endgames=db)"), [Outside::Folder("db".into())]);
    assert_eq!(outside("dominoes", "pimc(model=nash(file=x.nash), playout=off)"), [file("x.nash")]);
    assert_eq!(outside("dominoes", "ismcts(playout=collective(file=x))"), [file("x")]);
    let listed = "mstar(model=mix(by=mda, file=m.model, types=scoring+nash(file=x)+random))";
    assert_eq!(outside("dominoes", listed), [file("m.model"), file("x")]);
    let nested = "mstar(model=mstar(model=mstar-oracle(model=nash(file=\"a, b\"))))";
    assert_eq!(outside("dominoes", nested), [file("a, b")]);
    for spec in ["cmd:sh -c x", "cmd(command=sh -c x)", "cmd(command=\"sh -c x\", timeout_s=1)"] {
        assert_eq!(outside("connect", spec), [Outside::Command("sh -c x".to_owned())], "{spec}");
    }
    assert_eq!(outside("dominoes", "pimc(model=cmd:sh)"), [Outside::Command("sh".to_owned())]);
}

/// Two versions of what a key names, and the agent that reads it.
struct Case {
    game: &'static str,
    agent: &'static str,
    key: &'static str,
    path: PathBuf,
    write: Box<dyn Fn(bool)>,
}

fn quietly<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_| {} })
}

fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

fn cases(scrap: &Scrap) -> Vec<Case> {
    let [book, weights, strategy] = ["a.book", "a.toml", "a.nash"].map(|name| scrap.path(name));
    let endgames = scrap.path("endgames");
    let (to_book, to_weights, to_strategy, to_endgames) =
        (book.clone(), weights.clone(), strategy.clone(), endgames.clone());
    vec![
        Case {
            game: "connect",
            agent: "alphabeta",
            key: "book",
            path: book,
            write: Box::new(move |other| {
                let game = parlor_catalog::open("connect").unwrap().spec();
                Book::new(BookHeader::new(game, "random".to_owned(), u64::from(other), 4, 4))
                    .write(&to_book)
                    .unwrap();
            }),
        },
        Case {
            game: "connect",
            agent: "alphabeta",
            key: "weights",
            path: weights,
            write: Box::new(move |other| {
                let note = if other { "# other\n" } else { "" };
                fs::write(&to_weights, format!("{note}{}", Connect::<u64>::WEIGHTS)).unwrap();
            }),
        },
        Case {
            game: "dominoes(rules=myers, set=2, hand=2)",
            agent: "nash",
            key: "file",
            path: strategy,
            write: Box::new(move |other| {
                let game = parlor_catalog::open("dominoes(rules=myers, set=2, hand=2)").unwrap();
                let params = SolveParams { precision: 1e-1, ..SolveParams::default() };
                let mut strategy = quietly(|progress| game.equilibrium().unwrap().solve(&params, progress))
                    .unwrap()
                    .strategy;
                strategy.about.rounds += u64::from(other);
                strategy.write(&to_strategy).unwrap();
            }),
        },
        Case {
            game: "checkers(rows=4, columns=4)",
            agent: "alphabeta",
            key: "endgames",
            path: endgames,
            write: Box::new(move |other| {
                let _ = fs::remove_dir_all(&to_endgames);
                let spec = Spec::parse("checkers(rows=4, columns=4)").unwrap();
                let settings = Settings::read(&spec, Checkers::<u64>::KEYS).unwrap();
                let pieces = if other { 3 } else { 2 };
                let order = BuildRequest {
                    game: "checkers",
                    folder: &to_endgames,
                    pieces,
                    resources: Resources { threads: 1, memory_mb: 50 },
                };
                let game = Checkers::<u64>::open(&settings).unwrap();
                quietly(|progress| build(&game, &order, progress)).unwrap();
            }),
        },
    ]
}

#[test]
fn a_replaced_file_is_noticed() {
    let scrap = Scrap::new("replaced");
    for Case { game, agent, key, path, write } in cases(&scrap) {
        let game = parlor_catalog::open(game).unwrap();
        let spec = format!("{agent}({key}={})", quoted(&path));
        let gone = game.agent_spec(&spec).unwrap_err();
        assert!(matches!(gone, SpecError::File { problem: FileProblem::Missing, .. }), "{gone}");

        write(false);
        let full = game.agent_spec(&spec).unwrap();
        assert!(full.contains("checksum="), "{full}");
        assert_eq!(game.agent_spec(&full).unwrap(), full, "a full form is read as itself");
        write(true);
        let changed = game.agent_spec(&full).unwrap_err();
        assert!(matches!(&changed, SpecError::Changed { key: found, .. } if *found == key), "{changed}");
        assert_ne!(game.agent_spec(&spec).unwrap(), full);
        write(false);
        assert_eq!(game.agent_spec(&spec).unwrap(), full, "equal files have equal full forms");

        let sum = if key == "file" { "checksum".to_owned() } else { format!("{key}_checksum") };
        let typed = format!("{agent}({key}={}, {sum}=nonsense)", quoted(&path));
        let wrong = game.agent_spec(&typed).unwrap_err();
        assert!(matches!(wrong, SpecError::Value { .. }), "{wrong}");
    }
}

#[test]
fn a_replaced_file_of_a_model_is_noticed() {
    let scrap = Scrap::new("model");
    let Case { game, path, write, .. } = cases(&scrap).swap_remove(2);
    let game = parlor_catalog::open(game).unwrap();
    write(false);
    let full = game.agent_spec(&format!("pimc(model=nash(file={}))", quoted(&path))).unwrap();
    assert_eq!(game.agent_spec(&full).unwrap(), full);
    write(true);
    let changed = game.agent_spec(&full).unwrap_err();
    assert!(matches!(changed, SpecError::Changed { .. }), "{changed}");
}
