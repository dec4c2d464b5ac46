// Rust names and lines: a module, an impl, a closure.
mod shop {
    pub struct Basket {
        pub items: i32,
    }

    impl Basket {
        #[inline(never)]
        pub fn add(&mut self, n: i32) -> i32 {
            self.items += n; // @add
            self.items
        }
    }
}

fn main() {
    let mut basket = shop::Basket { items: 1 };
    let total = basket.add(3); // @call
    std::process::exit(if total == 4 { 0 } else { 1 }); // @exit
}
