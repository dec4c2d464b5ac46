use crate::program::Program;
use retrograde::ctype::Dialect;

#[test]
fn dump() {
    let fixture = std::env::var("FIXTURE").unwrap();
    let mut program = Program::start(&fixture, if fixture.contains("rust") { Dialect::Rust } else { Dialect::Cxx });
    for e in std::env::var("EXPRS").unwrap().split(';') {
        println!("{e} = {}", program.show(e));
    }
}
