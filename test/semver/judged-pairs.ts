import { loadLanguage } from '../../service/languages/load-language.ts';
import { hostileWords } from '../fuzz/hostile-words.ts';
import { type FuzzedArchive, fuzzedArchive } from '../fuzz/names-check.ts';
import { brokenPair } from './broken-pair.ts';
import { pairSeed, type VersionPair, versionPairs } from './version-pairs.ts';

/** How many releases that are called minor or patch each language judges. */
const compatibleReleases = 36;

/** A change that breaks programs, as the checker of a language describes it. */
export interface Finding {
  /** Name of the pair: `pair-7`. */
  pair: string;
  text: string;
}

/** The archives of pairs in one language; those of one pair have the same name. */
interface PairArchives {
  before: readonly FuzzedArchive[];
  after: readonly FuzzedArchive[];
}

/** What a language says about random pairs, and about the one that is broken. */
interface JudgedPairs {
  /** Findings about releases that are called minor or patch; each is wrong, or a step is. */
  findings: readonly Finding[];
  /** Texts of the findings about `brokenPair`. */
  ofBroken: readonly string[];
}

/** Lets a language judge all pairs at once, for most of its time goes into starting compilers. */
export async function judgePairs(
  judge: (pairs: readonly VersionPair[]) => Promise<readonly Finding[]>,
): Promise<JudgedPairs> {
  const broken = brokenPair();
  const pairs = await compatiblePairs();
  const all = await judge([...pairs, broken]);
  const isBroken = ({ pair }: Finding): boolean => pair === broken.name;
  return {
    findings: all.filter((finding) => !isBroken(finding)).map((finding) => described(finding, pairs)),
    ofBroken: all.filter(isBroken).map(({ text }) => text),
  };
}

/** Random pairs whose second version is called minor or patch. */
async function compatiblePairs(): Promise<VersionPair[]> {
  const pairs = versionPairs(compatibleReleases, pairSeed, await hostileWords());
  return pairs.filter(({ step }) => step !== 'major');
}

/** The finding beside what was done to the client of its pair. */
function described({ pair, text }: Finding, pairs: readonly VersionPair[]): Finding {
  const { step, edits = [] } = pairs.find(({ name }) => name === pair) ?? {};
  return { pair, text: `${text} (seed ${pairSeed}, called ${step}: ${edits.join(', ')})` };
}

export async function pairArchives(id: string, pairs: readonly VersionPair[]): Promise<PairArchives> {
  const loaded = await loadLanguage(id);
  const archives = (version: 'before' | 'after'): Promise<FuzzedArchive[]> =>
    Promise.all(pairs.map((pair) => fuzzedArchive(pair.name, pair[version], loaded)));
  return { before: await archives('before'), after: await archives('after') };
}
