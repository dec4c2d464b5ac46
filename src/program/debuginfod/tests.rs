use super::*;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

fn with(pairs: &[(&str, &str)]) -> DebugSettings {
    DebugSettings::from_environment(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
}

#[test]
fn without_variables_only_the_usual_directory_is_searched() {
    let settings = with(&[]);
    assert_eq!(settings.paths.directories, [PathBuf::from("/usr/lib/debug")]);
    assert_eq!((settings.paths.debuginfod_cache, settings.servers), (None, None));
}

#[test]
fn directories_and_caches_are_those_that_are_named() {
    let directories = with(&[("RETROGRADE_DEBUG_DIRS", "/a:relative:/b")]).paths.directories;
    assert_eq!(directories, [PathBuf::from("/a"), PathBuf::from("/b")]);
    let cache = |pairs: &[(&str, &str)]| with(pairs).paths.debuginfod_cache;
    let home = ("HOME", "/nonexistent");
    assert_eq!(cache(&[home]), Some("/nonexistent/.cache/debuginfod_client".into()));
    assert_eq!(cache(&[home, ("XDG_CACHE_HOME", "/c")]), Some("/c/debuginfod_client".into()));
    assert_eq!(cache(&[home, ("XDG_CACHE_HOME", "/c"), ("DEBUGINFOD_CACHE_PATH", "/d")]), Some("/d".into()));
    assert_eq!(cache(&[home, ("RETROGRADE_DEBUGINFOD", "off")]), None);
    let directory = tempfile::tempdir().unwrap();
    let old = directory.path().join(".debuginfod_client_cache");
    fs::create_dir(&old).unwrap();
    assert_eq!(cache(&[("HOME", directory.path().to_str().unwrap())]), Some(old));
}

#[test]
fn servers_are_asked_only_if_they_are_named_and_not_turned_off() {
    let urls = ("DEBUGINFOD_URLS", "https://a.example/ ima:enforcing http://b.example file:///c");
    let home = ("HOME", "/nonexistent");
    let servers = with(&[home, urls]).servers.unwrap();
    assert_eq!(servers.urls, ["https://a.example/", "http://b.example"]);
    assert_eq!((servers.stall_seconds, servers.total_seconds, servers.size), (90, 3600, 4 << 30));
    let limits = [("DEBUGINFOD_TIMEOUT", "5"), ("DEBUGINFOD_MAXTIME", "x"), ("DEBUGINFOD_MAXSIZE", "1000")];
    let servers = with(&[&[home, urls][..], &limits].concat()).servers.unwrap();
    assert_eq!((servers.stall_seconds, servers.total_seconds, servers.size), (5, 3600, 1000));
    assert_eq!(with(&[home, urls, ("RETROGRADE_DEBUGINFOD", "off")]).servers, None);
    assert_eq!(with(&[home, ("DEBUGINFOD_URLS", " ")]).servers, None);
}

/// A server that answers each request with what `answer` makes of its path.
fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut request = String::new();
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            lines.read_line(&mut request).unwrap();
            let mut header = String::new();
            while lines.read_line(&mut header).unwrap() > 2 {
                header.clear();
            }
            answer(request.split(' ').nth(1).unwrap(), &mut stream);
        }
    });
    url
}

fn respond(stream: &mut TcpStream, status: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn fetcher(urls: Vec<String>, size: u64, cache: &Path) -> Fetcher {
    let servers = Servers { urls, stall_seconds: 20, total_seconds: 40, size };
    Fetcher::new(servers, DebugPaths { directories: Vec::new(), debuginfod_cache: Some(cache.to_owned()) })
}

fn outcome(fetcher: &Fetcher, build_id: &[u8]) -> Fetch {
    let since = Instant::now();
    loop {
        match fetcher.state(build_id) {
            Some(Fetch::Underway) if since.elapsed() < Duration::from_secs(60) => std::thread::yield_now(),
            other => return other.unwrap(),
        }
    }
}

/// What is told first to have arrived.
fn arrival(fetcher: &Fetcher) -> BTreeSet<Vec<u8>> {
    let since = Instant::now();
    loop {
        let arrived = fetcher.arrived();
        if !arrived.is_empty() || since.elapsed() > Duration::from_secs(60) {
            return arrived;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_file_is_fetched_from_the_first_server_that_has_it() {
    let empty = serve(|_, stream| respond(stream, "404 Not Found", b"no"));
    let full = serve(|path, stream| match path {
        "/buildid/abcd/debuginfo" => respond(stream, "200 OK", b"content"),
        _ => respond(stream, "404 Not Found", b"no"),
    });
    let cache = tempfile::tempdir().unwrap();
    let fetcher = fetcher(vec![empty.clone(), full.clone() + "/"], 1000, cache.path());
    assert_eq!(fetcher.state(&[0xab, 0xcd]), None);
    fetcher.want(&[0xab, 0xcd]);
    fetcher.want(&[0x12]);
    let Fetch::Failed(reason) = outcome(&fetcher, &[0x12]) else { panic!("no server has it") };
    assert!(reason.contains(&empty) && reason.contains(&full) && reason.contains("404"), "{reason}");
    assert!(!cache.path().join("12").exists());
    assert_eq!(fetcher.state(&[0xab, 0xcd]), Some(Fetch::Underway), "nobody was told that it arrived");
    assert_eq!(arrival(&fetcher), BTreeSet::from([vec![0xab, 0xcd]]));
    assert_eq!(fetcher.state(&[0xab, 0xcd]), Some(Fetch::Arrived));
    assert_eq!(fs::read(cache.path().join("abcd/debuginfo")).unwrap(), b"content");
    assert_eq!(fetcher.arrived(), BTreeSet::new());
}

#[test]
fn a_file_that_is_too_large_or_cut_short_is_not_kept() {
    let url = serve(|path, stream| match path {
        "/buildid/01/debuginfo" => respond(stream, "200 OK", &[7; 1001]),
        _ => drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")),
    });
    let cache = tempfile::tempdir().unwrap();
    let fetcher = fetcher(vec![url.clone()], 1000, cache.path());
    fetcher.want(&[1]);
    fetcher.want(&[2]);
    assert_eq!(outcome(&fetcher, &[1]), Fetch::Failed(format!("{url}: it has more than 1000 bytes")));
    assert!(matches!(outcome(&fetcher, &[2]), Fetch::Failed(_)));
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    assert_eq!(fetcher.arrived(), BTreeSet::new());
}

#[test]
fn who_is_not_interested_any_more_does_not_wait_for_a_silent_server() {
    let (asked, was_asked) = std::sync::mpsc::channel();
    let url = serve(move |_, stream| {
        asked.send(stream.try_clone().unwrap()).unwrap();
    });
    let cache = tempfile::tempdir().unwrap();
    let fetcher = fetcher(vec![url], 1000, cache.path());
    fetcher.want(&[1]);
    let stream = was_asked.recv().unwrap();
    let shared = Arc::downgrade(&fetcher.shared);
    drop(fetcher);
    let since = Instant::now();
    while shared.upgrade().is_some() {
        assert!(since.elapsed() < Duration::from_secs(15), "the thread goes on");
        std::thread::yield_now();
    }
    drop(stream);
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
}
