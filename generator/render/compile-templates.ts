import Handlebars from 'handlebars';
import { remembering } from '../../specs/remembering.ts';
import type { PrintedText } from '../language.ts';
import type { TemplateSet } from './template-set.ts';

/** Prints one view by a template. */
export type Print = (view: object) => PrintedText;

/** Handlebars' own default, which it warns of unless it is said. */
const ownPropertiesOnly = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

/**
 * The templates of a set, ready to print, by the names that `FileView.template` uses: `src/client.ts`, `documents/llms.txt`.
 * Compiled once per set, each template when it is first used.
 *
 * A name that a view lacks is an error, not an empty text (Handlebars does not see it inside `{{#if}}`). Nothing is escaped:
 * views hold finished text of the target language. A partial is printed where it stands, without being indented, for that
 * would change string literals that span lines.
 *
 * Views are constants, so each is printed once by a template, and once by a partial, which therefore says nothing but what its
 * own view holds: what a language remembers of a package from one build to the next costs nothing here either.
 */
export const compileTemplates = remembering((templates: TemplateSet): ReadonlyMap<string, Print> => {
  const handlebars = Handlebars.create();
  const options = { strict: true, noEscape: true, preventIndent: true, knownHelpersOnly: true };
  const compile = (source: string): Print => {
    const template = handlebars.compile<object>(source, options);
    return remembering((view: object) => ({ text: template(view, ownPropertiesOnly) }));
  };
  const documents = [...templates.documents].map(([name, source]) => [`documents/${name}`, source] as const);
  for (const [name, source] of [...templates.parts, ...documents])
    handlebars.registerPartial(name, partial(handlebars.compile<object>(source, options)));
  const compiled = new Map<string, Print>();
  for (const [name, source] of templates.sdk) compiled.set(name, compile(source));
  for (const [name, source] of documents) compiled.set(name, compile(source));
  return compiled;
});

function partial(template: Handlebars.TemplateDelegate<object>): Handlebars.TemplateDelegate<object> {
  const printed = remembering((view: object, options: Handlebars.RuntimeOptions | undefined) =>
    flat(template(view, options)),
  );
  return (view, options) => printed(view, options);
}

/** The same text in one piece: V8 has a printed text as a tree of all its pieces, and would walk it in every file that holds it. */
function flat(text: string): string {
  // Asking for a character is what makes V8 join them.
  text.charCodeAt(0);
  return text;
}
