import assert from 'node:assert/strict';
import type { PackageTypes } from '../../../../generator/model/package-types.ts';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { PluginError, runProtocPlugin } from '../../../../service/nodes/serve/run-protoc-plugin.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('processes', 'a plugin of protoc', () => {
  const problemOf = async (...command: string[]): Promise<string> => {
    const descriptorSet = await compileProtos({ 'a.proto': 'syntax = "proto3"; message A {}' });
    const plugin = { command, parameter: () => '', missing: 'install it' };
    const error: unknown = await runProtocPlugin(plugin, { descriptorSet } as PackageTypes, '/').catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof PluginError, String(error));
    return error.message;
  };

  it('that is missing is reported with how to install it', async () => {
    assert.match(
      await problemOf('no-such-plugin'),
      /^no-such-plugin cannot be started \(.*ENOENT\): install it$/,
    );
  });

  it('that fails is reported with its output', async () => {
    assert.equal(
      await problemOf('sh', '-c', 'echo broken >&2; exit 3'),
      '"sh -c echo broken >&2; exit 3" failed in /:\nbroken',
    );
  });

  it('that reports an error in the protos is quoted', async () => {
    // CodeGeneratorResponse{error: "no"}
    assert.equal(await problemOf('sh', '-c', String.raw`cat >/dev/null; printf '\012\002no'`), 'no');
  });
});
