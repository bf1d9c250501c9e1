//! Which agents may be seated from the web, and how much they may use.
//!
//! A spec from outside can name files, folders and programs; all of these are refused, in nested specs as well. The owner of the server can
//! offer such agents by names.

use std::collections::BTreeMap;

use parlor_catalog::{Level, OpenedGame};
use parlor_core::Spec;
use parlor_core::text::spec::Outside;

use crate::http::problem::{Answer, Problem};

/// The longest spec that is read.
pub const LONGEST_SPEC: usize = 2000;

/// The largest values of keys that cost time or memory; larger ones are lowered.
pub const LIMITS: &[(&str, u64)] = &[
    ("memory_mb", 16),
    ("nodes", 50_000_000),
    ("sims", 5_000_000),
    ("threads", 1),
    ("time_ms", 10_000),
    ("worlds", 2_000),
];

/// Keys whose value starts other programs, with the only value that they may have.
const FIXED: &[(&str, &str)] = &[("carrier", "direct")];

/// What an agent without a limit of memory is counted as, in bytes.
const SEARCHING: usize = 1 << 20;

/// What a simulation may add to a tree, in bytes.
const SIMULATION: usize = 4 << 10;

/// What an agent that keeps nothing is counted as, in bytes.
const SIMPLE: usize = 4 << 10;

/// Agents that the owner offers by a name.
#[derive(Clone, Debug, Default)]
pub struct Offered {
    agents: BTreeMap<String, String>,
}

/// An agent that may take a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seatable {
    /// Its spec.
    pub spec: String,
    /// How much memory it is counted as, in bytes.
    pub memory: usize,
    /// Whether it has limits of time or work: then it searches.
    pub searches: bool,
}

impl Offered {
    /// Agents by their names.
    pub fn new(agents: impl IntoIterator<Item = (String, String)>) -> Offered {
        Offered { agents: agents.into_iter().collect() }
    }

    /// Returns the names, with their specs.
    pub fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.agents.iter().map(|(name, spec)| (name.as_str(), spec.as_str()))
    }

    /// Returns the agent that a text names: a level, `@name`, or a spec.
    ///
    /// # Errors
    /// If there is no such agent, or it would use files or programs.
    pub fn seatable(&self, game: &dyn OpenedGame, text: &str) -> Answer<Seatable> {
        let text = text.trim();
        if text.len() > LONGEST_SPEC {
            return Err(Problem::bad(format!("an agent has at most {LONGEST_SPEC} characters")));
        }
        if let Some(name) = text.strip_prefix('@') {
            let known = || self.agents.keys().cloned().collect::<Vec<_>>().join(", ");
            let spec = self.agents.get(name).ok_or_else(|| {
                Problem::bad(format!(
                    "no agent `@{}` is offered; there are: {}",
                    name.escape_debug(),
                    known()
                ))
            })?;
            return Ok(measured(game, spec.clone()));
        }
        let level = text.parse::<Level>().ok();
        let of_level = level.and_then(|level| game.table_plan()?.opponent(level));
        let text = of_level.unwrap_or(text);
        let survey = game.survey(text)?;
        if let Some(reference) = survey.outside.first() {
            let what = match reference.what {
                Outside::File(_) => "files",
                Outside::Folder(_) => "files or folders",
                Outside::Command(_) => "programs",
            };
            return Err(Problem::forbidden(format!(
                "{}: {}=… names {what}, which agents from the web may not; the server's owner can offer such an agent by a name",
                reference.owner, reference.key
            ))
            .at(reference.key));
        }
        let full = Spec::parse(&game.agent_spec(text)?)?;
        let mut spec = Spec::parse(text)?;
        // Only what is lowered is added to what was typed, so that names stay short.
        for ((key, before), (_, after)) in full.pairs.iter().zip(&limited(&full).pairs) {
            if before == after {
                continue;
            }
            match spec.pairs.iter_mut().find(|(name, _)| name == key) {
                Some((_, value)) => value.clone_from(after),
                None => spec.pairs.push((key.clone(), after.clone())),
            }
        }
        Ok(measured(game, spec.to_string()))
    }
}

/// Returns the spec with its large values lowered, nested ones included.
fn limited(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    for (key, value) in &mut spec.pairs {
        if let Some((_, most)) = LIMITS.iter().find(|(name, _)| name == key)
            && value.parse::<u64>().is_ok_and(|value| value > *most)
        {
            *value = most.to_string();
        }
        if let Some((_, only)) = FIXED.iter().find(|(name, _)| name == key) {
            (*only).clone_into(value);
        }
        if value.contains('(')
            && let Ok(list) = Spec::parse_list(value)
        {
            let list: Vec<Spec> = list.iter().map(limited).collect();
            *value = Spec::write_list(&list);
        }
    }
    spec
}

fn measured(game: &dyn OpenedGame, spec: String) -> Seatable {
    let full = game.agent_spec(&spec).unwrap_or_else(|_| spec.clone());
    let (memory, searches) = Spec::parse(&full).map_or((SEARCHING, true), |spec| weigh(&spec));
    Seatable { spec, memory: memory.max(SIMPLE), searches }
}

fn weigh(spec: &Spec) -> (usize, bool) {
    let (mut memory, mut most) = (0, usize::MAX);
    let mut searches = false;
    for (key, value) in &spec.pairs {
        match key.as_str() {
            "memory_mb" => {
                memory += value.parse::<usize>().map_or(SEARCHING, |mebibytes| mebibytes.max(1) << 20);
            }
            "nodes" | "time_ms" | "worlds" => searches = true,
            "sims" => {
                searches = true;
                most = value.parse::<usize>().map_or(most, |sims| sims.saturating_mul(SIMULATION));
            }
            _ => {}
        }
        for nested in Spec::parse_list(value).into_iter().flatten().filter(|nested| !nested.pairs.is_empty())
        {
            let (more, searches_too) = weigh(&nested);
            memory += more;
            searches |= searches_too;
        }
    }
    let memory = memory.min(most);
    (if searches { memory.max(SEARCHING) } else { memory }, searches)
}
