//! How fast are classifiers fitted, and how fast do they predict?

use std::time::{Duration, Instant};

use parlor_core::{Cancel, Rng};
use parlor_lab::classify::{Classifier, Dataset, FitPlan, ForestParams, Kind, LabelledRows, Model, fit};
use parlor_lab::samples::SamplePlan;

/// What is fitted to, and what is measured.
#[derive(Copy, Clone)]
pub(super) struct Classifying {
    kind: Kind,
    rows: Rows,
    measure: Measure,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Rows {
    /// Turns of dominoes: many are equal.
    Turns,
    /// Rows of random numbers, all different.
    Different,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Measure {
    Fit,
    Predict,
}

/// What is measured: each kind on turns of dominoes, and forests on rows that are all different, too.
pub(super) const CLASSIFIERS: &[Classifying] = &[
    Classifying { kind: Kind::Mda, rows: Rows::Turns, measure: Measure::Fit },
    Classifying { kind: Kind::Forest, rows: Rows::Turns, measure: Measure::Fit },
    Classifying { kind: Kind::Forest, rows: Rows::Different, measure: Measure::Fit },
    Classifying { kind: Kind::Mda, rows: Rows::Turns, measure: Measure::Predict },
    Classifying { kind: Kind::Forest, rows: Rows::Turns, measure: Measure::Predict },
];

const GAME: &str = "dominoes(rules=myers)";

/// The smallest of the source's three sizes.
const ROWS: usize = 8242;

impl Classifying {
    pub fn name(&self) -> String {
        let rows = if self.rows == Rows::Turns { GAME } else { "different rows" };
        let measure = if self.measure == Measure::Fit { "fit" } else { "predict by" };
        format!("{rows} {measure} {}", self.kind)
    }

    pub fn unit(&self) -> &'static str {
        if self.measure == Measure::Fit { "rows/s" } else { "predictions/s" }
    }

    /// Rows a second, fitted on one thread or predicted, from the fastest of several runs over the same rows.
    pub fn rows_a_second(&self, budget: Duration) -> anyhow::Result<f64> {
        let data = match self.rows {
            Rows::Turns => turns()?,
            Rows::Different => different(),
        };
        let plan = FitPlan { kind: self.kind, forest: ForestParams::default(), seed: 1, threads: 1 };
        let model = || -> anyhow::Result<Model> {
            Ok(fit(&data, &plan, &Cancel::new(), &mut || {})?.expect("nothing cancels it"))
        };
        let fitted = model()?;
        let started = Instant::now();
        let mut best = 0.0_f64;
        while best == 0.0 || started.elapsed() < budget {
            let run = Instant::now();
            match self.measure {
                Measure::Fit => drop(std::hint::black_box(model()?)),
                Measure::Predict => predict(&fitted, &data),
            }
            best = best.max(data.rows() as f64 / run.elapsed().as_secs_f64());
        }
        Ok(best)
    }
}

fn predict(model: &Model, data: &Dataset) {
    let mut probabilities = vec![0.0; data.classes()];
    for (row, _) in data.iter() {
        model.probabilities(row, &mut probabilities);
        std::hint::black_box(&probabilities);
    }
}

fn turns() -> anyhow::Result<Dataset> {
    let opened = parlor_catalog::open(GAME)?;
    let game = opened.features()?;
    let plan = SamplePlan { game, rows: ROWS, seed: 1, threads: 1, keep_games: false };
    let samples = plan.run(&Cancel::new(), |_| {})?;
    Ok(LabelledRows::of(&samples, game)?.data)
}

/// Returns rows of five random numbers and one of three classes that says little about them.
fn different() -> Dataset {
    let mut rng = Rng::new(1);
    let labels: Vec<u32> = (0..ROWS).map(|_| rng.below(3)).collect();
    let value =
        |label: &u32| std::array::from_fn::<f64, 5, _>(|at| rng.unit() + 0.1 * f64::from(label * at as u32));
    Dataset::new(5, 3, labels.iter().flat_map(value).collect(), labels.clone()).expect("the rows are whole")
}
