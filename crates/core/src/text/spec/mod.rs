//! `name(key=value, …)`: how games and agents are written everywhere, and how their keys are checked.

mod error;
mod key;
mod outside;
mod parse;
mod renamed;
mod settings;

pub use error::{Cause, Checksum, FileProblem, SpecError, Unusable};
pub use key::{ANY_CHECKSUM, Form, Key, Kind, NO_STORE, OnDisk};
pub use outside::{Outside, Owners, Reference, Survey};
pub use renamed::OldKey;
pub use settings::{Entry, Settings, full_form};

/// A name and its settings as typed: well-formed, but not yet checked against any keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What comes before the parenthesis.
    pub name: String,
    /// The settings in the order in which they were written.
    pub pairs: Vec<(String, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static KEYS: &[Key] = &[
        Key { name: "width", kind: Kind::Whole { min: 1, max: 20 }, default: "11", help: "columns" },
        Key {
            name: "arms",
            kind: Kind::Choice(&["both", "immediate"]),
            default: "both",
            help: "when arms open",
        },
        Key { name: "fives", kind: Kind::Switch, default: "on", help: "score fives" },
        Key { name: "cut", kind: Kind::WholeOrNone { min: 0, max: 9 }, default: "3", help: "judge early" },
        Key::checksum("checksum", "file"),
    ];

    fn settings(text: &str) -> Result<Settings, SpecError> {
        Settings::read(&Spec::parse(text)?, KEYS)
    }

    #[test]
    fn defaults_and_values() {
        let s = settings("g(width=7, fives=off)").unwrap();
        assert_eq!((s.whole("width"), s.text("arms"), s.switch("fives")), (7, "both", false));
        assert_eq!(s.given("arms"), None);
    }

    #[test]
    fn old_keys_are_read() {
        let s = settings("g(playout=full)").unwrap();
        assert_eq!(s.whole_or_none("cut"), None);
        let old = OldKey { owner: "g".to_owned(), old: "playout".to_owned(), new: "cut" };
        assert_eq!(s.old_keys(), [old]);
        assert_eq!(s.full_form().to_string(), "g(width=11, arms=both, fives=on, cut=none)");
        assert!(matches!(settings("g(playout=1, cut=1)"), Err(SpecError::Twice { .. })));
        assert!(matches!(settings("g(playout=x)"), Err(SpecError::Value { .. })));
        assert!(matches!(settings("g(memory=1)"), Err(SpecError::Key { .. })), "it has no memory_mb");
        assert_eq!(settings("g(cut=1)").unwrap().old_keys(), []);
    }

    #[test]
    fn full_forms_have_the_checksums_that_are_known() {
        assert!(
            settings("g(checksum=0123abcd)").unwrap().full_form().to_string().ends_with("checksum=0123abcd)")
        );
        assert!(!settings("g(checksum=any)").unwrap().full_form().to_string().contains("checksum"));
        assert!(matches!(settings("g(checksum=123)"), Err(SpecError::Value { .. })));
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let says = |text: &str| settings(text).unwrap_err().to_string();
        assert_eq!(
            says("g(widht=7)"),
            "g has no key `widht` (did you mean `width`?); keys: width, arms, fives, cut, checksum"
        );
        assert_eq!(says("g(width=99)"), "g: width=`99` does not fit; it takes 1 … 20");
        assert_eq!(
            says("g(arms=bth)"),
            "g: arms=`bth` does not fit; did you mean `both`? (both / immediate)"
        );
        assert_eq!(says("g(width=7, width=8)"), "g: key `width` is given twice");
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = settings(&text);
        }

        #[test]
        fn never_panics_on_mutations(at in 0usize..20, c in any::<char>()) {
            let mut chars: Vec<char> = "g(width=7, arms=both)".chars().collect();
            chars[at] = c;
            let _ = settings(&chars.into_iter().collect::<String>());
        }
    }
}
