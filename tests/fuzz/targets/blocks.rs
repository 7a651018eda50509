//! A recording taken apart into its blocks and put together again, its checks made right: what a flipped byte says is then not that it
//! was flipped.

/// Magic and form.
const HEAD: usize = 20;
/// Bytes of a block's check.
const CHECK: usize = 4;
/// Blocks whose payload is packed: the models and the snapshot.
const PACKED: [usize; 2] = [1, 2];

/// A recording with each block's check made right again, as far as its lengths lead.
pub fn seal(bytes: &[u8]) -> Vec<u8> {
    let (head, rest) = bytes.split_at(HEAD.min(bytes.len()));
    joined(head, &payloads(rest))
}

/// A recording in the form that is mutated: one part after another, a length of four bytes before each. The header is without the
/// build, models and snapshot are unpacked, and the snapshot is three parts: the world's, the solver's, the rest.
pub fn taken_apart(recording: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    let mut part = |bytes: &[u8]| {
        form.extend((bytes.len() as u32).to_le_bytes());
        form.extend(bytes);
    };
    for (index, payload) in payloads(&recording[HEAD..]).iter().enumerate() {
        let unpacked = PACKED.contains(&index).then(|| lz4_flex::decompress_size_prepended(payload).expect("it is packed"));
        let bytes = unpacked.as_deref().unwrap_or(payload);
        match index {
            0 => part(counted(bytes).expect("the build").1),
            2 => {
                let (state, rest) = counted(bytes).expect("the world's");
                let (solver, rest) = counted(rest).expect("the solver's");
                [state, solver, rest].into_iter().for_each(&mut part);
            }
            _ => part(bytes),
        }
    }
    form
}

/// A recording of this build from that form. Any bytes make one: a length that reaches past the end ends there.
pub fn put_together(form: &[u8]) -> Vec<u8> {
    let mut rest = form;
    let mut parts = std::iter::from_fn(|| {
        let (length, after) = rest.split_first_chunk()?;
        let (part, after) = after.split_at(after.len().min(u32::from_le_bytes(*length) as usize));
        rest = after;
        Some(part)
    });
    let mut header = Vec::new();
    put_counted(&mut header, simrun_sim::record::build_id().as_bytes());
    header.extend(parts.next().unwrap_or_default());
    let models = parts.next().unwrap_or_default();
    let mut snapshot = Vec::new();
    put_counted(&mut snapshot, parts.next().unwrap_or_default());
    put_counted(&mut snapshot, parts.next().unwrap_or_default());
    snapshot.extend(parts.next().unwrap_or_default());
    let packed = [models, &snapshot].map(lz4_flex::compress_prepend_size);
    let mut payloads = vec![header.as_slice(), &packed[0], &packed[1]];
    payloads.extend(parts);
    joined(b"simrun recording\x04\0\0\0", &payloads)
}

/// The blocks' payloads, as far as their lengths lead.
fn payloads(mut bytes: &[u8]) -> Vec<&[u8]> {
    std::iter::from_fn(|| {
        let (payload, rest) = counted(bytes)?;
        bytes = rest.get(CHECK..).unwrap_or_default();
        Some(payload)
    })
    .collect()
}

fn joined(head: &[u8], payloads: &[&[u8]]) -> Vec<u8> {
    let mut out = head.to_vec();
    for (index, payload) in payloads.iter().enumerate() {
        put_counted(&mut out, payload);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(index as u64).to_le_bytes()).update(payload);
        out.extend(&hasher.finalize().as_bytes()[..CHECK]);
    }
    out
}

/// What stands behind its length, and what comes after.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut length = 0_usize;
    for (place, byte) in bytes.iter().enumerate().take(9) {
        length |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return bytes[place + 1..].split_at_checked(length);
        }
    }
    None
}

fn put_counted(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend(bytes);
}
