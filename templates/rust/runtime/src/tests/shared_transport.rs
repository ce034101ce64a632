//! The transport that clients share.

use tokio::runtime::{Builder, Id, Runtime};

use crate::shared_transport::PerRuntime;

fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().build();
    runtime.expect("a runtime can be created")
}

/// Looks up a value, and creates the next number if there is none.
fn ask(values: &mut PerRuntime<u32>, next: &mut u32, runtime: Option<Id>) -> u32 {
    values.find(runtime).unwrap_or_else(|| {
        *next += 1;
        values.add(runtime, *next)
    })
}

#[test]
fn each_runtime_has_its_own_transport() {
    let (mut values, mut next) = (PerRuntime::new(), 0);
    let [first, second] = [runtime(), runtime()].map(|runtime| Some(runtime.handle().id()));
    let mut of = |runtime| ask(&mut values, &mut next, runtime);
    assert_eq!([of(first), of(second), of(first), of(second)], [1, 2, 1, 2]);
}

#[test]
fn a_transport_without_a_runtime_goes_to_the_first_runtime() {
    let (mut values, mut next) = (PerRuntime::new(), 0);
    let [first, second] = [runtime(), runtime()].map(|runtime| Some(runtime.handle().id()));
    let mut of = |runtime| ask(&mut values, &mut next, runtime);
    assert_eq!([of(None), of(None), of(first), of(second)], [1, 1, 1, 2]);
    assert_eq!([of(None), of(first)], [3, 1]);
}

#[test]
fn a_runtime_keeps_its_own_transport() {
    let (mut values, mut next) = (PerRuntime::new(), 0);
    let [first, second] = [runtime(), runtime()].map(|runtime| Some(runtime.handle().id()));
    let mut of = |runtime| ask(&mut values, &mut next, runtime);
    assert_eq!([of(first), of(second), of(None)], [1, 2, 3]);
    assert_eq!([of(first), of(second), of(first)], [1, 2, 1]);
}

#[test]
fn the_least_recently_used_of_sixty_five_runtimes_is_dropped() {
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
    assert_eq!([of(ids[64]), of(ids[63]), of(ids[0])], [65, 64, 1]);
    assert_eq!(of(ids[1]), 66);
}

/// Two threads of a runtime may create a value at the same time.
#[test]
fn the_first_transport_of_a_runtime_is_kept() {
    let mut values = PerRuntime::new();
    let runtime = runtime();
    let id = Some(runtime.handle().id());
    assert_eq!([values.add(id, 1), values.add(id, 2)], [1, 1]);
    assert_eq!(values.find(id), Some(1));
}
