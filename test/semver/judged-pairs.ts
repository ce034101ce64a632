import assert from 'node:assert/strict';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { hostileWords } from '../fuzz/hostile-words.ts';
import { type FuzzedArchive, fuzzedArchive } from '../fuzz/names-check.ts';
import { pairSeed, type VersionPair, versionPairs } from './version-pairs.ts';

/** How many releases that are called minor or patch each language judges. */
const compatiblePairs = 36;

/** A change that breaks programs, as the checker of a language describes it. */
export interface Finding {
  /** Name of the pair: `pair-7`. */
  pair: string;
  text: string;
}

/** The archives of pairs in one language; those of one pair have the same name. */
export interface PairArchives {
  before: readonly FuzzedArchive[];
  after: readonly FuzzedArchive[];
}

/** Random pairs whose second version is called minor or patch. */
export async function compatibleVersionPairs(): Promise<VersionPair[]> {
  const pairs = versionPairs(compatiblePairs, pairSeed, await hostileWords());
  return pairs.filter(({ step }) => step !== 'major');
}

export async function pairArchives(id: string, pairs: readonly VersionPair[]): Promise<PairArchives> {
  const loaded = await loadLanguage(id);
  const archives = (version: 'before' | 'after'): Promise<FuzzedArchive[]> =>
    Promise.all(pairs.map((pair) => fuzzedArchive(pair.name, pair[version], loaded)));
  return { before: await archives('before'), after: await archives('after') };
}

/** Fails with the findings, each beside what was done to the client of its pair. */
export function assertNoFindings(findings: readonly Finding[], pairs: readonly VersionPair[]): void {
  const said = findings.map(({ pair, text }) => {
    const { step, edits = [] } = pairs.find(({ name }) => name === pair) ?? {};
    return `${pair} (seed ${pairSeed}), called ${step}: ${text}\n    ${edits.join('\n    ')}`;
  });
  assert.equal(said.join('\n'), '');
}
