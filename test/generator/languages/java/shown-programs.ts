import path from 'node:path';

/** A program without a package declaration, or one for which it is added. */
interface ShownProgram {
  /** Its only public class. */
  className: string;
  text: string;
}

/** Returns the programs of an archive: its examples and the Java code of its README. Fragments become programs. */
export function shownPrograms(files: ReadonlyMap<string, string>): ShownProgram[] {
  const main = [...files].find(([, text]) => text.includes(' String IDENTITY ='))?.[0] ?? '';
  const readme = files.get('README.md') ?? '';
  const snippets = [...readme.matchAll(/^`{3,}java\n(.*?)^`{3,}$/gms)].map(([, code = '']) =>
    /^public final class Main/m.test(code) ? code : partOfProgram(code, main, files),
  );
  const examples = [...files].filter(([file]) => file.startsWith('examples/')).map(([, text]) => text);
  return [...snippets, ...examples].map((text) => ({
    className: /^public final class (\w+)/m.exec(text)?.[1] ?? '',
    text,
  }));
}

/** Returns statements of a README as a method with the imports of the README. Its parameters are the names that the README declares. */
function partOfProgram(code: string, main: string, files: ReadonlyMap<string, string>): string {
  const packageName = path.dirname(main.replace('src/main/java/', '')).replaceAll('/', '.');
  const clientClass = path.basename(main, '.java');
  const imports = code.match(/^import .*;$/gm) ?? [];
  const parameters = [
    `${inputOf(code, main, files)} input`,
    ...['id', 'key', 'url'].map((name) => `String ${name}`),
  ];
  if (!code.includes(`${clientClass} client =`)) parameters.push(`${packageName}.${clientClass} client`);
  // A message may have the name of the class around the fragment.
  const className = /^import .*\.Part;$/m.test(code) ? 'PartOfProgram' : 'Part';
  return `${imports.join('\n')}

public final class ${className} {
  private ${className}() {}

  static void part(${parameters.join(', ')}) {
${code.replaceAll(/^import .*;\n/gm, '')}
  }
}
`;
}

/** Returns the full name of the type of `input`. */
function inputOf(code: string, main: string, files: ReadonlyMap<string, string>): string {
  const folder = path.dirname(main);
  const packageName = folder.replace('src/main/java/', '').replaceAll('/', '.');
  const call = /client\.(?:withRawResponse\(\)\.)?(\w+)\(input\)/.exec(code)?.[1] ?? '';
  const client = (files.get(main) ?? '').replaceAll(/\s+/g, ' ');
  const listed = /List<(\w+)> inputs|LiveSession<(\w+),/.exec(code);
  const name =
    listed?.[1] ?? listed?.[2] ?? new RegExp(`\\b${call}\\( ?(\\w+) input\\)`).exec(client)?.[1] ?? 'Object';
  if (files.has(`${folder}/${name}.java`)) return `${packageName}.${name}`;
  const [, imported] = new RegExp(`^import (.*\\.${name});$`, 'm').exec(files.get(main) ?? '') ?? [];
  return imported ?? name;
}
