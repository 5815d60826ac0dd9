//! Pools larger than those that are built in.

use crate::support::Random;

/// The built-in cards, again and again under other names and with cells of other cards, until
/// there are so many.
pub(crate) fn pool(bytes: &[u8], size: usize, random: &mut Random) -> Vec<u8> {
    let mut table = csv::Reader::from_reader(bytes);
    let header = table.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(&header).unwrap();
    for at in 0..size {
        let record = &records[at % records.len()];
        let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
        if at >= records.len() {
            cells[0] = format!("{} {}", cells[0], at / records.len());
            for other in ["mana", "colour", "unique"] {
                let column = header.iter().position(|name| name == other);
                let like = &records[random.below(records.len())];
                if let Some(column) = column.filter(|_| like.get(1) == record.get(1)) {
                    cells[column] = like[column].to_owned();
                }
            }
        }
        out.write_record(&cells).unwrap();
    }
    out.into_inner().unwrap()
}
