/** What remains of Rust without its comments and the contents of its literals: what the compiler takes for code. */
export function codeOf(source: string): string {
  return source.replace(literalOrComment, (match, raw: string | undefined) =>
    match.startsWith('/') ? '' : raw === undefined ? `${match.charAt(0)}${match.at(-1) ?? ''}` : 'r""',
  );
}

const literalOrComment =
  /\/\/[^\n]*|\/\*[^]*?\*\/|\br(#*)"[^]*?"\1|"(?:\\[^]|[^"\\])*"|'(?:\\[^']+|[^'\\])'/g;
