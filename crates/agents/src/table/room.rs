//! How much memory the machine has available.
//!
//! Operating systems promise memory that they do not have, and kill the process that uses it.

use std::path::Path;

use parlor_core::files::reading::read_text;

/// Allocations up to this size are made without a check.
const ALWAYS_AVAILABLE: usize = 256 << 20;

/// Returns whether `bytes` bytes are available. Assumes so on systems that do not say.
pub(super) fn is_there_for(bytes: usize) -> bool {
    bytes <= ALWAYS_AVAILABLE
        || read_text(Path::new("/proc/meminfo"))
            .ok()
            .and_then(|told| available(&told))
            .is_none_or(|kibibytes| bytes >> 10 <= kibibytes)
}

/// Returns the available memory in KiB from the text of Linux's `/proc/meminfo`.
fn available(told: &str) -> Option<usize> {
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read() {
        assert_eq!(available("MemTotal:  24 kB\nMemAvailable:    17 kB\nBuffers: 3 kB\n"), Some(17));
        assert_eq!(available("MemTotal:  24 kB\nMemAvailable: many\n"), None);
        assert_eq!(available(""), None);
        assert!(is_there_for(1));
    }
}
