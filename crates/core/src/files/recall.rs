//! The keys by which every learner names its knowledge file, and what they select.

use std::path::Path;

use crate::files::knowledge::Knowledge;
use crate::text::spec::{
    ANY_CHECKSUM, Checksum, FileProblem, Key, Kind, OnDisk, Settings, Spec, SpecError, Unusable,
};

/// The value that selects the knowledge embedded in the program.
pub const SHIPPED: &str = "shipped";

/// The value for no file.
pub const NO_FILE: &str = "none";

/// The file with what was learnt.
pub const FILE: Key = Key {
    name: "file",
    kind: Kind::File(OnDisk { words: &[NO_FILE, SHIPPED], checksum: checksum_of }),
    default: NO_FILE,
    help: "knowledge file, as parlor train or learn writes it; shipped: the one embedded in the program",
};

/// The checksum of that file.
pub const CHECKSUM: Key = Key {
    name: "checksum",
    kind: Kind::Checksum { of: "file" },
    default: ANY_CHECKSUM,
    help: "checksum that the file must have; full forms state it, so that results identify their knowledge",
};

/// Whether it goes on learning.
pub const LEARNING: Key = Key {
    name: "learning",
    kind: Kind::Switch,
    default: "off",
    help: "continue to learn during matches that allow it",
};

/// Whether it takes the knowledge from the file, or only the settings.
pub const RECALL: Key = Key {
    name: "recall",
    kind: Kind::Switch,
    default: "on",
    help: "off: use the file's settings without its knowledge",
};

/// The keys that say how a learner is used; the others come from its file.
const OF_USE: [&str; 6] = [FILE.name, CHECKSUM.name, LEARNING.name, RECALL.name, "memory_mb", "plies"];

/// Returns the checksum of the knowledge, not of the file: equal knowledge has equal checksums.
///
/// # Errors
/// If the file holds no knowledge.
pub fn checksum_of(path: &Path) -> Result<Checksum, Unusable> {
    Ok(Checksum(Knowledge::open(path)?.checksum()))
}

/// Reasons why a knowledge file does not fit this learner or game.
#[derive(Debug, thiserror::Error)]
enum Misfit {
    #[error("no knowledge of this game came with the program; train a learner with `parlor learn`")]
    NotShipped,
    #[error("it holds what `{0}` has learnt")]
    OtherLearner(String),
    #[error("it was learnt at {origin}")]
    OtherGame {
        origin: String,
        #[source]
        source: SpecError,
    },
}

/// Settings and the knowledge learnt under them.
#[derive(Clone, Debug)]
pub struct Recalled {
    /// The settings, from the file if there is one.
    pub settings: Settings,
    /// The content of the file, unless `recall=off`.
    pub payload: Option<Vec<u8>>,
}

/// Compares the checksum of the knowledge that the key `file` names with the one that the key `checksum` demands, if any. Returns it.
///
/// # Errors
/// If it is another.
pub fn check_given(
    settings: &Settings,
    file: &'static str,
    checksum: &str,
    knowledge: &Knowledge,
) -> Result<Checksum, SpecError> {
    let found = Checksum(knowledge.checksum());
    let given = settings.text(checksum);
    if given == ANY_CHECKSUM || given.eq_ignore_ascii_case(&found.to_string()) {
        return Ok(found);
    }
    Err(SpecError::Changed {
        owner: settings.owner().to_owned(),
        key: file,
        path: settings.text(file).into(),
        found,
        given: given.to_owned(),
    })
}

/// Reads the file that the settings of a learner name, if any. `name` is the learner, `keys` are all it has, `shipped` is the knowledge
/// embedded in the program for this learner and game.
///
/// # Errors
/// If the file cannot be read, is of another learner or game, has another checksum, or settings contradict those in it.
pub fn recall(
    settings: &Settings,
    name: &str,
    keys: &'static [Key],
    shipped: Option<&[u8]>,
) -> Result<Recalled, SpecError> {
    let file = settings.text(FILE.name);
    if file == NO_FILE {
        return Ok(Recalled { settings: settings.clone(), payload: None });
    }
    let unusable = |why: Unusable| settings.unusable(FILE.name, why);
    let knowledge = match shipped {
        Some(bytes) if file == SHIPPED => Knowledge::parse(bytes).map_err(|error| unusable(error.into()))?,
        None if file == SHIPPED => {
            return Err(unusable(Unusable::new(FileProblem::Missing, Misfit::NotShipped)));
        }
        _ => Knowledge::open(file.as_ref()).map_err(|error| unusable(error.into()))?,
    };
    let checksum = check_given(settings, FILE.name, CHECKSUM.name, &knowledge)?.to_string();
    // Files of older versions have older key names.
    let mut spec = Spec::parse(&knowledge.about.learner)?.with_new_keys(keys);
    if spec.name != name {
        return Err(unusable(Unusable::new(FileProblem::Elsewhere, Misfit::OtherLearner(spec.name))));
    }
    for key in keys {
        let Some(value) = settings.given(key.name) else { continue };
        if !OF_USE.contains(&key.name) {
            // The full form repeats the settings of the file and must be readable again.
            if spec.pairs.iter().any(|(name, known)| name == key.name && known == value) {
                continue;
            }
            return Err(
                settings.together(format!("`{}` comes from the file `{file}`, leave it out", key.name))
            );
        }
        spec.pairs.retain(|(name, _)| name != key.name);
        spec.pairs.push((key.name.to_owned(), value.to_owned()));
    }
    spec.pairs.retain(|(name, _)| name != CHECKSUM.name);
    spec.pairs.push((CHECKSUM.name.to_owned(), checksum));
    let origin = Spec::bare_name(&knowledge.about.game).to_owned();
    let elsewhere =
        |source| unusable(Unusable::new(FileProblem::Elsewhere, Misfit::OtherGame { origin, source }));
    let payload = settings.switch(RECALL.name).then_some(knowledge.payload);
    Ok(Recalled { settings: Settings::read(&spec, keys).map_err(elsewhere)?, payload })
}
