// Functions that return one type each, and what the program itself prints of it.
#![allow(dead_code)]
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::hint::black_box;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

macro_rules! functions {
    ($n:ident; $($name:ident: $ty:ty = $value:expr;)*) => {
        $(
            #[inline(never)]
            #[allow(unused_variables)]
            pub fn $name($n: u64) -> $ty {
                // Functions that do the same would be one.
                black_box(stringify!($name));
                let $n = black_box($n);
                $value
            }
        )*

        fn run() {
            $(
                let value = $name(black_box(7));
                println!("{}\t{:?}", stringify!($name), value);
                black_box(&value);
            )*
        }
    };
}

#[derive(Debug)]
struct P2 {
    a: u32,
    b: u32,
}
#[derive(Debug)]
struct F2 {
    a: f64,
    b: f64,
}
#[derive(Debug)]
struct F1(f64);
#[derive(Debug)]
struct P3 {
    a: u64,
    b: u64,
    c: u64,
}
#[derive(Debug)]
struct S3 {
    a: u16,
    b: u16,
    c: u16,
}
#[derive(Debug)]
struct M(u8, u32, u16);
#[derive(Debug)]
enum E0 {
    A,
    B,
    C,
}
#[derive(Debug)]
enum E1 {
    A(u32),
    B(u8),
    C,
}
#[derive(Debug)]
enum E2 {
    A { x: u64 },
    B(String),
    C,
}
#[derive(Debug)]
enum E3 {
    A(f32),
    B(u32),
}
#[derive(Debug)]
struct W<T>(T);
#[derive(Debug)]
#[repr(C)]
struct C2 {
    a: u32,
    b: u32,
}
#[derive(Debug)]
struct N2 {
    a: P2,
    b: P2,
}
#[derive(Debug)]
struct UF {
    u: u32,
    f: f32,
}
#[derive(Debug)]
struct BF {
    b: bool,
    f: f64,
}

functions! {
    n;
    r_u8: u8 = n as u8;
    r_i8: i8 = -(n as i8);
    r_u16: u16 = n as u16;
    r_i32: i32 = -(n as i32);
    r_u64: u64 = n;
    r_u128: u128 = (n as u128) << 70;
    r_i128: i128 = -(n as i128);
    r_f32: f32 = n as f32 + 0.5;
    r_f64: f64 = n as f64 + 0.5;
    r_bool: bool = n == 7;
    r_char: char = char::from_u32(n as u32 + 90).unwrap();
    r_str: &'static str = "hi";
    r_string: String = format!("s{n}");
    r_vec: Vec<u64> = vec![n, 2];
    r_vecs: Vec<String> = vec![format!("a{n}")];
    r_box: Box<u64> = Box::new(n);
    r_boxstr: Box<str> = format!("b{n}").into();
    r_slice: &'static [u32] = &[1, 2, 3];
    r_boxdyn: Box<dyn Debug> = Box::new(n as u32);
    r_opt_u8: Option<u8> = Some(n as u8);
    r_opt_u32: Option<u32> = Some(n as u32);
    r_opt_u64: Option<u64> = Some(n);
    r_opt_none: Option<u64> = if n == 0 {Some(1)} else {None};
    r_opt_f64: Option<f64> = Some(n as f64);
    r_opt_box: Option<Box<u32>> = Some(Box::new(5));
    r_opt_str: Option<&'static str> = Some("so");
    r_opt_string: Option<String> = Some(format!("o{n}"));
    r_opt_nz: Option<NonZeroU32> = NonZeroU32::new(n as u32);
    r_opt_bool: Option<bool> = Some(n == 7);
    r_opt_bool_none: Option<bool> = (n != 7).then_some(true);
    r_opt_opt_bool: Option<Option<bool>> = (n == 7).then_some(None);
    r_opt_char: Option<char> = Some('x');
    r_opt_opt: Option<Option<u32>> = Some(Some(n as u32));
    r_res_u32: Result<u32, u32> = Err(n as u32);
    r_res_str: Result<u64, String> = Err(format!("e{n}"));
    r_res_unit: Result<(), u8> = Err(n as u8);
    r_res_mixed: Result<u64, u8> = Ok(n);
    r_res_io: std::io::Result<u64> = Ok(n);
    r_pair32: (u32, u32) = (n as u32, 2);
    r_pair64: (u64, u64) = (n, 2);
    r_pairf: (f64, f64) = (n as f64, 2.5);
    r_mix: (u32, f32) = (n as u32, 1.5);
    r_t3: (u8, u16, u32) = (1, 2, n as u32);
    r_t3b: (u64, u64, u64) = (n, 1, 2);
    r_tbool: (bool, u8) = (true, n as u8);
    r_arr2: [u32; 2] = [n as u32, 2];
    r_arr1: [u64; 1] = [n];
    r_arr16: [u8; 16] = [n as u8; 16];
    r_arr5: [u64; 5] = [n; 5];
    r_arrf: [f64; 2] = [n as f64, 1.5];
    r_arrf3: [f32; 3] = [n as f32, 1.5, 2.5];
    r_p2: P2 = P2{a:n as u32, b:2};
    r_f2: F2 = F2{a:n as f64, b:1.5};
    r_f1: F1 = F1(n as f64);
    r_p3: P3 = P3{a:n, b:2, c:3};
    r_s3: S3 = S3{a:n as u16, b:2, c:3};
    r_m: M = M(1, n as u32, 3);
    r_e0: E0 = if n == 7 {E0::B} else {E0::C};
    r_e1: E1 = E1::A(n as u32);
    r_e1b: E1 = E1::B(n as u8);
    r_e2: E2 = E2::A{x:n};
    r_e2b: E2 = E2::B(format!("E{n}"));
    r_e3: E3 = E3::A(n as f32);
    r_w: W<u32> = W(n as u32);
    r_wf: W<f32> = W(n as f32);
    r_ww: W<W<(u32, u32)>> = W(W((n as u32, 3)));
    r_c2: C2 = C2{a:n as u32, b:2};
    r_n2: N2 = N2{a:P2{a:n as u32, b:2}, b:P2{a:3, b:4}};
    r_uf: UF = UF{u:n as u32, f:2.5};
    r_bf: BF = BF{b:true, f:n as f64};
    r_rc: Rc<u64> = Rc::new(n);
    r_arc: Arc<str> = Arc::from("arc");
    r_map: BTreeMap<u64, u64> = BTreeMap::from([(n, 1)]);
    r_set: BTreeSet<u64> = BTreeSet::from([n]);
    r_vd: VecDeque<u64> = VecDeque::from([n, 1]);
    r_dur: Duration = Duration::new(n, 5);
    r_path: PathBuf = PathBuf::from("/a/b");
    r_cell: Cell<u64> = Cell::new(n);
    r_refcell: RefCell<u64> = RefCell::new(n);
    r_ord: Ordering = n.cmp(&8);
    r_range: Range<u32> = 1..n as u32;
    r_range64: Range<u64> = 1..n;
    r_cow: Cow<'static, str> = Cow::Borrowed("cow");
    r_cow2: Cow<'static, str> = Cow::Owned(format!("c{n}"));
}

fn main() {
    run();
}
