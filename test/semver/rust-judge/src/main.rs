//! Lists the incompatible changes between two versions of a crate, from the JSON of rustdoc: `judge <before> <after>`.

use std::error::Error;

use public_api::diff::PublicApiDiff;
use public_api::{Builder, PublicApi};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args().skip(1);
    let (Some(before), Some(after)) = (paths.next(), paths.next()) else {
        return Err("usage: judge <before> <after>".into());
    };
    let (before, after) = (read(&before)?, read(&after)?);
    println!("{} items", before.items().count());
    for item in before.items().map(|item| item.to_string()) {
        // A field or a case breaks programs of a type that is not #[non_exhaustive], which is not a change of its own.
        let is_type = item.starts_with("pub struct ") || item.starts_with("pub enum ");
        if is_type && item.contains("::messages::") {
            println!("exhaustive: {item}");
        }
    }
    let diff = PublicApiDiff::between(before, after);
    for item in &diff.removed {
        println!("removed: {item}");
    }
    for change in &diff.changed {
        let old = change.old.to_string();
        // Programs cannot name this trait, nor make a message in a constant, which is what it is about.
        if !old.contains("core::marker::Freeze") {
            println!("changed: {old} -> {}", change.new);
        }
    }
    Ok(())
}

fn read(path: &str) -> Result<PublicApi, public_api::Error> {
    Builder::from_rustdoc_json(path).build()
}
