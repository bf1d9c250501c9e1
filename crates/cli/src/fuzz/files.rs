//! Files of learners, books, strategies, weights and endgame databases.

use std::fs;

use parlor_catalog::book::Book;
use parlor_catalog::endgame::{BuildRequest, Checks};
use parlor_catalog::equilibria::strategy::Strategy;
use parlor_catalog::net::{Positions, SelfPlayPlan};
use parlor_catalog::{Ability, GAMES};
use parlor_core::files::checksummed_file::checksum;
use parlor_core::files::knowledge::{Knowledge, Stage};
use parlor_core::{Cancel, Kind, OnDisk, Progress, Resources};
use parlor_lab::training::{Request, Training};

use super::{Read, Reader, equal, explained, run, scrap};

/// Makes the last four bytes the checksum of those before.
pub(super) fn repair_end(input: &mut Vec<u8>) {
    input.truncate(input.len().saturating_sub(4));
    let sum = checksum(input);
    input.extend_from_slice(&sum.to_le_bytes());
}

/// Returns the content behind the two lines of a checksummed file.
fn content(bytes: &[u8]) -> &[u8] {
    let second = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1);
    second.map_or(&[], |(at, _)| &bytes[at + 1..])
}

#[test]
fn knowledge() {
    let mut corpus = Vec::new();
    for entry in GAMES.iter().filter(|entry| entry.has(Ability::Training)) {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        for agent in game.agents().iter().filter(|agent| agent.learns) {
            let mut request = Request {
                testers: vec!["random".to_owned()],
                test_matches: 2,
                memory_mb: 16,
                ..Request::plain(agent.name, "random", [1, 3], 1)
            };
            let stage = request.stages[0].clone();
            request.stages.push(Stage { round: 2, ..stage });
            let Ok(mut training) = Training::start(&*game, &request) else { continue };
            if training.round(&Cancel::new(), |_| ()).is_err() {
                continue;
            }
            corpus.extend(training.knowledge().map(|knowledge| knowledge.to_bytes()));
        }
    }
    let mut check = |input: &[u8]| -> Read {
        let Some(knowledge) = explained(Knowledge::parse(input))? else { return Ok(false) };
        let again = Knowledge::parse(&knowledge.to_bytes())
            .map_err(|error| format!("its own bytes are refused: {error}"))?;
        equal(&again, &knowledge, "the knowledge")?;
        let Some(game) = explained(parlor_catalog::open(&knowledge.about.game))? else { return Ok(true) };
        // What a stranger's file names is not opened or started.
        if !game.survey(&knowledge.about.learner).is_ok_and(|survey| survey.outside.is_empty()) {
            return Ok(true);
        }
        let Some(mut team) = explained(game.team(&[&knowledge.about.learner]))? else { return Ok(true) };
        let Some(mut learner) = team.learner(0) else { return Ok(true) };
        if explained(learner.load(&mut &knowledge.payload[..]))?.is_some() {
            let mut saved = Vec::new();
            learner.save(&mut saved).map_err(|error| error.to_string())?;
            if std::str::from_utf8(&saved)
                .is_ok_and(|text| !text.contains(|c: char| c.is_control() && c != '\n'))
            {
                // A text that people may write in their own way: `7` for `7.0`, comments. What is written is read as it was.
                learner.load(&mut &saved[..]).map_err(|error| format!("its own text is refused: {error}"))?;
                let mut again = Vec::new();
                learner.save(&mut again).map_err(|error| error.to_string())?;
                equal(&again, &saved, "what was learnt")?;
            } else {
                equal(&saved, &knowledge.payload, "what was learnt")?;
            }
            learner.size();
            learner.inspect(5);
        }
        Ok(true)
    };
    let repair = Some(repair_end as fn(&mut Vec<u8>));
    run(Reader { name: "knowledge", corpus, words: Vec::new(), repair }, &mut check);
}

#[test]
fn book() {
    let mut corpus = Vec::new();
    for entry in GAMES.iter().filter(|entry| entry.has(Ability::Books)) {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        let books = game.books().expect("the registry says so");
        let mut book = Book::new(books.begin("random", 1, 4, 20).expect("everybody plays at random"));
        books.grow(&mut book, 1, &Cancel::new(), &mut |_| ()).expect("it can be built").expect("it grows");
        corpus.push(book.to_bytes());
    }
    let mut check = |input: &[u8]| -> Read {
        let Some(book) = explained(Book::parse(input))? else { return Ok(false) };
        let bytes = book.to_bytes();
        equal(
            &content(&bytes)[..content(&bytes).len() - 4],
            &content(input)[..content(input).len() - 4],
            "the book",
        )?;
        let again = Book::parse(&bytes).map_err(|error| format!("its own bytes are refused: {error}"))?;
        equal(&again, &book, "the book")?;
        if let Some(game) = explained(parlor_catalog::open(&book.about.game))?
            && let Ok(books) = game.books()
        {
            explained(books.look_up(&book, None))?;
        }
        Ok(true)
    };
    let repair = Some(repair_end as fn(&mut Vec<u8>));
    run(Reader { name: "book", corpus, words: Vec::new(), repair }, &mut check);
}

#[test]
fn net_positions() {
    let mut corpus = Vec::new();
    for entry in GAMES.iter().filter(|entry| entry.has(Ability::Nets)) {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        let nets = game.nets().expect("the registry says so");
        let plan =
            SelfPlayPlan { agent: "alphabeta(depth=1)", matches: 2, seed: 1, threads: 1, opening: [2, 4] };
        let positions =
            nets.self_play(&plan, &Cancel::new(), &mut |_, _| ()).expect("a search plays the game");
        corpus.push(positions.to_bytes());
    }
    let mut check = |input: &[u8]| -> Read {
        let Some(positions) = explained(Positions::parse(input))? else { return Ok(false) };
        let again = Positions::parse(&positions.to_bytes())
            .map_err(|error| format!("its own bytes are refused: {error}"))?;
        equal(&again, &positions, "the file of positions")?;
        Ok(true)
    };
    let repair = Some(repair_end as fn(&mut Vec<u8>));
    run(Reader { name: "net_positions", corpus, words: Vec::new(), repair }, &mut check);
}

/// Returns a strategy file with a few information sets.
fn strategy_file() -> Vec<u8> {
    let game = parlor_catalog::open("dominoes(rules=myers)").expect("a game of the registry opens").spec();
    let about = serde_json::json!({"parlor": "0.1.0", "game": game, "value": 0.5, "low": 0.4, "high": 0.6,
        "exploitability": 0.1, "rounds": 7});
    let mut bytes = format!("parlor strategy 1\n{about}\n").into_bytes();
    for (memory, odds) in [(&b""[..], [0.5_f32, 0.5]), (b"\x01", [1.0, 0.0]), (b"\x01\x02", [0.25, 0.75])] {
        bytes.extend_from_slice(&(memory.len() as u16).to_le_bytes());
        bytes.extend_from_slice(memory);
        bytes.extend_from_slice(&2_u16.to_le_bytes());
        bytes.extend(odds.iter().flat_map(|odds| odds.to_le_bytes()));
    }
    bytes.extend_from_slice(&[0; 4]);
    repair_end(&mut bytes);
    bytes
}

#[test]
fn strategy() {
    let mut check = |input: &[u8]| -> Read {
        let Some(strategy) = explained(Strategy::parse(input))? else { return Ok(false) };
        let bytes = strategy.to_bytes();
        equal(
            &content(&bytes)[..content(&bytes).len() - 4],
            &content(input)[..content(input).len() - 4],
            "the strategy",
        )?;
        explained(Strategy::parse(&bytes))?.ok_or("its own bytes are refused")?;
        Ok(true)
    };
    let repair = Some(repair_end as fn(&mut Vec<u8>));
    let corpus = vec![strategy_file()];
    run(Reader { name: "strategy", corpus, words: Vec::new(), repair }, &mut check);
}

/// Weights are read where an agent that uses them is made: `SPEC`, the agent, then the file.
#[test]
fn weights() {
    let folder = scrap("weights");
    let file = folder.path().join("weights.toml");
    let mut corpus = Vec::new();
    for entry in GAMES {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        let shipped = fs::read(format!("{}/../games/data/{}.toml", env!("CARGO_MANIFEST_DIR"), entry.name));
        for agent in game.agents() {
            let takes_file = |kind: Kind| matches!(kind, Kind::File(OnDisk { words: ["shipped"], .. }));
            if agent.keys.iter().any(|key| key.name == "weights" && takes_file(key.kind)) {
                let text = shipped.as_deref().expect("a game with weights ships some").to_vec();
                corpus.push([format!("{}\n{}\n", entry.name, agent.name).into_bytes(), text].concat());
            }
        }
    }
    let mut check = |input: &[u8]| -> Read {
        let mut parts = input.splitn(3, |&byte| byte == b'\n');
        let mut part = || parts.next().unwrap_or_default();
        let [game, agent] = [part(), part()].map(|part| String::from_utf8_lossy(part).into_owned());
        fs::write(&file, part()).map_err(|error| error.to_string())?;
        let Some(game) = explained(parlor_catalog::open(&game))? else { return Ok(false) };
        if !agent.chars().all(char::is_alphanumeric) {
            return Ok(false);
        }
        let spec = format!("{agent}(weights=\"{}\")", file.display());
        Ok(explained(game.agent_spec(&spec))?.is_some())
    };
    run(Reader { name: "weights", corpus, words: Vec::new(), repair: None }, &mut check);
}

/// Makes the checksums of an endgame file right: of its blocks, and of everything before them.
fn repair_endgame(input: &mut [u8]) {
    let Some(start) =
        input.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).map(|(at, _)| at + 1)
    else {
        return;
    };
    let header: serde_json::Value = serde_json::from_slice(
        &input[input.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1)..start - 1],
    )
    .unwrap_or_default();
    let blocks = header["blocks"].as_u64().unwrap_or(0).min(input.len() as u64) as usize;
    let first = start + 12 * blocks + 4;
    if first > input.len() {
        return;
    }
    let mut begin = 0;
    for block in 0..blocks {
        let at = start + 12 * block;
        let end = u64::from_le_bytes(input[at..at + 8].try_into().expect("eight bytes")) as usize;
        if let Some(bytes) = first.checked_add(end).and_then(|end| input.get(first + begin..end)) {
            let sum = checksum(bytes).to_le_bytes();
            input[at + 8..at + 12].copy_from_slice(&sum);
            begin = end;
        }
    }
    let sum = checksum(&input[..first - 4]).to_le_bytes();
    input[first - 4..first].copy_from_slice(&sum);
}

#[test]
fn endgame() {
    let place = scrap("endgame");
    let folder = place.path().to_owned();
    let small = "checkers(rows=4, columns=4)";
    let game = parlor_catalog::open(small).expect("a game of the registry opens");
    let endgames = game.endgames().expect("checkers has endgames");
    let (cancel, full) = (Cancel::new(), game.spec());
    let request = BuildRequest { game: &full, folder: &folder, pieces: 2, resources: Resources::default() };
    let mut progress = Progress { cancel: &cancel, report: &mut |_| {} };
    endgames.build(&request, &mut progress).expect("a small database can be built");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // Each file as an input, behind its name; one at a time is changed.
    let valid: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let corpus = files
        .iter()
        .zip(&valid)
        .enumerate()
        .map(|(at, (_, bytes))| [&[at as u8][..], bytes].concat())
        .collect();
    let mut check = |input: &[u8]| -> Read {
        let Some((&at, bytes)) = input.split_first() else { return Ok(false) };
        let at = usize::from(at) % files.len();
        fs::write(&files[at], bytes).map_err(|error| error.to_string())?;
        let read = explained(endgames.rows(&folder)).and_then(|rows| {
            let mut found = rows.is_some();
            for position in
                ["W:Wa1,c1:Rb4", "R:Rb4:Wa1", "8/8", "r.r./..../..../w.w. r", "R.../..../..../...w r"]
            {
                found |= explained(endgames.probe(&folder, position))?.is_some();
            }
            let checks = Checks { threads: 1, sample: 1, seed: 1, depth: 2 };
            let mut progress = Progress { cancel: &cancel, report: &mut |_| {} };
            if rows.is_some() {
                explained(endgames.verify(&folder, &checks, &mut progress))?;
            }
            Ok(found)
        });
        fs::write(&files[at], &valid[at]).map_err(|error| error.to_string())?;
        read
    };
    fn repair(input: &mut Vec<u8>) {
        let mut rest = input.split_off(input.len().min(1));
        repair_endgame(&mut rest);
        input.append(&mut rest);
    }
    let repair = Some(repair as fn(&mut Vec<u8>));
    run(Reader { name: "endgame", corpus, words: Vec::new(), repair }, &mut check);
}
