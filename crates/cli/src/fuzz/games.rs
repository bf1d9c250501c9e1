//! Specs, positions, moves, views and saved games of every game of the registry.

use std::collections::HashMap;

use parlor_catalog::{GAMES, OpenedGame};
use parlor_core::api::{AnyTable, MatchSetup};
use parlor_core::files::saved::SavedGame;
use parlor_core::text::protocol::Clocks;
use parlor_core::{Actor, Cancel, Ink, Kind, Phase, Rng, Seat, Spec};

use super::{Read, Reader, equal, explained, harmless, head_and_rest, run};

/// Actions that are played from an accepted position.
const PLIES: u32 = 24;

/// More memory than this is not asked of an agent here; it would be there to be used.
const MOST_MB: u64 = 64;

/// Returns the full forms of all games, and of each with one key at a bound of its values.
fn rules() -> Vec<String> {
    let mut specs = Vec::new();
    for entry in GAMES {
        specs.push(entry.name.to_owned());
        for key in entry.keys {
            let values: Vec<String> = match key.kind {
                Kind::Whole { min, max } | Kind::WholeOrNone { min, max } | Kind::WholeOrAll { min, max } => {
                    vec![min.to_string(), ((min + max) / 2).to_string(), max.to_string()]
                }
                Kind::Choice(words) => words.iter().map(|&word| word.to_owned()).collect(),
                Kind::Switch => vec!["on".to_owned(), "off".to_owned()],
                _ => continue,
            };
            specs.extend(values.iter().map(|value| format!("{}({}={value})", entry.name, key.name)));
        }
    }
    specs.retain(|spec| parlor_catalog::open(spec).is_ok());
    specs.iter().map(|spec| parlor_catalog::open(spec).expect("it was just opened").spec()).collect()
}

/// The games that are open, by the specs that were asked for.
#[derive(Default)]
struct Opened(HashMap<String, Box<dyn OpenedGame>>);

impl Opened {
    fn get(&mut self, spec: &str) -> Result<Option<&dyn OpenedGame>, String> {
        if !self.0.contains_key(spec) {
            let Some(game) = explained(parlor_catalog::open(spec))? else { return Ok(None) };
            if self.0.len() > 500 {
                self.0.clear();
            }
            self.0.insert(spec.to_owned(), game);
        }
        Ok(self.0.get(spec).map(|game| &**game))
    }
}

/// Returns every key and every word that a key of a game takes.
fn words_of_games() -> Vec<String> {
    let mut words: Vec<String> = GAMES.iter().map(|entry| entry.name.to_owned()).collect();
    for key in GAMES.iter().flat_map(|entry| entry.keys) {
        words.push(key.name.to_owned());
        if let Kind::Choice(choices) = key.kind {
            words.extend(choices.iter().map(|&choice| choice.to_owned()));
        }
    }
    words
}

#[test]
fn specs() {
    let mut check = |input: &[u8]| -> Read {
        let text = String::from_utf8_lossy(input);
        let Some(spec) = explained(Spec::parse(&text))? else { return Ok(false) };
        let again =
            Spec::parse(&spec.to_string()).map_err(|error| format!("its own text is refused: {error}"))?;
        equal(&again, &spec, "the spec")?;
        harmless(&spec.to_string().replace(['\r', '\t'], " "))?;
        let Some(game) = explained(parlor_catalog::open(&text))? else { return Ok(false) };
        let full = game.spec();
        let again =
            parlor_catalog::open(&full).map_err(|error| format!("the full form is refused: {error}"))?;
        equal(&again.spec(), &full, "the full form")?;
        Ok(game.playouts(1, 1).plies > 0)
    };
    let corpus = rules().into_iter().map(String::into_bytes).collect();
    run(Reader { name: "specs", corpus, words: words_of_games(), repair: None }, &mut check);
}

#[test]
fn agents() {
    let mut corpus = Vec::new();
    let mut words = words_of_games();
    for entry in GAMES {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        for agent in game.agents() {
            words.push(agent.name.to_owned());
            corpus.push(format!("{}\n{}", entry.name, agent.name).into_bytes());
            if let Ok(full) = game.agent_spec(agent.name) {
                corpus.push(format!("{}\n{full}", entry.name).into_bytes());
            }
        }
    }
    let mut games = Opened::default();
    let mut check = |input: &[u8]| -> Read {
        let (spec, agent) = head_and_rest(input);
        let Some(game) = games.get(&spec)? else { return Ok(false) };
        let Some(survey) = explained(game.survey(&agent))? else { return Ok(false) };
        if !survey.outside.is_empty() || asks_for_much(&agent) {
            return Ok(false);
        }
        let Some(full) = explained(game.agent_spec(&agent))? else { return Ok(false) };
        let again = game.agent_spec(&full).map_err(|error| format!("the full form is refused: {error}"))?;
        equal(&again, &full, "the full form")?;
        Ok(true)
    };
    run(Reader { name: "agents", corpus, words, repair: None }, &mut check);
}

/// Returns whether a spec asks for more memory or threads than a test has.
pub(super) fn asks_for_much(agent: &str) -> bool {
    ["memory_mb", "threads", "memory", "table_mb", "table"].iter().any(|key| {
        agent.match_indices(key).any(|(at, _)| {
            let rest = agent[at + key.len()..]
                .trim_start()
                .trim_start_matches('=')
                .trim_start()
                .trim_start_matches('"');
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<u64>().map_or(!digits.is_empty(), |number| number > MOST_MB)
        })
    })
}

/// Looks at a table from every seat, and plays on. Whatever it shows must be fit for a terminal.
fn use_table(table: &mut dyn AnyTable, seats: u8) -> Result<(), String> {
    let mut rng = Rng::new(1);
    for _ in 0..PLIES {
        for seat in Seat::all(seats) {
            harmless(&table.draw(seat, Ink::default()))?;
            harmless(&table.status(seat))?;
            table.view_json(seat);
        }
        match table.phase() {
            Phase::Over => break,
            Phase::Chance => drop(table.chance().map_err(|error| error.to_string())?),
            Phase::Decide(seat) => {
                let legal = table.actions();
                if legal.is_empty() {
                    return Err("a seat is to move and has no action".to_owned());
                }
                table
                    .act(seat, rng.choose::<String>(&legal))
                    .map_err(|error| format!("a legal action is refused: {error}"))?;
            }
        }
    }
    let saved = table.saved(&vec!["random".to_owned(); usize::from(seats)]);
    let again =
        SavedGame::parse(&saved.line()).map_err(|error| format!("the saved game is refused: {error}"))?;
    equal(&again, &saved, "the saved game")
}

/// Returns lines `SPEC`, then a position, for every game: as its guide writes them and as tables write them.
fn positions_of_games() -> Vec<Vec<u8>> {
    let tables = [
        include_str!("../../../catalog/tests/moves/checkers.txt"),
        include_str!("../../../catalog/tests/moves/connect.txt"),
        include_str!("../../../catalog/tests/moves/darkchess.txt"),
        include_str!("../../../catalog/tests/moves/dominoes.txt"),
        include_str!("../../../catalog/tests/moves/minesweeper.txt"),
        include_str!("../../../catalog/tests/moves/tictactoe.txt"),
        include_str!("../../../catalog/tests/perft/checkers.txt"),
        include_str!("../../../catalog/tests/perft/connect.txt"),
        include_str!("../../../catalog/tests/perft/darkchess.txt"),
        include_str!("../../../catalog/tests/perft/dominoes.txt"),
        include_str!("../../../catalog/tests/perft/minesweeper.txt"),
        include_str!("../../../catalog/tests/perft/tictactoe.txt"),
    ];
    let mut corpus = Vec::new();
    for case in tables.into_iter().flat_map(parlor_testkit::cases) {
        corpus.extend(case.position.map(|position| format!("{}\n{position}", case.spec).into_bytes()));
    }
    corpus.push(b"checkers\nB:W21,22,K3:B1,K2".to_vec());
    corpus
}

#[test]
fn every_game_has_positions_to_start_from() {
    let corpus = positions_of_games();
    for entry in GAMES {
        let named = |input: &Vec<u8>| input.starts_with(entry.name.as_bytes());
        assert!(corpus.iter().any(named), "no position of {} for the fuzz suite", entry.name);
    }
}

#[test]
fn positions() {
    let mut games = Opened::default();
    let mut check = |input: &[u8]| -> Read {
        let (spec, position) = head_and_rest(input);
        let Some(game) = games.get(&spec)? else { return Ok(false) };
        let Some(moves) = explained(game.moves(Some(&position)))? else { return Ok(false) };
        let Some(mut table) = explained(game.table(1, Some(&position)))? else { return Ok(true) };
        let mut actions = table.actions();
        actions.sort();
        equal(&actions, &moves, "the list of actions")?;
        use_table(&mut *table, game.seats())?;
        Ok(true)
    };
    let corpus = positions_of_games();
    run(Reader { name: "positions", corpus, words: words_of_games(), repair: None }, &mut check);
}

/// Returns games between random players, one for each of some rules of every game.
fn random_games() -> Vec<SavedGame> {
    let mut games = Vec::new();
    for entry in GAMES {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        let specs = vec!["random"; usize::from(game.seats())];
        let seating: Vec<usize> = (0..specs.len()).collect();
        let mut team = game.team(&specs).expect("everybody can play at random");
        games.extend((0..4).filter_map(|seed| team.play(&MatchSetup::new(&seating, seed, seed))));
    }
    games
}

/// Plays the moves of a saved game.
fn replay(table: &mut dyn AnyTable, moves: &str) -> Result<bool, String> {
    for text in moves.split_whitespace() {
        if explained(table.replay(text))?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

#[test]
fn moves() {
    let corpus =
        random_games().iter().map(|saved| format!("{}\n{}", saved.game, saved.moves).into_bytes()).collect();
    let mut games = Opened::default();
    let mut check = |input: &[u8]| -> Read {
        let (spec, moves) = head_and_rest(input);
        let Some(game) = games.get(&spec)? else { return Ok(false) };
        let Some(mut table) = explained(game.table(1, None))? else { return Ok(false) };
        let whole = replay(&mut *table, &moves)?;
        let saved = table.saved(&vec!["random".to_owned(); usize::from(game.seats())]);
        let mut again = game.table(saved.seed, None).map_err(|error| error.to_string())?;
        if !replay(&mut *again, &saved.moves)? {
            return Err("the moves that were played are refused".to_owned());
        }
        for seat in Seat::all(game.seats()) {
            equal(&again.view_json(seat), &table.view_json(seat), "the view")?;
        }
        use_table(&mut *table, game.seats())?;
        Ok(whole)
    };
    run(Reader { name: "moves", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn saved_games() {
    let corpus = random_games().iter().map(|saved| saved.line().into_bytes()).collect();
    let mut games = Opened::default();
    let mut check = |input: &[u8]| -> Read {
        let Some(saved) = explained(SavedGame::parse(&String::from_utf8_lossy(input)))? else {
            return Ok(false);
        };
        let again =
            SavedGame::parse(&saved.line()).map_err(|error| format!("its own line is refused: {error}"))?;
        equal(&again, &saved, "the saved game")?;
        let Some(game) = games.get(&saved.game)? else { return Ok(true) };
        let Some(mut table) = explained(game.table(saved.seed, saved.start.as_deref()))? else {
            return Ok(true);
        };
        replay(&mut *table, &saved.moves)?;
        Ok(true)
    };
    run(Reader { name: "saved_games", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn views() {
    let mut corpus = Vec::new();
    for saved in random_games() {
        let game = parlor_catalog::open(&saved.game).expect("it was just played");
        let mut table = game.table(saved.seed, None).expect("a game begins");
        for (number, text) in saved.moves.split_whitespace().enumerate() {
            if let Phase::Decide(seat) = table.phase()
                && number % 3 == 0
            {
                let view = &table.view_json(seat)["view"];
                corpus.push(format!("{} {seat} {text}\n{view}", saved.game.replace(' ', "")).into_bytes());
            }
            table.replay(text).expect("a saved game replays");
        }
    }
    let mut games = Opened::default();
    let mut check = |input: &[u8]| -> Read {
        let (head, view) = head_and_rest(input);
        let mut words = head.split(' ');
        let (spec, seat, action) = (words.next(), words.next(), words.next());
        let Some(game) = games.get(spec.unwrap_or_default())? else { return Ok(false) };
        let mut engine = game.engine("random").map_err(|error| error.to_string())?;
        let seat = Seat(seat.and_then(|seat| seat.parse().ok()).unwrap_or(0));
        if explained(engine.begin(seat))?.is_none() {
            return Ok(false);
        }
        let _ = explained(engine.see(Actor::Seat(seat), action.unwrap_or_default()))?;
        let answer = engine.answer(&view, &Clocks::default(), 1, &Cancel::new());
        Ok(explained(answer)?.is_some())
    };
    run(Reader { name: "views", corpus, words: Vec::new(), repair: None }, &mut check);
}
