import { checkPaths } from './archive/check-paths.ts';
import { manifestFile } from './archive/manifest.ts';
import { conformanceSection, withSection } from './documents/conformance-section.ts';
import { documentViews } from './documents/document-views.ts';
import type { Language, SdkFile } from './language.ts';
import type { SdkModel } from './model/sdk-model.ts';
import { renderFiles } from './render/render-files.ts';
import type { TemplateSet } from './render/template-set.ts';

/**
 * The files of an archive, in its order: by path in code unit order, `MANIFEST.json` among them.
 * @throws Error when the language makes what can't be: a view without a template, two files of one path, a path that leaves
 * the archive.
 */
export async function sdkFiles(
  model: SdkModel,
  language: Language,
  templates: TemplateSet,
): Promise<SdkFile[]> {
  const own = await language.files(model);
  const section = conformanceSection(templates.conformance);
  const views = [...own, ...documentViews(model, language, own)];
  const printed = withSection(renderFiles(views, templates), renderFiles(section, templates));
  const files = [...printed, ...runtimeFiles(model, language, templates)].sort(byPath);
  const all = [...files, manifestFile(model, language, files)].sort(byPath);
  checkPaths(all.map(({ path }) => path));
  return all;
}

function runtimeFiles(model: SdkModel, language: Language, templates: TemplateSet): SdkFile[] {
  return [...templates.runtime].flatMap(([own, content]) => {
    const path = language.runtimePath(own, model);
    if (path === undefined) return [];
    return [{ path, content: language.runtimeContent?.(content, model) ?? content }];
  });
}

function byPath(a: SdkFile, b: SdkFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
