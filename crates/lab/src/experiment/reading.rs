//! Reads hypotheses, printed figures and statements: tables that speak of arms, measures and rounds.

use toml::de::DeValue;

use super::claims::{Claim, Fact, Hypothesis, Published, Said, Verdict};
use super::measure::{FitNumber, MEASURES, Measure, Quantity, STATISTICS, Statistic, Window};
use super::{Arm, ReferenceValue};
use crate::toml_reader::{FileError, Keys, Section, Source, Value, did_you_mean};

/// Returns the measure that a section names; `None` if it names none.
pub(super) fn measure_named(section: &Section<'_, '_>) -> Result<Option<Measure>, FileError> {
    let Some(name) = section.optional("measure", Section::placed)? else { return Ok(None) };
    let known = MEASURES.iter().find(|(known, _)| *known == name.text);
    known.map(|(_, measure)| Some(*measure)).ok_or_else(|| {
        let names: Vec<&str> = MEASURES.iter().map(|(name, _)| *name).collect();
        let meant = did_you_mean(&name.text, names.iter().copied());
        let wrong = format!("there is no measure `{name}`{meant}; measures: {}", names.join(", "));
        section.wrong("measure", wrong)
    })
}

/// What the readers below need to know.
#[derive(Copy, Clone)]
pub(super) struct Reader<'a> {
    pub source: Source<'a>,
    pub arms: &'a [Arm],
}

/// Every key of a hypothesis; which of them a test takes is in [`TESTS`].
const HYPOTHESIS: &Keys = &[
    ("id", "\"A1.1\""),
    ("says", "\"The learner beats random play.\""),
    ("test", "\"majority\""),
    ("found", "\"holds\", \"does not hold\" or \"undecided\""),
    ("explain", "\"why it comes out otherwise here\""),
    ("arm", "\"baseline\""),
    ("than", "\"other arm\""),
    ("arms", "[\"best\", \"second\", \"third\"]"),
    ("measure", "\"win_percent\""),
    ("statistic", "\"mean\""),
    ("after", "10, [1, 16], \"last\" or \"all\""),
    ("than_after", "50, [40, 50] or \"last\""),
    ("value", "50"),
    ("margin", "2.5, a number above 0"),
    ("factor", "1.25, a number above 1"),
    ("levels", "[0, 5, 10]"),
];

/// Every test, and which keys it takes besides `id`, `says`, `test`, `found` and `explain`.
const TESTS: &[(&str, &[&str])] = &[
    ("majority", &["arm", "after"]),
    ("minority", &["arm", "after"]),
    ("above", &["arm", "measure", "statistic", "after", "levels", "value"]),
    ("below", &["arm", "measure", "statistic", "after", "levels", "value"]),
    ("better", &["arm", "than", "measure", "statistic", "after", "than_after", "levels"]),
    ("same", &["arm", "than", "measure", "statistic", "after", "than_after", "levels", "value", "margin"]),
    ("faster", &["arm", "than", "measure", "after", "levels"]),
    ("order", &["arms", "measure", "statistic", "after", "levels"]),
    ("steadier", &["arm", "than", "after"]),
    ("reaches", &["arm", "measure", "statistic", "after", "levels", "value", "factor"]),
];

const PUBLISHED: &Keys = &[
    ("place", "\"Table 2\""),
    ("arm", "\"baseline\""),
    ("measure", "\"win_percent\""),
    ("points", "[[1, 53], [2, 56]], rounds in rising order"),
    ("spread", "[4.0, 3.6], one for each point"),
];

const FACT: &Keys = &[
    ("says", "\"the final benefit\""),
    ("place", "\"Figure 14\""),
    ("value", "31.6 or \"a > b\""),
    ("arm", "\"baseline\""),
    ("than", "\"other arm\""),
    ("measure", "\"benefit\""),
    ("statistic", "\"mean\""),
    ("after", "10, [1, 16], \"last\" or \"all\""),
    ("levels", "[0, 5, 10]"),
];

const REFERENCE: &Keys = &[
    ("says", "\"perfect play\""),
    ("arms", "[\"baseline\"]"),
    ("measure", "\"win_percent\""),
    ("value", "66.7"),
    ("place", "\"how it is known\""),
];

pub(super) fn hypothesis(
    reader: Reader<'_>,
    value: &Value<'_>,
    earlier: &[Hypothesis],
) -> Result<Hypothesis, FileError> {
    const HEADING: &str = "[[hypothesis]]";
    let all = Section::within(reader.source, value, HEADING, HYPOTHESIS)?;
    let test = all.text("test")?.text;
    let Some((_, takes)) = TESTS.iter().find(|(name, _)| *name == test) else {
        let known: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
        let meant = did_you_mean(&test, known.iter().copied());
        return Err(
            all.wrong("test", format!("there is no test `{test}`{meant}; tests: {}", known.join(", ")))
        );
    };
    let taken = |key: &str| ["id", "says", "test", "found", "explain"].contains(&key) || takes.contains(&key);
    if let Some((key, _)) = HYPOTHESIS.iter().find(|(key, _)| all.get(key).is_some() && !taken(key)) {
        let wrong = format!("`{test}` does not take `{key}`; it takes {}", takes.join(", "));
        return Err(all.wrong(key, wrong));
    }
    let id = all.text("id")?.text;
    if earlier.iter().any(|other| other.id == id) {
        return Err(all.wrong("id", format!("there are two hypotheses `{id}`")));
    }
    let ours = Claims { reader, section: all };
    Ok(Hypothesis {
        id,
        says: all.prose("says", all.need("says")?)?,
        claim: ours.claim(&test)?,
        found: all.optional("found", |section, key, value| {
            let typed = section.placed(key, value)?.text;
            let verdict = Verdict::ALL.iter().find(|(words, _)| *words == typed);
            verdict.map(|(_, verdict)| *verdict).ok_or_else(|| section.unfit(key, value))
        })?,
        explain: all.optional("explain", Section::prose)?,
    })
}

pub(super) fn published(reader: Reader<'_>, value: &Value<'_>) -> Result<Published, FileError> {
    let section = Section::within(reader.source, value, "[[published]]", PUBLISHED)?;
    let ours = Claims { reader, section };
    let arm = ours.arm("arm")?;
    let mut points: Vec<(u32, f64)> = Vec::new();
    let list = section.need("points")?;
    for element in section.list("points", list)? {
        let [round, value] = section.list("points", element)?[..] else {
            return Err(section.unfit("points", element));
        };
        let last = u64::from(reader.arms[arm].rounds);
        let round = section.whole_number("points", round, 1..=last)? as u32;
        if points.last().is_some_and(|(before, _)| *before >= round) {
            return Err(section.unfit("points", element));
        }
        points.push((round, section.number("points", value)?));
    }
    if points.is_empty() {
        return Err(section.unfit("points", list));
    }
    let spread = ours.numbers("spread")?;
    if !spread.is_empty() && spread.len() != points.len() {
        let wrong = format!("there are {} points, but {} spreads", points.len(), spread.len());
        return Err(section.wrong("spread", wrong));
    }
    let place = section.optional("place", Section::prose)?;
    Ok(Published { place, arm, measure: ours.measure(None)?, points, spread })
}

pub(super) fn fact(reader: Reader<'_>, value: &Value<'_>) -> Result<Fact, FileError> {
    let section = Section::within(reader.source, value, "[[fact]]", FACT)?;
    let ours = Claims { reader, section };
    let value = section.need("value")?;
    let said = match value.get_ref() {
        DeValue::String(_) => Said::Text(section.prose("value", value)?),
        _ => Said::Number(section.number("value", value)?),
    };
    Ok(Fact {
        says: section.prose("says", section.need("says")?)?,
        place: section.optional("place", Section::prose)?,
        said,
        ours: section.get("measure").map(|_| ours.quantity(None)).transpose()?,
    })
}

pub(super) fn reference(reader: Reader<'_>, value: &Value<'_>) -> Result<ReferenceValue, FileError> {
    let section = Section::within(reader.source, value, "[[reference]]", REFERENCE)?;
    let ours = Claims { reader, section };
    let list = section.need("arms")?;
    let arms = section.list("arms", list)?;
    if arms.is_empty() {
        return Err(section.unfit("arms", list));
    }
    Ok(ReferenceValue {
        says: section.prose("says", section.need("says")?)?,
        arms: arms.into_iter().map(|arm| ours.named("arms", arm)).collect::<Result<_, FileError>>()?,
        measure: ours.measure(None)?,
        value: section.number("value", section.need("value")?)?,
        place: section.optional("place", Section::prose)?,
    })
}

/// A table that speaks of arms, measures and rounds.
#[derive(Copy, Clone)]
struct Claims<'a, 'i> {
    reader: Reader<'a>,
    section: Section<'a, 'i>,
}

impl Claims<'_, '_> {
    fn claim(&self, test: &str) -> Result<Claim, FileError> {
        let value = || self.section.number("value", self.section.need("value")?);
        let beyond = |key: &str, least: f64| {
            let typed = self.section.need(key)?;
            let number = self.section.number(key, typed)?;
            if number > least { Ok(number) } else { Err(self.section.unfit(key, typed)) }
        };
        Ok(match test {
            "majority" => Claim::Above(self.quantity(Some(Measure::WinPercent))?, 50.0),
            "minority" => Claim::Below(self.quantity(Some(Measure::WinPercent))?, 50.0),
            "above" => Claim::Above(self.quantity(None)?, value()?),
            "below" => Claim::Below(self.quantity(None)?, value()?),
            "better" => Claim::Above(self.difference()?, 0.0),
            "same" => {
                // Same as a value, or as another arm.
                let alone = self.section.get("value").is_some();
                Claim::Same {
                    quantity: if alone { self.quantity(None)? } else { self.difference()? },
                    value: if alone { value()? } else { 0.0 },
                    margin: beyond("margin", 0.0)?,
                }
            }
            "faster" => {
                self.section.need("levels")?;
                Claim::Below(self.difference()?, 0.0)
            }
            "reaches" => Claim::Within {
                quantity: self.quantity(None)?,
                value: beyond("value", 0.0)?,
                factor: beyond("factor", 1.0)?,
            },
            "order" => {
                let list = self.section.need("arms")?;
                let arms = self.section.list("arms", list)?;
                if arms.len() < 2 {
                    return Err(self.section.unfit("arms", list));
                }
                let arms = arms.into_iter().map(|arm| self.named("arms", arm));
                Claim::Order(
                    arms.map(|arm| self.quantity_of(arm?, None, None)).collect::<Result<_, FileError>>()?,
                )
            }
            _ => {
                let [arm, than] = [self.arm("arm")?, self.arm("than")?];
                let window = self.window("after", arm)?;
                for arm in [arm, than] {
                    self.tested("after", arm, window)?;
                    if self.reader.arms[arm].test.repeats < 2 {
                        let name = &self.reader.arms[arm].name;
                        return Err(self
                            .section
                            .wrong("test", format!("`{name}` has no repeats that could vary")));
                    }
                }
                Claim::Steadier { arm, than, window }
            }
        })
    }

    /// Returns the quantity of `arm`; less that of `than`, if the section has it.
    fn quantity(&self, measure: Option<Measure>) -> Result<Quantity, FileError> {
        let than = self.section.get("than").map(|value| self.named("than", value)).transpose()?;
        self.quantity_of(self.arm("arm")?, than, measure)
    }

    /// Returns a quantity of `arm` less that of another arm, or of its own at another time.
    fn difference(&self) -> Result<Quantity, FileError> {
        let arm = self.arm("arm")?;
        let than = match self.section.get("than") {
            Some(value) => self.named("than", value)?,
            None if self.section.get("than_after").is_some() => arm,
            None => return Err(self.section.missing("than")),
        };
        self.quantity_of(arm, Some(than), None)
    }

    fn quantity_of(
        &self,
        arm: usize,
        than: Option<usize>,
        measure: Option<Measure>,
    ) -> Result<Quantity, FileError> {
        let window = self.window("after", arm)?;
        let minus = match than {
            None => None,
            Some(than) if self.section.get("than_after").is_some() => {
                Some((than, self.window("than_after", than)?))
            }
            Some(than) => {
                self.tested("after", than, window)?;
                Some((than, window))
            }
        };
        if minus == Some((arm, window)) {
            return Err(self.section.wrong("than", "this compares an arm with itself"));
        }
        Ok(Quantity { measure: self.measure(measure)?, statistic: self.statistic()?, arm, window, minus })
    }

    fn arm(&self, key: &str) -> Result<usize, FileError> {
        self.named(key, self.section.need(key)?)
    }

    fn named(&self, key: &str, value: &Value<'_>) -> Result<usize, FileError> {
        let name = self.section.placed(key, value)?;
        let names = || self.reader.arms.iter().map(|arm| arm.name.as_str());
        names().position(|known| known == name.text).ok_or_else(|| {
            let meant = did_you_mean(&name.text, names());
            let known: Vec<&str> = names().collect();
            let wrong = format!("there is no arm `{name}`{meant}; arms: {}", known.join(", "));
            FileError { at: name.at, wrong }
        })
    }

    fn measure(&self, default: Option<Measure>) -> Result<Measure, FileError> {
        measure_named(&self.section)?.or(default).ok_or_else(|| self.section.missing("measure"))
    }

    fn statistic(&self) -> Result<Statistic, FileError> {
        let levels = self.numbers("levels")?;
        let name = self.section.optional("statistic", Section::placed)?.map(|name| name.text);
        // Levels alone ask for the round at which they are passed.
        let name = name.as_deref().unwrap_or(if levels.is_empty() { "mean" } else { "rounds_to" });
        let of_levels = ["rounds_to", "last_above"].contains(&name);
        if of_levels && levels.is_empty() {
            return Err(self.section.missing("levels"));
        }
        if !of_levels && !levels.is_empty() {
            return Err(self.section.wrong("levels", format!("`{name}` does not take levels")));
        }
        Ok(match name {
            "mean" => Statistic::Mean,
            "deviation" => Statistic::Deviation,
            "peak" => Statistic::Peak,
            "lowest" => Statistic::Lowest,
            "change" => Statistic::Change,
            "rounds_to" => Statistic::RoundsTo(levels),
            "last_above" => Statistic::LastAbove(levels),
            name if let Some(number) = FitNumber::read(name) => Statistic::Fit(number),
            _ => {
                let meant = did_you_mean(name, STATISTICS.iter().copied());
                let wrong =
                    format!("there is no statistic `{name}`{meant}; statistics: {}", STATISTICS.join(", "));
                return Err(self.section.wrong("statistic", wrong));
            }
        })
    }

    /// Returns a list of numbers; an empty one if the key is not there.
    fn numbers(&self, key: &str) -> Result<Vec<f64>, FileError> {
        let Some(value) = self.section.get(key) else { return Ok(Vec::new()) };
        let list = self.section.list(key, value)?;
        list.into_iter().map(|number| self.section.number(key, number)).collect()
    }

    /// Returns the rounds that a key means for an arm, if some of them are tested.
    fn window(&self, key: &str, arm: usize) -> Result<Window, FileError> {
        let last = self.reader.arms[arm].rounds;
        let round = |value: &Value<'_>| -> Result<u32, FileError> {
            let round = self.section.whole_number(key, value, 1..=u64::from(u32::MAX))? as u32;
            if round <= last {
                return Ok(round);
            }
            let wrong =
                format!("round {round} is beyond the last one of `{}`, {last}", self.reader.arms[arm].name);
            Err(self.section.source().error(value.span().start, wrong))
        };
        let value = self.section.need(key)?;
        let window = match value.get_ref() {
            DeValue::Array(list) => match list.iter().collect::<Vec<_>>()[..] {
                [from, to] => Window { from: round(from)?, to: round(to)? },
                _ => return Err(self.section.unfit(key, value)),
            },
            DeValue::String(text) => match text.as_ref() {
                "last" => Window::at(last),
                "all" => Window { from: 1, to: last },
                _ => return Err(self.section.unfit(key, value)),
            },
            _ => Window::at(round(value)?),
        };
        self.tested(key, arm, window)?;
        Ok(window)
    }

    fn tested(&self, key: &str, arm: usize, window: Window) -> Result<(), FileError> {
        let arm = &self.reader.arms[arm];
        if arm.test.after.iter().any(|&round| window.contains(round)) {
            return Ok(());
        }
        let wrong = format!("`{}` is not tested {window}", arm.name);
        Err(self.section.wrong(key, wrong))
    }
}
