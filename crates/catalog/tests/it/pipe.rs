//! What goes through the pipe to a program in a process of its own: what its seat may know, and never more.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use parlor_agents::Random;
use parlor_agents::outside::{Outside, Timeouts};
use parlor_core::{
    Actor, Agent, Entry, Fault, Game, Imagine, Match, Notation, Observer, Outcome, Payoffs, Phase, Rng, Seat,
    Settings, Spec, TimeControl,
};
use parlor_games::dominoes::Dominoes;
use parlor_games::tictactoe::TicTacToe;

fn open<G: Entry>(spec: &str) -> G {
    G::open(&Settings::read(&Spec::parse(spec).unwrap(), G::KEYS).unwrap()).unwrap()
}

/// A program that writes down everything it is told and plays the first legal move.
const RECORDER: &str = r#"
set -f
echo $$ > "$DIR/pid"
while read -r word rest; do
  printf '%s %s\n' "$word" "$rest" >> "$DIR/told"
  case $word in
    parlor) echo ready ;;
    game) echo ok ;;
    legal) set -- $rest; first=$1 ;;
    go) echo move $first ;;
    over) LEAVE ;;
    quit) exit ;;
  esac
done
"#;

fn recorder(folder: &Path, leave: &str) -> String {
    let file = folder.join("engine.sh");
    let script = RECORDER.replace("LEAVE", leave);
    fs::write(&file, format!("DIR={}\n{script}", folder.display())).unwrap();
    format!("sh {}", file.display())
}

/// A folder that is thrown away with the build.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Plays from `state` with the recorder in `seat`, and returns what it was told.
fn told(
    game: &Dominoes,
    state: &<Dominoes as Game>::State,
    seat: Seat,
    seed: u64,
    name: &str,
) -> Vec<String> {
    let folder = folder(name);
    let mut engine =
        Outside::start(game, &recorder(&folder, ":"), Path::new("."), Timeouts::default()).unwrap();
    let mut other = Random;
    let mut agents: Vec<&mut dyn Agent<Dominoes>> = vec![&mut engine, &mut other];
    if seat == Seat::SECOND {
        agents.swap(0, 1);
    }
    let outcome = Match::seeded(seed).play_from(game, state.clone(), &mut agents, &mut ());
    assert_eq!(outcome.ending.to_string(), "finished");
    drop(agents);
    drop(engine);
    let text = fs::read_to_string(folder.join("told")).unwrap();
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Deals, and plays a few random actions.
fn somewhere(game: &Dominoes, rng: &mut Rng, actions: u32) -> <Dominoes as Game>::State {
    let mut state = game.start();
    let mut done = 0;
    loop {
        match game.phase(&state) {
            Phase::Chance => {
                let action = game.sample(&state, rng);
                game.apply(&mut state, action);
            }
            Phase::Decide(_) if done < actions => {
                let action = game.pick(&state, rng);
                game.apply(&mut state, action);
                done += 1;
            }
            _ => return state,
        }
    }
}

/// The truth and a world that the seat cannot tell from it: what is said through the pipe is the same, line by line,
/// until something happens in front of the seat's eyes that differs.
#[test]
fn an_engine_is_told_nothing_that_its_seat_cannot_see() {
    let game: Dominoes = open("dominoes(target=none)");
    let mut rng = Rng::new(9);
    let mut differed = 0;
    for trial in 0..12u64 {
        let truth = somewhere(&game, &mut rng, trial as u32 % 5);
        for seat in [Seat::FIRST, Seat::SECOND] {
            let view = game.view(&truth, seat);
            let world = game.imagine(&view, &mut rng);
            assert_eq!(game.view(&world, seat), view);
            let [here, there] = [("truth", &truth), ("world", &world)]
                .map(|(name, state)| told(&game, state, seat, trial, &format!("pipe-{name}")));
            let first = here.iter().zip(&there).position(|(one, other)| one != other);
            let Some(first) = first else { continue };
            differed += 1;
            for line in [&here[first], &there[first]] {
                let word = line.split(' ').next().unwrap();
                let shown = word == "see" && !line.starts_with(&format!("see seat{seat} "));
                // A seat that finds out that the other has passed, drawn or gone out is asked, or not asked, instead.
                let turn = ["view", "over"].contains(&word) && here[first - 1].starts_with("see ");
                assert!(shown || turn, "line {first} tells too much: {line}\n{}", here[..first].join("\n"));
            }
            assert!(here[first].starts_with("see ") || there[first].starts_with("see "), "{}", here[first]);
        }
    }
    assert!(differed > 10, "the worlds were different ones: {differed}");
}

/// Watches the truth, and knows which tiles each seat has had before its eyes.
#[derive(Default)]
struct Witness {
    lines: Vec<String>,
}

impl Observer<Dominoes> for Witness {
    fn before(
        &mut self,
        game: &Dominoes,
        state: &<Dominoes as Game>::State,
        actor: Actor,
        action: <Dominoes as Game>::Action,
    ) {
        if let Some(seen) = game.seen(state, action, Seat::FIRST) {
            let who = match actor {
                Actor::Seat(seat) => format!("seat{seat}"),
                Actor::Chance => "chance".to_owned(),
            };
            self.lines.push(format!("see {who} {}", game.write_action(seen)));
        }
    }

    fn over(&mut self, _: &Dominoes, _: &<Dominoes as Game>::State, outcome: &Outcome) {
        assert_eq!(outcome.ending.to_string(), "finished");
    }
}

#[test]
fn sights_come_through_as_the_game_masks_them() {
    let game: Dominoes = open("dominoes(target=none)");
    let folder = folder("pipe-sights");
    let mut engine =
        Outside::start(&game, &recorder(&folder, ":"), Path::new("."), Timeouts::default()).unwrap();
    let mut witness = Witness::default();
    for seed in 0..5 {
        Match::seeded(seed).play(&game, &mut [&mut engine, &mut Random], &mut witness);
    }
    drop(engine);
    let text = fs::read_to_string(folder.join("told")).unwrap();
    let sights: Vec<&str> = text.lines().filter(|line| line.starts_with("see ")).collect();
    assert_eq!(sights, witness.lines);
    assert!(sights.iter().any(|line| line.contains("??")), "something was hidden");
    let words: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words[..3], ["parlor", "game", "new"]);
    assert_eq!(words[words.len() - 2..], ["over", "quit"]);
    assert!(!words.contains(&"clock"), "nothing is said about clocks that do not run");
}

/// Looks at the truth alone, whatever the game says that seats see: which tiles the second seat was given, and which of
/// them it never showed.
#[derive(Default)]
struct Spy {
    given: Vec<String>,
    kept: Vec<String>,
}

impl Observer<Dominoes> for Spy {
    fn before(
        &mut self,
        game: &Dominoes,
        state: &<Dominoes as Game>::State,
        _: Actor,
        action: <Dominoes as Game>::Action,
    ) {
        let mut next = state.clone();
        game.apply(&mut next, action);
        let gained = next.hand(Seat::SECOND) - state.hand(Seat::SECOND);
        self.given.extend(gained.tiles().map(|tile| tile.to_string()));
    }

    fn over(&mut self, _: &Dominoes, state: &<Dominoes as Game>::State, _: &Outcome) {
        self.kept = state.hand(Seat::SECOND).tiles().map(|tile| tile.to_string()).collect();
    }
}

#[test]
fn tiles_of_the_other_hand_are_never_named() {
    let game: Dominoes = open("dominoes(target=none)");
    let (mut given, mut kept) = (0, 0);
    for seed in 0..8 {
        let folder = folder("pipe-tiles");
        let mut engine =
            Outside::start(&game, &recorder(&folder, ":"), Path::new("."), Timeouts::default()).unwrap();
        let mut spy = Spy::default();
        Match::seeded(seed).play(&game, &mut [&mut engine, &mut Random], &mut spy);
        drop(engine);
        let told = fs::read_to_string(folder.join("told")).unwrap();
        for tile in &spy.given {
            let named = [format!("deal:{tile}"), format!("draw:{tile}")];
            assert!(!named.iter().any(|text| told.contains(text)), "{tile} was given face down:\n{told}");
        }
        for tile in &spy.kept {
            let named = [format!("\"{tile}\""), format!("{tile}@")];
            assert!(!named.iter().any(|text| told.contains(text)), "{tile} was never shown:\n{told}");
        }
        given += spy.given.len();
        kept += spy.kept.len();
    }
    assert!(given > 8 * 7 && kept > 0, "tiles were drawn ({given}) and kept ({kept})");
}

#[test]
fn both_clocks_are_told() {
    let game: TicTacToe = open("tictactoe");
    let folder = folder("pipe-clocks");
    let mut engine =
        Outside::start(&game, &recorder(&folder, ":"), Path::new("."), Timeouts::default()).unwrap();
    let mut settings = Match::seeded(1);
    let control = |text: &str| -> TimeControl { text.parse().unwrap() };
    settings.time.0 = [control("10m+5s"), control("40/5m")];
    let outcome = settings.play(&game, &mut [&mut engine, &mut Random], &mut ());
    assert_eq!(outcome.ending.to_string(), "finished");
    drop(engine);
    let text = fs::read_to_string(folder.join("told")).unwrap();
    let clocks: Vec<&str> = text.lines().filter(|line| line.starts_with("clock ")).collect();
    assert_eq!(
        clocks[0],
        "clock own=600000 other=300000 control=10m+5s left=600000 done=0 used=0 other_control=40/5m other_left=300000 other_moves=40 other_done=0 other_used=0"
    );
    assert!(
        clocks[1].contains(" done=1 ") && clocks[1].contains(" other_moves=39 other_done=1 "),
        "{}",
        clocks[1]
    );
    assert_eq!(clocks.len(), text.lines().filter(|line| line.starts_with("go ")).count());
}

#[test]
fn one_that_has_left_between_two_matches_is_fetched_back() {
    let game: TicTacToe = open("tictactoe");
    let folder = folder("pipe-back");
    let mut engine =
        Outside::start(&game, &recorder(&folder, "exit"), Path::new("."), Timeouts::default()).unwrap();
    let agent: &mut dyn Agent<TicTacToe> = &mut engine;
    agent.begin(&game, Seat::FIRST);
    agent.end(&game, &Payoffs::default());
    let pid = fs::read_to_string(folder.join("pid")).unwrap();
    let stat = Path::new("/proc").join(pid.trim()).join("stat");
    // Where there is no such file, a while is long enough.
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(5));
        if fs::read_to_string(&stat).is_ok_and(|text| text.contains(") Z ")) {
            break;
        }
    }
    let outcome = Match::seeded(1).play(&game, &mut [&mut engine, &mut Random], &mut ());
    assert_eq!(outcome.ending.to_string(), "finished");
}

#[test]
fn programs_that_cannot_be_seated_get_a_sentence() {
    let game: TicTacToe = open("tictactoe");
    let within = |decision: Duration, command: &str| {
        let error = Outside::start(&game, command, Path::new("."), Timeouts { decision }).err().unwrap();
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        format!("{error}: {cause}")
    };
    // As long as a handshake may take: on a busy machine a shell may need a while to start.
    let says = |command: &str| within(Duration::from_secs(60), command);
    assert!(says("/no/such/program").contains("cannot be started"));
    assert!(says("sh -c 'unclosed").contains("quote is not closed"));
    assert!(says("true").contains("does not speak the protocol: the program ended"));
    assert!(says("sh -c 'echo no such model >&2; exit 3'").ends_with("(stderr: no such model)"));
    assert!(
        says("sh -c 'echo ready; echo refuse too small a board'")
            .contains("refuses the game: too small a board")
    );
    assert!(says("cat /dev/zero").contains("a line without end"));
    assert!(says("yes").contains("talks without end"));
    let silent = within(Duration::from_millis(300), "sh -c 'sleep 1000'");
    assert!(silent.contains(&Fault::Overran.to_string()));
}
