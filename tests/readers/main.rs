//! Readers of library types, over the memory of programs that run: compilers are needed, rr is not.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod cxx;
mod damage;
mod gdb;
mod objects;
mod program;
mod rust;
