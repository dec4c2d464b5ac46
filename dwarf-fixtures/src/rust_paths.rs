// Functions of modules, of a type, and of a trait's implementation.
mod geometry {
    pub struct Square(pub u32);

    pub trait Area {
        fn area(&self) -> u32;
    }

    impl Area for Square {
        #[inline(never)]
        fn area(&self) -> u32 {
            self.0 * self.0
        }
    }

    impl Square {
        #[inline(never)]
        pub fn doubled(&self) -> Square {
            Square(self.0 * 2)
        }
    }

    #[inline(never)]
    pub fn generic<T: Area>(shape: &T) -> u32 {
        shape.area() + 1
    }
}

fn main() {
    let square = geometry::Square(std::env::args().count() as u32).doubled();
    std::process::exit(geometry::generic(&square) as i32);
}
