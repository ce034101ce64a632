/** Rust without comments and the contents of literals: the code that the compiler sees. */
export function codeOf(source: string): string {
  return source.replace(literalOrComment, (match, raw: string | undefined) =>
    match.startsWith('/') ? '' : raw === undefined ? `${match.charAt(0)}${match.at(-1) ?? ''}` : 'r""',
  );
}

const literalOrComment =
  /\/\/[^\n]*|\/\*[^]*?\*\/|\br(#*)"[^]*?"\1|"(?:\\[^]|[^"\\])*"|'(?:\\[^']+|[^'\\])'/g;
