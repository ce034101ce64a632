//! Frames: the messages of a stream.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use serde_json::Value;

use crate::answer::{Answer, text_of};
use crate::error::{Details, Error, ErrorKind};
use crate::event_parser::EventParser;
use crate::input_lines::InputProgress;
use crate::protojson::ProtoJson;

/// The member that a stream belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Streamed {
    pub name: &'static str,
    /// Kind of the error if the last frame has one.
    pub failure: ErrorKind,
}

/// Decodes the frames of a response.
pub struct FrameReader<T> {
    member: Streamed,
    /// The response; its body is the current frame.
    answer: Answer,
    input: Option<Arc<InputProgress>>,
    parser: EventParser,
    frames: VecDeque<Vec<u8>>,
    /// End of the stream, if the last frame also had a message.
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
            end: None,
            types: PhantomData,
        }
    }

    /// Adds a part of the response.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.parser.feed(chunk, &mut self.frames);
    }

    /// Returns the next message, or the end of the stream. Pending: more of the response is needed.
    pub fn next(&mut self) -> Poll<Option<Result<T, Error>>> {
        if let Some(end) = self.end.take() {
            return Poll::Ready(end.err().map(Err));
        }
        match self.frames.pop_front() {
            Some(frame) => {
                self.answer.body = Bytes::from(frame);
                Poll::Ready(self.read().transpose())
            }
            None => Poll::Pending,
        }
    }

    /// Id of the execution, once it is known.
    pub fn execution_id(&self) -> Option<&str> {
        self.answer.execution_id()
    }

    /// Returns the error of a stream that was cut off.
    pub fn interrupted(&self, message: &str) -> Error {
        let message = message.to_owned();
        Error::from(Details {
            body: None,
            ..self.answer.details(ErrorKind::StreamInterrupted, message)
        })
    }

    fn read(&mut self) -> Result<Option<T>, Error> {
        let name = self.member.name;
        let fields = self.answer.object(name)?;
        if self.answer.execution_id().is_none() {
            self.answer.about = text_of(&fields, "execution_id");
        }
        let is_last = fields.get("is_final") == Some(&Value::Bool(true));
        match (fields.get("payload"), is_last) {
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
        let run = match self.execution_id() {
            Some(id) => format!(" (execution {id})"),
            None => String::new(),
        };
        if fields.get("success") != Some(&Value::Bool(true)) {
            let said = text_of(fields, "error");
            let said = said.as_deref().unwrap_or("no error message");
            let message = format!("{said}{run}");
            return Err(self.answer.error(self.member.failure, message));
        }
        let Some(input) = &self.input else {
            return Ok(());
        };
        let (received, sent) = (fields.get("input_frames"), input.count());
        if received == Some(&Value::from(sent)) {
            return Ok(());
        }
        let received = received.unwrap_or(&Value::Null);
        let message = format!("the service received {received} of {sent} input messages{run}");
        Err(self.answer.error(ErrorKind::StreamInterrupted, message))
    }
}
