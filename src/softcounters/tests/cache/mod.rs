//! The code cache's translations, tested by executing them.

mod blocks;
mod branches;
mod child;
mod compare;
mod decoder;
mod image;
mod pair;
mod probes;
mod random;
mod samples;
mod shapes;
mod state;
