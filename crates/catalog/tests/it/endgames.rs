//! Endgame databases and the solver that rests on them, against simpler methods.

use std::collections::HashMap;
use std::path::PathBuf;

use parlor_agents::alphabeta;
use parlor_agents::endgame::verify::{consistency, sample};
use parlor_agents::endgame::{
    BuildRequest, Checks, EndgameError, Findings, Folder, NO_PLY_LIMIT, Reader, Tables, complete, folder,
    prove, reachable_classes, solver, up_to,
};
use parlor_core::api::BuildContext;
use parlor_core::{
    Cancel, Context, Decision, Game, GameValue, Key, Notation, Position, Progress, ProgressUpdate, Resources,
    Reversible, Rng, Settings, Solver, Spec, Spot, Unsolved,
};
use parlor_games::checkers::{Board, Checkers, Kings, Move, Options};
use parlor_games::darkchess::DarkChess;

fn checkers(rows: u8, columns: u8, kings: Kings) -> Checkers<u64> {
    Checkers::new(rows, columns, Options { kings, ..Options::default() }).unwrap()
}

/// Does something that nobody calls off.
fn patiently<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_: &ProgressUpdate| {} })
}

fn tables<G: Reversible>(game: &G, classes: &[G::Class], threads: usize) -> Tables<G::Class> {
    let mut tables = Tables::default();
    patiently(|progress| complete(game, &mut tables, classes, NO_PLY_LIMIT, threads, progress)).unwrap();
    tables
}

/// Returns every setup of some classes.
fn setups<G: Reversible>(game: &G, classes: &[G::Class]) -> Vec<G::Setup> {
    let mut found = Vec::new();
    for &class in classes {
        for slice in 0..game.slices(class) {
            found.extend(
                (0..game.slice_size(class)).filter_map(|place| game.at(Spot { class, slice, place })),
            );
        }
    }
    found
}

/// Values by going over all setups until nothing changes, with the rules alone.
fn iterated<G: Reversible>(game: &G, setups: &[G::Setup]) -> HashMap<G::Setup, GameValue> {
    let mut values: HashMap<G::Setup, GameValue> = HashMap::new();
    let next: Vec<Vec<G::Setup>> = setups
        .iter()
        .map(|setup| {
            let state = game.stand(setup);
            let after = |action| {
                let mut next = state.clone();
                game.apply(&mut next, action);
                game.setup(&next).unwrap()
            };
            game.actions(&state).map(after).collect()
        })
        .collect();
    loop {
        let before = values.len();
        for (setup, next) in setups.iter().zip(&next) {
            let value =
                |next| if game.is_bare(game.class(next)) { Some(&GameValue::Lost) } else { values.get(next) };
            if next.iter().any(|next| value(next) == Some(&GameValue::Lost)) {
                values.insert(*setup, GameValue::Won);
            } else if next.iter().all(|next| value(next) == Some(&GameValue::Won)) {
                values.insert(*setup, GameValue::Lost);
            }
        }
        if values.len() == before {
            return values;
        }
    }
}

fn agrees_with_iteration<G: Reversible>(game: &G, classes: &[G::Class]) {
    let tables = tables(game, classes, 2);
    let setups = setups(game, classes);
    let values = iterated(game, &setups);
    for setup in &setups {
        let value = values.get(setup).copied().unwrap_or(GameValue::Drawn);
        assert_eq!(tables.value(game, setup), Some(value), "{setup:?}");
    }
    for &class in classes {
        let census = tables.get(class).unwrap().census;
        let own = setups.iter().filter(|setup| game.class(setup) == class);
        assert_eq!(census.setups(), own.count() as u64);
    }
}

#[test]
fn tables_agree_with_going_over_all_positions_until_nothing_changes() {
    for kings in [Kings::Must, Kings::May] {
        let four = checkers(4, 4, kings);
        let all = reachable_classes(&four, four.class(&four.setup(&four.start()).unwrap()));
        assert_eq!(all.len(), 25);
        agrees_with_iteration(&four, &all);
        let six = checkers(6, 6, kings);
        agrees_with_iteration(&six, &up_to(&six, 3));
    }
}

/// With the rule about plies without progress, by the rules alone: a value for every setup and every count.
#[test]
fn tables_know_when_time_is_up() {
    for draw in [2, 5] {
        let game = Checkers::<u64>::new(6, 6, Options { draw, ..Options::default() }).unwrap();
        let classes: Vec<_> = up_to(&game, 3);
        let mut tables = Tables::default();
        patiently(|progress| complete(&game, &mut tables, &classes, u32::from(draw), 2, progress)).unwrap();
        let setups = setups(&game, &classes);
        let mut values: HashMap<(Board<u64>, u16), GameValue> = HashMap::new();
        loop {
            let before = values.len();
            for (setup, idle) in setups.iter().flat_map(|&setup| (0..draw).map(move |idle| (setup, idle))) {
                if values.contains_key(&(setup, idle)) {
                    continue;
                }
                let mut best = Some(GameValue::Lost);
                game.onward(&setup, |next, reversible| {
                    let idle = if reversible { idle + 1 } else { 0 };
                    let stuck = game.actions(&next).len() == 0;
                    let value = if stuck {
                        Some(GameValue::Lost)
                    } else if idle == draw {
                        Some(GameValue::Drawn)
                    } else {
                        values.get(&(next, idle)).copied()
                    };
                    best = match (best, value.map(GameValue::turned)) {
                        (Some(GameValue::Won), _) | (_, Some(GameValue::Won)) => Some(GameValue::Won),
                        (best, value) => best.zip(value).map(|(best, value)| best.max(value)),
                    };
                });
                if let Some(best) = best {
                    values.insert((setup, idle), best);
                }
            }
            if values.len() == before {
                break;
            }
        }
        for setup in &setups {
            assert_eq!(tables.value(&game, setup), values.get(&(*setup, 0)).copied(), "{draw} {setup:?}");
        }
    }
}

#[test]
fn dark_chess_agrees_too() {
    let game = DarkChess::new(180, Some(3)).unwrap();
    agrees_with_iteration(&game, &up_to(&game, 2));
    // Two cannons against a guard and a pawn, and whatever is left of them: equal pieces, jumps, mirrors.
    for name in ["CC-gp", "KP-pp", "NN-rr"] {
        let class = game.classes(4).into_iter().find(|&class| game.class_name(class) == name).unwrap();
        let parts: Vec<_> =
            reachable_classes(&game, class).into_iter().filter(|&class| game.pieces(class) < 4).collect();
        agrees_with_iteration(&game, &parts);
    }
}

/// Pairs of equal pieces can be their own mirror image: then several moves lead to one setup.
#[test]
fn boards_that_are_their_own_mirror_image_are_counted_right() {
    let game = DarkChess::new(180, Some(3)).unwrap();
    let class = game.classes(4).into_iter().find(|&class| game.class_name(class) == "NN-pp").unwrap();
    let tables = tables(&game, &reachable_classes(&game, class), 2);
    let mut rng = Rng::new(2);
    for class in [class, game.turned(class)] {
        let mut place = 0;
        while place < game.slice_size(class) {
            if let Some(setup) = game.at(Spot { class, slice: 0, place }) {
                let mut best = GameValue::Lost;
                game.onward(&setup, |next, _| {
                    best = best.max(tables.value(&game, &next).unwrap().turned());
                });
                assert_eq!(tables.value(&game, &setup), Some(best), "{setup:?}");
            }
            place += 1 + u64::from(rng.below(20));
        }
    }
}

#[test]
fn threads_do_not_change_tables() {
    let game = checkers(4, 6, Kings::Must);
    let classes = up_to(&game, 4);
    let [one, three] = [1, 3].map(|threads| tables(&game, &classes, threads));
    for &class in &classes {
        let [one, three] = [&one, &three].map(|tables| tables.get(class).unwrap());
        assert_eq!(one.census, three.census);
        assert!((0..one.size()).all(|place| one.get(place) == three.get(place)));
    }
}

/// The proof search is given tables of few pieces only, and must find what larger ones say, if it finds anything.
#[test]
fn proofs_agree_with_tables() {
    for kings in [Kings::Must, Kings::May] {
        let game = checkers(4, 6, kings);
        let start = game.setup(&game.start()).unwrap();
        let all = tables(&game, &reachable_classes(&game, game.class(&start)), 2);
        let few = tables(&game, &up_to(&game, 4), 2);
        let by_proof =
            |setup: &Board<u64>| patiently(|progress| prove(&game, &few, setup, (4, 40_000), progress)).ok();
        let mut rng = Rng::new(9);
        let classes: Vec<_> = game.classes(6).into_iter().filter(|class| all.get(*class).is_some()).collect();
        let mut found = 0;
        for _ in 0..100 {
            let class = classes[rng.below(classes.len() as u32) as usize];
            let slice = rng.bits() % game.slices(class);
            let place = rng.bits() % game.slice_size(class);
            let setup = game.at(Spot { class, slice, place }).unwrap();
            if let Some(proven) = by_proof(&setup) {
                assert_eq!(Some(proven), all.value(&game, &setup), "{setup:?}");
                found += 1;
            }
        }
        assert!(found > 80, "{found} of 100");
        assert_eq!(by_proof(&start), all.value(&game, &start));
    }
}

fn solved(game: &Checkers<u64>, position: Option<&str>) -> Result<(f64, Vec<String>), Unsolved> {
    let position = position.map_or(Position::State(game.start()), |text| game.read_position(text).unwrap());
    let mut solver: Box<dyn Solver<Checkers<u64>>> = solver(game, &Resources { threads: 2, memory_mb: 64 });
    let exact = patiently(|progress| solver.solve(game, &position, progress))?;
    let values = patiently(|progress| solver.values(game, &position, progress))?;
    assert_eq!(values.len(), game.actions(&game_state(game, &position)).len());
    let best = values.iter().filter(|(_, value)| *value == exact.value).map(|(action, _)| *action);
    assert!(best.eq(exact.best.iter().copied()));
    Ok((exact.value, exact.best.into_iter().map(|action| game.write_action(action)).collect()))
}

fn game_state(_: &Checkers<u64>, position: &Position<Checkers<u64>>) -> <Checkers<u64> as Game>::State {
    match position {
        Position::State(state) | Position::View(state) => *state,
    }
}

#[test]
fn small_boards_are_solved() {
    for kings in [Kings::Must, Kings::May] {
        assert_eq!(solved(&checkers(4, 4, kings), None).unwrap().0, 0.0);
        assert_eq!(solved(&checkers(4, 6, kings), None).unwrap().0, 0.0);
    }
    let game = checkers(8, 8, Kings::Must);
    let (value, best) =
        solved(&game, Some("-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-W-.-./.-R-.-.-/-.-.-.-./.-.-.-.- r"))
            .unwrap();
    assert_eq!((value, best), (1.0, vec!["c3xe5".to_owned()]));
    let wins = "-.-W-./.-.-.-/-.-.-./.-.-.-/-R-.-./R-.-.- r";
    for (draw, value) in [(3, 0.0), (50, 1.0)] {
        let game = Checkers::<u64>::new(6, 6, Options { draw, ..Options::default() }).unwrap();
        assert_eq!(solved(&game, Some(wins)).unwrap().0, value, "{draw} plies");
    }
}

#[test]
fn a_solver_can_be_called_off() {
    let game = checkers(6, 6, Kings::Must);
    let mut solver = solver(&game, &Resources::default());
    let stop = Cancel::cancelled();
    let answer = solver.solve(
        &game,
        &Position::State(game.start()),
        &mut Progress { cancel: &stop, report: &mut |_: &ProgressUpdate| {} },
    );
    assert_eq!(answer.unwrap_err(), Unsolved::Cancelled);
}

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let place = std::env::temp_dir().join(format!("parlor-endgames-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        Place(place)
    }

    fn build(&self, game: &Checkers<u64>, pieces: u32, stop: bool) -> Result<(), EndgameError> {
        let order = BuildRequest {
            game: "checkers",
            folder: &self.0,
            pieces,
            resources: Resources { threads: 2, memory_mb: 50 },
        };
        let stop = if stop { Cancel::cancelled() } else { Cancel::new() };
        folder::build(game, &order, &mut Progress { cancel: &stop, report: &mut |_: &ProgressUpdate| {} })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.endgame"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn checked(game: &Checkers<u64>, folder: &Folder<Checkers<u64>>) -> Findings {
    let checks = Checks { threads: 2, sample: 300, seed: 1, depth: 7 };
    let mut findings = Findings::default();
    patiently(|progress| {
        consistency(game, folder, &checks, &mut findings, progress).unwrap();
        sample(game, folder, &checks, &mut findings, progress).unwrap();
    });
    findings
}

#[test]
fn a_database_is_built_goes_on_and_is_checked() {
    let (game, place) = (checkers(6, 6, Kings::Must), Place::new("goes-on"));
    // Step 1. In one go, and in two with something lost between them.
    place.build(&game, 3, false).unwrap();
    let whole = std::fs::read(place.file("1m1k-1m0k")).unwrap();
    let opposite = std::fs::read(place.file("1m0k-1m1k")).unwrap();
    assert!(matches!(place.build(&game, 4, true), Err(EndgameError::Unsolved(Unsolved::Cancelled))));
    std::fs::remove_file(place.file("1m1k-1m0k")).unwrap();
    place.build(&game, 4, false).unwrap();
    assert_eq!(std::fs::read(place.file("1m1k-1m0k")).unwrap(), whole);
    assert_eq!(std::fs::read(place.file("1m0k-1m1k")).unwrap(), opposite);

    // Step 2. Its values are those of memory.
    let folder = Folder::open(&game, &place.0).unwrap();
    let tables = tables(&game, &up_to(&game, 4), 1);
    let mut reader = Reader::default();
    for setup in setups(&game, &up_to(&game, 3)).iter().chain(&setups(&game, &game.classes(4)[..6])) {
        assert_eq!(reader.value(&game, &folder, setup).unwrap(), tables.value(&game, setup));
    }
    let rows = folder.rows(&game);
    assert_eq!(rows.iter().map(|row| row.census.setups()).collect::<Vec<_>>(), [1_029, 30_126, 481_755]);

    // Step 3. It is good, and would not be if one value were another.
    let findings = checked(&game, &folder);
    assert!(findings.is_good(), "{findings:?}");
    assert_eq!((findings.positions, findings.searched), (512_910, 300));
    assert!(findings.settled > 30, "{findings:?}");
}

#[test]
fn wrong_values_and_foreign_folders_are_noticed() {
    let (game, place) = (checkers(6, 6, Kings::Must), Place::new("wrong"));
    place.build(&game, 3, false).unwrap();
    // A class of other rules under the same name.
    let (other, elsewhere) = (checkers(6, 6, Kings::May), Place::new("elsewhere"));
    elsewhere.build(&other, 3, false).unwrap();
    assert!(Folder::open(&other, &place.0).is_err());
    // The same class, but as if the other side were to move.
    let folder = Folder::open(&game, &place.0).unwrap();
    let mut table = folder.file(game.classes(3)[0]).unwrap().table().unwrap();
    let name = game.class_name(game.classes(3)[0]);
    let header = folder.file(game.classes(3)[0]).unwrap().header.clone();
    let turned = parlor_agents::endgame::EndgameTable::new(table.size());
    turned.fill(0, (0..table.size()).map(|place| table.get(place).map(GameValue::turned)));
    table = turned;
    parlor_agents::endgame::file::write(&place.file(&name), &header, &table).unwrap();
    let findings = checked(&game, &Folder::open(&game, &place.0).unwrap());
    assert!(!findings.is_good() && findings.wrong > 0 && findings.example.is_some(), "{findings:?}");
}

#[test]
fn a_search_keeps_what_a_database_knows() {
    let (game, place) = (checkers(6, 6, Kings::Must), Place::new("search"));
    place.build(&game, 4, false).unwrap();
    let tables = tables(&game, &up_to(&game, 5), 2);
    let keys: &'static [Key] = alphabeta::keys_with_endgames().leak();
    let agent = |endgames: &str| {
        let spec = Spec::parse(&format!("alphabeta(depth=1, memory_mb=1, endgames={endgames})")).unwrap();
        alphabeta::build_with_endgames(
            &BuildContext::new(&game, &Settings::read(&spec, keys).unwrap(), &[]),
            None,
        )
    };
    assert!(agent("/no/such/folder").is_err());
    let mut agents = ["off", place.0.to_str().unwrap()].map(|endgames| agent(endgames).unwrap());
    let mut rng = Rng::new(7);
    let mut slips = [0, 0];
    let classes: Vec<_> = (3..=5).flat_map(|pieces| game.classes(pieces)).collect();
    for _ in 0..1_500 {
        let class = classes[rng.below(classes.len() as u32) as usize];
        let slice = rng.bits() % game.slices(class);
        let setup = game.at(Spot { class, slice, place: rng.bits() % game.slice_size(class) }).unwrap();
        let actions: Vec<Move> = game.actions(&setup).collect();
        if actions.len() < 2 {
            continue;
        }
        for (agent, slips) in agents.iter_mut().zip(&mut slips) {
            agent.begin(&game, setup.to_move());
            let decision = Decision::new(&game, setup.to_move(), &setup, &actions);
            let mut next = setup;
            game.apply(&mut next, agent.act(&decision, &mut Context::new(&mut Rng::new(1))));
            let kept = tables.value(&game, &game.setup(&next).unwrap()).unwrap().turned();
            let lost = kept < tables.value(&game, &setup).unwrap();
            *slips += if !lost {
                0
            } else if game.pieces(class) <= 4 {
                100
            } else {
                1
            };
        }
    }
    assert!(slips[0] > 100 && slips[1] < slips[0] % 100, "without and with a database: {slips:?}");
}
