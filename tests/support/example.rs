// A block that the examples in the documentation begin with: goes to a directory with recordings, `app-0` (a crash) and
// `exit_code-0`, beside the program `exit_code`.
//
// They are made once for each run of the examples, by the first one; a run that is over leaves nothing that the next
// one would use. Without an rr the examples fail, unless RETROGRADE_TEST_WITHOUT_RR is set: then they are only
// compiled.

{
    use retrograde::cli::install::ensure_rr;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    if std::env::var_os("RETROGRADE_TEST_WITHOUT_RR").is_some_and(|value| !value.is_empty()) {
        println!("not run: RETROGRADE_TEST_WITHOUT_RR is set");
        std::process::exit(0);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let rr = ensure_rr(&target.join("rr")).unwrap_or_else(|error| panic!("the examples need rr: {error}"));
    // SAFETY: nothing else runs in this process yet.
    unsafe { std::env::set_var("RETROGRADE_RR", rr.program()) };

    let run = std::os::unix::process::parent_id();
    let base = target.join("tmp");
    std::fs::create_dir_all(&base).unwrap();
    let directory = base.join(format!("examples-{run}"));
    let lock = rr::Lock::take(&base.join("examples.lock")).unwrap();
    for old in std::fs::read_dir(&base).unwrap().flatten() {
        let name = old.file_name().into_string().unwrap_or_default();
        let of = name.strip_prefix("examples-").and_then(|number| number.parse::<u32>().ok());
        if of.is_some_and(|of| of != run && !Path::new(&format!("/proc/{of}")).exists()) {
            let _ = std::fs::remove_dir_all(old.path());
        }
    }
    if !directory.join("made").exists() {
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir(&directory).unwrap();
        for (fixture, name) in [("corrupt_table", "app"), ("exit_code", "exit_code")] {
            let program = directory.join(fixture);
            let source = root.join("dwarf-fixtures/src").join(format!("{fixture}.c"));
            let built = Command::new("gcc").args(["-g", "-O0", "-static", "-o"]).arg(&program).arg(source).status();
            assert!(built.expect("gcc is needed").success(), "gcc failed on {fixture}");
            let command = [program.display().to_string()];
            retrograde::Recording::of(command).directory(directory.join(format!("{name}-0"))).record().unwrap();
        }
        std::fs::write(directory.join("made"), "").unwrap();
    }
    drop(lock);
    std::env::set_current_dir(&directory).unwrap();
}
