//! Frames: the messages of a stream.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use serde_json::Value;

use crate::answer::{Answer, text_of};
use crate::error::{Error, ErrorKind};
use crate::event_parser::{EventParser, ServerEvent};
use crate::input_lines::InputProgress;
use crate::protojson::ProtoJson;

/// The member that a stream belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Streamed {
    pub name: &'static str,
    /// The kind of the error that the last frame may report.
    pub failure: ErrorKind,
}

/// Decodes the frames of a response.
pub struct FrameReader<T> {
    member: Streamed,
    /// The response; its body is the current frame.
    answer: Answer,
    input: Option<Arc<InputProgress>>,
    parser: EventParser,
    frames: VecDeque<ServerEvent>,
    /// The id of the last message.
    event_id: Option<String>,
    /// Whether the last message has no id of its own, so that the stream cannot be resumed after it.
    is_unmarked: bool,
    /// The end of the stream, if the last frame also had a message.
    end: Option<Result<(), Error>>,
    types: PhantomData<fn() -> T>,
}

impl<T: ProtoJson> FrameReader<T> {
    pub fn new(member: Streamed, answer: Answer, input: Option<Arc<InputProgress>>) -> Self {
        Self {
            member,
            answer,
            input,
            parser: EventParser::default(),
            frames: VecDeque::new(),
            event_id: None,
            is_unmarked: false,
            end: None,
            types: PhantomData,
        }
    }

    /// Adds a part of the response.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.parser.feed(chunk, &mut self.frames);
    }

    /// Adds a frame that arrived as a separate message.
    pub fn push(&mut self, data: Bytes) {
        let data = data.into();
        self.frames.push_back(ServerEvent { data, id: None });
    }

    /// Ends the stream, because the service has no more messages.
    pub fn finish(&mut self) {
        self.end = Some(Ok(()));
    }

    /// Returns the next message, or the end of the stream. Pending means that more of the response is needed.
    pub fn next(&mut self) -> Poll<Option<Result<T, Error>>> {
        if let Some(end) = self.end.take() {
            return Poll::Ready(end.err().map(Err));
        }
        match self.frames.pop_front() {
            Some(frame) => {
                self.answer.body = Bytes::from(frame.data);
                let item = self.read().transpose();
                if let Some(Ok(_)) = item {
                    self.is_unmarked = frame.id.is_none() || frame.id == self.event_id;
                    self.event_id = frame.id;
                }
                Poll::Ready(item)
            }
            None => Poll::Pending,
        }
    }

    /// Returns the id of the execution, once it is known.
    pub fn execution_id(&self) -> Option<&str> {
        self.answer.execution_id()
    }

    /// Returns the id of the last message, once a message had one.
    pub fn event_id(&self) -> Option<&str> {
        self.event_id.as_deref()
    }

    /// Reports whether the last message has no id of its own.
    pub const fn is_unmarked(&self) -> bool {
        self.is_unmarked
    }

    pub const fn member(&self) -> Streamed {
        self.member
    }

    /// Returns the error for a response that is not a stream.
    pub fn no_stream(&self) -> Error {
        let problem = format_args!("not an event stream{}", self.answer.content_type());
        self.answer.unreadable(self.member.name, problem)
    }

    /// Returns the error for a stream that ended prematurely.
    pub fn unfinished(&self, kind: ErrorKind, message: &str) -> Error {
        self.answer.unfinished(kind, message)
    }

    fn read(&mut self) -> Result<Option<T>, Error> {
        let name = self.member.name;
        let fields = self.answer.object(name)?;
        if self.answer.execution_id().is_none() {
            self.answer.about = text_of(&fields, "execution_id");
        }
        let is_last = fields.get("is_final") == Some(&Value::Bool(true));
        // The last frame may have null instead of a message, unless null is a message of the type.
        let payload = fields
            .get("payload")
            .filter(|payload| !(is_last && payload.is_null() && !T::TAKES_NULL));
        match (payload, is_last) {
            (Some(_), _) => {
                let message = self.answer.decode(name, &fields, "payload")?;
                self.end = is_last.then(|| self.check_end(&fields));
                Ok(Some(message))
            }
            (None, true) => self.check_end(&fields).map(|()| None),
            (None, false) => {
                let index = fields.get("frame_index").unwrap_or(&Value::Null);
                let problem = format_args!("frame {index} has no payload");
                Err(self.answer.unreadable(name, problem))
            }
        }
    }

    /// Returns the error of the last frame, if it has one.
    fn check_end(&self, fields: &Value) -> Result<(), Error> {
        if fields.get("success") != Some(&Value::Bool(true)) {
            let said = text_of(fields, "error");
            let said = said.as_deref().unwrap_or("no error message");
            let message = format!("{said}{}", self.answer.in_run());
            return Err(self.answer.error(self.member.failure, message));
        }
        let Some(input) = &self.input else {
            return Ok(());
        };
        compare_input(&self.answer, fields, input.count())
    }
}

/// Returns the error if the service did not receive the complete streamed input.
pub fn compare_input(answer: &Answer, fields: &Value, sent: usize) -> Result<(), Error> {
    let received = fields.get("input_frames");
    if received == Some(&Value::from(sent)) {
        return Ok(());
    }
    let received = received.unwrap_or(&Value::Null);
    let run = answer.in_run();
    let message = format!("the service received {received} of {sent} input messages{run}");
    Err(answer.error(ErrorKind::StreamInterrupted, message))
}
