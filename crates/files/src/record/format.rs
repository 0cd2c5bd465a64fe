//! The formats of records that are read.

/// Format of a file, found from its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// PEER .AT2: a line with NPTS and DT, then values.
    PeerAt2,
    /// Two columns, time and acceleration.
    Columns,
    /// A time and several columns, of which those in a unit of acceleration are components.
    Table,
    /// Values at equal steps without times, as OpenSees reads them (.dat, .g3, .acc).
    Values,
    /// K-NET and KiK-net ASCII (NIED, Japan).
    KNet,
    /// ESM and ITACA ASCII (header DYNA 1.x).
    Esm,
    /// CSMIP and CESMD uncorrected accelerograms (Volume 1), at equal steps.
    CsmipV1,
    /// CSMIP and CESMD corrected accelerograms (Volume 2).
    CsmipV2,
    /// COSMOS strong-motion format V1 and V2.
    Cosmos,
    /// GeoNet V1A and V2A (GNS Science, New Zealand).
    GeoNet,
    /// SLIST and TSPAIR of ObsPy and FDSN services, in a unit of acceleration.
    ObsPy,
}

impl RecordFormat {
    /// The name of the format in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::PeerAt2 => "PEER AT2",
            Self::Columns => "two columns, time and acceleration",
            Self::Table => "a time and columns of components",
            Self::Values => "values at equal steps",
            Self::KNet => "K-NET/KiK-net ASCII",
            Self::Esm => "ESM/ITACA ASCII",
            Self::CsmipV1 => "CSMIP/CESMD Volume 1",
            Self::CsmipV2 => "CSMIP/CESMD Volume 2",
            Self::Cosmos => "COSMOS",
            Self::GeoNet => "GeoNet V1A/V2A",
            Self::ObsPy => "ObsPy's SLIST or TSPAIR",
        }
    }
}
