import type { FileView, PrintedFile } from '../language.ts';
import { compileTemplates } from './compile-templates.ts';
import type { TemplateSet } from './template-set.ts';

/**
 * Prints each view by its template.
 * @throws Error that names the file: there is no such template, or the view lacks what the template prints.
 */
export function renderFiles(views: readonly FileView[], templates: TemplateSet): PrintedFile[] {
  const compiled = compileTemplates(templates);
  return views.map(({ path, template, view }) => {
    const print = compiled.get(template);
    if (!print) throw new Error(`${path}: there is no template ${template}.hbs`);
    try {
      return { path, printed: print(view) };
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  });
}
