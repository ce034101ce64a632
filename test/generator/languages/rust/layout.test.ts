import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  fitsAsArgument,
  fitsAsLink,
  printArray,
  printAssignment,
  printAwait,
  printBody,
  printCase,
  printChain,
  printConstant,
  printField,
  printSignature,
  printUse,
  printVariant,
} from '../../../../generator/languages/rust/lines.ts';
import { cargoFolder, runCargo, writeFiles } from '../../../support/cargo.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

/** All lengths that names can have (`plan-names.ts`). */
const lengths = Array.from({ length: 60 }, (_, index) => index + 1);
const typeLengths = [1, 8, 20, 34, 45, 50, 52, 53, 56];

suiteNeeds('rust', 'the layout of Rust code', function () {
  this.timeout(300_000);

  it('matches rustfmt for names of any length', async () => {
    const items = [...fields(), ...variants(), ...methods(), ...calls(), ...chains(), ...uses()];
    const source = `${items.join('\n\n')}\n`;
    const folder = await cargoFolder('layout');
    await writeFiles(folder, [{ path: 'layout.rs', content: source }]);
    const { code, output } = await runCargo(['--edition', '2024', 'layout.rs'], {
      cwd: folder,
      program: 'rustfmt',
    });
    assert.equal(code, 0, output.slice(0, 4_000));
    const formatted = await readFile(path.join(folder, 'layout.rs'), 'utf8');
    const lines = formatted.split('\n');
    const first = source.split('\n').findIndex((line, index) => line !== lines[index]);
    assert.equal(first, -1, lines.slice(Math.max(0, first - 5), first + 8).join('\n'));
  });
});

function named(character: string, length: number): string {
  return character.repeat(length);
}

function fields(): string[] {
  const types = typeLengths.flatMap((length) => {
    const type = named('T', length);
    return [type, `Vec<${type}>`, `Option<Box<${type}>>`, `BTreeMap<String, ${type}>`];
  });
  return lengths.flatMap((length) =>
    types.map((type) => `pub struct Fields {\n${printField(named('f', length), type)}\n}`),
  );
}

function variants(): string[] {
  return lengths.flatMap((length) =>
    typeLengths.map((typeLength) => {
      const variant = printVariant(named('V', length), `Box<${named('T', typeLength)}>`);
      return `pub enum Cases {\n${variant}\n}`;
    }),
  );
}

function methods(): string[] {
  const assigned = ['value', 'Some(value)', 'value.into()', 'values.into_iter().map(Into::into).collect()'];
  return lengths.flatMap((length) => {
    const name = named('f', length);
    return typeLengths.flatMap((typeLength) => {
      const type = named('T', typeLength);
      const parameters = [
        'value: i64',
        `value: ${type}`,
        `value: impl Into<Box<${type}>>`,
        `values: impl IntoIterator<Item = ${type}>`,
        `map: impl IntoIterator<Item = (String, ${type})>`,
      ];
      const setters = parameters.map((parameter, index) =>
        method(
          printSignature(`with_${name}`, ['mut self', parameter], 'Self'),
          `${printAssignment(`self.${name}`, assigned[index % assigned.length] ?? '')}\n        self`,
        ),
      );
      const cases = method(
        printSignature(`with_${name}`, ['mut self', 'value: impl Into<String>'], 'Self'),
        `${printCase('oneof', `${type}::${named('V', length)}`, 'value.into()')}\n        self`,
      );
      const plainCases = method(
        printSignature(`with_${name}`, ['mut self', 'value: u64'], 'Self'),
        `${printCase('oneof', `${type}::${named('V', length)}`, 'value')}\n        self`,
      );
      const constant = `impl Kind {\n${printConstant(named('C', length), 'Self', `Self::${type}`)}\n}`;
      return [...setters, cases, plainCases, constant];
    });
  });
}

function calls(): string[] {
  return lengths.flatMap((length) =>
    typeLengths.flatMap((typeLength) => {
      const [name, constant, type] = [named('f', length), named('C', length), named('T', typeLength)];
      const input = `input: &messages::${named('I', typeLength)}`;
      const target = `&members::${constant}`;
      return [
        method(
          printSignature(name, ['&self', input], `Call<messages::${type}>`),
          printBody('self.call', [target, 'input']),
        ),
        method(
          printSignature(name, ['&self', input], `Call<Execution<messages::${type}>>`),
          printBody('self.start', [target, 'input']),
        ),
        method(
          printSignature(
            name,
            ['&self', 'execution_id: impl Into<String>'],
            `Result<Execution<messages::${type}>, Error>`,
          ),
          printBody('self.execution', [target, 'execution_id']),
        ),
        method(printSignature(name, ['&self'], 'Call<()>'), printBody('self.warm', [target])),
      ];
    }),
  );
}

function chains(): string[] {
  const args = ['1', '"Two ships left the harbour."', '[word]', 'types::Timestamp::new(1769851800, 0)'];
  return lengths.flatMap((length) => {
    const links = args
      .filter((argument) => fitsAsArgument(argument))
      .map((argument) => `with_${named('f', length)}(${argument})`)
      .filter(fitsAsLink);
    const several = links.flatMap((link) => [[link], ['with_c(1)', link], [link, 'with_c(1)']]);
    return [
      ...typeLengths.flatMap((typeLength) =>
        [[], ...several].map((chosen) => {
          const chain = { root: `messages::${named('T', typeLength)}::new()`, links: chosen };
          const variable = named('v', Math.min(length, 20));
          const array = printArray(variable, [
            chain,
            { root: 'W::new()', links: ['with_c(1)', 'with_d(2)'] },
          ]);
          return `fn chains() {\n${printChain(chain, `let ${variable} = `, ';')}\n${array}\n${printChain(chain, '', '')}\n}`;
        }),
      ),
      `fn awaits() {\n${printAwait(`${named('f', length)}(&input)`)}\n}`,
    ];
  });
}

/** Separates declarations by blank lines, so that rustfmt does not sort them. */
function uses(): string[] {
  const crates = Array.from({ length: 85 }, (_, index) => named('c', index + 1));
  return crates.flatMap((crate) =>
    [['Client'], ['messages', 'Client', 'Error'], ['types', 'messages', 'json', 'Error', 'Client']].map(
      (names) => printUse(crate, names),
    ),
  );
}

function method(signature: string, body: string): string {
  return `impl Client {\n${signature}\n${body}\n    }\n}`;
}
