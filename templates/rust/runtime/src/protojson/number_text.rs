//! Numbers in strings.

/// Parses a JSON number without surrounding whitespace.
pub fn parse_number(text: &str) -> Option<f64> {
    let begins = text
        .trim_start_matches('-')
        .starts_with(|first: char| first.is_ascii_digit());
    let ends = text.ends_with(|last: char| last.is_ascii_digit());
    if !begins || !ends {
        return None;
    }
    serde_json::from_str(text).ok()
}
