/** Returns the fenced blocks of a language in a Markdown document, in order. */
export function fencedCode(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`{3,}${language}\\n(.*?)^\`{3,}$`, 'gms');
  return Array.from(markdown.matchAll(fence), ([, code = '']) => code);
}
