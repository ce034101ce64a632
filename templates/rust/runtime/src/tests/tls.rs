//! TLS without a crypto provider. Run with the feature `rustls-no-provider` alone.

use std::error::Error as _;

use super::KEY;
use crate::{Client, ErrorKind};

#[test]
fn a_missing_crypto_provider_is_an_error() {
    let builder = Client::builder()
        .api_key(KEY)
        .base_url("https://svc.example");
    let error = builder.build().expect_err("there is no provider");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    let cause = error.source().expect("there is a cause").to_string();
    assert!(cause.contains("no crypto provider"), "{cause}");
}
