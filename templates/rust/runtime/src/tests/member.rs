//! A member of this crate with a sample input and output.

use serde_json::Value;

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

/// Defines a test for each method.
macro_rules! call_each {
    // Clients without callable members have no tests here.
    () => {
        const _: fn($crate::tests::member::Member) = |member| {
            let _ = $crate::tests::member::Member::named;
            let _ = member.client();
            let input: String = member.input();
            member.check(Ok(input));
        };
    };
    ($($name:ident,)+) => {
        $(
            #[tokio::test]
            async fn $name() {
                let member = $crate::tests::member::Member::named(stringify!($name));
                let input = member.input();
                member.check(member.client().$name(&input).await);
            }
        )+
    };
}

pub(crate) use call_each;
