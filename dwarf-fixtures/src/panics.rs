// A panic that is caught, and one that ends the program.
use std::panic::catch_unwind;

fn element(list: &[u32], at: usize) -> u32 {
    list[at] // @index
}

fn main() {
    let list = [1, 2, 3];
    let caught = catch_unwind(|| element(&list, 7)); // @caught
    assert!(caught.is_err());
    let none: Option<u32> = list.iter().copied().find(|n| *n > 3); // @find
    println!("{}", none.unwrap()); // @last
}
