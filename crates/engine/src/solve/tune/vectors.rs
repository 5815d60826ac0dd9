//! Which counts of kinds a deck can reach: every way to take a number of cards out and put as
//! many in, as far as bounds allow.

/// What counts may be: by kind, and all together.
#[derive(Debug, Clone)]
pub(super) struct Space {
    /// How many of each kind there are now.
    pub(super) now: Vec<i64>,
    /// The fewest and the most of each kind.
    pub(super) ends: Vec<(i64, i64)>,
    /// The fewest and the most cards in all.
    pub(super) size: (i64, i64),
}

/// Counts, and how many cards at least must be taken out, or put in, to reach them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Vector {
    pub(super) least: u32,
    pub(super) counts: Vec<i64>,
}

impl Space {
    pub(super) fn vector(&self, counts: Vec<i64>) -> Vector {
        let moves = counts.iter().zip(&self.now).map(|(to, from)| to - from);
        let came: i64 = moves.clone().filter(|by| *by > 0).sum();
        let left: i64 = moves.filter(|by| *by < 0).sum();
        Vector { least: u32::try_from(came.max(-left)).unwrap_or(u32::MAX), counts }
    }

    /// All vectors for which `most` cards out and in are enough, except the one as it is;
    /// `None`: more than `limit`.
    pub(super) fn within(&self, most: u32, limit: usize) -> Option<Vec<Vector>> {
        let mut found = Vec::new();
        let mut counts = self.now.clone();
        let left = (i64::from(most), i64::from(most));
        self.fill(0, left, &mut counts, &mut found, limit)?;
        Some(found)
    }

    fn fill(
        &self,
        kind: usize,
        (out, into): (i64, i64),
        counts: &mut Vec<i64>,
        found: &mut Vec<Vector>,
        limit: usize,
    ) -> Option<()> {
        let Some(now) = self.now.get(kind).copied() else {
            let size: i64 = counts.iter().sum();
            if (self.size.0..=self.size.1).contains(&size) && *counts != self.now {
                if found.len() == limit {
                    return None;
                }
                found.push(self.vector(counts.clone()));
            }
            return Some(());
        };
        let (least, most) = self.ends[kind];
        for count in least.max(now - out)..=most.min(now + into) {
            counts[kind] = count;
            let left = (out - (now - count).max(0), into - (count - now).max(0));
            self.fill(kind + 1, left, counts, found, limit)?;
        }
        counts[kind] = now;
        Some(())
    }

    /// The vectors one exchange away from some counts.
    pub(super) fn beside(&self, counts: &[i64]) -> Vec<Vector> {
        let mut found = Vec::new();
        let kinds = counts.len();
        // The place past the last kind: no card goes, or none comes.
        for out in 0..=kinds {
            for into in (0..=kinds).filter(|into| *into != out) {
                let mut next = counts.to_vec();
                if let Some(count) = next.get_mut(out) {
                    *count -= 1;
                }
                if let Some(count) = next.get_mut(into) {
                    *count += 1;
                }
                let fits =
                    |(count, (least, most)): (&i64, &(i64, i64))| (*least..=*most).contains(count);
                let size: i64 = next.iter().sum();
                if next.iter().zip(&self.ends).all(fits)
                    && (self.size.0..=self.size.1).contains(&size)
                {
                    found.push(self.vector(next));
                }
            }
        }
        found
    }
}
