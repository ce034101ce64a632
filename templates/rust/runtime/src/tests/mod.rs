//! Tests against a scripted server on the loopback interface.

mod answers;
mod calls;
mod events;
mod flows;
mod member;
mod members;
mod redaction;
mod retries;
mod scripted_server;
mod settings;
mod timeouts;
mod transports;

use std::time::Duration;

use serde_json::json;

use crate::builder::ClientBuilder;
use crate::types::Struct;
use crate::{Call, Client, Flow, Node};
use scripted_server::ScriptedServer;

pub(crate) use member::call_each;

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// A node and a flow for tests.
const ECHO: Node<Struct, Struct> = Node::new("echo", "/invocations/v1/nodes/a/b/1.0.0/Echo");
const FLOW: Flow<Struct, Struct> = Flow::new("repeat", "g-1");

/// Settings for a server, with short delays.
fn settings(server: &ScriptedServer) -> ClientBuilder {
    Client::builder()
        .api_key(KEY)
        .base_url(server.url())
        .retry_delay(Duration::from_millis(1))
}

fn client(server: &ScriptedServer) -> Client {
    settings(server).build().expect("the settings are right")
}

fn echo(client: &Client) -> Call<Struct> {
    client.call(&ECHO, &input())
}

/// `{"count": 5}`
fn input() -> Struct {
    Struct::from_iter([("count".to_owned(), json!(5))])
}
