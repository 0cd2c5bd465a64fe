//! Packings as bytes: little-endian numbers, so that what is loaded is what was saved, bit for bit.

use crate::HASH_KEY;
use crate::error::DemError;
use crate::packing::Packing;
use crate::particle::{Motion, Particle};
use crate::rotation::Rotation;
use glam::{DQuat, DVec3};
use klast_geometry::ConvexPolyhedron;
use klast_numerics::WordDigest;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"KLASTPK1";

impl Packing {
    /// The packing as bytes, ended by a hash of all before it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put(&mut out, self.spec_hash);
        vector(&mut out, self.edges);
        put(&mut out, self.particles.len() as u64);
        for (p, m) in self.particles.iter().zip(&self.motions) {
            let loops = p.shape.loops();
            put(&mut out, p.shape.vertices().len() as u64);
            p.shape.vertices().iter().for_each(|v| vector(&mut out, *v));
            put(&mut out, loops.len() as u64);
            for l in &loops {
                put(&mut out, l.len() as u64);
                l.iter().for_each(|v| put(&mut out, u64::from(*v)));
            }
            put(&mut out, p.material as u64);
            put(&mut out, p.mass.to_bits());
            vector(&mut out, p.inertia);
            vector(&mut out, m.position);
            vector(&mut out, m.velocity);
            m.rotation
                .orientation
                .to_array()
                .iter()
                .for_each(|x| put(&mut out, x.to_bits()));
            vector(&mut out, m.rotation.momentum);
        }
        let sum = checksum(&out);
        put(&mut out, sum);
        out
    }

    /// A packing from its bytes.
    ///
    /// # Errors
    /// [`DemError::Saved`] for another format, a file cut short or changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DemError> {
        let Some(body) = bytes.strip_prefix(MAGIC) else {
            return Err(bad("it is not a packing of this version"));
        };
        let Some((_, tail)) = bytes.split_last_chunk::<8>() else {
            return Err(bad("it is cut short"));
        };
        if checksum(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*tail) {
            return Err(bad(
                "its hash does not match: it is cut short or was changed",
            ));
        }
        let mut read = Reader(body);
        let spec_hash = read.word()?;
        let edges = read.vector()?;
        let count = read.count()?;
        let mut packing = Self {
            edges,
            particles: Vec::new(),
            motions: Vec::new(),
            spec_hash,
        };
        for _ in 0..count {
            let (particle, motion) = read.rock()?;
            packing.particles.push(particle);
            packing.motions.push(motion);
        }
        Ok(packing)
    }
}

fn bad(reason: &str) -> DemError {
    DemError::Saved {
        what: "packing",
        reason: reason.to_owned(),
    }
}

fn put(out: &mut Vec<u8>, word: u64) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn vector(out: &mut Vec<u8>, v: DVec3) {
    v.to_array().iter().for_each(|x| put(out, x.to_bits()));
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = WordDigest::new(HASH_KEY);
    hash.bytes(bytes);
    hash.finish()
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn word(&mut self) -> Result<u64, DemError> {
        let (word, rest) = self
            .0
            .split_first_chunk::<8>()
            .ok_or_else(|| bad("it is cut short"))?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// A count of things of at least eight bytes each, so never more than the bytes left allow.
    fn count(&mut self) -> Result<usize, DemError> {
        let count = self.word()? as usize;
        if count > self.0.len() / 8 {
            return Err(bad("a count in it is larger than the file"));
        }
        Ok(count)
    }

    fn number(&mut self) -> Result<f64, DemError> {
        self.word().map(f64::from_bits)
    }

    fn vector(&mut self) -> Result<DVec3, DemError> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn rock(&mut self) -> Result<(Particle, Motion), DemError> {
        let vertices = (0..self.count()?)
            .map(|_| self.vector())
            .collect::<Result<Vec<_>, _>>()?;
        let faces = self.count()?;
        let mut loops = Vec::with_capacity(faces);
        for _ in 0..faces {
            let corners = self.count()?;
            let face = (0..corners)
                .map(|_| self.word().map(|w| w as u32))
                .collect::<Result<Vec<_>, _>>()?;
            loops.push(face);
        }
        let shape = Arc::new(ConvexPolyhedron::from_facets(vertices, &loops)?);
        let material = self.word()? as usize;
        let (mass, inertia) = (self.number()?, self.vector()?);
        let particle = Particle::new(shape, mass, inertia, material)?;
        let (position, velocity) = (self.vector()?, self.vector()?);
        let turn = [
            self.number()?,
            self.number()?,
            self.number()?,
            self.number()?,
        ];
        let motion = Motion {
            position,
            velocity,
            rotation: Rotation {
                orientation: DQuat::from_array(turn),
                momentum: self.vector()?,
            },
        };
        if !motion.is_finite() {
            return Err(bad("a state in it is not finite"));
        }
        Ok((particle, motion))
    }
}
