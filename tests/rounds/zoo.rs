//! Real programs, recorded, replayed and compared with how they run by themselves: a table with a row each.
//!
//! ```sh
//! cargo test --test rounds -- --ignored --nocapture zoo                       # what this machine has of them
//! RETROGRADE_ZOO=redis,sbcl cargo test --test rounds -- --ignored --nocapture zoo   # those in whose names a word occurs
//! ```
//!
//! Each is a shell's command, so that servers can be started, asked and stopped in one recording. A program that is not
//! installed is named at the end.

use crate::retrograde_rr;
use crate::run::{Outcome, run};
use crate::support::fixtures::scratch;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A recording of a large program may take as long.
const DEADLINE: Duration = Duration::from_secs(900);

/// Name, programs that must be there, and what the shell runs in an empty directory.
const ANIMALS: &[(&str, &[&str], &str)] = &[
    ("bash", &["bash"], "bash -c 'for i in {1..50}; do x=$(echo $i | tr 1 2); echo $x; done'"),
    (
        "python",
        &["python3"],
        "python3 -c 'import json, re; print(len(json.dumps([re.sub(\"1\", \"x\", str(i)) for i in range(5000)])))'",
    ),
    (
        "python: processes",
        &["python3"],
        "python3 -c 'import multiprocessing as m; print(sum(m.Pool(3).map(abs, range(-200, 0))))'",
    ),
    (
        "python: threads",
        &["python3"],
        "python3 -c 'from concurrent.futures import ThreadPoolExecutor as T; print(sum(T(4).map(abs, range(-500, 0))))'",
    ),
    (
        "python: asyncio",
        &["python3"],
        "python3 -c 'import asyncio\nasync def f(i):\n await asyncio.sleep(0.001)\n return i\nasync def g(): print(sum(await asyncio.gather(*map(f, range(50)))))\nasyncio.run(g())'",
    ),
    ("node", &["node"], "node -e 'console.log([...Array(20000).keys()].map(i => i * i % 97).reduce((a, b) => a + b))'"),
    (
        "node: workers",
        &["node"],
        "node -e 'const {Worker} = require(\"worker_threads\"); let n = 0; for (let i = 0; i < 2; i++) new Worker(\"require(\\\"worker_threads\\\").parentPort.postMessage(21)\", {eval: true}).on(\"message\", m => { n += m; if (n == 42) console.log(n) })'",
    ),
    ("java", &["java"], "java -XX:TieredStopAtLevel=1 -version 2>&1"),
    ("go", &["go"], "go version"),
    ("perl", &["perl"], "perl -e '$h{$_ % 97} .= $_ for 1..20000; print length join \"\", sort values %h'"),
    ("ruby", &["ruby"], "ruby -e 'puts (1..20000).map { |i| i * i }.select(&:even?).sum'"),
    ("php", &["php"], "php -r 'echo md5(serialize(range(1, 20000)));'"),
    ("lua", &["lua5.4"], "lua5.4 -e 'local s = 0 for i = 1, 1e5 do s = s + i % 7 end print(s)'"),
    ("luajit", &["luajit"], "luajit -e 'local s = 0 for i = 1, 1e6 do s = s + i % 7 end print(s)'"),
    ("tcl", &["tclsh"], "echo 'set s 0; for {set i 0} {$i < 5000} {incr i} {incr s $i}; puts $s' | tclsh"),
    ("guile", &["guile"], "guile --no-auto-compile -c '(display (apply + (iota 2000)))'"),
    ("sbcl", &["sbcl"], "sbcl --noinform --non-interactive --eval '(print (loop for i below 100000 sum i))'"),
    (
        "ocaml",
        &["ocaml"],
        "echo 'let () = print_int (List.fold_left (+) 0 (List.init 1000 (fun i -> i)));;' > a.ml; ocaml a.ml",
    ),
    ("erlang", &["erl"], "erl -noshell -eval 'io:format(\"~p~n\", [lists:sum(lists:seq(1, 1000))]), halt().'"),
    ("gcc", &["gcc"], "echo 'int f(int x) { return x * 3; }' > a.c; gcc -O2 -S -o - a.c"),
    (
        "g++",
        &["g++"],
        "printf '#include <vector>\\nint f(std::vector<int> v) { v.push_back(1); return v.size(); }' > a.cpp; g++ -O1 -S -o - a.cpp | md5sum",
    ),
    ("clang", &["clang"], "echo 'int f(int x) { return x * 3; }' > a.c; clang -O2 -S -o - a.c"),
    (
        "rustc",
        &["rustc"],
        "echo 'pub fn f(x: i32) -> i32 { x * 3 }' > a.rs; rustc --crate-type=lib --emit=asm -o - a.rs | md5sum",
    ),
    ("make", &["make"], "printf 'all:\\n\\t@for i in 1 2 3; do echo $$i; done\\n' > Makefile; make -s"),
    (
        "git",
        &["git"],
        "git init -q . && echo x > a && git add a && git -c user.name=a -c user.email=a@b commit -qm m --date=0 && git log --format=%s && git grep -c x",
    ),
    (
        "sqlite3",
        &["sqlite3"],
        "sqlite3 a.db 'create table t(a); insert into t select value from generate_series(1, 2000); select sum(a), count(*) from t'",
    ),
    (
        "postgres",
        &["psql"],
        "psql --version; ls /usr/lib/postgresql/*/bin/postgres | while read p; do $p --version; done",
    ),
    ("mariadb", &["mariadbd"], "mariadbd --no-defaults --version"),
    (
        "redis",
        &["redis-server", "redis-cli"],
        "redis-server --port 0 --unixsocket s --save '' --daemonize no > log & for i in $(seq 300); do redis-cli -s s ping > /dev/null 2>&1 && break; sleep 0.1; done; redis-cli -s s set a 42; redis-cli -s s get a; redis-cli -s s shutdown nosave; wait",
    ),
    (
        "nginx",
        &["nginx", "curl"],
        "mkdir -p t logs; printf 'daemon off; master_process off; pid t/p; error_log t/e; events {} http { access_log off; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t; server { listen unix:%s/t/s; location / { return 200 hello; } } }' \"$PWD\" > c; nginx -p . -c \"$PWD/c\" & for i in $(seq 300); do curl -s --unix-socket t/s http://x/ > o && break; sleep 0.1; done; cat o; kill $!; wait",
    ),
    ("openssl", &["openssl"], "seq 5000 | openssl dgst -sha512; openssl prime -generate -bits 64 > /dev/null; echo $?"),
    ("zstd", &["zstd"], "seq 5000 | zstd -19 -c | md5sum"),
    ("xz", &["xz"], "seq 5000 | xz -9 -c | md5sum"),
    ("vim", &["vim"], "vim -u NONE -es '+put =range(1,200)' '+%s/1/one/g' '+%print' '+qa!'"),
    ("ffmpeg", &["ffmpeg"], "ffmpeg -v error -f lavfi -i testsrc=d=1:s=160x120 -f framemd5 -"),
    ("gdb", &["gdb"], "gdb -nx -batch -ex 'print 6 * 7' -ex 'info line main' /bin/true 2>&1 | head -1"),
    ("strace", &["strace"], "strace -o /dev/null /bin/echo traced"),
    ("su", &["su"], "su nobody -s /bin/sh -c 'id -un'"),
    (
        "chromium",
        &["chromium"],
        "chromium --headless --no-sandbox --disable-gpu --dump-dom 'data:text/html,<p>hello' 2> /dev/null",
    ),
    (
        "firefox",
        &["firefox"],
        "HOME=$PWD firefox --headless --screenshot $PWD/a.png 'data:text/html,hello' > /dev/null 2>&1; test -s a.png && echo shot",
    ),
];

/// A row of the table.
struct Row {
    name: &'static str,
    seconds: [f64; 3],
    code: i32,
    /// What differs, or went wrong.
    fault: Option<String>,
    notes: String,
}

fn in_fresh<'a>(command: &'a mut Command, directory: &Path) -> &'a mut Command {
    command.current_dir(crate::fresh(directory))
}

fn timed(command: &mut Command) -> (Option<Outcome>, f64) {
    let begun = Instant::now();
    (run(command, DEADLINE), begun.elapsed().as_secs_f64())
}

fn play(name: &'static str, script: &str) -> Row {
    let place = scratch().join(format!("zoo-{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "-")));
    let (directory, trace) = (place.join("cwd"), place.join("trace"));
    std::fs::create_dir_all(&place).unwrap();
    let shell = ["sh", "-c", script];
    let native = || timed(in_fresh(Command::new(shell[0]).args(&shell[1..]).env("LC_ALL", "C"), &directory));
    let ((first, alone), (second, _)) = (native(), native());
    let (first, second) = (first.expect("it ends"), second.expect("it ends"));
    let mut command = retrograde_rr();
    command.args(["record", "-o"]).arg(&trace).args(shell).env("LC_ALL", "C");
    let (recorded, recording) = timed(in_fresh(&mut command, &directory));
    let mut row = Row { name, seconds: [alone, recording, 0.0], code: first.code, fault: None, notes: String::new() };
    let Some(recorded) = recorded else {
        row.fault = Some("the recording does not end".to_owned());
        return row;
    };
    let notes = recorded.errors.lines().filter_map(|line| line.strip_prefix("retrograde: "));
    row.notes = notes.map(|note| note.chars().take(100).collect::<String>()).collect::<Vec<_>>().join("; ");
    let (replayed, replaying) = timed(retrograde_rr().args(["replay", "-a"]).arg(&trace));
    row.seconds[2] = replaying;
    // What differs from run to run without rr cannot be compared.
    let is_constant = (first.code, &first.output) == (second.code, &second.output);
    row.fault = if recorded.code != first.code {
        Some(format!("exit {} alone, {} recorded: {}", first.code, recorded.code, last_line(&recorded.errors)))
    } else if is_constant && recorded.output != first.output {
        Some("another output than alone".to_owned())
    } else {
        match replayed {
            None => Some("the replay does not end".to_owned()),
            Some(replayed) if replayed.code != 0 => Some(format!("the replay fails: {}", last_line(&replayed.errors))),
            Some(replayed) if replayed.output != recorded.output => Some("the replay prints something else".to_owned()),
            Some(_) => None,
        }
    };
    let _ = std::fs::remove_dir_all(&place);
    row
}

fn last_line(text: &str) -> String {
    let fatal = text.lines().find(|line| line.contains(" -> ")).or(text.lines().last());
    fatal.unwrap_or_default().chars().take(200).collect()
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|place| place.join(program).is_file())
}

#[test]
#[ignore = "takes an hour: cargo test --test rounds -- --ignored --nocapture zoo"]
fn zoo() {
    let wanted = std::env::var("RETROGRADE_ZOO").unwrap_or_default();
    let words: Vec<&str> = wanted.split(',').filter(|word| !word.is_empty()).collect();
    let chosen = ANIMALS.iter().filter(|(name, ..)| words.is_empty() || words.iter().any(|word| name.contains(word)));
    let (there, absent): (Vec<_>, Vec<_>) =
        chosen.partition(|(_, needs, _)| needs.iter().all(|need| is_installed(need)));
    println!(
        "| program | alone | recorded | replayed | exit | equal | notes |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    let mut faults = Vec::new();
    for (name, _, script) in there {
        let Row { name, seconds: [alone, recorded, replayed], code, fault, notes } = play(name, script);
        let equal = fault.as_deref().unwrap_or("yes");
        println!("| {name} | {alone:.2} s | {recorded:.1} s | {replayed:.1} s | {code} | {equal} | {notes} |");
        faults.extend(fault.map(|fault| format!("{name}: {fault}")));
    }
    let absent: Vec<&str> = absent.iter().map(|(name, ..)| *name).collect();
    println!("not installed: {}", absent.join(", "));
    assert_eq!(faults, [""; 0]);
}
