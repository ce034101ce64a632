import path from 'node:path';

/** A program in no package, or one that gets a package put in front. */
interface ShownProgram {
  /** Its only public class. */
  className: string;
  text: string;
}

/** Programs that an archive shows: its examples, and the Java of its README, whose parts are made programs. */
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

/** Names of a fragment are parameters; types of the client take precedence over those of the runtime. */
function partOfProgram(code: string, main: string, files: ReadonlyMap<string, string>): string {
  const packageName = path.dirname(main.replace('src/main/java/', '')).replaceAll('/', '.');
  const clientClass = path.basename(main, '.java');
  const call = /client\.(?:withRawResponse\(\)\.)?(\w+)\(input\)/.exec(code)?.[1] ?? '';
  const client = (files.get(main) ?? '').replaceAll(/\s+/g, ' ');
  const told = /List<(\w+)> inputs|LiveSession<(\w+),/.exec(code);
  const input =
    told?.[1] ?? told?.[2] ?? new RegExp(`\\b${call}\\( ?(\\w+) input\\)`).exec(client)?.[1] ?? 'Object';
  const mentioned = new Set([input, ...(code.match(/\w+/g) ?? [])]);
  const own = [...mentioned].filter((name) => files.has(`${path.dirname(main)}/${name}.java`));
  // A message may be called as the class around the part.
  const className = own.includes('Part') ? 'PartOfProgram' : 'Part';
  const parameters = [`${input} input`, 'Runnable call', 'String id', 'String key', 'String url'];
  if (!code.includes(`${clientClass} client =`)) parameters.push(`${clientClass} client`);
  return `${own.map((name) => `import ${packageName}.${name};\n`).join('')}import ${packageName}.*;
import ${packageName}.core.*;
import ${packageName}.errors.*;
import ${packageName}.json.*;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

public final class ${className} {
  private ${className}() {}

  static void part(${parameters.join(', ')}) {
${code}
  }
}
`;
}
