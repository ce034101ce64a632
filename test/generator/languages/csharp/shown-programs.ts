import path from 'node:path';

/** A source file with the types of other packages that READMEs use. */
export const hostingFile = path.join(import.meta.dirname, 'Hosting.cs');

/** A program of a README or an example, as the body of a method, so that many compile as one project. */
export interface ShownProgram {
  usings: string[];
  body: string;
  /** Class of the client, if the program does not create one. */
  client?: string;
}

/** Returns the C# code of a README: whole programs, and fragments with declarations of the names they use. */
export function readmePrograms(readme: string): ShownProgram[] {
  const blocks = [...readme.matchAll(/^(`{3,})csharp\n(.*?)^\1$/gms)].map(([, , code = '']) => code);
  const [, client] = /`new (\w+)\(new ClientOptions \{/.exec(readme) ?? [];
  const programs = blocks.filter((code) => code.startsWith('using ') && /new \w+Client\(\);/.test(code));
  return blocks.map((code) => {
    if (programs.includes(code)) return splitProgram(code);
    const [, method, called = method] =
      /client\.(?:WithRawResponse\.)?((?:Start|Upload)?(\w+))Async\(\[?input/.exec(code) ??
      /client\.Create((\w+)Stream)Async\(/.exec(code) ??
      /client\.Open(\w+)Async\(/.exec(code) ??
      [];
    const isStreamed =
      /client\.(?:Upload\w+Async\(\[|Create\w+StreamAsync\((?!input)|Open\w+Async\((?!input))/.test(code);
    // A method may have the name `Started` without starting `ed`. Of a member whose name is taken, the call has another name, such
    // as `Uint32Call` or `Take2`, but not necessarily the methods derived from it.
    const whole = [method, called]
      .filter((name) => name !== undefined)
      .flatMap((name) => [`client\\.${name}Async\\(`, `client\\.${name}(?:Call)?\\d*Async\\(`])
      .flatMap((call) => programs.filter((program) => new RegExp(call).test(program)))
      .find((program) => !isStreamed || program.includes('await foreach'));
    const { body, usings: ofInput } = splitProgram(whole ?? programs[0] ?? '');
    const input = /^.*?new \w+Client\(\);\n(.*?)^(?:var output = |await foreach )/ms.exec(body)?.[1] ?? '';
    // The messages of an input have a namespace of their own.
    const part = splitProgram(code);
    const usings = [...usingsOf(readme), ...part.usings, ...(called === undefined ? [] : ofInput)];
    return {
      usings: [...new Set(usings)],
      body: `${called === undefined ? '' : input}${part.body}`,
      ...(client && { client }),
    };
  });
}

/** Returns the `using` directives that fragments need: those that the README names, or the namespace of a client without calls. */
function usingsOf(readme: string): string[] {
  const [, needed] = /^The other snippets need (.*?), and use/m.exec(readme) ?? [];
  if (needed !== undefined)
    return Array.from(needed.matchAll(/`(using [\w.]+;)`/g), ([, using = '']) => using);
  const [, namespace = ''] = /in the namespace `([\w.]+)\.Messages`/.exec(readme) ?? [];
  return [`using ${namespace};`];
}

/** Separates the `using` directives from the body of a program. */
export function splitProgram(text: string): ShownProgram {
  const usings = text.match(/^using [\w.]+;$/gm) ?? [];
  return { usings, body: text.replace(/^using [\w.]+;\n/gm, '').trim() };
}

/** Returns a source file with the program. Names that a fragment uses are parameters or fields. */
export function sourceOf({ usings, body, client = '' }: ShownProgram, name: string): string {
  const given = body.includes('using var client') ? '' : `${client} client, `;
  const services = body.includes('services.') ? 'IServiceCollection services, ' : '';
  const named = `${services}string id, HttpClient httpClient, string[] args`;
  const result = /^ +return [01];$/m.test(body) ? 'Task<int>' : 'Task';
  const start = body.search(/^internal sealed class /m);
  const [statements, types] = start < 0 ? [body, ''] : [body.slice(0, start), body.slice(start)];
  return `${usings.join('\n')}

namespace Shown.${name};

${types}

internal static class Program
{
    private static readonly System.Threading.CancellationToken token = new(true);

    internal static async ${result} RunAsync(${given}${named})
    {
        await Task.Yield();
${statements}
    }
}
`;
}
