import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { runInProcess } from '../../../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds, type Toolchain } from '../../../support/toolchains.ts';

/** A shell, and how to query its completions for a command line. */
interface Shell {
  name: string;
  needs: Toolchain;
  /** Script that prints the completions, one per line. Its arguments are the completion script and the words of the line. */
  ask: string;
}

const shells: readonly Shell[] = [
  {
    name: 'bash',
    needs: 'processes',
    ask: 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf "%s\\n" "${COMPREPLY[@]}"',
  },
  {
    name: 'zsh',
    needs: 'zsh',
    // Outside the line editor, these functions print their arguments instead.
    ask:
      'compdef() { :; }; _files() { print -l -- "${words[CURRENT]}"*(N); };' +
      '_describe() { [[ $1 == -o ]] && shift; local each; for each in "${(@P)2}"; do print -r -- "${each%%:*}"; done; };' +
      'source "$1"; shift; words=("$@"); CURRENT=$#; _svc | while read -r each; do [[ $each == "${words[CURRENT]}"* ]] && print -r -- "$each"; done; true',
  },
  {
    name: 'fish',
    needs: 'fish',
    ask: 'source $argv[1]; complete -C (string join " " -- $argv[2..]) | string replace -r "\\t.*" ""; true',
  },
];

for (const { name, needs, ask } of shells) {
  suiteNeeds(needs, `svc completion ${name}`, () => {
    let folder: TemporaryFolder;
    let script: string;
    before(async () => {
      folder = await temporaryFolder({ 'flow.yaml': '', 'other.yaml': '' });
      script = path.join(folder.path, 'script');
      const { code, stdout, stderr } = await runInProcess(['completion', name], {});
      assert.equal(code, 0, stderr);
      await writeFile(script, stdout);
    });
    after(() => folder.remove());

    /** The completions of the last word. */
    async function offers(...words: string[]): Promise<string[]> {
      const args =
        name === 'fish'
          ? ['--no-config', '-c', ask, script]
          : [...(name === 'zsh' ? ['-f'] : []), '-c', ask, name, script];
      const { stdout } = await promisify(execFile)(name, [...args, 'svc', ...words], { cwd: folder.path });
      return stdout.split('\n').filter((line) => line !== '');
    }

    it('offers commands and subcommands', async () => {
      const commands = await offers('');
      for (const command of ['serve', 'client', 'app-key']) assert.ok(commands.includes(command), command);
      assert.deepEqual((await offers('client', 'd')).sort(), ['delete', 'download']);
      assert.deepEqual(await offers('flow', 'di'), ['diagram']);
    });

    it('offers the options of a command, even after options with values', async () => {
      assert.deepEqual(await offers('client', 'build', 'hello', '--lang'), ['--language']);
      assert.deepEqual(await offers('client', 'build', '--url', 'list', '--no-'), ['--no-wait']);
      assert.deepEqual(await offers('client', 'list', '--lang'), []);
    });

    it('offers the values of an option and of an argument', async () => {
      assert.deepEqual((await offers('flow', 'diagram', '--format', '')).sort(), ['mermaid', 'svg']);
      assert.deepEqual((await offers('completion', '')).sort(), ['bash', 'fish', 'zsh']);
      assert.deepEqual(await offers('execution', 'list', '--status', 'CA'), ['CANCELLED']);
      assert.deepEqual(await offers('client', 'build', '--url', ''), []);
    });

    it('offers files only where a file is expected', async () => {
      assert.deepEqual(await offers('flow', 'compile', 'fl'), ['flow.yaml']);
      assert.deepEqual(await offers('package', 'deploy', 'a/b@1.0.0', '--token-file', 'o'), ['other.yaml']);
      assert.deepEqual(await offers('client', 'get', 'fl'), []);
    });
  });
}

describe('svc completion', () => {
  it('lists the supported shells when the shell is unknown', async () => {
    const { code, stdout, stderr } = await runInProcess(['completion', 'ksh'], {});
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /argument 'ksh' is invalid for argument 'shell'\. Allowed choices are bash, zsh, fish\.|'ksh' is invalid/,
    );
    assert.equal((await runInProcess(['completion'], {})).code, 2);
  });

  it('explains how to load the script', async () => {
    const { stdout } = await runInProcess(['completion', '--help'], {});
    for (const line of [
      'source <(svc completion bash)',
      'source <(svc completion zsh)',
      'svc completion fish | source',
    ])
      assert.ok(stdout.includes(line), line);
  });
});
