//! The transport that clients share.

use std::convert::Infallible;

use tokio::runtime::{Builder, Id, Runtime};

use crate::shared_transport::PerRuntime;

fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().build();
    runtime.expect("a runtime can be created")
}

/// Asks for a value, and creates the next number if there is none.
fn ask(values: &mut PerRuntime<u32>, next: &mut u32, runtime: Option<Id>) -> u32 {
    let created = values.of(runtime, || {
        *next += 1;
        Ok::<_, Infallible>(*next)
    });
    created.expect("creating a number never fails")
}

#[test]
fn it_is_one_per_runtime() {
    let (mut values, mut next) = (PerRuntime::new(), 0);
    let [first, second] = [runtime(), runtime()].map(|runtime| Some(runtime.handle().id()));
    let mut of = |runtime| ask(&mut values, &mut next, runtime);
    assert_eq!([of(first), of(second), of(first), of(second)], [1, 2, 1, 2]);
}

#[test]
fn that_of_clients_outside_of_runtimes_goes_to_the_first_runtime() {
    let (mut values, mut next) = (PerRuntime::new(), 0);
    let [first, second] = [runtime(), runtime()].map(|runtime| Some(runtime.handle().id()));
    let mut of = |runtime| ask(&mut values, &mut next, runtime);
    assert_eq!([of(None), of(None), of(first), of(second)], [1, 1, 1, 2]);
    assert_eq!([of(None), of(first)], [3, 1]);
}

#[test]
fn it_is_dropped_when_sixty_four_later_runtimes_have_one() {
    let (mut values, mut next) = (PerRuntime::new(), 0);
    let runtimes: Vec<_> = (0..65).map(|_| runtime()).collect();
    let ids: Vec<_> = runtimes
        .iter()
        .map(|each| Some(each.handle().id()))
        .collect();
    let mut of = |runtime| ask(&mut values, &mut next, runtime);
    for (id, number) in ids[..64].iter().zip(1..) {
        assert_eq!(of(*id), number);
    }
    assert_eq!(of(ids[0]), 1);
    assert_eq!([of(ids[64]), of(ids[63]), of(ids[1])], [65, 64, 2]);
    assert_eq!(of(ids[0]), 66);
}

/// A creation that fails leaves nothing behind.
#[test]
fn a_failure_is_not_kept() {
    let mut values = PerRuntime::new();
    assert_eq!(values.of(None, || Err::<u32, _>("no TLS")), Err("no TLS"));
    assert_eq!(values.of(None, || Ok::<_, Infallible>(7)), Ok(7));
}
