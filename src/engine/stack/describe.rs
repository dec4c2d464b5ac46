//! Frames as users see them.

use crate::api::Frame;
use arch::RunAddr;
use base::qualified::QualifiedName;

/// Creates a frame of which nothing is known but its address.
pub(crate) fn empty_frame(address: RunAddr) -> Frame {
    Frame {
        level: 0,
        address,
        function: None,
        file: None,
        fullname: None,
        line: None,
        column: None,
        args: Vec::new(),
        module: None,
        inlined: false,
        signal_frame: false,
        tail_call: false,
        guessed: false,
    }
}

/// Says what debug info knows of the function and line.
pub(crate) fn fill(frame: &mut Frame, from: &dwarf::InlineFrame) {
    frame.function = Some(without_parameters(&from.name).to_owned());
    frame.file = from.file.as_ref().map(|f| f.name.clone());
    frame.fullname = from.file.as_ref().map(|f| f.path.to_string_lossy().into_owned());
    frame.line = from.line.filter(|l| *l != 0);
    frame.column = from.column.filter(|c| *c != 0);
}

/// Returns a C++ name without the parameter list at its end: the frame shows its arguments beside it.
fn without_parameters(name: &str) -> &str {
    let split = QualifiedName::split(name);
    let behind = split.last().map(|last| last.behind().trim()).unwrap_or_default();
    match behind {
        "" | "const" | "volatile" | "const volatile" | "&" | "&&" | "const &" | "const &&" => split.path(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::without_parameters;

    #[test]
    fn only_the_parameter_list_goes() {
        for (name, bare) in [
            ("main", "main"),
            ("shop::price(double)", "shop::price"),
            ("a::b(void (*)(int), std::pair<int, char>) const", "a::b"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("(anonymous namespace)::g", "(anonymous namespace)::g"),
            ("x::operator()(int)", "x::operator()"),
            ("x::operator()", "x::operator()"),
            ("<signal handler called>", "<signal handler called>"),
            ("odd)", "odd)"),
            ("", ""),
        ] {
            assert_eq!(without_parameters(name), bare);
        }
    }
}
