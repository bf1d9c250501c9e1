//! What a spec refers to outside the program: files, folders and other programs, by nested specs as well.

use std::path::{Path, PathBuf};

use super::Spec;
use super::error::SpecError;
use super::key::{ANY_CHECKSUM, Form, Key, Kind, NO_STORE, OnDisk};
use super::renamed::OldKey;
use super::settings::find;

/// Something outside the program that a spec names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The agent whose key names it, nested agents included.
    pub owner: String,
    /// The key.
    pub key: &'static str,
    /// What it is.
    pub what: Outside,
}

/// A thing outside the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outside {
    /// A file.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A program and its arguments.
    Command(String),
}

/// What can be said about a spec, nested ones included, without making an agent of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// The files, folders and programs it names.
    pub outside: Vec<Reference>,
    /// The keys that were given under their old names.
    pub old_keys: Vec<OldKey>,
}

/// The agents that a spec can name, with their keys.
#[derive(Clone, Debug)]
pub struct Owners {
    /// What they are, for errors: `agent for dominoes`.
    pub kind: String,
    /// Each agent's name and keys.
    pub keys: Vec<(&'static str, &'static [Key])>,
}

impl Owners {
    /// Returns the keys of the agent that a spec names, or of one of `forms`, which may stand there, too.
    fn keys_of(&self, spec: &Spec, forms: &[Form]) -> Result<&'static [Key], SpecError> {
        if let Some(form) = forms.iter().find(|form| form.name == spec.name) {
            return Ok(form.keys);
        }
        let found = self.keys.iter().find(|(name, _)| *name == spec.name);
        found.map(|(_, keys)| *keys).ok_or_else(|| SpecError::Name {
            kind: self.kind.clone(),
            name: spec.name.clone(),
            known: self.keys.iter().map(|(name, _)| (*name).to_owned()).collect(),
        })
    }

    /// Returns what a spec names and how; nothing is opened or started. An empty [`Survey::outside`] means that an agent made of the
    /// spec touches neither files nor programs.
    ///
    /// # Errors
    /// If the spec or one nested in it is not understood: nothing can be said about it then.
    pub fn survey(&self, text: &str) -> Result<Survey, SpecError> {
        let mut survey = Survey::default();
        self.survey_into(&Spec::parse(text)?, &[], &mut survey)?;
        Ok(survey)
    }

    fn survey_into(&self, spec: &Spec, forms: &[Form], survey: &mut Survey) -> Result<(), SpecError> {
        let keys = self.keys_of(spec, forms)?;
        for (name, value) in &spec.pairs {
            let (key, value, old) = find(&spec.name, keys, name, value)?;
            survey.old_keys.extend(old);
            let what = match key.kind {
                Kind::File(OnDisk { words, .. }) if !words.contains(&value) => Outside::File(value.into()),
                Kind::Folder(OnDisk { words, .. }) if !words.contains(&value) => {
                    Outside::Folder(value.into())
                }
                Kind::Command => Outside::Command(value.to_owned()),
                Kind::WorkingFolder => Outside::Folder(value.into()),
                Kind::Store if value != NO_STORE => Outside::Folder(value.into()),
                Kind::Agent { words, forms } if !words.contains(&value) => {
                    self.survey_into(&Spec::parse(value)?, forms, survey)?;
                    continue;
                }
                Kind::Agents => {
                    for agent in Spec::parse_list(value)? {
                        self.survey_into(&agent, &[], survey)?;
                    }
                    continue;
                }
                _ => continue,
            };
            survey.outside.push(Reference { owner: spec.name.clone(), key: key.name, what });
        }
        Ok(())
    }

    /// Returns the spec with absolute paths of all files, folders and programs that it names, nested specs included, so that its full
    /// form means the same in every folder. What is not understood stays as it is, too: building the agent reports what is wrong.
    #[must_use]
    pub fn with_absolute_paths(&self, spec: &Spec) -> Spec {
        self.with_absolute_paths_of(spec, &[])
    }

    fn with_absolute_paths_of(&self, spec: &Spec, forms: &[Form]) -> Spec {
        let mut full = spec.clone();
        let Ok(keys) = self.keys_of(spec, forms) else { return full };
        let understood = |name: &str, value: &str| {
            find(&spec.name, keys, name, value).ok().map(|(key, value, _)| (key, value.to_owned()))
        };
        let mut folder = None;
        if let Some(key) = keys.iter().find(|key| key.kind == Kind::WorkingFolder) {
            let given = full.pairs.iter_mut().find(|(name, _)| name == key.name);
            let path = absolute(Path::new(given.as_ref().map_or(key.default, |(_, value)| value)));
            match given {
                Some((_, value)) => value.clone_from(&path),
                None => full.pairs.push((key.name.to_owned(), path.clone())),
            }
            folder = Some(path);
        }
        for (name, text) in &mut full.pairs {
            let Some((key, value)) = understood(name, text) else { continue };
            *text = match (key.kind, &folder) {
                (Kind::File(OnDisk { words, .. }) | Kind::Folder(OnDisk { words, .. }), _)
                    if !words.contains(&value.as_str()) && !value.is_empty() =>
                {
                    absolute(Path::new(&value))
                }
                (Kind::Store, _) if value != NO_STORE && !value.is_empty() && !value.contains("://") => {
                    absolute(Path::new(&value))
                }
                (Kind::Command, Some(folder)) => absolute_program(&value, Path::new(folder)),
                (Kind::Agent { words, forms }, _) if !words.contains(&value.as_str()) => {
                    let Ok(nested) = Spec::parse(&value) else { continue };
                    let with = self.with_absolute_paths_of(&nested, forms);
                    if with == nested {
                        continue;
                    }
                    with.to_string()
                }
                (Kind::Agents, _) => {
                    let Ok(nested) = Spec::parse_list(&value) else { continue };
                    let with: Vec<Spec> =
                        nested.iter().map(|agent| self.with_absolute_paths(agent)).collect();
                    if with == nested {
                        continue;
                    }
                    Spec::write_list(&with)
                }
                _ => continue,
            };
        }
        full
    }

    /// Returns the spec with the checksums of all files and folders that it names, nested specs included. A spec that names none
    /// stays as it is. What is not understood stays as it is, too: building the agent reports what is wrong.
    ///
    /// # Errors
    /// If a file cannot be read, or has another checksum than the spec says.
    pub fn with_checksums(&self, spec: &Spec) -> Result<Spec, SpecError> {
        self.with_checksums_of(spec, &[])
    }

    fn with_checksums_of(&self, spec: &Spec, forms: &[Form]) -> Result<Spec, SpecError> {
        let mut full = spec.clone();
        let Ok(keys) = self.keys_of(spec, forms) else { return Ok(full) };
        let value_of = |wanted: &str| {
            spec.pairs.iter().find_map(|(name, value)| {
                find(&spec.name, keys, name, value).ok().filter(|(key, ..)| key.name == wanted)
            })
        };
        for (at, (name, value)) in spec.pairs.iter().enumerate() {
            let Ok((key, value, _)) = find(&spec.name, keys, name, value) else { continue };
            match key.kind {
                Kind::File(on_disk) | Kind::Folder(on_disk) if !on_disk.words.contains(&value) => {
                    let Some(checksum_key) = checksum_key(keys, key) else { continue };
                    let given = value_of(checksum_key.name).map_or(ANY_CHECKSUM, |(_, value, _)| value);
                    let checksum = checked(&spec.name, key, on_disk, value, given)?;
                    match full.pairs.iter_mut().find(|(name, _)| name == checksum_key.name) {
                        Some(pair) => pair.1 = checksum,
                        None => full.pairs.push((checksum_key.name.to_owned(), checksum)),
                    }
                }
                Kind::Agent { words, forms } if !words.contains(&value) => {
                    let Ok(nested) = Spec::parse(value) else { continue };
                    let with = self.with_checksums_of(&nested, forms)?;
                    if with != nested {
                        full.pairs[at].1 = with.to_string();
                    }
                }
                Kind::Agents => {
                    let Ok(nested) = Spec::parse_list(value) else { continue };
                    let with = nested
                        .iter()
                        .map(|agent| self.with_checksums(agent))
                        .collect::<Result<Vec<_>, _>>()?;
                    if with != nested {
                        full.pairs[at].1 = Spec::write_list(&with);
                    }
                }
                _ => {}
            }
        }
        Ok(full)
    }
}

/// Returns the absolute path, or the path as it was given if the absolute one is not valid text.
fn absolute(path: &Path) -> String {
    let full = std::path::absolute(path).ok().and_then(|full| full.into_os_string().into_string().ok());
    full.unwrap_or_else(|| path.to_string_lossy().into_owned())
}

/// Returns a command with the absolute path of its program, which is relative to `folder`. A program without a path is looked up where
/// the system has its programs. One in quotes stays as it is: it is relative to its folder all the same.
fn absolute_program(command: &str, folder: &Path) -> String {
    let end = command.find(char::is_whitespace).unwrap_or(command.len());
    let (program, rest) = command.split_at(end);
    let path = absolute(&folder.join(program));
    if !program.contains('/') || program.contains(['"', '\'']) || path.contains([' ', '"', '\'']) {
        return command.to_owned();
    }
    path + rest
}

/// Returns the key for the checksum of what `key` names.
fn checksum_key(keys: &'static [Key], key: &Key) -> Option<&'static Key> {
    keys.iter().find(|other| matches!(other.kind, Kind::Checksum { of } if of == key.name))
}

/// Returns the checksum of a file or folder if it is the one that was given.
fn checked(owner: &str, key: &Key, on_disk: OnDisk, path: &str, given: &str) -> Result<String, SpecError> {
    let (owner, key) = (owner.to_owned(), key.name);
    match (on_disk.checksum)(Path::new(path)) {
        Ok(found) if given == ANY_CHECKSUM || given.eq_ignore_ascii_case(&found.to_string()) => {
            Ok(found.to_string())
        }
        Ok(found) => {
            Err(SpecError::Changed { owner, key, path: path.into(), found, given: given.to_owned() })
        }
        Err(why) => {
            Err(SpecError::File { owner, key, path: path.into(), problem: why.problem, cause: why.cause })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::spec::{Checksum, FileProblem};

    /// A path's length stands for the checksum of the file.
    fn length(path: &Path) -> Result<Checksum, super::super::Unusable> {
        if path.starts_with("gone") {
            return Err(std::io::Error::from(std::io::ErrorKind::NotFound).into());
        }
        Ok(Checksum(path.as_os_str().len() as u32))
    }

    const ON_DISK: OnDisk = OnDisk { words: &["none"], checksum: length };

    static PLAYER: &[Key] = &[
        Key { name: "file", kind: Kind::File(ON_DISK), default: "none", help: "" },
        Key::checksum("checksum", "file"),
        Key { name: "endgames", kind: Kind::Folder(ON_DISK), default: "none", help: "" },
        Key::checksum("endgames_checksum", "endgames"),
        Key { name: "model", kind: Kind::Agent { words: &["off"], forms: FORMS }, default: "off", help: "" },
        Key { name: "memory_mb", kind: Kind::Whole { min: 1, max: 9 }, default: "1", help: "" },
    ];
    static FORMS: &[Form] = &[Form {
        name: "any",
        keys: &[
            Key { name: "of", kind: Kind::Agents, default: "player", help: "" },
            Key { name: "file", kind: Kind::File(ON_DISK), default: "none", help: "" },
            Key::checksum("checksum", "file"),
        ],
    }];
    static PROGRAM: &[Key] = &[
        Key { name: "command", kind: Kind::Command, default: "", help: "" },
        Key { name: "folder", kind: Kind::WorkingFolder, default: ".", help: "" },
    ];

    fn owners() -> Owners {
        Owners { kind: "agent".to_owned(), keys: vec![("player", PLAYER), ("cmd", PROGRAM)] }
    }

    fn outside(text: &str) -> Vec<Outside> {
        owners().survey(text).unwrap().outside.into_iter().map(|reference| reference.what).collect()
    }

    #[test]
    fn files_and_programs_are_found_at_every_depth() {
        let file = |path: &str| Outside::File(path.into());
        let command = |words: &str| Outside::Command(words.to_owned());
        assert_eq!(outside("player(file=none, model=off)"), []);
        assert_eq!(outside("player(file=a)"), [file("a")]);
        assert_eq!(outside(r#"player(file="a, (b")"#), [file("a, (b")]);
        assert_eq!(outside(r#"player(file="none")"#), []);
        assert_eq!(outside("player(endgames=a)"), [Outside::Folder("a".into())]);
        assert_eq!(outside("cmd:rm -r (x"), [command("rm -r (x")]);
        assert_eq!(outside("cmd(command=sh)"), [command("sh")]);
        assert_eq!(outside("player(model=player(model=player(file=a)), file=b)"), [file("a"), file("b")]);
        assert_eq!(outside(r#"player(model="player(file=\"a)\")")"#), [file("a)")]);
        assert_eq!(outside("player(model=cmd:sh -c x)"), [command("sh -c x")]);
        // Lists of agents, in forms that are not agents.
        let listed = r#"player(model=any(of=player(file=a)+player+player(file="b+c)"), file=d))"#;
        assert_eq!(outside(listed), [file("a"), file("b+c)"), file("d")]);
        assert_eq!(outside("player(model=any(of=player(model=any(of=player(file=a)))))"), [file("a")]);
        // A server must not take what it cannot understand for harmless.
        for strange in [
            "other",
            "player(x=1)",
            "player(model=other(file=a))",
            "player(model=player(x=1))",
            "player(",
            "any",
            "player(model=any(x=1))",
            "player(model=any(of=player+other))",
            "player(model=any(of=player+))",
            "player(model=any(of=any))",
        ] {
            assert!(owners().survey(strange).is_err(), "{strange}");
        }
    }

    #[test]
    fn old_keys_are_found_at_every_depth() {
        let old = owners().survey("player(memory=2, model=player(table_mb=3))").unwrap().old_keys;
        let names: Vec<(&str, &str)> = old.iter().map(|key| (&*key.old, key.new)).collect();
        assert_eq!(names, [("memory", "memory_mb"), ("table_mb", "memory_mb")]);
    }

    #[test]
    fn checksums_are_added_where_files_are_named() {
        let with =
            |text: &str| owners().with_checksums(&Spec::parse(text).unwrap()).map(|spec| spec.to_string());
        for without in ["player", "player(file=none)", "player(model=player)", "player(x=1)", "cmd:sh"] {
            assert_eq!(with(without).unwrap(), without);
        }
        let full = "player(file=abc, model=player(file=ab, checksum=00000002), checksum=00000003)";
        assert_eq!(with("player(file=abc, model=player(file=ab))").unwrap(), full);
        assert_eq!(with(full).unwrap(), full);
        assert_eq!(with("player(checksum=any, file=a)").unwrap(), "player(checksum=00000001, file=a)");
        let listed =
            "player(model=any(of=player(file=a, checksum=00000001)+player, file=ab, checksum=00000002))";
        assert_eq!(with("player(model=any(of=player(file=a)+player, file=ab))").unwrap(), listed);
        assert_eq!(with(listed).unwrap(), listed);
        let replaced = with("player(file=abc, checksum=00000002)").unwrap_err();
        let SpecError::Changed { found: Checksum(3), given, .. } = &replaced else { panic!("{replaced}") };
        assert_eq!(given, "00000002");
        let nested = with("player(model=player(endgames=a, endgames_checksum=00000002))").unwrap_err();
        assert!(matches!(nested, SpecError::Changed { key: "endgames", .. }), "{nested}");
        let gone = with("player(file=gone)").unwrap_err();
        assert!(matches!(gone, SpecError::File { problem: FileProblem::Missing, .. }), "{gone}");
    }

    #[test]
    fn paths_become_absolute_at_every_depth() {
        let here = std::env::current_dir().unwrap();
        let here = here.to_str().unwrap();
        let with = |text: &str| owners().with_absolute_paths(&Spec::parse(text).unwrap()).to_string();
        for same in
            ["player", "player(file=none)", "player(file=/a)", "player(model=player)", "other(file=a)"]
        {
            assert_eq!(with(same), same);
        }
        assert_eq!(with("player(file=a/../b)"), format!("player(file={here}/a/../b)"));
        assert_eq!(
            with("player(model=player(endgames=./e), memory_mb=2)"),
            format!("player(model=player(endgames={here}/e), memory_mb=2)")
        );
        assert_eq!(with("cmd:sh -c x"), format!("cmd(command=sh -c x, folder={here})"));
        assert_eq!(with("cmd:./engine -x"), format!("cmd(command={here}/engine -x, folder={here})"));
        assert_eq!(with("cmd(command=./e, folder=f)"), format!("cmd(command={here}/f/e, folder={here}/f)"));
        assert_eq!(with("cmd:'./my engine' x"), format!("cmd(command='./my engine' x, folder={here})"));
        // What was made absolute stays.
        let full = with("player(model=cmd:./engine)");
        assert_eq!(full, format!("player(model=cmd(command={here}/engine, folder={here}))"));
        assert_eq!(with(&full), full);
    }
}
