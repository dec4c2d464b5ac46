//! Conditions that rr evaluates by itself.

use super::scene::Scene;
use crate::arch::RunAddr;

impl Scene {
    pub(super) fn compile_at(&mut self, _at: RunAddr, _condition: &str) -> Option<Vec<u8>> {
        None
    }
    pub(super) fn compile_global(&mut self, _at: RunAddr, _condition: &str) -> Option<Vec<u8>> {
        None
    }
}
