import { compiledModules } from '../../generator/languages/typescript/compiled-modules.ts';
import type { Language } from '../../generator/language.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { type FuzzedArchive, fuzzedArchive } from '../fuzz/names-check.ts';
import { typeProblems } from '../fuzz/type-problems.ts';
import { type DeclaredApi, declaredApi } from './declared-api.ts';
import type { Finding } from './judged-pairs.ts';
import type { VersionPair } from './version-pairs.ts';

/**
 * Finds breaking changes: declarations that are missing or have another type, and compile errors in the examples, tests and snippets
 * of the first version with the sources of the second.
 */
export async function typescriptFindings(id: string, pairs: readonly VersionPair[]): Promise<Finding[]> {
  const { language, templates } = await loadLanguage(id);
  const loaded = { language: withoutDist(language), templates };
  const findings: Finding[] = [];
  const olderPrograms: FuzzedArchive[] = [];
  for (const pair of pairs) {
    const before = await fuzzedArchive(pair.name, pair.before, loaded);
    const after = await fuzzedArchive(pair.name, pair.after, loaded);
    const found = changesOf(await apiOf(before), await apiOf(after));
    findings.push(...found.map((text) => ({ pair: pair.name, text })));
    const isSource = ([path]: [string, string]): boolean => path.startsWith('src/');
    const rest = [...before.files].filter((file) => !isSource(file));
    olderPrograms.push({ ...before, files: new Map([...[...after.files].filter(isSource), ...rest]) });
  }
  const problems = typeProblems(olderPrograms, id === 'typescript' ? {} : { types: ['node'] });
  return [...findings, ...problemFindings(problems)];
}

/** The checks read four files of an archive, and compiling and bundling would double their time. */
function withoutDist(language: Language): Language {
  return {
    ...language,
    plan: (model) => ({ ...language.plan(model), compiled: () => Promise.resolve([]) }),
  };
}

/** Returns the archive's own declarations, without those of the runtime. */
async function apiOf({ files, runtime }: FuzzedArchive): Promise<DeclaredApi> {
  const own = [...files].filter(([path]) => path.startsWith('src/') && !runtime.has(path));
  const compiled = await compiledModules(own.map(([path, text]) => ({ path, text })));
  const declarations = compiled.filter(({ path }) => path.endsWith('.d.ts'));
  return declaredApi(new Map(declarations.map(({ path, content }) => [path, String(content)])));
}

/** Additions are not breaking. A oneof may get further cases (docs/decisions/0065-what-a-version-step-promises.md). */
function changesOf(before: DeclaredApi, after: DeclaredApi): string[] {
  return [...before].flatMap(([name, was]) => {
    const is = after.get(name);
    if (is === undefined) return [`${name}: removed`];
    return is === was || hasMoreCases(was, is) ? [] : [`${name}: "${is}" instead of "${was}"`];
  });
}

function hasMoreCases(was: string, is: string): boolean {
  const [before, after] = [casesOf(was), new Set(casesOf(is))];
  return before.length > 0 && before.every((each) => after.has(each));
}

/** Returns the two cases of `?: Case<"a", string> | Case<"b", bigint>`, and none of another type. */
function casesOf(type: string): string[] {
  if (!type.startsWith('?: Case<')) return [];
  const cases = type.slice('?: '.length).split(' | Case<');
  return cases.map((each, index) => (index === 0 ? each : `Case<${each}`));
}

function problemFindings(problems: string): Finding[] {
  const found = [...problems.matchAll(/^\/sdk\/(pair-\d+)\/(.*(?:\n {4}.*)?)/gm)];
  if (problems !== '' && found.length === 0) throw new Error(problems);
  return found.map(([, pair = '', text = '']) => ({ pair, text }));
}
