import Handlebars from 'handlebars';
import type { Print, TemplateSet, TemplateSources } from './template-set.ts';

/** Handlebars' own default; without it, Handlebars logs a warning. */
const ownPropertiesOnly = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

const options = { strict: true, noEscape: true, preventIndent: true, knownHelpersOnly: true };

/**
 * Compiles the templates of a language. Each is compiled on first use.
 *
 * A name that is missing in a view is an error, not an empty text (Handlebars does not report it inside `{{#if}}`). Nothing is
 * escaped: views hold finished text of the target language. Partials are printed without indentation, which would change string
 * literals that span lines.
 */
export function compileTemplates(sources: TemplateSources): TemplateSet {
  const handlebars = Handlebars.create();
  const printer = (source: string): Print => {
    const template = handlebars.compile<object>(source, options);
    return (view) => template(view, ownPropertiesOnly);
  };
  const documents = [...sources.documents].map(([name, source]) => [`documents/${name}`, source] as const);
  for (const [name, source] of [...sources.parts, ...documents])
    handlebars.registerPartial(name, handlebars.compile<object>(source, options));
  const printers = new Map([...sources.sdk, ...documents].map(([name, source]) => [name, printer(source)]));
  return { ...sources, printers };
}
