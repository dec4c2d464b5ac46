//! What people type about values of Rust, each expression with its value: the program prints them, an empty line
//! behind, and with an argument it waits until its standard input ends.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::Read;
use std::rc::Rc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug)]
pub struct Named<'a> {
    name: &'a str,
    owned: String,
    point: Option<Point>,
}

pub struct Held {
    v: Vec<i32>,
    array: [u8; 4],
    slice: &'static [i32],
    text: String,
    word: &'static str,
    deque: VecDeque<i32>,
    boxed: Box<[i32]>,
    rc: Rc<i32>,
    rc_too: Rc<i32>,
    weak: std::rc::Weak<i32>,
    arc: Arc<String>,
    good: Result<i32, String>,
    bad: Result<i32, String>,
    some: Option<Point>,
    none: Option<Point>,
    any: Box<dyn Any>,
    any_text: Box<dyn Any>,
    any_ref: &'static dyn Any,
    named: Named<'static>,
    point_ref: &'static Point,
    os_error: std::io::Error,
    kind_error: std::io::Error,
    custom_error: std::io::Error,
    iter: std::slice::Iter<'static, i32>,
    into_iter: std::vec::IntoIter<i32>,
    map: HashMap<i32, i32>,
    tree: BTreeMap<i32, i32>,
    cell: Rc<RefCell<Vec<i32>>>,
    index: usize,
}

static LAZY: LazyLock<String> = LazyLock::new(|| "lazy".to_owned());
static ONCE: OnceLock<u32> = OnceLock::new();
static NEVER: OnceLock<u32> = OnceLock::new();
static POINT: Point = Point { x: 1, y: 2 };
static ELEMENTS: [i32; 5] = [5, 6, 7, 8, 9];
pub static HELD: AtomicPtr<Held> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static COUNTER: Cell<u32> = const { Cell::new(3) };
    static NAMES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static LATE: RefCell<String> = RefCell::new("late".to_owned());
}

macro_rules! say {
    ($($expression:expr;)*) => { $(println!("{}\t{:?}", stringify!($expression), $expression);)* };
}

#[inline(never)]
fn tell(h: &Held) {
    say! {
        &h.v[1..3];
        &h.v[..2];
        &h.v[2..];
        &h.v[..];
        &h.v[1..=2];
        &h.v[h.index..h.index + 2];
        h.v[1..3].len();
        h.v[1..3][1];
        &h.v[1..][..2];
        &h.array[1..3];
        &h.slice[1..4];
        &h.boxed[1..];
        &h.text[1..3];
        &h.word[2..];
        h.v[1..1].is_empty();
        &h.cell.borrow()[1..];
        h.v.iter().len();
        h.v.iter().count();
        h.v.iter().nth(1);
        h.v.iter().nth(9);
        h.v.iter().next();
        h.v.iter().last();
        h.v.iter().collect::<Vec<_>>();
        h.array.iter().len();
        h.deque.iter().nth(2);
        h.text.chars().count();
        h.map.keys().len();
        h.tree.values().len();
        Rc::strong_count(&h.rc);
        Rc::weak_count(&h.rc);
        Arc::strong_count(&h.arc);
        Rc::ptr_eq(&h.rc, &h.rc_too);
        h.weak.strong_count();
        h.weak.upgrade();
        h.good.as_ref().ok();
        h.good.as_ref().err();
        h.bad.as_ref().err();
        h.bad.as_ref().ok();
        h.good.clone().ok();
        h.bad.clone().err();
        h.bad.clone().err() == Some("bad".to_owned());
        h.any.downcast_ref::<Point>();
        h.any.downcast_ref::<String>();
        h.any_text.downcast_ref::<String>();
        h.any_ref.downcast_ref::<i32>();
        h.any_ref.downcast_ref::<i32>().unwrap() + 1;
        h.any.is::<Point>();
        h.any.is::<i32>();
        h.some.as_ref().unwrap().x;
        h.named.name == "bob";
        h.named.name != "eve";
        h.named.owned == "bob";
        "bob" == h.named.name;
        h.named.point.is_none();
        h.point_ref.y;
        h.point_ref;
        h.os_error.kind();
        h.os_error.raw_os_error();
        h.kind_error.kind();
        h.kind_error.raw_os_error();
        h.custom_error.kind();
        h.iter.len();
        h.into_iter.len();
        LAZY.len();
        *LAZY == "lazy";
        ONCE.get();
        NEVER.get();
    }
}

fn main() {
    let rc = Rc::new(11);
    let mut into_iter = vec![1, 2, 3].into_iter();
    into_iter.next();
    let mut iter = ELEMENTS.iter();
    iter.next();
    let _ = (ONCE.set(4), LAZY.len());
    COUNTER.set(7);
    NAMES.with_borrow_mut(|names| names.push(1));
    LATE.with_borrow_mut(|text| text.push('r'));
    let held = Held {
        v: vec![1, 2, 3, 4],
        array: [1, 2, 3, 4],
        slice: &ELEMENTS,
        text: "hello".to_owned(),
        word: "world",
        deque: VecDeque::from([1, 2, 3]),
        boxed: Box::from([1, 2, 3]),
        rc: rc.clone(),
        weak: Rc::downgrade(&rc),
        rc_too: rc,
        arc: Arc::new("arc".to_owned()),
        good: Ok(1),
        bad: Err("bad".to_owned()),
        some: Some(Point { x: 3, y: 4 }),
        none: None,
        any: Box::new(Point { x: 5, y: 6 }),
        any_text: Box::new("any".to_owned()),
        any_ref: &8i32,
        named: Named { name: "bob", owned: "bob".to_owned(), point: None },
        point_ref: &POINT,
        os_error: std::io::Error::from_raw_os_error(2),
        kind_error: std::io::ErrorKind::UnexpectedEof.into(),
        custom_error: std::io::Error::other("custom"),
        iter,
        into_iter,
        map: HashMap::from([(1, 2)]),
        tree: BTreeMap::from([(1, 2), (3, 4)]),
        cell: Rc::new(RefCell::new(vec![1, 2])),
        index: 1,
    };
    let held = Box::leak(Box::new(held));
    HELD.store(held, Ordering::Relaxed);
    assert!(held.none.is_none() && held.custom_error.raw_os_error().is_none());
    tell(held);
    println!();
    if std::env::args().len() > 1 {
        let _ = std::io::stdin().read(&mut [0]);
    }
}
