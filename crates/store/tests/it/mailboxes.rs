//! Mailboxes: questions find their answers, and what is late or wrong is counted.

use std::time::{Duration, Instant};

use parlor_core::{Place, Seat};
use parlor_store::{Answer, Delivery, DeliveryCounts, Question, RequestId, Store, StoreError, WorkerState};

fn question() -> Question {
    Question {
        agent: "fable 1".to_owned(),
        game: "tictactoe(rows=3, columns=3, lines=windows)".to_owned(),
        seat: Seat(1),
        cells: vec![0, 1, 2, 0, 0, 0, 0, 0, 0],
        actions: vec![("a1".to_owned(), Place::along([6])), ("pass".to_owned(), Place::nowhere(1))],
        goal: "win".to_owned(),
        deadline: Some(Duration::from_millis(250)),
    }
}

const ANSWERS: [Answer; 2] =
    [Answer { probability: 1.0 / 3.0, confidence: 0.9 }, Answer { probability: -0.5, confidence: 0.0 }];

/// Every part of the trait, on a store without a mailbox.
pub fn questions_are_answered(store: &Store) {
    let (mut agent, mut worker) = (store.mailbox().unwrap(), store.mailbox().unwrap());
    let first = agent.ask(&question()).unwrap();
    let second = agent.ask(&Question { deadline: None, ..question() }).unwrap();
    assert!(first < second);
    let pending = worker.pending("observed", 10).unwrap();
    assert_eq!(pending.iter().map(|request| request.id).collect::<Vec<_>>(), [first, second]);
    assert_eq!(pending[0].question, question());
    assert_eq!(pending[1].question.deadline, None);
    assert_eq!(worker.pending("observed", 1).unwrap().len(), 1);

    assert_eq!(worker.answer(first, "observed", "w1", &ANSWERS).unwrap(), Delivery::InTime);
    assert_eq!(worker.answer(first, "observed", "w2", &ANSWERS).unwrap(), Delivery::Again);
    assert_eq!(worker.answer(first, "locality", "w3", &ANSWERS[..1]).unwrap(), Delivery::Malformed);
    let impossible = [Answer { probability: f64::NAN, confidence: 0.5 }; 2];
    assert_eq!(worker.answer(first, "locality", "w3", &impossible).unwrap(), Delivery::Malformed);
    worker.reject(first, "locality", "w3", "half a li").unwrap();
    assert_eq!(worker.answer(first, "locality", "w3", &ANSWERS).unwrap(), Delivery::InTime);
    let replies = agent.replies(first).unwrap();
    assert_eq!(
        replies.iter().map(|reply| reply.heuristic.as_str()).collect::<Vec<_>>(),
        ["locality", "observed"]
    );
    assert!(replies.iter().all(|reply| reply.answers == ANSWERS));
    assert_eq!(worker.pending("observed", 10).unwrap().len(), 1);

    agent.close(first).unwrap();
    agent.close(first).unwrap();
    assert_eq!(worker.answer(first, "rotation", "w4", &ANSWERS).unwrap(), Delivery::Late);
    assert_eq!(agent.replies(first).unwrap().len(), 2);
    assert_eq!(worker.pending("rotation", 10).unwrap().len(), 1);
    let missing = worker.answer(RequestId(99_999), "rotation", "w4", &ANSWERS);
    assert!(matches!(missing, Err(StoreError::NoRequest(RequestId(99_999)))));

    let counts = agent.deliveries().unwrap();
    let of =
        |heuristic: &str| DeliveryCounts { heuristic: heuristic.to_owned(), ..DeliveryCounts::default() };
    assert_eq!(
        counts,
        [
            DeliveryCounts { in_time: 1, malformed: 3, ..of("locality") },
            DeliveryCounts { in_time: 1, again: 1, ..of("observed") },
            DeliveryCounts { late: 1, ..of("rotation") }
        ]
    );

    let state = WorkerState {
        name: "host/7/observed".to_owned(),
        heuristic: "observed".to_owned(),
        host: "host".to_owned(),
        process: 7,
        answered: 2,
        last_game: 40,
    };
    worker.heartbeat(&state).unwrap();
    let state = WorkerState { answered: 3, ..state };
    worker.heartbeat(&state).unwrap();
    let seen = agent.workers().unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].state, state);
    assert!(seen[0].ago < Duration::from_secs(60));

    assert_eq!(agent.forget(Duration::from_secs(3600)).unwrap(), 0);
    assert_eq!(agent.forget(Duration::ZERO).unwrap(), 2);
    assert_eq!(worker.pending("observed", 10).unwrap(), []);
    assert_eq!(agent.workers().unwrap(), []);
    // Counts stay, and numbers are not used again.
    assert_eq!(agent.deliveries().unwrap(), counts);
    assert!(agent.ask(&question()).unwrap() > second);
}

/// A process that waits hears of what another one writes.
pub fn waiting_ends_with_a_message(store: &Store) {
    let mut worker = store.mailbox().unwrap();
    while !worker.pending("x", 1).unwrap().is_empty() {
        worker.forget(Duration::ZERO).unwrap();
    }
    let other = store.clone();
    let asking = std::thread::spawn(move || {
        let mut agent = other.mailbox().unwrap();
        std::thread::sleep(Duration::from_millis(30));
        agent.ask(&question()).unwrap()
    });
    let started = Instant::now();
    let pending = loop {
        worker.wait(Duration::from_secs(5)).unwrap();
        let pending = worker.pending("x", 1).unwrap();
        if !pending.is_empty() {
            break pending;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "the question was not found");
    };
    assert_eq!(pending[0].id, asking.join().unwrap());
}

#[test]
fn sqlite_questions_are_answered() {
    let place = tempfile::tempdir().unwrap();
    let store = Store::create(place.path().to_str().unwrap()).unwrap();
    questions_are_answered(&store);
    waiting_ends_with_a_message(&store);
}
