//! Tests against a scripted server on the loopback interface.

mod answers;
mod calls;
mod events;
mod flows;
mod follow;
mod live;
mod logs;
mod member;
mod members;
mod pacing;
mod pauses;
mod redaction;
mod retries;
mod scripted_server;
mod scripted_socket;
mod settings;
mod shared_transport;
mod sockets;
mod split;
mod streams;
mod test_doubles;
mod timeouts;
#[cfg(all(
    feature = "rustls-no-provider",
    not(any(feature = "native-tls", feature = "rustls"))
))]
mod tls;
mod transports;
mod uploads;

use std::time::Duration;

use reqwest::redirect::Policy;
use serde_json::json;

use crate::builder::ClientBuilder;
use crate::types::Struct;
use crate::{Call, Client, Flow, Node};
use scripted_server::ScriptedServer;

pub(crate) use member::{call_each, session_each, stream_each, upload_each};

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// A node and a flow for tests.
const ECHO: Node<Struct, Struct> = Node::new("echo", "/invocations/v1/nodes/a/b/1.0.0/Echo");
const FLOW: Flow<Struct, Struct> = Flow::new("repeat", "g-1");

/// Returns settings for a server, with short delays and without the proxies of the environment.
fn settings(server: &ScriptedServer) -> ClientBuilder {
    Client::builder()
        .api_key(KEY)
        .base_url(server.url())
        .retry_delay(Duration::from_millis(1))
        .http_client(
            reqwest::Client::builder()
                .no_proxy()
                .redirect(Policy::none())
                .build()
                .expect("the HTTP client can be created"),
        )
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
