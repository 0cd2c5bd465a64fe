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
    /// SMC of the USGS.
    Smc,
    /// GeoNet V1A and V2A (GNS Science, New Zealand).
    GeoNet,
    /// Text of the Turkish network before DYNA headers.
    Turkish,
    /// Mexico's standard file of accelerations.
    Mexican,
    /// CSV of the Japan Meteorological Agency.
    Japanese,
    /// Free-field file of Taiwan's Central Weather Bureau.
    Taiwanese,
    /// File of China's strong-motion network (CSMNC).
    Chinese,
    /// SLIST and TSPAIR of ObsPy and FDSN services, in a unit of acceleration.
    ObsPy,
    /// GeoCSV of EarthScope, in a unit of acceleration.
    GeoCsv,
    /// Measurement file of LabVIEW (.lvm).
    LabView,
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
            Self::Smc => "SMC",
            Self::GeoNet => "GeoNet V1A/V2A",
            Self::Turkish => "text of the Turkish network",
            Self::Mexican => "Mexican standard file",
            Self::Japanese => "CSV of the Japan Meteorological Agency",
            Self::Taiwanese => "file of Taiwan's Central Weather Bureau",
            Self::Chinese => "file of China's strong-motion network (CSMNC)",
            Self::ObsPy => "ObsPy's SLIST or TSPAIR",
            Self::GeoCsv => "GeoCSV of EarthScope",
            Self::LabView => "measurement file of LabVIEW",
        }
    }
}
