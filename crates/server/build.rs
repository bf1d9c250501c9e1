//! Compresses the files of the page and lists them, and the pages of the guide.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by Cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by Cargo"));
    let page = here.join("page");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    list(&page, &mut files);
    files.sort();
    let mut source = String::from("/// The files of the page.\nstatic ASSETS: &[Asset] = &[\n");
    for (number, path) in files.iter().enumerate() {
        let content = fs::read(path).expect("a file of the page");
        let mut zip = GzEncoder::new(Vec::new(), Compression::best());
        zip.write_all(&content).expect("memory takes everything");
        fs::write(out.join(format!("{number}.gz")), zip.finish().expect("memory takes everything"))
            .expect("the build folder can be written");
        let parts: Vec<&str> = path
            .strip_prefix(&page)
            .expect("it is in there")
            .iter()
            .map(|part| part.to_str().expect("plain names"))
            .collect();
        writeln!(
            source,
            "    Asset {{ name: {:?}, plain: include_bytes!({:?}), zipped: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{number}.gz\")), tag: \"\\\"{:016x}\\\"\" }},",
            parts.join("/"),
            path.to_str().expect("a plain path"),
            checksum(&content),
        )
        .expect("a text takes everything");
    }
    source.push_str("];\n");
    guide(&here.join("../../docs"), &out);
    fs::write(out.join("assets.rs"), source).expect("the build folder can be written");
}

/// Lists the pages of the guide, its pictures, and the pages beside it that it leads to.
fn guide(docs: &Path, out: &Path) {
    let folder = docs.join("guide").canonicalize().expect("the guide is beside the crates");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    list(&folder, &mut files);
    files.extend(
        ["glossary.md", "strength.md"].map(|name| docs.join(name).canonicalize().expect("it is there")),
    );
    files.sort();
    let (mut pages, mut pictures) = (String::new(), String::new());
    for path in files {
        let name = path.strip_prefix(&folder).unwrap_or(Path::new(path.file_name().expect("a file")));
        let name = name.to_str().expect("a plain name").replace('\\', "/");
        let file = path.to_str().expect("a plain path");
        println!("cargo::rerun-if-changed={file}");
        match name.strip_suffix(".md") {
            Some(page) => writeln!(pages, "    ({page:?}, include_str!({file:?})),"),
            // Photographs of the page are for readers elsewhere.
            None if !name.ends_with(".svg") => Ok(()),
            None => writeln!(pictures, "    ({name:?}, include_bytes!({file:?})),"),
        }
        .expect("a text takes everything");
    }
    let source = format!(
        "/// The pages of the guide, in Markdown.\nstatic PAGES: &[(&str, &str)] = &[\n{pages}];\n\
         /// Its pictures.\nstatic PICTURES: &[(&str, &[u8])] = &[\n{pictures}];\n"
    );
    fs::write(out.join("guide.rs"), source).expect("the build folder can be written");
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the page's folder") {
        let path = entry.expect("an entry").path();
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_dir() {
            list(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// FNV-1a: enough to tell two versions of a file apart.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}
