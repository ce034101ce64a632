import { checkPaths } from './archive/check-paths.ts';
import { manifestFile } from './archive/manifest.ts';
import { conformanceSection, withSection } from './documents/conformance-section.ts';
import { documentViews } from './documents/document-views.ts';
import type { Language, SdkFile, SdkPlan } from './language.ts';
import type { SdkModel } from './model/sdk-model.ts';
import { renderFiles } from './render/render-files.ts';
import type { TemplateSet } from './render/template-set.ts';

/**
 * Returns the files of an archive in its order: by path in code unit order, including `MANIFEST.json`.
 * @throws Error if the language produces an invalid archive: a view without a template, two files with the same path, or a path
 *   outside the archive.
 */
export async function sdkFiles(
  model: SdkModel,
  language: Language,
  templates: TemplateSet,
): Promise<SdkFile[]> {
  const plan = language.plan(model);
  const own = await plan.files();
  const section = conformanceSection(templates.conformance);
  const views = [...own, ...documentViews(model, plan, own)];
  const printed = withSection(renderFiles(views, templates), renderFiles(section, templates));
  const sources = [...printed, ...runtimeFiles(plan, templates)];
  const compiled = (await plan.compiled?.(sources)) ?? [];
  const files = [...sources, ...compiled].sort(byPath);
  const manifest = manifestFile(model, { language: language.id, described: plan.manifest, files });
  const all = [...files, manifest].sort(byPath);
  checkPaths(all.map(({ path }) => path));
  return all;
}

function runtimeFiles(plan: SdkPlan, { runtime }: TemplateSet): SdkFile[] {
  return [...runtime].flatMap(([own, bytes]): SdkFile[] => {
    const path = plan.runtimePath(own);
    if (path === undefined) return [];
    return [{ path, content: plan.runtimeContent?.(new TextDecoder().decode(bytes)) ?? bytes }];
  });
}

function byPath(a: SdkFile, b: SdkFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
