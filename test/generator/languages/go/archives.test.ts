import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runGo, STATICCHECK_TIMEOUT_MS, staticcheckProgram } from '../../../support/go-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import type { GoArchives } from './go-archives.ts';
import { writeGoArchives } from './go-archives.ts';

suiteNeeds('go', 'the Go archives of all fixtures', function () {
  this.timeout(600_000);
  let archives: GoArchives;

  before(async () => {
    archives = await writeGoArchives();
  });
  after(async () => {
    await archives.remove();
  });

  async function passes(program: string, args: readonly string[], cwd = archives.root): Promise<string> {
    const { code, output } = await runGo(program, args, cwd);
    assert.equal(code, 0, output.slice(0, 4_000));
    return output;
  }

  function inspected(names: readonly string[]): Promise<string> {
    return passes('go', ['run', path.join(import.meta.dirname, 'inspect/main.go'), ...names]);
  }

  it('are formatted by gofmt -s', async () => {
    assert.equal(await passes('gofmt', ['-s', '-l', ...archives.names]), '');
  });

  it('compile and pass go vet, including the snippets of their READMEs', async () => {
    const snippets = await writeSnippets(archives);
    assert.ok(snippets > 70, `${snippets} snippets`);
    await passes('go', ['vet', ...archives.packages]);
  });

  it('compile and pass go vet for js/wasm', async () => {
    const env = { GOOS: 'js', GOARCH: 'wasm' };
    const { code, output } = await runGo('go', ['vet', './basic/...'], archives.root, env);
    assert.equal(code, 0, output.slice(0, 4_000));
  });

  it('pass staticcheck with all checks enabled', async function () {
    this.timeout(STATICCHECK_TIMEOUT_MS);
    // The runtime is the same everywhere, and programs are alike.
    const roots = archives.names.map((name) => `./${name}`);
    const programs = ['basic', 'flows', 'deprecated', 'well-known', 'hostile-text'];
    const runtime = ['./basic/svc', './basic/internal/...'];
    const chosen = [...roots, ...runtime, ...programs.map((name) => `./${name}/examples/...`)];
    assert.equal(await passes(await staticcheckProgram(), ['-checks', 'all', ...chosen]), '');
  });

  it('contain no comment or file that suppresses a check', () => {
    for (const [name, files] of archives.files)
      for (const [file, text] of files) {
        assert.doesNotMatch(file, /staticcheck\.conf|golangci/, name);
        // Both sides of this constraint are vetted.
        const checked = text.replace(/^\/\/go:build !js\n/, '');
        if (file.endsWith('.go')) assert.doesNotMatch(checked, /^\s*(?:\/\/\S|\/\*)/m, `${name}/${file}`);
      }
  });

  it('import only public packages in examples', () => {
    for (const [name, files] of archives.files)
      for (const [file, text] of files)
        if (file.startsWith('examples/')) assert.doesNotMatch(text, /\/internal\//, `${name}/${file}`);
  });

  it('contain no code from untrusted text', async () => {
    assert.equal(await inspected(archives.names), '');
    const spoilt = path.join(archives.root, 'spoilt');
    await mkdir(spoilt);
    await writeFile(path.join(spoilt, 'client.go'), 'package a\n\nfunc init() { panic(1) }\n');
    await writeFile(path.join(spoilt, 'messages.go'), 'package a\n\n//go:embed x\nvar b = exec("\u202e")\n');
    const found = await inspected(['spoilt']);
    for (const what of [
      /client\.go.*: a statement/,
      /a directive/,
      /messages\.go.*: a call/,
      /invisible U\+202E/,
    ])
      assert.match(found, what);
  });

  it('pass the tests of their client packages', async () => {
    // The test of go vet above runs every check on these packages; go test would run some of them again.
    const tested = archives.names.map((name) => `./${name}`);
    const output = await passes('go', ['test', '-vet=off', ...tested]);
    assert.equal(output.match(/^ok /gm)?.length, archives.names.length, output);
  });

  it('have message methods that accept a nil receiver', async () => {
    const folder = path.join(archives.root, 'conformance', 'nilmessage');
    await mkdir(folder);
    await writeFile(path.join(folder, 'main.go'), nilMessage);
    assert.equal(await passes('go', ['run', './conformance/nilmessage']), '<nil> ""\n');
  });

  it('require Go 1.24 and a single module, whose checksums they contain', async () => {
    const required = 'github\\.com/coder/websocket v1\\.\\d+\\.\\d+';
    const goMod = new RegExp(
      `^module go\\.svc\\.internal/[a-z0-9/-]+\\n\\ngo 1\\.24\\n\\nrequire ${required}\\n$`,
    );
    for (const [name, files] of archives.files) assert.match(files.get('go.mod') ?? '', goMod, name);
    const basic = path.join(archives.root, 'basic');
    assert.equal(await passes('go', ['mod', 'tidy', '-diff'], basic), '');
    assert.match(await passes('go', ['mod', 'verify'], basic), /^all modules verified$/m);
  });
});

const nilMessage = `package main

import (
	"fmt"

	"go.svc.internal/acme/conformance"
)

func main() {
	var message *conformance.Everything
	fmt.Printf("%s %q\\n", message.String(), message.WhichChoice())
}
`;

/** Writes the Go code of each README: programs verbatim, fragments in a function, with a file that declares the names they use. */
async function writeSnippets({ root, files }: GoArchives): Promise<number> {
  let written = 0;
  for (const [name, own] of files) {
    const readme = own.get('README.md') ?? '';
    const [, block = ''] = /^```go\nimport \(\n(.*?)^\)$/ms.exec(readme) ?? [];
    const imports = block.split('\n').map((line) => line.trim());
    for (const [, code = ''] of readme.matchAll(/^`{3,}go\n(?!import)(.*?)^`{3,}$/gms)) {
      const folder = path.join(root, name, 'snippets', String(written));
      await mkdir(folder, { recursive: true });
      const packageName = /^package (\w+)$/m.exec(own.get('client.go') ?? '')?.[1] ?? '';
      const isProgram = code.startsWith('package main');
      const program = isProgram ? code : partOfProgram(code, imports);
      await writeFile(path.join(folder, 'main.go'), program);
      const sdkImports = imports.filter((line) => line.includes('go.svc.internal/'));
      if (!isProgram) await writeFile(path.join(folder, 'names.go'), namesOfParts(packageName, sdkImports));
      written += 1;
    }
  }
  return written;
}

/** Returns a fragment with the imports of its README that it needs. */
function partOfProgram(code: string, imports: readonly string[]): string {
  const { given, method } = inputOfProgram(code);
  const variable = given.startsWith('messagesOf') ? 'messages' : 'input';
  const used = imports.filter((line) => {
    const [, alias, lastElement = ''] = /^(?:(\w+) )?"(?:.*\/)?(.+)"$/.exec(line) ?? [];
    return new RegExp(`(?<![\\w.])${alias ?? lastElement}\\.`).test(code);
  });
  return `package main

import (
${used.join('\n')}
)

func part(ctx contextOfPart, client *clientOfPart, id string, transport transportOfPart, err error) error {
	${method === undefined ? '' : `${variable} := ${given}((*clientOfPart).${method})`}
	{
${code}
	}
	return nil
}
`;
}

/** Further names that a fragment uses, in a separate file. */
function namesOfParts(packageName: string, sdkImports: readonly string[]): string {
  return `package main

import (
	"context"
	"iter"
	"net/http"
${sdkImports.join('\n')}
)

type (
	clientOfPart    = ${packageName}.Client
	contextOfPart   = context.Context
	transportOfPart = http.RoundTripper
)

// inputOf returns an input of a method's type.
func inputOf[C, In, Out any](func(C, context.Context, In, ...svc.Option) (Out, error)) (input In) { return }

// streamedInputOf returns an input of a method that streams.
func streamedInputOf[C, In, Out any](func(C, context.Context, In, ...svc.Option) iter.Seq2[Out, error]) (input In) {
	return
}

// messagesOf returns the messages of a streamed input.
func messagesOf[C, In, Out any](func(C, context.Context, iter.Seq2[In, error], ...svc.Option) iter.Seq2[Out, error]) (messages []In) {
	return
}

// messagesOfStream returns the messages of a split stream.
func messagesOfStream[C, In, Out any](func(C, context.Context, ...svc.Option) (*svc.SplitStream[In, Out], error)) (messages []In) {
	return
}

// messagesOfSession returns the messages of a live session.
func messagesOfSession[C, In, Out any](func(C, context.Context, ...svc.Option) (*svc.Session[In, Out], error)) (messages []In) {
	return
}

// isLast tells the last message of a session.
func isLast(any) bool { return true }

func main() {
	_ = isLast
	_, _, _, _ = part, inputOf[any, any, any], streamedInputOf[any, any, any], messagesOf[any, any, any]
	_, _ = messagesOfStream[any, any, any], messagesOfSession[any, any, any]
}
`;
}

/** Returns the client method to which a fragment passes an input, and the function that returns an input of its type. */
function inputOfProgram(code: string): { given: string; method: string | undefined } {
  const [, opened] = /client\.(\w+)\(ctx\)\n/.exec(code) ?? [];
  if (code.includes('messages') && opened !== undefined)
    return { given: code.includes('.Upload(') ? 'messagesOfStream' : 'messagesOfSession', method: opened };
  const [, stream, method, argument] = /(range )?client\.(\w+)\(ctx, (inputs?)/.exec(code) ?? [];
  const given = stream === undefined ? 'inputOf' : argument === 'input' ? 'streamedInputOf' : 'messagesOf';
  return { given, method };
}
