import { loadLanguage } from '../../service/languages/load-language.ts';
import { hostileWords } from '../fuzz/hostile-words.ts';
import { type FuzzedArchive, fuzzedArchive } from '../fuzz/names-check.ts';
import { brokenPair } from './broken-pair.ts';
import { pairSeed, type VersionPair, versionPairs } from './version-pairs.ts';

/** Number of minor and patch releases that each language checks. */
const compatibleReleases = 36;

/** A breaking change, as the checker of a language describes it. */
export interface Finding {
  /** Name of the pair: `pair-7`. */
  pair: string;
  text: string;
}

/** The archives of pairs in one language. Both archives of a pair have the same name. */
interface PairArchives {
  before: readonly FuzzedArchive[];
  after: readonly FuzzedArchive[];
}

/** The findings of a language about random pairs and about `brokenPair`. */
interface JudgedPairs {
  /** Findings about minor and patch releases. Each is a false finding or a wrong version step. */
  findings: readonly Finding[];
  /** Texts of the findings about `brokenPair`. */
  ofBroken: readonly string[];
}

/** Checks all pairs in a language at once, because most of the time is spent starting compilers. */
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

/** Returns random pairs whose second version is a minor or patch release. */
async function compatiblePairs(): Promise<VersionPair[]> {
  const pairs = versionPairs(compatibleReleases, pairSeed, await hostileWords());
  return pairs.filter(({ step }) => step !== 'major');
}

/** Returns the finding with the edits of its pair. */
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
