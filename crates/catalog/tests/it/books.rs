//! Books: how they grow, and how they are used.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parlor_agents::Random;
use parlor_agents::book::grow::{Pair, grow};
use parlor_agents::book::{Book, BookHeader, Booked};
use parlor_catalog::{Ability, MissingAbility};
use parlor_core::api::MatchSetup;
use parlor_core::{
    Agent, Cancel, Certainty, Considered, Context, Decision, Entry, Game, GameValue, Keyed, Phase, Position,
    Progress, Resources, Rng, Seat, Settings, Solver, Spec, Thought,
};
use parlor_games::connect::{Column, Connect, solve};
use parlor_games::tictactoe::TicTacToe;

fn tictactoe(spec: &str) -> TicTacToe {
    TicTacToe::open(&Settings::read(&Spec::parse(spec).unwrap(), TicTacToe::KEYS).unwrap()).unwrap()
}

/// The value of a position for the seat to move, by looking at everything.
fn solve(game: &TicTacToe, state: &<TicTacToe as Game>::State, seen: &mut HashMap<(u64, u64), i32>) -> i32 {
    let Phase::Decide(seat) = game.phase(state) else { unreachable!("only asked where someone is to move") };
    let key = game.key(state);
    if let Some(&value) = seen.get(&key) {
        return value;
    }
    let value = game.actions(state).map(|action| after(game, state, seat, action, seen)).max().unwrap();
    seen.insert(key, value);
    value
}

fn after(
    game: &TicTacToe,
    state: &<TicTacToe as Game>::State,
    seat: Seat,
    action: <TicTacToe as Game>::Action,
    seen: &mut HashMap<(u64, u64), i32>,
) -> i32 {
    let mut next = *state;
    game.apply(&mut next, action);
    if game.phase(&next) == Phase::Over {
        let payoffs = game.payoffs(&next);
        return payoffs.of(seat).total_cmp(&payoffs.of(seat.other())) as i32;
    }
    -solve(game, &next, seen)
}

fn grown(games: u64, plies: u32, threads: usize, break_after: Option<u64>) -> Book {
    let game = tictactoe("tictactoe(rows=3, columns=3)");
    let mut book = Book::new(BookHeader::new(game.spec().to_string(), "random".to_owned(), 5, plies, games));
    let agents =
        || (0..threads).map(|_| -> Pair<TicTacToe> { [Box::new(Random), Box::new(Random)] }).collect();
    let stop = Cancel::new();
    grow(&game, &mut book, agents(), &stop, &mut |book| {
        if break_after.is_some_and(|after| book.about.games >= after) {
            stop.cancel();
        }
    })
    .unwrap();
    if break_after.is_some() {
        assert!(!book.is_grown(), "it was interrupted");
        book = Book::parse(&book.to_bytes()).unwrap();
        grow(&game, &mut book, agents(), &Cancel::new(), &mut |_| {}).unwrap();
    }
    assert!(book.is_grown());
    book
}

#[test]
fn threads_and_breaks_change_no_byte() {
    let whole = grown(200, 6, 1, None).to_bytes();
    for (threads, break_after) in [(3, None), (1, Some(1)), (2, Some(7)), (5, Some(100)), (1, Some(190))] {
        assert!(
            grown(200, 6, threads, break_after).to_bytes() == whole,
            "{threads} threads, {break_after:?}"
        );
    }
}

#[test]
fn what_a_book_proves_is_true() {
    let game = tictactoe("tictactoe");
    let book = grown(3000, 9, 2, None);
    let mut seen = HashMap::new();
    let mut proven = 0;
    let mut todo = vec![game.start()];
    let mut met = std::collections::HashSet::new();
    while let Some(state) = todo.pop() {
        let Phase::Decide(seat) = game.phase(&state) else { continue };
        let actions: Vec<_> = game.actions(&state).collect();
        let Some(page) = book.page(&game, &state).filter(|_| met.insert(game.key(&state))) else {
            continue;
        };
        for line in &page.lines {
            let action = actions[usize::from(line.action)];
            if let Some(known) = line.known {
                let value = after(&game, &state, seat, action, &mut seen);
                assert_eq!(known as i32 - 1, value, "{state:?} {action:?}");
                proven += 1;
            }
            let mut next = state;
            game.apply(&mut next, action);
            todo.push(next);
        }
        assert!(page.known().is_none_or(|known| known as i32 - 1 == solve(&game, &state, &mut seen)));
    }
    assert!(met.len() == book.len() && proven > 500, "{} positions, {proven} proven lines", met.len());
}

#[test]
fn a_book_is_no_larger_and_no_deeper_than_asked() {
    let shallow = grown(300, 2, 1, None);
    assert!(shallow.len() <= 1 + 9, "{} positions", shallow.len());
    let game = tictactoe("tictactoe");
    let mut book = Book::new(BookHeader::new(game.spec().to_string(), "random".to_owned(), 5, 9, 10_000));
    book.about.most_positions = Some(100);
    let agents: Vec<Pair<TicTacToe>> = vec![[Box::new(Random), Box::new(Random)]];
    grow(&game, &mut book, agents, &Cancel::new(), &mut |_| {}).unwrap();
    assert!((100..100 + 16).contains(&book.len()) && book.is_grown(), "{} positions", book.len());
}

/// Counts how often it is asked; sees everything as proven draws, in the reverse order.
struct Counting(Arc<AtomicU32>);

impl<G: Game> Agent<G> for Counting {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        self.0.fetch_add(1, Ordering::Relaxed);
        let considered = |&action| Considered { action, value: 0.0, certainty: Certainty::Proven, visits: 1 };
        let moves: Vec<_> = decision.actions.iter().rev().map(considered).collect();
        context.reporter.report(&Thought {
            depth: 1,
            nodes: 1,
            counts: "nodes",
            elapsed: std::time::Duration::ZERO,
            value: 0.0,
            unit: "points",
            certainty: Certainty::Proven,
            end_in: None,
            line: Vec::new(),
            moves,
        });
        decision.actions[decision.actions.len() - 1]
    }
}

#[test]
fn what_the_book_knows_is_played_without_asking_the_agent() {
    let game = tictactoe("tictactoe");
    let book = grown(400, 4, 1, None);
    let asked = Arc::new(AtomicU32::new(0));
    let mut state = game.start();
    let mut rng = Rng::new(1);
    for weighted in [false, true] {
        let mut agent = Booked::new(Box::new(Counting(Arc::clone(&asked))), book.clone(), weighted);
        let actions: Vec<_> = game.actions(&state).collect();
        let decision = Decision::new(&game, Seat::FIRST, &state, &actions);
        let page = book.page(&game, &state).unwrap();
        let mut told = 0;
        for _ in 0..50 {
            let action = agent.act(
                &decision,
                &mut Context::new(&mut rng).with_reporter(&mut |thought| {
                    told += 1;
                    assert_eq!((thought.counts, thought.nodes), ("games", page.visits()));
                }),
            );
            let line = page.lines.iter().find(|line| actions[usize::from(line.action)] == action).unwrap();
            assert!(line.visits > 0 && line.known != Some(GameValue::Lost));
            if !weighted {
                assert_eq!(line, &page.lines[page.best().unwrap()]);
            }
        }
        assert_eq!((told, asked.load(Ordering::Relaxed)), (50, 0), "the agent is not asked");
    }
    // Where the book ends, the agent thinks.
    for _ in 0..5 {
        let action = game.actions(&state).next().unwrap();
        game.apply(&mut state, action);
    }
    let actions: Vec<_> = game.actions(&state).collect();
    let mut agent = Booked::new(Box::new(Counting(Arc::clone(&asked))), book, false);
    agent.act(&Decision::new(&game, Seat(1), &state, &actions), &mut Context::new(&mut rng));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn a_new_page_has_the_agents_order_and_what_it_has_proven() {
    let game = tictactoe("tictactoe");
    let counter = Arc::new(AtomicU32::new(0));
    let counting = || Box::new(Counting(Arc::clone(&counter))) as Box<dyn Agent<TicTacToe>>;
    let mut book = Book::new(BookHeader::new(game.spec().to_string(), "counting".to_owned(), 1, 3, 1));
    grow(&game, &mut book, vec![[counting(), counting()]], &Cancel::new(), &mut |_| {}).unwrap();
    let page = book.page(&game, &game.start()).unwrap();
    let order: Vec<u16> = page.lines.iter().map(|line| line.action).collect();
    assert_eq!(order, [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!((page.known(), page.visits(), page.best()), (Some(GameValue::Drawn), 1, Some(0)));
}

#[test]
fn books_are_for_games_without_chance() {
    for game in ["connect", "connect(width=12, height=10)", "tictactoe", "checkers(rows=10, columns=10)"] {
        let game = parlor_catalog::open(game).unwrap();
        let about = game.books().unwrap().begin("random", 1, 4, 10).unwrap();
        assert_eq!((about.game, about.agent), (game.spec(), "random".to_owned()));
    }
    let missing = parlor_catalog::open("dominoes").unwrap().books().err().unwrap();
    let available = vec!["connect", "tictactoe", "checkers"];
    assert_eq!(missing, MissingAbility { game: "dominoes", ability: Ability::Books, available });
}

const MEANS: Resources = Resources { threads: 1, memory_mb: 16 };

/// Grows a book of exact answers for 4×4; `break_after` is the number of positions after which it is interrupted once.
fn exact_book(easy: u64, threads: usize, known: Option<&Book>, break_after: Option<usize>) -> Book {
    let game = parlor_catalog::open("connect(width=4, height=4)").unwrap();
    let books = game.books().unwrap();
    let mut book = Book::new(books.begin_exact(easy, 16));
    let stop = Cancel::new();
    let means = Resources { threads, ..MEANS };
    let grown = books.grow_exact(&mut book, known, &means, &stop, &mut |book, _| {
        if break_after.is_some_and(|after| book.len() >= after) {
            stop.cancel();
        }
    });
    if break_after.is_some() {
        assert!(grown.is_err() && !book.is_grown(), "it was interrupted");
        book = Book::parse(&book.to_bytes()).unwrap();
        books.grow_exact(&mut book, known, &means, &Cancel::new(), &mut |_, _| {}).unwrap();
    }
    assert!(book.is_grown());
    Book::parse(&book.to_bytes()).unwrap()
}

#[test]
fn a_book_of_exact_answers_is_the_same_after_a_break_and_with_any_threads() {
    let whole = exact_book(1, 1, None, None).to_bytes();
    for (threads, break_after) in [(1, Some(20)), (1, Some(1)), (3, None), (2, Some(30))] {
        assert!(exact_book(1, threads, None, break_after).to_bytes() == whole, "{threads} {break_after:?}");
    }
}

#[test]
fn answers_of_a_finer_book_make_the_same_book() {
    let finer = exact_book(1, 1, None, None);
    let coarse = exact_book(16, 1, None, None);
    assert!(coarse.len() * 2 < finer.len(), "{} of {} positions", coarse.len(), finer.len());
    assert!(exact_book(16, 1, Some(&finer), None).to_bytes() == coarse.to_bytes());
}

#[test]
fn a_book_of_exact_answers_follows_best_play_of_both_seats() {
    let game = Connect::<u64>::new(4, 4, 4).unwrap();
    let book = exact_book(1, 1, None, None);
    let mut solver = solve::ConnectSolver::new(&game, &MEANS);
    for own in [Seat::FIRST, Seat(1)] {
        let (mut todo, mut met) = (vec![game.start()], std::collections::HashSet::new());
        let mut answers = 0;
        while let Some(board) = todo.pop() {
            let Phase::Decide(seat) = game.phase(&board) else { continue };
            if !met.insert(game.key(&board)) {
                continue;
            }
            let mut actions: Vec<Column> = game.actions(&board).collect();
            if seat == own {
                let position = Position::State(board);
                let (never, mut silent) = (Cancel::new(), |_: &_| {});
                let mut progress = Progress { cancel: &never, report: &mut silent };
                let exact = solver.solve(&game, &position, &mut progress).unwrap();
                let Some(page) = book.page(&game, &board) else {
                    solver.clear();
                    let nodes = solver.solve(&game, &position, &mut progress).unwrap().nodes;
                    assert!(nodes <= 7, "{board:?} takes {nodes} nodes and is not in the book");
                    continue;
                };
                let answer = actions[usize::from(page.lines[0].action)];
                assert!(exact.best.contains(&answer), "{board:?}: {answer:?} is not among {:?}", exact.best);
                let sign = page.known().map(|known| known as i32 - 1);
                assert_eq!(sign, Some(exact.value.total_cmp(&0.0) as i32), "{board:?}");
                actions = vec![answer];
                answers += 1;
            }
            for action in actions {
                let mut next = board;
                game.apply(&mut next, action);
                todo.push(next);
            }
        }
        assert!(answers > 50, "{answers} answers for {own:?}");
    }
}

/// Plays at a position of connect 7×6 and returns the column.
fn choice(agent: &str, position: &str) -> String {
    choice_with_seed(agent, position, 1)
}

fn choice_with_seed(agent: &str, position: &str, seed: u64) -> String {
    let game = parlor_catalog::open("connect(width=7, height=6)").unwrap();
    let mut table = game.table(seed, Some(position)).unwrap();
    let seat = Seat((position.len() % 2) as u8);
    table.seat_agent(seat, agent).unwrap();
    table.agent_act().unwrap()
}

/// The first moves of best play, without a search.
#[test]
fn the_shipped_book_opens_as_it_should() {
    let openings = [("", "4"), ("41", "4"), ("42", "2"), ("43", "6"), ("44", "4"), ("45", "2"), ("46", "6")];
    for (position, best) in openings {
        for agent in ["exact(nodes=1, otherwise=random)", "alphabeta(depth=1, book=shipped)"] {
            assert_eq!(choice(agent, position), best, "{agent} after {position}");
        }
    }
}

#[test]
fn exact_plays_best_actions_and_asks_another_agent_where_they_take_too_long() {
    // Positions of the public vectors with one best column each.
    for (position, best) in [("777467376614", "6"), ("432746731732562", "2"), ("51426417461362", "1")] {
        assert_eq!(choice("exact(book=off)", position), best, "{position}");
    }
    let otherwise = "alphabeta(nodes=300)";
    for position in ["", "4", "44", "4444"] {
        let limited = format!("exact(book=off, nodes=1, otherwise={otherwise})");
        assert_eq!(choice(&limited, position), choice(otherwise, position), "{position}");
    }
}

#[test]
fn exact_draws_from_all_best_actions_if_it_is_told_to() {
    let position = "111111222222733333355";
    let draws: BTreeSet<String> =
        (0..40).map(|seed| choice_with_seed("exact(best=random)", position, seed)).collect();
    assert_eq!(draws.into_iter().collect::<Vec<_>>(), ["4", "6"]);
    for seed in 0..5 {
        assert_eq!(choice_with_seed("exact", position, seed), choice("exact", position));
    }
}

/// Plays a match of connect 7×6 from the start; returns the columns and the payoff of the first seat.
fn played(agents: &[&str], seed: u64) -> (Vec<Column>, f64) {
    let game = parlor_catalog::open("connect(width=7, height=6)").unwrap();
    let saved = game.team(agents).unwrap().play(&MatchSetup::new(&[0, 1], seed, seed)).unwrap();
    let columns = saved.moves.split(' ').map(|column| Column(column.parse::<u8>().unwrap() - 1));
    (columns.collect(), saved.payoffs.expect("it is finished")[0])
}

/// The value of 7×6 is 1: with best play the first player wins with its last disc, after 41 plies. Every late decision of both
/// seats is compared with the exact value of every column.
#[test]
fn exact_against_itself_ends_with_the_last_disc_of_the_first_seat() {
    let (columns, payoff) = played(&["exact", "exact"], 1);
    assert_eq!((columns.len(), payoff), (41, 1.0), "{columns:?}");
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let mut solver = solve::ConnectSolver::new(&game, &MEANS);
    let (mut board, mut checked) = (game.start(), 0);
    for column in columns {
        let position = Position::State(board);
        if solver.is_quick(&game, &position) {
            let (never, mut silent) = (Cancel::new(), |_: &_| {});
            let mut progress = Progress { cancel: &never, report: &mut silent };
            let values = solver.values(&game, &position, &mut progress).unwrap();
            let best = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
            assert!(values.contains(&(column, best)), "{board:?}: {column:?} of {values:?}");
            checked += 1;
        }
        game.apply(&mut board, column);
    }
    assert_eq!(checked, 25, "all decisions after 16 plies are checked");
}
