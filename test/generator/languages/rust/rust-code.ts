/** Returns Rust code without comments and without the contents of literals. */
export function codeOf(source: string): string {
  return source.replace(literalOrComment, (match, raw: string | undefined) =>
    match.startsWith('/') ? '' : raw === undefined ? `${match.charAt(0)}${match.at(-1) ?? ''}` : 'r""',
  );
}

const literalOrComment =
  /\/\/[^\n]*|\/\*[^]*?\*\/|\br(#*)"[^]*?"\1|"(?:\\[^]|[^"\\])*"|'(?:\\[^']+|[^'\\])'/g;
