/**
 * Returns the page with updated sections. The text before the first `## ` and each section with the heading of a new
 * one are replaced, other new sections are appended, and the rest stays unchanged.
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
