import Handlebars from 'handlebars';
import { remembering } from '../../specs/remembering.ts';
import type { TemplateSet } from './template-set.ts';

/** Prints one view by a template. */
export type Print = (view: object) => string;

/** Handlebars' own default, which it warns of unless it is said. */
const ownPropertiesOnly = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

/**
 * The templates of a set, ready to print, by the names that `FileView.template` uses: `src/client.ts`, `documents/llms.txt`.
 * Compiled once per set, each template when it is first used.
 *
 * A name that a view lacks is an error, not an empty text (Handlebars does not see it inside `{{#if}}`). Nothing is escaped:
 * views hold finished text of the target language. A partial is printed where it stands, without being indented, for that
 * would change string literals that span lines.
 */
export const compileTemplates = remembering((templates: TemplateSet): ReadonlyMap<string, Print> => {
  const handlebars = Handlebars.create();
  const options = { strict: true, noEscape: true, preventIndent: true, knownHelpersOnly: true };
  for (const [name, source] of templates.parts)
    handlebars.registerPartial(name, handlebars.compile(source, options));
  const compile = (source: string): Print => {
    const template = handlebars.compile<object>(source, options);
    return (view) => template(view, ownPropertiesOnly);
  };
  const compiled = new Map<string, Print>();
  for (const [name, source] of templates.sdk) compiled.set(name, compile(source));
  for (const [name, source] of templates.documents) compiled.set(`documents/${name}`, compile(source));
  return compiled;
});
