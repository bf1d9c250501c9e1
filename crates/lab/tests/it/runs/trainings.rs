//! Trainings and lessons as runs.

use super::*;

fn training(rounds: u64) -> Request {
    let mut request = Request::plain("collective", "self", [rounds, 40], 3);
    request.stages[0].against.push("random".to_owned());
    Request { testers: vec!["random".to_owned()], test_matches: 20, memory_mb: 16, ..request }
}

#[test]
fn a_cancelled_training_goes_on_to_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let game = parlor_catalog::open("tictactoe").unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let mut rounds = Vec::new();
    let mut run = TrainingRun::new(&*game, &training(3), &whole, false).unwrap();
    let (effort, stop) = run
        .run(&Cancel::new(), &mut |event| {
            if let Event::Round { round, about } = event {
                rounds.push((round.number, about.matches));
            }
        })
        .unwrap();
    assert_eq!((stop, rounds), (StopReason::Finished, vec![(1, 40), (2, 80), (3, 120)]));
    assert_eq!(effort.stages, 120);
    assert!(matches!(TrainingRun::new(&*game, &training(3), &whole, false), Err(RunError::Exists(_))));

    // In the middle of the second round.
    let cancel = Cancel::new();
    let mut run = TrainingRun::new(&*game, &training(3), &parts, false).unwrap();
    let mut seen = 0;
    let (_, stop) = run
        .run(&cancel, &mut |event| {
            if let Event::Trained { .. } = event {
                seen += 1;
                if seen == 10 {
                    cancel.cancel();
                }
            }
        })
        .unwrap();
    assert_eq!((stop, run.about().matches), (StopReason::Cancelled, 40));
    // One program at a time.
    assert!(matches!(TrainingRun::resume(&parts, &crate::open), Err(RunError::Busy(_))));
    assert!(matches!(TrainingRun::new(&*game, &training(3), &parts, true), Err(RunError::Busy(_))));
    drop(run);
    let mut run = TrainingRun::resume(&parts, &crate::open).unwrap();
    assert_eq!(run.run(&Cancel::new(), &mut |_| ()).unwrap().1, StopReason::Finished);
    assert!(fs::read(&parts).unwrap() == fs::read(&whole).unwrap());
}

/// Cuts a training short after some matches of a round.
fn interrupted(request: &Request, file: &Path, after: u32) -> TrainingRun {
    let game = parlor_catalog::open("tictactoe").unwrap();
    let cancel = Cancel::new();
    let mut run = TrainingRun::new(&*game, request, file, false).unwrap();
    let mut seen = 0;
    run.run(&cancel, &mut |event| {
        if let Event::Trained { .. } = event {
            seen += 1;
            if seen == after {
                cancel.cancel();
            }
        }
    })
    .unwrap();
    run
}

#[test]
fn stages_have_opponents_and_settings_of_their_own_and_resume_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let game = parlor_catalog::open("tictactoe").unwrap();
    let plan =
        "2x20(against=random, epsilon=0.5) then 2x30 then 1x10(against=random, against=self, epsilon=0.1)";
    let request = Request { stages: stages::parse(plan, &["self".to_owned()]).unwrap(), ..training(1) };
    let whole = folder.path().join("whole");
    let mut run = TrainingRun::new(&*game, &request, &whole, false).unwrap();
    let mut rounds = Vec::new();
    run.run(&Cancel::new(), &mut |event| {
        if let Event::Round { round, about } = event {
            rounds.push((round.number, round.trained.matches.total(), about.matches));
        }
    })
    .unwrap();
    assert_eq!(rounds, [(1, 20, 20), (2, 20, 40), (3, 30, 70), (4, 30, 100), (5, 10, 110)]);
    let about = run.about();
    assert_eq!((about.planned(), about.rounds, about.is_unfinished()), (110, 5, false));
    assert_eq!(about.against.len(), 2, "{:?}", about.against);
    drop(run);
    // In the middle of each round.
    for after in [1, 3, 6, 9, 12] {
        let parts = folder.path().join(format!("parts-{after}"));
        let cut = interrupted(&request, &parts, after);
        assert!(cut.about().is_unfinished());
        drop(cut);
        let mut run = TrainingRun::resume(&parts, &crate::open).unwrap();
        assert_eq!(run.run(&Cancel::new(), &mut |_| ()).unwrap().1, StopReason::Finished);
        assert!(fs::read(&parts).unwrap() == fs::read(&whole).unwrap(), "cut after {after}");
    }
    // Other settings lead elsewhere.
    let other = plan.replace("epsilon=0.5", "epsilon=0.4");
    let request = Request { stages: stages::parse(&other, &["self".to_owned()]).unwrap(), ..training(1) };
    let file = folder.path().join("other");
    TrainingRun::new(&*game, &request, &file, false).unwrap().run(&Cancel::new(), &mut |_| ()).unwrap();
    assert_ne!(Knowledge::open(&file).unwrap().payload, Knowledge::open(&whole).unwrap().payload);
    let wrong =
        Request { stages: stages::parse("1x1(epsilon=7)", &["self".to_owned()]).unwrap(), ..training(1) };
    let file = folder.path().join("wrong");
    assert!(TrainingRun::new(&*game, &wrong, &file, false).is_err(), "before anything is played");
}

#[test]
fn a_training_that_no_longer_improves_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let game = parlor_catalog::open("tictactoe").unwrap();
    let file = folder.path().join("learner");
    // Against itself half of the score is won, whatever is learnt: the first test stays the best.
    let request = Request { patience: Some(2), testers: vec!["self".to_owned()], ..training(10) };
    let mut run = TrainingRun::new(&*game, &request, &file, false).unwrap();
    run.run(&Cancel::new(), &mut |_| ()).unwrap();
    let about = run.about();
    assert!(about.is_settled() && !about.is_unfinished() && about.matches < 400, "{}", about.matches);
    let scores: Vec<f64> = about.curve.iter().filter_map(|test| test.results.score()).collect();
    let rounds = scores.len();
    assert!(scores[rounds - 2..].iter().all(|score| *score <= scores[rounds - 3]), "{scores:?}");
}

#[test]
fn a_lesson_trains_measures_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let game = parlor_catalog::open("tictactoe").unwrap();
    let file = folder.path().join("learner.parlor");
    let lesson = Lesson {
        training: training(2),
        opponents: vec!["random".to_owned()],
        pairs: 30,
        deals: 30,
        threads: 2,
        command: "parlor learn".to_owned(),
    };
    let mut units = Vec::new();
    let mut run = || {
        let run = LessonRun::new(&*game, lesson.clone(), &file).unwrap();
        run.run(&Cancel::new(), &mut |event| match event {
            Event::Started { unit, done, total } => units.push(format!("{unit:?} {done} {total}")),
            Event::Done(stop) => units.push(format!("{stop:?}")),
            _ => {}
        })
        .unwrap()
    };
    let first = run();
    assert_eq!(first.measured[0].verdict.games.total(), 60);
    assert_eq!(first.regret.as_ref().unwrap().matches, 60, "tictactoe has a solver");
    let page = fs::read_to_string(first.report.as_ref().unwrap()).unwrap();
    assert!(page.contains("collective learns tictactoe"));
    // The same lesson goes on from its file: there is nothing left to train.
    let again = run();
    assert_eq!(
        (&again.about, &again.measured, &again.regret),
        (&first.about, &first.measured, &first.regret)
    );
    let pairs = "MeasuringPairs { against: \"random\" } 0 30";
    assert_eq!(units[..4], ["Matches 0 80", pairs, "Deals 0 30", "Finished"]);
    assert_eq!(units[4..], ["Matches 80 80", pairs, "Deals 0 30", "Finished"]);
}

#[test]
fn a_series_has_the_files_of_its_trainings_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let game = parlor_catalog::open("tictactoe").unwrap();
    let request = training(2);
    let series = |threads, name: &str| TrainingSeries {
        training: request.clone(),
        trainings: 3,
        out: folder.path().join(name),
        overwrite: false,
        threads,
    };
    let one = series(1, "one.parlor").run(&*game, &Cancel::new(), &mut |_| ()).unwrap();
    let many = series(3, "many.parlor");
    assert_eq!(many.file(2), folder.path().join("many-2.parlor"));
    // The first training is cut short; the same call continues it, and the others begin.
    let cut = interrupted(&request, &many.file(1), 10);
    assert!(cut.about().matches > 0 && cut.about().is_unfinished());
    drop(cut);
    let report = many.run(&*game, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!((report.stop, &report.curve), (StopReason::Finished, &one.curve));
    for number in 1..=3 {
        let single = folder.path().join("single");
        let request = Request { seed: request.seed + u64::from(number) - 1, ..request.clone() };
        let mut run = TrainingRun::new(&*game, &request, &single, true).unwrap();
        run.run(&Cancel::new(), &mut |_| ()).unwrap();
        let alone = fs::read(&single).unwrap();
        assert!(fs::read(many.file(number)).unwrap() == alone, "training {number}");
        assert!(fs::read(series(1, "one.parlor").file(number)).unwrap() == alone, "training {number}");
    }
    let last = report.curve.last().unwrap();
    assert_eq!((last.matches, last.score.trainings), (80, 3));
    let scores: Vec<f64> = report
        .trainings
        .iter()
        .map(|(_, about)| 100.0 * about.curve.last().unwrap().results.score().unwrap())
        .collect();
    assert!((last.score.mean - scores.iter().sum::<f64>() / 3.0).abs() < 1e-9, "{scores:?}");
    let other = TrainingSeries { training: training(3), ..series(1, "one.parlor") };
    assert!(matches!(other.run(&*game, &Cancel::new(), &mut |_| ()), Err(RunError::Exists(_))));
}

#[test]
fn regret_falls_over_a_training_and_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let game = parlor_catalog::open("tictactoe").unwrap();
    let learner = "collective(weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=2, ties=half, epsilon=0.1)";
    let request = Request {
        regret_deals: 30,
        testers: Vec::new(),
        ..Request { learner: learner.to_owned(), ..Request::plain(learner, "self", [6, 400], 5) }
    };
    let whole = folder.path().join("whole");
    let mut run = TrainingRun::new(&*game, &request, &whole, false).unwrap();
    run.run(&Cancel::new(), &mut |_| ()).unwrap();
    let regret = &run.about().regret;
    let matches: Vec<u64> = regret.iter().map(|at| at.matches).collect();
    assert_eq!(matches, [0, 400, 800, 1600, 2400]);
    let lost: Vec<f64> = regret.iter().map(|at| at.lost).collect();
    assert!(lost[4] < lost[0] / 2.0 && regret.iter().all(|at| at.judged > 50), "{regret:?}");
    for after in [5, 50] {
        let parts = folder.path().join(format!("parts-{after}"));
        drop(interrupted(&request, &parts, after));
        TrainingRun::resume(&parts, &crate::open).unwrap().run(&Cancel::new(), &mut |_| ()).unwrap();
        assert!(fs::read(&parts).unwrap() == fs::read(&whole).unwrap(), "cut after {after}");
    }
}
