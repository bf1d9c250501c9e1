//! The classifiers that come with the program.

use parlor_agents::classifier::{ClassifierError, StyleClassifier};
use parlor_catalog::Registered;
use parlor_core::play::stepper::actor;
use parlor_core::{Entry, Features, Game, Phase, Rng, Seat, Settings, Sight, Spec};
use parlor_games::dominoes::Dominoes;
use parlor_games::tictactoe::TicTacToe;

fn myers() -> Dominoes {
    let spec = Spec::parse("dominoes(rules=myers)").unwrap();
    Dominoes::open(&Settings::read(&spec, Dominoes::KEYS).unwrap()).unwrap()
}

#[test]
fn shipped_classifiers_fit_their_game_only() {
    for shipped in Dominoes::ABILITIES.classifiers {
        let classifier = StyleClassifier::parse::<Dominoes>(shipped.bytes).unwrap();
        assert_eq!(classifier.about.kind, shipped.name);
        let priors = classifier.priors();
        assert!(priors.iter().all(|prior| (prior - 1.0 / 3.0).abs() < 0.01), "{priors:?}");
        let error = StyleClassifier::parse::<TicTacToe>(shipped.bytes).unwrap_err();
        assert!(matches!(error, ClassifierError::Other(_)), "{error}");
        let damaged = &shipped.bytes[..shipped.bytes.len() - 1];
        assert!(matches!(StyleClassifier::parse::<Dominoes>(damaged), Err(ClassifierError::File(_))));
    }
}

/// A recogniser in a seat: it follows the match by its sights and has an opinion after each turn of the other seat.
#[test]
fn a_seat_can_classify_while_it_plays() {
    let game = myers();
    let classifiers: Vec<StyleClassifier> = Dominoes::ABILITIES
        .classifiers
        .iter()
        .map(|shipped| StyleClassifier::parse::<Dominoes>(shipped.bytes).unwrap())
        .collect();
    let mut opinions = 0;
    let mut features = [0.0; Dominoes::FEATURES.len()];
    let mut probabilities = [0.0; Dominoes::STYLES.len()];
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let (mut state, mut tracker) = (game.start(), game.tracker());
        while let Some(actor) = actor(&game, &state) {
            let action = match game.phase(&state) {
                Phase::Chance => game.sample(&state, &mut rng),
                _ => game.pick(&state, &mut rng),
            };
            let seen = game.seen(&state, action, Seat::FIRST).unwrap();
            game.apply(&mut state, action);
            if game.observe(&mut tracker, Sight { actor, action: seen }) != Some(Seat::SECOND) {
                continue;
            }
            game.features(&tracker, Seat::SECOND, &mut features);
            for classifier in &classifiers {
                classifier.probabilities(&features, &mut probabilities);
                assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{probabilities:?}");
                opinions += 1;
            }
        }
    }
    assert!(opinions > 80, "{opinions}");
}
