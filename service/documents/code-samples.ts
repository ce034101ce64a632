import type { Language } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import type { CodeSample } from '../../specs/openapi/code-sample.ts';
import { listLanguages, loadLanguage } from '../builds/load-language.ts';

/** Programs that call the members of a model, in every language of the release: the snippets of its SDKs, word for word. */
export type CodeSampler = (model: SdkModel) => Promise<ReadonlyMap<string, CodeSample[]>>;

/** Languages are loaded when the first samples are asked for, and once. */
export function createCodeSampler(): CodeSampler {
  let loading: Promise<Language[]> | undefined;
  return async (model) => {
    loading ??= loadLanguages();
    const languages = await loading;
    const spoken = languages.map((language) => ({ language, lang: language.terms(model).languageName }));
    return new Map(
      model.members.map((member): [string, CodeSample[]] => [
        member.alias,
        spoken.map(({ language, lang }) => ({ lang, label: lang, source: language.snippet(model, member) })),
      ]),
    );
  };
}

async function loadLanguages(): Promise<Language[]> {
  const loaded = (await listLanguages()).map(async (id) => (await loadLanguage(id)).language);
  return Promise.all(loaded);
}
