//! Client settings.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::json;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{KEY, client, echo, settings};
use crate::IDENTITY;
use crate::builder::ClientBuilder;
use crate::{Client, ErrorKind};

fn given() -> ClientBuilder {
    Client::builder()
        .api_key(KEY)
        .base_url("http://svc.example")
}

#[test]
fn malformed_settings_are_rejected() {
    let malformed = [
        given().api_key("two words"),
        given().api_key("line\nbreak"),
        given().api_key("\u{e9}"),
        given().api_key(""),
        given().base_url("svc.example"),
        given().base_url("ftp://svc.example"),
        given().base_url("http://[svc"),
        given().base_url("https://me:secret@svc.example"),
        given().base_url("https://svc.example/?a=1"),
        given().timeout(Duration::ZERO),
        given().stream_timeout(Duration::ZERO),
        given().attempt_timeout(Duration::ZERO),
        given().header("X-Line", "a\nb"),
        given().header("", "a"),
        given().header("Authorization", "Bearer other"),
        given().header("Accept-Encoding", "gzip"),
    ];
    for builder in malformed {
        let shown = format!("{builder:?}");
        let error = builder.build().expect_err(&shown);
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[test]
fn errors_name_the_setting() {
    let refused = |builder: ClientBuilder| builder.build().expect_err("it is refused").to_string();
    let named = [
        (given().timeout(Duration::ZERO), "timeout must"),
        (
            given().stream_timeout(Duration::ZERO),
            "without_stream_timeout()",
        ),
        (
            given().attempt_timeout(Duration::ZERO),
            "without_attempt_timeout()",
        ),
        (given().header("X A", "a"), "the header name \"X A\""),
        (given().header("X-A", "\u{e9}"), "the value of the header"),
    ];
    for (builder, name) in named {
        let problem = refused(builder);
        assert!(problem.contains(name), "{problem}");
    }
}

#[cfg(not(any(
    feature = "native-tls",
    feature = "rustls",
    feature = "rustls-no-provider"
)))]
#[test]
fn https_needs_tls_or_a_transport() {
    let secure = || given().base_url("HTTPS://svc.example");
    let error = secure().build().expect_err("there is no TLS");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert!(error.to_string().contains("rustls"), "{error}");
    let client = secure().http_client(reqwest::Client::new()).build();
    client.expect("the program knows what its client can do");
}

/// The test suite of the runtime also runs this without certificates.
#[test]
fn a_url_without_tls_needs_no_certificates() {
    given().build().expect("there is nothing to trust");
}

#[test]
fn calls_without_a_runtime_are_errors() {
    let client = given().build().expect("the settings are right");
    let mut call = pin!(echo(&client).send());
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(Err(error)) = call.as_mut().poll(&mut context) else {
        panic!("it fails at once");
    };
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert!(error.to_string().contains("no tokio runtime"), "{error}");
}

#[tokio::test]
async fn malformed_options_are_rejected() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({}))]);
    let client = client(&server);
    let malformed = [
        echo(&client).idempotency_key("\u{e9}"),
        echo(&client).header("X-Line", "a\r\nb: c"),
        echo(&client).header("", "a"),
    ];
    for call in malformed {
        let error = call.await.expect_err("it is refused");
        assert_eq!(error.kind(), ErrorKind::Configuration);
    }
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn headers_of_the_sdk_are_rejected() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({}))]);
    let client = client(&server);
    for (name, setter) in [
        ("Accept", ""),
        ("authorization", "api_key()"),
        ("Content-Type", ""),
        ("IDEMPOTENCY-KEY", "idempotency_key()"),
        ("Last-Event-ID", "output_after()"),
        ("X-Svc-Client", ""),
        ("Host", ""),
    ] {
        let error = echo(&client).header(name, "mine").await;
        let error = error.expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Configuration);
        let text = error.to_string();
        assert!(text.contains(&name.to_lowercase()), "{text}");
        assert!(text.contains(setter), "{text}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn headers_of_a_call_override_those_of_its_client() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({}))]);
    let client = settings(&server).header("X-Team", "one");
    let client = client.build().expect("the settings are right");
    echo(&client)
        .header("x-team", "two")
        .await
        .expect("the call succeeds");
    let request = &server.requests()[0];
    assert_eq!(request.header("x-team"), Some("two"));
}

#[tokio::test]
async fn a_user_agent_precedes_that_of_the_sdk() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({}))]);
    let client = settings(&server).header("User-Agent", "shop/2").build();
    let client = client.expect("the settings are right");
    echo(&client).await.expect("the call succeeds");
    let call = echo(&client).header("x-team", "two");
    call.await.expect("the call succeeds");
    let call = echo(&client).header("user-agent", "basket/1");
    call.await.expect("the call succeeds");
    let agents = server.requests();
    let agents = agents.iter().map(|request| request.header("user-agent"));
    let expected = ["shop/2", "shop/2", "basket/1"].map(|agent| format!("{agent} {IDENTITY}"));
    assert_eq!(
        agents.collect::<Vec<_>>(),
        expected.each_ref().map(|agent| Some(agent.as_str()))
    );
}

#[tokio::test]
async fn a_base_url_can_have_a_path() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({}))]);
    let client = settings(&server)
        .base_url(format!("{}/svc/", server.url()))
        .build();
    echo(&client.expect("the settings are right"))
        .await
        .expect("the call succeeds");
    let path = &server.requests()[0].path;
    assert_eq!(path, "/svc/invocations/v1/nodes/a/b/1.0.0/Echo");
}
