//! `parlor experiment list` and `show`.

use parlor_lab::experiment::{Experiment, Said, Verdict, library};
use serde_json::json;

use super::Text;
use super::args::{ListArgs, ShowArgs};
use crate::terminal::{columns, say, say_json, say_json_array};

pub fn list(args: &ListArgs) -> anyhow::Result<()> {
    let all = library::all()?;
    if args.json {
        let rows: Vec<_> = all.iter().map(summary).collect();
        return say_json_array(&rows);
    }
    let rows: Vec<[String; 4]> = all
        .iter()
        .map(|experiment| {
            [
                experiment.id.clone(),
                experiment.title.clone(),
                match &experiment.study {
                    Some(study) => study.words(),
                    None => format!("{} arms × {} trainings", experiment.arms.len(), experiment.trainings),
                },
                format!("{} hypotheses", hypotheses(experiment).len()),
            ]
        })
        .collect();
    for line in columns(&rows, "") {
        say(line)?;
    }
    say("")?;
    say(
        "`parlor experiment show A1` tells more, `parlor experiment run A1 --quick` runs a smaller version.",
    )?;
    Ok(())
}

/// Returns the short names and sentences of an experiment's hypotheses, with what the source found.
fn hypotheses(experiment: &Experiment) -> Vec<(&str, &str, Option<Verdict>)> {
    let trained = experiment.hypotheses.iter().map(|h| (h.id.as_str(), h.says.as_str(), h.found));
    let studied = experiment.study.iter().flat_map(|study| &study.hypotheses);
    trained.chain(studied.map(|h| (h.id.as_str(), h.says.as_str(), h.found))).collect()
}

fn summary(experiment: &Experiment) -> serde_json::Value {
    let [training, testing] = experiment.matches();
    json!({
        "id": experiment.id,
        "title": experiment.title,
        "source": experiment.source,
        "arms": experiment.arms.iter().map(|arm| &arm.name).collect::<Vec<_>>(),
        "trainings": experiment.trainings,
        "seed": experiment.seed,
        "training_matches": training,
        "test_matches": testing,
        "hypotheses": hypotheses(experiment).iter().map(|(id, says, _)| json!({"id": id, "says": says})).collect::<Vec<_>>(),
    })
}

pub fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let text = Text::find(&args.experiment)?;
    if args.toml {
        say(text.text.trim_end())?;
        return Ok(());
    }
    let opened = text.open(text.read()?)?;
    let experiment = opened.experiment();
    if args.json {
        let mut whole = summary(experiment);
        whole["in_full"] = serde_json::to_value(opened.specs())?;
        return say_json(&whole);
    }
    say(format!("{}: {}", experiment.id, experiment.title))?;
    if let Some(source) = &experiment.source {
        say(format!("after {source}"))?;
    }
    say("")?;
    say(experiment.question.trim())?;
    for (arm, specs) in experiment.arms.iter().zip(opened.specs()) {
        say("")?;
        say(format!("arm {}", arm.name))?;
        let test = &arm.test;
        let rows = [
            ["game".to_owned(), specs.game.clone()],
            ["learner".to_owned(), specs.learner.clone()],
            [
                "trained".to_owned(),
                if arm.stages.is_empty() {
                    format!("{} rounds of {} matches against {}", arm.rounds, arm.matches, specs.against)
                } else {
                    specs.against.clone()
                },
            ],
            [
                "tested".to_owned(),
                if test.while_training {
                    format!("by its matches of training, in {} of the rounds", test.after.len())
                } else {
                    format!(
                        "after {} of them, {} × {} matches against {}",
                        test.after.len(),
                        test.repeats,
                        test.matches,
                        specs.tested
                    )
                },
            ],
        ];
        for line in columns(&rows, "  ") {
            say(line)?;
        }
    }
    if experiment.study.is_some() {
        let rows: Vec<[String; 2]> =
            opened.specs().iter().map(|specs| [specs.name.clone(), specs.learner.clone()]).collect();
        say("")?;
        for line in columns(&rows, "  ") {
            say(line)?;
        }
        say("")?;
        say(format!("{} parts, {} steps, seed {}", opened.units(), opened.steps(), experiment.seed))?;
    } else {
        let [training, testing] = experiment.matches();
        say("")?;
        say(format!(
            "{} trainings of each arm: {training} matches of training and {testing} of tests, seed {}",
            experiment.trainings, experiment.seed
        ))?;
    }
    say("")?;
    say("hypotheses")?;
    for (id, says, found) in hypotheses(experiment) {
        let found = found.map(|found| format!(" (the source: {})", found.words())).unwrap_or_default();
        say(format!("  {id}: {says}{found}"))?;
    }
    if !experiment.facts.is_empty() {
        say("")?;
        say("what the source says")?;
    }
    for fact in &experiment.facts {
        let value = match &fact.said {
            Said::Number(number) => number.to_string(),
            Said::Text(words) => words.clone(),
        };
        say(format!("  {}: {value}", fact.says))?;
    }
    say("")?;
    for note in &experiment.notes {
        say(format!("- {note}"))?;
    }
    Ok(())
}
