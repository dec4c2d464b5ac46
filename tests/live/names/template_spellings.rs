//! Names of templates as users write them, in binaries of compilers that each write them in their own way.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const TEXT: &str = r#"
#include <map>
#include <string>
#include <vector>
template <class T> struct Wrap { T v; static int made; T get() { return v; } };
template <class T> int Wrap<T>::made = sizeof(T);
template <class A, class B> struct Two { A a; B b; };
template <class T, unsigned long N> struct Row { T cells[N]; };
template <char C> struct Letter { int at = C - 'A'; };
namespace shop { template <class T> struct Box { T inside; }; }
Wrap<long> a{1};
Wrap<Wrap<long>> b{{2}};
Wrap<const char *> w{"text"};
Two<unsigned, Wrap<unsigned char>> c{3, {4}};
Two<int, long long> d{5, 6};
Row<short, 3> r{{7, 8, 9}};
Letter<'C'> l;
shop::Box<std::vector<unsigned long>> x;
std::map<std::string, int> m{{"x", 1}};
template <class T> T twice(T of) { return of + of; }
int main() {
  long sum = a.get() + b.v.v + Wrap<long>::made + Wrap<Wrap<long>>::made + Wrap<const char *>::made;
  sum += twice<unsigned long>(2) + twice<short>(3);
  return sum + c.a + d.a + (int)m.size() + r.cells[0] + l.at + x.inside.size() + *w.v == 0;
}
"#;

const EXPECTED: [(&str, &str); 18] = [
    ("sizeof(Wrap<long>)", "8"),
    ("sizeof(Wrap<long int>)", "8"),
    ("sizeof(Wrap<Wrap<long>>)", "8"),
    ("sizeof(Wrap<Wrap<long> >)", "8"),
    ("Wrap<long>::made", "8"),
    ("Wrap<Wrap<long>>::made", "8"),
    ("Wrap<const char*>::made", "8"),
    ("Wrap<char const *>::made", "8"),
    ("(*(Wrap<Wrap<long>>*)&b).v.v", "2"),
    ("((Two<unsigned, Wrap<unsigned char>>*)&c)->a", "3"),
    ("((Two<int,long long>*)&d)->b", "6"),
    ("((Row<short, 3>*)&r)->cells[2]", "9"),
    ("((Letter<'C'>*)&l)->at", "2"),
    ("sizeof(shop::Box<std::vector<unsigned long>>)", "24"),
    ("sizeof(std::vector<unsigned long>)", "24"),
    ("sizeof(std::map<std::string, int>)", "48"),
    ("sizeof(std::string)", "32"),
    ("sizeof(Wrap<long>) + sizeof(Two<int, long long>)", "24"),
];

#[test]
fn a_template_is_named_as_in_the_source() {
    // Without this option Clang leaves out classes that a library has.
    let whole = ["-g", "-fstandalone-debug"];
    let simple = ["-g", "-fstandalone-debug", "-gsimple-template-names"];
    for (compiler, options) in [("g++", &["-g"][..]), ("clang++", &whole), ("clang++", &simple)] {
        let what = format!("spellings.{compiler}{}", options.len());
        let server = replay_of(&built_by(compiler, "cc", &what, TEXT, options));
        check(&server, &what, "main", &EXPECTED);
        for (location, argument, value) in [("twice<unsigned long>", "of", "2"), ("twice<short>", "of", "3")] {
            let hits = server.call("rr_trace", json!({"locations": [location], "values": [argument]}));
            let rows = hits["rows"].as_array().unwrap();
            assert_eq!(rows.len(), 1, "{what}: {hits}");
            assert_eq!(rows[0]["values"][0]["value"], value, "{what}: {hits}");
        }
        let inside = server.call("rr_trace", json!({"locations": ["Wrap<long>::get"], "values": ["v"]}));
        assert_eq!(inside["rows"][0]["values"][0]["value"], "1", "{what}: {inside}");
    }
}
