/** Presents the records of a list that is read in parts. */
export async function* presentParts<R, Shown>(
  parts: AsyncIterable<readonly R[]>,
  present: (record: R) => Shown,
): AsyncGenerator<Shown[], void, undefined> {
  for await (const records of parts) yield records.map((record) => present(record));
}
