//! How much memory the machine has to give.
//!
//! Systems promise memory that they do not have, and end whoever makes use of the promise.

/// So many bytes are taken without asking.
const NEVER_MISSED: usize = 256 << 20;

/// Returns whether the machine has so many bytes to give. One that does not say so has.
pub(super) fn is_there_for(bytes: usize) -> bool {
    bytes <= NEVER_MISSED
        || std::fs::read_to_string("/proc/meminfo")
            .ok()
            .and_then(|told| available(&told))
            .is_none_or(|kibibytes| bytes >> 10 <= kibibytes)
}

/// Returns the kibibytes that Linux says are available.
fn available(told: &str) -> Option<usize> {
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_says() {
        assert_eq!(available("MemTotal:  24 kB\nMemAvailable:    17 kB\nBuffers: 3 kB\n"), Some(17));
        assert_eq!(available("MemTotal:  24 kB\nMemAvailable: many\n"), None);
        assert_eq!(available(""), None);
        assert!(is_there_for(1));
    }
}
