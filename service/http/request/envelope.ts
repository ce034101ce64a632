import type { Family } from '../../../specs/operations/operation.ts';
import { parseJson } from './parse-json.ts';
import type { JsonText } from './read-json.ts';

/**
 * Parses a body without some members of its outermost object, which are large and read in another way. Their syntax has to be
 * checked separately.
 *
 * @param placeholders the JSON that is parsed in place of a member, by name
 * @throws ApiError 400 for text that is not JSON outside of these members
 */
export function parseEnvelope(
  json: JsonText,
  { family, placeholders }: { family: Family; placeholders: Readonly<Record<string, string>> },
): unknown {
  const { bytes } = json;
  const cuts = Object.entries(placeholders)
    .flatMap(([name, placeholder]) => {
      const member = json.member(name);
      return member ? [{ ...member, placeholder: Buffer.from(placeholder) }] : [];
    })
    .sort((one, other) => one.start - other.start);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, placeholder } of cuts) {
    pieces.push(bytes.subarray(from, start), placeholder);
    from = end;
  }
  return parseJson(cuts.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]), family);
}
