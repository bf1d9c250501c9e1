//! Strategy files.

use super::*;
use crate::equilibrium::strategy::Strategy;
use parlor_core::files::checksummed_file::ChecksummedFileError;

fn example() -> Strategy {
    let solved = with_progress(|progress| solve(&Kuhn, &solve_params(1e-3), progress)).unwrap();
    Strategy::new("kuhn(cards=3)".to_owned(), &solved).unwrap()
}

/// Recomputes the checksum of changed content.
fn checksummed_file(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - size_of::<u32>());
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn files_are_read_back_as_written() {
    let strategy = example();
    assert_eq!(strategy.len(), 12);
    assert_eq!(Strategy::parse(&strategy.to_bytes()).unwrap(), strategy);
    let odds = strategy.odds(b"\x03b").unwrap();
    assert!(odds[0] > 0.99 || odds[1] > 0.99, "the king calls a bet: {odds:?}");
    assert_eq!(strategy.odds(b"no such thing"), None);
}

#[test]
fn every_flipped_bit_and_every_truncation_is_detected() {
    let bytes = example().to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Strategy::parse(&damaged).is_err(), "byte {at}");
        assert!(Strategy::parse(&bytes[..at]).is_err(), "cut at {at}");
    }
    assert!(matches!(Strategy::parse(b"parlor strategy 2\n{}\n"), Err(ChecksummedFileError::Foreign { .. })));
}

#[test]
fn a_valid_checksum_does_not_excuse_invalid_content() {
    let bytes = example().to_bytes();
    let body = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    for at in body..bytes.len() - 4 {
        for byte in [0, 1, 63, 127, 255] {
            let mut strange = bytes.clone();
            strange[at] = byte;
            if let Ok(read) = Strategy::parse(&checksummed_file(strange.clone())) {
                assert_eq!(
                    read.to_bytes(),
                    checksummed_file(strange),
                    "accepted content is written back unchanged"
                );
            }
        }
    }
}

#[test]
fn a_strategy_is_for_one_game() {
    let file = std::env::temp_dir().join(format!("parlor-strategy-{}", std::process::id()));
    example().write(&file).unwrap();
    assert!(Strategy::open(&file, "kuhn(cards=3)").is_ok());
    let error = Strategy::open(&file, "kuhn(cards=4)").unwrap_err();
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(error, ChecksummedFileError::OtherGame { found, .. } if found == "kuhn(cards=3)"));
}
