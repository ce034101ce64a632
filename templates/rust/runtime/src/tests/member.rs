//! A member of this crate with a sample input and output.

use serde_json::{Value, json as object};

use super::scripted_server::{Scripted, ScriptedServer};
use super::scripted_socket::SocketStep;
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

    /// Creates a member whose response is a stream of one output.
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

    /// Creates a member whose split stream is created, takes an upload and has one output, and whose session has the same output.
    pub fn conversing(name: &str) -> Self {
        let member = Self::named(name);
        let message = object!({ "payload": member.sample["output"] });
        let last = object!({ "is_final": true, "success": true });
        let upload = object!({ "execution_id": "0".repeat(32), "input_frames": 1 });
        let answers = [
            Scripted::json(201, &object!({ "stream_id": "s-1" })),
            Scripted::json(200, &upload),
            Scripted::frames(&[message.clone(), last.clone()]),
            Scripted::socket([
                SocketStep::Send(object!({ "type": "SESSION_READY" })),
                SocketStep::Receive(1),
                SocketStep::Send(message),
                SocketStep::Send(last),
            ]),
        ];
        Self {
            server: ScriptedServer::start(answers),
            ..member
        }
    }

    /// Checks the requests of the split stream and the session, and their outputs.
    pub async fn check_session<T: ProtoJson>(&self, answers: Vec<Result<T, Error>>) {
        assert_eq!(answers.len(), 2);
        for answer in answers {
            self.check_output(answer);
        }
        let requests = self.server.requests();
        let paths = requests.iter().map(|request| request.path.as_str());
        let live = format!("{}/live", self.sample["path"].as_str().unwrap_or_default());
        let expected = [
            "/invocations/v1/nodes/streams",
            "/invocations/v1/nodes/streams/s-1/input",
            "/invocations/v1/nodes/streams/s-1/output",
            &live,
        ];
        assert_eq!(paths.collect::<Vec<_>>(), expected);
        let sent = self.server.ended_sockets(1).await.concat();
        for sent in [requests[1].body.as_str(), sent[0].as_str()] {
            let sent: Value = serde_json::from_str(sent).expect("the input is JSON");
            assert_eq!(
                without_nulls(sent),
                without_nulls(self.sample["input"].clone())
            );
        }
    }

    /// Checks the request, and that the stream has exactly the one output.
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
        self.check_output(answer);
    }

    fn check_output<T: ProtoJson>(&self, answer: Result<T, Error>) {
        let output = json::to_string(&answer.expect("the call succeeds"));
        let output: Value = serde_json::from_str(&output.expect("the output is ProtoJSON"))
            .expect("ProtoJSON is JSON");
        assert_eq!(
            without_nulls(output),
            without_nulls(self.sample["output"].clone())
        );
    }
}

/// Omits nulls, as fields without presence are omitted.
fn without_nulls(mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, field| !field.is_null());
        fields
            .values_mut()
            .for_each(|field| *field = without_nulls(field.take()));
    }
    value
}

/// Uses functions that only some kinds of members need, so that clients without such members compile without warnings.
const _: fn(&Member) = |member| {
    let _ = (Member::named, Member::streaming, Member::conversing);
    let _ = member.client();
    let input: String = member.input();
    member.check(Ok(input));
    member.check_stream(Vec::<Result<String, Error>>::new());
    drop(member.check_session(Vec::<Result<String, Error>>::new()));
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
                // This call fixes the type of the input. Nothing is sent.
                drop(client.$sample(&input));
                let outputs = client.$name($crate::stream::iter([input]));
                member.check_stream(futures::StreamExt::collect(outputs).await);
            }
        )*
    };
}

/// Defines a test for the methods of split streams and live sessions.
macro_rules! session_each {
    ($($create:ident, $find:ident, $open:ident as $sample:ident,)*) => {
        $(
            #[tokio::test]
            async fn $create() {
                let member = $crate::tests::member::Member::conversing(stringify!($sample));
                let (client, input) = (member.client(), member.input());
                // This call fixes the type of the input. Nothing is sent.
                drop(client.$sample(&input));
                let created = client.$create().await.expect("the stream is created");
                let found = client.$find(created.id()).expect("the id is one of a stream");
                let upload = found.upload($crate::stream::iter([input])).await;
                assert_eq!(upload.expect("the input arrives").input_messages, 1);
                let mut outputs: Vec<_> = futures::StreamExt::collect(found.output()).await;
                let mut session = client.$open().await.expect("the session is ready");
                let sent = session.send(&member.input()).await;
                sent.expect("the session is open");
                outputs.extend(session.next().await);
                assert!(session.next().await.is_none());
                session.close();
                member.check_session(outputs).await;
            }
        )*
    };
}

pub(crate) use {call_each, session_each, stream_each, upload_each};
