import type { FileView, Language } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { changelogView } from './changelog-view.ts';
import { llmsView } from './llms-view.ts';
import { referenceView } from './reference-view.ts';

/**
 * The documents that every archive holds and all languages share, in the language's own words (SDK.md, The archive).
 * @param own what the language prints itself: a document of its own takes the place of the shared one.
 */
export function documentViews(model: SdkModel, language: Language, own: readonly FileView[]): FileView[] {
  const terms = language.terms(model);
  const documents: [path: string, view: () => object][] = [
    ['CHANGELOG.md', () => changelogView(model)],
    ['LICENSE', () => ({})],
    ['REFERENCE.md', () => referenceView(model, terms)],
    ['llms.txt', () => llmsView(model, language, terms)],
  ];
  const replaced = new Set(own.map(({ path }) => path));
  return documents
    .filter(([path]) => !replaced.has(path))
    .map(([path, view]) => ({ path, template: `documents/${path}`, view: view() }));
}
