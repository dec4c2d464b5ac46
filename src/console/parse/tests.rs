use super::*;
use crate::console::command::Info;
use crate::console::print_options::PrintOptions;
use proptest::prelude::*;

fn ok(line: &str) -> Command {
    parse(line, Some(7)).unwrap_or_else(|e| panic!("{line}: {e}"))
}

fn err(line: &str) -> String {
    match parse(line, Some(7)) {
        Ok(command) => panic!("{line} is {command:?}"),
        Err(error) => error.to_string(),
    }
}

fn numbers(text: &str) -> Numbers {
    Numbers::parse(text, "breakpoint", None).unwrap()
}

fn owned(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn listed(methods: bool, typedefs: bool) -> Option<Contents> {
    Some(Contents { methods, typedefs, offsets: false })
}

fn breakpoint(temporary: bool, hardware: bool, location: Option<&str>, condition: Option<&str>) -> Command {
    let at = BreakpointArguments {
        location: location.map(str::to_owned),
        thread: None,
        condition: condition.map(str::to_owned),
    };
    Command::Break { temporary, hardware, at }
}

#[test]
fn breakpoints() {
    for (line, expected) in [
        ("break", breakpoint(false, false, None, None)),
        ("b main", breakpoint(false, false, Some("main"), None)),
        ("b *0x401136", breakpoint(false, false, Some("*0x401136"), None)),
        ("b a.c:5 if x == 3", breakpoint(false, false, Some("a.c:5"), Some("x == 3"))),
        ("b if x == 3", breakpoint(false, false, None, Some("x == 3"))),
        ("b f if(x)", breakpoint(false, false, Some("f"), Some("(x)"))),
        ("b ns::f(int, char)", breakpoint(false, false, Some("ns::f(int, char)"), None)),
        ("b 'an if b.c':3", breakpoint(false, false, Some("'an if b.c':3"), None)),
        ("b iffy", breakpoint(false, false, Some("iffy"), None)),
        ("tbreak 42", breakpoint(true, false, Some("42"), None)),
        ("hb main", breakpoint(false, true, Some("main"), None)),
        ("thbreak main", breakpoint(true, true, Some("main"), None)),
        ("delete", Command::Delete(numbers(""))),
        ("d 1 3-5", Command::Delete(numbers("1 3-5"))),
        ("delete breakpoints 2", Command::Delete(numbers("2"))),
        ("delete checkpoint 1", Command::DeleteCheckpoint(owned("1"))),
        ("delete checkpoint", Command::DeleteCheckpoint(None)),
        ("delete display 4", Command::Undisplay(numbers("4"))),
        ("clear a.c:5", Command::Clear(owned("a.c:5"))),
        ("disable", Command::Switch { on: false, numbers: numbers("") }),
        ("enable 1 2", Command::Switch { on: true, numbers: numbers("1 2") }),
        ("disable display 1", Command::SwitchDisplay { on: false, numbers: numbers("1") }),
        ("ignore 1 3", Command::Ignore { number: 1, count: "3".into() }),
        ("ignore $bpnum n + 1", Command::Ignore { number: 7, count: "n + 1".into() }),
        ("condition 1 x > 3", Command::Condition { number: 1, condition: owned("x > 3") }),
        ("cond 1", Command::Condition { number: 1, condition: None }),
        ("commands", Command::Commands(None)),
        ("commands 2", Command::Commands(Some(2))),
    ] {
        assert_eq!(ok(line), expected, "{line}");
    }
    for (line, said) in [
        ("ignore", "Argument required (a breakpoint number)."),
        ("ignore 1", "Second argument (specified ignore-count) is missing."),
        ("condition", "Argument required (breakpoint number)."),
        ("condition x 3", "Bad breakpoint argument: 'x'"),
        ("delete x", "Bad breakpoint number 'x'"),
    ] {
        assert_eq!(err(line), said, "{line}");
    }
}

#[test]
fn watchpoints() {
    let watch = |access, pinned, expression: &str, condition: Option<&str>| Command::Watch {
        access,
        pinned,
        expression: expression.to_owned(),
        condition: condition.map(str::to_owned),
    };
    for (line, expected) in [
        ("watch total", watch(Access::Write, false, "total", None)),
        ("watch -l total", watch(Access::Write, true, "total", None)),
        ("watch -location p->x if p->x > 3", watch(Access::Write, true, "p->x", Some("p->x > 3"))),
        ("rwatch *(int *)0x10", watch(Access::Read, false, "*(int *)0x10", None)),
        ("awatch a[3]", watch(Access::Access, false, "a[3]", None)),
        ("watch *$1", watch(Access::Write, false, "*$1", None)),
        ("watch -x", watch(Access::Write, false, "-x", None)),
    ] {
        assert_eq!(ok(line), expected, "{line}");
    }
    assert_eq!(err("watch"), "Argument required (expression to compute).");
    assert_eq!(err("watch -l"), "Argument required (expression to compute).");
}

#[test]
fn movements() {
    let step = |unit, over, direction, count: Option<&str>| Command::Step {
        unit,
        over,
        direction,
        count: count.map(str::to_owned),
    };
    let (forward, reverse) = (Direction::Forward, Direction::Reverse);
    for (line, expected) in [
        ("c", Command::Continue { direction: forward, count: None }),
        ("continue 3", Command::Continue { direction: forward, count: owned("3") }),
        ("reverse-cont", Command::Continue { direction: reverse, count: None }),
        ("rc 2", Command::Continue { direction: reverse, count: owned("2") }),
        ("s", step(Unit::Line, false, forward, None)),
        ("n 3", step(Unit::Line, true, forward, Some("3"))),
        ("si", step(Unit::Instruction, false, forward, None)),
        ("nexti", step(Unit::Instruction, true, forward, None)),
        ("rs", step(Unit::Line, false, reverse, None)),
        ("reverse-next 2", step(Unit::Line, true, reverse, Some("2"))),
        ("rsi 4", step(Unit::Instruction, false, reverse, Some("4"))),
        ("rni", step(Unit::Instruction, true, reverse, None)),
        ("fin", Command::Finish(forward)),
        ("reverse-finish", Command::Finish(reverse)),
        ("until", Command::Until),
        ("u 24", Command::Advance("24".into())),
        ("advance f", Command::Advance("f".into())),
        ("run", Command::Run(None)),
        ("r 100", Command::Run(owned("100"))),
        ("start", Command::Start),
        ("checkpoint", Command::Checkpoint),
        ("restart 1", Command::Restart("1".into())),
        ("when", Command::When(Moment::Event)),
        ("goto 1/2/3.4/0x5", Command::Goto("1/2/3.4/0x5".into())),
        ("seek-ticks 7", Command::SeekTicks("7".into())),
        ("when-position", Command::When(Moment::Position)),
        ("when-ticks", Command::When(Moment::Ticks)),
        ("when-tid", Command::When(Moment::Thread)),
    ] {
        assert_eq!(ok(line), expected, "{line}");
    }
}

#[test]
fn stacks_and_threads() {
    for (line, expected) in [
        ("bt", Command::Backtrace { full: false, count: None }),
        ("bt full 3", Command::Backtrace { full: true, count: Some(3) }),
        ("backtrace -2", Command::Backtrace { full: false, count: Some(-2) }),
        ("where", Command::Backtrace { full: false, count: None }),
        ("frame", Command::Frame(FrameSpec::Selected)),
        ("f 2", Command::Frame(FrameSpec::Level("2".into()))),
        ("frame function main", Command::Frame(FrameSpec::Function("main".into()))),
        ("frame level 1", Command::Frame(FrameSpec::Level("1".into()))),
        ("up", Command::Move { up: true, count: None }),
        ("down 2", Command::Move { up: false, count: owned("2") }),
        ("thread", Command::Thread(None)),
        ("thread 2", Command::Thread(owned("2"))),
    ] {
        assert_eq!(ok(line), expected, "{line}");
    }
    let apply = |threads: Option<&str>, ascending, quiet, command: &str| Command::ThreadApply {
        threads: threads.map(numbers),
        ascending,
        quiet,
        command: command.to_owned(),
    };
    assert_eq!(ok("thread apply all bt full"), apply(None, false, false, "bt full"));
    assert_eq!(ok("t a all -q p 1"), apply(None, false, true, "p 1"));
    assert_eq!(ok("thread apply 1 3-4 -q bt"), apply(Some("1 3-4"), true, true, "bt"));
    assert_eq!(err("thread apply all"), "Please specify a command to apply on all threads");
    assert_eq!(err("thread apply bt"), "Please specify a thread ID list");
    assert_eq!(err("bt nosuch"), "Invalid argument \"nosuch\": backtrace takes `full` and a count.");
}

#[test]
fn values() {
    let letters = |format| Letters { format };
    let units = |count, format, size| UnitLetters { count, format, size };
    for (line, expected) in [
        (
            "p x + 1",
            Command::Print { options: PrintOptions::default(), letters: letters(None), expression: owned("x + 1") },
        ),
        (
            "p/x x",
            Command::Print { options: PrintOptions::default(), letters: letters(Some('x')), expression: owned("x") },
        ),
        (
            "print /x x",
            Command::Print { options: PrintOptions::default(), letters: letters(Some('x')), expression: owned("x") },
        ),
        ("p $1", Command::Print { options: PrintOptions::default(), letters: letters(None), expression: owned("$1") }),
        ("p$1", Command::Print { options: PrintOptions::default(), letters: letters(None), expression: owned("$1") }),
        ("p*x", Command::Print { options: PrintOptions::default(), letters: letters(None), expression: owned("*x") }),
        (
            "p -5 % 3",
            Command::Print { options: PrintOptions::default(), letters: letters(None), expression: owned("-5 % 3") },
        ),
        ("p", Command::Print { options: PrintOptions::default(), letters: letters(None), expression: None }),
        (
            "call f(x)",
            Command::Call { options: PrintOptions::default(), letters: letters(None), expression: "f(x)".into() },
        ),
        ("output/d x", Command::Output { letters: letters(Some('d')), expression: "x".into() }),
        ("echo hello\\n", Command::Echo("hello\\n".into())),
        ("printf \"%d\", x", Command::Printf("\"%d\", x".into())),
        ("x/8xb &v", Command::Examine { letters: units(Some(8), Some('x'), Some('b')), expression: owned("&v") }),
        ("x", Command::Examine { letters: units(None, None, None), expression: None }),
        ("x/2i", Command::Examine { letters: units(Some(2), Some('i'), None), expression: None }),
        ("x p", Command::Examine { letters: units(None, None, None), expression: owned("p") }),
        ("x&v", Command::Examine { letters: units(None, None, None), expression: owned("&v") }),
        ("ptype struct s", Command::Type { listed: listed(true, true), raw: false, of: owned("struct s") }),
        ("ptype/mt struct s", Command::Type { listed: listed(false, false), raw: false, of: owned("struct s") }),
        ("ptype/mtT s", Command::Type { listed: listed(false, true), raw: false, of: owned("s") }),
        ("whatis x", Command::Type { listed: None, raw: true, of: owned("x") }),
        ("display/i $pc", Command::Display { letters: units(None, Some('i'), None), expression: owned("$pc") }),
        ("undisplay 1", Command::Undisplay(numbers("1"))),
    ] {
        assert_eq!(ok(line), expected, "{line}");
    }
    assert_eq!(err("p/q x"), "Undefined output format \"q\".");
    let offsets = Contents { methods: false, typedefs: false, offsets: true };
    assert_eq!(ok("ptype/o s"), Command::Type { listed: Some(offsets), raw: false, of: owned("s") });
    let with_methods = Contents { methods: true, ..offsets };
    assert_eq!(ok("ptype/oM s"), Command::Type { listed: Some(with_methods), raw: false, of: owned("s") });
    assert_eq!(err("output"), "Argument required (expression to compute).");
}

#[test]
fn sources_and_code() {
    for (line, expected) in [
        ("list", ListSpec::More),
        ("l -", ListSpec::Back),
        ("list 10", ListSpec::Around("10".into())),
        ("list main", ListSpec::Around("main".into())),
        ("list 10,20", ListSpec::Between("10".into(), "20".into())),
        ("list a.c:3,", ListSpec::From("a.c:3".into())),
        ("list ,20", ListSpec::UpTo("20".into())),
        ("list f(int, int)", ListSpec::Around("f(int, int)".into())),
    ] {
        assert_eq!(ok(line), Command::List(expected), "{line}");
    }
    let modes = |raw, source, by_line| Modes { raw, source, by_line };
    for (line, wanted, at) in [
        ("disassemble", modes(false, false, false), CodeSpec::Here),
        ("disas /s main", modes(false, true, false), CodeSpec::Around("main".into())),
        ("disassemble /rs", modes(true, true, false), CodeSpec::Here),
        ("disassemble /r /m", modes(true, false, true), CodeSpec::Here),
        ("disassemble 1,2", modes(false, false, false), CodeSpec::Between("1".into(), "2".into())),
        ("disassemble main,+10", modes(false, false, false), CodeSpec::Bytes("main".into(), "10".into())),
    ] {
        assert_eq!(ok(line), Command::Disassemble { modes: wanted, at }, "{line}");
    }
    assert_eq!(err("disassemble /z"), "Invalid disassembly modifier.");
    assert_eq!(err("disassemble /ms"), "Cannot specify both /m and /s.");
}

#[test]
fn information() {
    for (line, expected) in [
        ("i b", Info::Breakpoints { numbers: numbers(""), watchpoints: false }),
        ("info breakpoints 2", Info::Breakpoints { numbers: numbers("2"), watchpoints: false }),
        ("info watchpoints", Info::Breakpoints { numbers: numbers(""), watchpoints: true }),
        ("i lo", Info::Locals),
        ("info args", Info::Args),
        ("i r rip rax", Info::Registers { names: vec!["rip".into(), "rax".into()], all: false }),
        ("info registers", Info::Registers { names: vec![], all: false }),
        ("info all-registers", Info::Registers { names: vec![], all: true }),
        ("info threads", Info::Threads(numbers(""))),
        ("info frame", Info::Frame(FrameSpec::Selected)),
        ("info s 2", Info::Stack { full: false, count: Some(2) }),
        ("info sharedlibrary", Info::Sharedlibrary),
        ("info line 5", Info::Line(owned("5"))),
        ("info symbol main", Info::Symbol("main".into())),
        ("info source", Info::Source),
        ("info checkpoints", Info::Checkpoints),
        ("info signals SIGINT", Info::Signals(owned("SIGINT"))),
    ] {
        assert_eq!(ok(line), Command::Info(expected), "{line}");
    }
    assert_eq!(err("info symbol"), "Argument required (address).");
    assert!(err("info").contains("help info"));
}

#[test]
fn settings() {
    for (line, expected) in [
        ("set $x = 3", Setting::Convenience("x".into(), "3".into())),
        ("set var $x=a+1", Setting::Convenience("x".into(), "a+1".into())),
        ("set var x = 3", Setting::Program("x = 3".into())),
        ("set x = 3", Setting::Program("x = 3".into())),
        ("set x=3", Setting::Program("x=3".into())),
        ("set *p = 3", Setting::Program("*p = 3".into())),
        ("set {int}0x10 = 3", Setting::Program("{int}0x10 = 3".into())),
        ("set listsize 5", Setting::Named("listsize".into(), "5".into())),
        ("set breakpoint pending on", Setting::Named("breakpoint".into(), "pending on".into())),
        ("set confirm", Setting::Named("confirm".into(), String::new())),
    ] {
        assert_eq!(ok(line), Command::Set(expected), "{line}");
    }
    assert!(err("set $x").contains("set $NAME = EXPRESSION"));
    assert!(err("set").contains("set $NAME = EXPRESSION"));
}

#[test]
fn lines_that_are_no_commands() {
    assert_eq!(ok(""), Command::Nothing);
    assert_eq!(ok("   # a comment"), Command::Nothing);
    assert_eq!(ok("!ls -l"), Command::Shell("ls -l".to_owned()));
    assert_eq!(err("?"), "Undefined command: \"?\".  Try \"help\".");
    assert_eq!(err("xyz"), "Undefined command: \"xyz\".  Try \"help\".");
    assert!(err(&"p ".repeat(MAX_LINE)).ends_with("is too long (at most 65536)"));
}

proptest! {
    #[test]
    fn random_text_never_panics(line in "\\PC*") {
        let _ = parse(&line, None);
    }

    #[test]
    fn random_arguments_never_panic(
        verb in prop::sample::select(command_names::COMMANDS.iter().map(|w| w.name).collect::<Vec<_>>()),
        rest in "\\PC{0,40}",
        slash in any::<bool>(),
    ) {
        let _ = parse(&format!("{verb}{}{rest}", if slash { "/" } else { " " }), Some(1));
    }
}
