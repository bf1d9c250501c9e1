//! What is claimed of an experiment's learners, and what a source printed of them.

use serde::Serialize;

use super::measure::{Measure, Quantity, Window};

/// A sentence that the rows can support or contradict.
#[derive(Clone, PartialEq, Debug)]
pub struct Hypothesis {
    /// Its short name: `A1.1`.
    pub id: String,
    /// The sentence.
    pub says: String,
    /// What it means in numbers.
    pub claim: Claim,
    /// What the source found.
    pub found: Option<Verdict>,
    /// Why our verdict may differ from the source's, where that is known.
    pub explain: Option<String>,
}

/// What a hypothesis means in numbers. The unit is always a training.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim {
    /// On average over trainings the quantity is above a value.
    Above(Quantity, f64),
    /// It is below a value.
    Below(Quantity, f64),
    /// It is nearer to a value than a margin: as good as no difference.
    Same {
        /// What is measured.
        quantity: Quantity,
        /// The value to be near to.
        value: f64,
        /// Above 0.
        margin: f64,
    },
    /// It is larger than value/factor and smaller than value·factor.
    Within {
        /// What is measured; it must be positive.
        quantity: Quantity,
        /// The value to reach.
        value: f64,
        /// Above 1.
        factor: f64,
    },
    /// Each arm of the list has more of the first quantity than the next one.
    Order(Vec<Quantity>),
    /// The repeats of one arm's tests vary less than those of another's.
    Steadier {
        /// The arm that is said to vary less.
        arm: usize,
        /// The arm that is said to vary more.
        than: usize,
        /// After which rounds.
        window: Window,
    },
}

impl Claim {
    /// Returns what it is about.
    pub fn measures(&self) -> impl Iterator<Item = Measure> {
        let quantities = match self {
            Claim::Above(quantity, _)
            | Claim::Below(quantity, _)
            | Claim::Same { quantity, .. }
            | Claim::Within { quantity, .. } => std::slice::from_ref(quantity),
            Claim::Order(quantities) => quantities,
            Claim::Steadier { .. } => &[],
        };
        quantities.iter().map(|quantity| quantity.measure)
    }
}

/// What is found of a hypothesis.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is supported.
    Holds,
    /// Its opposite is supported.
    DoesNotHold,
    /// Neither is.
    Undecided,
}

impl Verdict {
    /// Every verdict with the words that files and reports use.
    pub const ALL: [(&'static str, Verdict); 3] = [
        ("holds", Verdict::Holds),
        ("does not hold", Verdict::DoesNotHold),
        ("undecided", Verdict::Undecided),
    ];

    /// Returns the verdict in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::Undecided => "undecided",
        }
    }
}

/// A column of a table, or a curve, that a source printed.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// Where: `Table 2`.
    pub place: Option<String>,
    /// Of which arm.
    pub arm: usize,
    /// What.
    pub measure: Measure,
    /// Rounds and values.
    pub points: Vec<(u32, f64)>,
    /// The printed standard deviation over the repeats of each, or nothing.
    pub spread: Vec<f64>,
}

/// A single figure, or a statement, of a source.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// What it is, in words.
    pub says: String,
    /// Where it stands: `Figure 15`.
    pub place: Option<String>,
    /// What was printed.
    pub said: Said,
    /// What of our rows it is to be compared with.
    pub ours: Option<Quantity>,
}

/// What a source said.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Said {
    /// A number.
    Number(f64),
    /// Something else.
    Text(String),
}
