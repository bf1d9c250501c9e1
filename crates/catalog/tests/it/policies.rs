//! Every policy of every roster: it tells how often its agent does what.

use parlor_catalog::{GAMES, Registered, Visitor, roster, visit};
use parlor_core::api::{BuildContext, Hosted};
use parlor_core::{Context, Decision, Entry, Notation, Phase, Rng, Settings, Spec, SpecError};
use parlor_games::dominoes::Dominoes;

/// How often an agent is asked the same.
const ASKED: u32 = 1_000;

/// A share of [`ASKED`] answers is off by more than this in one of a million samples at most.
const TOLERANCE: f64 = 0.08;

/// Forms beyond the defaults.
const FORMS: &[&str] = &[
    "scoring(tie_break=random)",
    "defense(tie_break=random)",
    "collective(file=shipped)",
    "collective(epsilon=0.4)",
    "collective(select=random)",
    "fable(unseen=0.3, loops=2)",
];

/// Needs a file; its odds are tested where one is made.
const NEEDS_MORE: &str = "nash";

/// Compares odds with answers in positions of random play where there is a choice.
struct TellTheTruth;

impl Visitor for TellTheTruth {
    type Output = ();

    fn visit<G: Registered>(self, game: G) {
        let roster = (G::ABILITIES.roster)();
        let known: Vec<&str> =
            roster.iter().filter(|entry| entry.policy.is_some()).map(|entry| entry.name).collect();
        assert!(known.contains(&"random"), "{} has a model at least", G::NAME);
        let hosted = Hosted::new(game, roster);
        for name in known.into_iter().filter(|name| *name != NEEDS_MORE) {
            let forms = FORMS.iter().copied().filter(|form| Spec::parse(form).unwrap().name == name);
            for form in [name].into_iter().chain(forms) {
                compare(&hosted, form);
            }
        }
    }
}

fn compare<G: Entry + Notation>(hosted: &Hosted<G>, form: &str) {
    let game = hosted.game();
    let mut policy = hosted.policy(form).unwrap().unwrap();
    let mut agent = hosted.honest_agent(form).unwrap().0;
    let mut rng = Rng::new(8);
    let mut weights = vec![9.0; 3];
    let mut compared = 0;
    while compared < 6 {
        let mut state = game.start();
        for _ in 0..40 {
            let action = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => game.sample(&state, &mut rng),
                Phase::Decide(seat) => {
                    let actions: Vec<G::Action> = game.actions(&state).collect();
                    if actions.len() > 1 && rng.below(8) == 0 {
                        compared += 1;
                        let view = game.view(&state, seat);
                        let decision = Decision::new(game, seat, &view, &actions);
                        policy.weigh(&decision, &mut weights);
                        assert_eq!(weights.len(), actions.len(), "{form}");
                        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{form}: {weights:?}");
                        let mut shares = vec![0.0; actions.len()];
                        for _ in 0..ASKED {
                            let answer = agent.act(&decision, &mut Context::new(&mut rng));
                            let at = actions.iter().position(|&action| action == answer).unwrap();
                            shares[at] += 1.0 / f64::from(ASKED);
                        }
                        for (share, weight) in shares.iter().zip(&weights) {
                            assert!((share - weight).abs() < TOLERANCE, "{form}: {shares:?}, {weights:?}");
                            assert!(*weight > 0.0 || *share == 0.0, "{form}: {shares:?}, {weights:?}");
                        }
                    }
                    game.pick(&state, &mut rng)
                }
            };
            game.apply(&mut state, action);
        }
    }
}

#[test]
fn policies_tell_how_often_their_agents_do_what() {
    for entry in GAMES {
        visit(entry.name, TellTheTruth).unwrap();
    }
}

#[test]
fn agents_without_known_odds_are_no_models() {
    let game = Dominoes::open(&Settings::read(&Spec::parse("dominoes").unwrap(), Dominoes::KEYS).unwrap());
    let (game, roster) = (game.unwrap(), roster::dominoes());
    let settings = Settings::read(&Spec::parse("anyone").unwrap(), &[]).unwrap();
    let context = BuildContext::new(&game, &settings, &roster);
    for model in ["ismcts", "no-such-agent"] {
        let Err(SpecError::Name { name, known, .. }) = context.policy(model) else { panic!("{model}") };
        assert_eq!(name, model);
        assert!(known.iter().any(|name| name == "collective") && !known.iter().any(|name| name == "ismcts"));
    }
    let hosted = Hosted::new(game.clone(), roster);
    assert!(hosted.policy("ismcts").unwrap().is_none());
    assert!(matches!(hosted.policy("no-such-agent"), Err(SpecError::Name { .. })));
}
