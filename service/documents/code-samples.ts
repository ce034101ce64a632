import { setImmediate } from 'node:timers/promises';
import type { Language } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import type { CodeSample } from '../../specs/openapi/code-sample.ts';
import { type LanguageFolders, listLanguages, loadLanguageFile } from '../builds/load-language.ts';
import { createByteCache, textBytes } from './byte-cache.ts';

/** Programs by the alias of the member that they call. */
export type CodeSamples = ReadonlyMap<string, CodeSample[]>;

/**
 * Programs that call the members of a model, in every language of the release: the snippets of its SDKs, word for word.
 *
 * @param key names the model: the same key, the same model.
 */
export type CodeSampler = (key: string, model: SdkModel) => Promise<CodeSamples>;

/** Of all that a document says programs take longest, so they are kept apart from it. */
const keptSampleBytes = 32 * 2 ** 20;

/** Some milliseconds' worth. */
const membersPerTurn = 10;

/** Languages are loaded when the first samples are asked for, and once. */
export function createCodeSampler(keptBytes = keptSampleBytes, folders?: LanguageFolders): CodeSampler {
  const cache = createByteCache<CodeSamples>({ keptBytes, sizeOf: samplesBytes });
  let loading: Promise<Language[]> | undefined;
  return (key, model) =>
    cache.get(key, async () => {
      loading ??= loadLanguages(folders);
      return writeSamples(await loading, model);
    });
}

async function loadLanguages(folders?: LanguageFolders): Promise<Language[]> {
  return Promise.all((await listLanguages(folders)).map((id) => loadLanguageFile(id, folders)));
}

/** Names of a large model take a while to plan, its programs to print: others get their turn between. */
async function writeSamples(languages: readonly Language[], model: SdkModel): Promise<CodeSamples> {
  const samples = new Map(model.members.map(({ alias }): [string, CodeSample[]] => [alias, []]));
  for (const language of languages) {
    const plan = language.plan(model);
    const lang = plan.terms.languageName;
    for (const [index, member] of model.members.entries()) {
      if (index % membersPerTurn === 0) await setImmediate();
      const source = plan.snippet(member);
      // What a language cannot call has no program: a page cannot call nodes.
      if (source !== '') samples.get(member.alias)?.push({ lang, label: lang, source });
    }
  }
  return samples;
}

function samplesBytes(samples: CodeSamples): number {
  const sources = [...samples.values()].flat().map(({ source }) => source);
  return sources.reduce((sum, source) => sum + textBytes(source), 0);
}
