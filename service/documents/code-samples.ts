import type { Language } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import type { CodeSample } from '../../specs/openapi/code-sample.ts';
import { type LanguageFolders, listLanguages, loadLanguageFile } from '../languages/load-language.ts';

/** Code samples by the alias of the member that they call. */
type CodeSamples = ReadonlyMap<string, CodeSample[]>;

/** Returns the code samples of a model in every language of the release. They are the snippets of its SDKs, unchanged. */
export type CodeSampler = (model: SdkModel) => Promise<CodeSamples>;

/** Loads the languages once, on the first call. */
export function createCodeSampler(folders?: LanguageFolders): CodeSampler {
  let loading: Promise<Language[]> | undefined;
  return async (model) => {
    loading ??= loadLanguages(folders);
    return writeSamples(await loading, model);
  };
}

async function loadLanguages(folders?: LanguageFolders): Promise<Language[]> {
  return Promise.all((await listLanguages(folders)).map((id) => loadLanguageFile(id, folders)));
}

function writeSamples(languages: readonly Language[], model: SdkModel): CodeSamples {
  const samples = new Map(model.members.map(({ alias }): [string, CodeSample[]] => [alias, []]));
  for (const language of languages) {
    const plan = language.plan(model);
    const lang = plan.terms.languageName;
    for (const member of model.members) {
      const source = plan.snippet(member);
      // The browser SDK only runs flows, so it has no snippet for a node.
      if (source !== '') samples.get(member.alias)?.push({ lang, label: lang, source });
    }
  }
  return samples;
}
