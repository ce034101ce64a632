/**
 * The page with its new parts: what stands before the first `## ` and each section of a heading that is new again replaces the
 * old one, further ones follow, the rest stays.
 */
export function replaceSections(written: string, news: string): string {
  const merged = new Map([...split(written), ...split(news)]);
  return `${[...merged.values()].join('\n\n')}\n`;
}

function split(page: string): [heading: string, section: string][] {
  return page
    .split(/^(?=## )/m)
    .map((section) => section.trim())
    .filter((section) => section !== '')
    .map((section) => [/^## .*/.exec(section)?.[0] ?? '', section]);
}
