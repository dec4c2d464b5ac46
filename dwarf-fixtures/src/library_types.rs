// Objects of Rust's standard library and enums, with contents that are known. With an argument the program says when
// they are all there, and waits until its standard input ends: whoever started it can look at its memory.
use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CStr, CString, OsString};
use std::mem::ManuallyDrop;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, RwLock};
use std::time::Duration;

trait Shape {
    fn area(&self) -> u32;
}

struct Square {
    side: u32,
}

struct Circle;

impl Shape for Square {
    fn area(&self) -> u32 {
        self.side * self.side
    }
}

impl Shape for Circle {
    fn area(&self) -> u32 {
        3
    }
}

#[derive(Clone, Copy)]
pub enum Event {
    Nothing,
    Key(char),
    Click { x: i16, y: i16 },
}

#[derive(Clone, Copy)]
pub enum Level {
    Low = 1,
    High = 200,
}

pub struct Unit;
pub struct Metres(f64);

pub struct Node {
    name: String,
    links: RefCell<Vec<Rc<Node>>>,
    back: RefCell<Weak<Node>>,
}

/// Five nodes, each of which leads to all.
fn graph() -> Vec<Rc<Node>> {
    let node = |n: i32| {
        let name = format!("node number {n} of a graph, which has a name that is rather long: not worth a second look");
        Rc::new(Node { name, links: RefCell::default(), back: RefCell::default() })
    };
    let nodes: Vec<Rc<Node>> = (0..5).map(node).collect();
    for node in &nodes {
        *node.links.borrow_mut() = nodes.clone();
        *node.back.borrow_mut() = Rc::downgrade(&nodes[0]);
    }
    nodes
}

pub struct Held {
    text: String,
    empty: String,
    slice: &'static str,
    vec: Vec<i32>,
    words: Vec<String>,
    nothing: Vec<i32>,
    units: Vec<()>,
    deque: VecDeque<u8>,
    boxed: Box<i32>,
    list: Box<[u16]>,
    boxed_text: Box<str>,
    part: &'static [i32],
    rc: Rc<i32>,
    weak: Weak<i32>,
    gone: Weak<i32>,
    dangling: Weak<i32>,
    arc: Arc<String>,
    rc_text: Rc<str>,
    cell: Cell<i32>,
    refcell: RefCell<String>,
    mutex: Mutex<u64>,
    rwlock: RwLock<u8>,
    some: Option<i32>,
    none: Option<Box<i32>>,
    full: Option<Box<i32>>,
    niche: Option<NonZeroU32>,
    ok: Result<u8, String>,
    bad: Result<u8, String>,
    nested: Option<Option<bool>>,
    events: [Event; 3],
    level: Level,
    hash: HashMap<String, u32>,
    many: HashMap<u32, u32>,
    no_hash: HashMap<u32, u32>,
    hash_set: HashSet<u32>,
    tree: BTreeMap<u32, String>,
    big: BTreeMap<u32, u64>,
    no_tree: BTreeMap<u32, u64>,
    tree_set: BTreeSet<char>,
    os: OsString,
    path: PathBuf,
    path_ref: &'static Path,
    c: CString,
    shape: Box<dyn Shape>,
    shape_ref: &'static dyn Shape,
    shape_rc: Rc<dyn Shape>,
    pair: (i8, char),
    single: (u8,),
    array: [u8; 3],
    letters: [char; 2],
    atomic: AtomicU32,
    flag: AtomicBool,
    function: fn(i32) -> i32,
    unit: (),
    ordering: std::cmp::Ordering,
    duration: Duration,
    range: std::ops::Range<i32>,
    metres: Metres,
    marker: Unit,
    reference: &'static Level,
    pointer: *const u32,
    huge: i128,
    real: f32,
    linked: LinkedList<i32>,
    no_linked: LinkedList<i32>,
    heap: BinaryHeap<u8>,
    once: OnceCell<i32>,
    no_once: OnceCell<i32>,
    once_lock: OnceLock<String>,
    no_once_lock: OnceLock<u8>,
    lazy: LazyLock<&'static str>,
    no_lazy: LazyLock<u64>,
    lazy_cell: LazyCell<i32>,
    no_lazy_cell: LazyCell<i32>,
    shared: Rc<RefCell<Vec<i32>>>,
    locked: Arc<Mutex<Vec<u8>>>,
    threefold: &'static &'static &'static str,
    pinned: Pin<Box<i32>>,
    c_ref: &'static CStr,
    manual: ManuallyDrop<Vec<i32>>,
    graph: Vec<Rc<Node>>,
    pairs: HashSet<(i32, i32)>,
    wide: u8,
    float: f64,
    maybes: Vec<Option<i32>>,
    guarded: Mutex<Option<i32>>,
    twin: Option<Box<i32>>,
}

fn twice(n: i32) -> i32 {
    2 * n
}

pub static HELD: AtomicPtr<Held> = AtomicPtr::new(std::ptr::null_mut());
static SQUARE: Square = Square { side: 4 };
static LEVEL: Level = Level::High;

async fn later(n: u32) -> u32 {
    let more = n + 1;
    ready(more).await;
    more
}

async fn ready(n: u32) -> u32 {
    std::future::pending::<()>().await;
    n
}

fn ring() -> VecDeque<u8> {
    let mut ring = VecDeque::with_capacity(4);
    for i in 0..6 {
        if ring.len() == 4 {
            ring.pop_front();
        }
        ring.push_back(i);
    }
    ring
}

fn make() -> Held {
    let rc = Rc::new(5);
    let gone = Rc::downgrade(&Rc::new(6));
    Held {
        text: "text".to_owned(),
        empty: String::new(),
        slice: "slice",
        vec: vec![1, 2, 3],
        words: vec!["a".into(), "b\n".into()],
        nothing: vec![],
        units: vec![(), ()],
        deque: ring(),
        boxed: Box::new(7),
        list: vec![1, 2].into_boxed_slice(),
        boxed_text: "boxed".into(),
        part: &[4, 5],
        weak: Rc::downgrade(&rc),
        rc,
        gone,
        dangling: Weak::new(),
        arc: Arc::new("arc".into()),
        rc_text: "shared".into(),
        cell: Cell::new(8),
        refcell: RefCell::new("ref".into()),
        mutex: Mutex::new(9),
        rwlock: RwLock::new(3),
        some: Some(3),
        none: None,
        full: Some(Box::new(2)),
        niche: NonZeroU32::new(6),
        ok: Ok(1),
        bad: Err("bad".into()),
        nested: Some(None),
        events: [Event::Nothing, Event::Key('k'), Event::Click { x: -1, y: 2 }],
        level: Level::Low,
        hash: HashMap::from([("key".to_owned(), 42)]),
        many: (0..20).map(|i| (i, i * i)).collect(),
        no_hash: HashMap::new(),
        hash_set: HashSet::from([11]),
        tree: BTreeMap::from([(1, "one".into()), (2, "two".into())]),
        big: (0..200).map(|i| (i, u64::from(i) * 10)).collect(),
        no_tree: BTreeMap::new(),
        tree_set: BTreeSet::from(['x', 'y']),
        os: "os".into(),
        path: "/tmp".into(),
        path_ref: Path::new("etc"),
        c: CString::new("c").unwrap(),
        shape: Box::new(Square { side: 3 }),
        shape_ref: &SQUARE,
        shape_rc: Rc::new(Circle),
        pair: (-1, 'z'),
        single: (1,),
        array: [1, 2, 3],
        letters: ['a', '\n'],
        atomic: AtomicU32::new(1),
        flag: AtomicBool::new(true),
        function: twice,
        unit: (),
        ordering: std::cmp::Ordering::Less,
        duration: Duration::from_millis(1500),
        range: 1..4,
        metres: Metres(2.5),
        marker: Unit,
        reference: &LEVEL,
        pointer: &SQUARE.side,
        huge: -170141183460469231731687303715884105728,
        real: 0.1,
        linked: LinkedList::from([1, 2, 3]),
        no_linked: LinkedList::new(),
        heap: BinaryHeap::from([3, 1, 4]),
        once: OnceCell::from(4),
        no_once: OnceCell::new(),
        once_lock: OnceLock::from("locked".to_owned()),
        no_once_lock: OnceLock::new(),
        lazy: LazyLock::new(|| "lazy"),
        no_lazy: LazyLock::new(|| 16),
        lazy_cell: LazyCell::new(|| 18),
        no_lazy_cell: LazyCell::new(|| 19),
        shared: Rc::new(RefCell::new(vec![10, 20, 30])),
        locked: Arc::new(Mutex::new(vec![1, 2])),
        threefold: &&"deep",
        pinned: Box::pin(5),
        c_ref: c"borrowed",
        manual: ManuallyDrop::new(vec![1]),
        graph: graph(),
        pairs: HashSet::from([(1, 2)]),
        wide: 200,
        float: 1e21,
        maybes: vec![Some(3), None],
        guarded: Mutex::new(Some(1)),
        twin: Some(Box::new(2)),
    }
}

// The arguments are what only a frame has: a reference to a closure, and a future that has run up to its first `await`.
#[inline(never)]
fn filled(held: &Held, closure: &dyn Fn(i32) -> i32, future: &dyn std::any::Any) -> i32 {
    held.vec[0] + closure(1) + future.is::<u8>() as i32 // mark: filled
}

fn main() {
    let captured = 10;
    let closure = |n: i32| n + captured;
    let held: &'static Held = Box::leak(Box::new(make()));
    let _ = (held.lazy.len(), *held.lazy_cell);
    HELD.store(held as *const Held as *mut Held, Ordering::Release);
    let mut future = Box::pin(later(1));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = std::future::Future::poll(future.as_mut(), &mut context);
    let area = held.shape.area() + held.shape_ref.area() + held.shape_rc.area();
    let sum = filled(held, &closure, &area);
    if std::env::args().len() > 1 {
        println!();
        let _ = std::io::Read::read(&mut std::io::stdin(), &mut [0]);
    }
    std::process::exit((sum & 1) * i32::from(matches!(held.events[0], Event::Nothing)));
}
