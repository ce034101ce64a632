import type { FileView, PrintedFile } from '../language.ts';
import type { TemplateSet } from './template-set.ts';

/**
 * Prints each view with its template.
 * @throws Error that names the file, if its template does not exist or the view lacks a value that the template prints.
 */
export function renderFiles(views: readonly FileView[], { printers }: TemplateSet): PrintedFile[] {
  return views.map(({ path, template, view }) => {
    const print = printers.get(template);
    if (!print) throw new Error(`${path}: there is no template ${template}.hbs`);
    try {
      return { path, content: print(view) };
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  });
}
