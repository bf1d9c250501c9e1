//! Laws of the codecs of the collective learner.

use std::collections::HashSet;

use parlor_core::{CodecInfo, Phase, Stimulus};

use crate::walks::{Walker, walk};

/// Checks the laws of every codec of a game along `cases` random walks.
///
/// # Panics
/// If a law does not hold; the message names the law and the walk.
pub fn stimulus_laws<G: Stimulus>(game: &G, cases: u32) {
    let mut names = HashSet::new();
    let mut codecs = Vec::new();
    for info in G::CODECS {
        assert!(names.insert(info.name), "two codecs are called {}", info.name);
        assert!(!info.summary.is_empty(), "{} has a summary", info.name);
        match game.codec(info.name) {
            Ok(codec) => codecs.push((info.name, codec)),
            Err(why) => assert!(why.contains(' '), "{} does not fit: {why:?} is not a sentence", info.name),
        }
    }
    assert!(!codecs.is_empty(), "some codec fits every game");
    let unknown = game.codec("no such name").expect_err("a name that is not listed is refused");
    assert!(
        unknown.contains(G::CODECS[0].name),
        "the error for an unknown codec lists the known ones: {unknown}"
    );
    for &(name, codec) in &codecs {
        let width = game.width(codec);
        assert!((1..=128).contains(&width), "{name} has {width} bits");
        // Codes may come from files, so any number must be accepted.
        for code in [0, 1, 0x5555_5555_5555_5555_5555_5555_5555_5555, u128::MAX] {
            assert!(!game.in_words(codec, code).is_empty(), "{name} has words for any number");
            assert!(!game.step_in_words(codec, code, !code).is_empty(), "{name} has words for any step");
            game.is_opening(codec, code);
        }
    }
    walk(cases, |numbers| {
        let mut walker = Walker::new(game, numbers);
        let mut decisions = 0;
        loop {
            if let Phase::Decide(seat) = game.phase(&walker.state) {
                let view = game.view(&walker.state, seat);
                for &(name, codec) in &codecs {
                    let from = game.stimulant(codec, &view);
                    check_code(game, name, codec, from);
                    assert_eq!(
                        from,
                        game.stimulant(codec, &view.clone()),
                        "{name}: equal views, equal codes"
                    );
                    assert!(
                        decisions > 0 || game.is_opening(codec, from),
                        "{name}: a match begins with an opening"
                    );
                    for action in game.actions(&walker.state) {
                        let to = game.respondent(codec, &view, action);
                        check_code(game, name, codec, to);
                        let words = game.step_in_words(codec, from, to);
                        assert!(!words.is_empty(), "{name}: {action:?} has words");
                    }
                }
                decisions += 1;
            }
            let Some(action) = walker.choose() else { break };
            walker.apply(action);
        }
    });
}

/// Checks along `cases` random walks that every respondent is the code of the view that the action leads to, for all
/// codecs. This holds in games without chance and hidden information.
///
/// # Panics
/// If an action leads to a view with another code.
pub fn respondents_are_reached<G: Stimulus>(game: &G, cases: u32) {
    let fitting = |info: &CodecInfo| game.codec(info.name).ok().map(|codec| (info.name, codec));
    let codecs: Vec<_> = G::CODECS.iter().filter_map(fitting).collect();
    walk(cases, |numbers| {
        let mut walker = Walker::new(game, numbers);
        loop {
            if let Phase::Decide(seat) = game.phase(&walker.state) {
                let view = game.view(&walker.state, seat);
                for action in game.actions(&walker.state) {
                    let mut next = walker.state.clone();
                    game.apply(&mut next, action);
                    let reached = game.view(&next, seat);
                    for &(name, codec) in &codecs {
                        assert_eq!(
                            game.respondent(codec, &view, action),
                            game.stimulant(codec, &reached),
                            "{name}: {action:?} leads elsewhere"
                        );
                    }
                }
            }
            let Some(action) = walker.choose() else { break };
            walker.apply(action);
        }
    });
}

fn check_code<G: Stimulus>(game: &G, name: &str, codec: G::Codec, code: u128) {
    let width = game.width(codec);
    assert!(width == 128 || code >> width == 0, "{name}: {code:#x} has more than {width} bits");
    assert!(!game.in_words(codec, code).is_empty(), "{name}: {code:#x} has words");
}
