import { escapeMarkup } from '../../generator/text/markup.ts';

/** Markup that is safe to send: made by `html` alone. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[];

/**
 * Markup with values in it. Texts stay texts, between tags and between quotes: whoever published them cannot break out.
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
