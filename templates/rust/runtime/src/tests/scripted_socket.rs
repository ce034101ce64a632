//! WebSockets of the scripted server.

use std::io::Write;
use std::net::TcpStream;

use serde_json::Value;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket};

/// The next step of the server.
#[derive(Clone)]
pub enum SocketStep {
    Send(Value),
    /// Waits until this number of messages have arrived.
    Receive(usize),
    /// Waits until the client closes, and records the code.
    ReceiveClose,
    Close(u16, &'static str),
    /// Ends the connection without a close frame.
    Vanish,
}

/// Executes the steps, then waits until the client has closed. Returns the messages of the client.
pub fn play(steps: &[SocketStep], mut stream: TcpStream, key: &str) -> Vec<String> {
    let proof = derive_accept_key(key.as_bytes());
    let head = format!(
        "HTTP/1.1 101 Scripted\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: {proof}\r\n\r\n"
    );
    let mut received: Vec<String> = Vec::new();
    // Without this, a message that waits for an acknowledgement is lost if the server vanishes before it has read the client's
    // messages.
    if stream.set_nodelay(true).is_err() || stream.write_all(head.as_bytes()).is_err() {
        return received;
    }
    let config = WebSocketConfig::default();
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    for step in steps {
        let done = match step {
            SocketStep::Send(message) => socket.send(Message::text(message.to_string())),
            SocketStep::Receive(count) => receive(&mut socket, *count, &mut received),
            SocketStep::ReceiveClose => receive_close(&mut socket, &mut received),
            SocketStep::Close(code, reason) => socket.close(Some(CloseFrame {
                code: (*code).into(),
                reason: (*reason).into(),
            })),
            SocketStep::Vanish => return received,
        };
        if done.is_err() {
            return received;
        }
    }
    let until_closed = receive(&mut socket, usize::MAX, &mut received);
    drop(until_closed);
    received
}

fn receive_close(
    socket: &mut WebSocket<TcpStream>,
    received: &mut Vec<String>,
) -> Result<(), Error> {
    loop {
        if let Message::Close(Some(frame)) = socket.read()? {
            received.push(frame.code.to_string());
            return Ok(());
        }
    }
}

fn receive(
    socket: &mut WebSocket<TcpStream>,
    count: usize,
    received: &mut Vec<String>,
) -> Result<(), Error> {
    while received.len() < count {
        if let Message::Text(text) = socket.read()? {
            received.push(text.to_string());
        }
    }
    Ok(())
}
