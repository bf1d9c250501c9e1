//! When a computation has to end: a flag that cancels it, and a moment after which it is of no use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that asks a computation to end soon. Clones share the flag; once it is set, it stays set.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Makes a flag that is not set.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Makes a flag that is set already.
    #[must_use]
    pub fn cancelled() -> Cancel {
        let cancel = Cancel::new();
        cancel.cancel();
        cancel
    }

    /// Sets the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the flag is set.
    #[inline]
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag itself, for loops that ask at every node.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// The moment by which a part of a computation has to end, or earlier if it is cancelled.
#[derive(Copy, Clone, Debug, Default)]
pub struct Deadline<'a> {
    cancel: Option<&'a Cancel>,
    at: Option<Instant>,
}

impl<'a> Deadline<'a> {
    /// Returns the deadline that is `time` from now; without a time only the flag counts.
    #[must_use]
    pub fn after(time: Option<Duration>, cancel: Option<&'a Cancel>) -> Self {
        // A moment beyond the range of the system's clock never comes.
        Deadline { cancel, at: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Returns the deadline halfway between now and this one.
    #[must_use]
    pub fn halfway(self) -> Self {
        let now = Instant::now();
        Deadline { at: self.at.map(|at| now + at.saturating_duration_since(now) / 2), ..self }
    }

    /// Returns whether it has passed. Reads the clock.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled) || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_flag() {
        let cancel = Cancel::new();
        let clone = cancel.clone();
        assert!(!clone.is_cancelled());
        cancel.cancel();
        assert!(clone.is_cancelled() && Cancel::cancelled().is_cancelled());
    }

    #[test]
    fn deadlines_pass_by_time_or_by_the_flag() {
        let cancel = Cancel::new();
        let hour = Duration::from_secs(3600);
        let never = Deadline::after(Some(Duration::MAX), Some(&cancel));
        let later = Deadline::after(Some(hour), Some(&cancel));
        assert!(!never.has_passed() && !later.has_passed() && !later.halfway().has_passed());
        assert!(Deadline::after(Some(Duration::ZERO), None).has_passed());
        assert!(!Deadline::after(None, None).has_passed());
        cancel.cancel();
        assert!(never.has_passed() && later.halfway().has_passed());
    }
}
