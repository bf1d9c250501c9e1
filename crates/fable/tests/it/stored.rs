//! Models over a store: every game is counted once, whatever happens in between.

use parlor_core::files::saved::{SavedEnding, SavedGame, VERSION};
use parlor_core::rng::GENERATOR;
use parlor_core::{CellLayout, CellSymbol, Place, Rng, Seat};
use parlor_fable::board::{Board, Model};
use parlor_fable::counting::{count_new, load, models_of, recount};
use parlor_fable::decision::Rules;
use parlor_fable::engine::{Engine, Question};
use parlor_fable::heuristics::Chosen;
use parlor_fable::worker::{PipeAnswer, PipeQuestion, Worker};
use parlor_store::{GameId, GameRecord, GameType, Steps, Store, StoredLayout, TransitionCount, write_place};

const ALL: &str = "observed+neighbour+locality+rotation+reflection";

fn board(game: &str) -> Board {
    let symbols = [".", "X", "O"].map(|text| CellSymbol::new(text, text)).to_vec();
    Board::new(game.to_owned(), CellLayout { width: 3, height: 3, beside: Vec::new(), symbols })
}

/// Adds random games of two seats to a history.
fn play(store: &Store, board: &Board, games: usize, rng: &mut Rng) {
    let mut history = store.history().unwrap();
    let layout = serde_json::to_string(&StoredLayout::from(board.layout.clone())).unwrap();
    let game_type = history.game_type(&GameType { game: board.game.clone(), layout }).unwrap();
    let mut records = Vec::new();
    for _ in 0..games {
        let (mut steps, mut cells) = (Steps::default(), vec![0; board.cells()]);
        for number in 0..rng.below(7) {
            let at = rng.below(9) as u16;
            let mut place = Vec::new();
            write_place(&Place::along([at]), &mut place);
            steps.push(Seat((number % 2) as u8), &cells, "", &place);
            cells[usize::from(at)] = 1 + (number % 2) as u8;
        }
        let forfeits = rng.below(10) == 0;
        let win = f64::from(rng.below(3));
        records.push(GameRecord {
            game_type,
            saved: SavedGame {
                parlor: VERSION,
                game: board.game.clone(),
                seats: vec!["a".to_owned(), "b".to_owned()],
                seed: 0,
                rng: GENERATOR.to_owned(),
                start: None,
                moves: String::new(),
                ending: if forfeits { SavedEnding::Unfinished } else { SavedEnding::Finished },
                payoffs: (!forfeits).then(|| vec![win, 1.0]),
                recognised: Vec::new(),
                table: None,
            },
            steps,
            ended: 0,
            origin: None,
        });
    }
    history.append(&records).unwrap();
}

fn store(folder: &tempfile::TempDir) -> (String, Store) {
    let at = folder.path().join("store").to_str().unwrap().to_owned();
    let store = Store::create(&at).unwrap();
    (at, store)
}

fn engine(board: Board) -> Engine {
    Engine::new(board, Chosen::parse(ALL).unwrap(), Rules::default())
}

#[test]
fn every_game_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let ((_, store), mut rng) = (store(&folder), Rng::new(1));
    let (board, other) = (board("toy"), board("another"));
    play(&store, &board, 150, &mut rng);
    let first = count_new(&store, Model::Whole, GameId(0)).unwrap();
    assert_eq!((first.games, first.last), (150, GameId(150)));
    play(&store, &other, 20, &mut rng);
    play(&store, &board, 50, &mut rng);
    // Only the new ones, whether or not the caller knows where it was.
    assert_eq!(count_new(&store, Model::Whole, GameId(0)).unwrap().games, 70);
    assert_eq!(count_new(&store, Model::Whole, GameId(0)).unwrap().games, 0);
    assert_eq!(count_new(&store, Model::Window(2), GameId(0)).unwrap().games, 220);
    assert_eq!(models_of(&store).unwrap(), [Model::Whole, Model::Window(2)]);
    for model in [Model::Whole, Model::Window(2)] {
        let recount = recount(&store, model).unwrap();
        assert!(recount.is_right() && recount.games == 220 && recount.transitions > 50, "{recount:?}");
    }
}

#[test]
fn a_recount_finds_every_kind_of_difference() {
    let folder = tempfile::tempdir().unwrap();
    let ((_, store), mut rng) = (store(&folder), Rng::new(2));
    play(&store, &board("toy"), 40, &mut rng);
    count_new(&store, Model::Whole, GameId(0)).unwrap();
    // A transition that no game has, and a game that is not in the history.
    let strange = TransitionCount { state: 1, input: 2, next: 3, count: 1, wins: 1, ties: 0, losses: 0 };
    store.model("observed").unwrap().fold(&[strange], &[GameId(1000)]).unwrap();
    let found = recount(&store, Model::Whole).unwrap();
    assert_eq!((found.differences, found.unknown_games), (1, 1));
    assert!(found.example.unwrap().contains("the history gives None"));
    // A count that is too high.
    let mut rows = Vec::new();
    let mut model = store.model("observed").unwrap();
    model.for_each(&mut |row| rows.push(*row)).unwrap();
    let twice = rows.into_iter().find(|row| row.state != 1).unwrap();
    model.fold(&[twice], &[GameId(1001)]).unwrap();
    assert_eq!(recount(&store, Model::Whole).unwrap().differences, 2);
}

#[test]
fn an_engine_knows_the_same_from_models_and_from_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let ((_, store), mut rng) = (store(&folder), Rng::new(3));
    let board = board("toy");
    play(&store, &board, 100, &mut rng);
    let mut from_history = engine(board.clone());
    assert_eq!(load(&store, &mut from_history).unwrap(), GameId(100));
    // Some models counted, one of them in part.
    count_new(&store, Model::Window(1), GameId(0)).unwrap();
    count_new(&store, Model::Whole, GameId(0)).unwrap();
    let mut counted = engine(board.clone());
    load(&store, &mut counted).unwrap();
    for &model in from_history.models() {
        assert_eq!(counted.table(model).sorted(), from_history.table(model).sorted(), "{model:?}");
        assert!(!from_history.table(model).is_empty() || model == Model::Window(4));
    }
    play(&store, &board, 30, &mut rng);
    let (mut partly, mut fresh) = (engine(board.clone()), engine(board));
    load(&store, &mut partly).unwrap();
    for model in Model::ALL {
        store.model(model.name()).unwrap().clear().unwrap();
    }
    load(&store, &mut fresh).unwrap();
    for &model in fresh.models() {
        assert_eq!(partly.table(model).sorted(), fresh.table(model).sorted(), "{model:?}");
    }
}

#[test]
fn workers_answer_as_the_engine_does() {
    let folder = tempfile::tempdir().unwrap();
    let ((at, store), mut rng) = (store(&folder), Rng::new(4));
    let board = board("toy");
    play(&store, &board, 200, &mut rng);
    let mut engine = engine(board.clone());
    load(&store, &mut engine).unwrap();
    let cells = vec![0; 9];
    let places: Vec<Place> = (0..9).map(|cell| Place::along([cell])).collect();
    let question = Question { seat: 0, cells: &cells, places: &places };
    let agent = format!("fable(heuristics={ALL})");
    for family in engine.heuristics.families() {
        let mut expected = Vec::new();
        engine.strongest(
            engine.heuristics.of_family(family),
            &question,
            &mut Default::default(),
            &mut expected,
        );
        let mut worker = Worker::new(family, &at).unwrap();
        assert_eq!(worker.answer(&agent, "toy", &question).unwrap(), expected, "{family}");
        // The same on a pipe, among lines that are not questions.
        let asked = PipeQuestion {
            id: 7,
            agent: agent.clone(),
            game: "toy".to_owned(),
            seat: 0,
            cells: cells.clone(),
            places: (0..9).map(|cell| (0, vec![cell])).collect(),
        };
        let lines = format!("garbage\n{{\"id\": 3}}\n{}\n", serde_json::to_string(&asked).unwrap());
        let mut answered = Vec::new();
        worker.serve_pipe(lines.as_bytes(), &mut answered).unwrap();
        let answer: PipeAnswer = serde_json::from_slice(&answered).unwrap();
        let pairs: Vec<(f64, f64)> = expected.iter().map(|one| (one.probability, one.confidence)).collect();
        assert_eq!(answer, PipeAnswer { id: 7, answers: pairs });
        // Questions about a game that nobody has played, or that do not fit, are answered with nothing.
        assert!(worker.answer(&agent, "unknown", &question).unwrap().iter().all(|one| !one.is_known()));
        let short = Question { cells: &cells[..5], ..question };
        assert!(worker.answer(&agent, "toy", &short).unwrap().iter().all(|one| !one.is_known()));
    }
    // Workers count their own models, and only these.
    assert_eq!(models_of(&store).unwrap(), Model::ALL);
    assert!(models_of(&store).unwrap().into_iter().all(|model| recount(&store, model).unwrap().is_right()));
    let wrong = Worker::new("nearest", &at).err().unwrap().to_string();
    assert_eq!(
        wrong,
        "there is no heuristic `nearest`; there are observed, neighbour, locality, rotation, reflection"
    );
}
