//! A parser of event streams (Server-Sent Events).

use std::collections::VecDeque;
use std::mem;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Parses an event stream that arrives in chunks of any size.
#[derive(Debug, Default)]
pub struct EventParser {
    line: Vec<u8>,
    has_begun: bool,
    is_after_cr: bool,
    kind: Vec<u8>,
    data: Option<Vec<u8>>,
    id: Option<String>,
}

/// A message of an event stream.
#[derive(Debug)]
pub struct ServerEvent {
    pub data: Vec<u8>,
    /// The latest id in the stream, after which the stream can be resumed.
    pub id: Option<String>,
}

impl EventParser {
    /// Appends each message that the chunk completes.
    pub fn feed(&mut self, mut chunk: &[u8], messages: &mut VecDeque<ServerEvent>) {
        while let Some(&first) = chunk.first() {
            // A CR ends a line immediately. An LF right after it belongs to the same line ending.
            if self.is_after_cr {
                self.is_after_cr = false;
                if first == b'\n' {
                    chunk = &chunk[1..];
                    continue;
                }
            }
            let Some(end) = chunk.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
                self.line.extend_from_slice(chunk);
                return;
            };
            self.line.extend_from_slice(&chunk[..end]);
            self.is_after_cr = chunk[end] == b'\r';
            chunk = &chunk[end + 1..];
            messages.extend(self.end_line());
        }
    }

    /// Processes a complete line, and returns the message that it completes, if any.
    fn end_line(&mut self) -> Option<ServerEvent> {
        let line = mem::take(&mut self.line);
        let mut text = &line[..];
        if !self.has_begun {
            self.has_begun = true;
            text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        }
        if text.is_empty() {
            let is_message = matches!(&*mem::take(&mut self.kind), b"" | b"message");
            let data = self.data.take().filter(|_| is_message)?;
            let id = self.id.clone();
            return Some(ServerEvent { data, id });
        }
        self.add_field(text);
        None
    }

    fn add_field(&mut self, line: &[u8]) {
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        let value = parts.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match (name, &mut self.data) {
            (b"event", _) => self.kind = value.to_owned(),
            (b"id", _) if value.contains(&0) => {}
            (b"id", _) => {
                let id = String::from_utf8(value.to_owned()).ok();
                self.id = id.filter(|id| !id.is_empty());
            }
            (b"data", None) => self.data = Some(value.to_owned()),
            (b"data", Some(data)) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            _ => {}
        }
    }
}
