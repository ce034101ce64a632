import assert from 'node:assert/strict';
import { ProtoCompileError } from '../../../../service/errors/proto-compile-error.ts';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { nameMissingFile } from '../../../../service/messages/compile/name-missing-file.ts';

const header = 'syntax = "proto3";\npackage acme.v1;\n';

describe('reporting an import of a missing file', () => {
  const messageOf = async (statement: string): Promise<string | undefined> => {
    try {
      await compileProtos({ 'acme/a.proto': `${header}${statement}\nmessage A {}` });
    } catch (error) {
      assert.ok(error instanceof ProtoCompileError, String(error));
      return error.diagnostics[0]?.message;
    }
    return undefined;
  };

  it('includes the name of the file', async () => {
    const expected =
      'imported file "acme/gone.proto" does not exist: add it to the protos of the package, at this path';
    assert.equal(await messageOf('import "acme/gone.proto";'), expected);
    assert.equal(await messageOf("  import public 'acme/gone.proto';"), expected);
    assert.equal(await messageOf('import "google/protobuf/empty.proto";'), undefined);
  });

  it('leaves other problems and lines without an import unchanged', () => {
    const other = { file: 'a.proto', line: 1, column: 1, message: 'syntax error' };
    assert.equal(nameMissingFile(other, { 'a.proto': 'import "b.proto";' }), other);
    const elsewhere = { ...other, message: 'imported file does not exist', line: 9 };
    assert.equal(nameMissingFile(elsewhere, { 'a.proto': 'import "b.proto";' }), elsewhere);
  });
});
