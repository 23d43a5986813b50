//! Histograms in text formats: HdrHistogram's V2 encoding, which loses nothing, in base64.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer as V2Reader, Serializer as _, V2Serializer};
use serde::{Deserialize, Deserializer, Serializer, de, ser};

pub(crate) fn serialize<S: Serializer>(histogram: &Histogram<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::new();
    V2Serializer::new().serialize(histogram, &mut bytes).map_err(ser::Error::custom)?;
    serializer.serialize_str(&STANDARD.encode(bytes))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Histogram<u64>, D::Error> {
    let bytes = STANDARD.decode(String::deserialize(deserializer)?).map_err(de::Error::custom)?;
    V2Reader::new().deserialize(&mut bytes.as_slice()).map_err(de::Error::custom)
}
