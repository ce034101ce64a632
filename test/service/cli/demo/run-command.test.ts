import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { runCommand } from '../../../../service/cli/demo/run-command.ts';
import { CliError } from '../../../../service/cli/output.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('processes', 'a command of the demo', () => {
  const node = (program: string): string => `'${process.execPath}' -e "${program}"`;

  it('runs in a shell and returns its output', async () => {
    const output = await runCommand(node('console.log(process.env.GREETING)'), process.cwd(), {
      GREETING: 'hello',
    });
    assert.equal(output, 'hello\n');
  });

  it('reports its lines as they arrive', async () => {
    // The program prints its last line once a connection to this server has been closed.
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const { port } = server.address() as AddressInfo;
    const program = `console.log('a'); require('net').connect(${port}, '127.0.0.1').resume().on('close', () => console.log('b'))`;
    const lines: string[] = [];
    const first = Promise.withResolvers<string>();
    const ended = runCommand(node(program), process.cwd(), {}, (line) => {
      lines.push(line);
      first.resolve(line);
    });
    const [[socket]] = await Promise.all([connected, first.promise]);
    assert.deepEqual(lines, ['a']);
    socket.end();
    assert.equal(await ended, 'a\nb\n');
    assert.deepEqual(lines, ['a', 'b']);
    server.close();
  });

  it('rejects with its entire output when it fails', async () => {
    const failed = runCommand(
      node("console.log('a'); console.error('b'); process.exit(3)"),
      process.cwd(),
      {},
    );
    await assert.rejects(failed, (error: unknown) => {
      assert.ok(error instanceof CliError);
      assert.match(error.message, /failed in .* \(exit code 3\):\n(a\nb|b\na)\n$/);
      return true;
    });
  });
});
