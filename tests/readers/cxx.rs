//! C++: the same contents as GNU's and as LLVM's library keep them, and as GDB prints them.

use crate::gdb;
use crate::program::Program;
use ctype::Dialect;

/// Objects of `library_types.cpp` and what they mean. Addresses are written `0x*`.
pub const VALUES: &[(&str, &str)] = &[
    ("empty_text", r#""""#),
    ("small", r#""small""#),
    ("large", r#""a string that does not fit into the object itself""#),
    ("embedded", r#""a\000b""#),
    ("umlaut", r#""grün""#),
    ("many", "'x' <repeats 200 times>..."),
    ("wide", r#"L"wide""#),
    ("utf16", r#"u"sixteen""#),
    ("view", r#""string""#),
    ("numbers", "std::vector of length 3, capacity 4 = {1, 2, 3}"),
    ("no_numbers", "std::vector of length 0, capacity 0"),
    ("words", r#"std::vector of length 2, capacity 2 = {"one", "two"}"#),
    ("bits", "std::vector<bool> of length 4, capacity 64 = {true, false, true, true}"),
    (
        "nested",
        "std::vector of length 2, capacity 2 = {std::vector of length 1, capacity 1 = {1}, std::vector of length 2, \
        capacity 2 = {2, 3}}",
    ),
    ("items", r#"std::vector of length 2, capacity 2 = {{code = 1, name = "pen"}, {code = 2, name = "ink"}}"#),
    ("fixed", "{4, 5, 6}"),
    ("nothing", "{}"),
    ("no_deck", "std::deque with 0 elements"),
    ("chain", "std::__cxx11::list = {[0] = 7, [1] = 8, [2] = 9}"),
    ("no_chain", "empty std::__cxx11::list"),
    ("forward", "std::forward_list = {[0] = 10, [1] = 11}"),
    ("no_forward", "empty std::forward_list"),
    ("names", r#"std::map with 3 elements = {[1] = "one", [2] = "two", [3] = "three"}"#),
    ("codes", r#"std::map with 2 elements = {["a"] = 1, ["b"] = 2}"#),
    ("tight", "std::map with 1 element = {[107 'k'] = 118 'v'}"),
    ("no_map", "std::map with 0 elements"),
    ("aligned", "std::map with 1 element = {[1] = 2.5}"),
    ("several", "std::multimap with 3 elements = {[1] = 10, [1] = 11, [2] = 20}"),
    ("sorted", "std::set with 3 elements = {[0] = 3, [1] = 4, [2] = 5}"),
    ("letters", "std::multiset with 3 elements = {[0] = 97 'a', [1] = 98 'b', [2] = 98 'b'}"),
    ("hashed", r#"std::unordered_map with 1 element = {["key"] = 42}"#),
    ("no_hashed", "std::unordered_map with 0 elements"),
    ("hashed_set", "std::unordered_set with 1 element = {[0] = 12}"),
    ("pair", r#"{first = 1, second = "first"}"#),
    ("triple", r#"std::tuple containing = {[1] = 1, [2] = "two", [3] = 3.5}"#),
    ("no_tuple", "empty std::tuple"),
    ("some", "std::optional<int> = {[contained value] = 5}"),
    ("none", "std::optional<int> [no contained value]"),
    ("some_text", r#"std::optional<std::string> = {[contained value] = "text"}"#),
    ("some_numbers", "std::optional<std::vector<int>> containing std::vector of length 2, capacity 2 = {1, 2}"),
    ("variant", r#"std::variant<int, std::string> [index 1] = {"alternative"}"#),
    ("other_variant", "std::variant<int, std::string> [index 0] = {3}"),
    ("any", "std::any containing int = {[contained value] = 17}"),
    ("any_text", r#"std::any containing std::string = {[contained value] = "inside"}"#),
    ("no_any", "std::any [no contained value]"),
    ("owner", "std::unique_ptr<int> = {get() = 0x*}"),
    ("item", "std::unique_ptr<shop::Item> = {get() = 0x*}"),
    ("no_owner", "std::unique_ptr<int> = {get() = 0x*}"),
    ("shared", "std::shared_ptr<int> (use count 2, weak count 1) = {get() = 0x*}"),
    ("weak", "std::weak_ptr<int> (use count 2, weak count 1) = {get() = 0x*}"),
    ("expired", "std::weak_ptr<int> (expired, weak count 1) = {get() = 0x*}"),
    ("no_shared", "std::shared_ptr<int> (empty) = {get() = 0x*}"),
    ("function", "std::function<int(int)> = {target = 0x* <twice(int)>}"),
    ("object", "std::function<int(int)> = {target = {bytes = {5, 0, 0, 0}}}"),
    ("closure", "std::function<int(int)> = {target = {__captured = 30}}"),
    ("no_function", "std::function<int(int)> [empty]"),
    ("counted", "std::function<int(int)> = {target = {n = 6}}"),
    (
        "keeper",
        "std::function<int(int)> = {target = {__kept = std::shared_ptr<int> (use count 2, weak count 0) = {get() = 0x*}}}",
    ),
    ("watcher", "std::function<int(int)> = {target = {__seen = std::weak_ptr<int> (empty) = {get() = 0x*}}}"),
    ("pair_of_ints", "std::function<int(int)> = {target = {__a = 25, __b = 26}}"),
    ("stateless", "std::function<int(int)> = {target = {<No data fields>}}"),
    ("picked", "std::function<int(int)> = {target = 0x* <first<int>(int)>}"),
    ("counted_any", "std::any containing shop::Counted = {[contained value] = {n = 28}}"),
    ("span", "std::span of length 3 = {1, 2, 3}"),
    ("fixed_span", "std::span of length 2 = {2, 3}"),
    ("bitset", "std::bitset = {[0] = 1, [2] = 1, [4] = 1}"),
    ("wide_bitset", "std::bitset = {[0] = 1, [1] = 1}"),
    ("atomic", "std::atomic<int> = { 33 }"),
    ("flag", "std::atomic<bool> = { true }"),
    ("colour", "std::atomic<shop::Colour> = { shop::Colour::Green }"),
    ("delay", "1500ms"),
    ("exact", "2.5s"),
    (
        "path",
        r#"filesystem::path "/usr/share/doc" = {[root-directory] = "/", [1] = "usr", [2] = "share", [3] = "doc"}"#,
    ),
    ("file", r#"filesystem::path "file""#),
    ("at_number", "2"),
    ("at_nothing", "non-dereferenceable iterator for std::vector"),
    ("at_bit", "true"),
    ("at_link", "7"),
    ("at_chain_end", "past-the-end iterator for std::list"),
    ("at_no_chain", "past-the-end iterator for std::list"),
    ("at_three", "3, or past-the-end iterator for std::list"),
    ("at_five", "5"),
    ("at_counting_end", "3, or past-the-end iterator for std::list"),
    ("at_name", r#"{first = 1, second = "one"}"#),
    ("at_end", "past-the-end iterator for associative container"),
    ("at_sorted", "3"),
    ("at_card", "4"),
    ("at_forward", "10"),
    ("at_hash", r#"{first = "key", second = 42}"#),
    ("eighth", r#""eight""#),
    ("owned", "std::unique_ptr<int []> = {get() = 0x*}"),
    ("plain_error", r#"std::runtime_error "plain""#),
    ("failure", r#"{<std::runtime_error> = std::runtime_error "failure 5", code = 5}"#),
    ("waiting", "std::coroutine_handle<shop::Task::promise_type> of later, not ended = {promise() = {result = 1}}"),
    ("ended", "std::coroutine_handle<shop::Task::promise_type> of later, ended = {promise() = {result = 42}}"),
    ("no_coroutine", "std::coroutine_handle<void> [no coroutine]"),
    ("no_exception", "std::exception_ptr [no exception]"),
    ("stack", "std::stack wrapping: std::deque with 1 element = {1}"),
    ("queue", "std::queue wrapping: std::deque with 1 element = {2}"),
    ("heap", "std::priority_queue wrapping: std::vector of length 1, capacity 1 = {3}"),
    ("listed", "std::initializer_list of length 2 = {1, 2}"),
    ("thing", r#"{<shop::Item> = {code = 9, name = "thing"}, tags = std::vector of length 1, capacity 1 = {"t"}}"#),
];

/// What GDB 13 shows as the structure that it is, and we read as what it means.
const READ_BY_US_ONLY: &[&str] = &[
    "fixed",
    "nothing",
    "function",
    "object",
    "closure",
    "no_function",
    "counted",
    "keeper",
    "watcher",
    "pair_of_ints",
    "stateless",
    "picked",
    "delay",
    "exact",
    "at_chain_end",
    "at_no_chain",
    "at_three",
    "at_counting_end",
    "at_end",
    "at_hash",
    "no_exception",
    "plain_error",
    "failure",
    "waiting",
    "ended",
    "no_coroutine",
];

/// Replaces addresses, which differ from run to run.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("0x*");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    out
}

#[test]
fn gnu_library() {
    let mut program = Program::start("library_types", Dialect::Cxx);
    for (expression, value) in VALUES {
        assert_eq!(without_addresses(&program.show(expression)), *value, "{expression}");
    }
}

#[test]
fn llvm_library() {
    let mut program = Program::start("library_types-libcxx", Dialect::Cxx);
    for (expression, value) in VALUES {
        let mut value = value.replace("::__cxx11", "").replace("int(int)", "int (int)").replace("int []", "int[]");
        // GCC marks what a closure has captured.
        value = ["captured", "kept", "seen", "a", "b"]
            .iter()
            .fold(value, |value, name| value.replace(&format!("__{name} ="), &format!("{name} =")));
        if *expression == "path" {
            // LLVM's paths do not keep their components.
            value.truncate(value.find(" = ").unwrap());
        }
        assert_eq!(without_addresses(&program.show(expression)), value, "{expression}");
    }
}

/// What `std::bind` gives fits into a function, but is no object that is copied byte by byte.
#[test]
fn bound_arguments_are_found() {
    for fixture in ["library_types", "library_types-libcxx"] {
        let shown = Program::start(fixture, Dialect::Cxx).show("bound");
        assert!(shown.contains("std::tuple containing = {[1] = ") && shown.contains("[2] = 27}"), "{fixture}: {shown}");
    }
}

#[test]
fn gdb_prints_the_same() {
    let mut program = Program::start("library_types", Dialect::Cxx);
    let more = ["deck", "thousand", "&numbers", "reference"];
    let expressions: Vec<&str> = VALUES.iter().map(|(expression, _)| *expression).chain(more).collect();
    let theirs = gdb::print(program.id(), &expressions);
    let mut different = Vec::new();
    for expression in expressions {
        if READ_BY_US_ONLY.contains(&expression) {
            continue;
        }
        let (ours, theirs) = (program.show(expression), &theirs[expression]);
        if ours != *theirs {
            different.push(format!("{expression}\n    ours {ours}\n    gdb  {theirs}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Objects that are not there yet have no meaning: they are shown as the structures that they are.
#[test]
fn garbage_is_shown_as_it_is() {
    for fixture in ["library_types", "library_types-libcxx"] {
        let mut program = Program::start(fixture, Dialect::Cxx);
        for (expression, sign) in [("unborn", "0x1234"), ("no_string", "22136"), ("no_tree", "0x1111")] {
            let shown = program.show(expression);
            assert!(shown.contains(": {") && !shown.contains(" of length ") && !shown.contains(" with "), "{shown}");
            // LLVM's trees have their root elsewhere.
            let sign = if fixture.ends_with("libcxx") && expression == "no_tree" { "0x1234" } else { sign };
            assert!(shown.contains(sign), "{fixture} {expression}: {shown}");
        }
    }
}

/// Expressions that reach through objects, and their values in both libraries.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("numbers[1]", "2"),
    ("numbers[sizeof(char)] + 1", "3"),
    ("numbers.size()", "3"),
    ("numbers.capacity()", "4"),
    ("numbers.empty()", "false"),
    ("numbers.at(2)", "3"),
    ("numbers.front() + numbers.back()", "4"),
    ("*numbers.data()@2", "{1, 2}"),
    ("numbers[0]@3", "{1, 2, 3}"),
    ("&numbers[1] - numbers.data()", "1"),
    ("thousand[999]", "999"),
    ("thousand.size() > 500 && thousand[10] == 10", "true"),
    ("words[1]", r#""two""#),
    ("words[1][0]", "116 't'"),
    ("words[1].size()", "3"),
    (r#"words[0] == "one""#, "true"),
    (r#"words[0] != words[1]"#, "true"),
    (r#"wide.find(L"de")"#, "2"),
    (r#"wide == L"wide""#, "true"),
    (r#"utf16.compare(u"sixteen")"#, "0"),
    (r#"utf16.starts_with(u"six")"#, "true"),
    (r#"huge_text.find("x")"#, "texts of more than 65536 bytes are not compared"),
    (r#"small < large"#, "false"),
    ("bits[1]", "false"),
    ("nested[1][1]", "3"),
    ("items[1].name", r#""ink""#),
    ("items[1].code * 2", "4"),
    ("items.back().name[0]", "105 'i'"),
    ("fixed[2]", "6"),
    ("fixed.size()", "3"),
    ("fixed.front()", "4"),
    ("deck[10]", "13"),
    ("deck.back()", "149"),
    ("deck.size()", "147"),
    ("chain[1]", "8"),
    ("chain.size()", "3"),
    ("chain.back()", "9"),
    ("forward.size()", "2"),
    ("forward.back()", "11"),
    ("no_forward.empty()", "true"),
    ("names[2]", r#""two""#),
    ("names.at(3)", r#""three""#),
    ("names[2].size()", "3"),
    ("names.count(2)", "1"),
    ("names.contains(7)", "false"),
    (r#"codes["b"]"#, "2"),
    (r#"codes.count("nosuch")"#, "0"),
    ("codes[words[0]]", "no element"),
    ("several.count(1)", "2"),
    ("letters.count('b')", "2"),
    ("sorted.contains(4)", "true"),
    (r#"hashed["key"] + 1"#, "43"),
    ("hashed_set.count(12)", "1"),
    ("pair.second", r#""first""#),
    ("pair.second.length()", "5"),
    ("some.has_value()", "true"),
    ("*some + 1", "6"),
    ("some.value()", "5"),
    ("!some", "false"),
    ("none ? 1 : 2", "2"),
    ("some_text->size()", "4"),
    ("*none", "the optional is empty"),
    ("variant.index()", "1"),
    ("*owner", "21"),
    ("*owner + *shared", "43"),
    ("item->code", "4"),
    ("item->name", r#""tea""#),
    ("(*item).name[0]", "116 't'"),
    ("item.get()->code", "4"),
    ("!no_owner", "true"),
    ("owner && 1", "true"),
    ("shared.use_count()", "2"),
    ("shared.get() == shared_too.get()", "true"),
    ("*no_owner", "Cannot access memory at address 0x*"),
    ("span[1]", "2"),
    ("span.size()", "3"),
    ("bitset[2]", "true"),
    ("bitset[1]", "false"),
    ("~bitset[2]", "false"),
    ("~bitset[1]", "true"),
    ("bitset[2] + 1", "2"),
    ("bitset.test(4)", "true"),
    ("bitset.size()", "8"),
    ("atomic + 1", "34"),
    ("atomic.load()", "33"),
    ("delay.count()", "1500"),
    ("path.string()", r#""/usr/share/doc""#),
    ("*at_number", "2"),
    ("at_name->second", r#""one""#),
    ("at_name->first + *at_link", "8"),
    ("stack.top() + queue.front() + heap.top()", "6"),
    ("listed[1]", "2"),
    ("reference.size()", "5"),
    ("reference[0]", "115 's'"),
    ("thing.tags[0]", r#""t""#),
    ("thing.name", r#""thing""#),
    ("view[0]", "115 's'"),
    ("sizeof(numbers[0])", "4"),
    ("&items[1].code == &items.back().code", "true"),
    ("std::get<0>(triple)", "1"),
    ("std::get<1>(triple).size()", "3"),
    ("std::get<double>(triple) * 2", "7"),
    ("std::get<1>(pair)", r#""first""#),
    ("std::get<2>(fixed)", "6"),
    ("std::get<3>(triple)", "it has no such element"),
    ("std::get<1>(variant)", r#""alternative""#),
    ("std::get<0>(variant)", "it holds something else"),
    ("std::get<int>(other_variant)", "3"),
    ("std::get<0>(variant) > 1", "it holds something else"),
    ("*std::get_if<0>(&other_variant)", "3"),
    ("std::get_if<1>(&other_variant) == 0", "true"),
    ("std::holds_alternative<int>(variant)", "false"),
    ("std::any_cast<int>(any) + 1", "18"),
    ("std::get<0>(numbers.size())", "std::get does not apply to unsigned long"),
    ("some.value_or(7) + none.value_or(7)", "12"),
    ("names.find(2)->second", r#""two""#),
    ("names.begin()->first", "1"),
    ("names.find(9)", "past-the-end iterator for std::map"),
    ("names.find(9)->second", "it is past the last element"),
    ("*numbers.begin() + *(numbers.end() - 1)", "4"),
    ("numbers.end() - numbers.begin()", "3"),
    ("numbers.end()[-1]", "3"),
    ("numbers.end()", "past-the-end iterator for std::vector"),
    ("characters.end()", "past-the-end iterator for std::vector"),
    ("*numbers.end()", "it is past the last element"),
    ("items.end()->code", "it is past the last element"),
    ("numbers.end() == numbers.begin() + 3", "true"),
    // Elements that do not lie side by side.
    ("deck.begin()", "3"),
    ("deck.begin()[0]", "3"),
    ("deck.begin()[130]", "index the container itself"),
    ("*(deck.begin() + 130)", "index the container itself"),
    ("*(1 + chain.begin())", "index the container itself"),
    ("chain.find(8) - chain.begin()", "index the container itself"),
    ("names.begin()[1]", "index the container itself"),
    ("&*deck.begin() == &deck[0] && deck.begin() == &deck[0]", "true"),
    ("deck.begin() < &deck[140]", "index the container itself"),
    ("sorted.begin()[1]", "index the container itself"),
    ("hashed.begin()->second", "42"),
    // Keys are compared as what they are.
    ("zeros.count(0.0)", "1"),
    ("zeros.count(0)", "1"),
    ("zeros.contains(1e-300)", "false"),
    ("halves.count(0.5) + halves.count(2)", "2"),
    ("hashed_set.count(12.0)", "1"),
    ("sizeof(u8'a')", "1"),
    ("u8'\\xff' > 0", "true"),
    ("*deck.begin()", "3"),
    ("owned[1]", "8"),
    ("bundle.size()", "2"),
    ("bundle.back()", "6"),
    ("no_owner == nullptr", "true"),
    ("shared == shared_too", "true"),
    ("owner != nullptr && owner.get() != 0", "true"),
    ("weak.expired()", "false"),
    ("expired.expired()", "true"),
    ("*weak.lock()", "22"),
    ("expired.lock() == 0", "true"),
    (r#"large.starts_with("a str") && large.ends_with("itself")"#, "true"),
    (r#"large.find("string")"#, "2"),
    (r#"small.find("x") == -1"#, "true"),
    (r#"small.compare("small")"#, "0"),
    ("failure.what()", r#"0x* "failure 5""#),
    ("caught.what()", r#"0x* "failure 5""#),
    ("plain_error.what()", r#"0x* "plain""#),
    ("quiet.what()", "cannot call what() of shop::Quiet"),
    ("waiting.done()", "false"),
    ("ended.done()", "true"),
    ("ended.promise().result", "42"),
    ("thing.Item::code", "9"),
    ("thing.shop::Item::name", r#""thing""#),
    ("items.count(1)", "operator [] does not apply to shop::Item"),
    ("numbers[3]", "index 3 is past the end"),
    ("numbers[-1]", "index -1 is before the beginning"),
    ("names[9]", "there is no element with this key"),
    ("numbers.sort()", "cannot call sort() of std::"),
    ("no_numbers.front()", "it is empty"),
    ("item->nosuch", "there is no member named"),
    ("shop::Colour::Green", "shop::Colour::Green"),
];

#[test]
fn expressions_reach_through() {
    for fixture in ["library_types", "library_types-libcxx"] {
        let mut program = Program::start(fixture, Dialect::Cxx);
        for (expression, value) in EXPRESSIONS {
            let ours = without_addresses(&program.try_show(expression));
            let expected = if *value == "no element" { "there is no element with this key" } else { value };
            let is_error = ours.contains('^');
            assert!(
                if is_error { ours.contains(expected) } else { ours == expected },
                "{fixture} {expression}: {ours}"
            );
        }
    }
}
