//! The code cache's translations, tested by executing them.

mod blocks;
mod branches;
mod child;
mod compare;
mod counts;
mod decoder;
mod image;
mod leaving;
mod masks;
mod pair;
mod probes;
mod random;
mod reads;
mod samples;
mod shapes;
mod state;
mod testable;
mod trap_flag;
mod watches;
mod writes;
