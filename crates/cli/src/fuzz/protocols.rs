//! Lines of protocols, from both sides, and the words of the command line.

use std::fs;
use std::io::BufReader;

use clap::FromArgMatches;
use parlor_catalog::GAMES;
use parlor_core::TimeControl;
use parlor_core::api::MatchSetup;
use parlor_core::files::reading::read_line;
use parlor_core::text::protocol::{FromEngine, ToEngine};

use super::{Read, Reader, equal, explained, harmless, run, scrap};
use crate::commands::{self, Args};
use crate::engine::lines::Lines;
use crate::engine::{gtp, hub, native, seated};

/// Returns whether what a program printed is text without control characters, and no agent fell over.
fn fine(out: &[u8]) -> Read {
    let text = std::str::from_utf8(out).map_err(|_| "the output is not UTF-8")?;
    harmless(text)?;
    if text.contains("panicked") { Err(format!("an agent panicked: {text}")) } else { Ok(!out.is_empty()) }
}

/// Returns what a referee says to an engine in a match at random: one transcript a game.
fn transcripts() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for entry in GAMES {
        let game = parlor_catalog::open(entry.name).expect("a game of the registry opens");
        let mut text = format!("parlor 1\ngame {}\nnew 0\n", game.spec());
        let mut table = game.table(3, None).expect("a game begins");
        let mut told = 0;
        for step in 0..60_u64 {
            match table.phase() {
                parlor_core::Phase::Over => break,
                parlor_core::Phase::Chance => drop(table.chance()),
                parlor_core::Phase::Decide(seat) => {
                    let sights = table.sights(parlor_core::Seat::FIRST);
                    for (actor, action) in &sights[told..] {
                        text += &format!("{}\n", ToEngine::See(*actor, action.clone()));
                    }
                    told = sights.len();
                    let legal = table.actions();
                    if seat == parlor_core::Seat::FIRST {
                        let view = &table.view_json(seat)["view"];
                        text += &format!(
                            "view {view}\nlegal {}\nclock own=1000 other=2000\ngo {step}\n",
                            legal.join(" ")
                        );
                    } else {
                        text +=
                            &format!("ponder {}\nstop\n", table.view_json(parlor_core::Seat::FIRST)["view"]);
                    }
                    let _ = table.act(seat, &legal[step as usize % legal.len()]);
                }
            }
        }
        corpus.push(format!("{text}over 1 -1\n").into_bytes());
    }
    corpus
}

#[test]
fn native_engine() {
    let mut check = |input: &[u8]| -> Read {
        let name = String::from_utf8_lossy(input)
            .lines()
            .find_map(|line| Some(line.strip_prefix("game ")?.split('(').next()?.trim().to_owned()));
        let known = GAMES.iter().find(|entry| Some(entry.name) == name.as_deref()).unwrap_or(&GAMES[0]);
        let game = parlor_catalog::open(known.name).map_err(|error| error.to_string())?;
        for line in String::from_utf8_lossy(input).lines() {
            // What a line of clocks leaves out is guessed, so it need not be written back as it was.
            if let Some(message) =
                ToEngine::read(line).filter(|message| !matches!(message, ToEngine::Clock(_)))
            {
                equal(&ToEngine::read(&message.to_string()), &Some(message), "the message")?;
            }
        }
        let mut out = Vec::new();
        native::run_on(game, "random", input, &mut out).map_err(|error| error.to_string())?;
        fine(&out)
    };
    let corpus = transcripts();
    run(Reader { name: "native_engine", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn gtp_engine() {
    let corpus = vec![
        b"protocol_version\nlist_commands\nboardsize 4 8\nclear_board\ntime_settings 60 10 2\ngenmove red\nflip a1 K\nplay b b2\n\
          flip b2 p\nshowboard\ntime_left r 30 0\nundo\ngenmove black\n7 name\nquit\n"
            .to_vec(),
        b"reset_board\nmove a1 a2\nflip a1 K\nflip a2 g\nmove a1 a2\nknown_command flip\ngenmove ?\nversion # comment\n".to_vec(),
    ];
    let words = ["red", "black", "a1", "d8", "K", "k", "P", "c", "genmove", "flip", "move", "play"]
        .map(str::to_owned)
        .to_vec();
    let mut check = |input: &[u8]| -> Read {
        let game = parlor_catalog::open("darkchess").map_err(|error| error.to_string())?;
        let seated = seated::Opponent::new(game, "random", Some(1)).map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        gtp::run(seated, &mut Lines::new(input), &mut out).map_err(|error| error.to_string())?;
        fine(&out)
    };
    run(Reader { name: "gtp_engine", corpus, words, repair: None }, &mut check);
}

#[test]
fn hub_engine() {
    let corpus = vec![
        b"hub\ninit\nnew-game\npos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"9-13 24-20\"\nlevel move-time=1\ngo think\nping\nquit\n"
            .to_vec(),
        b"hub\ninit\npos pos=WeeeWeeeeeeeeeeeeeeeeeeeeeeeeBeee\nlevel time=60 moves=30 inc=1\ngo\nstop\nponder-hit\n".to_vec(),
    ];
    let mut check = |input: &[u8]| -> Read {
        let game = parlor_catalog::open("checkers").map_err(|error| error.to_string())?;
        let seated = seated::Opponent::new(game, "random", Some(1)).map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        hub::run(seated, &mut Lines::new(input), &mut out).map_err(|error| error.to_string())?;
        fine(&out)
    };
    run(Reader { name: "hub_engine", corpus, words: Vec::new(), repair: None }, &mut check);
}

/// Answers each question with lines of a file, up to one with a word that answers it.
#[cfg(unix)]
const ENGINE: &str = r#"
exec 3< "$1"
answer() {
  while read -r line <&3; do
    printf '%s\n' "$line"
    case ${line%% *} in $1 | $2) return ;; esac
  done
  exit
}
while read -r word rest; do
  case $word in
    parlor) answer ready ready ;;
    game) answer ok refuse ;;
    go) answer move move ;;
    quit) exit ;;
  esac
done
"#;

/// Our side of the pipe to a program that says anything.
#[cfg(unix)]
#[test]
fn native_host() {
    let folder = scrap("host");
    let [script, lines] = ["engine.sh", "lines"].map(|name| folder.path().join(name));
    fs::write(&script, ENGINE).unwrap();
    let agent = format!("cmd:sh {} {}", script.display(), lines.display());
    let mut corpus: Vec<Vec<u8>> =
        vec![b"ready\nrefuse no such game\n".to_vec(), b"name an engine 1.0\nready\nok\n".to_vec()];
    corpus.extend([
        b"ready\nok\nmove a1\nmove b2\nmove c3\n".to_vec(),
        b"ready\nok\ninfo depth 3\nmove b2\nmove a3\n".to_vec(),
    ]);
    let game = parlor_catalog::open("tictactoe").expect("a game of the registry opens");
    let mut check = |input: &[u8]| -> Read {
        for line in String::from_utf8_lossy(input).lines() {
            match FromEngine::read(line) {
                Some(FromEngine::Move(_)) | None => {}
                Some(text) => harmless(&text.to_string())?,
            }
        }
        fs::write(&lines, input).map_err(|error| error.to_string())?;
        let Some(mut team) = explained(game.team(&[&agent, "random"]))? else { return Ok(false) };
        let saved = team.play(&MatchSetup::new(&[0, 1], 1, 1)).ok_or("the match was abandoned")?;
        harmless(&saved.ending.to_string())?;
        Ok(true)
    };
    run(Reader { name: "native_host", corpus, words: Vec::new(), repair: None }, &mut check);
}

/// What programs say, a line at a time: many more inputs than [`native_host`] can start programs for.
#[test]
fn engine_answers() {
    let corpus = [
        "name an engine 1.0\nready\nok\nmove a1\nmove 13@left\nmove a1-b2xc3",
        "ready\nrefuse too large a board\ninfo depth 3\ninfo value 0.5 pv a1 b2 c3",
        "info {\"depth\": 3, \"value\": -0.25}\nerror what is this\nmove pass",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    let mut check = |input: &[u8]| -> Read {
        let mut understood = false;
        for line in String::from_utf8_lossy(input).lines() {
            let Some(message) = FromEngine::read(line) else { continue };
            understood = true;
            // A move is compared with the legal ones before anything repeats it.
            if !matches!(message, FromEngine::Move(_)) {
                harmless(&message.to_string())?;
            }
            // A text that was cut, or whose escapes are longer than what they stand for, is cut again.
            let text = message.to_string();
            if !text.ends_with('…') && text.len() <= line.len() {
                equal(&FromEngine::read(&text), &Some(message), "the message")?;
            }
        }
        Ok(understood)
    };
    run(Reader { name: "engine_answers", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn lines() {
    let mut check = |input: &[u8]| -> Read {
        let mut lines = Lines::new(BufReader::with_capacity(5, input));
        while lines.next().map_err(|error| error.to_string())?.is_some() {}
        let (mut reader, mut bytes) = (BufReader::with_capacity(3, input), Vec::new());
        while let Some(line) = read_line(&mut reader).map_err(|error| error.to_string())? {
            bytes.extend(line);
        }
        equal(&bytes, &input.to_vec(), "the text")?;
        Ok(true)
    };
    let corpus = transcripts();
    run(Reader { name: "lines", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn clocks() {
    let corpus: Vec<Vec<u8>> =
        ["none", "5m+2s", "1h", "500ms", "40/90m,30m+30s", "30s/move", "5m 3x30s", "own=1000 other=2000"]
            .map(|text| text.as_bytes().to_vec())
            .to_vec();
    let mut check = |input: &[u8]| -> Read {
        let text = String::from_utf8_lossy(input);
        if let Some(message) = ToEngine::read(&format!("clock {text}")) {
            harmless(&message.to_string())?;
        }
        let Some(control) = explained(text.parse::<TimeControl>())? else { return Ok(false) };
        let again: TimeControl =
            control.to_string().parse().map_err(|error| format!("its own text is refused: {error}"))?;
        equal(&again, &control, "the time control")?;
        Ok(true)
    };
    run(Reader { name: "clocks", corpus, words: Vec::new(), repair: None }, &mut check);
}

/// Returns the words of a call of every command, one a line: with every option, each with a value.
fn calls(command: &clap::Command, path: &[String], found: &mut Vec<Vec<u8>>) {
    for sub in command.get_subcommands() {
        let path = [path, &[sub.get_name().to_owned()]].concat();
        calls(sub, &path, found);
        let value = |arg: &clap::Arg| {
            let choices = arg.get_possible_values();
            let default = arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
            choices
                .first()
                .map(|choice| choice.get_name().to_owned())
                .or(default)
                .unwrap_or_else(|| "1".to_owned())
        };
        let mut words = path.clone();
        for arg in sub.get_arguments() {
            let takes_value = arg.get_action().takes_values();
            match arg.get_long() {
                None if arg.is_positional() => words.push("dominoes".to_owned()),
                Some(long) => {
                    let mut one = path.clone();
                    one.push(format!("--{long}"));
                    one.extend(takes_value.then(|| value(arg)));
                    found.push(one.join("\n").into_bytes());
                }
                None => {}
            }
        }
        found.push(words.join("\n").into_bytes());
    }
}

#[test]
fn arguments() {
    let mut corpus = vec![b"match\ndominoes\nexpert\nrandom\n--pairs\n500".to_vec()];
    calls(&commands::parser(), &[], &mut corpus);
    let parser = commands::parser();
    let mut check = |input: &[u8]| -> Read {
        let text = String::from_utf8_lossy(input);
        let words = std::iter::once("parlor").chain(text.split('\n'));
        match parser.clone().try_get_matches_from(words).and_then(|typed| Args::from_arg_matches(&typed)) {
            Ok(_) => Ok(true),
            Err(error) => {
                harmless(&crate::terminal::refusal(&error).replace("\u{1b}[", ""))?;
                Ok(false)
            }
        }
    };
    run(Reader { name: "arguments", corpus, words: Vec::new(), repair: None }, &mut check);
}
