//! Programs that misbehave in every way we could think of: each costs its game and nothing else.

use parlor_core::Cancel;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use parlor_core::TimeControl;
use parlor_core::files::saved::SavedEnding;
use parlor_lab::{PairMatch, PairRow, Tally, Terms};

/// A game that hides things, one with chance in the middle, and a solitary one with both.
const GAMES: [&str; 3] = ["dominoes(target=none)", "darkchess", "minesweeper"];

/// What a decision may take in games that end when the time is over.
const MOVE: Duration = Duration::from_millis(300);

/// What a decision may take in games that end otherwise. Nobody waits for so long, but a busy machine may need a part of it.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that plays the first legal move, with a gap for what it does instead.
fn engine(on_new: &str, on_go: &str) -> String {
    format!(
        r#"set -f
echo $$ >> "$PIDS"
while read -r word rest; do
  case $word in
    parlor) echo "name a script"; echo ready ;;
    game) echo ok ;;
    new) {on_new} ;;
    legal) set -- $rest; first=$1 ;;
    go) {on_go} ;;
    quit) exit ;;
  esac
done
"#
    )
}

struct Played {
    rows: Vec<PairRow>,
    tally: Tally,
    /// How often the program was started.
    starts: usize,
    took: Duration,
}

/// Seats a script against `random` for so many pairs, and makes sure that nothing of it is left afterwards.
fn play(game: &str, script: &str, pairs: u64, time: TimeControl) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let [file, pids] = ["engine.sh", "pids"].map(|name| folder.path().join(name));
    fs::write(&file, format!("PIDS={}\n{script}", pids.display())).unwrap();
    let command = format!("cmd(command=sh {}, timeout_s=20)", file.display());
    let game = parlor_catalog::open(game).unwrap();
    let plan = PairMatch {
        game: &*game,
        agents: [&command, "random"],
        from: 0,
        pairs,
        seed: 5,
        threads: 1,
        terms: Terms { time, ..Terms::default() },
    };
    let mut rows = Vec::new();
    let started = Instant::now();
    let tally = plan
        .run(&Cancel::new(), |row| {
            rows.push(row);
            ControlFlow::Continue(())
        })
        .unwrap();
    let took = started.elapsed();
    let pids = fs::read_to_string(&pids).unwrap();
    for pid in pids.lines() {
        // What the program left behind is not our child: it was told to end, and nobody can wait for it.
        let gone = (0..200).any(|_| {
            let gone = !lives(pid);
            if !gone {
                std::thread::sleep(Duration::from_millis(5));
            }
            gone
        });
        assert!(gone, "process {pid} of the engine is still there:\n{script}");
    }
    Played { rows, tally, starts: pids.lines().count(), took }
}

/// Returns whether a process runs. One that has ended but that nobody has asked about does not.
fn lives(pid: &str) -> bool {
    if let Ok(stat) = fs::read_to_string(Path::new("/proc").join(pid).join("stat")) {
        let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
        return !matches!(state, Some('Z' | 'X'));
    }
    Command::new("sh").args(["-c", &format!("kill -0 {pid} 2>&-")]).status().unwrap().success()
}

/// Plays a pair of every game; each of the program's games must end with its forfeit for the reason given.
fn forfeits(script: &str, reasons: &[&str]) {
    let ends_late = reasons.iter().any(|why| why.starts_with(LATE));
    let time = TimeControl::per_move(if ends_late { MOVE } else { PATIENCE });
    for game in GAMES {
        let played = play(game, script, 1, time);
        let endings: Vec<String> = played.rows[0].saved().map(|saved| saved.ending.to_string()).collect();
        let guilty = endings.iter().filter(|ending| reasons.iter().any(|why| ending.contains(why))).count();
        let solitary = game == "minesweeper";
        let games = if solitary { 1 } else { 2 };
        assert_eq!(guilty, games, "{game}: {endings:?}, expected {reasons:?}\n{script}");
        assert_eq!(played.tally.forfeits, [games as u64, 0]);
        // Alone, a forfeit is worth as much as the worst that an honest player can get.
        assert!(solitary || played.tally.games.losses == 2);
        assert!(played.starts >= games, "each game starts it afresh");
        // Generous, for busy machines: what matters is that nobody waits for the program.
        assert!(played.took < PATIENCE, "{game} took {:?}", played.took);
    }
}

const LATE: &str = "ran out of time";
const GONE: &str = "ended or closed its output";
const TALK: &str = "talks without end";

#[test]
fn hanging() {
    forfeits(&engine("", r#"sleep 1000 & echo $! >> "$PIDS"; wait"#), &[LATE]);
}

#[test]
fn hanging_without_being_interruptible() {
    forfeits(&engine("", "trap '' TERM INT HUP; sleep 1000"), &[LATE]);
}

#[test]
fn flooding() {
    forfeits(&engine("", "while :; do echo info and so on; done"), &[LATE, TALK]);
    forfeits(&engine("", "yes what is this"), &[LATE, TALK]);
}

#[test]
fn flooding_without_being_asked() {
    forfeits(&engine(r#"yes info & echo $! >> "$PIDS""#, "wait"), &[LATE, TALK]);
}

#[test]
fn crashing() {
    forfeits(&engine("", "exit 3"), &[GONE]);
    forfeits(&engine("", "kill -9 $$"), &[GONE]);
}

#[test]
fn the_last_lines_of_stderr_are_in_the_reason() {
    let script = engine("", "echo loading >&2; printf 'ValueError:\\tz' >&2; exit 1");
    let played = play("tictactoe", &script, 2, TimeControl::default());
    let why = format!("the program {GONE} (stderr: loading | ValueError: z)");
    assert!(played.rows[0].saved().all(|saved| saved.ending.to_string().ends_with(&why)));
    let [ours, theirs] = &played.tally.forfeit_reasons;
    assert_eq!(ours.len(), 1, "{ours:?}");
    assert_eq!((ours[0].reason.as_str(), ours[0].games), (&*format!("the program {GONE}"), 4));
    assert_eq!(ours[0].example, why);
    assert!(theirs.is_empty());
    // A program that is killed has its say, too; one that floods its standard error blocks nobody.
    forfeits(&engine("", "echo thinking >&2; sleep 1000"), &["ran out of time (stderr: thinking)"]);
    forfeits(&engine("", "yes mumble >&2"), &["ran out of time (stderr: mumble | mumble"]);
}

#[test]
fn crashing_before_it_is_asked() {
    forfeits(&engine("exit", ""), &[GONE]);
}

#[test]
fn lying() {
    forfeits(&engine("", "echo move z99"), &["illegal action `z99`"]);
    forfeits(&engine("", "echo move"), &["illegal action"]);
    forfeits(&engine("", "echo move $first $first"), &["illegal action"]);
}

#[test]
fn closing_its_pipe() {
    forfeits(&engine("", "exec >&-; sleep 1000"), &[GONE]);
    forfeits(&engine("", "exec <&-; sleep 1000"), &[LATE, GONE]);
}

#[test]
fn never_reading() {
    forfeits("echo $$ >> \"$PIDS\"; echo ready; echo ok; sleep 1000", &[LATE]);
}

#[test]
fn binary_garbage() {
    forfeits(&engine("", r"printf '\377\376\n'; sleep 1000"), &["bytes that are no text"]);
    forfeits(&engine("", "cat /dev/urandom"), &["no text", "without end", LATE]);
}

#[test]
fn a_line_without_end() {
    forfeits(&engine("", r"cat /dev/zero"), &["a line without end", LATE]);
    forfeits(&engine("", "printf 'move a'; sleep 1000"), &[LATE]);
}

#[test]
fn forking_and_leaving() {
    forfeits(&engine("", r#"sleep 1000 & echo $! >> "$PIDS"; exit"#), &[LATE, GONE]);
}

#[test]
fn a_whole_game_on_the_clock() {
    // It plays at once for a while, then hangs: the total runs out, not the time of a move.
    let script = engine("n=0", "n=$((n + 1)); [ $n -gt 3 ] && sleep 1000; echo move $first");
    let played = play("darkchess", &script, 1, TimeControl::total(8 * MOVE));
    for saved in played.rows[0].saved() {
        assert!(saved.ending.to_string().contains(LATE), "{}", saved.ending);
        assert!(saved.moves.split(' ').count() >= 6, "{}", saved.moves);
    }
}

#[test]
fn the_next_game_starts_it_afresh() {
    let once = r#"if [ -e "$PIDS.been" ]; then echo move $first; else : > "$PIDS.been"; exit 1; fi"#;
    for game in GAMES {
        let played = play(game, &engine("", once), 2, TimeControl::default());
        assert_eq!(played.tally.forfeits, [1, 0], "{game}: only the first game is lost by forfeit");
        assert_eq!(played.starts, 2);
    }
}

#[test]
fn good_programs_play_the_same_games_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engine.sh");
    fs::write(
        &file,
        format!("PIDS=/dev/null\n{}", engine("", "echo info hm; echo nonsense; echo move $first")),
    )
    .unwrap();
    let command = format!("cmd:sh {}", file.display());
    for game in GAMES {
        let game = parlor_catalog::open(game).unwrap();
        let rows = |threads| {
            let mut rows = Vec::new();
            let time = TimeControl::default();
            PairMatch {
                game: &*game,
                agents: [&command, "random"],
                from: 0,
                pairs: 6,
                seed: 5,
                threads,
                terms: Terms { time, ..Terms::default() },
            }
            .run(&Cancel::new(), |row| {
                rows.push(row);
                ControlFlow::Continue(())
            })
            .unwrap();
            rows
        };
        let one = rows(1);
        assert_eq!(one, rows(3));
        assert!(one.iter().flat_map(|row| row.saved()).all(|saved| saved.ending == SavedEnding::Finished));
    }
}
