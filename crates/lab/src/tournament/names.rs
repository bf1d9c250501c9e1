//! Short names for tables: full forms are for files.

use std::path::Path;

use parlor_core::api::AnyGame;
use parlor_core::{Key, Kind, Spec};

pub use crate::format::cut;

/// Returns an agent's full form without the keys that have their default value, with the last part of each path only.
#[must_use]
pub fn short_agent(game: &dyn AnyGame, full: &str) -> String {
    shortened(game, full, true)
}

/// Returns the short names of agents. Where two would be the same, both have their whole paths.
#[must_use]
pub fn short_agents(game: &dyn AnyGame, full: &[String]) -> Vec<String> {
    let short: Vec<String> = full.iter().map(|agent| short_agent(game, agent)).collect();
    let is_twice = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
    let names = full.iter().zip(&short);
    names
        .map(|(full, name)| if is_twice(name) { shortened(game, full, false) } else { name.clone() })
        .collect()
}

fn shortened(game: &dyn AnyGame, full: &str, cut_paths: bool) -> String {
    let Ok(mut spec) = Spec::parse(full) else { return full.to_owned() };
    let Some(info) = game.agents().into_iter().find(|info| info.name == spec.name) else {
        return spec.to_string();
    };
    let key_of = |name: &str| info.keys.iter().find(|key| key.name == name);
    let is_usual =
        |key: &Key, value: &str| key.default == value || (cut_paths && key.kind == Kind::WorkingFolder);
    spec.pairs.retain(|(name, value)| !key_of(name).is_some_and(|key| is_usual(key, value)));
    if cut_paths {
        for (name, value) in &mut spec.pairs {
            match key_of(name).map(|key| key.kind) {
                Some(Kind::File(_) | Kind::Folder(_)) => *value = last_part(value).to_owned(),
                Some(Kind::Store) => *value = last_part(without_parameters(value)).to_owned(),
                Some(Kind::Command) => {
                    let end = value.find(char::is_whitespace).unwrap_or(value.len());
                    let (program, rest) = value.split_at(end);
                    *value = format!("{}{rest}", last_part(program));
                }
                _ => {}
            }
        }
    }
    spec.to_string()
}

/// Returns a store without the parameters of a URL, which may end in the path of a certificate.
fn without_parameters(store: &str) -> &str {
    let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| store.starts_with(scheme));
    store.split('?').next().filter(|_| is_url).unwrap_or(store)
}

fn last_part(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_named_without_their_parameters() {
        let name = |store| last_part(without_parameters(store));
        assert_eq!(
            name("postgres://ann@db.example/fable?sslmode=verify-full&sslrootcert=/etc/ca.crt"),
            "fable"
        );
        assert_eq!(name("/home/ann/games?"), "games?");
    }
}
