/** The fenced blocks of a language in a Markdown document, in their order. */
export function fencedCode(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return Array.from(markdown.matchAll(fence), ([, code = '']) => code);
}
