//! Every member is called once.

super::call_each! {
    tokenize,
    summarize,
}
super::stream_each! {
    split,
    write,
}
super::upload_each! {
    upload_split as split,
}
super::session_each! {
    create_split_stream, split_stream, open_split as split,
}
