//! A member of this crate with a sample input and output.

use serde_json::{Value, json as object};

use super::scripted_server::{Scripted, ScriptedServer};
use crate::protojson::ProtoJson;
use crate::{Client, Error, json};

pub struct Member {
    sample: Value,
    server: ScriptedServer,
}

impl Member {
    pub fn named(name: &str) -> Self {
        let samples: Value =
            serde_json::from_str(include_str!("samples.json")).expect("the samples are JSON");
        let sample = samples[name.trim_start_matches("r#")].clone();
        let server = ScriptedServer::start([Scripted::json(200, &sample["body"])]);
        Self { sample, server }
    }

    /// The response is a stream of one output.
    pub fn streaming(name: &str) -> Self {
        let member = Self::named(name);
        let frames = [
            object!({ "payload": member.sample["output"] }),
            object!({ "is_final": true, "success": true, "input_frames": 1 }),
        ];
        Self {
            server: ScriptedServer::start([Scripted::frames(&frames)]),
            ..member
        }
    }

    /// Checks the request, and that the stream has the one output.
    pub fn check_stream<T: ProtoJson>(&self, mut answers: Vec<Result<T, Error>>) {
        assert_eq!(answers.len(), 1);
        self.check(answers.remove(0));
    }

    pub fn client(&self) -> Client {
        super::client(&self.server)
    }

    pub fn input<T: ProtoJson>(&self) -> T {
        json::from_str(&self.sample["input"].to_string()).expect("the sample fits")
    }

    /// Checks that the request contains the sample and that the output preserves the response.
    pub fn check<T: ProtoJson>(&self, answer: Result<T, Error>) {
        let request = &self.server.requests()[0];
        assert_eq!(request.path, self.sample["path"]);
        let sent = request.json();
        let input = sent.get("graph_id").map_or(&sent, |_| &sent["input"]);
        assert_eq!(
            without_nulls(input.clone()),
            without_nulls(self.sample["input"].clone())
        );
        let output = json::to_string(&answer.expect("the call succeeds"));
        let output: Value = serde_json::from_str(&output.expect("the output is ProtoJSON"))
            .expect("ProtoJSON is JSON");
        assert_eq!(
            without_nulls(output),
            without_nulls(self.sample["output"].clone())
        );
    }
}

/// Null without presence is omitted.
fn without_nulls(mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, field| !field.is_null());
        fields
            .values_mut()
            .for_each(|field| *field = without_nulls(field.take()));
    }
    value
}

/// Clients without members of a kind have no tests that use these.
const _: fn(&Member) = |member| {
    let _ = (Member::named, Member::streaming, member.client());
    let input: String = member.input();
    member.check(Ok(input));
    member.check_stream(Vec::<Result<String, Error>>::new());
};

/// Defines a test for each method of a unary member.
macro_rules! call_each {
    ($($name:ident,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                let member = $crate::tests::member::Member::named(stringify!($name));
                let input = member.input();
                member.check(member.client().$name(&input).await);
            }
        )*
    };
}

/// Defines a test for each method that streams.
macro_rules! stream_each {
    ($($name:ident,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                let member = $crate::tests::member::Member::streaming(stringify!($name));
                let input = member.input();
                let outputs = member.client().$name(&input);
                member.check_stream(futures::StreamExt::collect(outputs).await);
            }
        )*
    };
}

/// Defines a test for each method with streamed input.
macro_rules! upload_each {
    ($($name:ident as $sample:ident,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                let member = $crate::tests::member::Member::streaming(stringify!($sample));
                let (client, input) = (member.client(), member.input());
                // The type of the input is that of the other method. Nothing is sent.
                drop(client.$sample(&input));
                let outputs = client.$name($crate::stream::iter([input]));
                member.check_stream(futures::StreamExt::collect(outputs).await);
            }
        )*
    };
}

pub(crate) use {call_each, stream_each, upload_each};
