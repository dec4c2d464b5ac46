//! A large C++ program of our own, with uncompressed debug info: many instances of templates in many units.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is asked about it.
pub const FUNCTION: &str = "bulk::Engine::run";
pub const TYPE: &str = "bulk::Engine";

/// So many units, with so many instances each, make a file of about 70 MB.
const UNITS: usize = 64;
const INSTANCES: usize = 345;

const HEADER: &str = r#"
#pragma once
namespace bulk {
template <int N> struct Cell {
    long key = N;
    Cell *left = nullptr, *right = nullptr;
    struct Pair { long first; Cell *second; };
    Cell *find(long wanted) {
        Cell *at = this;
        while (at && at->key != wanted) at = wanted < at->key ? at->left : at->right;
        return at;
    }
    void insert(Cell *other) {
        Cell **slot = other->key < key ? &left : &right;
        if (*slot) (*slot)->insert(other); else *slot = other;
    }
    Pair smallest() {
        Pair found{key, this};
        for (Cell *at = left; at; at = at->left) found = Pair{at->key, at};
        return found;
    }
    long sum() const {
        long total = key;
        if (left) total += left->sum();
        if (right) total += right->sum();
        return total;
    }
    template <typename F> void each(F f) {
        if (left) left->each(f);
        f(*this);
        if (right) right->each(f);
    }
};
template <int N> struct Table {
    Cell<N> *cells[16] = {};
    unsigned count = 0;
    bool add(Cell<N> *cell) {
        if (count == 16) return false;
        for (unsigned i = 0; i < count; i++) if (cells[i]->key == cell->key) return false;
        cells[count++] = cell;
        return true;
    }
    long total() const {
        long total = 0;
        for (unsigned i = 0; i < count; i++) total += cells[i]->sum();
        return total;
    }
};
class Engine {
public:
    explicit Engine(int speed) : speed(speed) {}
    int run(int turns);
private:
    int speed;
    long turned = 0;
    Cell<0> first;
    Table<0> table;
    const char *name = "engine";
};
inline int limited(int value) { return value < 0 ? 0 : value > 100 ? 100 : value; }
}
"#;

fn unit(number: usize) -> String {
    let first = number * INSTANCES + 1;
    let instances: String = (first..first + INSTANCES)
        .map(|n| format!("template struct bulk::Cell<{n}>;\ntemplate struct bulk::Table<{n}>;\n"))
        .collect();
    let uses: String = (first..first + INSTANCES)
        .step_by(4)
        .map(|n| {
            format!("    {{ bulk::Cell<{n}> cell; cell.each([&](bulk::Cell<{n}> &c) {{ total += c.key + by; }}); }}\n")
        })
        .collect();
    let engine = match number {
        40 => "int bulk::Engine::run(int turns) {\n    turned += turns * speed;\n    return limited(turns);\n}\n",
        _ => "",
    };
    format!(
        "#include \"bulk.h\"\n{instances}{engine}long unit_{number}(long by) {{\n    long total = bulk::limited(by);\n{uses}    return total;\n}}\n"
    )
}

/// Compiles the program into a directory; gives its path.
pub fn generate(directory: &Path) -> PathBuf {
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).expect("a source can be written");
    write("bulk.h", HEADER);
    let calls: String = (0..UNITS).map(|n| format!("    total += unit_{n}(total);\n")).collect();
    let declared: String = (0..UNITS).map(|n| format!("long unit_{n}(long);\n")).collect();
    let main = format!(
        "#include \"bulk.h\"\n{declared}int main() {{\n    long total = bulk::Engine(3).run(7);\n{calls}    return total == 0;\n}}\n"
    );
    write("main.cpp", &main);
    (0..UNITS).for_each(|n| write(&format!("unit{n}.cpp"), &unit(n)));
    let names: Vec<String> = (0..UNITS).map(|n| format!("unit{n}")).chain(["main".to_owned()]).collect();
    let next = AtomicUsize::new(0);
    let compile = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut command = Command::new("g++");
            command.args(["-g", "-O0", "-gz=none", "-c", &format!("{name}.cpp")]).current_dir(directory);
            assert!(command.status().expect("g++ is there").success(), "{name} compiles");
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(compile))));
    let mut link = Command::new("g++");
    link.args(["-gz=none", "-Wl,--build-id", "-o", "bulk"]).args(names.iter().map(|name| format!("{name}.o")));
    assert!(link.current_dir(directory).status().expect("g++ is there").success(), "the program links");
    directory.join("bulk")
}
