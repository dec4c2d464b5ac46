use super::{Link, List};

#[test]
fn a_long_list_goes_without_a_long_stack() {
    let mut list = List::default();
    for number in (0..200_000).rev() {
        list = List(Box::new(Link { item: number, next: list }).into());
    }
    assert_eq!(list.iter().take(3).copied().collect::<Vec<_>>(), [0, 1, 2]);
    let small = std::thread::Builder::new().stack_size(64 << 10);
    small.spawn(move || drop(list)).unwrap().join().unwrap();
}
