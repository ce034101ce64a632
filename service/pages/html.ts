import { escapeMarkup } from '../../generator/text/markup.ts';

/** Safe markup, created only by `html`. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[];

/**
 * Builds markup with escaped values. Published text cannot break out of an element or an attribute.
 *
 * @example html`<p title="${text}">${text}</p>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: parts.map((part, index) => part + markupOf(values[index] ?? '')).join('') };
}

function markupOf(value: Value): string {
  if (typeof value === 'object') {
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
  }
  return escapeMarkup(String(value));
}
