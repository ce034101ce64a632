import type { FileView, SdkPlan } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { changelogView } from './changelog-view.ts';
import { licenseView } from './license-view.ts';
import { llmsView } from './llms-view.ts';
import { referenceView } from './reference-view.ts';

/**
 * Returns the documents that all languages share, with the language's terms.
 * @param own the language's files; a document among them replaces the shared one.
 */
export function documentViews(model: SdkModel, plan: SdkPlan, own: readonly FileView[]): FileView[] {
  const documents: [path: string, view: () => object][] = [
    ['CHANGELOG.md', () => changelogView(model)],
    ['LICENSE', () => licenseView(model.client)],
    ['REFERENCE.md', () => referenceView(model, plan.terms)],
    ['llms.txt', () => llmsView(model, plan)],
  ];
  const replaced = new Set(own.map(({ path }) => path));
  return documents
    .filter(([path]) => !replaced.has(path))
    .map(([path, view]) => ({ path, template: `documents/${path}`, view: view() }));
}
