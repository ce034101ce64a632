//! Measures calls of the Rust SDK beside reqwest: see test/bench/sdks/sdk-bench.ts.

use std::error::Error;
use std::time::{Duration, Instant};

use acme_acme_text::{Client, messages};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};

struct Bare {
    http: reqwest::Client,
    url: String,
    authorization: String,
    calls: u64,
}

impl Bare {
    async fn call(&mut self) -> Result<(), Box<dyn Error>> {
        self.calls += 1;
        let body = serde_json::json!({"text": "Two ships left the harbour.", "limit": 10});
        let response = self
            .http
            .post(&self.url)
            .header(AUTHORIZATION, &self.authorization)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .header("Idempotency-Key", format!("{:032x}", self.calls))
            .header("X-Svc-Client", "acme-acme-text/1.1.0 (rust; svc/0)")
            .timeout(Duration::from_secs(60))
            .body(serde_json::to_vec(&body)?)
            .send()
            .await?
            .error_for_status()?;
        let output: serde_json::Value = serde_json::from_slice(&response.bytes().await?)?;
        assert_eq!(output["total"], "5");
        Ok(())
    }
}

async fn sdk(client: &Client) -> Result<(), Box<dyn Error>> {
    let input = messages::CountWordsRequest::new()
        .with_text("Two ships left the harbour.")
        .with_limit(10);
    let answer = client.count_words(&input).await?;
    assert_eq!(answer.total, 5);
    Ok(())
}

async fn measure(
    span: Duration,
    bare: &mut Bare,
    client: &Client,
) -> Result<serde_json::Value, Box<dyn Error>> {
    let (mut bare_times, mut sdk_times) = (Vec::new(), Vec::new());
    let end = Instant::now() + span;
    while Instant::now() < end {
        let start = Instant::now();
        bare.call().await?;
        bare_times.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        sdk(client).await?;
        sdk_times.push(start.elapsed().as_nanos() as u64);
    }
    Ok(serde_json::json!({"bare": bare_times, "sdk": sdk_times}))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let span = Duration::from_secs_f64(std::env::var("BENCH_SECONDS")?.parse()?);
    let client = Client::new()?;
    let mut bare = Bare {
        http: reqwest::Client::new(),
        url: std::env::var("SVC_BASE_URL")? + "/bare",
        authorization: format!("Bearer {}", std::env::var("SVC_API_KEY")?),
        calls: 0,
    };
    measure(span, &mut bare, &client).await?;
    println!("{}", measure(span, &mut bare, &client).await?);
    Ok(())
}
