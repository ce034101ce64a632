//! WebSockets in memory, and clocks that tests control.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use tokio::io::DuplexStream;
use tokio::time;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use crate::socket::{Ending, Socket};

/// Returns a socket and its other end.
async fn connected() -> (Socket, WebSocketStream<DuplexStream>) {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let service = WebSocketStream::from_raw_socket(theirs, Role::Server, None);
    (Socket::over(Box::new(ours)).await, service.await)
}

#[tokio::test(start_paused = true)]
async fn a_socket_that_receives_pings_is_alive() {
    let (mut socket, mut service) = connected().await;
    let pinging = tokio::spawn(async move {
        for _ in 0..5 {
            time::sleep(Duration::from_secs(89)).await;
            let ping = service.send(Message::Ping("are you there".into()));
            ping.await.expect("the socket is open");
            let pong = service.next().await.expect("the socket is open");
            assert!(pong.expect("the socket is open").is_pong());
        }
        let message = service.send(Message::text("at last"));
        message.await.expect("the socket is open");
        service
    });
    let message = socket.incoming.next().await.expect("the service is alive");
    assert_eq!(message, "at last");
    drop(pinging);
}

#[tokio::test(start_paused = true)]
async fn a_socket_that_is_silent_for_too_long_is_lost() {
    let (mut socket, service) = connected().await;
    let began = time::Instant::now();
    let ending = socket.incoming.next().await.expect_err("nothing arrives");
    assert!(matches!(ending, Ending::Silence), "{ending}");
    assert_eq!(began.elapsed().as_secs(), 90);
    drop(service);
}

#[tokio::test]
async fn long_messages_arrive_completely() {
    let (mut socket, mut service) = connected().await;
    // This is longer than the default limit of the library.
    let long = "a".repeat((16 << 20) + 1);
    let sent = Message::text(long.clone());
    let sending = tokio::spawn(async move { service.send(sent).await });
    let message = socket.incoming.next().await.expect("the message arrives");
    assert!(message == long);
    drop(sending);
}
