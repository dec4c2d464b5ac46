// Aborts, by its argument: without a panic, or by one that cannot unwind.
extern "C" fn strict(key: u32) {
    let keys = [1, 2, 3];
    if !keys.contains(&key) {
        panic!("no key {key} among {}", keys.len()); // @panic
    }
}

fn main() {
    let key = std::env::args().nth(1).map_or(0, |text| text.parse().unwrap()); // @key
    if key == 0 {
        std::process::abort(); // @abort
    }
    strict(key);
}
