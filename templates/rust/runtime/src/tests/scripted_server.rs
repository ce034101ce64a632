//! An HTTP server with scripted responses that records its requests.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write, copy, sink};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::scripted_socket::{SocketStep, play};

/// A scripted response or failure.
#[derive(Clone)]
pub struct Scripted {
    status: u16,
    body: Vec<u8>,
    headers: Vec<(&'static str, String)>,
    delay: Duration,
    cut: Option<usize>,
    hangs: bool,
    is_early: bool,
    is_chunked: bool,
    socket: Option<Vec<SocketStep>>,
}

impl Scripted {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            body: body.into(),
            headers: Vec::new(),
            delay: Duration::ZERO,
            cut: None,
            hangs: false,
            is_early: false,
            is_chunked: false,
            socket: None,
        }
    }

    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status, body.to_string())
    }

    /// Accepts a WebSocket and executes these steps.
    pub fn socket(steps: impl IntoIterator<Item = SocketStep>) -> Self {
        Self {
            socket: Some(steps.into_iter().collect()),
            ..Self::new(101, "")
        }
    }

    /// Responds with an event stream of frames.
    pub fn frames(frames: &[Value]) -> Self {
        let events = frames.iter().map(|frame| format!("data: {frame}\n\n"));
        Self::new(200, events.collect::<String>()).header("Content-Type", "text/event-stream")
    }

    /// Responds with an event stream of frames, each of which is a chunk of the body.
    pub fn chunks(frames: &[Value]) -> Self {
        let events = frames.iter().map(|frame| format!("data: {frame}\n\n"));
        let chunks = events.map(|event| format!("{:x}\r\n{event}\r\n", event.len()));
        let body = chunks.collect::<String>() + "0\r\n\r\n";
        let chunked = Self {
            is_chunked: true,
            ..Self::new(200, body)
        };
        chunked.header("Content-Type", "text/event-stream")
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Delays the response.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Closes the connection after this many bytes of the response.
    pub fn cut(mut self, length: usize) -> Self {
        self.cut = Some(length);
        self
    }

    /// Closes the connection after this many bytes of the body.
    pub fn cut_body(self, length: usize) -> Self {
        let head = self.bytes().len() - self.body.len();
        self.cut(head + length)
    }

    /// Sends this many bytes of the body, and then nothing until the client disconnects.
    pub fn hang_in_body(self, length: usize) -> Self {
        Self {
            hangs: true,
            ..self.cut_body(length)
        }
    }

    /// Responds to the head of the request, before its body.
    pub fn early(self) -> Self {
        Self {
            hangs: true,
            is_early: true,
            ..self
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &match self.is_chunked {
            true => "transfer-encoding: chunked\r\n".to_owned(),
            false => format!("content-length: {}\r\n", self.body.len()),
        };
        head += "connection: close\r\n\r\n";
        [head.as_bytes(), &self.body].concat()
    }
}

/// A received request.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub path: String,
    /// Lower-case names.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(each, _)| each == name)?;
        Some(value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }
}

/// Sends its responses in order and repeats the last one.
pub struct ScriptedServer {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

struct State {
    answers: VecDeque<Scripted>,
    requests: Vec<Request>,
    sockets: Vec<Vec<String>>,
    is_over: bool,
}

impl ScriptedServer {
    pub fn start(answers: impl IntoIterator<Item = Scripted>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let state = Arc::new(Mutex::new(State {
            answers: answers.into_iter().collect(),
            requests: Vec::new(),
            sockets: Vec::new(),
            is_over: false,
        }));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.lock().expect("no test has panicked").is_over {
                    return;
                }
                let shared = Arc::clone(&shared);
                // Some tests disconnect, so errors are ignored.
                thread::spawn(move || serve(stream, &shared).unwrap_or_default());
            }
        });
        Self { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.state
            .lock()
            .expect("no test has panicked")
            .requests
            .clone()
    }

    /// Waits, for at most half a minute, until this number of WebSockets have ended, and returns the messages that each of them
    /// received.
    pub async fn ended_sockets(&self, count: usize) -> Vec<Vec<String>> {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let sockets = self
                .state
                .lock()
                .expect("no test has panicked")
                .sockets
                .clone();
            if sockets.len() >= count {
                return sockets;
            }
            let ended = sockets.len();
            assert!(Instant::now() < until, "{ended} sockets of {count} ended");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Returns the idempotency keys of all requests.
    pub fn keys(&self) -> Vec<String> {
        let requests = self.requests();
        let keys = requests
            .iter()
            .map(|request| request.header("idempotency-key"));
        keys.map(|key| key.expect("each request has a key").to_owned())
            .collect()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        if let Ok(mut state) = self.state.lock() {
            state.is_over = true;
        }
        // Connecting wakes the listener, which then stops.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let has_body = {
        let state = state.lock().expect("no test has panicked");
        !state.answers.front().is_some_and(|answer| answer.is_early)
    };
    let request = read_request(&stream, has_body)?;
    let key = request.header("sec-websocket-key").map(str::to_owned);
    let answer = {
        let mut state = state.lock().expect("no test has panicked");
        state.requests.push(request);
        match state.answers.len() {
            0 => Scripted::new(500, "no answer is left"),
            1 => state.answers[0].clone(),
            _ => state.answers.remove(0).expect("there are several"),
        }
    };
    thread::sleep(answer.delay);
    if let (Some(steps), Some(key)) = (&answer.socket, key) {
        let received = play(steps, stream, &key);
        let mut state = state.lock().expect("no test has panicked");
        state.sockets.push(received);
        return Ok(());
    }
    let bytes = answer.bytes();
    let length = answer.cut.unwrap_or(bytes.len()).min(bytes.len());
    stream.write_all(&bytes[..length])?;
    if answer.hangs {
        copy(&mut stream, &mut sink())?;
    }
    Ok(())
}

fn read_request(stream: &TcpStream, has_body: bool) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut start = line.split(' ').map(str::to_owned);
    let (method, path) = (
        start.next().unwrap_or_default(),
        start.next().unwrap_or_default(),
    );
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let is_chunked = headers.iter().any(|(name, _)| name == "transfer-encoding");
    if is_chunked && has_body {
        body = read_chunks(&mut reader)?;
    }
    Ok(Request {
        method,
        path,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}

fn read_chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim_end(), 16).unwrap_or(0);
        let mut chunk = vec![0; length + "\r\n".len()];
        reader.read_exact(&mut chunk)?;
        if length == 0 {
            return Ok(body);
        }
        body.extend_from_slice(&chunk[..length]);
    }
}
