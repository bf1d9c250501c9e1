//! Whatever comes from outside gets a sentence, never a panic: specs, positions, agents and saved games of every game
//! in the catalog, with a few characters changed.

use parlor_core::Rng;
use parlor_core::api::MatchSetup;
use parlor_core::files::saved::SavedGame;

const LETTERS: &[u8] = b" /|-.,:@x#?=()0123456789abcdefghXORWrwKGMNCPkgmncp\"{}[]+\\\n";

/// Changes one to three characters of a good text.
fn spoil(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        if chars.is_empty() {
            break;
        }
        let at = rng.below(chars.len() as u32) as usize;
        let letter = if rng.below(12) == 0 { '\u{1F600}' } else { char::from(*rng.choose(LETTERS)) };
        match rng.below(5) {
            0 => chars[at] = letter,
            1 => chars.insert(at, letter),
            2 => drop(chars.remove(at)),
            3 => chars.truncate(at),
            _ => chars.extend_from_within(at..),
        }
    }
    chars.into_iter().collect()
}

/// Every error has something to say.
fn explained<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            assert!(error.to_string().len() > 10, "a sentence, not `{error}`");
            None
        }
    }
}

#[test]
fn specs() {
    let mut rng = Rng::new(1);
    for entry in parlor_catalog::GAMES {
        let full = parlor_catalog::open(entry.name).unwrap().spec();
        for _ in 0..500 {
            let text = spoil(&full, &mut rng);
            if let Some(game) = explained(parlor_catalog::open(&text)) {
                let again = parlor_catalog::open(&game.spec()).expect("a full form opens");
                assert_eq!(again.spec(), game.spec());
            }
        }
    }
}

#[test]
fn every_value_of_every_key() {
    use parlor_core::Kind;
    for entry in parlor_catalog::GAMES {
        for key in entry.keys {
            let values: Vec<String> = match key.kind {
                Kind::Whole { min, max } | Kind::WholeOrNone { min, max } => {
                    [min - 1, min, min + 1, (min + max) / 2, max, max + 1, i64::MAX]
                        .map(|n| n.to_string())
                        .to_vec()
                }
                Kind::Choice(words) => words.iter().map(|&word| word.to_owned()).collect(),
                _ => ["on", "off", "none", "0", "-1", "1e99", "nan"].map(str::to_owned).to_vec(),
            };
            for value in values {
                let text = format!("{}({}={value})", entry.name, key.name);
                if let Some(game) = explained(parlor_catalog::open(&text)) {
                    assert!(game.playouts(1, 1).plies > 0, "{text} can be played");
                }
            }
        }
    }
}

#[test]
fn agents() {
    let mut rng = Rng::new(2);
    for entry in parlor_catalog::GAMES {
        let game = parlor_catalog::open(entry.name).unwrap();
        for agent in game.agents().iter().filter(|agent| !["cmd", "nash"].contains(&agent.name)) {
            let full = game.agent_spec(agent.name).unwrap();
            for _ in 0..100 {
                explained(game.agent_spec(&spoil(&full, &mut rng)));
            }
        }
    }
}

/// Plays a saved game again as `parlor play --replay` does.
fn replay(saved: &SavedGame) -> Option<Vec<f64>> {
    let game = explained(parlor_catalog::open(&saved.game))?;
    let mut table = explained(game.table(saved.seed, saved.start.as_deref()))?;
    for text in saved.moves.split_whitespace() {
        explained(table.replay(text))?;
    }
    table.payoffs()
}

#[test]
fn saved_games() {
    let mut rng = Rng::new(3);
    for entry in parlor_catalog::GAMES {
        let game = parlor_catalog::open(entry.name).unwrap();
        let specs = vec!["random"; usize::from(game.seats())];
        let seating: Vec<usize> = (0..specs.len()).collect();
        let saved = game.team(&specs).unwrap().play(&MatchSetup::new(&seating, 8, 9)).unwrap();
        assert_eq!(replay(&saved), saved.payoffs, "a saved game of {} replays", entry.name);
        let line = saved.line();
        assert_eq!(SavedGame::parse(&line).unwrap(), saved);
        for _ in 0..200 {
            if let Some(saved) = explained(SavedGame::parse(&spoil(&line, &mut rng))) {
                replay(&saved);
            }
            let moves = spoil(&saved.moves, &mut rng);
            replay(&SavedGame { moves, ..saved.clone() });
        }
    }
}

#[test]
fn positions() {
    let mut rng = Rng::new(4);
    let tables = [
        include_str!("../moves/checkers.txt"),
        include_str!("../moves/connect.txt"),
        include_str!("../moves/darkchess.txt"),
        include_str!("../moves/minesweeper.txt"),
        include_str!("../moves/tictactoe.txt"),
        include_str!("../perft/darkchess.txt"),
        include_str!("../perft/dominoes.txt"),
    ];
    for case in tables.into_iter().flat_map(parlor_testkit::cases) {
        let Some(position) = case.position else { continue };
        let game = parlor_catalog::open(&case.spec).unwrap();
        for _ in 0..20 {
            let text = spoil(&position, &mut rng);
            if explained(game.moves(Some(&text))).is_some() {
                explained(game.perft(2, Some(&text)));
                explained(game.table(1, Some(&text)));
            }
        }
    }
}
