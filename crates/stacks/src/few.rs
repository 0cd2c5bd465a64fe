//! Lists that are mostly short: what few blocks need lies in place, a longer list in memory of its own.

use std::ops::{Deref, DerefMut};

/// A list of `len` values, of which up to `NEAR` take no memory of their own.
#[derive(Clone)]
pub(super) struct Few<T, const NEAR: usize> {
    len: usize,
    near: [T; NEAR],
    /// All values of a longer list; empty for a short one.
    far: Vec<T>,
}

impl<T: Copy, const NEAR: usize> Few<T, NEAR> {
    /// `len` times this value.
    #[inline]
    pub fn new(value: T, len: usize) -> Self {
        let far = if len > NEAR {
            vec![value; len]
        } else {
            Vec::new()
        };
        Self {
            len,
            near: [value; NEAR],
            far,
        }
    }

    /// The first `len` values; a list that is shorter stays as it is.
    pub fn truncated(&self, len: usize) -> Self
    where
        T: Default,
    {
        let mut made = Self::new(T::default(), len.min(self.len));
        for (to, from) in made.iter_mut().zip(self.iter()) {
            *to = *from;
        }
        made
    }
}

impl<T, const NEAR: usize> Deref for Few<T, NEAR> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        if self.len <= NEAR {
            &self.near[..self.len]
        } else {
            &self.far
        }
    }
}

impl<T, const NEAR: usize> DerefMut for Few<T, NEAR> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.len <= NEAR {
            &mut self.near[..self.len]
        } else {
            &mut self.far
        }
    }
}

impl<T, const NEAR: usize> AsRef<[T]> for Few<T, NEAR> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T, const NEAR: usize> AsMut<[T]> for Few<T, NEAR> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: PartialEq, const NEAR: usize> PartialEq for Few<T, NEAR> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: std::fmt::Debug, const NEAR: usize> std::fmt::Debug for Few<T, NEAR> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
