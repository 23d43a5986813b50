//! The Huffman code of field blocks (RFC 7541, 5.2). It is canonical: the codes of a length are consecutive numbers, and a longer
//! code is greater than a shorter one that is filled with zeros.

use httlib_huffman::encoder::table::ENCODE_TABLE;
use std::sync::LazyLock;

/// The symbol that no text has. The bits behind a text are the first ones of its code, which are ones.
const END: usize = 256;

/// The codes of a length.
struct Length {
    bits: u32,
    /// The first code, as the highest bits of a number.
    first: u32,
    /// The place of its symbol.
    at: usize,
}

static CODES: [(u8, u32); END + 1] = ENCODE_TABLE;

struct Code {
    /// The lengths, the shortest first.
    lengths: Vec<Length>,
    /// The symbols in the order of their codes.
    symbols: Vec<usize>,
}

static CODE: LazyLock<Code> = LazyLock::new(|| {
    let code = |symbol: usize| (u32::from(CODES[symbol].0), CODES[symbol].1);
    let mut symbols: Vec<usize> = (0..=END).collect();
    symbols.sort_by_key(|symbol| code(*symbol));
    let mut lengths: Vec<Length> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let (bits, number) = code(*symbol);
        if lengths.last().is_none_or(|length| length.bits < bits) {
            lengths.push(Length { bits, first: number << (u32::BITS - bits), at });
        }
    }
    Code { lengths, symbols }
});

/// The text of a coded one. None if a code is incomplete, or what is behind the last one is no end.
pub(super) fn decode(coded: &[u8]) -> Option<Vec<u8>> {
    let code = &*CODE;
    let mut text = Vec::with_capacity(coded.len() * 8 / 5);
    let mut coming = coded.iter();
    // The bits that were read and are not decoded, the first as the highest one, and their number.
    let (mut ahead, mut count) = (0_u64, 0);
    loop {
        while count <= u64::BITS - u8::BITS
            && let Some(byte) = coming.next()
        {
            ahead |= u64::from(*byte) << (u64::BITS - u8::BITS - count);
            count += u8::BITS;
        }
        let filled = ahead | u64::MAX.checked_shr(count).unwrap_or(0);
        let next = (filled >> u32::BITS) as u32;
        let longer = code.lengths.iter().position(|length| length.first > next).unwrap_or(code.lengths.len());
        let length = &code.lengths[longer - 1];
        match code.symbols[length.at + ((next - length.first) >> (u32::BITS - length.bits)) as usize] {
            END => return (count < u8::BITS).then_some(text),
            _ if length.bits > count => return None,
            symbol => text.push(symbol as u8),
        }
        ahead <<= length.bits;
        count -= length.bits;
    }
}

/// The number of bytes that a text has once it is coded.
pub(super) fn coded_length(text: &[u8]) -> usize {
    let bits: usize = text.iter().map(|byte| usize::from(CODES[usize::from(*byte)].0)).sum();
    bits.div_ceil(8)
}

/// Appends a text, coded.
pub(super) fn encode(text: &[u8], to: &mut Vec<u8>) {
    let (mut ahead, mut count) = (0_u64, 0);
    for byte in text {
        let (bits, code) = CODES[usize::from(*byte)];
        ahead = ahead << bits | u64::from(code);
        count += u32::from(bits);
        while count >= u8::BITS {
            count -= u8::BITS;
            to.push((ahead >> count) as u8);
        }
    }
    if count > 0 {
        to.push((ahead << (u8::BITS - count)) as u8 | u8::MAX >> count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(text in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut coded = Vec::new();
            encode(&text, &mut coded);
            prop_assert_eq!(coded.len(), coded_length(&text));
            prop_assert_eq!(decode(&coded), Some(text));
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(coded in prop::collection::vec(any::<u8>(), 0..100)) {
            if let Some(text) = decode(&coded) {
                let mut again = Vec::new();
                encode(&text, &mut again);
                prop_assert_eq!(again, coded);
            }
        }
    }

    #[test]
    fn examples_of_the_standard_are_decoded() {
        // RFC 7541, C.4.1 and C.6.1.
        let host = [0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff];
        assert_eq!(decode(&host).unwrap(), b"www.example.com");
        assert_eq!(decode(&[0x64, 0x02]).unwrap(), b"302");
    }

    #[test]
    fn wrong_ends_are_refused() {
        assert_eq!(decode(&[]), Some(Vec::new()));
        // A whole byte of ones, the end's own code, and zeros behind the last code.
        for coded in [&[0xff][..], &[0xff; 4], &[0x64, 0x02, 0xff], &[0x60]] {
            assert_eq!(decode(coded), None, "{coded:x?}");
        }
    }
}
