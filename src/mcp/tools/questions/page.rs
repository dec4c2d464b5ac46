//! Pages of rows: which rows, and in which order.

/// A page of an answer's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Rows to pass over.
    pub(crate) offset: u64,
    /// Most rows.
    pub(crate) limit: u32,
    /// The last row of the execution comes first.
    pub(crate) newest: bool,
}

impl Page {
    /// Reads the page of an answer that has so many rows. `read`: so many rows from one on, in the order of the execution.
    pub(crate) fn read<R, E>(self, all: u64, read: impl FnOnce(u64, usize) -> Result<Vec<R>, E>) -> Result<Vec<R>, E> {
        if !self.newest {
            return read(self.offset, self.limit as usize);
        }
        let end = all.saturating_sub(self.offset);
        let first = end.saturating_sub(u64::from(self.limit));
        // The difference is at most the limit.
        let mut rows = read(first, (end - first) as usize)?;
        rows.reverse();
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_both_orders_have_each_row_once() {
        let all: Vec<u64> = (0..7).collect();
        let read = |from: u64, count: usize| Ok::<_, ()>(all.iter().copied().skip(from as usize).take(count).collect());
        for (newest, expected) in [(false, all.clone()), (true, all.iter().copied().rev().collect())] {
            let page = |offset| Page { offset, limit: 3, newest }.read(7, read).unwrap();
            assert_eq!([page(0), page(3), page(6), page(9)].concat(), expected);
        }
        assert_eq!(Page { offset: u64::MAX, limit: 3, newest: true }.read(7, read), Ok(Vec::new()));
    }
}
