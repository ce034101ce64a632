//! Every member is called once.

super::call_each! {
    tokenize,
    summarize,
}
