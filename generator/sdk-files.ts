import { checkPaths } from './archive/check-paths.ts';
import { manifestFile } from './archive/manifest.ts';
import { forgetfulTexts, type TextBytes } from './archive/text-bytes.ts';
import { conformanceSection, withSection } from './documents/conformance-section.ts';
import { documentViews } from './documents/document-views.ts';
import type { FileContent, Language, PrintedText, SdkFile, SdkPlan } from './language.ts';
import type { SdkModel } from './model/sdk-model.ts';
import { renderFiles } from './render/render-files.ts';
import type { TemplateSet } from './render/template-set.ts';

/**
 * The files of an archive, in its order: by path in code unit order, `MANIFEST.json` among them.
 * @param texts remembers what was printed before, so that it is not hashed and deflated again.
 * @throws Error when the language makes what can't be: a view without a template, two files of one path, a path that leaves
 * the archive.
 */
export async function sdkFiles(
  model: SdkModel,
  language: Language,
  templates: TemplateSet,
  texts: TextBytes = forgetfulTexts,
): Promise<SdkFile[]> {
  const plan = language.plan(model);
  const own = await plan.files();
  const section = conformanceSection(templates.conformance);
  const views = [...own, ...documentViews(model, plan, own)];
  const filled = withSection(renderFiles(views, templates), renderFiles(section, templates));
  const names = [plan.manifest.package.import, ...(plan.clientNames ?? [])];
  const contentOf = (text: PrintedText): FileContent => texts.of(text, names);
  const files = [
    ...filled.map(({ path, printed }) => ({ path, ...contentOf(printed) })),
    ...runtimeFiles(plan, templates, contentOf),
  ].sort(byPath);
  const manifest = manifestFile(model, { language: language.id, described: plan.manifest, files });
  const all = [...files, manifest].sort(byPath);
  checkPaths(all.map(({ path }) => path));
  return all;
}

function runtimeFiles(
  plan: SdkPlan,
  templates: TemplateSet,
  contentOf: (text: PrintedText) => FileContent,
): SdkFile[] {
  return [...templates.runtime].flatMap(([own, content]): SdkFile[] => {
    const path = plan.runtimePath(own);
    if (path === undefined) return [];
    return [{ path, ...(plan.runtimeContent ? contentOf(plan.runtimeContent(content)) : { content }) }];
  });
}

function byPath(a: SdkFile, b: SdkFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
